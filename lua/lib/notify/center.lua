--- Notifications in macOS's Notification Center: another process of this program, in Perigee.app, shows those of all tasks and
--- writes the user's actions on them. macOS has one set of buttons for all processes of an application, and reports actions to
--- only one of them, so there is one process and not one for each notification.

local crypto  = require "sys.crypto"
local engine  = require "sys.engine"
local json    = require "sys.json"
local log     = require "sys.log"
local path    = require "sys.path"
local process = require "sys.process"
local state   = require "sys.state"
local task    = require "sys.task"

local M = {}

local BEGIN  = 10     -- seconds to wait for the first line
local ANSWER = 45     -- seconds to wait for an answer; the process itself gives up after 30
local LONG   = 3600   -- seconds to wait at a time, if there is no limit
local EVENTS_MOST = 64

local SETTINGS = "System Settings > Notifications > Perigee"

--- The messages for faults, and their codes for scripts.
local FAULTS = {
  denied = { "not_allowed", "The user does not allow Perigee to show notifications%s. Allow them in " .. SETTINGS ..
    ". If Perigee is not listed there, sign Perigee.app with `make sign` and open it once." },
  unanswered = { "not_allowed", "macOS asks the user whether Perigee may show notifications, and has no answer yet, so " ..
    "nothing was shown%s. Answer the question, or allow them in " .. SETTINGS .. ", and try again." },
  timeout = { "timeout", "macOS did not respond in time%s. Try again." },
  busy = { "busy", "Too many notifications wait to be shown%s. Wait until some of them are." },
  closed = { "closed", "the notification was closed%s" },
  failed = { "failed", "macOS refused the notification%s. Check " .. SETTINGS .. "." },
}


-- --- the process --------------------------------------------------------------------------------------

---@class notify.center.Helper
---@field key string
---@field child sys.process.Child
---@field name string   a part of the IDs of its notifications, different in each engine
---@field last integer  the number of the last request
---@field count integer  the number of its sessions so far
---@field sessions table<string, notify.center.Session>  by ID; weak, so that sessions without a script vanish
---@field answers table<integer, sys.task.Channel>
---@field over? string  the reason why it has ended
local Helper = {}
Helper.__index = Helper

local WEAK = { __mode = "v" }

local function helpers() return state.open "notify.center" end


--- Lets the process end, if it has not: it removes held notifications, and those that it was asked to remove, and exits.
function Helper:finish(why)
  if self.over then return end
  self.over = why
  if helpers()[self.key] == self then helpers()[self.key] = nil end
  self.child:release()
  for _, answer in pairs(self.answers) do answer:close() end
  for _, session in pairs(self.sessions) do session:take { what = "closed", reason = "lost" } end
end


function Helper:take(told)
  if type(told) ~= "table" then return end
  if told.request then
    local answer = self.answers[told.request]
    if answer then answer:send(told, 0) end
    return
  end
  local session = self.sessions[told.id]
  if session then session:take(told) end
end


--- Passes on its lines, in a task of its own, until it or the engine ends.
function Helper:listen()
  local held <close> = setmetatable({}, { __close = function() self:finish "the engine ends" end })
  while not self.over do
    local line, err, code = self.child:read_line(LONG)
    if line then self:take(json.decode(line))
    elseif code ~= "timeout" and code ~= "too_large" and not self.over then
      log.warn("the process that shows notifications has ended:", err)
      self:finish(err)
    end
  end
end


local function gone(why)
  return nil, ("The process that shows notifications has ended (%s). Show the notification again, which starts another one.")
    :format(why), "no_notifications"
end


--- Makes one request and returns its answer.
---@return table? answer
---@return string? err
---@return string? code
function Helper:ask(request)
  if self.over then return gone(self.over) end
  local answer <close> = task.channel(1)
  self.last = self.last + 1
  local number = self.last
  self.answers[number], request.request = answer, number
  local ok, err, code = self.child:write(assert(json.encode(request)) .. "\n")
  local told
  if ok then told, err, code = answer:receive(ANSWER) end
  self.answers[number] = nil
  if not told and self.over then return gone(self.over) end
  if not told then
    self.child:kill "kill"
    return nil, ("The process that shows notifications does not respond: %s."):format(err), code
  end
  if not told.code then return told end
  local fault = FAULTS[told.code] or FAULTS.failed
  return nil, fault[2]:format(told.why and told.why ~= "" and (" (%s)"):format(told.why) or ""), fault[1]
end


local function last_words(child)
  local said = child:errors():match "([^\n]+)\n*$"
  return said and (" (%s)"):format(said) or ""
end


local function start(key, program)
  local child, err, code = process.start(table.move(program, 1, #program, 1, { shared = true }))
  if not child then
    if require("refused").is(code) then return nil, err, code end
    return nil, ("Cannot start the process that shows notifications: %s"):format(err), "no_notifications"
  end
  local line, why, what = child:read_line(BEGIN)
  local told = line and json.decode(line)
  if type(told) == "table" and told.what == "ready" then
    return setmetatable({ key = key, child = child, name = crypto.hex(crypto.random(8)), last = 0, count = 0,
      sessions = setmetatable({}, WEAK), answers = setmetatable({}, WEAK) }, Helper)
  end
  local words = last_words(child)
  child:close()
  if type(told) == "table" and told.what == "no_bundle" then
    return nil, "Perigee runs outside of Perigee.app.", "no_bundle"
  end
  return nil, ("macOS shows no notifications of Perigee: %s%s"):format(line and "another line came first" or why, words),
    what == "timeout" and what or "no_notifications"
end


--- Returns the running process, or a new one.
---@return notify.center.Helper?
---@return string?
---@return string?
local function helper_of(program)
  local held <close> = task.lock "notify.center"
  local known, key = helpers(), table.concat(program, "\0")
  if known[key] == false then return nil, "Perigee runs outside of Perigee.app.", "no_bundle" end
  if known[key] then return known[key] end
  local helper, err, code = start(key, program)
  if helper then
    known[key] = helper
    task.apart("notifications", function() helper:listen() end)
  elseif code == "no_bundle" then
    known[key] = false   -- a program outside of a bundle stays so
  end
  return helper, err, code
end


-- --- a notification -----------------------------------------------------------------------------------

---@class notify.center.Session: notify.Session
---@field helper notify.center.Helper
---@field id string
---@field events sys.task.Channel
---@field shown? table  the requested fields that are shown: { image = true, urgent = true }
---@field ending? notify.Event
local Session = {}
Session.__index = Session


local function session_of(helper)
  helper.count = helper.count + 1
  local session = setmetatable({ helper = helper, id = ("perigee-%s-%d"):format(helper.name, helper.count),
    events = task.channel(EVENTS_MOST) }, Session)
  helper.sessions[session.id] = session
  return session
end


--- Takes an event. The last one always arrives, because it is not in the channel.
function Session:take(told)
  if told.what == "closed" then
    self.ending = { what = "closed", reason = told.reason }
    self.events:close()
  elseif not self.events:send({ what = told.what, index = told.index, text = told.text }, 0) then
    log.warn(("an event of notification %s was dropped: %d wait already"):format(self.id, EVENTS_MOST))
  end
end


--- Returns the name of a set of buttons: the same labels are the same set.
local function category_of(request)
  local said = assert(json.encode { json.array(request.buttons), request.reply or false })
  return "perigee-" .. crypto.hex(crypto.sha256(said)):sub(1, 32)
end


--- Returns the image to show. macOS shows the icon of the application, and one image beside it.
local function image_of(request)
  return request.image or (request.icon and path.is_absolute(request.icon) and request.icon) or nil
end


function Session:show(request)
  local shown, err, code = self.helper:ask { ["do"] = "show", id = self.id, category = category_of(request),
    title = request.title, text = request.text, buttons = json.array(request.buttons), reply = request.reply,
    urgency = request.urgency, image = image_of(request), timeout = request.timeout, held = request.held,
    replaces = self.shown ~= nil }
  if not shown then return nil, err, code end
  self.shown = shown
  return self.id
end


function Session:ignored(request)
  local names, shown = {}, self.shown or {}
  if request.icon and not (shown.image and image_of(request) == request.icon) then names[1] = "icon" end
  if request.image and not shown.image then names[#names + 1] = "image" end
  if request.urgency == "critical" and not shown.urgent then names[#names + 1] = "urgency" end
  return names
end


function Session:next(seconds)
  local event, err, code = self.events:receive(seconds)
  if event then return event end
  if code ~= "closed" then return nil, err, code end
  local ending = self.ending
  self.ending = nil
  if ending then return ending end
  return nil, "the notification was closed", "closed"
end


function Session:withdraw()
  local answer, err, code = self.helper:ask { ["do"] = "remove", id = self.id }
  if answer then return true end
  if code == "failed" then err = "macOS still shows the notification. It can be removed in Notification Center." end
  return nil, err, code
end


--- Closes the session. The last one to close ends the process.
function Session:close()
  local helper = self.helper
  helper.sessions[self.id] = nil
  self.events:close()
  if not next(helper.sessions) and not next(helper.answers) then helper:finish "it has nothing to show" end
end


--- Returns a backend whose process is started by these arguments.
---@param program string[]
---@return notify.Backend  its open() and capabilities() also fail with "no_bundle"
function M.new(program)
  return {
    open = function()
      local helper, err, code = helper_of(program)
      if not helper then return nil, err, code end
      return session_of(helper)
    end,
    capabilities = function()
      local helper, err, code = helper_of(program)
      if not helper then return nil, err, code end
      session_of(helper):close()
      return { service = "Notification Center (macOS)", buttons = true, reply = true, images = true, stays = true }
    end,
  }
end


---@return notify.Backend
function M.usual() return M.new { engine.program(), "--notify" } end


return M
