--- The objects of a program on the bus, with their interfaces, read level by level.

local dbus          = require "sys.dbus"
local interface_xml = require "dictionary.interface_xml"
local time          = require "sys.time"

local M = {}

local MOST, SECONDS, DEPTH = 500, 2, 16   -- objects, seconds for all, levels
local SEEDS = 50                          -- paths to begin with

---@class dictionary.Objects
---@field paths string[]  in the order in which they were found
---@field interfaces table<string, dictionary.Interface[]>  by their paths
---@field notes string[]  what was left out, and why


local function question(to, path)
  return { to = to, path = path, interface = "org.freedesktop.DBus.Introspectable", member = "Introspect" }
end


local function join(path, name) return (path == "/" and "" or path) .. "/" .. name end


local Walk = {}
Walk.__index = Walk


function Walk:note(text) self.found.notes[#self.found.notes + 1] = text end


--- Puts a path among those of the next level, once.
function Walk:plan(path)
  if self.seen[path] or not path:find "^/[%w_/]*$" then return end
  if self.count >= MOST then
    if not self.full then self:note(("only the first %d objects were read"):format(MOST)) end
    self.full = true
    return
  end
  self.seen[path], self.count = true, self.count + 1
  self.next[#self.next + 1] = path
end


--- Takes the interfaces of an object, and of those that are described within its text.
function Walk:take(path, node, depth)
  local found = self.found
  if #node.interfaces > 0 then
    if not found.interfaces[path] then
      found.paths[#found.paths + 1], found.interfaces[path] = path, {}
    end
    local there = {}
    for _, each in ipairs(found.interfaces[path]) do there[each.name] = true end
    for _, each in ipairs(node.interfaces) do
      if not there[each.name] then table.insert(found.interfaces[path], each) end
    end
  end
  if depth >= DEPTH then
    if #node.children > 0 then self:note(("objects below %s were not read: they are too deep"):format(path)) end
    return
  end
  for _, name in ipairs(node.children) do
    local below = join(path, name)
    self:plan(below)
    if self.seen[below] and node.inside[name] then self:take(below, node.inside[name], depth + 1) end
  end
end


--- Reads one level: all its objects are asked at once.
function Walk:level(paths, depth)
  local left = self.ends - time.monotonic()
  if left <= 0 then
    self:note(("%d objects and those below them were not read: it took over %d s"):format(#paths, SECONDS))
    return
  end
  local calls = {}
  for i, path in ipairs(paths) do calls[i] = question(self.to, path) end
  -- an object that never answers leaves half of the time to the levels below
  local answers, err, code = dbus.calls("session", calls, { timeout = left / 2 })
  if not answers then return err, code end
  local ends = time.monotonic() + SECONDS
  for i, answer in ipairs(answers) do
    if time.monotonic() > ends then
      self:note(("%d objects were not read: it took over %d s"):format(#paths - i + 1, SECONDS))
      break
    elseif answer.values then
      local node, why = interface_xml.read(answer.values[1] or "")
      if node then self:take(paths[i], node, depth) end
      if not node then self:note(("%s: its description is not valid: %s"):format(paths[i], why)) end
    elseif answer.error and answer.error:find "NoReply$" then
      self:note(("%s: there was no answer in time"):format(paths[i]))
    end
  end
end


--- Reads the objects of a program: those below the root, and below each of these paths, which a program may leave out of the
--- description of its root.
---@param to string
---@param paths string[]
---@return dictionary.Objects? objects
---@return string? err
---@return string? code
function M.read(to, paths)
  local walk = setmetatable({ to = to, seen = {}, count = 0, next = {}, ends = time.monotonic() + SECONDS,
    found = { paths = {}, interfaces = {}, notes = {} } }, Walk)
  walk:plan "/"
  for i = 1, math.min(#paths, SEEDS) do walk:plan(paths[i]) end
  for depth = 0, DEPTH do
    local level = walk.next
    if #level == 0 then break end
    walk.next = {}
    local err, code = walk:level(level, depth)
    if err then return nil, err, code end
  end
  return walk.found
end


return M
