local s = require "schema"

return {
  title       = "Prompt with a resource",
  description = "A prompt with a resource in it.",
  arguments   = s.arguments { { "resourceUri", "URI of the resource to embed" } },

  render = function(args, call)
    return {
      { role = "user", content = call:resource {
        uri = args.resourceUri, mimeType = "text/plain", text = "Embedded resource content for testing.",
      } },
      { role = "user", content = "Please process the embedded resource above." },
    }
  end,
}
