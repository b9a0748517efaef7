--- A foreign tool: its code reaches nothing but what it is given, and other tools.
local s = require "schema"

return {
  title       = "Count words",
  description = "Count the words of a text, and how often the most frequent ones occur in it.",
  inputSchema = s.object {
    { "text", s.string "The text." },
    { "most", s.integer("How many words to report.", { minimum = 1, maximum = 100, default = 5 }) },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(args, call)
    local counts, words, total = {}, {}, 0
    for word in args.text:lower():gmatch "[%w\128-\255]+" do
      total = total + 1
      if not counts[word] then words[#words + 1] = word end
      counts[word] = (counts[word] or 0) + 1
      if total % 10000 == 0 then call:progress(total) end
    end
    table.sort(words, function(a, b)
      if counts[a] ~= counts[b] then return counts[a] > counts[b] end
      return a < b
    end)
    local most = {}
    for i = 1, math.min(args.most, #words) do most[i] = { word = words[i], count = counts[words[i]] } end
    return { words = total, most = most }
  end,

  examples = {
    { "counts", args = { text = "to be or not to be" },
      want = { words = 6, most = { { word = "be", count = 2 }, { word = "to", count = 2 } } } },
  },
}
