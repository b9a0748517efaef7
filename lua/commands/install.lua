--- perigee install: adds this program to an MCP client's configuration, or removes it.

local install = require "cli.install"
local list    = require "clients.list"


local function ids()
  local names = {}
  for i, client in ipairs(list.all) do names[i] = client.id end
  return names
end


---@type perigee.Command
return {
  summary     = "add Perigee to the configuration of an MCP client",
  description = [[
Adds an entry for this program, with its full path and the variables of this desktop session, to CLIENT's configuration, and shows
it. Every other entry stays as it is, comments included. A copy of your original file is kept beside it for good, with
.before-perigee at its end; later changes also keep the file just before them, with .before-perigee-last. Without CLIENT,
lists the clients and whether each has the entry.

Run it in a terminal of the desktop session: clients do not pass DISPLAY on to servers.]],
  arguments   = { { "client", "string", "the client", optional = true, enum = ids() } },
  options     = {
    { "remove", "flag", "remove the entry" },
    { "dry-run", "flag", "only show what would be written", letter = "n" },
    { "project", "flag", "write the file of the project in the current directory, if the client has one" },
    { "file", "file", "write this file instead of the client's" },
    { "name", "string", "the name of the entry", default = "perigee" },
    { "serve", "string", "an option for `perigee serve`, for example --serve=--lean", value = "OPTION", repeatable = true },
    { "json", "flag", "print one JSON object: client, file, changed, copy, original, entry" },
  },
  notes       = "Exit status: 0 success, 1 the file cannot be read, understood or written, 2 usage error",
  stoppable   = false,

  run = function(args, io)
    if args.client then return install.run(list.find(args.client), args, io) end
    for _, option in ipairs { "remove", "project", "file" } do
      if args[option] then return nil, ("--%s needs a client: %s"):format(option, table.concat(ids(), ", ")), "usage" end
    end
    return install.list(args, io)
  end,

  examples = {
    { "shows the entry", args = { "cursor", "--dry-run" }, env = { HOME = "/home/me", DISPLAY = ":0" },
      given = { ["sys.env.platform"] = "linux" },
      has = { "/home/me/.cursor/mcp.json", '"command": "/usr/bin/perigee"', '"DISPLAY": ":0"' } },
    { "keeps what is there", args = { "vscode", "--json" },
      env = { HOME = "/home/me", DISPLAY = ":0" }, given = { ["sys.env.platform"] = "linux", ["sys.fs.copy"] = true },
      files = { ["/home/me/.config/Code/User/mcp.json"] = '{\n\t// mine\n\t"servers": { "x": {"command": "x"}, },\n}\n' },
      has = { '"changed":true' } },
    { "removes it", args = { "codex", "--remove" }, env = { HOME = "/home/me" },
      given = { ["sys.env.platform"] = "linux", ["sys.fs.copy"] = true },
      files = { ["/home/me/.codex/config.toml"] = 'model = "o4"\n\n[mcp_servers.perigee]\ncommand = "x"\n' },
      saved = { ["/home/me/.codex/config.toml"] = 'model = "o4"\n' } },
    { "shows the entry where the file cannot be understood", args = { "zed" }, status = 1,
      env = { HOME = "/home/me" }, given = { ["sys.env.platform"] = "linux" },
      files = { ["/home/me/.config/zed/settings.json"] = '{ "a" 1 }' },
      err = "line 1: ':' is expected" },
    { "knows the clients", args = { "emacs" }, status = 2, err = "CLIENT takes claude-code, claude-desktop" },
    { "lists them", args = { "--json" }, env = { HOME = "/home/me" }, given = { ["sys.env.platform"] = "linux" },
      files = { ["/home/me/.gemini/settings.json"] = '{"mcpServers":{"perigee":{"command":"x"}}}' },
      has = { '"client":"gemini"' } },
  },
}
