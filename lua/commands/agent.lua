--- perigee agent: joins a model and the tools of an MCP server. lua/lib/agent.lua does the work.

local agent     = require "agent"
local engine    = require "sys.engine"
local env       = require "sys.env"
local form      = require "cli.form"
local fs        = require "sys.fs"
local mounted   = require "agent.mounted"
local variables = require "cli.variables"
local words     = require "cli.words"


--- Returns the request if the user gives none.
---@return string? request
---@return string? err
local function default_request()
  local text, err = engine.text "agent_query"
  if not text then return nil, err end
  return (text:gsub("{system}", env.platform == "macos" and "macOS" or "Linux"))
end


--- Returns the journal of the run that is replayed; nil if a model decides.
local function replayed(args)
  return args.replay or (args.model or ""):match "^replay/(.+)$"
end


local function folder_of(path)
  local folder = path:match "^(.*)/[^/]*$"
  return folder == "" and "/" or folder or "."
end


--- Lets the agent write its log and journal, and read the journal that it replays, wherever they are.
local function grant(args, io)
  local ok, err, code = true, nil, nil
  if args.log then ok, err, code = io:grant(folder_of(args.log), "write") end
  if ok and args.journal then ok, err, code = io:grant(args.journal, "write") end
  local journal = replayed(args)
  -- A journal in the current directory, which is granted already, must not become read-only.
  if not ok or not journal or fs.resolve(journal) then return ok, err, code end
  ok, err, code = io:grant(folder_of(journal), "read")
  return ok, err and ("the journal %s: %s"):format(journal, err), code
end


--- Returns this program as a server, with the roots and directories that were passed to it, and the toolsets that are for its own
--- tools.
---@param servers boolean  true: it only mounts the servers that --server or --servers names
local function own_server(args, io, servers)
  local list = { "serve", "--log-calls" }
  local function add(option, values)
    for _, value in ipairs(values) do table.move({ option, value }, 1, 2, #list + 1, list) end
  end
  add("--root", args.root)
  add("--grant", { ".", table.unpack(args.grant) })
  add("--mount", servers and { "all" } or args.mount)
  add("--config", { args.servers or args.config })
  add("--toolset", { not servers and args.toolset and table.concat(args.toolset, ",") or nil })
  if servers then list[#list + 1] = "--no-services" end
  if args.no_user_root then list[#list + 1] = "--no-user-root" end
  if args.dry_run then list[#list + 1] = "--dry-run" end
  if args.verbose then list[#list + 1] = "--verbose" end
  return { command = io.program, args = list }
end


--- Returns the server that --server names, by a name that it gets.
local function named(args)
  local list = words.split(args.server)
  if not list then return nil, ("a quote in --server is not closed: %s"):format(args.server), "usage" end
  if #list == 0 then return nil, '--server is a command, for example --server "node server.js"', "usage" end
  local spec = { command = list[1], args = table.move(list, 2, #list, 1, {}) }
  local ok, err = variables.add(args, spec)
  if not ok then return nil, err, "usage" end
  return { [mounted.name(spec)] = spec }
end


---@return table? server  false if none is needed
---@return string? err
---@return string? code
local function server_of(args, io)
  if replayed(args) and not args.server and not args.servers then return false end
  local own = own_server(args, io, args.server ~= nil or args.servers ~= nil)
  local specs, err, code
  if args.server then
    specs, err, code = named(args)
  elseif args.servers then
    specs, err, code = mounted.read(args.servers)
  end
  if err then return nil, err, code end
  mounted.add(own, specs, io.interactive)
  return own
end


local function run(args, io)
  local request = table.concat(args.request, " ")
  if args.server and args.servers then return nil, "--server and --servers exclude each other", "usage" end
  if args.dry_run and (args.server or args.servers or replayed(args)) then
    return nil, "--dry-run is for the default server. Leave out --server, --servers and --replay", "usage"
  end
  if #args.env > 0 and not args.server then
    return nil, "--env is for --server. The default server has all variables; in a file of --servers each has its env", "usage"
  end
  if request == "" and #args.request > 0 then return nil, "what shall it do? Say it in quotes", "usage" end
  local ok, err, code
  if request == "" and not replayed(args) then request, err = default_request() end
  if not request then return nil, err end
  ok, err, code = grant(args, io)
  if not ok then return nil, err, code end
  local server
  server, err, code = server_of(args, io)
  if server == nil then return nil, err, code end
  args.run = {
    request = request ~= "" and request or nil, prompt = args.prompt, model = args.model, server = server or nil,
    max_turns = args.max_turns, log = args.log, journal = args.journal, replay = args.replay,
    json = args.json, terminal = io.stderr_terminal, color = io.color and io.stderr_terminal,
    output = function(text)
      io.answered = true
      io:write(text)
    end,
    progress = function(text) io:say(text) end,
    elicit = io.interactive and form.ask or nil,   -- the questions of tools, and of the policy
  }
  local outcome = agent.run(args.run)
  if outcome.ok then return 0 end
  local status = outcome.reason == "usage" and 2 or outcome.reason == "tool_error" and 3 or 1
  if io.stderr_terminal and not args.json and status ~= 2 then return status end -- the progress already shows the message
  return nil, outcome.message, status
end


---@type perigee.Command
return {
  summary     = "let a model do something with the tools of an MCP server",
  usage       = { 'agent [options] ["REQUEST"]', "agent [options] --replay FILE" },
  description = "Starts an MCP server, gives a model its tools, and makes the calls that the model asks for until the model is "
             .. "done. Without --model it takes the first of gemini, openai, anthropic and ollama for which the environment "
             .. "has a key or a URL, otherwise a rule-based offline planner. Without a request it does that of "
             .. "prompts/agent_query.lua: it draws a rectangle on a slide and writes a greeting in it. The model's final answer "
             .. "is printed on stdout, and what happens on stderr.",
  arguments   = { { "request", "string", "what shall be done", optional = true, repeatable = true } },
  options     = {
    { "model", "string", "the model, for example gemini/gemini-2.0-flash; without MODEL the provider's default",
      value = "PROVIDER/MODEL" },
    { "prompt", "prompt", "a file of prompts/", absent = "one that fits the tools" },
    { "server", "string", "the MCP server and its arguments", value = "COMMAND", absent = "perigee serve" },
    variables.OPTION,
    { "servers", "file", "several servers, from the mcpServers of a JSON file" },
    { "dry-run", "flag", "only say what the calls would do; the default server acts on a copy of the desktop" },
    { "max-turns", "integer", "replies of the model", minimum = 1, maximum = 1000, absent = "8" },
    { "log", "file", "the log file", absent = "logs/agent.log" },
    { "journal", "directory", "where the journal of each run is stored", absent = "logs/runs" },
    { "replay", "file", "repeat the run of a journal without a model; with --server its calls are made again, otherwise they "
                     .. "return the recorded results" },
    { "json", "flag", "print every event as a line of JSON" },
  },
  notes       = "--root, --toolset, --grant and --no-user-root apply to the agent and its default server. The default server has "
             .. "the agent's environment; others get no keys and tokens, only what every program needs and --env.\n\nExit "
             .. "status: 0 the model says it is done and something was done, 1 failure, 2 usage error, 3 a tool's error ended "
             .. "the run, 130 interrupted",
  role        = "client",
  stoppable   = false, -- its server sends the input
  run         = run,
  cancelled   = function(args, _, place)
    if args.run then agent.cancelled(args.run, place) end -- log and journal record how it ended
  end,

  examples = {
    { "runs a request with its own server", args = { "--toolset", "keynote", "Draw", "a box" },
      given = { ["agent.run"] = function(options)
        local ours = table.concat(options.server.args, " ")
        return { ok = options.request == "Draw a box" and ours == "serve --log-calls --grant . --toolset keynote" }
      end } },
    { "tries it on a copy of the desktop", args = { "--dry-run", "Draw", "a box" },
      given = { ["agent.run"] = function(options)
        return { ok = table.concat(options.server.args, " ") == "serve --log-calls --grant . --dry-run" }
      end } },
    { "has no dry run of other servers", args = { "--dry-run", "--server", "other", "Draw" }, status = 2,
      err = "--dry-run is for the default server. Leave out --server, --servers and --replay" },
    { "says what failed", args = { "Draw" }, status = 3, err = "perigee agent: The tool failed.",
      given = { ["agent.run"] = { ok = false, reason = "tool_error", message = "The tool failed." } } },
    { "has a request of its own, in a file", args = {}, given = {
      ["sys.engine.text"] = function(name) return "Do " .. name .. " on {system}" end,
      ["agent.run"] = function(options) return { ok = options.request:find "^Do agent_query on %u%w+$" ~= nil } end } },
    { "refuses an empty request", args = { "" }, status = 2, err = "what shall it do?" },
    { "takes the words of a server as a shell does", args = { "--server", "node 'my server.js' --x", "Do" },
      given = { ["sys.crypto.sha256"] = "\x3f\x2a", ["sys.crypto.hex"] = "3f2a", ["agent.run"] = function(options)
        local given = options.server.env.PERIGEE_AGENT_SERVERS
        return { ok = given:find('"command":"node"', 1, true) and given:find('"args":["my server.js","--x"]', 1, true) ~= nil }
      end } },
  },
}
