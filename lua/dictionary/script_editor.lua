--- Script Editor: tasks and the scripts that do them.

return {
  app   = "com.apple.ScriptEditor2",
  name  = "Script Editor",
  words = "script applescript code",
  examples = {
    { task = "Write a script in a new document.",
      command = "make",
      script = [[tell application "Script Editor" to make new document with properties {contents:"beep"}]] },

    { task = "Check a script for mistakes.",
      command = "check syntax",
      script = [[tell application "Script Editor" to check syntax front document]] },

    { task = "Compile a script.",
      command = "compile",
      script = [[tell application "Script Editor" to compile front document]] },

    { task = "Run a script.",
      command = "execute",
      script = [[tell application "Script Editor" to execute front document]] },
  },
}
