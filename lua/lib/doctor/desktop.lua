--- The checks for every desktop: displays, screenshots, applications.

local app     = require "sys.app"
local desktop = require "sys.desktop"
local display = require "sys.display"
local engine  = require "sys.engine"
local screen  = require "sys.screen"
local window  = require "sys.window"

local M = {}

local PATIENCE = 5  -- seconds that a request may take


---@param advice? string  the cure if there are no displays
---@return doctor.Finding
function M.displays(advice)
  local list, err, code = display.list { timeout = PATIENCE }
  if not list then return { status = "error", text = err, facts = { code = code }, next = advice } end
  local said, facts = {}, {}
  for i, d in ipairs(list) do
    said[i] = ("%s %gx%g%s"):format(d.name, d.bounds.width, d.bounds.height, d.main and " (main)" or "")
    facts[i] = { name = d.name, width = d.bounds.width, height = d.bounds.height, scale = d.scale, main = d.main }
  end
  local where = engine.desktop() == "fake" and " in memory (PERIGEE_DESKTOP is fake)" or ""
  return { status = "ok", text = table.concat(said, ", ") .. where, facts = { displays = facts } }
end


--- Reports whether the user stopped actions. A stop is not a fault, but it is the reason why nothing is done.
---@return doctor.Finding
function M.stop()
  local why = desktop.stopped()
  if not why then return { status = "ok", text = "is allowed" } end
  local said, advice = why:match "^(.-)%. Ask the user to (.*)$"
  return { status = "warning", text = said or why, next = advice and advice:gsub("^%l", string.upper) .. "." or nil }
end


---@return doctor.Finding
function M.pictures()
  local got, err, code = screen.capture { timeout = PATIENCE }
  if not got then return { status = "error", text = err, facts = { code = code } } end
  return { status = "ok", text = ("%dx%d pixels by %s"):format(got.width, got.height, got.route),
    facts = { width = got.width, height = got.height, route = got.route } }
end


---@return doctor.Finding
function M.applications()
  local apps, err, code = app.list { timeout = PATIENCE }
  if not apps then return { status = "error", text = err, facts = { code = code } } end
  local windows = window.list { timeout = PATIENCE } or {}
  local installed = app.installed { timeout = PATIENCE } or {}
  return { status = "ok", text = ("%d with %d windows run, %d can be opened by name"):format(#apps, #windows, #installed),
    facts = { running = #apps, windows = #windows, installed = #installed } }
end


return M
