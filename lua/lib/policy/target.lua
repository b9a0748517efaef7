--- Finds the applications that a call is about, from its arguments, as the tools themselves read these.
--
-- Between this look and the tool's action another window may take the focus: a rule about an application that gets keys holds
-- for the moment of the decision.

local app        = require "sys.app"
local apps       = require "policy.apps"
local conditions = require "desktop.conditions"
local declared   = require "policy.declared"
local display    = require "sys.display"
local env        = require "sys.env"
local last_name  = require("sys.path").name
local match      = require "desktop.match"
local names      = require "desktop.names"
local pictures   = require "desktop.pictures"
local policy     = require "sys.policy"
local rect       = require "rect"
local refs       = require "elements.read.refs"
local selectors  = require "elements.find.selector"
local time       = require "sys.time"
local window     = require "sys.window"

local M = {}

local DEPTH = 8   -- levels of nested arguments that are searched


-- --- the screen -----------------------------------------------------------------------------------

--- The applications of the windows that are on the screen and pass a test. nil: they are not known.
---@param test fun(each: sys.window.Window): boolean
local function shown(test)
  local windows, list = window.list { all_kinds = true }, {}
  for _, each in ipairs(windows or {}) do
    if each.on_screen and test(each) then list[#list + 1] = each end
  end
  return windows and apps.of_windows(list)
end


local function every() return shown(function() return true end) end


local function on_display(found)
  return found and shown(function(each) return rect.meet(each.frame, found.bounds) end)
end


local function main_display() return on_display((display.list() or {})[1]) end


local function of_display(given) return on_display((names.find_display(given))) end


-- --- names of applications ----------------------------------------------------------------------

--- A running application, found as the tools find it: by resource name, or by words. nil: it is not clear which one.
local function of_running(given)
  if (names.parse(given) or {}).kind == "display" then return of_display(given) end
  local pid = (names.parse(given) or {}).pid or math.tointeger(tonumber(given:match "^PID:(%d+)$" or ""))
  if pid then return apps.of_pid(pid) end
  local found = names.find_application(given)
  return found and apps.of_pid(found.pid, found.started)
end


--- The application that words mean, even if they have a typo.
local function of_words(given)
  local found = match.find(app.list() or {}, given)
  return found and apps.of_pid(found.pid, found.started) or of_running(given)
end


--- The application of a window. The window's title proves nothing, because a page chooses it; the window's owner does.
local function of_title(given)
  if (names.parse(given) or {}).kind == "display" then return of_display(given) end
  local ref = names.find_window(given)
  return ref and (ref.pid ~= 0 and apps.of_pid(ref.pid, ref.started) or { { (names.look_at_window(given) or {}).app } }) or nil
end


--- The application that is to be opened, by all of its names, including its command. Any program may have the same file name as
--- another.
---@param given string
---@return policy.Apps?
function M.opened(given)
  local is_path, last = given:find("/", 1, true) ~= nil, last_name(given)
  local list, known = { given, like = { last } }, is_path
  local entry, real = last:match "^(.*)%.desktop$", is_path and policy.real(given) or given
  for _, each in ipairs(app.installed() or {}) do
    local named = each.id:lower() == (entry or given):lower() or each.name:lower() == given:lower() or each.path == given
      or is_path and each.path == real
    if named or last_name(each.path) == last then
      local into = (named or not is_path) and list or list.like
      table.move({ each.name, each.id }, 1, 2, #into + 1, into)
      known = true
    end
  end
  return known and { list } or nil
end


--- The application of an element. A ref belongs to the application in which it was listed, also one around the element that a
--- selector names; a selector without a ref names none.
local function of_element(given)
  local x, y = given:match "^%s*(%-?%d+%.?%d*)%s*,%s*(%-?%d+%.?%d*)%s*$"   -- a point, to which something is dragged
  if x then return apps.at_point(tonumber(x), tonumber(y)) end
  local selector = selectors.parse(given)
  local ref = selector and selectors.ref_in(selector)
  local record = refs.find(ref or given)
  if record then return apps.of_pid(record.pid, record.started) end
  if ref or given:find "^[ep]%d+$" then return nil end
  return {}
end


-- --- arguments that name no application -----------------------------------------------------------

local function joined(...)
  local list = {}
  for i = 1, select("#", ...) do
    local part = select(i, ...)
    if not part then return nil end
    table.move(part, 1, #part, #list + 1, list)
  end
  return list
end


local function of_points(args)
  local points = { { args.x, args.y }, { args.to_x, args.to_y } }
  for _, each in ipairs(type(args.path) == "table" and args.path or {}) do
    points[#points + 1] = { each.x or each[1], each.y or each[2] }
  end
  local list = {}
  for _, each in pairs(points) do
    local x, y = tonumber(each[1]), tonumber(each[2])
    if x and y then
      if args.image_id then
        local point = pictures.point(args.image_id, x, y)
        if not point then return nil end
        x, y = point.x, point.y
      end
      list = joined(list, (apps.at_point(x, y)))
      if not list then return nil end
    end
  end
  return list
end


--- The applications that get input: keys go to the focused window, clicks to the window at their point; a drag goes to those at
--- both points.
local function of_input(args)
  if args.action == "type" or args.action == "keys" or args.text or args.keys then return (apps.focused()) end
  if args.x or args.path then return of_points(args) end
  local x, y = display.cursor()
  return x and apps.at_point(x, y --[[@as number]]) or nil
end


local on_path = {}   -- name -> { true or false, the time of the lookup }
local FRESH = 1      -- seconds for which a lookup is used

local function is_on_path(name)
  local known, now = on_path[name], time.monotonic()
  if not known or now - known[2] > FRESH then
    known = { policy.on_path(name), now }
    on_path = { [name] = known }   -- only the last one, because calls for the same program come in a row
  end
  return known[1]
end


local NEW = 86400   -- seconds for which a desktop entry in the user's home is new: text from outside is known for as long

--- True if the desktop entry of an application is a file in the user's home that was written lately: anybody may have written it.
local function is_new(id)
  local folder = (env.get "XDG_DATA_HOME" or (env.get "HOME" or "") .. "/.local/share") .. "/applications/"
  for _, name in ipairs { id, (id:gsub("%-", "/", 1)) } do
    local stamp = policy.stamp(folder .. name .. ".desktop")
    local changed = stamp and tonumber(stamp:match "[^/]*$")
    if changed then return time.now() - changed / 1e9 < NEW end
  end
  return false
end


--- True for a call of open_application whose name is a path, or is on PATH while no application has that name, or that of an
--- entry which was written lately.
---@param subject {name: string, kind: string}
---@param args table
---@return boolean
function M.is_program(subject, args)
  if subject.kind ~= "tool" or subject.name ~= "open_application" or type(args.application) ~= "string" then return false end
  if args.application:find("/", 1, true) then return true end
  local given = args.application:lower():gsub("%.desktop$", "")
  for _, each in ipairs(app.installed() or {}) do
    if (given == each.id:lower() or given == each.name:lower()) and is_new(each.id) then return true end
  end
  if not is_on_path(args.application) then return false end
  for _, each in ipairs(app.installed() or {}) do
    if given == each.id:lower() or given == each.name:lower() or given == each.id:lower():match "[^.]*$"
        or given == last_name(each.path):lower() then
      return false
    end
  end
  return true
end


-- --- all ------------------------------------------------------------------------------------------

local BY_KEY = { application = of_running, app = of_words, window = of_title, element = of_element, selector = of_element,
  to_application = of_running, to_window = of_title }

-- The parts of steps that name elements.
for _, kind in ipairs { "find", "click", "double_click", "drag", "to", "set" } do BY_KEY[kind] = of_element end


--- True if an action waits only for what the list of windows tells. Any other wait reads an application's elements or pixels.
local function awaits_window(wait)
  return conditions.ALL[wait.condition] ~= nil and wait.element == nil and wait.application == nil
end


--- The applications whose windows fit such a wait now: their titles and frames are told. A window that is still to come is not
--- known, and a wait for it is the usual one.
local function awaited(wait)
  local windows = window.list { all_kinds = true }
  return windows and apps.of_windows(conditions.fitting(windows, wait))
end


--- The applications that the arguments mention, at any depth: steps, predicates and waits also name applications. Those that the
--- file declares itself are left out.
---@return policy.Apps? apps  nil: one of them is not known
---@return boolean named  true: the arguments themselves name one, not only nested tables
local function mentioned(args, about, depth)
  local list, is_named = {}, false
  for key, value in pairs(args) do
    local part = {}
    if depth == 0 and about[key] ~= nil and key ~= 1 then
      part = {}
    elseif BY_KEY[key] and type(value) == "string" and value ~= "" then
      part = BY_KEY[key](value)
      is_named = is_named or part == nil or #part > 0
    elseif depth == 0 and key == "wait" and type(value) == "table" and awaits_window(value) then
      part = awaited(value)
    elseif type(value) == "table" and depth < DEPTH then
      part = mentioned(value, about, depth + 1)
    end
    list = joined(list, part)
    if not list then return nil, true end
  end
  return list, is_named
end


-- The applications that a tool is about where no argument names one: the first item of `about` in its file, if that is a word.
local ELSE = {}

function ELSE.nothing() return {} end

function ELSE.focused() return (apps.focused()) end

function ELSE.every() return every() end

function ELSE.main_display() return main_display() end

function ELSE.input(args) return of_input(args) end


-- The applications that an argument of `about` names. The loader refuses words that are not known (src/registry/shape.c).
local NAMED = { application = of_running, application_words = of_words, window = of_title, element = of_element,
  opened = M.opened, display = of_display }


--- Modules by which a file reaches the desktop.
local DESKTOP = { ["sys.app"] = true, ["sys.clipboard"] = true, ["sys.element"] = true, ["sys.input"] = true,
  ["sys.screen"] = true, ["sys.window"] = true }

local function touches_desktop(subject)
  for name in pairs(policy.required(subject.name)) do
    if DESKTOP[name] or name:find "^desktop%." or name:find "^elements%." or name == "desktop" then return true end
  end
  return false
end


--- The subject of a tool, as its file says. A file that says nothing is about what has the focus, if it reaches the desktop.
local function about_of(subject)
  return subject.about or { touches_desktop(subject) and "focused" or "nothing" }
end


--- The applications where no argument names one.
local function otherwise(about, args)
  local first = about[1] or "focused"
  if type(first) == "table" then return { first } end
  return ELSE[first](args)
end


--- The applications that the tool shows beside those that are named: a part of the screen, or all of it where an argument has a
--- certain value. nil: they are not known.
local function shown_beside(about, args)
  local list = {}
  for key, kind in pairs(about) do
    local word
    if key ~= 1 and type(kind) == "table" then word = kind[args[key]] or kind[1] end
    if kind == "region" and args[key] ~= nil and args.window == nil then word = "every" end
    if ELSE[word] then list = joined(list, (ELSE[word](args))) end
    if not list then return nil end
  end
  return list
end


--- The applications in the arguments that the file declares.
---@return policy.Apps? apps  nil: one of them is not known
---@return boolean named     false: they name none, as the words for an element may, or only in nested tables
local function in_declared(about, args)
  local list, is_named = {}, false
  declared.each(about, args, function(text, _, kind, at)
    if not NAMED[kind] or text == "" then return end
    local part = NAMED[kind](text)
    local names_one = part == nil or kind ~= "element" or #part > 0
    is_named = is_named or names_one and not at:find(".", 1, true)
    list = list and joined(list, part)
  end)
  return list, is_named
end


--- True if the file says that no argument has to do with an application.
local function names_none(about)
  for key, kind in pairs(about) do
    local names_one = kind ~= "nothing"
    if key ~= 1 then names_one = NAMED[kind] or kind == "region" or type(kind) == "table" end
    if names_one then return false end
  end
  return about[1] ~= nil
end


--- The applications that a call is about. nil: they are not known. An empty list: there are none.
---@param subject sys.policy.Subject
---@param args table
---@return policy.Apps?
function M.apps(subject, args)
  if subject.mounted or subject.kind ~= "tool" then return {} end
  local about = about_of(subject)
  if names_none(about) then return {} end
  local list, is_named = mentioned(args, about, 0)
  list = list and joined(list, (shown_beside(about, args)))
  if not list then return nil end
  local more, is_more = in_declared(about, args)
  list = joined(list, more)
  if not list or is_more then return list end
  if not is_named or about[1] == "input" then return joined(list, otherwise(about, args)) end
  return list
end


return M
