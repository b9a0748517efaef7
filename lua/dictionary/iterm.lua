--- iTerm2: tasks and the scripts that do them.

return {
  app   = "com.googlecode.iterm2",
  name  = "iTerm2",
  words = "terminal shell console command line",
  examples = {
    { task = "Run a command in the current session.",
      command = "write",
      script = [[
tell application "iTerm2"
  tell current session of current window to write text "ls -la"
end tell]] },

    { task = "Open a new window.",
      command = "create window with default profile",
      script = [[tell application "iTerm2" to create window with default profile]] },

    { task = "Split the window into two panes.",
      command = "split vertically with default profile",
      script = [[
tell application "iTerm2"
  tell current session of current window to split vertically with default profile
end tell]] },

    { task = "Read what a session shows.",
      command = "session.contents",
      script = [[tell application "iTerm2" to get contents of current session of current window]] },
  },
}
