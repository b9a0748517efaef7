--- Image Events: tasks and the scripts that do them.

return {
  app   = "com.apple.ImageEvents",
  name  = "Image Events",
  words = "picture image photo",
  examples = {
    { task = "Make a picture smaller.",
      command = "scale",
      script = [[
tell application "Image Events"
  set photo to open POSIX file "/Users/me/lake.jpg"
  scale photo to size 800
  save photo in POSIX file "/Users/me/small.jpg"
  close photo
end tell]] },

    { task = "Turn a picture by a quarter.",
      command = "rotate",
      script = [[
tell application "Image Events"
  set photo to open POSIX file "/Users/me/lake.jpg"
  rotate photo to angle 90
  save photo
  close photo
end tell]] },

    { task = "Convert a picture to PNG.",
      command = "save",
      script = [[
tell application "Image Events"
  set photo to open POSIX file "/Users/me/lake.jpg"
  save photo as PNG in POSIX file "/Users/me/lake.png"
  close photo
end tell]] },

    { task = "Find out the width and the height of a picture.",
      command = "image.dimensions",
      script = [[
tell application "Image Events"
  set photo to open POSIX file "/Users/me/lake.jpg"
  get dimensions of photo
end tell]] },

    { task = "Cut the edges off a picture.",
      command = "crop",
      script = [[
tell application "Image Events"
  set photo to open POSIX file "/Users/me/lake.jpg"
  crop photo to dimensions {400, 300}
  save photo
  close photo
end tell]] },
  },
}
