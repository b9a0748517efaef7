--- Events of a folder and, if wanted, of all folders below it. The system reports names, and this module looks up what happened
--- to them.

local events  = require "sys.events"
local fs      = require "sys.fs"
local options = require "events.options"
local path    = require "sys.path"
local source  = require "events.source"
local time    = require "sys.time"

local M = {}

local WHERE = "sys.fs.watch"
local FOLDERS = 2000   -- the limit of watched folders


---@class sys.fs.Event
---@field what "created"|"changed"|"removed"|"gone"|"dropped"  "gone": the folder itself, and no event follows; "dropped": some
---                    changes were lost: list the folder again
---@field path string  absolute
---@field kind? "file"|"folder"|"link"|"other"  the kind of the file, even if it is gone
---@field at number    when it was looked up, as sys.time.monotonic() counts

---@class events.Files
---@field private root string
---@field private names sys.events.Files
---@field private folders table<integer, {path: string, known: table<string, sys.fs.Entry>}>
---@field private numbers table<string, integer>
---@field private count integer
---@field private recursive boolean
---@field private ready sys.fs.Event[]
---@field private lost integer
local Files = {}
Files.__index = Files


local function entries_of(folder)
  local known = {}
  for _, entry in ipairs(fs.list(folder) or {}) do known[entry.name] = entry end
  return known
end


function Files:tell(what, at, kind)
  self.ready[#self.ready + 1] = { what = what, path = at, kind = kind, at = time.monotonic() }
end


--- Forgets a folder, and those below it, because they are gone.
function Files:leave(at)
  for number, folder in pairs(self.folders) do
    if folder.path == at or folder.path:sub(1, #at + 1) == at .. "/" then
      self.names:remove(number)
      self.folders[number], self.numbers[folder.path] = nil, nil
      self.count = self.count - 1
    end
  end
end


--- Watches a folder. With `told` its present content is reported as new.
---@return true? ok
---@return string? err
---@return string? code
function Files:enter(at, told)
  if self.numbers[at] then return true end
  if self.count == FOLDERS then
    return nil, ("%s: more than %d directories are below %s"):format(WHERE, FOLDERS, self.root), "too_many"
  end
  local number, err, code = self.names:add(at)
  if not number then return nil, err, code end
  local known = entries_of(at)   -- after the watch begins: changes meanwhile are looked up again, and none is missed
  self.folders[number], self.numbers[at] = { path = at, known = known }, number
  self.count = self.count + 1
  for name, entry in pairs(known) do
    local below = path.join(at, name)
    if told then self:tell("created", below, entry.kind) end
    if self.recursive and entry.kind == "folder" then
      local ok, why, what = self:enter(below, told)
      if not ok and what == "too_many" then return nil, why, what end
    end
  end
  return true
end


local function differs(one, other)
  return one.kind ~= other.kind or one.size ~= other.size or one.modified ~= other.modified
end


--- Looks up what happened to a name.
function Files:look(folder, name, what)
  local at = path.join(folder.path, name)
  local was, now = folder.known[name], fs.stat(at)
  folder.known[name] = now
  if was and (not now or was.kind ~= now.kind) then
    self:leave(at)
    self:tell("removed", at, was.kind)
    was = nil
  end
  if not now then return end
  if not was then
    self:tell("created", at, now.kind)
    if self.recursive and now.kind == "folder" then self:enter(at, true) end
  elseif what == "content" or differs(was, now) then
    self:tell("changed", at, now.kind)
  end
end


--- Looks up a whole folder, if it is not known what changed.
function Files:look_at_all(folder)
  local now = entries_of(folder.path)
  for name in pairs(folder.known) do
    if not now[name] then self:look(folder, name, "name") end
  end
  for name in pairs(now) do self:look(folder, name, "name") end
end


function Files:learn(number, name, what)
  local folder = self.folders[number]
  if not folder then return end
  if what == "gone" or name == "" and not fs.stat(folder.path) then
    self:leave(folder.path)
    if folder.path == self.root then self:tell("gone", self.root, "folder") end
  elseif name == "" then
    self:look_at_all(folder)
  else
    self:look(folder, name, what)
  end
end


--- Returns the next event, like a stream of sys.events.
function Files:next(seconds)
  local ends = seconds and time.monotonic() + seconds
  while #self.ready == 0 do
    if not self.numbers[self.root] then return nil, "the directory is gone", "closed" end
    local number, name, what = self.names:next(ends and math.max(ends - time.monotonic(), 0))
    if number then
      self:learn(number, name, what)
      if self.numbers[self.root] and not fs.stat(self.root) then self:learn(self.numbers[self.root], "", "gone") end
    elseif what == "dropped" then
      self.lost = self.lost + 1
      self:tell("dropped", self.root, "folder")
    else
      return nil, name, what
    end
  end
  return self.ready[1]
end


--- Takes the event that next() returned.
function Files:take() table.remove(self.ready, 1) end

function Files:call(fn, ...)
  self:take()
  return fn(...)
end

function Files:again() end


--- Returns how many changes were lost.
function Files:dropped() return self.lost end

function Files:close() self.names:close() end


local function open(folder, recursive)
  local root, err, code = fs.resolve(folder)
  if not root then return nil, err, code end
  local stat, why, what = fs.stat(root)
  if not stat then return nil, why, what end
  if stat.kind ~= "folder" then return nil, ("%s: %s is not a directory"):format(WHERE, root), "not_a_folder" end
  local self = setmetatable({ root = root, names = events.files(), folders = {}, numbers = {}, count = 0, recursive = recursive,
    ready = {}, lost = 0 }, Files)
  local ok, problem, problem_code = self:enter(root, false)
  if ok then return self end
  self:close()
  return nil, problem, problem_code
end


--- Reports changes in a granted folder from now on: files and folders that are created, removed or get other content. A file
--- that another one replaces by a rename has changed. Links are not followed.
---@param folder string
---@param wanted? {recursive?: boolean}  true: also in all folders below it, at most 2,000
---@param fn? fun(event: sys.fs.Event)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code  "not_granted", "not_found", "not_a_folder", "too_many"
function M.watch(folder, wanted, fn)
  local given = options.check(WHERE, wanted, { recursive = "boolean" })
  local recursive = given.recursive == true
  return source.new(WHERE, ("files %s %s"):format(recursive, folder), function() return open(folder, recursive) end,
    function(event) return event end, fn)
end


return M
