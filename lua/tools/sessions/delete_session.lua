--- Deletes a session with all that it keeps.

local ids      = require "sessions.ids"
local s        = require "schema"
local sessions = require "sessions.sessions"
local telling  = require "sessions.telling"


---@param args {name: string, force: boolean}
---@param call Call
local function run(args, call)
  local session, err, code = sessions.find(args.name)
  if not session then return telling.failure(err, code) end
  local ok
  ok, err, code = sessions.delete(session, args.force)
  if not ok then return telling.failure(err, code) end
  return telling.result(call, ("Deleted %s with its calls and results."):format(ids.full(session)),
    { name = ids.full(session), deleted = true })
end


local TAXES = { id = 3, name = "taxes", display_name = "Taxes 2026", metadata = {}, created = 1795312800, used = 1795316400 }


---@type Tool
return {
  title        = "Delete a session",
  description  = "Delete a session that this client made, with its calls and results. References to them fail from then on. It "
              .. "cannot be undone. To leave a session and keep it, use get_session with use=false.",
  inputSchema  = s.object {
    { "name", telling.name_parameter() },
    { "force", s.boolean("Also while a call of it is running.", { default = false }) },
  },
  outputSchema = s.object { { "name", s.string() }, { "deleted", s.boolean() } },
  about        = { "nothing", name = "nothing" },
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = false },
  from         = "own",
  listed       = false,
  codes        = telling.codes("SESSION_NOT_FOUND", "SESSION_AMBIGUOUS", "SESSION_BUSY", "NOT_YOURS", "READ_ONLY"),

  run = run,

  examples = {
    { "one of this client's",
      given = { ["sessions.sessions.find"] = TAXES, ["sessions.sessions.delete"] = true,
                ["sessions.sessions.note"] = { n = 1, false } },
      args  = { name = "taxes" }, has = { "Deleted sessions/taxes with its calls and results." },
      want  = { name = "sessions/taxes", deleted = true } },
    { "one with a running call",
      given = { ["sessions.sessions.find"] = TAXES, ["sessions.sessions.delete"] = { n = 3, false,
                  "sessions/taxes has 1 running call, whose result would be lost. Wait for it, or pass force.",
                  "session_busy" } },
      args  = { name = "taxes" }, err = "Wait for it, or pass force.", code = "SESSION_BUSY" },
  },
}
