--- The log of an engine, as it comes: for `perigee log`.

local console = require "sys.console"
local engine  = require "sys.engine"
local json    = require "sys.json"
local s       = require "schema"


--- The tool's own name. The caller may have used an alias.
local function named(name)
  local tool = engine.tool(name)
  if tool then return tool.name end
  local names = {}
  for i, each in ipairs(engine.tools()) do names[i] = each.name end
  return nil, ("There is no tool %q%s"):format(name, require("nearest").question(name, names, "; ")), "unknown_tool"
end


---@param args {last?: integer, follow?: boolean, level?: string, tool?: string, calls?: boolean}
local function run(args)
  if args.tool then
    local name, err, code = named(args.tool)
    if not name then return nil, err, code end
    args.tool = name
  end
  local reader <close> = console.read_log { last = args.last, level = args.level, tool = args.tool, calls = args.calls }
  if not args.follow then
    local all, lines = {}, reader:read()
    while #lines > 0 do
      table.move(lines, 1, #lines, #all + 1, all)
      lines = reader:read()
    end
    return { lines = json.array(all) }
  end
  while true do
    local lines, lost = reader:next()
    local ok, err, code = console.tell("log", { lines = lines, lost = lost })
    if not ok then return nil, err, code end
  end
end


---@type Tool
return {
  title       = "Read the engine's log",
  description = "Read the last lines of this engine's log, or follow it: then each batch of lines comes as the notification "
             .. "notifications/perigee/log, until the call is cancelled. For the console of an engine.",
  inputSchema = s.object {
    { "last", s.integer("How many lines to begin with.", { minimum = 0, maximum = 1000, default = 20 }) },
    { "follow", s.boolean("Go on with the lines that come.", { default = false }) },
    { "level", s.enum({ "debug", "info", "warning", "error" }, "The least level.", { default = "info" }) },
    { "tool", s.string("Only lines of this tool's calls.", { optional = true }) },
    { "calls", s.boolean("Add a line for each call that ends.", { default = false }) },
  },
  about       = { "nothing" },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = run,

  examples = {
    { "reads the last lines",
      given = { ["sys.engine.tool"] = { name = "echo" }, ["sys.console.read_log"] = function(options)
        local lines = { { time = 1, level = "info", tool = options.tool, text = "said" } }
        return setmetatable({ read = function()
          local now = lines
          lines = {}
          return now, 0
        end }, { __close = function() end })
      end },
      args  = { tool = "say", last = 5 },
      want  = { lines = { { time = 1, level = "info", tool = "echo", text = "said" } } } },
    { "knows the tools",
      given = { ["sys.engine.tool"] = false, ["sys.engine.tools"] = { { name = "echo" } } },
      args  = { tool = "ecko" },
      err   = 'There is no tool "ecko"; did you mean echo?',
      code  = "unknown_tool" },
    { "tells what comes",
      given = { ["sys.console.read_log"] = function()
                  return setmetatable({ next = function() return { { text = "said" } }, 0 end }, { __close = function() end })
                end,
                ["sys.console.tell"] = { n = 3, false, "it is gone", "no_client" } },
      args  = { follow = true },
      err   = "it is gone",
      did   = { "console.read_log", "console.tell log lines={{text=said}} lost=0" } },
  },
}
