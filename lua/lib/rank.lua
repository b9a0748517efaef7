--- Finds texts by words: an index with postings and weights, and on it the search for tools.
--
-- Splitting every tool's text into words takes milliseconds, so it is done once for each generation.

local engine = require "sys.engine"

local M = {}

local SCALE = 8   -- more than every weight: a posting is a place * SCALE + weight
local PART  = 3   -- characters that a word of the query needs to match a part of a word
local SPARE = 4   -- removed places are forgotten when they are more than one in SPARE


---@class rank.Index
---@field private postings table<string, integer[]>  for each word: the places that have it, with the greatest weight
---@field private group table<integer, integer|false>  the group of each place, false if it was removed
---@field private free integer[]   places without postings
---@field private removed integer  places that have postings yet
---@field private zeros number[]   as many as places; searches copy it, since many may run in turns
---@field private known string[]   the words of the postings
---@field private joined? {words: string, ends: table<integer, string>}  all words, with a newline before and after each; the
---                                                                       word that ends before the newline at a place
local Index = {}
Index.__index = Index

---@class rank.Part
---@field [1] integer  weight, at most 7
---@field [2] string[] words

---@class rank.Term  one thing that is looked for
---@field weight number
---@field words [string, number][]  words that mean it, and how well each does: 1 for the word itself
---@field given? table<integer, number>  by group: the points that each place of the group has anyway

---@class rank.Hits  no table for each hit: there may be thousands
---@field places integer[]                that match at all, in no order
---@field points table<integer, number>   by place: the sum over all terms of the best match's weight and fit
---@field matched table<integer, number>  by place: the weights of the terms that match
---@field groups table<integer, integer|false>  by place; false if it was removed meanwhile


---@return rank.Index
function M.new()
  return setmetatable({ postings = {}, group = {}, free = {}, removed = 0, zeros = {}, known = {} }, Index)
end


--- Adds a text.
---@param parts rank.Part[]  heaviest first: if a word is there twice, the first counts
---@param group? integer     default 1
---@return integer place
function Index:add(parts, group)
  local place = table.remove(self.free) or #self.group + 1
  self.group[place], self.zeros[place] = group or 1, 0
  for _, part in ipairs(parts) do
    for _, word in ipairs(part[2]) do
      local list = self.postings[word]
      if not list then
        list, self.joined = {}, nil
        self.postings[word], self.known[#self.known + 1] = list, word
      end
      if #list == 0 or list[#list] // SCALE ~= place then list[#list + 1] = place * SCALE + part[1] end
    end
  end
  return place
end


--- Takes the removed places out of the postings. A search that has begun goes on with the old ones.
local function sweep(index)
  local postings, known, free = {}, {}, {}
  for _, word in ipairs(index.known) do
    local kept = {}
    for _, posting in ipairs(index.postings[word]) do
      if index.group[posting // SCALE] then kept[#kept + 1] = posting end
    end
    if #kept > 0 then postings[word], known[#known + 1] = kept, word end
  end
  for place, group in ipairs(index.group) do
    if not group then free[#free + 1] = place end
  end
  index.postings, index.known, index.free, index.removed, index.joined = postings, known, free, 0, nil
end


---@param place integer
function Index:remove(place)
  self.group[place] = false
  self.removed = self.removed + 1
  if self.removed > #self.group // SPARE then sweep(self) end
end


--- Returns the number of texts with this word.
---@param word string
---@return integer
function Index:frequency(word)
  return #(self.postings[word] or "")
end


---@return integer  places, also those that are free
function Index:size()
  return #self.group
end


local function joined(index)
  if index.joined then return index.joined end
  local list, ends, at, known = {}, {}, 1, index.known
  for i, word in ipairs(known) do
    list[i] = word
    at = at + #word + 1
    ends[at] = word
  end
  local made = { words = "\n" .. table.concat(list, "\n") .. "\n", ends = ends }
  if known == index.known and #list == #known then index.joined = made end
  return made
end


--- Calls found(word, fit) for each word of the index that a word of the query matches: fit is 1 for the whole word, less for a
--- part.
---@param word string
---@param found fun(word: string, fit: number)
function Index:each_match(word, found)
  if self.postings[word] then found(word, 1) end
  if #word < PART then return end
  local all = joined(self)
  local words, ends = all.words, all.ends
  local from = words:find(word, 1, true)
  while from do
    local stop = words:find("\n", from, true)
    local whole = ends[stop]
    if whole ~= word then found(whole, stop - #whole == from and 0.7 or 0.4) end
    from = words:find(word, stop, true)
  end
end


--- Writes the points of one term to `gained`, and returns the places that have any. Places that were added since the search
--- began are not in `gained`.
local function gain(index, term, only, gained)
  local group, touched = index.group, {}
  for _, entry in ipairs(term.words) do
    local fit = entry[2] * term.weight
    for _, posting in ipairs(index.postings[entry[1]] or {}) do
      local place = posting // SCALE
      local of = group[place]
      if of and (not only or only[of]) then
        local points, before = posting % SCALE * fit, gained[place]
        if before == 0 then touched[#touched + 1] = place end
        if before and points > before then gained[place] = points end
      end
    end
  end
  return touched
end


--- Looks up all terms.
---@param terms rank.Term[]
---@param only? table<integer, boolean>  the groups to search; nil: all
---@return rank.Hits
function Index:hits(terms, only)
  local count, group = #self.zeros, self.group
  local gained = table.move(self.zeros, 1, count, 1, {})
  local points, matched, found = {}, table.move(self.zeros, 1, count, 1, {}), {}
  for _, term in ipairs(terms) do
    local given, weight = term.given, term.weight
    for _, place in ipairs(gain(self, term, only, gained)) do
      local anyway, sum = given and given[group[place]] or 0, points[place]
      if not sum then found[#found + 1], sum = place, 0 end
      points[place] = gained[place] > anyway and sum + gained[place] - anyway or sum
      if anyway == 0 then matched[place] = matched[place] + weight end
      gained[place] = 0
    end
  end
  return { places = found, points = points, matched = matched, groups = group }
end


-- --- tools ------------------------------------------------------------------------------------------

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


--- The words of a tool, heaviest first.
local function parts_of(tool)
  return {
    { 6, words(tool.name) },
    { 4, words(table.concat(tool.aliases or {}, " ")) },
    { 3, words(tool.title or "") },
    { 2, words((tool.toolset or "") .. " " .. (tool.description or "")) },
    { 1, words(parameter_text(tool)) },
  }
end


local newest   -- {number, index, tools} of the newest generation

local function current()
  local number = engine.generation()
  if newest and newest.number == number then return newest end
  local made = { number = number, index = M.new(), tools = {} }
  for _, tool in ipairs(engine.tools()) do
    if tool.chosen ~= false then
      local place = made.index:add(parts_of(tool))
      made.tools[place] = { name = tool.name, toolset = tool.toolset, title = tool.title, description = tool.description }
    end
  end
  newest = made
  return made
end


--- Returns {tool, score}[] of the tools that match at all. A missed word lowers the score of the others.
local function matches(here, query)
  local terms, list = {}, {}
  for i, word in ipairs(query) do
    local term = { weight = 1, words = {} }
    here.index:each_match(word, function(whole, fit) term.words[#term.words + 1] = { whole, fit } end)
    terms[i] = term
  end
  local hits = here.index:hits(terms)
  for i, place in ipairs(hits.places) do
    list[i] = { tool = here.tools[place], score = hits.points[place] / (1 + #query - hits.matched[place]) }
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
  local found = matches(here, wanted)
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
