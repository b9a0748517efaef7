return {
  uri         = "test://note",
  title       = "Note",
  description = "One text.",
  mimeType    = "text/markdown",
  annotations = { priority = 0.5, audience = { "user" } },
  size        = 6,

  read = function() return "# Note" end,
}
