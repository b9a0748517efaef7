--- The tables that files keep in sys.state: for `perigee state`.

local engine  = require "sys.engine"
local inspect = require "inspect"
local json    = require "sys.json"
local nearest = require "nearest"
local s       = require "schema"
local state   = require "sys.state"

local DEPTH = 6      -- levels of nested tables that are shown
local LONG  = 20000  -- bytes of a table that are shown


local function count(value)
  local n = 0
  for _ in pairs(value) do n = n + 1 end
  return n
end


local function described(each, whole)
  local value = state.open(each.name)
  local keys = {}
  for key in pairs(value) do keys[#keys + 1] = tostring(key) end
  table.sort(keys)
  local shown = whole and inspect(value, { depth = DEPTH }) or nil
  if shown and #shown > LONG then shown = shown:sub(1, utf8.offset(shown, 0, LONG) - 1) .. " ... (cut)" end
  return { name = each.name, entries = count(value), keys = json.array(keys), users = json.array(each.users), value = shown }
end


local function all()
  local list = {}
  for _, each in ipairs(state.list()) do
    if each.name ~= "console" and each.name ~= "services" then list[#list + 1] = each end -- other commands show those
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end


--- The tables with this name, or those that calls of the tool with this name opened.
local function of(list, name)
  local found, tool = {}, engine.tool(name)
  for _, each in ipairs(list) do
    local opened = each.name == name
    for _, user in ipairs(each.users) do opened = opened or tool ~= nil and user == tool.name end
    if opened then found[#found + 1] = each end
  end
  return found, tool
end


---@param args {name?: string}
local function run(args)
  local list = all()
  local found, tool = list, nil
  if args.name then found, tool = of(list, args.name) end
  if args.name and #found == 0 then
    if tool then return nil, ("No call of %s has opened a state since this engine began."):format(tool.name), "not_found" end
    local names = {}
    for i, each in ipairs(list) do names[i] = each.name end
    for _, each in ipairs(engine.tools()) do names[#names + 1] = each.name end
    return nil, ("There is no state, and no tool, of the name %q%s"):format(args.name,
      nearest.question(args.name, names, "; ")), "not_found"
  end
  local tables = {}
  for i, each in ipairs(found) do tables[i] = described(each, args.name ~= nil) end
  return { states = json.array(tables) }
end


---@type Tool
return {
  title       = "Show what files keep",
  description = "List the tables of sys.state that this engine holds, with their keys and the tools that opened them; with a "
             .. "name show what is in one, or in those of a tool. For the console of an engine.",
  inputSchema = s.object {
    { "name", s.string("The name of a state, or of a tool.", { optional = true }) },
  },
  about       = { "nothing" },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = run,

  examples = {
    { "lists them",
      given = { ["sys.state.list"] = { { name = "desktop", users = { "list_windows" } } },
                ["sys.state.open"] = { named = {}, apps = {} } },
      args  = {},
      want  = { states = { { name = "desktop", entries = 2, keys = { "apps", "named" }, users = { "list_windows" } } } } },
    { "shows those of a tool",
      given = { ["sys.state.list"] = { { name = "desktop", users = { "list_windows" } }, { name = "ocr", users = {} } },
                ["sys.state.open"] = { named = { a = 1 } },
                ["sys.engine.tool"] = { name = "list_windows" } },
      args  = { name = "list_windows" },
      want  = { states = { { name = "desktop", value = "{ named = { a = 1 } }" } } } },
    { "says that there is none",
      given = { ["sys.state.list"] = { { name = "desktop", users = {} } }, ["sys.engine.tool"] = false,
                ["sys.engine.tools"] = { { name = "list_windows" } } },
      args  = { name = "desktp" },
      err   = 'There is no state, and no tool, of the name "desktp"; did you mean desktop?',
      code  = "not_found" },
  },
}
