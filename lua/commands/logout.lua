--- perigee logout: removes tokens.

local gmail = require "mail.gmail.command"
local login = require "cli.login"


---@type perigee.Command
return {
  summary     = "forget the tokens for an MCP server",
  usage       = { "logout URL", "logout gmail", "logout --all" },
  description = "Forgets the tokens for this server, and revokes them if the authorization server supports that. --all forgets "
             .. "every token and client, even if the file is damaged, and revokes nothing. The login of `perigee login gmail` "
             .. "is apart: `perigee logout gmail` forgets it.",
  arguments   = { { "url", "url", "the server", optional = true } },
  options     = { { "all", "flag", "forget everything" } },
  role        = "client",
  stoppable   = false,

  run = function(args, io)
    if not args.url and not args.all then return nil, "the server's URL is missing", "usage" end
    if args.url and args.all then return nil, "--all takes no URL", "usage" end
    if args.url == "gmail" then return gmail.logout(io) end
    return login.logout(args.url, io)
  end,

  examples = {
    { "forgets one", args = { "https://s/mcp" }, out = "Logged out of https://s/mcp.\n", given = { ["oauth.logout"] = 1 },
      did = { "oauth.logout https://s/mcp" } },
    { "forgets all", args = { "--all" }, out = "Everything is forgotten.\n", given = { ["oauth.logout_all"] = true } },
  },
}
