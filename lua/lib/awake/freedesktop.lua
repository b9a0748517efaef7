--- Keeps a Linux session awake by the services of its desktop, which have three interfaces for it. Each of them that runs is
--- asked: on Xfce one keeps the display from being locked, and another keeps the machine from sleeping. Where none runs,
--- systemd-inhibit keeps the machine, but not its display, awake.

local connection = require "dbus.connection"
local log        = require "sys.log"
local process    = require "sys.process"
local refused    = require "refused"
local time       = require "sys.time"

local M = {}

local APPLICATION = "Perigee"
local BUS = "org.freedesktop.DBus"
local SUSPEND, IDLE = 4, 8           -- flags of org.gnome.SessionManager.Inhibit
local LOCKED = 10                    -- seconds until it has to be locked

local SCREEN_SAVER = { "org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver", "org.xfce.ScreenSaver", "org.mate.ScreenSaver",
  "org.cinnamon.ScreenSaver" }

--- Services that keep awake, and their method for its end. `machine` says that they can leave the display alone.
local KEEPERS = {
  { name = "org.freedesktop.ScreenSaver", path = "/org/freedesktop/ScreenSaver", finish = "UnInhibit",
    signature = "ss", args = function(reason) return { APPLICATION, reason } end },
  { name = "org.freedesktop.PowerManagement", path = "/org/freedesktop/PowerManagement/Inhibit", finish = "UnInhibit",
    interface = "org.freedesktop.PowerManagement.Inhibit", machine = true,
    signature = "ss", args = function(reason) return { APPLICATION, reason } end },
  { name = "org.gnome.SessionManager", path = "/org/gnome/SessionManager", finish = "Uninhibit", machine = true,
    signature = "susu", args = function(reason, display)
      return { APPLICATION, 0, reason, display and SUSPEND | IDLE or SUSPEND }
    end },
}


local function open()
  local bus, err, code = connection.open "session"
  if bus then return bus end
  return nil, err, code == "module_missing" and "not_supported" or code
end


-- --- awake ------------------------------------------------------------------------------------------------

---@class awake.freedesktop.Hold: awake.Hold
---@field bus dbus.Connection
---@field reason string
---@field display boolean
---@field cookies table<table, integer>  by the keeper
local Hold = {}
Hold.__index = Hold


--- Asks one service.
function Hold:ask(keeper)
  local values, err, code, name = self.bus:call { to = keeper.name, path = keeper.path,
    interface = keeper.interface or keeper.name, member = "Inhibit", signature = keeper.signature,
    args = keeper.args(self.reason, self.display) }
  if not values then return nil, err, code, name end
  self.cookies[keeper] = values[1]
  return true
end


function Hold:keepers()
  local some = {}
  for _, keeper in ipairs(KEEPERS) do
    if self.display or keeper.machine then some[#some + 1] = keeper end
  end
  return some
end


--- Asks all services that run. The last value is true if one may not be asked.
function Hold:ask_all()
  local err, code
  for _, keeper in ipairs(self:keepers()) do
    local ok, why, what, name = self:ask(keeper)
    if refused.is(what, name) then return nil, why, what, true end
    if not ok and what ~= "no_service" and what ~= "not_supported" then err, code = ("%s: %s"):format(keeper.name, why), what end
  end
  return next(self.cookies) ~= nil, err, code
end


--- Tells services that are started from now on.
function Hold:watch()
  while true do
    local signal, err, code = self.bus.wire:next()
    if not signal then return code ~= "closed" and log.warn(("%s: nothing keeps awake any more: %s"):format(self.reason, err)) end
    for _, keeper in ipairs(signal.member == "NameOwnerChanged" and self:keepers() or {}) do
      if keeper.name == signal.values[1] then
        self.cookies[keeper] = nil
        if signal.values[3] ~= "" then self:ask(keeper) end
      end
    end
  end
end


function Hold:close()
  local cookies = self.cookies
  self.cookies = {}
  for keeper, cookie in pairs(cookies) do
    self.bus:call { to = keeper.name, path = keeper.path, interface = keeper.interface or keeper.name, member = keeper.finish,
      signature = "u", args = { cookie }, timeout = 1 }
  end
  self.bus:close()
end

Hold.__close = Hold.close


--- A program that keeps the machine awake while it runs.
---@class awake.freedesktop.Program: awake.Hold
---@field child sys.process.Child
local Program = {}
Program.__index = Program

function Program:watch()
  repeat local _, _, code = self.child:wait(3600) until code ~= "timeout"
end

function Program:close() self.child:close() end

Program.__close = Program.close


--- Starts systemd-inhibit, and waits until logind has let it: then a `cat` answers, and ends with its input.
local function inhibit(reason)
  local program = process.exists "systemd-inhibit" and "systemd-inhibit" or "elogind-inhibit"
  local child, err, code = process.start { program, "--what=idle:sleep", "--who=" .. APPLICATION, "--why=" .. reason,
    "--mode=block", "cat" }
  if not child then return nil, err, code end
  child:write "held\n"
  local line, why = child:read_line(5)
  if line == "held" then return setmetatable({ child = child }, Program) end
  local text = child:errors():match "[^\n]+" or why
  child:close()
  return nil, ("%s: %s"):format(program, text), "failed"
end


local function nothing(display, err)
  local programs = display and "a screen saver or power manager (for example xfce4-screensaver or xfce4-power-manager)"
    or "a power manager (for example xfce4-power-manager) or systemd-logind"
  return nil, ("Nothing here can keep the %s awake%s. Install and start %s."):format(display and "display" or "machine",
    err and (" (%s)"):format(err) or "", programs), "no_awake"
end


---@param reason string
---@param display boolean
---@return awake.Hold? hold
---@return string? err
---@return string? code
function M.hold(reason, display)
  local bus, err, code = open()
  local done, is_refused
  if bus then
    local hold = setmetatable({ bus = bus, reason = reason, display = display, cookies = {} }, Hold)
    done, err, code = bus:hear { sender = BUS, interface = BUS, member = "NameOwnerChanged" }
    is_refused = not done and refused.is(code)
    if done then done, err, code, is_refused = hold:ask_all() end
    if done then return hold end
    bus:close()
  end
  if is_refused or code == "timeout" then return nil, err, code end
  if display then return nothing(display, err) end
  local program, why, what = inhibit(reason)
  if program or refused.is(what) then return program, why, what end
  return nothing(display, why)
end


-- --- lock -------------------------------------------------------------------------------------------------

local function path_of(name) return "/" .. name:gsub("%.", "/") end


--- Waits until a screen saver says that it is active.
local function locked(bus, name)
  local ends = time.monotonic() + LOCKED
  while true do
    local values, err, code = bus:call { to = name, path = path_of(name), interface = name, member = "GetActive" }
    if not values then return nil, ("%s was asked to lock, and does not say whether it did: %s."):format(name, err), code end
    if values[1] then return true end
    if not bus.wire:next(math.max(ends - time.monotonic(), 0)) then
      return nil, ("%s was asked to lock, and has not in %d s. It may not be set up to lock."):format(name, LOCKED), "timeout"
    end
  end
end


--- Asks the first screen saver that can lock. nil without a message: there is none.
local function lock_by_saver(bus)
  for _, name in ipairs(SCREEN_SAVER) do
    local cinnamon = name == "org.cinnamon.ScreenSaver"
    bus:hear { path = path_of(name), interface = name, member = "ActiveChanged" }
    local values, err, code, fault = bus:call { to = name, path = path_of(name), interface = name, member = "Lock",
      signature = cinnamon and "s" or nil, args = cinnamon and { "" } or nil, timeout = LOCKED }
    if values then return locked(bus, name) end
    if refused.is(code, fault) then return nil, err, code end
    if code == "timeout" then return nil, ("%s: %s"):format(name, err), code end
  end
end


local LOGIND, SESSION_PATH = "org.freedesktop.login1", "/org/freedesktop/login1/session/auto"
local SESSION, PROPERTIES = "org.freedesktop.login1.Session", "org.freedesktop.DBus.Properties"


--- Asks logind, which tells the session's locker. nil without a message: there is no logind.
local function lock_by_logind()
  local bus <close> = connection.open "system"
  if not bus then return nil end
  bus:hear { sender = LOGIND, interface = PROPERTIES, member = "PropertiesChanged", arg0 = SESSION }
  local values, err, code, fault = bus:call { to = LOGIND, path = SESSION_PATH, interface = SESSION, member = "Lock" }
  if not values then return nil, code ~= "no_service" and err or nil, code, refused.is(code, fault) end
  local ends = time.monotonic() + LOCKED
  repeat
    local session = bus:properties(LOGIND, SESSION_PATH, SESSION)
    if session and session.LockedHint then return true end
  until not bus.wire:next(math.max(ends - time.monotonic(), 0))
  return nil, "systemd-logind asked this session to lock, and no program of it did", "no_lock"
end


---@return true? locked
---@return string? err
---@return string? code
function M.lock()
  local bus <close> = open()
  if bus then
    local done, err, code = lock_by_saver(bus)
    if done or err then return done, err, code end
  end
  local done, err, code, is_refused = lock_by_logind()
  if done or is_refused then return done, err, code end
  return nil, ("Nothing here locks the session%s. Install and start a screen saver that locks (for example xfce4-screensaver), "
    .. "or xss-lock beside systemd-logind."):format(err and (" (%s)"):format(err) or ""), "no_lock"
end


return M
