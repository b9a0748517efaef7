--- System Preferences: tasks and the scripts that do them.

return {
  app   = "com.apple.systempreferences",
  name  = "System Preferences",
  words = "settings mac computer",
  examples = {
    { task = "Open the settings of the displays.",
      command = "reveal",
      script = [[
tell application "System Preferences"
  reveal pane id "com.apple.preference.displays"
  activate
end tell]] },

    { task = "List the panes of the settings.",
      command = "pane.name",
      script = [[tell application "System Preferences" to get name of every pane]] },

    { task = "List the parts of a pane.",
      command = "anchor.name",
      script = [[tell application "System Preferences" to get name of every anchor of pane id "com.apple.preference.security"]] },
  },
}
