--- Undoes what was done in a transaction, and says what could not be undone.

local clients  = require "sessions.clients"
local recorder = require "transactions.recorder"
local rollback = require "transactions.rollback"
local s        = require "schema"
local store    = require "transactions.store"
local telling  = require "transactions.telling"
local told     = require "sessions.telling"


---@param args {name: string, transaction_id: string, revision_id?: string}
---@param call Call
local function run(args, call)
  local session, err, code = telling.session(args.name)
  if not session then return telling.failure(err, code) end
  local transaction
  transaction, err, code = store.find(session, args.transaction_id)
  if not transaction then return telling.failure(err, code) end
  if recorder.is_busy(clients.of(), call) then
    return telling.failure("A call of yours that has changed something still runs. Wait for its end, or cancel it, then roll "
      .. "back.", "transaction_busy")
  end
  local after = args.revision_id and math.tointeger(tonumber(args.revision_id:match "^r(%d+)$"))
  local result
  result, err, code = rollback.run(transaction, after)
  if not result then return telling.failure(err, code) end
  local undone, left, lines = telling.lines(result)
  local first = ("%s: %d change%s undone, %d not."):format(after and ("Rolled the transaction %s back to %s; it is still open")
    :format(transaction.name, args.revision_id) or ("Rolled back the transaction %s"):format(transaction.name), #undone,
    #undone == 1 and "" or "s", #left)
  return told.result(call, lines ~= "" and first .. "\n" .. lines or first, { session = telling.about(session),
    transaction_id = transaction.name, operations_rolled_back = #undone, undone = undone, not_undone = left,
    ended = result.ended })
end


local TAXES = { id = 3, name = "taxes", display_name = "Taxes 2026", metadata = {}, created = 1795312800, used = 1795316400 }


---@type Tool
return {
  title        = "Roll back a transaction",
  description  = "Undo the changes that this client made since begin_transaction, the latest first. Files, places and sizes "
              .. "of windows, values of fields and the clipboard come back. What something else has changed since is left as "
              .. "it is. The result says of each change whether it was undone, and if not, why: read not_undone, and tell the "
              .. "user.",
  inputSchema  = s.object {
    { "name", told.name_parameter() },
    { "transaction_id", s.string("From begin_transaction.", { minLength = 1, maxLength = 64 }) },
    { "revision_id", s.string("Id of a call's result (r3): undo only what was done after it; the transaction stays open.",
      { optional = true, pattern = "^r[0-9]{1,15}$" }) },
  },
  outputSchema = s.object { telling.field(), { "transaction_id", s.string() },
    { "operations_rolled_back", s.integer "Number of changes that were undone." },
    { "undone", telling.items "What is as it was before." }, { "not_undone", telling.items("What is not, and why.", true) },
    { "ended", s.boolean "false: it is still open, because revision_id was passed." } },
  about        = { "nothing", name = "nothing", transaction_id = "nothing", revision_id = "nothing" },
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = false },
  from         = "own",
  listed       = false,
  timeout      = 300,
  codes        = told.codes("SESSION_NOT_FOUND", "SESSION_AMBIGUOUS", "TRANSACTION_NOT_FOUND", "TRANSACTION_ENDED",
                   "TRANSACTION_BUSY", "NOT_YOURS", "READ_ONLY"),

  run = run,

  examples = {
    { "a file, and a program",
      given = { ["sessions.sessions.find"] = TAXES, ["transactions.store.find"] = { id = 1, name = "k3v9", session = 3 },
                ["sessions.clients.of"] = { key = "x", owner = "x" }, ["transactions.recorder.is_busy"] = { n = 1, false },
                ["transactions.rollback.run"] = { ended = true,
                  undone = { { what = "/home/ada/a.txt", kind = "file", tool = "write_file", call = "r1" } },
                  left = { { what = "the program make", kind = "other", tool = "execute_shell_command", call = "r2", times = 2,
                    why = "what a program did is not known" } } },
                ["sessions.sessions.active"] = function() return 3 end, ["sessions.sessions.transaction"] = function() end,
                ["sessions.sessions.note"] = function() end },
      args  = { name = "taxes", transaction_id = "k3v9" },
      has   = { "Rolled back the transaction k3v9: 1 change undone, 1 not.\n- undone: /home/ada/a.txt (write_file)",
                "- NOT undone: the program make, 2 times (execute_shell_command): what a program did is not known" },
      want  = { operations_rolled_back = 1, ended = true, undone = { { what = "/home/ada/a.txt", call = "r1" } },
                not_undone = { { what = "the program make", times = 2, why = "what a program did is not known" } } } },
    { "one that was committed",
      given = { ["sessions.sessions.find"] = TAXES, ["transactions.store.find"] = { n = 3, false,
                  "The transaction k3v9 was committed at 2026-11-22T02:00:00.000Z. begin_transaction begins another one.",
                  "transaction_ended" } },
      args  = { name = "taxes", transaction_id = "k3v9" }, err = "was committed at", code = "TRANSACTION_ENDED" },
  },
}
