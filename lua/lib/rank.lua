--- Ranks tools for a query: words found in a name count most, then title, description, parameters.

local M = {}


--- Lower-case words, with a plural's s taken off so that "windows" finds "window".
local function words(text)
  local list = {}
  for word in text:lower():gmatch "[%w\128-\255]+" do
    if #word > 3 and word:sub(-1) == "s" and word:sub(-2) ~= "ss" then word = word:sub(1, -2) end
    list[#list + 1] = word
  end
  return list
end


--- How well one word of the query matches a list of words: 1 whole, less for a part.
local function fit(word, list)
  local best = 0
  for _, candidate in ipairs(list) do
    if candidate == word then return 1 end
    if #word >= 3 and candidate:find(word, 1, true) == 1 then
      best = math.max(best, 0.7)
    elseif #word >= 3 and candidate:find(word, 1, true) then
      best = math.max(best, 0.4)
    end
  end
  return best
end


local function parameter_words(tool)
  local list = {}
  for name, schema in pairs(tool.inputSchema and tool.inputSchema.properties or {}) do
    list[#list + 1] = name .. " " .. (type(schema) == "table" and schema.description or "")
  end
  return words(table.concat(list, " "))
end


local function score(tool, query)
  local parts = {
    { 6, words(tool.name) },
    { 4, words(table.concat(tool.aliases or {}, " ")) },
    { 3, words(tool.title or "") },
    { 2, words(tool.toolset or "") },
    { 2, words(tool.description or "") },
    { 1, parameter_words(tool) },
  }
  local total, missed = 0, 0
  for _, word in ipairs(query) do
    local best = 0
    for _, part in ipairs(parts) do best = math.max(best, part[1] * fit(word, part[2])) end
    total = total + best
    if best == 0 then missed = missed + 1 end
  end
  return total / (1 + missed)
end


---@param tools sys.engine.Tool[]
---@param query string  empty: all, as they come
---@param limit integer
---@return {tool: sys.engine.Tool, score: number}[]  best first; equals by name
function M.tools(tools, query, limit)
  local wanted, hits = words(query), {}
  for _, tool in ipairs(tools) do
    local points = #wanted == 0 and 1 or score(tool, wanted)
    if points > 0 then hits[#hits + 1] = { tool = tool, score = points } end
  end
  if #wanted > 0 then
    table.sort(hits, function(a, b)
      if a.score ~= b.score then return a.score > b.score end
      return a.tool.name < b.tool.name
    end)
  end
  local best = {}
  for i = 1, math.min(limit, #hits) do best[i] = hits[i] end
  return best
end


--- The names most like a mistyped one.
---@param tools sys.engine.Tool[]
---@param name string
---@return string[] names  at most three
function M.similar(tools, name)
  local names = {}
  for i, hit in ipairs(M.tools(tools, (name:gsub("[_.-]", " ")), 3)) do names[i] = hit.tool.name end
  return names
end


return M
