--- Finds tools by words. Matches in a name count most, then those in aliases, title, toolset and description, and parameters.
--
-- Splitting every tool's text into words takes milliseconds, so it is done once for each generation.

local engine = require "sys.engine"

local M = {}

local SCALE = 8   -- more than every weight: a posting is the tool's place * SCALE + weight
local PART  = 3   -- characters that a word of the query needs to match a part of a word


---@class rank.Index
---@field tools {name: string, toolset: string, title?: string, description: string}[]
---@field postings table<string, integer[]>  for each word: the tools that have it, with the greatest weight
---@field words string                       all words, with a newline before and after each
---@field ends table<integer, string>        the word that ends before the newline at a place


--- Splits text into lower-case words, without a plural's s, so that "windows" finds "window".
local function words(text)
  local list = {}
  for word in text:lower():gmatch "[%w\128-\255]+" do
    if #word > 3 and word:sub(-1) == "s" and word:sub(-2) ~= "ss" then word = word:sub(1, -2) end
    list[#list + 1] = word
  end
  return list
end


local function parameter_text(tool)
  local list = {}
  for name, schema in pairs(tool.inputSchema and tool.inputSchema.properties or {}) do
    list[#list + 1] = name .. " " .. (type(schema) == "table" and schema.description or "")
  end
  return table.concat(list, " ")
end


--- Adds the words of a tool, heaviest first: if it has a word twice, the first counts.
local function add_tool(postings, tool, place)
  local parts = {
    { 6, tool.name },
    { 4, table.concat(tool.aliases or {}, " ") },
    { 3, tool.title or "" },
    { 2, (tool.toolset or "") .. " " .. (tool.description or "") },
    { 1, parameter_text(tool) },
  }
  for _, part in ipairs(parts) do
    for _, word in ipairs(words(part[2])) do
      local list = postings[word] or {}
      postings[word] = list
      if #list == 0 or list[#list] // SCALE ~= place then list[#list + 1] = place * SCALE + part[1] end
    end
  end
end


---@param tools sys.engine.Tool[]
---@return rank.Index
local function index(tools)
  local made = { tools = {}, postings = {}, ends = {} }
  for i, tool in ipairs(tools) do
    add_tool(made.postings, tool, i)
    made.tools[i] = { name = tool.name, toolset = tool.toolset, title = tool.title, description = tool.description }
  end
  local list, at = {}, 1
  for word in pairs(made.postings) do
    list[#list + 1] = word
    at = at + #word + 1
    made.ends[at] = word
  end
  made.words = "\n" .. table.concat(list, "\n") .. "\n"
  return made
end


local newest   -- {number, index} of the newest generation

---@return rank.Index
local function current()
  local number = engine.generation()
  if not newest or newest.number ~= number then newest = { number = number, index = index(engine.tools()) } end
  return newest.index
end


--- Calls found(word, fit) for each word of the index that a word of the query matches: fit is 1 for the whole word, less for a
--- part.
local function each_match(here, word, found)
  if here.postings[word] then found(word, 1) end
  if #word < PART then return end
  local from = here.words:find(word, 1, true)
  while from do
    local stop = here.words:find("\n", from, true)
    local whole = here.ends[stop]
    if whole ~= word then found(whole, stop - #whole == from and 0.7 or 0.4) end
    from = here.words:find(word, stop, true)
  end
end


--- Returns the points of each tool for one word of the query, by its place.
local function points(here, word)
  local best = {}
  each_match(here, word, function(whole, fit)
    for _, posting in ipairs(here.postings[whole]) do
      local place = posting // SCALE
      best[place] = math.max(best[place] or 0, posting % SCALE * fit)
    end
  end)
  return best
end


--- Returns {tool, score}[] of the tools that match at all. A missed word lowers the score of the others.
local function hits(here, query)
  local total, matched = {}, {}
  for _, word in ipairs(query) do
    for place, gained in pairs(points(here, word)) do
      total[place] = (total[place] or 0) + gained
      matched[place] = (matched[place] or 0) + 1
    end
  end
  local list = {}
  for place, sum in pairs(total) do
    list[#list + 1] = { tool = here.tools[place], score = sum / (1 + #query - matched[place]) }
  end
  table.sort(list, function(a, b)
    if a.score ~= b.score then return a.score > b.score end
    return a.tool.name < b.tool.name
  end)
  return list
end


---@param query string  empty for all, in their order
---@param limit integer
---@return {name: string, toolset: string, title?: string, description: string}[]  best first, equals by name; do not change it
function M.search(query, limit)
  local here, wanted = current(), words(query)
  local best = {}
  if #wanted == 0 then return table.move(here.tools, 1, math.min(limit, #here.tools), 1, best) end
  local found = hits(here, wanted)
  for i = 1, math.min(limit, #found) do best[i] = found[i].tool end
  return best
end


--- Returns the names most like a mistyped one.
---@param name string
---@return string[] names  at most three
function M.similar(name)
  local names = {}
  for i, tool in ipairs(M.search((name:gsub("[_.-]", " ")), 3)) do names[i] = tool.name end
  return names
end


return M
