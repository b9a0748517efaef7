--- perigee inspect: sums up an MCP server.

local inspect = require "cli.inspect"
local status  = require "cli.status"


---@type perigee.Command
return {
  summary     = "sum an MCP server up: its tools, prompts and resources",
  usage       = { "inspect [options] SERVER|FILE", "inspect [options] -- COMMAND..." },
  description = [[
Starts or reaches a server and shows its name, version, protocol and capabilities, its tools with one line each, its
prompts and its resources. SERVER is as for `perigee mcp`. FILE is a client's configuration (JSON): every server in it is shown;
or the file of a server: a program, or a script for python3, node or perigee (.py, .js, .mjs, .lua).]],
  arguments   = { { "server", "server", "a name of mcpServers, a URL, unix:/PATH or a file",
                    optional = true, unless = "command" } },
  rest        = "command",
  options     = {
    { "json", "flag", "print one JSON object: server, era, version, capabilities, instructions, tools, prompts, resources, "
                   .. "templates; for a configuration a list of them" },
    { "timeout", "seconds", "time limit in seconds for each answer", absent = "60" },
    { "header", "string", "a header to send with each request to a URL", letter = "H", value = "'NAME: VALUE'",
      repeatable = true },
    { "token", "string", "the bearer token for a URL; `perigee login URL` gets one", value = "TOKEN" },
    { "ca-file", "file", "certificates (PEM) to trust for a URL instead of the system's" },
    { "era", "string", "the protocol: legacy (initialize, up to 2025-11-25) or modern (2026-07-28)",
      enum = { "legacy", "modern", "auto" }, absent = "auto" },
  },
  notes       = "Exit status: 0 success, 1 a server cannot be reached or refuses, 2 no such server or file, 124 timeout, 130 "
             .. "interrupted",
  stoppable   = false,

  run = function(args, io) return status.caught(inspect.run, args, io) end,

  examples = {
    { "sums a server up", args = { "--", "node", "x.js" },
      out = "x 1.0\n  protocol      2025-11-25 (legacy)\n  capabilities  tools\n\ntools\n  echo  Echo a message\n",
      given = { ["sys.mcp.connect"] = function()
        local client = { server = { name = "x", version = "1.0" }, version = "2025-11-25", era = "legacy",
          capabilities = { tools = {} } }
        function client:list_tools() return { { name = "echo", description = "Echo a message" } } end
        return setmetatable(client, { __close = function() end })
      end } },
    { "says what is missing", args = {}, status = 2, err = "which server?" },
  },
}
