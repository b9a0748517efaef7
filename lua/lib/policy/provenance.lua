--- The origin of text. The results that a call brought from outside are kept for its caller, and the arguments of later calls
--- are compared with them when a rule needs it.
---
-- Results are searched after they were sent, or earlier if a rule needs it: sys.taint.

local M = {}

local BITS = { screen = 1, clipboard = 2, web = 4, mount = 8, file = 16, own = 0 }
local ORDER = { "screen", "clipboard", "web", "mount", "file" }
local EVERYONE = ""

local TOOLSETS = { desktop = "screen", elements = "screen", screen = "screen" }


--- The origin of the content of a tool's or resource's results.
---@param subject sys.policy.Subject
---@return "screen"|"clipboard"|"web"|"mount"|"file"|"own"
function M.source(subject)
  if subject.mounted or subject.trust == "foreign" then return "mount" end   -- others wrote it, whatever it says about itself
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

--- The name of a caller. It does not include the connection, because some clients have one for each request.
local function name_of(caller)
  local name = caller.kind .. "\0" .. (caller.name or "") .. "\0" .. (caller.subject or "")
  names[caller] = name
  return name
end


local engine, taint   -- loaded with the first call

local function load()
  engine, taint = require "sys.engine", require "sys.taint"
end


--- Keeps text that is added to results of any caller.
---@param source "screen"|"clipboard"|"web"|"mount"|"file"
---@param text string
function M.note_all(source, text)
  if not taint then load() end
  taint.keep(EVERYONE, BITS[source], text, nil, true)
end


local UNASKED = { terminal = true, script = true }   -- callers that the policy of the engine never asks

--- Keeps the result of a call, unchanged.
---@param subject sys.policy.Subject
---@param caller table
---@param ... any  the results of run()
---@return any ...
function M.note(subject, caller, ...)
  if not taint then load() end
  local first, second = ...
  if first == nil then first = second end
  if first ~= nil then
    taint.keep(names[caller] or name_of(caller), known[subject] or M.bits(subject), first,
      subject.mounted and subject.toolset or nil, not UNASKED[caller.kind])
  end
  return ...
end


local told, generation

--- Reads the descriptions of tools by mounted servers and foreign files, which a model reads in the list: separately for each
--- server, and together for all foreign files.
---@return sys.taint.Record
local function read_descriptions()
  local now, of, record = engine.generation(), {}, taint.record()
  for _, each in ipairs(require("sys.policy").others()) do
    local mount = each.server or 1
    of[mount] = of[mount] or {}
    table.insert(of[mount], each.tool)
  end
  for mount, tools in pairs(of) do record:put(BITS.mount, tools, mount ~= 1 and mount or nil) end
  told, generation = record, now
  return record
end


--- Keeps the paths that a caller named before they came from outside. A window's title shows the path of the file that the
--- caller named, but that does not make it text of others. A path that was on the screen first still counts as from there,
--- however often the caller repeats it.
---@param caller table
---@param args table
function M.said(caller, args)
  if caller.kind == "terminal" then return end   -- such a process makes one call
  if not taint then load() end
  if not taint.has_path(args) then return end
  taint.said(args, names[caller] or name_of(caller), generation == engine.generation() and told or read_descriptions())
end


local sources_of = setmetatable({}, { __index = function(self, bits)
  local list = {}
  for _, source in ipairs(ORDER) do
    if bits & BITS[source] > 0 then list[#list + 1] = source end
  end
  self[bits] = list
  return list
end })


--- The sources of text in the arguments. Text that a mounted server sent may go back to that server.
---@param caller table
---@param args table
---@param own_paths? boolean  paths that the caller gave first do not count
---@param subject? sys.policy.Subject  the tool or resource that is called
---@return string[] sources
function M.of(caller, args, own_paths, subject)
  if not taint then load() end
  return sources_of[taint.find(args, names[caller] or name_of(caller),
    generation == engine.generation() and told or read_descriptions(), own_paths,
    subject and subject.mounted and subject.toolset or nil)]
end


return M
