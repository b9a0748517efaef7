---@type Prompt
return {
  description = "A question and an answer that were there before.",

  render = function()
    return {
      { role = "user", content = "What is on slide 1?" },
      { role = "assistant", content = { type = "text", text = "A rectangle." } },
      { role = "user", content = { type = "text", text = "Where?" } },
    }
  end,
}
