--- The second argument of a macro's run(): the steps that it can do, each as a whole.
--
--   local note = macro:open("Mousepad", { new = true })
--   note:set("text", args.text)
--
-- A step binds its window, finds its target, acts, and needs to see the effect. One that cannot ends the run.

local course   = require "macros.course"
local csv      = require "sys.csv"
local failure  = require "macros.failure"
local fs       = require "sys.fs"
local hands    = require "macros.hands"
local identity = require "macros.identity"
local journal  = require "macros.journal"
local words    = require "elements.read.words"

local M = {}

local FRAMES = 12   -- calls between a step and the file of its macro, at most
local LOOKS = { check = true, wait = true }   -- kinds of steps that send nothing

---@class macros.Done
---@field step integer
---@field row? integer
---@field text string
---@field ok boolean
---@field evidence? string
---@field left_out? true  it was done in the run that is resumed

--- The object that a macro's run() gets.
---@class Macro
---@field state macros.State        the place of this run
---@field private name string
---@field private caller Call
---@field private course macros.Course
---@field private journal macros.Journal
---@field private done macros.Done[]
---@field dry? true              its tools act on a copy of the desktop
---@field private unsure? true   in a dry run: the copy of the desktop does not show what a step before led to
local Macro = {}
Macro.__index = Macro

--- A window of an application, for the steps in it.
---@class macros.Window
---@field name string  its resource name
---@field private macro Macro
local Window = {}
Window.__index = Window


-- --- a step ------------------------------------------------------------------------------------------------

--- The line of the macro's file that is being run: "save_note.lua:8".
local function line_of(name)
  for level = 3, FRAMES do
    local _, place = pcall(error, "", level)
    local line = type(place) == "string" and place:match("([%w_.-]+%.lua:%d+): $")
    if line and line:find(name .. ".lua:", 1, true) == 1 then return line end
  end
end


---@param between? boolean  it is no step: it is before the next one
local function fail(macro, text, err, code, between)
  if macro.unsure then code = failure.UNTRIED end
  local step, row = macro.course.step + (between and 1 or 0), macro.course.row
  local line = line_of(macro.name)
  local at = between and "Before " .. course.called(step, row) or course.called(step, row):gsub("^%l", string.upper)
  local why = (err or "no reason was given"):gsub("%.$", "")
  failure.raise { step = step, row = row, code = failure.code(code or "failed"),
    message = ("%s, %s%s: %s"):format(at, text, line and (" (%s)"):format(line) or "", why) }
end


--- Asks about a step that was sent and not confirmed. True: it is to be done again.
local function repeats(macro, text)
  if macro.again then return true end
  local step, row = macro.course.step, macro.course.row
  local question = ("%s of the macro %s was sent, and the run stopped before its effect was seen: %s. Look at the application. "
    .. "Do it again?"):format(course.called(step, row):gsub("^%l", string.upper), macro.name, text)
  local answer = macro.caller:ask { message = question, key = "repeat", schema = { type = "object", required = { "again" },
    properties = { again = { type = "boolean", title = "Do it again", description = "No: go on after it." } } } }
  if type(answer) == "table" then return answer.again == true end
  local place = row and ("row %d step %d"):format(row, step + 1) or tostring(step + 1)
  fail(macro, text, ("It was sent before, and its effect was not seen. Look at the application. If it did not happen, pass "
    .. "repeat_sent=true; if it did, resume_from=\"%s\""):format(place), "MACRO_UNCONFIRMED")
end


local function is_unconfirmed(macro)
  local stopped = macro.stopped
  return stopped and stopped.sent and stopped.step == macro.course.step and stopped.row == macro.course.row
end


--- The outcome of a step that is left out: what it gave to the run that did it.
local function remembered(macro)
  local key = tostring(macro.course.step)
  local state = macro.journal.state
  return { evidence = "", window = state.windows[key], result = state.results[key] }
end


--- Does a step.
---@param macro Macro
---@param text string  what it does, for messages
---@param deed macros.Deed
---@return macros.Outcome
local function do_step(macro, text, deed)
  local step, left_out = macro.course:next()
  local row = macro.course.row
  local note = { step = step, row = row, text = text, ok = true }
  if left_out or is_unconfirmed(macro) and not repeats(macro, text) then
    note.left_out = true
    macro.done[#macro.done + 1] = note
    return remembered(macro)
  end
  macro.stopped = nil
  macro.journal:begin(step, row, LOOKS[deed.kind])
  local was_sent = false
  local outcome, err, code = hands.perform(deed, function()
    was_sent = true
    macro.journal:sent()
  end)
  if macro.dry and (deed.kind == "open" or code == "MACRO_EFFECT_MISSING") then
    macro.unsure = true
    outcome = outcome or { evidence = "found, but what it does is not known" }
  end
  if not outcome then
    if was_sent and failure.is_unsent(code) or not was_sent then macro.journal:unsent() end
    note.ok, note.evidence = false, err
    macro.done[#macro.done + 1] = note
    return fail(macro, text, err, code)
  end
  macro.journal:done(outcome)
  note.evidence = outcome.evidence
  macro.done[#macro.done + 1] = note
  macro.caller:progress(#macro.done, nil, text)
  return outcome
end


-- --- the macro ---------------------------------------------------------------------------------------------

local function window_of(macro, name) return setmetatable({ name = name, macro = macro }, Window) end


local function shown(text) return words.quote(tostring(text), 60) end


--- Opens an application, or files in it, and returns its window.
---@param application string  name, ID or path
---@param options? {new?: boolean, files?: string[], arguments?: string[]}
---@return macros.Window
function Macro:open(application, options)
  options = options or {}
  local text = "open " .. application
  local outcome = do_step(self, text, { kind = "open", application = application, new = options.new, files = options.files,
    arguments = options.arguments, recorded = self.recorded })
  if not outcome.window then return self:window { application = application } end
  return window_of(self, outcome.window)
end


--- Returns the one open window of an application, or with a title. It is not a step.
---@param which {application?: string, title?: string}  title: as a whole; * stands for any characters
---@return macros.Window
function Macro:window(which)
  local outcome, err, code = hands.perform({ kind = "window", application = which.application, title = which.title,
    recorded = self.recorded }, function() end)
  if not outcome then
    local called = which.title and shown(which.title) or "of " .. tostring(which.application)
    self.journal:await(self.course.step + 1, self.course.row)
    return fail(self, "window " .. called, err, code, true)
  end
  return window_of(self, outcome.window)
end


--- Calls a tool that needs no window, and returns its result.
---@param tool string
---@param args? table
---@return any result
function Macro:call(tool, args)
  local outcome = do_step(self, "call " .. tool, { kind = "call", tool = tool, args = args or {} })
  return outcome.result
end


local function rows_of(self, file, columns)
  local bytes, err, code = fs.read(file)
  if not bytes then
    local advice = code == "not_granted" and ". Grant its directory with --grant DIR" or ""
    return nil, ("The rows cannot be read: %s%s"):format(err, advice)
  end
  local rows
  rows, err = csv.decode(bytes, { heading = true })
  if not rows then return nil, ("%s is not CSV: %s"):format(file, err) end
  for _, column in ipairs(columns or {}) do
    if rows[1] and rows[1][column] == nil then
      return nil, ("%s has no column %s. Its first line names the columns"):format(file, shown(column))
    end
  end
  if self.course.loops > 0 then return nil, "A macro has one loop of rows. Make another macro for the second" end
  return rows
end


--- Goes through the rows of a CSV file whose first line names the columns. A resumed run leaves out those that were done.
---@param file string
---@param columns? string[]  columns that it must have
---@return fun(): table<string, string>?
function Macro:rows(file, columns)
  local rows, err = rows_of(self, file, columns)
  if not rows then
    self.course.step = self.course.step + 1
    return fail(self, "rows", err, "MACRO_ROWS")
  end
  return self.course:rows(rows)
end


--- The last name of a path.
---@param path string
---@return string
function Macro.base(path) return path:match "([^/]*)/*$" end


--- The part of a text between two others: the first after `after`, up to the next `before`, or to the end of its line.
---@param text string
---@param after string   "": from the beginning
---@param before string  "": up to the end
---@return string
function Macro.part(text, after, before)
  text = tostring(text)
  local _, from = text:find(after, 1, true)
  local to = from and (before == "" and #text + 1 or text:find(before, from + 1, true))
  if not to then
    failure.raise { code = "MACRO_NO_PART", message = ("%s has nothing between %q and %q. See what the step before reads"):format(
      shown(text), after, before) }
  end
  return text:sub(from + 1, to - 1)
end


-- --- its windows -------------------------------------------------------------------------------------------

--- Does a step on an element.
local function on_element(self, kind, text, selector, deed, options)
  local macro = self.macro
  deed.kind, deed.window, deed.element = kind, self.name, selector
  deed.known, deed.unseen = macro.known(kind, selector), options and options.unseen
  do_step(macro, text, deed)
end


local function in_window(self, kind, text, deed, options)
  deed.kind, deed.window, deed.unseen = kind, self.name, options and options.unseen
  do_step(self.macro, text, deed)
end


--- Writes a value into a field, and reads it back.
---@param selector string
---@param value string|number
---@param options? {unseen?: boolean}  unseen: goes on even if the value cannot be read back
function Window:set(selector, value, options)
  on_element(self, "set", "set " .. selector, selector, { value = tostring(value) }, options)
end


--- Chooses an option of a combo box, list or group.
---@param selector string
---@param option string
---@param options? {unseen?: boolean}
function Window:choose(selector, option, options)
  local text = ("choose %s of %s"):format(shown(option), selector)
  on_element(self, "choose", text, selector, { option = tostring(option) }, options)
end


--- Clicks an element.
---@param selector string
---@param options? {count?: integer, unseen?: boolean}  unseen: goes on even if no effect is seen
function Window:click(selector, options)
  on_element(self, "click", "click " .. selector, selector, { count = options and options.count }, options)
end


--- Clicks a place that no element tells of, in points from the top left of the window's content. A macro that was recorded
--- stops if the picture there is another one.
---@param x integer
---@param y integer
---@param options? {button?: "left"|"middle"|"right", count?: integer}
function Window:point(x, y, options)
  local line = ("%d, %d"):format(x, y)
  in_window(self, "point", "click at " .. line, { x = x, y = y, button = options and options.button,
    count = options and options.count, known = self.macro.known("point", line) })
end


--- Presses a key combination.
---@param keys string  "ctrl+shift+s"
---@param options? {count?: integer, unseen?: boolean}
function Window:keys(keys, options)
  in_window(self, "keys", "keys " .. keys, { keys = keys, count = options and options.count }, options)
end


--- Types text where the keyboard focus is.
---@param text string
---@param options? {unseen?: boolean}
function Window:type(text, options)
  in_window(self, "type", ("type %d characters"):format(utf8.len(text) or #text), { text = text }, options)
end


--- Chooses an item of a menu: "File > Save As...".
---@param path string|string[]
---@param options? {unseen?: boolean}
function Window:menu(path, options)
  local text = "menu " .. (type(path) == "table" and table.concat(path, " > ") or path)
  in_window(self, "menu", text, { path = path }, options)
end


--- Waits for the dialog with this title, enters a path into it, and presses a button.
---@param title string  as a whole; * stands for any characters
---@param options {path?: string, button?: string, next?: string, timeout?: number, unseen?: boolean}  next: the title of a
---  dialog that may come in front of it, and that the next step answers
function Window:dialog(title, options)
  in_window(self, "dialog", "dialog " .. shown(title), { title = title, path = options.path, button = options.button,
    next = options.next, timeout = options.timeout }, options)
end


--- The predicate of a check or a wait, in the form of verify; `title` is short for the title of the window.
local function predicate_of(given)
  local predicate = {}
  for key, value in pairs(given) do predicate[key] = value end
  predicate.timeout = nil
  if given.title then predicate.title, predicate.text, predicate.condition = nil, given.title, "title" end
  return predicate
end


local function said(given)
  local parts = {}
  for _, key in ipairs { "title", "element", "window", "text", "condition", "value", "value_contains", "count" } do
    if given[key] ~= nil then parts[#parts + 1] = ("%s %s"):format(key, type(given[key]) == "string" and shown(given[key])
      or tostring(given[key])) end
  end
  return table.concat(parts, ", ")
end


--- Needs a predicate of verify to hold: { title = }, { text = }, { element =, value = }, ...
---@param given table
function Window:check(given)
  in_window(self, "check", "check " .. said(given), { predicate = predicate_of(given), timeout = given.timeout })
end


--- Waits until a predicate of verify holds: at most `timeout` seconds, 10 by default.
---@param given table
function Window:wait(given)
  in_window(self, "wait", "wait for " .. said(given), { predicate = predicate_of(given), timeout = given.timeout })
end


-- --- a run -------------------------------------------------------------------------------------------------

--- The state of the run that is to be resumed, and from where.
local function resumption(name, args, hash)
  if not args.resume_from then return nil end
  local state = journal.last(name)
  if not state and args.resume_from == "last" then
    return nil, ("There is no interrupted run of %s. Run it without resume_from, or pass a step's number"):format(name),
      "MACRO_NO_STATE"
  end
  if args.resume_from == "last" and state.ended then
    return nil, ("The last run of %s came to its end. Run it without resume_from"):format(name), "MACRO_NO_STATE"
  end
  if state and state.hash ~= hash then
    if args.resume_from == "last" then
      return nil, ("The file of %s was changed since its run stopped at %s. Look at it, and pass the number of the step to go on "
        .. "with as resume_from"):format(name, course.called(state.step, state.row)), "MACRO_CHANGED"
    end
  end
  local resume, err = course.read(args.resume_from, state)
  if not resume then return nil, err, "INVALID_ARGUMENT" end
  return resume, nil, nil, state
end


--- A run of a macro whose file was read. The journal is that of the run before if it is resumed.
---@param call Call
---@param args {resume_from?: string, repeat_sent?: boolean}
---@param begun {hash?: string, identity?: macros.Identity, dry?: true}
---@return Macro? macro
---@return string? err
---@return string? code
function M.new(call, args, begun)
  local hash, known = begun.hash or "", begun.identity
  local resume, err, code, state = resumption(call.tool, args, hash)
  if err then return nil, err, code end
  local book = journal.open(call.tool, hash, state, begun.dry)
  return setmetatable({ name = call.tool, caller = call, dry = begun.dry, course = course.new(resume), journal = book,
    state = book.state, done = {},
    stopped = state and not state.ended and { sent = state.sent, step = state.step, row = state.row } or nil,
    again = args.repeat_sent, known = identity.course(known), recorded = known and known.application }, Macro)
end


--- Begins a run.
---@param call Call
---@param args {resume_from?: string, repeat_sent?: boolean}
---@return Macro? macro
---@return string? err
---@return string? code
function M.begin(call, args)
  local begun, err, code = hands.perform({ kind = "begin", call = call }, function() end)
  if not begun then return nil, ("Before %s: %s. Nothing was done"):format(course.called(1), err), code end
  return M.new(call, args, begun)
end


--- Completes a failure between two steps: it has the place, and so has the record.
---@param macro Macro
---@param failed macros.Failure
function M.place(macro, failed)
  if failed.step then return end
  failed.step, failed.row = macro.course.step + 1, macro.course.row
  failed.message = ("Before %s: %s"):format(course.called(failed.step, failed.row), failed.message)
  macro.journal:await(failed.step, failed.row)
end


--- Ends a run that came to its end.
---@param macro Macro
---@return macros.Done[]
function M.finish(macro)
  macro.journal:finish()
  return macro.done
end


return M
