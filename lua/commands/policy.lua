--- perigee policy: explains which calls are allowed, for whom, and why. lua/lib/cli/policy.lua does the work.

local command  = require "cli.policy"
local examples = require "testing.examples"

local KINDS = { "client", "agent", "http", "oauth", "terminal", "script", "engine" }
local SOURCES = { "screen", "clipboard", "web", "mount", "file" }


---@type perigee.Command
return {
  summary     = "check, explain and test the policy",
  description = "The policy is policy.lua in ~/.config/perigee, or the one that comes with the program. It says which calls are "
             .. "allowed, asked about and denied (docs/policy.md).",
  default     = "check",
  subcommands = {
    check   = { summary = "say whether the policy loads, and what in it means nothing", run = command.check },
    explain = { summary = "say which rule decides about a call, which is not made",
                arguments = { { "tool", "tool", "the tool, or the URI of a resource",
                                missing = "which tool? Run `perigee tools` for the list" },
                              { "arguments", "tool_argument", "its arguments, as for `perigee call`", optional = true,
                                repeatable = true } },
                run = command.explain },
    test    = { summary = "run the examples in the policy", run = function(args, io)
      command.warn(io)
      return examples.run({ "policy.lua" }, args.json and "json" or args.tap and "tap" or "people", io)
    end },
  },
  options     = {
    { "caller", "string", "explain: who calls", enum = KINDS, absent = "client" },
    { "client", "string", "explain: what the client calls itself", value = "NAME" },
    { "subject", "string", "explain: whom its token was issued to", value = "NAME" },
    { "via", "string", "explain: a tool whose call led to it", repeatable = true, value = "TOOL" },
    { "app", "string", "explain: what it is about, where the desktop is not to be asked", repeatable = true, value = "NAME" },
    { "from", "string", "explain: where strings in its arguments are from", enum = SOURCES, repeatable = true },
    { "args", "string", "explain: all arguments as one JSON object", value = "JSON" },
    { "json", "flag", "explain and test: print one JSON object" },
    { "tap", "flag", "test: print the Test Anything Protocol" },
  },
  notes       = "Exit status: 0 success, 1 the policy does not load, or an example failed, 2 usage error",
  stoppable   = false,

  examples = {
    { "explains", args = { "explain", "click", "--json" }, has = { '"verdict":"ask"', '"rule":2' },
      given = { ["sys.engine.tools"] = {}, ["sys.engine.tool"] = { name = "click", inputSchema = { type = "object" } },
                ["sys.files.list"] = { { kind = "policy", path = "/p/policy.lua" } }, ["sys.files.table"] = { rules = {} },
                ["sys.policy.subject"] = { kind = "tool", name = "click" },
                ["sys.policy.decider"] = function()
                  local rule = { verdict = "ask", number = 2, reason = "", per = { "tool" }, minutes = 15 }
                  return function(what) return what == "candidates" and function() return {} end or rule end
                end } },
    { "says what is wrong with it", args = { "check" }, status = 1, err = "/p/policy.lua: rules[1]: unknown key 'tol'",
      given = { ["sys.engine.tools"] = {}, ["sys.files.list"] = { { kind = "policy", path = "/p/policy.lua" } },
                ["sys.policy.decider"] = { n = 3, false, "rules[1]: unknown key 'tol'", "policy_broken" } } },
    { "warns of a name that means nothing", args = { "check" },
      has = { "/p/policy.lua: warning: rule 1: there is no tool \"clik\"; did you mean click?",
              "1 rule, otherwise deny; 1 warning" },
      given = { ["sys.engine.status"] = { roots = { "/shipped" } },
                ["sys.engine.tools"] = { { name = "click", toolset = "desktop" } }, ["sys.engine.prompts"] = {},
                ["sys.policy.subject"] = { kind = "tool", name = "click" }, ["sys.mcp.servers"] = {},
                ["sys.files.list"] = { { kind = "policy", path = "/p/policy.lua" } },
                ["sys.files.table"] = { rules = { { allow = true, tool = "clik" } }, otherwise = "deny" },
                ["sys.policy.decider"] = function() return function() end end } },
  },
}
