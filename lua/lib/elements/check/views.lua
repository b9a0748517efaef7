--- One look for several questions: each application and the list of windows are read only once.

local conditions  = require "desktop.conditions"
local recognition = require "elements.read.recognition"
local snapshots   = require "elements.read.snapshot"
local target      = require "elements.find.target"
local time        = require "sys.time"

local M = {}

local CHILDREN = 300   -- children of one element that a look reads
local LATE = 1.5       -- seconds after which a look may have been cut for lack of time


---@class elements.View
---@field ends number                         the end of the time for reading, a time of time.monotonic()
---@field looks table<string, table>
---@field pids table<integer, boolean>        applications that were looked at
---@field unplaced boolean                    an application was not found, or is the one with the focus
---@field read table<integer, sys.window.Window> windows that were read from the screen, by ID
local view = {}
view.__index = view

--- The end of a key, which keeps looks at the screen apart from those at the tree.
---@param source? string
---@return string
function M.other(source) return source and source:find "^ocr" and " " .. source or "" end


--- Makes a view that reads for so many seconds at most.
---@param seconds number
---@return elements.View
function M.new(seconds)
  return setmetatable({ ends = time.monotonic() + seconds, looks = {}, pids = {}, unplaced = false,
    read = {} }, view)
end


local function once(self, key, read)
  self.looks[key] = self.looks[key] or table.pack(read())
  return table.unpack(self.looks[key], 1, 3)
end


---@return sys.window.Window[]? list
---@return table<integer, sys.window.Window>|string? by_id_or_err
---@return string? code
function view:windows() return once(self, "windows", conditions.windows) end


--- The application that the question is about.
---@param of {record?: elements.Record, around?: elements.Record, application?: string, window?: string, source?: string}
---@return elements.Place? place
---@return string? err
---@return string? code
function view:place(of)
  local record = of.record or not (of.application or of.window) and of.around
  if record then
    self.pids[record.pid] = true
    return { pid = record.pid, started = record.started, source = record.source or of.source }
  end
  local key = ("place %s %s %s"):format(of.application or "", of.window or "", of.source or "")
  local place, err, code = once(self, key, function()
    return target.place { application = of.application, window = of.window, source = of.source }
  end)
  self.unplaced = self.unplaced or not place or not (of.application or of.window)
  if place then self.pids[place.pid] = true end
  return place, err, code
end


local function read(self, place, hidden)
  local began = time.monotonic()
  local snapshot, err, code = recognition.look { pid = place.pid, started = place.started, hidden = hidden or nil,
    source = place.source, timeout = math.max(0.2, self.ends - began) }
  if not snapshot then return nil, err, code end
  for _, node in ipairs(snapshot.source and snapshot.nodes or {}) do
    if node.top == node then self.read[node.window] = { pid = place.pid, started = place.started, id = node.window } end
  end
  snapshot.late = snapshot.late or snapshot.cut and time.monotonic() - began > LATE
  return snapshot
end


--- The elements of an application, or of its window.
---@param place elements.Place
---@param hidden boolean
---@return elements.Snapshot? snapshot
---@return string? err
---@return string? code
function view:look(place, hidden)
  local key = ("%s %d%s"):format(hidden and "all" or "shown", place.pid, M.other(place.source))
  local snapshot, err, code = once(self, key, function() return read(self, place, hidden) end)
  if not snapshot or not place.window then return snapshot, err, code end
  return target.in_window(snapshot, place.window)
end


--- Adopts a look that was taken before.
---@param snapshot elements.Snapshot
---@param hidden boolean
function view:keep(snapshot, hidden)
  self.looks[("%s %d"):format(hidden and "all" or "shown", snapshot.pid)] = { snapshot }
end


--- The look at an application, if there was one.
---@param pid integer
---@return elements.Snapshot?
function view:seen(pid)
  local known = self.looks["all " .. pid] or self.looks["shown " .. pid]
  return known and known[1]
end


-- --- omissions of a look ----------------------------------------------------------------------------

--- Roles of elements that occur in large numbers in lists, tables and trees.
local MANY = { cell = true, listitem = true, row = true, treeitem = true, header = true, label = true, text = true }
local TOPS = { window = true, dialog = true, alert = true }

local function all_in(roles, set)
  for role in pairs(roles or {}) do
    if not set[role] then return false end
  end
  return roles ~= nil
end


local function none_in(roles, set)
  for role in pairs(roles or {}) do
    if set[role] then return false end
  end
  return roles ~= nil
end


--- True if the look omitted only children of elements that make their children when they are looked at: the missing ones are
--- not shown.
local function cut_by_sheets(snapshot)
  local some = false
  for _, node in ipairs(snapshot.nodes) do
    if (node.children or 0) > CHILDREN then
      if not node.states.virtual then return false end
      some = true
    end
  end
  return some and not snapshot.late and #snapshot.nodes < snapshots.NODES
end


--- True if a shown element may not have been read.
---@param snapshot elements.Snapshot
---@return boolean
function M.may_miss_shown(snapshot) return snapshot.cut and not cut_by_sheets(snapshot) end


--- True if an application may have an element that the selector means but the look did not read.
---@param snapshot elements.Snapshot
---@param selector elements.Selector
---@return boolean
function M.may_lack(snapshot, selector)
  if snapshot.cut then return not (none_in(selector.roles, MANY) and cut_by_sheets(snapshot)) end
  return #snapshot.nodes <= 1 and not all_in(selector.roles, TOPS)   -- a window that reports nothing of its content
end


return M
