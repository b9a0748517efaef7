---@type Prompt
return {
  title = "Greeting",
  description = "Greets somebody.",
  arguments = {
    { name = "name", description = "Whom to greet.", required = true },
    { name = "mood", description = "How." },
  },

  ---@param args {name: string, mood?: string}
  render = function(args)
    return ("Greet %s %s."):format(args.name, args.mood or "warmly")
  end,

  complete = { mood = { "calmly", "coolly", "warmly" } },

  examples = { { "warmly, unless told", args = { name = "Ada" }, has = { "Greet Ada warmly." } } },
}
