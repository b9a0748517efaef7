--- perigee login: gets tokens for an MCP server over HTTP.

local gmail = require "mail.gmail.command"
local login = require "cli.login"

local SECRET_BYTES = 4096


--- Returns a message about options that exclude each other; nil if there are none.
local function contradiction(args)
  if not args.url and not args.list then return "the server's URL is missing" end
  if args.url and args.list then return "--list takes no URL" end
  if args.json and not args.list then return "--json is for --list" end
  if args.client_secret_file and not args.client_id then return "--client-secret-file needs --client-id" end
  if args.client_credentials and not args.client_secret_file then
    return "--client-credentials needs --client-id and --client-secret-file"
  end
end


--- Reads the first line of the file, because editors and echo end it with a newline.
local function read_secret(args, io)
  if not args.client_secret_file then return true end
  local bytes, err, code = io:read(args.client_secret_file, SECRET_BYTES)
  if not bytes then return nil, err, code end
  args.client_secret = bytes:match "^[^\r\n]*"
  io:hide(args.client_secret)
  return true
end


---@type perigee.Command
return {
  summary     = "log in to an MCP server over HTTP, in the browser",
  usage       = { "login [options] URL", "login [--scope \"send read\"] [--no-browser] gmail", "login --list [--json]" },
  description = "Finds the server's authorization server, opens its login page and stores the tokens, private to you, in the "
             .. "state directory. From then on every MCP client of Perigee uses them, and renews them as long as the "
             .. "authorization server allows. Without a browser on this machine the URL is printed. `gmail` instead of a URL "
             .. "logs in to Gmail for the mail tools (docs/mail.md); --scope is then send, drafts, read or smtp (default: send).",
  arguments   = { { "url", "url", "the server", optional = true } },
  options     = {
    { "list", "flag", "list the stored tokens without their secrets" },
    { "json", "flag", "with --list: print one JSON list" },
    { "scope", "string", "ask for these permissions instead of those the server names", value = '"A B"' },
    { "client-id", "string", "the client that the authorization server's owner registered for you", value = "ID" },
    { "client-secret-file", "file", "the client's secret, if it has one; - reads stdin" },
    { "client-credentials", "flag", "log in as the client with its secret, without a browser and a person" },
    { "client-document", "url", "a client metadata document that identifies you", absent = "$PERIGEE_CLIENT_DOCUMENT" },
    { "redirect", "url", "where the browser returns to, on this machine",
      absent = "http://127.0.0.1:PORT/callback with a free port" },
    { "no-browser", "flag", "only print the URL" },
    { "timeout", "seconds", "time limit in seconds for the person at the browser", default = 300 },
  },
  notes       = "On a machine without a browser forward a port to it (ssh -L 8765:127.0.0.1:8765 HOST), log in with "
             .. "`--no-browser --redirect http://127.0.0.1:8765/callback`, and open the URL at home.",
  role        = "client",
  stoppable   = false,

  run = function(args, io)
    local wrong = contradiction(args)
    if wrong then return nil, wrong, "usage" end
    if args.list then return login.list(args.json, io) end
    if args.url == "gmail" then return gmail.login(args, io) end
    local ok, err, code = read_secret(args, io)
    if not ok then return nil, err, code end
    return login.login({
      url = args.url, client_id = args.client_id, client_secret = args.client_secret, client_document = args.client_document,
      redirect = args.redirect, scope = args.scope, no_browser = args.no_browser, unattended = args.client_credentials,
      timeout = args.timeout,
    }, io)
  end,

  examples = {
    { "lists tokens without their secrets", args = { "--list", "--json" },
      out = '[{"client_id":"c","issuer":"https://a","renews":true,"resource":"https://s/mcp","scope":"read","servers":'
         .. '["https://s/mcp"]}]\n',
      given = { ["oauth.list"] = { n = 1, { { resource = "https://s/mcp", issuer = "https://a", renews = true, granted = "read",
        access = "secret", servers = { ["https://s/mcp"] = true }, client = { id = "c" } } } } } },
    { "logs in to Gmail", args = { "--scope", "send read", "gmail" }, out = "",
      given = { ["mail.gmail.command.login"] = true } },
    { "needs a server", args = {}, status = 2, err = "the server's URL is missing" },
    { "needs a client for its secret", args = { "--client-secret-file", "x", "https://s" }, status = 2,
      err = "--client-secret-file needs --client-id" },
  },
}
