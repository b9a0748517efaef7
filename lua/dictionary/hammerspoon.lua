--- Hammerspoon: tasks and the scripts that do them.

return {
  app   = "org.hammerspoon.Hammerspoon",
  name  = "Hammerspoon",
  words = "automation lua script",
  examples = {
    { task = "Run a line of Lua.",
      command = "execute lua code",
      script = [[tell application "Hammerspoon" to execute lua code "hs.alert.show('Hello')"]] },

    { task = "Move the front window to the left half of the screen.",
      command = "execute lua code",
      script = [[tell application "Hammerspoon" to execute lua code "hs.window.focusedWindow():moveToUnit('[0,0,50,100]')"]] },

    { task = "Quit Hammerspoon.",
      command = "quit",
      script = [[tell application "Hammerspoon" to quit]] },

    { task = "Reload the configuration.",
      command = "execute lua code",
      script = [[tell application "Hammerspoon" to execute lua code "hs.reload()"]] },

    { task = "Evaluate an expression and get its value.",
      command = "execute lua code",
      script = [[tell application "Hammerspoon" to execute lua code "return hs.battery.percentage()"]] },
  },
}
