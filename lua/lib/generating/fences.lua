--- Finds code in a model's reply: in a fence or without one, with words around it. It finds all texts that may be the code, the
--- likeliest first: which one it is, a parser of the language can tell.

local M = {}

local MOST  = 48   -- texts that are returned
local EDGE  = 4    -- paragraphs at each end of a reply without fences that may be words about the code

--- Code between two fences.
---@class generating.Block
---@field tag string      the language that the fence names, in lower case; "" if it names none
---@field first integer   its first line
---@field ends integer[]  the lines of fences that may be its end, the nearest first; the line behind the reply if there is none
---@field last integer    the line where it most likely ends
---@field indent integer  columns before the fence, which are not the code's

--- A text that may be the code.
---@class generating.Candidate
---@field text string
---@field fenced boolean
---@field block? generating.Block


--- Returns the lines of a reply, without thoughts that a model wrote before it.
---@param reply string
---@return string[]
local function lines_of(reply)
  local text = reply:gsub("^\239\187\191", ""):gsub("\r\n?", "\n"):gsub("^%s*<think[ing]*>.-</think[ing]*>", "")
  local lines = {}
  for line in (text:gsub("\n$", "") .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line end
  return lines
end


--- Returns the parts of a line that begins with a fence: also one in a list or a quotation.
---@param line string
---@return string? before
---@return string? fence   "```" or more, "~~~" or more
---@return string? info
local function fence_of(line)
  local before, fence, info = line:match "^([%s>%-*%d.]*)(````*)%s*([^`]*)$"
  if not before or #fence < 3 then before, fence, info = line:match "^([%s>%-*%d.]*)(~~~+)%s*(.*)$" end
  if not before then return nil end
  return before, fence, (info:gsub("%s+$", ""))
end


--- Returns the language in the words behind a fence: "python" of "Python", "{.python .numbers}", "python title=x".
local function tag_of(info) return (info:lower():match "^[{.%s]*([%w_+#-]*)") end


--- Does a line close a fence?
local function closes(line, fence)
  local before, other, info = fence_of(line)
  return before and before:find "^[%s>]*$" and info == "" and other:byte() == fence:byte() and #other >= #fence
end


--- Returns the lines of fences that may end a block, and the likeliest: behind a fence with a language, which is one in a text
--- of the code, the next one belongs to that.
local function ends_of(lines, from, fence)
  local ends, depth, last = {}, 0, nil
  for i = from, #lines do
    if closes(lines[i], fence) then
      ends[#ends + 1] = i
      if depth == 0 then last = last or i else depth = depth - 1 end
    elseif not last then
      local _, other, info = fence_of(lines[i])
      if other and info:find "^[%w_+#-]+$" and other:byte() == fence:byte() then depth = depth + 1 end
    end
  end
  if #ends == 0 then ends[1] = #lines + 1 end
  return ends, last or ends[1]
end


--- Returns the blocks between fences, in their order. A block in a text of another one is not among them.
---@param lines string[]
---@return generating.Block[]
local function blocks_of(lines)
  local blocks, i = {}, 1
  while i <= #lines do
    local before, fence, info = fence_of(lines[i])
    if before then
      local ends, last = ends_of(lines, i + 1, fence)
      blocks[#blocks + 1] = { tag = tag_of(info), first = i + 1, ends = ends, last = last, indent = #before }
      i = last
    end
    i = i + 1
  end
  return blocks
end


local function blank(line) return not line:find "%S" end


--- Returns text without blank lines around it and without the indentation that all of its lines have, and a line end behind it.
---@param lines string[]
---@param from integer
---@param to integer
---@param indent? integer  columns to take off, if there is nothing else in them
---@return string  "": nothing is in it
local function text_of(lines, from, to, indent)
  while from <= to and blank(lines[from]) do from = from + 1 end
  while to >= from and blank(lines[to]) do to = to - 1 end
  local list, common = {}, math.huge
  for i = from, to do
    local line = lines[i]
    local margin = indent and indent > 0 and line:sub(1, indent)
    if margin and margin:find "^[%s>]*$" then line = line:sub(indent + 1) end
    list[#list + 1] = line
    if not blank(line) then common = math.min(common, #line:match "^[ \t]*") end
  end
  for i, line in ipairs(list) do list[i] = common > 0 and common < math.huge and line:sub(common + 1) or line end
  return #list > 0 and table.concat(list, "\n") .. "\n" or ""
end


--- Adds the text of a block, once for each fence that may end it.
local function add_block(add, lines, block)
  local order = { block.last }
  for _, line in ipairs(block.ends) do
    if line ~= block.last then order[#order + 1] = line end
  end
  for _, line in ipairs(order) do
    local text = text_of(lines, block.first, line - 1, block.indent)
    if line > #lines then text = text:gsub("```+%s*$", "\n") end   -- the fence is behind the last line of code
    add(text, true, block)
  end
end


--- Sorts blocks: the longest first, and of two the later one.
local function by_length(blocks)
  local place = {}
  for i, block in ipairs(blocks) do place[block] = i end
  table.sort(blocks, function(a, b)
    local x, y = a.last - a.first, b.last - b.first
    if x ~= y then return x > y end
    return place[a] > place[b]
  end)
  return blocks
end


--- Adds code in a line of words: "It is: ```python" with the code below, and "`print(1)`".
local function add_inline(add, reply, tags)
  for before, rest in reply:gmatch "```([%w_+#-]*)[ \t]*\n(.-)```" do
    if before == "" or tags[before:lower()] then add(rest:gsub("^%s*\n", ""):gsub("%s*$", "") .. "\n", true) end
  end
  local one = reply:match "^%s*```(.-)```%s*$" or reply:match "^%s*`([^`\n]+)`%s*$"
  if not one then return end
  local word, rest = one:match "^(%w+)[ \t]+(.*)$"
  if word and tags[word:lower()] then one = rest end
  add(one:gsub("^%s+", ""):gsub("%s+$", "") .. "\n", true)
end


--- Adds what is left of a reply without fences if words before and behind it are left out, paragraph by paragraph.
local function add_paragraphs(add, lines)
  local starts, stops = { 1 }, {}
  for i = 2, #lines do
    if blank(lines[i - 1]) and not blank(lines[i]) then starts[#starts + 1] = i end
  end
  for i = 1, #lines - 1 do
    if not blank(lines[i]) and blank(lines[i + 1]) then stops[#stops + 1] = i end
  end
  stops[#stops + 1] = #lines
  for left_out = 1, 2 * EDGE do   -- the fewest first
    for before = math.min(left_out, EDGE), math.max(0, left_out - EDGE), -1 do
      local from, to = starts[1 + before], stops[#stops - (left_out - before)]
      if from and to and from <= to then add(text_of(lines, from, to), false) end
    end
  end
  for i = 2, math.min(#lines, 1 + EDGE) do add(text_of(lines, i, #lines), false) end   -- "Here it is:" right above it
end


--- Returns the texts of a reply that may be the code, the likeliest first, and the blocks of the language between fences.
---@param reply string
---@param tags table<string, true>  the names that fences give to the language, in lower case
---@return generating.Candidate[]
---@return generating.Block[] blocks
function M.candidates(reply, tags)
  local list, seen = {}, {}
  local function add(text, fenced, block)
    if #list >= MOST or seen[text] or not text:find "%S" then return end
    seen[text] = true
    list[#list + 1] = { text = text, fenced = fenced, block = block }
  end
  local lines = lines_of(reply)
  local named, unnamed, others = {}, {}, {}
  for _, block in ipairs(blocks_of(lines)) do
    local group = tags[block.tag] and named or block.tag == "" and unnamed or others
    group[#group + 1] = block
  end
  local own = { table.unpack(named) }
  add(text_of(lines, 1, #lines), false)   -- no fence can be in code but in its texts
  for _, group in ipairs { named, unnamed } do
    for _, block in ipairs(by_length(group)) do add_block(add, lines, block) end
  end
  add_inline(add, table.concat(lines, "\n"), tags)
  if #named + #unnamed + #others == 0 then add_paragraphs(add, lines) end
  return list, own
end


--- Returns a text between fences that are longer than any in it.
---@param text string
---@param tag string
---@return string
function M.fenced(text, tag)
  local fence = "```"
  for run in text:gmatch "````*" do
    if #run >= #fence then fence = ("`"):rep(#run + 1) end
  end
  return ("%s%s\n%s\n%s"):format(fence, tag, (text:gsub("\n$", "")), fence)
end


return M
