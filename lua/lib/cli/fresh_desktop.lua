--- A desktop in memory that nobody uses: a display of Xvfb with a cookie of its own, a window manager if there is one, a session
--- bus, and a home folder. All of it ends with the handle.

local crypto  = require "sys.crypto"
local env     = require "sys.env"
local home    = require "user_home"
local process = require "sys.process"
local time    = require "sys.time"

local M = {}

local START = 60   -- seconds for a part to be ready
local END = 5      -- seconds for applications to end

-- Window managers: the first that is installed is used. openbox says when it manages the display.
local MANAGERS = {
  { "openbox", "--sm-disable", "--startup", "echo ready", ready = true },
  { "xfwm4", "--compositor=off" }, { "metacity" }, { "marco" }, { "icewm" }, { "fluxbox" }, { "twm" },
}

-- Variables of the user's own session, which would lead programs out of the fresh one.
local DROPPED = { "WAYLAND_DISPLAY", "SESSION_MANAGER", "NO_AT_BRIDGE", "GTK_MODULES", "DBUS_STARTER_ADDRESS",
  "DBUS_STARTER_BUS_TYPE", "DESKTOP_STARTUP_ID", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
  "XDG_ACTIVATION_TOKEN", "GEMINI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY" }

---@class cli.FreshDesktop
---@field folder string   its own folder, which is removed at the end
---@field env table<string, string|false>  the variables of a program on it
local Desktop = {}
Desktop.__index = Desktop


local function run(words)
  words.timeout = START
  local done, err = process.run(words)
  if done and done.code == 0 then return done.stdout end
  return nil, ("%s failed: %s"):format(words[1], done and done.stderr:match "[^\n]+" or err or "it gave no reason")
end


--- The words of an authority file: one cookie, for any display.
local function authority(cookie) return (">I2s2s2s2s2"):pack(0xffff, "", "", "MIT-MAGIC-COOKIE-1", cookie) end


--- Starts a part, and waits for the line that it says when it is ready.
local function start(self, words, waits)
  words.env, words.cwd = self.env, self.folder
  local child, err = process.start(words)
  if not child then return nil, ("%s cannot be started: %s"):format(words[1], err) end
  table.insert(self.parts, 1, child)
  if not waits then return true end
  local line
  line, err = child:read_line(START)
  if line then return line end
  return nil, ("%s did not start: %s"):format(words[1], child:errors():match "[^\n]+" or err)
end


local function manager()
  for _, each in ipairs(MANAGERS) do
    if process.exists(each[1]) then return each end
  end
end


--- The directories with the user's own applications, which the home folder of this desktop does not have.
local function data_folders()
  local own = env.get("XDG_DATA_HOME", "") ~= "" and env.get("XDG_DATA_HOME", "") or env.get("HOME", "") .. "/.local/share"
  local rest = env.get("XDG_DATA_DIRS", "") ~= "" and env.get("XDG_DATA_DIRS", "") or "/usr/local/share:/usr/share"
  return own .. ":" .. rest
end


--- Makes the folders and the variables.
local function prepare(self)
  local folder, err = run { "mktemp", "-d", "--tmpdir", "perigee-desktop-XXXXXX" }
  if not folder then return nil, err end
  self.folder = folder:match "^[^\n]+"
  local place = self.folder
  local ok
  ok, err = run { "mkdir", "-m", "700", place .. "/home", place .. "/run", place .. "/own", place .. "/files" }
  if ok then ok, err = run { "tee", place .. "/authority", input = authority(crypto.random(16)) } end
  if not ok then return nil, err end
  self.env = { HOME = place .. "/home", XDG_RUNTIME_DIR = place .. "/run", XAUTHORITY = place .. "/authority",
    XDG_SESSION_TYPE = "x11", XDG_DATA_DIRS = data_folders(), PERIGEE_HOME = home() }
  for _, name in ipairs(DROPPED) do self.env[name] = false end
  return true
end


local function parts(self)
  local display, err = start(self, { "Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset",
    "-auth", self.folder .. "/authority" }, true)
  if not display then return nil, err end
  self.env.DISPLAY = ":" .. display
  local address
  address, err = start(self, { "dbus-daemon", "--session", "--nofork", "--nopidfile",
    "--address=unix:path=" .. self.folder .. "/run/bus", "--print-address=1" }, true)
  if not address then return nil, err end
  self.env.DBUS_SESSION_BUS_ADDRESS = address
  local managing = manager()
  if not managing then return true end
  self.env.XDG_CURRENT_DESKTOP = managing[1]
  local ok
  ok, err = start(self, table.move(managing, 1, #managing, 1, {}), managing.ready)
  return ok ~= nil or nil, err
end


--- Starts one. Close it.
---@return cli.FreshDesktop? desktop
---@return string? err
---@return string? code  "NO_DESKTOP"
function M.start()
  if env.platform ~= "linux" then return nil, "There is no desktop in memory on this system", "NO_DESKTOP" end
  for _, program in ipairs { "Xvfb", "dbus-daemon" } do
    if not process.exists(program) then return nil, ("%s is not installed"):format(program), "NO_DESKTOP" end
  end
  local self = setmetatable({ parts = {}, env = {} }, Desktop)
  local ok, err = prepare(self)
  if ok then ok, err = parts(self) end
  if ok then return self end
  self:close()
  return nil, err, "NO_DESKTOP"
end


--- The processes of this desktop: those with its home folder.
local function processes(self)
  local done = process.run { "sh", "-c", 'grep -lszxF "HOME=$1/home" /proc/[0-9]*/environ', "sh", self.folder, timeout = START }
  local list = {}
  for pid in (done and done.stdout or ""):gmatch "/proc/(%d+)/" do list[#list + 1] = pid end
  return list
end


--- Waits until applications ended with their display, as they may still write files, and ends those that do not.
local function end_processes(self)
  local begun, list = time.monotonic(), processes(self)
  while list[1] and time.monotonic() - begun < END do
    time.sleep(0.05)
    list = processes(self)
  end
  if list[1] then process.run { "kill", "-KILL", table.unpack(list) } end
end


--- Ends it, the last part first, and removes its folder.
function Desktop:close()
  for _, child in ipairs(self.parts) do child:close() end
  self.parts = {}
  if not self.folder then return end
  end_processes(self)
  process.run { "rm", "-rf", "--", self.folder }
  self.folder = nil
end

Desktop.__close = Desktop.close


return M
