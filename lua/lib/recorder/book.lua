--- The file of a recording: a macro, written anew after each step, so that a recording which is ended by force leaves all steps.

local csv      = require "sys.csv"
local identity = require "macros.identity"
local json     = require "sys.json"
local shelf    = require "macros.shelf"
local writer   = require "macros.writer"

local M = {}

---@class recorder.Book
---@field id string
---@field path string
---@field folder string    the one with the pictures
---@field steps integer    the number of steps in the file
---@field text? string      what was written
---@field private source macros.Source
---@field private application? {name: string, id?: string}
local Book = {}
Book.__index = Book


---@class recorder.Titles  of the macro
---@field title? string        default: made of its name
---@field description? string
---@field tags? string[]
---@field list? boolean

--- Begins a book: asks the user if the policy says so, and makes the folders.
---@param id string
---@param more recorder.Titles
---@return recorder.Book? book
---@return string? err
---@return string? code
function M.open(id, more)
  local path, err, code = shelf.path(id)
  if not path then return nil, err, code end
  local ok
  ok, err, code = shelf.allow(id, "(a recording of what you do)")
  if ok then ok, err, code = shelf.make_folders(path) end
  if not ok then return nil, err, code end
  local title = more.title or id:gsub("_", " "):gsub("^%l", string.upper)
  return setmetatable({ id = id, path = path, folder = shelf.pictures(path), steps = 0, application = nil,
    source = { id = id, display_name = title, description = more.description or "", tags = more.tags, list = more.list,
      steps = {} } }, Book)
end


--- The application that most steps are in, by which the macro is known to be in another one.
---@param application {name: string, id?: string}
function Book:of(application) self.application = self.application or application end


--- Writes the steps of a tape, once there are any.
---@param tape recorder.Tape
---@param loop? recorder.Loop  a part that becomes a loop
---@return true? ok
---@return string? err
---@return string? code
function Book:write(tape, loop)
  local source = self.source
  source.steps, source.parameters = tape:given(loop)
  if #source.steps == 0 and self.steps == 0 then return true end
  local text, err, code = writer.text(source)
  if not text then return nil, err, code end
  local record = { format = identity.FORMAT, locale = identity.locale(), application = self.application,
    steps = json.array(tape:known(self.folder:match "[^/]*$")) }
  local ok
  ok, err, code = shelf.write(self.path, text, source, record)
  if ok then self.steps, self.text = #source.steps, text end
  return ok, err, code
end


--- Removes the pictures that no step has.
---@param tape recorder.Tape
---@param taken recorder.Picture[]  all of this recording
function Book:tidy(tape, taken)
  local used, rest = {}, {}
  for _, step in ipairs(tape.steps) do used[step.picture or false] = true end
  for _, each in ipairs(taken) do
    if each.done and not used[each] then rest[#rest + 1] = each.name end
  end
  if #rest > 0 then shelf.remove_pictures(self.path, rest) end
end


--- Leaves nothing behind of a recording without a step.
function Book:close()
  if self.steps == 0 then shelf.remove_folder(self.path) end
end


--- Writes the values of a loop's rows beside the pictures.
---@param rows recorder.Rows
---@return string? path
---@return string? err
function Book:values(rows)
  local table_of = {}
  for i = 1, #(rows.values[1] or {}) do
    local row = {}
    for j, column in ipairs(rows.columns) do row[column] = rows.values[j][i] end
    table_of[i] = row
  end
  local path = self.folder .. "/rows.csv"
  local ok, err = shelf.put(path, csv.encode(table_of, { heading = true, columns = rows.columns }))
  return ok and path or nil, err
end


return M
