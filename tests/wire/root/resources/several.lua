return {
  uri         = "test://several",
  description = "Two contents.",

  read = function(_, _, call)
    return call:contents {
      { uri = "test://several/1", text = "one" },
      { mimeType = "image/png", blob = "\1\2" },
    }
  end,
}
