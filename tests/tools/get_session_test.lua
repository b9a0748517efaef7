--- Cases of get_session beside the examples in its file.

local TAXES = { id = 3, name = "taxes", display_name = "Taxes", metadata = { a = 1 }, created = 1795312800, used = 1795312800 }
local NONE = { calls = 0, running = 0, failed = 0, dropped = 0, bytes = 0, names = 0, observations = 0, approvals = 0 }

return {
  { "leaving one", args = { name = "taxes", use = false },
    given = { ["sessions.sessions.find"] = TAXES, ["sessions.sessions.counts"] = NONE,
      ["sessions.sessions.active"] = { n = 1, false }, ["sessions.sessions.note"] = { n = 1, false },
      ["sessions.sessions.use"] = function(session) return session == nil or error "it is used" end },
    want = { active = false, metadata = { a = 1 } } },
  { "a name that several have", args = { name = "Taxes" },
    given = { ["sessions.sessions.find"] = { n = 3, false,
      '2 sessions are called "Taxes". Use one of these names: sessions/a, sessions/b.', "session_ambiguous" } },
    err = "Use one of these names: sessions/a, sessions/b.", code = "SESSION_AMBIGUOUS" },
  { "names for values", args = { name = "taxes", names = { total = 5, also = { a = "b" } } },
    given = { ["sessions.sessions.find"] = TAXES, ["sessions.sessions.counts"] = NONE, ["sessions.sessions.shelf"] = {},
      ["sessions.sessions.active"] = { n = 1, false }, ["sessions.sessions.note"] = { n = 1, false },
      ["sys.policy.given"] = 4,
      ["sessions.records.put"] = function(_, kind, name, value, source)
        local known = name == "total" and value == 5 or name == "also" and value.a == "b"
        return kind == "name" and source == 4 and known or error(name)
      end },
    want = { name = "sessions/taxes" } },
  { "a name that is none", args = { name = "taxes", names = { r7 = 5 } },
    given = { ["sessions.sessions.find"] = TAXES, ["sessions.sessions.shelf"] = {}, ["sys.policy.given"] = 0 },
    err = '"r7" cannot be a name', code = "INVALID_ARGUMENT" },
  { "a file that is held", args = { name = "taxes" },
    given = { ["sessions.sessions.find"] = TAXES,
      ["sessions.sessions.counts"] = { n = 3, false, "the database is busy", "busy" } },
    err = "the database is busy", code = "BUSY" },
}
