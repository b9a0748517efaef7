--- Shortcuts Events: tasks and the scripts that do them.

return {
  app   = "com.apple.shortcuts.events",
  name  = "Shortcuts Events",
  words = "shortcut workflow automation",
  examples = {
    { task = "Run a shortcut with an input.",
      command = "run",
      script = [[tell application "Shortcuts Events" to run shortcut "Resize" with input "/Users/me/lake.jpg"]] },

    { task = "List the shortcuts.",
      command = "shortcut.name",
      script = [[tell application "Shortcuts Events" to get name of every shortcut]] },

    { task = "List the folders of shortcuts.",
      command = "folder.name",
      script = [[tell application "Shortcuts Events" to get name of every folder]] },
  },
}
