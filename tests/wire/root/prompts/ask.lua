local s = require "schema"

return {
  title       = "Ask",
  description = "Ask what it is about.",

  render = function(_, call)
    local answer, why, code = call:ask {
      key = "topic", message = "About what?", schema = s.object { { "topic", s.string "The topic." } },
    }
    if not answer then return nil, why, code end
    return ("Tell me about %s."):format(answer.topic)
  end,
}
