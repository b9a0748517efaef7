--- Postbox, an application that does not exist (tests/lua/lib/dictionary_own.lua).

return {
  app   = "com.example.postbox",
  name  = "Postbox",
  words = "mail letters post",
  examples = {
    { task = "Put old letters away.",
      command = "file away",
      script = [[tell application "Postbox" to file away every letter into drawer "Old"]] },
  },
}
