--- perigee state: shows what a running engine keeps in sys.state.

local engines = require "cli.engines"
local text    = require "terminal.text"

local SHOWN = 6   -- names in a row


local function some(names)
  if #names <= SHOWN then return table.concat(names, ", ") end
  return ("%s and %d more"):format(table.concat(names, ", ", 1, SHOWN), #names - SHOWN)
end


local function print_states(io, states, whole)
  for _, each in ipairs(states) do
    local users = #each.users > 0 and "  opened by " .. some(each.users) or ""
    io:print(text.paint(io.color, "bold", each.name) .. text.clean(users))
    if whole then
      io:print("  " .. text.clean((each.value:gsub("\n", "\n  "))))
    else
      io:print("  " .. text.clean(#each.keys > 0 and some(each.keys) or "empty"))
    end
  end
end


local function run(args, io)
  local client <close>, pid, code = engines.attach(args.pid, io)
  if not client then return nil, pid, code end
  local result, err
  result, err, code = engines.ask(client, pid, "console_state", { name = args.name })
  if not result then return nil, err, code end
  if args.json then
    io:json(result.states)
  elseif #result.states == 0 then
    io:print "Nothing has been kept in sys.state since this engine began."
  else
    print_states(io, result.states, args.name ~= nil)
  end
  return 0
end


local function engine_of(states)
  return { ["sys.console.engines"] = { n = 1, { { pid = 4711, socket = "/run/4711.console" } } },
    ["sys.mcp.connect"] = function()
      return setmetatable({ call = function() return { structuredContent = { states = states }, text = "" } end },
        { __close = function() end })
    end }
end


---@type perigee.Command
return {
  summary     = "show what tools keep in a running engine",
  description = "Lists the tables of sys.state that a running engine holds: what its files remember from one call to the next. "
             .. "NAME shows what is in the table of that name, or in those that calls of the tool of that name opened.",
  arguments   = { { "name", "tool", "a table of sys.state, or a tool", optional = true } },
  options     = {
    { "pid", "integer", "the engine's process id, as `perigee ps` shows it", minimum = 1, absent = "the only one" },
    { "json", "flag", "print one JSON list of objects: name, entries, keys, users; with NAME also value, the table as Lua text" },
  },
  notes       = "Exit status: 0 success, 1 no engine can be reached, or there is no such state, 2 usage error",
  stoppable   = false,
  run         = run,

  examples = {
    { "lists tables", args = {}, out = "desktop  opened by list_windows\n  apps, named\n",
      given = engine_of { { name = "desktop", entries = 2, keys = { "apps", "named" }, users = { "list_windows" } } } },
    { "shows one", args = { "desktop" }, out = "desktop\n  { named = {} }\n",
      given = engine_of { { name = "desktop", entries = 1, keys = { "named" }, users = {}, value = "{ named = {} }" } } },
    { "says that nothing is kept", args = {}, out = "Nothing has been kept in sys.state since this engine began.\n",
      given = engine_of {} },
  },
}
