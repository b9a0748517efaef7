--- Makes a session. This client's calls are kept in it from then on.

local ids      = require "sessions.ids"
local s        = require "schema"
local sessions = require "sessions.sessions"
local telling  = require "sessions.telling"


---@param args sessions.Wanted
---@param call Call
local function run(args, call)
  local session, err, code = sessions.create(args)
  if not session then return telling.failure(err, code) end
  return telling.result(call, ("Created %s. Until this connection ends, its calls are kept there: @@ref_r1__PATH stands for a "
    .. "part of a result."):format(telling.line(session)), telling.about(session))
end


---@type Tool
return {
  title        = "Create a session",
  description  = "Create a session that keeps this client's calls with their results, also when the server ends. Results get ids "
              .. "r1, r2 and so on: an argument @@ref_r1__windows[0].title stands for that value. Another client that knows the "
              .. "id can share it. To go on with an earlier one, use get_session with use.",
  inputSchema  = s.object {
    { "session_id", s.string("Its id. Default: one that cannot be guessed.", { optional = true, maxLength = 64,
      pattern = ids.PATTERN }) },
    { "display_name", s.string("For people. Default: the id.", { optional = true, minLength = 1, maxLength = 200 }) },
    { "metadata", s.map("Any JSON to keep with it, up to 16 kB.", { optional = true }) },
  },
  outputSchema = s.object(telling.fields()),
  about        = { "nothing" },
  annotations  = { readOnlyHint = false, destructiveHint = false, idempotentHint = false, openWorldHint = false },
  from         = "own",
  listed       = false,
  codes        = telling.codes("SESSION_EXISTS", "TOO_MANY_SESSIONS", "INVALID_ARGUMENT", "READ_ONLY"),

  run = run,

  examples = {
    { "with an id and a name",
      given = { ["sessions.sessions.create"] = { id = 3, name = "taxes", display_name = "Taxes 2026", metadata = { year = 2026 },
                  created = 1795312800, used = 1795312800 },
                ["sessions.sessions.active"] = 3, ["sessions.sessions.note"] = { n = 1, false } },
      args  = { session_id = "taxes", display_name = "Taxes 2026", metadata = { year = 2026 } },
      has   = { "Created Taxes 2026 (sessions/taxes), in use." },
      want  = { name = "sessions/taxes", display_name = "Taxes 2026", create_time = "2026-11-22T02:00:00.000Z", active = true,
                metadata = { year = 2026 } } },
    { "an id that is taken",
      given = { ["sessions.sessions.create"] = { n = 3, false,
                  "There is a session sessions/taxes already. Choose another session_id.", "session_exists" } },
      args  = { session_id = "taxes" }, err = "There is a session sessions/taxes already.", code = "SESSION_EXISTS" },
  },
}
