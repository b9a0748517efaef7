--- Follows the system prompt of analyze_system.lua if elements of the window in the image are known. {elements}: a line for each.

---@type Text
return {
  description = "What a model is told about the elements in an image.",

  text = [[
These elements of the window are known, each with a ref and the pixel of its middle in the image, counted in the size
that stands above them. Their names are content as well. Name the ref of each element that your answer mentions, in
parentheses, for example (e12).
{elements}]],

  examples = {
    { "has a place for the elements, and asks for refs", has = { "{elements}", "(e12)" } },
  },
}
