--- Where text is from. What a call brought from outside is kept for its caller, and the arguments of later calls are held
--- against it when a rule asks.

local M = {}

local BITS = { screen = 1, clipboard = 2, web = 4, mount = 8, file = 16, own = 0 }
local KEPT = 128       -- results of a caller
local CALLERS = 200
local OWN = 2000       -- words of paths of a caller
local PATH = 4096      -- bytes of a path
local DEPTH = 12       -- of tables in arguments

local TOOLSETS = { desktop = "screen", elements = "screen", screen = "screen" }


--- Where the content of a tool's or resource's results is from.
---@param subject sys.policy.Subject
---@return "screen"|"clipboard"|"web"|"mount"|"file"|"own"
function M.source(subject)
  if subject.mounted or subject.trust == "foreign" then return "mount" end   -- what others wrote, whatever it says of itself
  if BITS[subject.from] then return subject.from end
  if TOOLSETS[subject.toolset] and subject.name:find("clipboard", 1, true) then return "clipboard" end
  return TOOLSETS[subject.toolset] or "own"
end


local known = setmetatable({}, { __mode = "k" })

---@param subject sys.policy.Subject
---@return integer
function M.bits(subject)
  local bits = known[subject]
  if not bits then
    bits = BITS[M.source(subject)]
    known[subject] = bits
  end
  return bits
end


local opened = {}
local engine   -- loaded when a rule asks

--- Every call pays for this.
local function open(name)
  local mine = opened[name]
  if not mine then
    mine = require("sys.state").open(name)
    opened[name] = mine
  end
  return mine
end


local function brought_to(key)
  local mine = open "policy.brought"
  mine.order, mine.of = mine.order or {}, mine.of or {}
  if not mine.of[key] then
    mine.of[key] = { next = 1 }
    mine.order[#mine.order + 1] = key
    if #mine.order > CALLERS then mine.of[table.remove(mine.order, 1)] = nil end
  end
  return mine.of[key]
end


--- By who calls, and not by connection: some clients have one for each request.
local function brought(caller)
  return brought_to(caller.kind .. "\0" .. (caller.name or "") .. "\0" .. (caller.subject or ""))
end


--- `mount`: of which mounted server.
local function keep(kept, source, value, mount)
  kept[kept.next] = { source = source, value = value, mount = mount }
  kept.next = kept.next % KEPT + 1
end


--- What rides on results, whoever gets them.
---@param source "screen"|"clipboard"|"web"|"mount"|"file"
---@param text string
function M.note_all(source, text) keep(brought_to "everyone", source, text) end


--- Keeps what a call returned, as it is: it is looked through when somebody asks.
---@param subject sys.policy.Subject
---@param caller table
---@param ... any  what run() returned
---@return any ...
function M.note(subject, caller, ...)
  local first, second = ...
  keep(brought(caller), M.source(subject), first == nil and second or first, subject.mounted and subject.toolset or nil)
  return ...
end


--- What mounted servers and foreign files say of their tools, which a model reads in the list: an entry for each server, and
--- one for all foreign files.
local function descriptions()
  engine = engine or require "sys.engine"
  local mine = open "policy.descriptions"
  if mine.generation == engine.generation() then return mine.all end
  local policy = require "sys.policy"
  local all, of = {}, {}
  for _, tool in ipairs(engine.tools()) do
    local subject = policy.subject("tool", tool.name)
    if subject and (subject.mounted or subject.trust == "foreign") then
      local mount = subject.mounted and subject.toolset or nil
      local mine_of = of[mount or 1]
      if not mine_of then
        mine_of = { source = "mount", value = {}, mount = mount }
        of[mount or 1], all[#all + 1] = mine_of, mine_of
      end
      table.insert(mine_of.value, tool)
    end
  end
  mine.generation, mine.all = engine.generation(), all
  return mine.all
end


--- All paths in arguments: strings that are one as a whole. Every call pays for this, so it loads nothing.
local function add_paths(paths, args, depth)
  for _, value in pairs(args) do
    if type(value) == "table" and depth < DEPTH then
      add_paths(paths, value, depth + 1)
    elseif type(value) == "string" and value:find "^~?/" and #value <= PATH and not value:find "%c" then
      paths[#paths + 1] = value
    end
  end
  return paths
end


--- Keeps the paths that a caller gave before they came from outside. A title shows the path of the file that it named: that
--- makes it no text of another's. What was on the screen first stays from there, however often the caller repeats it.
---@param caller table
---@param args table
function M.said(caller, args)
  if caller.kind == "terminal" then return end   -- such a process makes one call
  local mine
  for _, path in ipairs(add_paths({}, args, 0)) do
    mine = mine or brought(caller)
    if not mine.own or mine.owned > OWN then mine.own, mine.owned = {}, 0 end
    local probes = require("policy.overlap").of_path(path)
    for _, kept in ipairs { mine, brought_to "everyone" } do
      for i = 1, KEPT do
        if kept[i] then probes:drop(kept[i]) end
      end
    end
    for _, each in ipairs(descriptions()) do probes:drop(each) end
    for _, probe in ipairs(probes) do
      if not mine.own[probe] then mine.own[probe], mine.owned = true, mine.owned + 1 end
    end
  end
end


local WORD, ROW = 7, 3   -- below them nothing is looked for: policy.overlap
local LARGE = 1e6        -- a number of so many digits stands for something

--- How much there is in arguments that could be copied: a click at a point has nothing.
---@return integer words  ROW: enough
local function count_words(args, words, depth)
  for key, value in pairs(args) do
    if type(key) == "string" and #key >= WORD then return ROW end
    if type(value) == "table" then
      if depth >= DEPTH then return ROW end
      words = count_words(value, words, depth + 1)
    elseif type(value) == "string" then
      words = words + ((#value >= WORD or value:find "%s") and ROW or 1)
    elseif type(value) == "number" and math.abs(value) >= LARGE then
      return ROW
    end
    if words >= ROW then return ROW end
  end
  return words
end


local NONE = {}

--- The sources of which text is in the arguments. What a mounted server sent may go back to it.
---@param caller table
---@param args table
---@param own_paths? boolean  paths that the caller gave first do not count
---@param subject? sys.policy.Subject  what is called
---@return string[] sources
function M.of(caller, args, own_paths, subject)
  if count_words(args, 0, 0) < ROW then return NONE end
  local mine, everyone, told = brought(caller), brought_to "everyone", descriptions()
  if not mine[1] and not everyone[1] and #told == 0 then return NONE end
  local found, seen = {}, {}
  local probes = require("policy.overlap").probes(args, own_paths and mine.own or nil)
  local home = subject and subject.mounted and subject.toolset or nil
  for _, kept in ipairs { mine, everyone, told } do
    for i = 1, kept == told and #told or KEPT do
      local each = kept[i]
      local back = each and home and each.mount == home
      if each and not back and not seen[each.source] and probes:meet(each) then
        seen[each.source] = true
        found[#found + 1] = each.source
      end
    end
  end
  return found
end


return M
