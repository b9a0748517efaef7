--- Asks for an explanation.
return {
  description = "Asks.",
  arguments = { { name = "what", required = true } },
  render = function(args) return ("Explain %s."):format(args.what) end,
}
