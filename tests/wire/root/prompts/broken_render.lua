---@type Prompt
return {
  description = "Fails while it renders.",

  render = function()
    error("no such slide")
  end,
}
