--- Music: tasks and the scripts that do them.

return {
  app   = "com.apple.Music",
  name  = "Music",
  words = "music song track audio player playlist artist album",
  examples = {
    { task = "Play a certain song.",
      command = "play",
      script = [[tell application "Music" to play (first track of library playlist 1 whose name is "Blue")]] },

    { task = "Pause the music, or play on.",
      command = "playpause",
      script = [[tell application "Music" to playpause]] },

    { task = "Go on with the next song.",
      command = "next track",
      script = [[tell application "Music" to next track]] },

    { task = "Find out which song by which artist is playing.",
      command = "track.artist",
      script = [[tell application "Music" to get {name, artist, album} of current track]] },

    { task = "Make the music quieter.",
      command = "application.sound volume",
      script = [[tell application "Music" to set sound volume to 30]] },

    { task = "Make a playlist.",
      command = "make",
      script = [[tell application "Music" to make new user playlist with properties {name:"Morning"}]] },

    { task = "Add the current song to a playlist.",
      command = "duplicate",
      script = [[tell application "Music" to duplicate current track to playlist "Morning"]] },

    { task = "Jump to a place in the song.",
      command = "application.player position",
      script = [[tell application "Music" to set player position to 60]] },

    { task = "Play the songs in random order.",
      command = "application.shuffle enabled",
      script = [[tell application "Music" to set shuffle enabled to true]] },

    { task = "Give a song five stars.",
      command = "track.rating",
      script = [[tell application "Music" to set rating of current track to 100]] },

    { task = "Find songs by words.",
      command = "search",
      script = [[tell application "Music" to search library playlist 1 for "blue" only songs]] },
  },
}
