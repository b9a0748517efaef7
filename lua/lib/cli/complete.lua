--- Candidates for the end of a command line. The completions of shells ask the program each time, so that a tool or command
-- that was just saved is completed.

local app         = require "sys.app"
local declaration = require "cli.declaration"
local files       = require "sys.files"
local find        = require "cli.find"
local mcp         = require "sys.mcp"
local packs       = require "sys.packs"
local stubs       = require "stubs"
local task        = require "sys.task"

local M = {}

local APP_SECONDS = 0.2  -- time limit of the desktop to name its applications

---@class cli.Candidate
---@field [1] string   the whole word
---@field [2]? string  a description

---@class cli.Completion
---@field add fun(value: string, about?: string)  adds a candidate, if it begins with the typed text
---@field typed string
---@field words string[]          the words of the command before the typed one
---@field arguments string[]      the words among them that are not options
---@field host cli.Host
---@field directive "default"|"nospace"|"files"|"directories"


-- --- values by type -------------------------------------------------------------------------

--- The names of the files of a kind that are in effect, sorted.
local function names_of(kind)
  local names, seen = {}, {}
  for _, file in ipairs(files.list()) do
    if file.kind == kind and not file.overridden_by and not seen[file.name] and file.name:sub(1, 2) ~= "__" then
      names[#names + 1], seen[file.name] = file.name, true
    end
  end
  table.sort(names)
  return names
end


local VALUES = {}

function VALUES.file(completion) completion.directive = "files" end

function VALUES.directory(completion) completion.directive = "directories" end

function VALUES.tool(completion)
  for _, name in ipairs(names_of "tool") do completion.add(name) end
end

function VALUES.prompt(completion)
  for _, name in ipairs(names_of "prompt") do completion.add(name) end
end

function VALUES.pack(completion)
  for _, pack in ipairs(packs.list() or {}) do completion.add(pack.name) end
end

--- Adds the modules that Lua can require, once something is typed, and the functions of a module whose name is complete.
local function add_lua_names(completion)
  if completion.typed == "" then return end
  for _, name in ipairs(files.modules()) do completion.add(name) end
  local module = completion.typed:match "^(sys%.[%w_]+)%.[%w_]*$"
  local stub = module and stubs.of(module)
  for _, name in ipairs(stub and stub.order or {}) do
    completion.add(module .. "." .. name, stub.functions[name].about:match "^[^\n]*")
  end
end


function VALUES.command(completion)
  local seen = {}
  for _, native in ipairs(completion.host.native()) do
    seen[native.name] = true
    completion.add(native.name, native.summary)
  end
  for _, name in ipairs(names_of "command") do
    local command = not seen[name] and files.table("command", name)
    if command and not command.hidden then completion.add(name, command.summary) end
  end
  add_lua_names(completion)
end

function VALUES.server(completion)
  local names = {}
  for name in pairs(mcp.servers(completion.host.config) or {}) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do completion.add(name) end
end

function VALUES.app(completion)
  local running = task.with_timeout(APP_SECONDS, function() return (app.list()) end)
  for _, each in ipairs(running or {}) do completion.add(each.name) end
end

function VALUES.toolsets(completion)
  local before, seen = completion.typed:match "^(.*,)[^,]*$" or "", {}
  if before == "" then completion.add "all" end
  for _, file in ipairs(files.list()) do
    if file.kind == "tool" and not seen[file.toolset] then
      seen[file.toolset] = true
      completion.add(before .. file.toolset)
    end
  end
end


--- Adds key=value for the parameters of the tool that the first argument names.
function VALUES.tool_argument(completion)
  local tool = completion.arguments[1] and find.callable({ mount = {} }, completion.arguments[1])
  local properties = tool and type(tool.inputSchema.properties) == "table" and tool.inputSchema.properties or {}
  local key = completion.typed:match "^([^=]+)="
  if key then
    local property = properties[key] or {}
    for _, value in ipairs(property.enum or property.type == "boolean" and { "true", "false" } or {}) do
      completion.add(key .. "=" .. tostring(value))
    end
    return
  end
  local used, names = {}, {}
  for _, word in ipairs(completion.arguments) do used[word:match "^[^=:]+" or ""] = true end
  for name in pairs(properties) do names[#names + 1] = name end
  table.sort(names)
  completion.directive = "nospace"
  for _, name in ipairs(names) do
    if not used[name] then completion.add(name .. "=", properties[name].description) end
  end
end


--- Adds candidates for the value of an option or argument. `before` is the part of the same word before it, for example
-- --mode=.
local function add_values(completion, declared, before)
  local own = setmetatable({
    typed = completion.typed:sub(#before + 1),
    add   = function(value, about) completion.add(before .. value, about) end,
  }, { __index = completion, __newindex = completion })
  if declared.enum then
    local list = declared[2] == "list" and own.typed:match "^(.*,)[^,]*$" or ""
    for _, value in ipairs(declared.enum) do own.add(list .. value) end
  elseif VALUES[declared[2]] then
    VALUES[declared[2]](own)
  end
end


-- --- the command line -------------------------------------------------------------------------

local function option_of(list, word)
  local name, letter = word:match "^%-%-([^=]+)", word:match "^%-(%w)$"
  for _, option in ipairs(list) do
    if name and option[1] == name or letter and option.letter == letter then return option end
  end
end


local function add_options(completion, list)
  for _, option in ipairs(list) do
    if option[3] and option[1] then completion.add("--" .. option[1], option[3]) end
  end
end


--- Walks the words before the last one: words that are not options go to completion.arguments. Returns the option whose value
-- is missing, if there is one.
local function walk(completion, list)
  local waiting
  for _, word in ipairs(completion.words) do
    if waiting then
      waiting = nil
    elseif word:sub(1, 1) == "-" and #word > 1 then
      local option = option_of(list, word)
      waiting = option and option[2] ~= "flag" and not word:find("=", 1, true) and option or nil
    else
      completion.arguments[#completion.arguments + 1] = word
    end
  end
  return waiting
end


local function argument_at(arguments, place)
  local last = arguments[#arguments]
  return arguments[place] or last and last.repeatable and last or nil
end


local function add_argument(completion, declared)
  local arguments, place = declared.arguments, #completion.arguments + 1
  if declared.subcommands then
    if place == 1 then
      for _, name in ipairs(declaration.subcommand_names(declared)) do
        completion.add(name, declared.subcommands[name].summary)
      end
      return
    end
    local subcommand = declared.subcommands[completion.arguments[1]]
    arguments, place = subcommand and subcommand.arguments, place - 1
  end
  local argument = argument_at(arguments or {}, place)
  if argument then add_values(completion, argument, "") end
end


local function add_all(completion, name)
  local declared = declaration.find(completion.host, name)
  if not declared then return end
  local list = declaration.spec(declared, completion.host.common).options
  local option = walk(completion, list)
  local before = completion.typed:match "^%-%-[^=]+="
  if option then
    add_values(completion, option, "")
  elseif before then
    option = option_of(list, completion.typed)
    if option and option[2] ~= "flag" then add_values(completion, option, before) end
  elseif completion.typed:sub(1, 1) == "-" then
    add_options(completion, list)
  else
    add_argument(completion, declared)
  end
end


---@param words string[]  behind "perigee"; the last one is being typed and may be empty
---@param host cli.Host
---@return cli.Candidate[] candidates
---@return string directive
function M.run(words, host)
  local typed, found = words[#words] or "", {}
  local completion = { typed = typed, words = table.move(words, 2, #words - 1, 1, {}), arguments = {}, host = host,
    directive = "default" }
  completion.add = function(value, about)
    if value:sub(1, #typed) == typed then found[#found + 1] = { value, about } end
  end
  if #words <= 1 then
    VALUES.command(completion)
  else
    add_all(completion, words[1])
  end
  return found, completion.directive
end


return M
