--- MCP clients: the files in which they keep their servers, the formats of these, and how clients are recognized. A new client
-- is a new row.

local M = {}

---@class clients.Client
---@field id      string    its name in `perigee install`
---@field title   string
---@field names   string[]  patterns of clientInfo.name, in lower case
---@field path    table<"linux"|"macos", string>  the path of its file; "~" is the home directory, "$XDG" that of configurations
---@field home?   {variable: string, path: string}  a variable that moves it, and the path below its value
---@field project? string   the path of its file for one project
---@field format  "json"|"toml"|"yaml"  json is edited with its comments and trailing commas kept
---@field key     string    the table or object that has an entry for each server
---@field entry?  fun(server: clients.Server): table  returns its entry for a server; default: command, args, env
---@field after   string    how the change takes effect

---@class clients.Server
---@field name    string
---@field command string
---@field args    string[]
---@field env     table<string, string>


---@type clients.Client[]
M.all = {
  { id = "claude-code", title = "Claude Code", names = { "^claude%-code" }, format = "json", key = "mcpServers",
    path = { linux = "~/.claude.json", macos = "~/.claude.json" }, project = ".mcp.json",
    home = { variable = "CLAUDE_CONFIG_DIR", path = ".claude.json" },
    entry = function(server) return { type = "stdio", command = server.command, args = server.args, env = server.env } end,
    after = "Start a new session; /mcp shows its state." },
  { id = "claude-desktop", title = "Claude Desktop", names = { "^claude%-ai", "^claude desktop" }, format = "json",
    key = "mcpServers",
    path = { linux = "$XDG/Claude/claude_desktop_config.json",
             macos = "~/Library/Application Support/Claude/claude_desktop_config.json" },
    after = "Quit Claude Desktop and start it again." },
  { id = "codex", title = "Codex", names = { "^codex" }, format = "toml", key = "mcp_servers",
    path = { linux = "~/.codex/config.toml", macos = "~/.codex/config.toml" }, project = ".codex/config.toml",
    home = { variable = "CODEX_HOME", path = "config.toml" },
    after = "Start a new session; /mcp shows its state." },
  { id = "cursor", title = "Cursor", names = { "^cursor" }, format = "json", key = "mcpServers",
    path = { linux = "~/.cursor/mcp.json", macos = "~/.cursor/mcp.json" }, project = ".cursor/mcp.json",
    after = "Cursor notices the change; Settings, MCP shows its state." },
  { id = "gemini", title = "Gemini CLI", names = { "^gemini" }, format = "json", key = "mcpServers",
    path = { linux = "~/.gemini/settings.json", macos = "~/.gemini/settings.json" }, project = ".gemini/settings.json",
    after = "Start a new session; /mcp shows its state." },
  { id = "goose", title = "goose", names = { "^goose" }, format = "yaml", key = "extensions",
    path = { linux = "$XDG/goose/config.yaml", macos = "~/.config/goose/config.yaml" },
    entry = function(server)
      return { enabled = true, type = "stdio", name = server.name, description = "Tools for this desktop",
               cmd = server.command, args = server.args, envs = server.env, timeout = 300 }
    end,
    after = "Start a new session." },
  { id = "kiro", title = "Kiro", names = { "^kiro" }, format = "json", key = "mcpServers",
    path = { linux = "~/.kiro/settings/mcp.json", macos = "~/.kiro/settings/mcp.json" }, project = ".kiro/settings/mcp.json",
    after = "Kiro notices the change; its panel of MCP servers shows its state." },
  { id = "lmstudio", title = "LM Studio", names = { "^lm%-?studio", "^lm studio" }, format = "json", key = "mcpServers",
    path = { linux = "~/.lmstudio/mcp.json", macos = "~/.lmstudio/mcp.json" },
    after = "LM Studio notices the change; the Program tab shows its state." },
  { id = "vscode", title = "VS Code", names = { "^visual studio code", "^vscode" }, format = "json", key = "servers",
    path = { linux = "$XDG/Code/User/mcp.json", macos = "~/Library/Application Support/Code/User/mcp.json" },
    project = ".vscode/mcp.json",
    entry = function(server) return { type = "stdio", command = server.command, args = server.args, env = server.env } end,
    after = "VS Code notices the change; the command MCP: List Servers starts it." },
  { id = "windsurf", title = "Windsurf", names = { "^windsurf", "^codeium" }, format = "json", key = "mcpServers",
    path = { linux = "~/.codeium/windsurf/mcp_config.json", macos = "~/.codeium/windsurf/mcp_config.json" },
    after = "Refresh the list of servers in Windsurf's settings." },
  { id = "zed", title = "Zed", names = { "^zed" }, format = "json", key = "context_servers",
    path = { linux = "$XDG/zed/settings.json", macos = "~/.config/zed/settings.json" }, project = ".zed/settings.json",
    entry = function(server)
      return { source = "custom", command = server.command, args = server.args, env = server.env }
    end,
    after = "Zed notices the change; the Agent panel's settings show its state." },
}


---@param id string
---@return clients.Client?
function M.find(id)
  for _, client in ipairs(M.all) do
    if client.id == id then return client end
  end
end


--- Returns the client with this name in clientInfo.
---@param name? string
---@return clients.Client?
function M.named(name)
  for _, client in ipairs(M.all) do
    for _, pattern in ipairs(client.names) do
      if (name or ""):lower():find(pattern) then return client end
    end
  end
end


--- Returns advice if a client started the server without a display; nil if no known client did.
---@param name? string  clientInfo.name
---@return string?
function M.display_advice(name)
  local client = M.named(name)
  if client then
    return ("%s did not pass DISPLAY on. Run `perigee install %s` in a terminal of your desktop session: it writes DISPLAY to "
      .. "%s's configuration"):format(client.title, client.id, client.title)
  end
  return name and ("%s did not pass DISPLAY on. Add DISPLAY to this server's \"env\" in its configuration"):format(name)
end


return M
