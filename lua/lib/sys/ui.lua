--- sys.ui: windows for the user: a list that filters as one types, a question, text over everything for a moment.
--
--     local ui = require "sys.ui"
--
--     local app = ui.choose({ { text = "Mail", subtext = "3 new", id = 7 }, { text = "Calendar" } }, { placeholder = "Go to" })
--     local name = ui.ask("New folder:", { value = "Untitled" })
--     if ui.ask("Delete all?", { buttons = { "Delete", "Keep" } }) == "Delete" then print "deleted" end
--     ui.alert "Saved"
--
-- Each call waits for the user and returns the answer; with a function as its last argument it returns at once, and the function
-- gets the answer. An answer is for the script alone: it approves nothing that the policy asks about.

local backends = require "backends"
local filter   = require "ui.filter"
local handles  = require "handles"
local json     = require "sys.json"
local options  = require "events.options"
local policy   = require "sys.policy"
local state    = require "sys.state"
local task     = require "sys.task"
local time     = require "sys.time"
local window   = require "sys.window"

local M = {}

local ITEMS_MOST, TEXT_MOST, BUTTONS_MOST, SECONDS_MOST, ALERT_MOST = 20000, 10000, 8, 86400, 60
local BACK, STEP = 3, 0.02    -- seconds: for the window manager to give the keyboard back; between looks
local TITLE = "Perigee script"

local CHOICE = {
  linux = "ui.window", macos = "ui.window", nowhere = "Perigee cannot show windows on this system.",
  memory = "The desktop in memory has no windows of scripts.",
}


-- --- options ------------------------------------------------------------------------------------------

local function refuse(where, what) error(("%s: %s"):format(where, what), 0) end


--- Calls a function that checks what the script passed. Raises its error where the script called.
local function checked(fn, ...)
  local results = table.pack(pcall(fn, ...))
  if not results[1] then error(results[2], 3) end
  return table.unpack(results, 2, results.n)
end


local function check_text(where, name, given, kind)
  if type(given) ~= "string" then refuse(where, ("%s must be a string, not a %s"):format(name, type(given))) end
  if #given > TEXT_MOST then refuse(where, ("%s has %d bytes, more than %d"):format(name, #given, TEXT_MOST)) end
  if not utf8.len(given) then refuse(where, name .. " is not text in UTF-8") end
  return kind == "line" and filter.line(given) or (given:gsub("[%c\127]", { ["\n"] = "\n", ["\t"] = " " }))
end


--- Returns the name of the service or the script.
local function own_title()
  local owner = task.owner()
  if not owner or owner == "call" then return TITLE end   -- `perigee call`
  return filter.line(((owner:match "([^/]+)$" or owner):gsub("%.lua$", "")))
end


local function check_common(where, given, fn)
  if fn ~= nil and type(fn) ~= "function" then refuse(where, "expected a function, not a " .. type(fn)) end
  if given.timeout and not (given.timeout > 0 and given.timeout <= SECONDS_MOST) then
    refuse(where, "'timeout' is more than 0, at most 86400 seconds")
  end
  local title = given.title and check_text(where, "'title'", given.title, "line") or own_title()
  if title:lower():match "^%s*perigee%s*$" then
    refuse(where, "'title' cannot be \"Perigee\": Perigee's own questions, which approve calls, have that title")
  end
  return title
end


--- Returns the options and the function, which may stand in their place.
local function options_of(where, given, fn, known)
  if type(given) == "function" and fn == nil then given, fn = nil, given end
  return options.check(where, given, known), fn
end


-- --- windows ------------------------------------------------------------------------------------------

--- Shows a window. The lines are a description, and first rows.
local function open(...)
  if policy.dry_run() then
    return nil, "This is a dry run, which does not show windows. "
      .. "Run it without --dry-run, and without dry_run in the policy.", "dry_run"
  end
  local system, err, code = backends.choose(CHOICE)
  if not system then return nil, err, code end
  return system.open(...)
end


--- Waits until another window than the one that is gone has the keyboard: usually the one before. If none gets it, that one does.
---@param front sys.window.Window?
---@param gone integer  the process of the window
local function give_back(front, gone)
  if not front then return end
  local till = time.monotonic() + BACK
  repeat
    local now = window.focused()
    if now and now.pid ~= gone then return end
    time.sleep(STEP)
  until time.monotonic() > till
  window.focus(front)
end


--- Returns the user's answer in a window. read(event) returns it, false if the user refuses one, nil to go on.
---@param read fun(event: ui.Event, shown: ui.Window): any
local function answer_of(shown, seconds, read)
  local till = seconds and time.monotonic() + seconds
  while true do
    local event, err, code = shown:next(till and till - time.monotonic())
    if not event then
      if code == "timeout" then err = ("The user did not answer within %g s."):format(seconds) end
      return nil, err, code
    end
    if event.what == "closed" then return nil, "The user closed the window.", "closed" end
    local answer = read(event, shown)
    if answer == false then return nil, "The user closed the window.", "closed" end
    if answer ~= nil then return answer end
  end
end


--- Opens a window and returns the answer, or with a function a handle.
local function run(name, seconds, read, fn, ...)
  local front = window.focused()
  if fn and not task.owner() then
    return nil, "A call of a tool ends before the user answers. Leave the function out: the call then waits.", "not_lasting"
  end
  local shown, err, code = open(...)
  if not shown then return nil, err, code end
  local function wait()
    local answer, why, what
    do
      local _ <close> = shown
      answer, why, what = answer_of(shown, seconds, read)
    end
    give_back(front, shown.pid)
    if answer ~= nil then return answer end
    return nil, why, what
  end
  if not fn then return wait() end
  local handle
  handle, err, code = handles.new(name, function(own)
    local results = table.pack(wait())
    if results[3] == "lost" then error(results[2], 0) end
    handles.call(own, fn, table.unpack(results, 1, results.n))
  end)
  if not handle then shown:close() end
  return handle, err, code
end


-- --- a list -------------------------------------------------------------------------------------------

---@class sys.ui.Item
---@field text string
---@field subtext? string  a second, smaller line
---@field [string] any     further fields are yours

---@class sys.ui.ChooseOptions
---@field title? string        of the window, for programs that list windows (default: the name of the service or the script)
---@field placeholder? string  shown in the field while it is empty
---@field timeout? number      seconds until the list is closed (default: without a limit)

local CHOOSE = { title = "string", placeholder = "string", timeout = "number" }


local function check_items(where, items)
  if type(items) ~= "table" then refuse(where, "expected a list of items, not a " .. type(items)) end
  if #items > ITEMS_MOST then refuse(where, ("%d items, more than %d"):format(#items, ITEMS_MOST)) end
  for i, item in ipairs(items) do
    local ok = type(item) == "string" or type(item) == "table" and type(item.text) == "string" and
      (item.subtext == nil or type(item.subtext) == "string")
    if not ok then refuse(where, ("item %d must be a string, or a table with 'text' and perhaps 'subtext'"):format(i)) end
  end
  return items
end


local function is_tall(items)
  for _, item in ipairs(items) do
    if type(item) == "table" and item.subtext then return true end
  end
  return false
end


--- Returns a function that reads the events of a list.
local function reader(items, entries)
  local known, last, shown, selected = {}, #entries, entries, 1
  for i, entry in ipairs(entries) do known[i] = entry end
  local read = {}
  function read.typed(event, list)
    if type(items) == "function" then
      shown = filter.entries(check_items("sys.ui.choose", items(event.text)), last + 1)
      for i, entry in ipairs(shown) do known[last + i] = entry end
      last = last + #shown
    else
      shown = filter.matches(entries, event.text)
    end
    selected = 1
    list:send(filter.rows(shown))
  end
  function read.moved(event, list)
    selected = math.max(1, math.min(#shown, selected + event.n))
    if #shown > 0 then list:send(('{"select":%d}'):format(selected - 1)) end
  end
  function read.entered() return shown[selected] and shown[selected].item end
  function read.selected(event)
    for i, entry in ipairs(shown) do
      if entry == known[event.n] then selected = i end
    end
  end
  function read.clicked(event) return known[event.n] and known[event.n].item end
  return function(event, list)
    if read[event.what] then return read[event.what](event, list) end
  end
end


local function list_of(where, items, given, fn)
  local title = check_common(where, given, fn)
  local hint = check_text(where, "'placeholder'", given.placeholder or title, "line")
  local first = check_items(where, type(items) == "function" and items "" or items)
  return title, filter.entries(first, 1),
    assert(json.encode { kind = "choose", title = title, hint = hint, tall = is_tall(first) })
end


--- Shows a list in front, and returns the item that the user chooses by Enter or a click. While one types, the list has the
--- items whose `text` and `subtext` have all words, in any order and any case. Those that begin with the first word come first.
---
--- `items` may be a function: it gets the text whenever it changes, first "", and returns the list for it as it is to be shown.
---
--- With a function as the last argument it returns a handle at once, and calls fn(item), or fn(nil, message, code).
--- handle:stop() closes the list.
---@param items (sys.ui.Item|string)[]|fun(typed: string): (sys.ui.Item|string)[]  at most 20000
---@param given? sys.ui.ChooseOptions
---@param fn? fun(item?: table|string, err?: string, code?: string)
---@return table|string|Handle|nil item  the item itself, with all its fields
---@return string? err
---@return string? code  "closed" (by the user), "timeout", "no_windows" (no display, or no GTK; the message says what to do),
---                      "lost" (its process ended), "not_supported", "dry_run"; with a function also "not_lasting": a call of a
---                      tool would end it at once
function M.choose(items, given, fn)
  given, fn = options_of("sys.ui.choose", given, fn, CHOOSE)
  local title, entries, described = checked(list_of, "sys.ui.choose", items, given, fn)
  return run("sys.ui choose " .. title, given.timeout, reader(items, entries), fn, described, filter.rows(entries))
end


-- --- a question ---------------------------------------------------------------------------------------

---@class sys.ui.AskOptions
---@field title? string      of the window (default: the name of the service or the script)
---@field detail? string     more text, below the question
---@field buttons? string[]  labels, at most 8: the answer is one of them instead of text. Enter presses the first
---@field value? string      the text that the field has at first
---@field secret? boolean    true: the field shows dots
---@field timeout? number    seconds until the question is closed (default: without a limit)

local ASK = { title = "string", detail = "string", buttons = "table", value = "string", secret = "boolean", timeout = "number" }


local function labels_of(where, given)
  if not given.buttons then return { "OK", "Cancel" } end
  if given.value or given.secret ~= nil then refuse(where, "pass 'buttons', or 'value' and 'secret' for a field, not both") end
  local labels = {}
  for i, label in ipairs(given.buttons) do labels[i] = check_text(where, "a label of 'buttons'", label, "line") end
  if #labels == 0 or #labels > BUTTONS_MOST then refuse(where, "'buttons' is a list of 1 to 8 labels") end
  return labels
end


local function question_of(where, question, given, fn)
  local title = check_common(where, given, fn)
  return title, assert(json.encode {
    kind = "ask", title = title, text = check_text(where, "the question", question), buttons = labels_of(where, given),
    hint = check_text(where, "'detail'", given.detail or ""), field = not given.buttons, secret = given.secret == true,
    value = check_text(where, "'value'", given.value or "", "line"),
  })
end


--- Asks the user for a line of text, or with `buttons` to press one, and returns the text or the button's label.
---
--- With a function as the last argument it returns a handle at once, and calls fn(answer), or fn(nil, message, code).
---@param question string
---@param given? sys.ui.AskOptions
---@param fn? fun(answer?: string, err?: string, code?: string)
---@return string|Handle|nil answer
---@return string? err
---@return string? code  as choose(); "closed" also by the button Cancel
function M.ask(question, given, fn)
  given, fn = options_of("sys.ui.ask", given, fn, ASK)
  local title, described = checked(question_of, "sys.ui.ask", question, given, fn)
  local function read(event)
    if event.what ~= "answered" then return nil end
    if given.buttons then return given.buttons[event.n] end
    return event.n == 1 and event.text   -- false: Cancel
  end
  return run("sys.ui ask " .. title, given.timeout, read, fn, described)
end


-- --- an alert -----------------------------------------------------------------------------------------

---@class sys.ui.Alert
---@field private held sys.task.Apart
---@field private closed? boolean
local Alert = {}
Alert.__index = Alert
Alert.__name = "sys.ui.Alert"

--- Removes it from the screen. It may be called twice.
function Alert:close()
  self.closed = true
  self.held:stop()
end

--- True while it is on the screen.
---@return boolean
function Alert:runs() return self.held:runs() end


--- Returns the first place on the screen that no alert of this engine has.
local function free_place(places)
  local place = 0
  while places[place] do place = place + 1 end
  return place
end


--- Shows text over everything. It takes neither keyboard nor pointer: clicks reach what is below. Alerts of one engine are below
--- one another. It stays for its time even if the script, the call or the engine ends before.
---@param text string
---@param seconds? number  0.1 to 60 (default: 1.5)
---@return sys.ui.Alert? alert  alert:close() removes it, alert:runs() says whether it is shown
---@return string? err
---@return string? code  "no_windows", "not_supported", "dry_run"
function M.alert(text, seconds)
  local where = "sys.ui.alert"
  seconds = seconds or 1.5
  if type(seconds) ~= "number" or not (seconds >= 0.1 and seconds <= ALERT_MOST) then
    error(where .. ": 'seconds' is 0.1 to 60", 2)
  end
  local shown_text = checked(check_text, where, "the text", text)
  local places, alert = state.open "sys.ui.alerts", setmetatable({}, Alert)
  local place, opened = free_place(places), task.channel(1)
  alert.held = task.apart("sys.ui.alert", function()
    places[place] = true
    local shown, err, code = open(assert(json.encode { kind = "alert", title = TITLE, text = shown_text, seconds = seconds,
      place = place }))
    local _ <close> = setmetatable({}, { __close = function()
      places[place] = nil
      if not shown then return end
      if alert.closed then shown:kill() else shown:leave() end
    end })
    opened:send({ shown ~= nil, err, code }, 0)
    if shown then shown:next() end
  end)
  local result = opened:receive()
  if result[1] then return alert end
  return nil, result[2], result[3]
end


return M
