--- Players of music and films (MPRIS): tasks, methods and properties that do them. Times are in microseconds.

return {
  app   = "org.mpris.MediaPlayer2",
  name  = "Media player",
  words = "music film player song video track mpris",
  examples = {
    { task = "Pause, or play on.",
      command = "PlayPause",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2.Player", member = "PlayPause" } },

    { task = "Go on with the next song.",
      command = "Next",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2.Player", member = "Next" } },

    { task = "Go back to the song before.",
      command = "Previous",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2.Player", member = "Previous" } },

    { task = "End playing.",
      command = "Stop",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2.Player", member = "Stop" } },

    { task = "Jump ahead by half a minute.",
      command = "Seek",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2.Player", member = "Seek",
               args = { 30000000 } } },

    { task = "Find out which song by which artist is playing, and how long it is.",
      command = "Metadata",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2.Player", property = "Metadata" } },

    { task = "Find out whether something is playing.",
      command = "PlaybackStatus",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2.Player", property = "PlaybackStatus" } },

    { task = "Make the music quieter.",
      command = "Volume",
      call = { path = "/org/mpris/MediaPlayer2",
               interface = "org.mpris.MediaPlayer2.Player", property = "Volume", value = 0.3 } },

    { task = "Find out how much of the song has been played.",
      command = "Position",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2.Player", property = "Position" } },

    { task = "Play the songs in random order.",
      command = "Shuffle",
      call = { path = "/org/mpris/MediaPlayer2",
               interface = "org.mpris.MediaPlayer2.Player", property = "Shuffle", value = true } },

    { task = "Play the song again and again.",
      command = "LoopStatus",
      call = { path = "/org/mpris/MediaPlayer2",
               interface = "org.mpris.MediaPlayer2.Player", property = "LoopStatus", value = "Track" } },

    { task = "Play a file or a stream.",
      command = "OpenUri",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2.Player", member = "OpenUri",
               args = { "file:///home/me/Music/blue.ogg" } } },

    { task = "Play a film in full screen.",
      command = "Fullscreen",
      call = { path = "/org/mpris/MediaPlayer2",
               interface = "org.mpris.MediaPlayer2", property = "Fullscreen", value = true } },

    { task = "Play faster.",
      command = "Rate",
      call = { path = "/org/mpris/MediaPlayer2",
               interface = "org.mpris.MediaPlayer2.Player", property = "Rate", value = 1.5 } },

    { task = "Bring the player's window to the front.",
      command = "Raise",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2", member = "Raise" } },

    { task = "Play on after a pause.",
      command = "Play",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2.Player", member = "Play" } },

    { task = "Pause what is playing.",
      command = "Pause",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2.Player", member = "Pause" } },

    { task = "Go to a certain time of the song.",
      command = "SetPosition",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2.Player", member = "SetPosition",
               args = { "/0", 60000000 } } },

    { task = "Find out the name of the player.",
      command = "Identity",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2", property = "Identity" } },

    { task = "List the kinds of files that the player can play.",
      command = "SupportedMimeTypes",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2", property = "SupportedMimeTypes" } },

    { task = "Quit the player.",
      command = "Quit",
      call = { path = "/org/mpris/MediaPlayer2", interface = "org.mpris.MediaPlayer2", member = "Quit" } },
  },
}
