--- The policy of the demo: nobody is there to be asked whether text on a slide may be replaced.
return {
  rules = {
    { allow = "you started the demo, and its server draws on a slide of its own", caller = { kind = { "agent", "terminal" } } },
  },
  otherwise = "deny",
}
