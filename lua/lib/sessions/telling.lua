--- Sessions as the tools tell of them.

local fail     = require "desktop.fail"
local ids      = require "sessions.ids"
local json     = require "sys.json"
local quoting  = require "desktop.quoting"
local s        = require "schema"
local sessions = require "sessions.sessions"
local time     = require "sys.time"

local M = {}


--- The members of a session, for an outputSchema.
---@return table[] fields
function M.fields()
  return {
    { "name", s.string "Resource name: sessions/ID." },
    { "display_name", s.string() },
    { "create_time", s.string "In UTC." },
    { "update_time", s.string "The last call." },
    { "metadata", s.map("As it was given.") },
    { "active", s.boolean "This client's calls are kept in it." },
    { "transaction_id", s.string("Its open transaction, if this client began it.", { optional = true }) },
    { "note", s.string("About the file of all sessions.", { optional = true }) },
  }
end


---@param session sessions.Session
---@return table
function M.about(session)
  return json.object({ name = ids.full(session), display_name = session.display_name, create_time = time.iso(session.created),
    update_time = time.iso(session.used), metadata = session.metadata, active = sessions.active() == session.id,
    note = sessions.note() },
    { "name", "display_name", "create_time", "update_time", "metadata", "active" })
end


--- "The work (sessions/work), in use".
---@param session sessions.Session
---@return string
function M.line(session)
  return ("%s (%s)%s"):format(quoting.name(session.display_name), ids.full(session),
    sessions.active() == session.id and ", in use" or "")
end


--- A result with a line about the file of all sessions, if there is something to know.
---@param call Call
---@param text string
---@param structured table
---@return table
function M.result(call, text, structured)
  local note = sessions.note()
  if note then text = ("%s\nNote: %s."):format(text, note) end
  return call:result { content = { call:text(text) }, structuredContent = structured }
end


local MEANINGS = {
  SESSION_NOT_FOUND = "There is no such session; the message names those of this client.",
  SESSION_EXISTS    = "The session_id is taken.",
  SESSION_AMBIGUOUS = "Several sessions have this display name; the message lists them.",
  SESSION_BUSY      = "A call of it is running, or a transaction is open; pass force.",
  NO_SESSION        = "No session is named, and this client uses none.",
  TOO_LARGE         = "The open transactions keep too much, or the value of a name has over 64 kB.",
  TRANSACTION_ACTIVE = "The session, or this client, has an open transaction already.",
  TRANSACTION_BUSY  = "A call that has changed something still runs.",
  TRANSACTION_ENDED = "It was committed or rolled back before.",
  TRANSACTION_NOT_FOUND = "The session has no such transaction; the message says which one it has.",
  NOT_YOURS         = "Another client made it and shares it.",
  TOO_MANY_SESSIONS = "The limit is reached: delete one.",
  INVALID_ARGUMENT  = "The metadata is too large, the page_token is not one, or a name cannot be one.",
  READ_ONLY         = "The file of all sessions cannot be written: it is a dry run, or a newer version wrote it.",
  BUSY              = "Another process holds the file of all sessions for too long.",
  IO                = "The file of all sessions cannot be read or written; the message says why.",
}

--- Codes of a tool.
---@param ... string
---@return table<string, string>
function M.codes(...)
  local codes = {}
  for _, code in ipairs { "BUSY", "IO", ... } do codes[code] = MEANINGS[code] end
  return codes
end

M.failure = fail.with


--- The parameter that names a session.
---@return table
function M.name_parameter()
  return s.string("Resource name (sessions/ID), ID, or display name.", { minLength = 1, maxLength = 300 })
end


return M
