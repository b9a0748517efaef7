local media = require "media"

return {
  title       = "Prompt with a picture",
  description = "A prompt with a picture in it.",

  render = function(_, call)
    return {
      { role = "user", content = call:image(media.png, "image/png") },
      { role = "user", content = "Please analyze the image above." },
    }
  end,
}
