--- Begins a transaction: what this client changes from then on can be undone.

local clients  = require "sessions.clients"
local recorder = require "transactions.recorder"
local s        = require "schema"
local sessions = require "sessions.sessions"
local store    = require "transactions.store"
local telling  = require "transactions.telling"
local told     = require "sessions.telling"


---@param args {session?: string}
---@param call Call
local function run(args, call)
  local client = clients.of()
  local session, err, code = telling.session(args.session)
  if not session then return telling.failure(err, code) end
  local open = recorder.of(client)
  if open and open.session ~= session.id then
    return telling.failure(("This client has the open transaction %s in another session. Commit it or roll it back first.")
      :format(open.name), "transaction_active")
  end
  local transaction
  transaction, err, code = store.begin(session, client)
  if not transaction then return telling.failure(err, code) end
  local ok
  ok, err, code = sessions.use(session)
  if not ok then
    store.close(transaction, "rolled_back")   -- or it would stay open, for a client that knows nothing of it
    return telling.failure(err, code)
  end
  recorder.open(transaction, client)
  return told.result(call, ("Began the transaction %s in %s. rollback_transaction undoes what can be undone of what you do from "
    .. "now on: files, places of windows, values of fields, the clipboard."):format(transaction.name, told.line(session)),
    { transaction_id = transaction.name, session = telling.about(session) })
end


local TAXES = { id = 3, name = "taxes", display_name = "Taxes 2026", metadata = {}, created = 1795312800, used = 1795316400 }


---@type Tool
return {
  title        = "Begin a transaction",
  description  = "Begin a transaction in a session. Files, places and sizes of windows, values of fields and the clipboard that "
              .. "you change from then on are kept as they were: rollback_transaction brings them back, also after the server "
              .. "was killed. commit_transaction keeps the changes. What programs and servers did cannot be undone.",
  inputSchema  = s.object {
    { "session", s.string("Its name (sessions/ID), ID, or display name. Default: the one in use.",
      { optional = true, minLength = 1, maxLength = 300 }) },
  },
  outputSchema = s.object { { "transaction_id", s.string() }, telling.field() },
  about        = { "nothing", session = "nothing" },
  annotations  = { readOnlyHint = false, destructiveHint = false, idempotentHint = false, openWorldHint = false },
  from         = "own",
  listed       = false,
  codes        = told.codes("SESSION_NOT_FOUND", "SESSION_AMBIGUOUS", "NO_SESSION", "TRANSACTION_ACTIVE", "TOO_LARGE",
                   "READ_ONLY"),

  run = run,

  examples = {
    { "in a session",
      given = { ["sessions.sessions.find"] = TAXES, ["transactions.recorder.of"] = { n = 1, false },
                ["transactions.store.begin"] = { id = 1, name = "k3v9", session = 3 }, ["transactions.recorder.open"] = true,
                ["sessions.clients.of"] = { key = "x", owner = "x" }, ["sessions.sessions.use"] = true,
                ["sessions.sessions.active"] = function() return 3 end, ["sessions.sessions.transaction"] = "k3v9",
                ["sessions.sessions.note"] = function() end },
      args  = { session = "taxes" }, has = { "Began the transaction k3v9 in Taxes 2026 (sessions/taxes), in use." },
      want  = { transaction_id = "k3v9", session = { name = "sessions/taxes", transaction_id = "k3v9" } } },
    { "where one is open",
      given = { ["sessions.sessions.find"] = TAXES, ["transactions.recorder.of"] = { n = 1, false },
                ["sessions.clients.of"] = { key = "x", owner = "x" },
                ["transactions.store.begin"] = { n = 3, false, "sessions/taxes has the open transaction k3v9 already. Commit it "
                  .. "or roll it back first.", "transaction_active" } },
      args  = { session = "taxes" }, err = "has the open transaction k3v9 already", code = "TRANSACTION_ACTIVE" },
    { "ends it again where the session cannot be used",
      given = { ["sessions.sessions.find"] = TAXES, ["transactions.recorder.of"] = { n = 1, false },
                ["sessions.clients.of"] = { key = "x", owner = "x" },
                ["transactions.store.begin"] = { id = 1, name = "k3v9", session = 3 }, ["transactions.store.close"] = 0,
                ["sessions.sessions.use"] = { n = 3, false, "Another process holds the file for too long.", "busy" } },
      args  = { session = "taxes" }, err = "Another process holds the file", code = "BUSY" },
  },
}
