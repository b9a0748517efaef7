return {
  uri         = "test://watched-resource",
  name        = "Watched Resource",
  description = "A text that clients subscribe to.",
  mimeType    = "text/plain",

  read = function()
    return "Watched resource content"
  end,

  examples = { { "is a text", want = "Watched resource content" } },
}
