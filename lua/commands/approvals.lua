--- perigee approvals: lists the user's approvals, and revokes them. lua/lib/cli/policy.lua does the work.

local command = require "cli.policy"


---@type perigee.Command
return {
  summary     = "list what you approved, and revoke it",
  description = "Where the policy says \"ask\", you may allow something for a while. This lists what is allowed now; what is "
             .. "revoked is asked about again at once, in every running engine.",
  default     = "list",
  subcommands = {
    list   = { summary = "list what is approved now", run = command.list_approvals },
    revoke = { summary = "take approvals back",
               arguments = { { "id", "string", "the approval, by its first characters", optional = true, repeatable = true } },
               run = command.revoke },
  },
  options     = {
    { "json", "flag", "list: print one JSON object" },
    { "all", "flag", "revoke: all of them" },
  },
  stoppable   = false,

  examples = {
    { "says that there is nothing", args = {}, out = "nothing is approved\n", given = { ["sys.policy.approvals"] = "" } },
    { "wants to know which", args = { "revoke" }, status = 2, err = "which?", given = {} },
    { "knows what there is", args = { "revoke", "abc" }, status = 1, err = 'no approval begins with "abc"',
      given = { ["sys.policy.approvals"] = "" } },
  },
}
