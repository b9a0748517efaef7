--- Types text, or pastes text that cannot be typed exactly.

---@type input.Action
return {
  name  = "type",
  done  = "Typed",
  takes = { "text", "secret", "method" },
  needs = { "text" },
  sends = { kind = "text" },

  complete = function(spec, args)
    if args.method == "type" then spec.paste = false end
    if args.method == "paste" then spec.kind, spec.typed = "paste", true end
    return spec
  end,
}
