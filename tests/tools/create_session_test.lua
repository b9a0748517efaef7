--- Cases of create_session beside the examples in its file.

local MADE = { id = 3, name = "taxes", display_name = "Tax\"es, all", metadata = {}, created = 1795312800, used = 1795312800 }
local NOTE = 'the database "sessions" was damaged. It is now sessions.sqlite.damaged-1, and a new one was begun'

return {
  { "what is to be known of the file is said", args = {},
    given = { ["sessions.sessions.create"] = MADE, ["sessions.sessions.active"] = 3, ["sessions.sessions.note"] = NOTE },
    has = { "Note: " .. NOTE .. "." }, want = { note = NOTE } },
  { "a name with signs is quoted", args = { display_name = "Tax\"es, all" },
    given = { ["sessions.sessions.create"] = MADE, ["sessions.sessions.active"] = 3,
      ["sessions.sessions.note"] = { n = 1, false } },
    has = { 'Created "Tax\\"es, all" (sessions/taxes), in use.' } },
  { "a file that cannot be written", args = {},
    given = { ["sessions.sessions.create"] = { n = 3, false, 'it was opened to be read only (database "sessions")',
      "read_only" } },
    err = 'it was opened to be read only (database "sessions")', code = "READ_ONLY" },
  { "too many", args = {},
    given = { ["sessions.sessions.create"] = { n = 3, false, "There are 1000 sessions, which is the limit.",
      "too_many_sessions" } },
    err = "which is the limit", code = "TOO_MANY_SESSIONS" },
}
