---@type Tool
return {
  description = "A sound without samples.",
  inputSchema = { type = "object", additionalProperties = false },
  annotations = { readOnlyHint = true },

  run = function(_, call)
    local wav = "RIFF$\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\8\0data\0\0\0\0"
    return call:result { content = { call:audio(wav, "audio/wav") } }
  end,
}
