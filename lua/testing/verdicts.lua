--- For the examples of tools that act on elements: a dialog in which one thing changes, of each kind, and what each tool has to
--- say of it. "none_seen" is never said of a change of the element or of its dialog.

local ui = require "testing.interface"

local M = {}

local DIALOG, TARGET, LABEL, FIELD, BOX, FIRST = 20, 30, 40, 50, 60, 100   -- ids; FIRST: of rows in the target

--- The kinds of changes: the id of the changed row, its members, or one more row after it. `shown`: only shown text is another.
local KINDS = {
  { "its name", TARGET, { [3] = "Other" } },
  { "its value", TARGET, { value = "other" } },
  { "its mark", TARGET, { states = { checked = true } } },
  { "its selection", TARGET, { states = { selected = true } } },
  { "that it is open", TARGET, { states = { expanded = true } } },
  { "that it is down", TARGET, { states = { pressed = true } } },
  { "that it is off", TARGET, { states = { enabled = false } } },
  { "what is in it", TARGET, below = { 2, "entry", "Inner" } },
  { "a field that came", BOX, below = { 1, "entry", "Came" } },
  { "a label that came", BOX, below = { 1, "label", "Came" } },
  { "a field that went", FIELD, { states = { shown = false } } },
  { "another field", FIELD, { value = "other" } },
  { "another mark", BOX, { states = { checked = true } } },
  { "another text of a label", LABEL, { [3] = "Other" }, shown = true },
  { "the dialog's title", DIALOG, { [3] = "Other" } },
}


local function joined(a, b)
  local all = {}
  for key, value in pairs(a or {}) do all[key] = value end
  for key, value in pairs(b or {}) do all[key] = value end
  return all
end


--- The rows after the change.
local function changed(rows, kind)
  local list = {}
  for _, row in ipairs(rows) do
    local more = row.id == kind[2] and kind[3] or {}
    local now = joined(row, more)
    now.states = joined(row.states, more.states)
    list[#list + 1] = now
    if row.id == kind[2] then list[#list + 1] = kind.below end
  end
  return list
end


--- A dialog with the target: its role, more members of its row, and rows in it.
---@param role string
---@param more? table
---@param ... table
---@return table[] rows
function M.dialog(role, more, ...)
  local rows = { { 0, "window", "Notes", id = 10 }, { 0, "dialog", "Order", id = DIALOG, states = { modal = true } },
    joined({ 1, role, "Target", id = TARGET }, more) }
  for i, row in ipairs { ... } do rows[#rows + 1] = joined(row, { id = FIRST + i }) end
  for _, row in ipairs { { 1, "label", "Total", id = LABEL },
    { 1, "entry", "Field", id = FIELD, value = "a", states = { editable = true } },
    { 1, "checkbox", "Box", id = BOX, states = { checkable = true } } } do rows[#rows + 1] = row end
  return rows
end


--- Stubs that show the looks one after the other, and a clock that goes on only when it is asked, so that nothing waits.
---@param id? integer  the element that changes by itself, before the action
local function shown(looks, id)
  local now, told, stubs = 0, false, ui.shown(looks)
  return ui.with(stubs, {
    ["sys.time.monotonic"] = function()
      now = now + 0.05
      return now
    end,
    ["sys.element.changes"] = function(query)
      local events = id and query.since and not told and { { id = id, kind = "value", pid = 7, detail = "", at = 0, number = 1 } }
      told = told or events ~= nil and events ~= false
      return { events = events or {}, next = 1, missed = 0 }
    end,
    ["sys.input.send"] = function()
      stubs["sys.input.keys"]()
      return { pointer = { x = 0, y = 0 }, sent = 4, characters = 0, settled = true, route = "xtest" }
    end,
    ["sys.time.sleep"] = true, ["desktop.read_back.before"] = false, ["desktop.read_back.forget"] = false,
  })
end


---@class testing.Verdicts
---@field rows table[]                     a result of M.dialog()
---@field args table                       of the tool
---@field press? boolean                   any change is the effect, except of shown text
---@field effects? table<string, string>   the effects of some kinds; the others: "confirmed" of a press, otherwise "partial"
---@field of? fun(effect: string): table   what the result has; default: the effect itself

--- The cases of a tool, one for each kind of change; the same for elements that change by themselves, which confirm nothing; and
--- for no change.
---@param called string  the action, for the names of the cases
---@param given testing.Verdicts
---@return ToolExample[]
function M.cases(called, given)
  local list, effects = {}, given.effects or {}
  local of = given.of or function(effect) return { effect = effect } end
  local function add(name, effect, rows, id)
    list[#list + 1] = { ("%s, %s: %s"):format(called, name, effect), args = given.args, want = of(effect),
      given = shown({ given.rows, rows }, id) }
  end
  for _, kind in ipairs(KINDS) do
    local rows, alone = changed(given.rows, kind), "by itself, " .. kind[1]
    add(kind[1], effects[kind[1]] or given.press and not kind.shown and "confirmed" or "partial", rows)
    if not kind.below and kind[3].states == nil then
      add(alone, effects[alone] or kind[2] == TARGET and "partial" or "none_seen", rows, kind[2])
    end
  end
  add("nothing", "none_seen", given.rows)
  add("the focus", effects["the focus"] or "none_seen", changed(given.rows, { "", BOX, { states = { focused = true } } }))
  return list
end


--- Joins lists of cases.
---@param ... ToolExample[]
---@return ToolExample[]
function M.joined(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end


return M
