--- Ends a transaction: what was changed stays, and is not kept as it was any more.

local recorder = require "transactions.recorder"
local s        = require "schema"
local store    = require "transactions.store"
local telling  = require "transactions.telling"
local told     = require "sessions.telling"


---@param args {name: string, transaction_id: string}
---@param call Call
local function run(args, call)
  local session, err, code = telling.session(args.name)
  if not session then return telling.failure(err, code) end
  local transaction
  transaction, err, code = store.find(session, args.transaction_id)
  if not transaction then return telling.failure(err, code) end
  local count
  count, err, code = store.close(transaction, "committed")
  if not count then return telling.failure(err, code) end
  recorder.close(transaction.id)
  return told.result(call, ("Committed the transaction %s: %d change%s stay%s, and cannot be undone by it any more."):format(
    transaction.name, count, count == 1 and "" or "s", count == 1 and "s" or ""),
    { session = telling.about(session), transaction_id = transaction.name, operations_applied = count })
end


local TAXES = { id = 3, name = "taxes", display_name = "Taxes 2026", metadata = {}, created = 1795312800, used = 1795316400 }


---@type Tool
return {
  title        = "Commit a transaction",
  description  = "Commit a transaction that this client began, so that its changes stay. The contents that were kept to undo "
              .. "them are dropped. To undo the changes, use rollback_transaction instead.",
  inputSchema  = s.object {
    { "name", told.name_parameter() },
    { "transaction_id", s.string("From begin_transaction.", { minLength = 1, maxLength = 64 }) },
  },
  outputSchema = s.object { telling.field(), { "transaction_id", s.string() },
    { "operations_applied", s.integer "Number of changes that stay." } },
  about        = { "nothing", name = "nothing", transaction_id = "nothing" },
  annotations  = { readOnlyHint = false, destructiveHint = false, idempotentHint = false, openWorldHint = false },
  from         = "own",
  listed       = false,
  codes        = told.codes("SESSION_NOT_FOUND", "SESSION_AMBIGUOUS", "TRANSACTION_NOT_FOUND", "TRANSACTION_ENDED", "NOT_YOURS",
                   "READ_ONLY"),

  run = run,

  examples = {
    { "three changes",
      given = { ["sessions.sessions.find"] = TAXES, ["transactions.store.find"] = { id = 1, name = "k3v9", session = 3 },
                ["transactions.store.close"] = 3, ["transactions.recorder.close"] = true,
                ["sessions.sessions.active"] = function() return 3 end, ["sessions.sessions.transaction"] = function() end,
                ["sessions.sessions.note"] = function() end },
      args  = { name = "sessions/taxes", transaction_id = "k3v9" }, has = { "Committed the transaction k3v9: 3 changes stay" },
      want  = { transaction_id = "k3v9", operations_applied = 3 } },
    { "another client's",
      given = { ["sessions.sessions.find"] = TAXES, ["transactions.store.find"] = { n = 3, false,
                  "Another client began the transaction k3v9. Only that one, and the user at a terminal, may end it.",
                  "not_yours" } },
      args  = { name = "taxes", transaction_id = "k3v9" }, err = "Another client began the transaction", code = "NOT_YOURS" },
  },
}
