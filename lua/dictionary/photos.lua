--- Photos: tasks and the scripts that do them.

return {
  app   = "com.apple.Photos",
  name  = "Photos",
  words = "photo picture image library album",
  examples = {
    { task = "Add pictures from the disk to the library.",
      command = "import",
      script = [[
tell application "Photos"
  import {POSIX file "/Users/me/Desktop/lake.jpg" as alias} skip check duplicates false
end tell]] },

    { task = "Save the selected photos as files.",
      command = "export",
      script = [[
tell application "Photos"
  export (get selection) to (POSIX file "/Users/me/Desktop/" as alias) with using originals
end tell]] },

    { task = "Make an album.",
      command = "make",
      script = [[tell application "Photos" to make new album named "Summer"]] },

    { task = "Collect the selected photos in an album.",
      command = "add",
      script = [[tell application "Photos" to add (get selection) to album "Summer"]] },

    { task = "Mark a photo as a favorite.",
      command = "media item.favorite",
      script = [[tell application "Photos" to set favorite of item 1 of (get selection) to true]] },

    { task = "Find out at which place a picture was taken.",
      command = "media item.location",
      script = [[tell application "Photos" to get location of item 1 of (get selection)]] },

    { task = "Show an album as a slideshow.",
      command = "start slideshow",
      script = [[tell application "Photos" to start slideshow using (get media items of album "Summer")]] },

    { task = "Tag a photo with keywords.",
      command = "media item.keywords",
      script = [[tell application "Photos" to set keywords of item 1 of (get selection) to {"lake", "summer"}]] },
  },
}
