--- The applications and files that the tests of a desktop act on: the same things by other names on each desktop.
--
-- "mac" is a real Mac with TextEdit; where PERIGEE_DESKTOP=fake it is rehearsed, with what is in memory.

local app     = require "sys.app"
local env     = require "sys.env"
local fs      = require "sys.fs"
local perigee = require "perigee"
local window  = require "sys.window"

local M = { name = perigee.args[1] }

M.is_mac  = M.name == "mac"
M.is_sim  = M.name == "sim"   -- the macOS backend, simulated by what the fake desktop has in memory
M.is_fake = M.is_sim or env.get "PERIGEE_DESKTOP" == "fake"

--- The action that presses a button. Where it is the pointer's click, that gives the focus, too.
M.press = M.is_sim and "press" or "click"

local APPLICATIONS = {
  fake = { id = "org.perigee.Calculator", called = "Calculator" },
  mac  = { id = "com.apple.TextEdit", called = "TextEdit" },
  x11  = { id = "org.xfce.mousepad", called = "Mousepad" },
}

--- An application that opens a window and answers a second opening itself; its id and its name.
M.id     = APPLICATIONS[M.is_fake and "fake" or M.name].id
M.called = APPLICATIONS[M.is_fake and "fake" or M.name].called


local documents = 0

--- TextEdit without a document asks which one to open. The text of a plain one stays as it is typed.
local function document()
  documents = documents + 1
  local path = assert(fs.resolve(("perigee-%d.txt"):format(documents)))
  assert(fs.write(path, ""))
  return path
end


--- How a new process with one window is had.
local function new_one()
  if M.is_mac then return { name = M.is_fake and M.called or M.id, files = { document() }, new = true, wait = 30 } end
  if M.is_fake then return { name = "Calculator", new = true } end
  return { name = "/usr/bin/env", arguments = { "GSETTINGS_BACKEND=memory", "mousepad", "--disable-server" },
    new = true, wait = 30 }
end


--- A new process with one window; ended when the result is closed. Nothing of it stays: an editor that was ended by force
--- would ask the next one whether to go on with its files.
---@return sys.app.Opened
function M.open()
  local opened, err = app.open(new_one())
  if not opened then error(err, 2) end
  return setmetatable(opened, { __close = function() app.quit(opened.app, { force = true }) end })
end


--- A process that shows no window and lives on.
---@return sys.app.Open
function M.windowless()
  if M.is_fake then return { name = "Daemon" } end
  if M.is_mac then return { name = "com.apple.systemevents", background = true, wait = 2 } end
  return { name = "/bin/sleep", arguments = { "60" }, wait = 0.5 }
end


local lent = {}  -- what M.windows() opened

--- Windows that a test may move about: on a Mac none of the user's.
---@param count integer
---@return sys.window.Window[]
function M.windows(count)
  local shown = {}
  for _, w in ipairs(M.is_mac and {} or assert(window.list())) do
    if w.kind == "normal" and not w.minimized then shown[#shown + 1] = w end
  end
  for _, opened in ipairs(M.is_mac and lent or {}) do shown[#shown + 1] = assert(window.get(opened.window)) end
  while #shown < count do
    local opened = assert(app.open(M.is_mac and new_one() or { name = "xterm", new = true }))
    if M.is_mac then lent[#lent + 1] = opened end
    shown[#shown + 1] = assert(window.get(opened.window))
  end
  return shown
end


--- Ends what M.windows() opened.
function M.finish()
  for _, opened in ipairs(lent) do app.quit(opened.app, { force = true }) end
  lent = {}
end


return M
