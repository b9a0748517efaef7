--- Where text is from. What a call brought from outside is kept for its caller, and the arguments of later calls are held
--- against it when a rule asks.
--
-- Results are looked through once they were answered, or when a rule asks first: sys.seen.

local M = {}

local BITS = { screen = 1, clipboard = 2, web = 4, mount = 8, file = 16, own = 0 }
local ORDER = { "screen", "clipboard", "web", "mount", "file" }
local EVERYONE = ""

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


local names = setmetatable({}, { __mode = "k" })

--- By who calls, and not by connection: some clients have one for each request.
local function name_of(caller)
  local name = caller.kind .. "\0" .. (caller.name or "") .. "\0" .. (caller.subject or "")
  names[caller] = name
  return name
end


local engine, seen   -- loaded with the first call

local function load()
  engine, seen = require "sys.engine", require "sys.seen"
end


--- What rides on results, whoever gets them.
---@param source "screen"|"clipboard"|"web"|"mount"|"file"
---@param text string
function M.note_all(source, text)
  if not seen then load() end
  seen.keep(EVERYONE, BITS[source], text, nil, true)
end


local UNASKED = { terminal = true, script = true }   -- by the policy that comes with the engine

--- Keeps what a call returned, as it is.
---@param subject sys.policy.Subject
---@param caller table
---@param ... any  what run() returned
---@return any ...
function M.note(subject, caller, ...)
  if not seen then load() end
  local first, second = ...
  if first == nil then first = second end
  if first ~= nil then
    seen.keep(names[caller] or name_of(caller), known[subject] or M.bits(subject), first,
      subject.mounted and subject.toolset or nil, not UNASKED[caller.kind])
  end
  return ...
end


local told, generation

--- What mounted servers and foreign files say of their tools, which a model reads in the list: what each server says, and what
--- all foreign files say.
---@return sys.seen.Shelf
local function read_descriptions()
  local now, policy, of, shelf = engine.generation(), require "sys.policy", {}, seen.shelf()
  for _, tool in ipairs(engine.tools()) do
    local subject = policy.subject("tool", tool.name)
    if subject and (subject.mounted or subject.trust == "foreign") then
      local mount = subject.mounted and subject.toolset or 1
      of[mount] = of[mount] or {}
      table.insert(of[mount], tool)
    end
  end
  for mount, tools in pairs(of) do shelf:put(BITS.mount, tools, mount ~= 1 and mount or nil) end
  told, generation = shelf, now
  return shelf
end


--- Keeps the paths that a caller gave before they came from outside. A title shows the path of the file that it named: that
--- makes it no text of another's. What was on the screen first stays from there, however often the caller repeats it.
---@param caller table
---@param args table
function M.said(caller, args)
  if caller.kind == "terminal" then return end   -- such a process makes one call
  if not seen then load() end
  if not seen.has_path(args) then return end
  seen.said(args, names[caller] or name_of(caller), generation == engine.generation() and told or read_descriptions())
end


local sources_of = setmetatable({}, { __index = function(self, bits)
  local list = {}
  for _, source in ipairs(ORDER) do
    if bits & BITS[source] > 0 then list[#list + 1] = source end
  end
  self[bits] = list
  return list
end })


--- The sources of which text is in the arguments. What a mounted server sent may go back to it.
---@param caller table
---@param args table
---@param own_paths? boolean  paths that the caller gave first do not count
---@param subject? sys.policy.Subject  what is called
---@return string[] sources
function M.of(caller, args, own_paths, subject)
  if not seen then load() end
  return sources_of[seen.find(args, names[caller] or name_of(caller),
    generation == engine.generation() and told or read_descriptions(), own_paths,
    subject and subject.mounted and subject.toolset or nil)]
end


return M
