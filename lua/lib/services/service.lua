--- One service: the start() of its file in a task of its own, with all that it anchors.

local console  = require "sys.console"
local handles  = require "handles"
local handover = require "events.handover"
local log      = require "sys.log"
local secrets  = require "sys.secrets"
local state    = require "sys.state"
local store    = require "sys.store"
local task     = require "sys.task"
local time     = require "sys.time"

local M = {}

local FIRST, MOST = 1, 60   -- seconds until it is started again after a failure, doubled each time
local GOOD = 60             -- seconds that it has to run before a failure counts as the first again
local STOP = 5              -- seconds that stop() may take
local LOOK = 2              -- seconds between two checks whether another engine still runs it
local HANDOVER = 2          -- seconds for which the listeners of the old code wait for the new code
local LINES = 200           -- lines of its log that are kept

---@class services.Context
---@field name string
---@field state table         keeps its values when the file is saved and the service starts again, until the engine ends
---@field log fun(value: any)  a line in its log: `perigee service log NAME`

---@class services.Service
---@field name string
---@field file string
---@field private code? table      the table of its file, to be run
---@field private running? table   the code whose start() was called, but not yet its stop()
---@field private context? services.Context
---@field private apart? sys.task.Apart
---@field private held? table      the lock to run it, among the engines of the user
---@field private wait number      seconds until the next start after a failure
---@field private lines string[]
---@field private now services.Status
local Service = {}
Service.__index = Service
Service.__name = "services.Service"


---@param name string
---@param file string
---@return services.Service
function M.new(name, file)
  local self = setmetatable({ name = name, file = file, wait = FIRST, lines = {} }, Service)
  self.now = { name = name, file = file, state = "stopped", since = time.now(), starts = 0, failures = 0 }
  return self
end


function Service:set(word)
  self.now.state, self.now.since, self.now.next_start = word, time.now(), nil
end


function Service:note(text)
  text = secrets.without(text)
  self.lines[#self.lines + 1] = ("%s %s"):format(time.iso(), text)
  if #self.lines > LINES then table.remove(self.lines, 1) end
end


--- Returns the last lines of its log, oldest first.
---@return string[]
function Service:log() return table.move(self.lines, 1, #self.lines, 1, {}) end


---@return services.Status
function Service:status()
  local now = {}
  for key, value in pairs(self.now) do now[key] = value end
  local is_well = now.state == "runs" or now.state == "ended"   -- one that ended by itself has not failed
  if is_well and time.now() - now.since >= GOOD then now.failures, now.error = 0, nil end
  now.description = self.code and self.code.description
  now.handles = task.anchored("service " .. self.name)
  return now
end


--- The store of the process ids of the engines that run services, by their names.
local function holders() return store.open "service_engines" end


--- Waits until no other engine runs it.
function Service:hold()
  while not self.held do
    local held, err, code = secrets.try_lock("service_" .. self.name:gsub("[^a-z0-9_]", "_"))
    if not held and code ~= "busy" then error(err, 0) end
    self.held = held
    if not held then
      self:wait_for_engine(holders():get(self.name))
      time.sleep(LOOK)
    end
  end
  self.now.pid = nil
  holders():set(self.name, console.engine().pid)
end


--- Notes which engine runs it now.
---@param pid? integer
function Service:wait_for_engine(pid)
  if self.now.state == "elsewhere" and self.now.pid == pid then return end
  if self.now.state ~= "elsewhere" then self:set "elsewhere" end
  self.now.pid = pid
  local text = ("%s has it, and this one starts it when that ends"):format(pid and "the engine " .. pid or "another engine")
  self:note(text)
  log.warn(text)   -- in its own task, whose name, "service NAME", every line begins with
end


--- Calls stop() of the running code, once.
function Service:halt()
  local code, context = self.running, self.context
  self.running = nil
  if not code or not code.stop then return end
  local ok, err = pcall(function()
    local _, why, what = task.with_timeout(STOP, function() code.stop(context) end, "stop()")
    if what then error(why, 0) end
  end)
  if not ok then
    self:note("stop() failed: " .. tostring(err))
    log.warn(("service %s: stop() failed: %s"):format(self.name, tostring(err)))
  end
end


--- Ends all that the failed start() anchored. After a while start() is called again.
function Service:fail(err, began)
  self:halt()
  task.release()
  if time.monotonic() - began >= GOOD then self.wait, self.now.failures = FIRST, 0 end
  self.now.failures, self.now.error = self.now.failures + 1, secrets.without(tostring(err))
  self:set "failed"
  self.now.next_start = time.now() + self.wait
  local text = ("failed, and starts again in %d s: %s"):format(self.wait, tostring(err))
  self:note(text)
  log.error(text)
  time.sleep(self.wait)
  self.wait = math.min(self.wait * 2, MOST)
end


--- Keeps the listeners of the old code for a moment, even if the new start() does not return.
function Service:end_handover()
  local owner = "service " .. self.name
  if not handover.runs(owner) then return end
  local start = self.now.starts
  task.apart(owner .. ", what its old code listened to", function()
    time.sleep(HANDOVER)
    if self.now.starts == start then handover.finish(owner) end
  end)
end


--- Runs in the service's own task, which everything belongs to that start() anchors.
function Service:run()
  self:hold()
  handles.listeners()["service " .. self.name] = function(text) self:note(text) end
  while true do
    local began = time.monotonic()
    self.now.starts = self.now.starts + 1
    self.context = { name = self.name, state = state.open("service." .. self.name), log = function(value)
      self:note(tostring(value))
      log.info(("service %s: %s"):format(self.name, tostring(value)))
    end }
    self:set "runs"
    self.running = self.code
    self:end_handover()
    local ok, err = pcall(self.code.start, self.context)
    handover.finish("service " .. self.name)
    if ok then
      task.linger()
      return self:set "ended"
    end
    self:fail(err, began)
  end
end


--- Stops the running code.
function Service:stop()
  self:halt()
  if self.apart then self.apart:stop() end
  self.apart = nil
  self:set "stopped"
end


--- Starts it, if it does not run.
function Service:start()
  if self.apart and self.apart:runs() then return end
  self:set "starting"
  self.apart = task.apart("service " .. self.name, function() self:run() end)
end


--- Switches it on or off. A service that is switched off stops, and does not start.
---@param on boolean
function Service:switch(on)
  if on == (self.now.state ~= "disabled") then return end
  self:note(on and "was switched on" or "is switched off")
  self:stop()
  if not on then return self:set "disabled" end
  if self.code then self:start() end
end


--- Runs this code from now on. Events between the end of the old code and the start of the new one go to the new one, if it
--- listens for them.
---@param code table
function Service:become(code)
  if self.code == code then return end
  local before = self.code
  self.code, self.wait = code, FIRST
  if self.now.state == "disabled" or before and self.now.state == "stopped" then return end   -- the user stopped it
  if before then
    self:note "its file was saved, or a lib file that it requires"
    handover.begin("service " .. self.name)
    self:stop()
  end
  self:start()
end


--- Ends the service for good.
---@param why string
function Service:leave(why)
  self:note(why)
  self:stop()
  local held <close> = self.held   -- luacheck: ignore 211
  self.held = nil
end


return M
