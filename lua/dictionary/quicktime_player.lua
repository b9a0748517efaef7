--- QuickTime Player: tasks and the scripts that do them.

return {
  app   = "com.apple.QuickTimePlayerX",
  name  = "QuickTime Player",
  words = "movie video film player recording",
  examples = {
    { task = "Record the screen as a video.",
      command = "new screen recording",
      script = [[
tell application "QuickTime Player"
  set recording to new screen recording
  start recording
end tell]] },

    { task = "Record sound with the microphone.",
      command = "new audio recording",
      script = [[
tell application "QuickTime Player"
  set recording to new audio recording
  start recording
end tell]] },

    { task = "Open a video file and play it.",
      command = "open",
      script = [[tell application "QuickTime Player" to play (open (POSIX file "/Users/me/Movies/trip.mov"))]] },

    { task = "Keep only a part of a video.",
      command = "trim",
      script = [[tell application "QuickTime Player" to trim front document from 10 to 60]] },

    { task = "Save a video at another size.",
      command = "export",
      script = [[
tell application "QuickTime Player"
  export front document in POSIX file "/Users/me/Movies/small.mov" using settings preset "480p"
end tell]] },

    { task = "Jump to a time in a video.",
      command = "document.current time",
      script = [[tell application "QuickTime Player" to set current time of front document to 90]] },

    { task = "Find out how long a video is.",
      command = "document.duration",
      script = [[tell application "QuickTime Player" to get duration of front document]] },

    { task = "Play a video without sound.",
      command = "document.muted",
      script = [[tell application "QuickTime Player" to set muted of front document to true]] },

    { task = "End a recording.",
      command = "stop",
      script = [[tell application "QuickTime Player" to stop front document]] },
  },
}
