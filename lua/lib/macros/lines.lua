--- The lines of a macro for the calls of tools that it was made of.
--
-- A call of a tool that works in a window becomes a method of that window: write_element_value becomes `note:set(...)`. Any other
-- call becomes `macro:call(...)`.

local literals  = require "macros.literals"
local set_of    = require("word_set").of
local tool_text = require "dictionary.tool_text"

local M = {}

local TAKEN = set_of "args macro macro_tool math row run s tostring"   -- names that a macro's file has already

---@class macros.Given
---@field tool string
---@field arguments? table
---@field as? string  the name of its result
---@field plain? boolean   it becomes macro:call(), whatever it does
---@field unseen? boolean  its effect need not be seen
---@field rows? {file: string, columns: string[]}  in place of the tool: its steps are done for each row of a CSV file
---@field steps? macros.Given[]

---@class macros.Writing
---@field scope macros.Scope
---@field lines string[]
---@field names table<string, true>   variables
---@field windows table<string, string>  variables by application, and by application and title
---@field window? string              the variable of the latest window
---@field steps integer
---@field unseen? boolean  the effect of the present call need not be seen
---@field next_dialog? string  the title of the dialog that the next call answers


-- --- parts of lines ------------------------------------------------------------------------------------

local Line = {}
Line.__index = Line

--- Adds the text of a value to the line's arguments.
function Line:add(value)
  local text, err = literals.value(value, self.writing.scope)
  self.err = self.err or err
  self[#self + 1] = text or "nil"
  return self
end


--- Adds options, if there are any.
function Line:options(options)
  if self.writing.unseen and not self.of_call then options.unseen = true end
  if next(options) ~= nil then self:add(options) end
  return self
end


local function line_of(writing) return setmetatable({ writing = writing }, Line) end

local function line_of_call(writing) return setmetatable({ writing = writing, of_call = true }, Line) end


--- A table with these members of another one.
local function some(from, names)
  local list = {}
  for name in names:gmatch "%S+" do list[name] = from[name] end
  return list
end


--- The first member of a table that is not in the list; nil: all are.
local function other(from, names)
  local known = set_of(names)
  for _, name in ipairs(require("keys").sorted(from)) do
    if not known[name] then return name end
  end
end


local function free_name(writing, application)
  local slug = tool_text.slug(application:gsub("^.*/", ""):gsub("^.*%.", ""))
  local base = slug:sub(1, 24):gsub("_+$", "")
  if not literals.is_name(base) or TAKEN[base] then base = base .. "_window" end
  local name, count = base, 2
  while writing.names[name] or writing.scope.results[name] do name, count = base .. count, count + 1 end
  writing.names[name] = true
  return name
end


-- --- windows -------------------------------------------------------------------------------------------

local function key_of(application, title) return (application or ""):lower() .. "\n" .. (title or ""):lower() end


local function bind(writing, name, application, title)
  writing.windows[key_of(application, title)] = name
  if not title then writing.windows[key_of(application)] = name end
  writing.windows[key_of(application)] = writing.windows[key_of(application)] or name
  writing.window = name
  return name
end


--- Adds the line that binds a variable to a window.
local function add_window(writing, args)
  local line = line_of(writing):add(some(args, "application title"))
  if line.err then return nil, line.err end
  local name = free_name(writing, args.application or args.title or "window")
  writing.lines[#writing.lines + 1] = ("local %s = macro:window %s"):format(name, line[1])
  return bind(writing, name, args.application, args.title)
end


--- The variable of the window that a call is about.
---@return string? name
---@return string? err
local function window_of(writing, args)
  local application, title = args.application, args.window
  if not application and not title then
    if writing.window then return writing.window end
    return nil, "it names no application or window, and no step before it does. Add application"
  end
  local known = writing.windows[key_of(application, title)]
  if known then
    writing.window = known
    return known
  end
  return add_window(writing, { application = application, title = title })
end


-- --- lines ---------------------------------------------------------------------------------------------

local function put(writing, text)
  writing.lines[#writing.lines + 1] = text
  writing.steps = writing.steps + 1
  return true
end


--- Adds a call of a method: `note:set("text", args.text)`.
local function put_method(writing, args, method, line)
  local name, err = window_of(writing, args)
  if not name then return nil, err end
  if line.err then return nil, line.err end
  local only = #line == 1 and line[1]:find "^{" and " " .. line[1]
  return put(writing, ("%s:%s%s"):format(name, method, only or ("(%s)"):format(table.concat(line, ", "))))
end


--- Adds a step that is any call of a tool.
local function put_call(writing, given)
  local line = line_of_call(writing):add(given.tool):options(given.arguments or {})
  if line.err then return nil, line.err end
  local result = given.as and ("local %s = "):format(given.as) or ""
  return put(writing, ("%smacro:call(%s)"):format(result, table.concat(line, ", ")))
end


--- Adds a check or a wait of a predicate, as verify and act have it.
local function put_predicate(writing, args, method, predicate, timeout)
  local given = {}
  for key, value in pairs(predicate) do given[key] = value end
  local is_in_it = given.element or given.text or given.condition == "title"   -- otherwise the window is what has to be there
  local place = { application = given.application or args.application, window = is_in_it and given.window or args.window }
  if given.element or given.text and not given.window then given.window = nil end
  given.application = nil
  if given.condition == "title" then
    place.window = given.window
    given.title, given.text, given.condition, given.window = given.text, nil, nil, nil
  end
  given.timeout = timeout or given.timeout
  return put_method(writing, place, method, line_of(writing):add(given))
end


-- --- tools -----------------------------------------------------------------------------------------------

--- By tool: adds its lines. Returns nil and no error if a method cannot say what the arguments do.
local TOOLS = {}

function TOOLS.open_application(writing, args)
  local application = args.application or args.name
  if type(application) ~= "string" then return nil, "it names no application. Add application" end
  local extra = other(args, "application name files arguments new")
  if extra then
    return nil, ("a macro cannot pass %s to open_application. Leave it out, or add a step that waits"):format(extra)
  end
  local line = line_of_call(writing):add(application):options(some(args, "files arguments new"))
  if line.err then return nil, line.err end
  local name = free_name(writing, application)
  put(writing, ("local %s = macro:open(%s)"):format(name, table.concat(line, ", ")))
  return bind(writing, name, application) ~= nil
end

function TOOLS.write_element_value(writing, args)
  if other(args, "element value application window") then return nil end
  return put_method(writing, args, "set", line_of(writing):add(args.element):add(args.value):options {})
end

function TOOLS.click_element(writing, args)
  if other(args, "element count application window") or (args.count or 1) > 2 then return nil end
  return put_method(writing, args, "click", line_of(writing):add(args.element):options { count = args.count == 2 and 2 or nil })
end

--- No tool, but what a recording makes of a click where no element is.
function TOOLS.click_point(writing, args)
  return put_method(writing, args, "point", line_of(writing):add(args.x):add(args.y):options(some(args, "button count")))
end

function TOOLS.select_option(writing, args)
  if other(args, "element option application window") then return nil end
  return put_method(writing, args, "choose", line_of(writing):add(args.element):add(args.option):options {})
end

function TOOLS.select_menu_item(writing, args)
  if other(args, "path application window") then return nil end
  return put_method(writing, args, "menu", line_of(writing):add(args.path):options {})
end

--- The dialog is told by its title, which is that of `window`. It belongs to the application of the window before.
function TOOLS.handle_dialog(writing, args)
  if other(args, "button path application window") or not (args.button or args.path) then return nil end
  local place = { application = args.application }
  local options = some(args, "path button")
  options.next = writing.next_dialog
  return put_method(writing, place, "dialog", line_of(writing):add(args.window or "*"):add(options))
end

function TOOLS.create_input(writing, args)
  local place = some(args, "application window")
  if args.action == "keys" and not other(args, "action keys count application window") then
    return put_method(writing, place, "keys", line_of(writing):add(args.keys):options(some(args, "count")))
  end
  if args.action == "type" and not other(args, "action text application window") then
    return put_method(writing, place, "type", line_of(writing):add(args.text):options {})
  end
end

function TOOLS.verify(writing, args)
  if other(args, "predicates application window timeout") then return nil end
  for _, predicate in ipairs(args.predicates or {}) do
    local ok, err = put_predicate(writing, args, "check", predicate, args.timeout)
    if not ok then return nil, err end
  end
  return true
end


--- A part of a result's text, which becomes a value of its own (macros.carried). It is not a step.
TOOLS["macro.part"] = function(writing, args, name)
  local line = line_of_call(writing):add(args.text):add(args.after):add(args.before)
  if line.err then return nil, line.err end
  writing.lines[#writing.lines + 1] = ("local %s = macro.part(%s)"):format(name, table.concat(line, ", "))
  return true
end


local WAITS = {
  element = function(args) return { element = args.element } end,
  element_gone = function(args) return { element = args.element, condition = "gone" } end,
  text = function(args) return { element = args.element, text = args.text } end,
  enabled = function(args) return { element = args.element, condition = "enabled" } end,
  value = function(args) return { element = args.element, value = args.value } end,
  title = function(args) return { window = args.window, condition = "title", text = args.text } end,
  window = function(args) return { window = args.window } end,
  gone = function(args) return { window = args.window, condition = "gone" } end,
}

function TOOLS.wait_for(writing, args)
  local predicate = WAITS[args.condition]
  if not predicate or other(args, "condition application window element text value timeout seconds") then return nil end
  if args.seconds and not args.timeout then return nil end
  local of_window = args.condition == "window" or args.condition == "gone"
  local place = { application = args.application, window = not of_window and args.window or nil }
  return put_predicate(writing, place, "wait", predicate(args), args.timeout)
end


-- The kinds of steps of act.
local STEPS = {
  find = function(step) return "verify", { predicates = { { element = step.find } } } end,
  click = function(step) return "click_element", { element = step.click } end,
  double_click = function(step) return "click_element", { element = step.double_click, count = 2 } end,
  set = function(step) return "write_element_value", { element = step.set, value = step.value } end,
  menu = function(step) return "select_menu_item", { path = step.menu } end,
  type = function(step) return "create_input", { action = "type", text = step.type } end,
  keys = function(step) return "create_input", { action = "keys", keys = step.keys } end,
  drag = function(step) return "drag_element", { element = step.drag, to = step.to } end,
  drop = function(step) return "drop_files", { files = step.drop, element = step.to } end,
  verify = function(step) return "verify", { predicates = { step.verify } } end,
}

local OF_INPUT = { create_input = true }   -- takes no application and window

--- Adds the lines of one step of act.
local function put_step(writing, args, step)
  if step.wait then
    local place = { application = args.application, window = not step.wait.element and args.window or nil }
    return put_predicate(writing, place, "wait", step.wait)
  end
  for kind, made in pairs(STEPS) do
    if step[kind] ~= nil then
      local tool, given = made(step)
      if OF_INPUT[tool] then
        local name, err = window_of(writing, args)
        if not name then return nil, err end
      else
        given.application = args.application
        if tool ~= "verify" then given.window = args.window end
      end
      return M.put(writing, { tool = tool, arguments = given })
    end
  end
  return nil, "a step of act does nothing that a macro knows"
end


function TOOLS.act(writing, args)
  if other(args, "steps application window timeout") then return nil end
  for i, step in ipairs(args.steps or {}) do
    local ok, err = put_step(writing, args, step)
    if not ok then return nil, ("arguments.steps[%d]: %s"):format(i, err) end
  end
  return true
end


-- --- all of them -----------------------------------------------------------------------------------------

--- Adds the lines of a call.
---@param writing macros.Writing
---@param given macros.Given
---@return true? ok
---@return string? err
function M.put(writing, given)
  local own = given.tool == "macro.part"
  local write, args = (own or not (given.as or given.plain)) and TOOLS[given.tool], given.arguments or {}
  local count, steps = #writing.lines, writing.steps
  writing.unseen = given.unseen
  if write then
    local ok, err = write(writing, args, given.as)
    if ok or err then return ok, err end
    writing.steps = steps
    for i = #writing.lines, count + 1, -1 do writing.lines[i] = nil end
  end
  return put_call(writing, given)
end


--- Checks the name of a result, which becomes a variable, and makes it known to the steps behind.
local function name_result(writing, name)
  if not literals.is_name(name) or TAKEN[name] or writing.names[name] or writing.scope.results[name]
    or writing.scope.parameters[name] then
    return nil, ("as: %s cannot be the name of a result. Use small letters, digits and _, and a name that nothing else has")
      :format(tool_text.quoted(tostring(name)))
  end
  writing.names[name], writing.scope.results[name] = true, true
  return true
end


-- Tools whose argument `window` is not that of their step.
local ELSEWHERE = { handle_dialog = true, wait_for = true }

--- Binds the windows of steps, so that their variables are known behind a loop as well.
local function bind_windows(writing, steps)
  for _, given in ipairs(steps) do
    local args = given.arguments or {}
    local title = not ELSEWHERE[given.tool] and args.window or nil
    if args.application or title then
      local name, err = window_of(writing, { application = args.application, window = title })
      if not name then return nil, err end
    end
  end
  return true
end


local put_all

--- Adds a loop over the rows of a file.
local function put_rows(writing, given)
  local ok, err = bind_windows(writing, given.steps)
  if not ok then return nil, err end
  local line = line_of(writing):add(given.rows.file):add(given.rows.columns)
  if line.err then return nil, line.err end
  local lines, inner = writing.lines, {}
  writing.lines, writing.scope.results.row = inner, "text"
  ok, err = put_all(writing, given.steps)
  writing.lines, writing.scope.results.row = lines, nil
  if not ok then return nil, err end
  lines[#lines + 1] = ("for row in macro:rows(%s) do"):format(table.concat(line, ", "))
  for _, each in ipairs(inner) do lines[#lines + 1] = "  " .. each end
  lines[#lines + 1] = "end"
  return true
end


--- The title of the dialog that a step answers; nil: it answers none.
local function dialog_of(given)
  if not given or given.tool ~= "handle_dialog" then return nil end
  return given.arguments and given.arguments.window or "*"
end


function put_all(writing, steps)
  for i, given in ipairs(steps) do
    writing.next_dialog = dialog_of(steps[i + 1])
    local ok, err = (given.rows and put_rows or M.put)(writing, given)
    if ok and given.as then ok, err = name_result(writing, given.as) end
    if not ok then return nil, ("steps[%d]: %s"):format(i, err) end
  end
  return true
end


---@param steps macros.Given[]
---@param parameters table<string, string>  the type of each
---@return string[]? lines
---@return string|integer err_or_steps  the number of steps
function M.of(steps, parameters)
  local writing = { scope = { parameters = parameters, results = {} }, lines = {}, names = {}, windows = {}, steps = 0 }
  local ok, err = put_all(writing, steps)
  if not ok then return nil, err end
  return writing.lines, writing.steps
end


return M
