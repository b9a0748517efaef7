--- Writes applications' dictionaries as JSON text, the same for resources and tools.

local checked      = require "dictionary.checked"
local curated      = require "dictionary.curated"
local example_text = require "dictionary.example_text"
local full         = require "dictionary.full"
local json         = require "sys.json"
local library      = require "dictionary.library"
local short        = require "dictionary.short"
local summary      = require "dictionary.summary"

local M = {}

local EXAMPLES = 12     -- from which a summary chooses


---@param app dictionary.App
---@return string
function M.uri(app)
  return ("osa://apps/%s/dictionary"):format((app.id:gsub("[^%w._~-]", function(c) return ("%%%02X"):format(c:byte()) end)))
end


--- An application in a list.
---@param app dictionary.App
---@return table
function M.entry(app)
  return json.object({ bundleId = app.id, name = app.name, version = app.version, source = app.source },
    { "bundleId", "name", "version", "source" })
end


--- Finds an application, and writes a view of it.
---@param wanted string  its ID or name
---@param name string    of the view
---@param make fun(model: dictionary.Model): string
---@return string? text
---@return string? err
---@return string? code
local function view(wanted, name, make)
  local app, err, code = library.find(wanted)
  if not app then return nil, err, code end
  return library.text(app, name, make)
end


--- The commands with their arguments, and curated examples, for a model.
function M.summary(wanted)
  local app, err, code = library.find(wanted)
  if not app then return nil, err, code end
  local model
  model, err, code = library.model(app)
  if not model then return nil, err, code end
  local curation, lines = curated.of(model), {}
  -- named by the curation's address: another one if a file about the application changes
  return library.text(app, ("summary %p"):format(curation), function()
    local mark = library.mark(app)
    for _, example in ipairs(curation.examples) do
      if #lines == EXAMPLES then break end
      if checked.of(app, mark, example) then lines[#lines + 1] = example_text.of(example, app.id) end
    end
    return summary.text(model, lines)
  end)
end


--- The commands and classes as lists.
function M.short(wanted)
  return view(wanted, "short", short.text)
end


--- A page of all that is declared.
---@param wanted string
---@param page? integer
---@return string? text
---@return string? err
---@return string? code  "not_found": there is no such page either
function M.full(wanted, page)
  local app, err, code = library.find(wanted)
  if not app then return nil, err, code end
  page = page or 1
  local count
  local text
  text, err, code = library.text(app, "full " .. page, function(model)
    local pages = full.pages(model, M.uri(app) .. "/full")
    count = #pages
    return pages[page]
  end)
  if not text and not err then
    return nil, ("%s has no page %d: its last page is %d."):format(M.uri(app) .. "/full", page, count), "not_found"
  end
  return text, err, code
end


--- Calls changed() each time an application's dictionary changes, or with no application the list.
---@param wanted? string
---@param sleep fun(seconds: number)
---@param changed fun()
function M.watch(wanted, sleep, changed)
  local function mark()
    if not wanted then
      local list = {}
      for i, app in ipairs(library.apps()) do list[i] = app.id .. " " .. app.version end
      return table.concat(list, "\n")
    end
    local app = library.find(wanted)
    return app and library.mark(app) or ""
  end
  local seen = mark()
  while true do
    sleep(M.SECONDS)
    local now = mark()
    if now ~= seen then changed() end
    seen = now
  end
end

M.SECONDS = 2   -- between two looks, while somebody is subscribed


--- The IDs that contain what was typed, for completion.
---@param typed string
---@return string[]
function M.complete(typed)
  local ids = {}
  for _, app in ipairs(library.apps()) do
    if app.id:lower():find(typed:lower(), 1, true) then ids[#ids + 1] = app.id end
  end
  return ids
end


return M
