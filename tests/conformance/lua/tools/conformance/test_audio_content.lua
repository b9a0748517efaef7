local media = require "media"
local s = require "schema"

return {
  title       = "Audio",
  description = "Answer with a sound.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(_, call)
    return call:result { content = { call:audio(media.wav, "audio/wav") } }
  end,
}
