--- perigee mcp: the client, for any server. lua/lib/cli/mcp.lua does the work of the subcommands.

local mcp       = require "cli.mcp"
local status    = require "cli.status"
local variables = require "cli.variables"

local SERVER = { "server", "server", "a name of mcpServers, a URL or unix:/PATH", optional = true, unless = "command" }
local WORDS  = { "arguments", "string", "KEY=VALUE or KEY:=JSON, as for `perigee call`", optional = true, repeatable = true,
  value = "KEY=VALUE" }


--- Returns a function of cli.mcp, whose failures may end it at any depth.
local function verb(name)
  return function(args, io) return status.caught(mcp[name], args, io) end
end


--- Answers --help behind a tool of a server.
local function show_tool(args, io)
  local tool = args[#args.command > 0 and 2 or 3]
  if not tool then return nil end
  args.server, args.name = args[2], tool
  return status.caught(mcp.show, args, io)
end


---@type perigee.Command
return {
  summary     = "use another MCP server: list, call, read, ...",
  description = [[
SERVER is a name in mcpServers of ~/.config/perigee/mcp.json, the URL of a server, unix:/PATH (a socket of `perigee serve --http
unix:/PATH`), or it is left out and the command that starts one follows after --:

    perigee mcp call echo message=hi -- npx -y @modelcontextprotocol/server-everything]],
  subcommands = {
    servers  = { summary = "list the servers of the configuration", run = verb "servers" },
    info     = { summary = "show what a server says of itself", arguments = { SERVER }, run = verb "info" },
    list     = { summary = "list tools, prompts, resources and templates, or one of these",
                 arguments = { SERVER, { "kind", "string", "what to list", optional = true,
                                         enum = { "tools", "prompts", "resources", "templates", "all" } } }, run = verb "list" },
    show     = { summary = "show one tool or prompt with its parameters",
                 arguments = { SERVER, { "name", "string", "the tool or prompt",
                                         missing = "which tool or prompt? `perigee mcp list SERVER` lists them" } },
                 run = verb "show" },
    call     = { summary = "call a tool",
                 arguments = { SERVER, { "tool", "string", "the tool",
                                         missing = "which tool? `perigee mcp list SERVER tools` lists them" }, WORDS },
                 run = verb "call", help = show_tool },
    read     = { summary = "read a resource",
                 arguments = { SERVER, { "uri", "string", "of the resource",
                                         missing = "which resource? `perigee mcp list SERVER resources` lists them" } },
                 run = verb "read" },
    prompt   = { summary = "render a prompt",
                 arguments = { SERVER, { "name", "string", "the prompt",
                                         missing = "which prompt? `perigee mcp list SERVER prompts` lists them" }, WORDS },
                 run = verb "prompt" },
    complete = { summary = "show what completes an argument of a prompt or a resource template",
                 arguments = { SERVER, { "kind", "string", "of what", enum = { "prompt", "resource" } },
                               { "name", "string", "of the prompt, or the template" }, { "argument", "string", "its name" },
                               { "value", "string", "how it begins", optional = true } },
                 run = verb "complete" },
    watch    = { summary = "print what changes, one event a line, until Ctrl-C",
                 arguments = { SERVER, { "uris", "string", "resources to subscribe to", optional = true, repeatable = true,
                                         value = "URI" } },
                 run = verb "watch" },
    ping     = { summary = "measure a round trip", arguments = { SERVER }, run = verb "ping" },
  },
  default     = "servers",
  rest        = "command",
  options     = {
    { "json", "flag", "print JSON on one line; of watch a line for each event" },
    { "args", "string", "all arguments as one JSON object; @FILE reads it from a file, - from stdin; KEY=VALUE words come on "
                     .. "top", value = "JSON" },
    { "output", "file", "save the first image, sound or file of the result; - for stdout", letter = "o" },
    { "timeout", "seconds", "time limit in seconds for each answer", absent = "60" },
    { "task", "flag", "call the tool as a task if the server supports it: for tools that take long" },
    { "header", "string", "a header to send with each request to a URL", letter = "H", value = "'NAME: VALUE'",
      repeatable = true },
    variables.OPTION,
    { "token", "string", "the bearer token for a URL; `perigee login URL` gets one", value = "TOKEN" },
    { "ca-file", "file", "certificates (PEM) to trust for a URL instead of the system's" },
    { "era", "string", "the protocol: legacy (initialize, up to 2025-11-25) or modern (2026-07-28)",
      enum = { "legacy", "modern", "auto" }, absent = "auto" },
    { "yes", "flag", "answer the server's questions with their defaults", letter = "y" },
  },
  notes       = "Exit status: 0 success, 1 the server cannot be reached or refuses, 2 no such server, tool or parameter, 3 the "
             .. "tool returned an error, 124 timeout, 130 interrupted",
  stoppable   = false,
  acts        = true,

  examples = {
    { "lists the servers of the configuration", args = { "--json" }, out = '[{"command":"node","name":"fs"}]\n',
      given = { ["sys.mcp.servers"] = { fs = { command = "node" } } },
      did = { "mcp.servers /home/me/.config/perigee/mcp.json" } },
    { "names the nearest server", args = { "list", "sf" }, status = 2, err = 'there is no server "sf"; did you mean fs?',
      given = { ["sys.mcp.servers"] = { fs = { command = "node" } } } },
    { "calls a tool of a command", args = { "call", "echo", "text=hi", "--", "node", "x.js" }, out = "hi\n",
      given = { ["sys.mcp.connect"] = function(spec)
        local client = { list_tools = function() return { { name = "echo", inputSchema = { type = "object" } } } end }
        function client:call(name, given)
          return { content = { { type = "text", text = spec.command == "node" and name == "echo" and given.text } }, text = "hi" }
        end
        return setmetatable(client, { __close = function() end })
      end } },
    { "says what is missing", args = { "call", "fs" }, status = 2, err = "which tool?" },
  },
}
