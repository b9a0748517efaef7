--- How far curated examples are checked: against the dictionary of the application where that is at hand, otherwise their form.

local dictionaries  = require "applescript.dictionaries"
local example_check = require "dictionary.example_check"
local library       = require "dictionary.library"

local M = {}

local kept = {}     -- by an application's ID: { mark, verdicts: by example "dictionary", "structure" or false }
local last = {}     -- { id, mark, terms }: the dictionary for scripts that was used last


--- The dictionary of an application, for the checker of AppleScript.
local function terms_of(app, mark)
  if last.id ~= app.id or last.mark ~= mark then
    local known, model = dictionaries.new(), library.model(app)
    local terms = model and model.declared and known:take(app.id, model.declared)
    if terms then terms.id, terms.name = app.id, app.name end
    last = { id = app.id, mark = mark, terms = known }
  end
  return last.terms
end


--- Checks an example. Of an application that does not run only the actions of its desktop entry are known.
local function verdict_of(app, mark, example)
  if example.script then return example_check.run(example, { dictionaries = terms_of(app, mark) }) end
  local at_hand = app.source ~= "desktop" or example.call.desktop
  return example_check.run(example, { model = at_hand and library.model(app) or nil })
end


--- Returns how far an example is right; nil if it does not fit the application as it is. Each is checked once.
---@param app dictionary.App
---@param mark string  library.mark() of it
---@param example dictionary.Example
---@return "dictionary"|"structure"|nil checked
function M.of(app, mark, example)
  local entry = kept[app.id]
  if not entry or entry.mark ~= mark then
    entry = { mark = mark, verdicts = setmetatable({}, { __mode = "k" }) }
    kept[app.id] = entry
  end
  if entry.verdicts[example] == nil then entry.verdicts[example] = verdict_of(app, mark, example) or false end
  return entry.verdicts[example] or nil
end


return M
