return {
  title       = "Simple prompt",
  description = "A prompt without arguments.",

  render = function()
    return "This is a simple prompt for testing."
  end,

  examples = { { "is a text", want = "This is a simple prompt for testing." } },
}
