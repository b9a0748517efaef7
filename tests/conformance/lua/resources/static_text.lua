return {
  uri         = "test://static-text",
  name        = "Static Text Resource",
  description = "A text that stays the same.",
  mimeType    = "text/plain",

  read = function()
    return "This is the content of the static text resource."
  end,

  examples = { { "is a text", want = "This is the content of the static text resource." } },
}
