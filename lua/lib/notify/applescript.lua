--- Notifications on macOS outside of Perigee.app, by AppleScript's "display notification". It shows title and text, and reports
--- no events: the Notification Center (notify/center.lua) serves only programs in a bundle.

local osascript = require "sys.osascript"

local M = {}

local SCRIPT = [[
on run argv
  display notification (item 2 of argv) with title (item 1 of argv)
end run
]]

local UNSHOWN = { "timeout", "icon", "image" }   -- fields of a request that are not shown

local count = 0


---@class notify.applescript.Session: notify.Session
---@field private run fun(spec: sys.osascript.Spec): string?, string?, string?
---@field private id? string
local Session = {}
Session.__index = Session


function Session:show(request)
  if #request.buttons > 0 or request.reply then
    return nil, "Perigee runs outside of Perigee.app, and macOS shows buttons and a field for a reply only for applications. " ..
      "Start it from Perigee.app (`make app sign`, or `make install`), leave them out, or ask with a dialog: sys.osascript, " ..
      "\"display dialog\".", "not_supported"
  end
  if self.id then
    return nil, "macOS does not replace a notification of a script. Show another one.", "not_supported"
  end
  local ok, err, code = self.run { text = SCRIPT, args = { request.title, request.text } }
  if not ok then return nil, err, code == "no_osascript" and "no_notifications" or code end
  count = count + 1
  self.id = ("osascript-%d"):format(count)
  return self.id
end


function Session:ignored(request)
  local names = {}
  for _, name in ipairs(UNSHOWN) do
    if request[name] ~= nil then names[#names + 1] = name end
  end
  if request.urgency ~= "normal" then names[#names + 1] = "urgency" end
  return names
end


--- Returns the last event at once, because AppleScript reports none.
function Session:next() return { what = "closed", reason = "unknown" } end

function Session:withdraw()
  return nil, "macOS does not let a script remove its notification. The user does, in Notification Center.", "not_supported"
end

function Session:close() end


--- Returns a backend that runs scripts by this function.
---@param run fun(spec: sys.osascript.Spec): string?, string?, string?
---@return notify.Backend
function M.new(run)
  return {
    open = function() return setmetatable({ run = run }, Session) end,
    capabilities = function()
      return { service = "display notification (AppleScript)", buttons = false, reply = false, images = false, stays = true }
    end,
  }
end


local usual = M.new(osascript.run)

M.open, M.capabilities = usual.open, usual.capabilities


return M
