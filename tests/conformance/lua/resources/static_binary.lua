local media = require "media"

return {
  uri         = "test://static-binary",
  name        = "Static Binary Resource",
  description = "A picture that stays the same.",
  mimeType    = "image/png",

  read = function()
    return media.png
  end,

  examples = { { "is a picture", has = { "PNG" } } },
}
