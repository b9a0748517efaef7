local s = require "schema"

return {
  title       = "Prompt with arguments",
  description = "A prompt with two arguments.",
  arguments   = s.arguments {
    { "arg1", "First test argument" },
    { "arg2", "Second test argument" },
  },

  render = function(args)
    return ("Prompt with arguments: arg1='%s', arg2='%s'"):format(args.arg1, args.arg2)
  end,

  complete = { arg1 = { "paris", "park", "party", "london" } },

  examples = { { "has both", args = { arg1 = "hello", arg2 = "world" }, has = { "arg1='hello'", "arg2='world'" } } },
}
