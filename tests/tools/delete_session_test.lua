--- Cases of delete_session beside the examples in its file.

local TAXES = { id = 3, name = "taxes", display_name = "Taxes", metadata = {}, created = 1795312800, used = 1795312800 }

return {
  { "force is passed on", args = { name = "taxes", force = true },
    given = { ["sessions.sessions.find"] = TAXES, ["sessions.sessions.note"] = { n = 1, false },
      ["sessions.sessions.delete"] = function(session, force) return session.id == 3 and force end },
    want = { name = "sessions/taxes", deleted = true } },
  { "one of another client", args = { name = "taxes" },
    given = { ["sessions.sessions.find"] = TAXES,
      ["sessions.sessions.delete"] = { n = 3, false, "sessions/taxes was made by another client, which shares it with you.",
        "not_yours" } },
    err = "made by another client", code = "NOT_YOURS" },
  { "one that is not there", args = { name = "x" },
    given = { ["sessions.sessions.find"] = { n = 3, false, 'There is no session "x". You have none: create_session makes one.',
      "session_not_found" } },
    err = "You have none", code = "SESSION_NOT_FOUND" },
}
