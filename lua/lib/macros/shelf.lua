--- The files of macros: tools/macros/NAME.lua in the user's roots, and NAME.steps.json beside each.

local console  = require "sys.console"
local crypto   = require "sys.crypto"
local effect   = require "sys.effect"
local engine   = require "sys.engine"
local files    = require "sys.files"
local identity = require "macros.identity"
local journal  = require "macros.journal"
local json     = require "sys.json"
local methods  = require "macros.methods"
local nearest  = require "nearest"
local policy   = require "sys.policy"
local process  = require "sys.process"

local M = {}

local FOLDER = "tools/macros/"

M.CODES = {
  EXISTS = "There is a macro or another tool of this name.",
  INVALID_ARGUMENT = "A step, a parameter or a name is not valid; the message says which.",
  MACRO_BROKEN = "The file of the macro does not load; the message has the line.",
  MACRO_EDITED = "The file was edited by hand, so it is left as it is.",
  MACRO_NOT_FOUND = "There is no such macro; the message names the nearest.",
  NOTHING_DONE = "None of the calls acted, did not fail and was not undone.",
  NOT_REPEATABLE = "A call cannot be a step; the message says which, and why.",
  NO_ROOT = "There is no directory for files of the user's own.",
  WRITE_FAILED = "The file cannot be written; the message says why.",
}

---@class macros.Shelved
---@field id string
---@field name string  "macros/ID"
---@field path string
---@field label string
---@field problem? string  why it does not load
---@field kept? boolean    the last good version of it is used


-- --- finding -----------------------------------------------------------------------------------------------

--- The macros of the user's roots, by name.
---@return macros.Shelved[]
function M.all()
  local status, list, problems = engine.status(), {}, {}
  for _, each in ipairs(status.problems) do problems[each.file] = each end
  for _, file in ipairs(files.list()) do
    local own = file.kind == "tool" and file.root ~= status.roots[1] and not file.overridden_by and not file.foreign
    if own and file.label == FOLDER .. file.name .. ".lua" then
      local problem = problems[file.path]
      list[#list + 1] = { id = file.name, name = "macros/" .. file.name, path = file.path, label = file.label,
        problem = problem and problem.message, kept = problem and problem.kept }
    end
  end
  table.sort(list, function(a, b) return a.id < b.id end)
  return list
end


--- Finds the macro of a name: "macros/save_note" or "save_note".
---@param name string
---@return macros.Shelved? found
---@return string? err
---@return string? code  "MACRO_NOT_FOUND"
function M.find(name)
  local id, ids = name:gsub("^macros/", ""), {}
  for i, each in ipairs(M.all()) do
    if each.id == id then return each end
    ids[i] = each.id
  end
  local question = nearest.question(id, ids, "; ")
  return nil, ("There is no macro %q%s list_macros lists them"):format(id, question == "" and "." or question), "MACRO_NOT_FOUND"
end


--- The ID of a macro with this title: "save_a_note" of "Save a note!".
---@param title string
---@return string
function M.id_of(title)
  local id = title:lower():gsub("[^a-z0-9]+", "_"):gsub("^_+", ""):sub(1, 60):gsub("_+$", "")
  return id:find "^%a" and id or "macro_" .. id
end


--- Reads all files again, so that what was just saved counts.
function M.renew() console.reload() end


-- --- reading -----------------------------------------------------------------------------------------------

local STEPS = table.move(methods.WINDOW, 1, #methods.WINDOW, #methods.MACRO + 1, { table.unpack(methods.MACRO) })

--- The lines of a file that are steps.
---@param text string
---@return {line: integer, text: string}[]
function M.steps(text)
  local list, number = {}, 0
  for line in (text .. "\n"):gmatch "(.-)\r?\n" do
    number = number + 1
    for _, method in ipairs(STEPS) do
      if line:find("%f[%w_][%a_][%w_]*:" .. method .. "%s*[%({\"']") and not line:find "^%s*%-%-" then
        list[#list + 1] = { line = number, text = line:match "^%s*(.-)%s*$" }
        break
      end
    end
  end
  return json.array(list)
end


--- The parameters of a macro, without those that each has.
local function parameters_of(tool)
  local list, required = {}, {}
  for _, name in ipairs(tool.inputSchema.required or {}) do required[name] = true end
  for name, schema in pairs(tool.inputSchema.properties or {}) do
    if name ~= "resume_from" and name ~= "repeat_sent" then
      list[#list + 1] = { name = name, type = type(schema.type) == "string" and schema.type or "any",
        description = schema.description, default = schema.default, required = required[name] or false }
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return json.array(list)
end


--- The facts about a macro for a list.
---@param found macros.Shelved
---@return table
function M.facts(found)
  local tool = files.table("tool", found.id)
  local own = tool and tool._meta and tool._meta["perigee/macro"] or {}
  return { name = found.name, display_name = tool and tool.title or found.id, description = tool and tool.description or "",
    tags = json.array(own.tags or {}), listed = tool ~= nil and tool.listed == true, file = found.path, problem = found.problem }
end


--- All that is known of a macro.
---@param found macros.Shelved
---@return table
function M.whole(found)
  local facts, tool = M.facts(found), files.table("tool", found.id)
  facts.parameters = tool and parameters_of(tool) or json.array {}
  facts.steps = M.steps(policy.code(found.path) or "")
  local state = journal.last(found.id)
  facts.stopped_at = state and not state.ended and { step = state.step, row = state.row, unconfirmed = state.sent } or nil
  return facts
end


--- The answer about a file that was written.
---@param facts {name: string, file: string, steps: table[]}
---@return string
function M.wrote(facts)
  return ("Wrote %s with %d step%s: %s"):format(facts.name, #facts.steps, #facts.steps == 1 and "" or "s", facts.file)
end


--- Runs a program of the system that changes a file.
local function run(words)
  local ended, err = process.run(words)
  if ended and ended.code == 0 then return true end
  local why = ended and ended.stderr:match "[^\n]+" or err or "it was ended"
  return nil, ("%s cannot be written: %s"):format(words[#words], why), "WRITE_FAILED"
end


--- The path of the record beside a macro's file.
---@param path string
---@return string
function M.record(path) return (path:gsub("%.lua$", "")) .. ".steps.json" end


--- The path of the folder beside a macro's file that has a picture of each recorded step.
---@param path string
---@return string
function M.pictures(path) return (path:gsub("%.lua$", "")) .. ".steps" end


--- Makes the folder for a macro's files, and that for its pictures.
---@param path string
---@return true? ok
---@return string? err
---@return string? code
function M.make_folders(path) return run { "mkdir", "-p", "--", M.pictures(path) } end


--- Removes the folder for the pictures of a macro that was not written, if it is empty.
function M.remove_folder(path) process.run { "rmdir", "--", M.pictures(path) } end


--- Removes pictures of a macro.
---@param path string   of its file
---@param names string[]
function M.remove_pictures(path, names)
  local words = { "rm", "-f", "--" }
  for i, name in ipairs(names) do words[i + 3] = ("%s/%s"):format(M.pictures(path), name) end
  return run(words)
end


local function digest(text) return crypto.hex(crypto.sha256(text) or "") end


--- Reads the record; nil: there is none, or it cannot be read.
---@param path string  of the macro's file
---@return macros.Identity?
local function record_of(path)
  local text = policy.code(M.record(path))
  return text and identity.read(text) or nil
end


--- The calls of tools that a macro was made of. nil: it was written or edited by hand.
---@param found macros.Shelved
---@return macros.Source?
function M.source(found)
  local record = record_of(found.path)
  local made = record and record.made
  return made and made.hash == digest(policy.code(found.path) or "") and made.source or nil
end


-- --- writing -----------------------------------------------------------------------------------------------

--- The user's root: the last one.
---@return string? root
---@return string? err
---@return string? code
function M.root()
  local roots = engine.status().roots
  if #roots > 1 then return roots[#roots] end
  return nil, "There is no directory for files of your own. Start Perigee with --root DIRECTORY", "NO_ROOT"
end


--- Writes a file beside its place, and renames it.
---@param path string
---@param text string
---@return true? ok
---@return string? err
---@return string? code
function M.put(path, text)
  local folder, name = path:match "^(.*)/([^/]*)$"
  local new = ("%s/.%s.new"):format(folder, name)
  local ok, err, code = run { "mkdir", "-p", "--", folder }
  if ok then ok, err, code = run { "tee", "--", new, input = text, max_output = 1 } end
  if ok then ok, err, code = run { "mv", "-f", "--", new, path } end
  return ok, err, code
end


--- The path for a new macro.
---@param id string
---@return string? path
---@return string? err
---@return string? code
function M.path(id)
  local root, err, code = M.root()
  if not root then return nil, err, code end
  return ("%s/%s%s.lua"):format(root, FOLDER, id)
end


--- Asks the user about a macro that is to be written, if the policy says so.
---@param id string
---@param text string  what it does
---@return true? ok
---@return string? err
---@return string? code
function M.allow(id, text) return effect.settings { name = "the macro " .. id, text = text } end


--- Writes the file of a macro and its record.
---@param path string
---@param text string
---@param source macros.Source
---@param record? macros.Identity  default: the one that is there
---@return true? ok
---@return string? err
---@return string? code
function M.write(path, text, source, record)
  record = record or record_of(path) or { format = identity.FORMAT, steps = json.array {} }
  record.made = { hash = digest(text), source = source }
  local ok, err, code = M.put(M.record(path), json.encode(record, { pretty = true }) .. "\n")
  if ok then ok, err, code = M.put(path, text) end
  return ok, err, code
end


--- Writes the file of a macro and its record, after the user was asked if the policy says so.
---@param id string
---@param text string
---@param source macros.Source
---@param options? {path?: string, record?: macros.Identity}  path: of the file that is replaced; record: of a new one
---@return string? path
---@return string? err
---@return string? code
function M.save(id, text, source, options)
  local path, err, code = options and options.path, nil, nil
  if not path then path, err, code = M.path(id) end
  if not path then return nil, err, code end
  local shown, ok = {}
  for i, step in ipairs(M.steps(text)) do shown[i] = step.text end
  ok, err, code = M.allow(id, table.concat(shown, "\n"))
  if ok then ok, err, code = M.write(path, text, source, options and options.record) end
  if not ok then return nil, err, code end
  M.renew()
  return path
end


--- Removes a macro, after the user was asked if the policy says so.
---@param found macros.Shelved
---@return true? ok
---@return string? err
---@return string? code
function M.remove(found)
  local ok, err, code = effect.settings { name = "the macro " .. found.id, text = "(it is removed)" }
  if ok then ok, err, code = run { "rm", "-rf", "--", M.pictures(found.path), M.record(found.path), found.path } end
  if not ok then return nil, err, code end
  journal.forget(found.id)
  M.renew()
  return true
end


return M
