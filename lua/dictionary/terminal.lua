--- Terminal: tasks and the scripts that do them.

return {
  app   = "com.apple.Terminal",
  name  = "Terminal",
  words = "shell console command line",
  examples = {
    { task = "Run a command in a new window.",
      command = "do script",
      script = [[tell application "Terminal" to do script "ls -la ~/Documents"]] },

    { task = "Read what a window shows.",
      command = "tab.contents",
      script = [[tell application "Terminal" to get contents of selected tab of front window]] },

    { task = "Find out whether a command has finished.",
      command = "tab.busy",
      script = [[tell application "Terminal" to get busy of selected tab of front window]] },

    { task = "List the programs that run in a tab.",
      command = "tab.processes",
      script = [[tell application "Terminal" to get processes of selected tab of front window]] },

    { task = "Change the colors of a window.",
      command = "tab.current settings",
      script = [[tell application "Terminal" to set current settings of selected tab of front window to settings set "Pro"]] },

    { task = "Give a tab a title.",
      command = "tab.custom title",
      script = [[tell application "Terminal" to set custom title of selected tab of front window to "Build"]] },
  },
}
