--- The search over all dictionaries that can be read now. Its index follows the applications and the files of examples: what
--- has not changed is not read again.

local checked = require "dictionary.checked"
local curated = require "dictionary.curated"
local library = require "dictionary.library"
local search  = require "dictionary.search"
local task    = require "sys.task"

local M = {}

local index           -- made at the first question
local known = {}      -- by id: {mark, app, about, curation}, or {mark, app, problem} of a dictionary that cannot be read


--- So much of a model as the curated files ask about, without the rest of it.
local function outline(model)
  local suites = {}
  for i, suite in ipairs(model.suites) do suites[i] = { name = suite.name } end
  return { id = model.id, name = model.name, source = model.source, suites = suites }
end


local function is_current(entry, mark)
  return entry and entry.mark == mark and (entry.problem or entry.curation == curated.of(entry.about))
end


local function read(app, mark)
  local model, err = library.model(app)
  if not model then
    index:remove(app.id)
    return { mark = mark, problem = ("%s: %s"):format(app.id, err) }
  end
  local about = outline(model)
  index:add(model, curated.of(about))
  return { mark = mark, about = about, curation = curated.of(about) }
end


--- Brings the index up to date, and returns what cannot be read.
local function renew()
  local held <close> = task.lock "dictionary.lookup"
  local seen, problems = {}, {}
  index = index or search.new()
  for _, app in ipairs(library.all()) do
    local mark = library.mark(app)
    if not is_current(known[app.id], mark) then known[app.id] = read(app, mark) end
    known[app.id].app = app
    seen[app.id], problems[#problems + 1] = true, known[app.id].problem
  end
  for id in pairs(known) do
    if not seen[id] then
      index:remove(id)
      known[id] = nil
    end
  end
  return table.move(curated.problems(), 1, #curated.problems(), #problems + 1, problems)
end


--- Says of each example how far it is right, and leaves out those that do not fit their application as it is.
local function check_examples(rows)
  for _, row in ipairs(rows) do
    local entry = row.example and known[row.id]
    row.checked = entry and checked.of(entry.app, entry.mark, row.example)
    if not row.checked then row.example = nil end
  end
  return rows
end


---@class dictionary.lookup.Row : dictionary.Found
---@field checked? "dictionary"|"structure"  how far the example is right

---@param query string
---@param options? {app?: string, limit?: integer}  app: an id
---@return dictionary.lookup.Row[] rows
---@return string[] problems  dictionaries and files of examples that cannot be read
function M.search(query, options)
  local problems = renew()
  return check_examples(index:search(query, options)), problems
end


return M
