--- Xcode: tasks and the scripts that do them.

return {
  app   = "com.apple.dt.Xcode",
  name  = "Xcode",
  words = "developer project build source code",
  examples = {
    { task = "Build the project.",
      command = "build",
      script = [[tell application "Xcode" to build active workspace document]] },

    { task = "Run the program of the project.",
      command = "run",
      script = [[tell application "Xcode" to run active workspace document]] },

    { task = "Run the tests of the project.",
      command = "test",
      script = [[tell application "Xcode" to test active workspace document]] },

    { task = "Stop the program that runs.",
      command = "stop",
      script = [[tell application "Xcode" to stop active workspace document]] },

    { task = "Open a project.",
      command = "open",
      script = [[tell application "Xcode" to open POSIX file "/Users/me/Game/Game.xcodeproj"]] },
  },
}
