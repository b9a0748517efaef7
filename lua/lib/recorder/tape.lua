--- The steps of a recording. Later events change earlier steps: a dialog that closes makes one step of what was done in it, a
--- double click replaces a click.

local dialogs    = require "recorder.dialog"
local loops      = require "recorder.loop"
local parameters = require "recorder.parameters"
local words      = require "elements.read.words"

local M = {}

local LATE = 10      -- seconds after a step in which a new title comes of it
local DOUBLE = 0.5   -- seconds between the presses of a double click
local WHOLE = words.set "set choose"   -- kinds of steps that replace an earlier one of the same element

-- Kinds of steps whose effect may be a new title, and those that a dialog can be closed by.
local LEADS = words.set "click menu dialog keys choose point"
local CLOSES = words.set "click keys"

---@class recorder.Step
---@field kind string             "menu", "set", "click", "choose", "keys", "type", "dialog", "wait", "open", "point"
---@field tool string
---@field args table              without the place
---@field window integer          the id of the window that it is in
---@field at number               when it was done
---@field literals? recorder.Literal[]
---@field target? recorder.Target
---@field button? string          the button that it clicks
---@field waits_for? integer      wait: the window that has to come
---@field picture? recorder.Picture
---@field unseen? boolean         its effect cannot be seen
---@field told? string            for people: what is missing or odd in it

--- A picture of a window before a step.
---@class recorder.Picture
---@field name string  of the file
---@field done boolean  it was written
---@field task? sys.task.Task  it writes it

---@class recorder.Tape
---@field steps recorder.Step[]
---@field private windows table<integer, recorder.Place>
---@field private dialogs table<integer, recorder.Dialog>
---@field private typed table<integer, {text: string, at: number}>  what was typed for a path, by dialog
---@field private opened table<integer, number>  windows that came since the beginning, and when
---@field private changed fun()
local Tape = {}
Tape.__index = Tape

---@class recorder.Place
---@field application string
---@field title? string  nil: the application has no other window
---@field opens? boolean  the application can be opened by this name
---@field id integer

---@param changed? fun()  called after each change
---@return recorder.Tape
function M.new(changed)
  return setmetatable({ steps = {}, windows = {}, dialogs = {}, typed = {}, opened = {},
    changed = changed or function() end }, Tape)
end


-- --- windows -----------------------------------------------------------------------------------------------

--- The names by which steps mean a window are settled with its first step.
---@param id integer
---@param place recorder.Place
function Tape:place(id, place) self.windows[id] = self.windows[id] or place end

---@param id integer
---@return boolean
function Tape:knows(id) return self.windows[id] ~= nil end

--- Notes the dialog in a window.
---@param id integer
---@param dialog? recorder.Dialog
function Tape:dialog(id, dialog)
  local known = self.dialogs[id]
  if not dialog or known and known.at > dialog.at then return end
  local typed = self.typed[id]
  if typed and typed.at > dialog.at then dialog.name = typed.text end
  self.dialogs[id] = dialog
end


--- Looks at the dialog in a window, if it is one.
---@param snapshot elements.Snapshot
---@param window sys.window.Window
function Tape:see_dialog(snapshot, window) self:dialog(window.id, dialogs.of(snapshot, window)) end


--- Something was typed in a window: into the field for the path, if it is a file dialog.
---@param id integer
---@param typed recorder.Typed
---@param at number  when
function Tape:dialog_text(id, typed, at)
  local dialog = self.dialogs[id]
  if not dialog or dialog.kind ~= "file" or dialog.field ~= typed.node.id then return end
  dialog.name = typed.after
  self.typed[id] = { text = typed.after, at = at }
end


local function window_of(step) return step.window end


--- True if a step in that window is there already.
local function is_used(self, id)
  for _, step in ipairs(self.steps) do
    if window_of(step) == id then return true end
  end
  return false
end


--- True if the window of the next step is the first of its application, and came by itself while it was recorded: no step led to
--- it, so a run has to open the application.
local function is_opened_anew(self, step)
  local opened, place, last = self.opened[step.window], self.windows[step.window], self.steps[#self.steps]
  if not opened or not place or not place.opens then return false end
  for _, each in ipairs(self.steps) do
    local its = self.windows[each.window]
    if its and its.application == place.application then return false end
  end
  return not last or not LEADS[last.kind] or opened - last.at > LATE
end


--- Adds a wait for the window of the next step, if it came after the last one.
local function await_window(self, step)
  local opened, place, last = self.opened[step.window], self.windows[step.window], self.steps[#self.steps]
  if not opened or not last or not place or not place.title or is_used(self, step.window) then return end
  self.steps[#self.steps + 1] = { kind = "wait", tool = "wait_for", args = { condition = "window", window = place.title },
    window = last.window, waits_for = step.window, at = step.at, shown = { "window" } }
end


-- --- steps -------------------------------------------------------------------------------------------------

local function same_target(a, b)
  return a.target ~= nil and b.target ~= nil and a.target.id == b.target.id and a.window == b.window
end


--- True if the new step replaces the last one.
local function replaces(last, step)
  if not last or last.window ~= step.window then return false end
  return last.kind == step.kind and WHOLE[step.kind] and same_target(last, step)
end


--- Adds a step.
---@param step recorder.Step
function Tape:add(step)
  local last = self.steps[#self.steps]
  if replaces(last, step) then
    step.picture = last.picture or step.picture   -- the one from before them both
    self.steps[#self.steps] = step
  else
    if is_opened_anew(self, step) then
      self.steps[#self.steps + 1] = { kind = "open", tool = "open_application", window = step.window, at = step.at,
        args = { application = self.windows[step.window].application } }
    else
      await_window(self, step)
    end
    self.steps[#self.steps + 1] = step
  end
  self.changed()
end


--- Makes a double click of the last click, if this one is the second of it.
---@param step recorder.Step
---@return boolean
function Tape:doubles(step)
  local last = self.steps[#self.steps]
  if not last or last.kind ~= "click" or last.args.count or not same_target(last, step) or step.at - last.at > DOUBLE then
    return false
  end
  last.args.count = 2
  self.changed()
  return true
end


--- Counts a key that was pressed again.
---@param step recorder.Step
---@return boolean
function Tape:repeats(step)
  local last = self.steps[#self.steps]
  if not last or last.kind ~= "keys" or step.kind ~= "keys" or last.window ~= step.window then return false end
  local a, b = last.args.steps, step.args.steps
  if a[#a].keys ~= b[1].keys or #a >= 50 then return false end
  a[#a + 1] = b[1]
  last.at = step.at
  self.changed()
  return true
end


-- --- dialogs -----------------------------------------------------------------------------------------------

--- The last step in a window, and its place.
local function last_in(self, id)
  for i = #self.steps, 1, -1 do
    if self.steps[i].window == id then return self.steps[i], i end
  end
end


--- The button by which a step closed a dialog.
local function button_of(step, dialog)
  if step.button then return step.button end
  local list = step.kind == "keys" and step.args.steps
  local chord = list and list[#list].keys
  if chord == "return" then return dialogs.default(dialog) or "default" end
  if chord == "escape" then return "cancel" end
end


--- Removes the steps for which a function holds.
local function remove(self, which)
  local kept = {}
  for i, step in ipairs(self.steps) do
    if not which(step, i) then kept[#kept + 1] = step end
  end
  self.steps = kept
end


--- The window that a dialog was opened from: that of the step before its first one.
local function window_before(self, id)
  local before
  for _, step in ipairs(self.steps) do
    if step.window == id then break end
    before = step.window
  end
  return before
end


--- The step for a dialog that was closed by a button.
local function answer_of(dialog, step, button, owner)
  local made = { kind = "dialog", tool = "handle_dialog", window = owner, at = step.at, picture = step.picture,
    args = { window = dialog.title, button = button }, shown = { "window" } }
  if dialog.kind ~= "file" or dialogs.cancels(button) then return made end
  local path = dialogs.path(dialog)
  made.args.path = path or ""
  made.literals = { { key = "path", kind = "path", hint = "", value = path } }
  if not path then made.told = ("the directory of %s is not known"):format(dialog.name or "the file") end
  return made
end


--- A window closed. If it was a dialog that a step answered, that is one step.
---@param id integer
function Tape:close(id)
  local dialog = self.dialogs[id]
  local step, place = last_in(self, id)
  local owner = step and window_before(self, id)
  if not dialog or not step or not CLOSES[step.kind] or not owner then return end
  local button = button_of(step, dialog)
  if not button then return end
  local made = answer_of(dialog, step, button, owner)
  self.steps[place] = made
  local whole = dialog.kind == "file"
  remove(self, function(each) return each ~= made and whole and each.window == id end)
  if not is_used(self, id) then
    remove(self, function(each) return each.waits_for == id end)
  end
  self.dialogs[id] = nil
  self.changed()
end


---@param id integer
---@param at number
function Tape:open(id, at) self.opened[id] = at end


-- --- titles ------------------------------------------------------------------------------------------------

--- A title without the marks of unsaved changes.
local function unmarked(title) return (words.clean(title):gsub("^[%*•●] ?", ""):gsub(" ?[%*•●]$", "")) end


--- The part of a new title that tells it from the one before: without the name of the application that ends both.
---@param was string
---@param now string
---@return string?  nil: nothing that stays is new
function M.news(was, now)
  was, now = unmarked(was), unmarked(now)
  if was == now or now == "" then return nil end
  for _, dash in ipairs { " - ", " — ", " – " } do
    local at = now:find(dash, 1, true)
    while at do
      local ending = now:sub(at)
      if was:sub(-#ending) == ending and at > 1 then return unmarked(now:sub(1, at - 1)) end
      at = now:find(dash, at + 1, true)
    end
  end
  return now
end


--- The title of a window changed. If a step led to that, the next one waits for it.
---@param id integer
---@param was string
---@param now string
---@param at number
function Tape:title(id, was, now, at)
  local last = self.steps[#self.steps]
  if not last or not self.windows[id] then return end
  local waiting = last.kind == "wait" and not last.waits_for and last.window == id
  local step = waiting and self.steps[#self.steps - 1] or last
  if not step or not LEADS[step.kind] or at - step.at > LATE then return end
  local text = M.news(waiting and last.was or was, now)
  if waiting then self.steps[#self.steps] = nil end
  if text then
    self.steps[#self.steps + 1] = { kind = "wait", tool = "wait_for", args = { condition = "title", text = text }, window = id,
      at = step.at, was = waiting and last.was or was, shown = { "text" } }
  end
  self.changed()
end


-- --- the macro ---------------------------------------------------------------------------------------------

local OWN_TITLE = words.set "dialog wait"   -- kinds whose argument `window` is what they wait for

--- The call of a tool that a step is.
local function call_of(self, step, known, signs)
  local args = known:arguments(step.args, step.literals, signs)
  for _, key in ipairs(step.shown or {}) do
    args[key] = args.condition == "title" and known:title(step.args[key]) or known:shown(step.args[key])
  end
  local place = self.windows[step.window]
  if step.kind ~= "open" and place then
    args.application = parameters.plain(place.application)
    if not (OWN_TITLE[step.kind] and args.window) and place.title then args.window = parameters.plain(place.title) end
  end
  return { tool = step.tool, arguments = args, unseen = step.unseen }
end


--- The texts that a step of a loop waits for, from time to time.
local function texts_at(self, loop, k)
  local list = {}
  for time = 0, loop.count - 1 do list[time + 1] = self.steps[loop.first + time * loop.length + k].args.text end
  return list
end


--- The loop as one step.
local function call_of_loop(self, loop, known)
  local rows, inner = loops.rows(self.steps, loop), {}
  for k = 0, loop.length - 1 do
    local step = self.steps[loop.first + k]
    local call = call_of(self, step, known, rows.signs)
    local waits = step.kind == "wait" and step.args.text
    local text = waits and loops.shown(rows, texts_at(self, loop, k))
    if text then call.arguments.text = text end
    if text or not waits then inner[#inner + 1] = call end
  end
  local name = known:add { name = "rows", type = "string", about = "path",
    description = "CSV file, in a granted directory, whose first line is " .. table.concat(rows.columns, ",") }
  return { rows = { file = ("${%s}"):format(name), columns = rows.columns }, steps = inner }
end


--- The calls of tools that the steps are, and their parameters.
---@param loop? recorder.Loop  a part that becomes a loop
---@return macros.Given[] given
---@return macros.Parameter[] parameters
function Tape:given(loop)
  local list, known, i = {}, parameters.new(), 1
  while i <= #self.steps do
    if loop and i == loop.first then
      list[#list + 1] = call_of_loop(self, loop, known)
      i = i + loop.count * loop.length
    else
      list[#list + 1] = call_of(self, self.steps[i], known)
      i = i + 1
    end
  end
  return list, known.list
end


--- The records of the targets of the steps.
---@param folder string  the name of the one with the pictures
---@return table[]
function Tape:known(folder)
  local list = {}
  for i, step in ipairs(self.steps) do
    local entry = { kind = step.kind, step = i }
    for key, value in pairs(step.target and step.target.known or {}) do entry[key] = value end
    entry.image = step.picture and step.picture.done and folder .. "/" .. step.picture.name or nil
    entry.told = step.told
    if entry.selector or entry.image or entry.told then list[#list + 1] = entry end
  end
  return list
end


return M
