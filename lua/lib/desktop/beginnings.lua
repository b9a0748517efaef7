--- Unique beginnings of names: of windows' titles, applications and items of menus.
--
-- An exact name always wins, and callers look for one first. A beginning is taken only if one item has it, and the answer says
-- what was taken. Of several, none is taken.

local letters = require "letters"
local quoting = require "desktop.quoting"
local state   = require "sys.state"
local task    = require "sys.task"

local M = {}

local LEAST = 3     -- bytes: three Latin letters, or one sign of Chinese
local SHOWN = 80    -- characters of a name in a note

-- The parameters that name a window or an application.
local KEYS = { "window", "application", "name", "parent" }


--- The text without the mark of a name that was cut when it was shown, folded.
local function beginning(text)
  return letters.fold((text:gsub("%s*…$", ""):gsub("%s*%.%.%.$", "")))
end


--- `took "Save As…" for "Save A"`
---@param name string  as it is
---@param text string  as it was given
---@return string
function M.note(name, text)
  return ("took %s for %s"):format(quoting.quote(name, SHOWN), quoting.quote(text, SHOWN))
end


--- The items of which a name begins with the text.
---@generic T
---@param items T[]
---@param text string
---@param names_of fun(item: T): string[]
---@return T[] found
---@return string? name  of the only one
function M.of(items, text, names_of)
  local found, wanted, taken = {}, beginning(text), nil
  if #wanted < LEAST then return found end
  local function begins(name) return letters.fold(name):sub(1, #wanted) == wanted end
  for _, item in ipairs(items) do
    for _, name in ipairs(names_of(item)) do
      if quoting.either(name, begins) then
        found[#found + 1], taken = item, name
        break
      end
    end
  end
  return found, #found == 1 and taken or nil
end


--- True if the text ends within a word of the name: "Save A" of "Save As…", and not "Delete" of "Delete All", which is another
--- command.
---@param name string  begins with the text
---@param text string
---@return boolean
function M.cuts_word(name, text)
  return not letters.fold(name):sub(#beginning(text) + 1):find "^%s"
end


--- Names that a running call has taken. Calls at the same time do not see each other's.
---@class desktop.Taken
---@field names table<string, string>  by the text for which they were taken
---@field told string[]                notes of calls that this one made

---@return table<any, desktop.Taken>
local function calls()
  local mine = state.open "desktop"
  mine.taken = mine.taken or {}
  return mine.taken
end


--- Returns what the innermost call that the running task belongs to has taken.
---@return desktop.Taken?
local function taken_here()
  local all = calls()
  for _, key in ipairs(next(all) and task.lineage() or {}) do
    if all[key] then return all[key] end
  end
end


--- Keeps what was taken for a text, until the result of the running tool tells it.
---@param text string
---@param name? string  nil: nothing but the text itself
function M.keep(text, name)
  local taken = taken_here()
  if taken then taken.names[text] = name end
end


--- Returns the notes about names in the arguments, also in those of steps and predicates.
local function notes_of(args, names, notes, depth)
  for _, key in ipairs(KEYS) do
    local text = args[key]
    if type(text) == "string" and names[text] then
      notes[#notes + 1] = M.note(names[text], text)
      names[text] = nil
    end
  end
  for _, value in pairs(depth < 2 and args or {}) do
    if type(value) == "table" then notes_of(value, names, notes, depth + 1) end
  end
  return notes
end


--- Adds notes that are not there.
local function add(list, notes)
  local there = {}
  for _, note in ipairs(list) do there[note] = true end
  for _, note in ipairs(notes) do
    if not there[note] then list[#list + 1], there[note] = note, true end
  end
  return list
end


--- Makes a tool's run(): the text of the result begins with the names that were taken for their beginnings, by this call and
--- by those that it made.
---@param run fun(args: table, call: Call): ...
---@return fun(args: table, call: Call): ...
function M.run(run)
  local function noted(args, taken, outer, result, ...)
    local first = type(result) == "table" and result.content and result.content[1]
    local notes = add(notes_of(args, taken.names, {}, 0), taken.told)
    if outer then add(outer.told, notes) end
    if first and first.text and #notes > 0 then
      first.text = ("(%s)\n%s"):format(table.concat(notes, "; "), first.text)
    end
    return result, ...
  end
  return function(args, call)
    local all, outer, key = calls(), taken_here(), task.lineage()[1]
    local before, taken = all[key], { names = {}, told = {} }
    all[key] = taken
    local _ <close> = setmetatable({}, { __close = function() all[key] = before end })
    return noted(args, taken, outer, run(args, call))
  end
end


return M
