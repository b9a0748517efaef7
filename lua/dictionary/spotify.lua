--- Spotify: tasks and the scripts that do them.

return {
  app   = "com.spotify.client",
  name  = "Spotify",
  words = "music song track audio player playlist artist album",
  examples = {
    { task = "Pause the music, or play on.",
      command = "playpause",
      script = [[tell application "Spotify" to playpause]] },

    { task = "Go on with the next song.",
      command = "next track",
      script = [[tell application "Spotify" to next track]] },

    { task = "Play an album by its URI.",
      command = "play track",
      script = [[tell application "Spotify" to play track "spotify:album:4m2880jivSbbyEGAKfITCa"]] },

    { task = "Find out which song by which artist is playing.",
      command = "track.name",
      script = [[tell application "Spotify" to get {name of current track, artist of current track}]] },

    { task = "Make the music quieter.",
      command = "application.sound volume",
      script = [[tell application "Spotify" to set sound volume to 30]] },
  },
}
