--- One session, and how much it keeps.

local json     = require "sys.json"
local policy   = require "sys.policy"
local records  = require "sessions.records"
local recorder = require "transactions.recorder"
local s        = require "schema"
local sessions = require "sessions.sessions"
local telling  = require "sessions.telling"


--- Keeps the values under their names, in the order of these, so that of several wrong ones the same is told each time.
local function keep_names(session, names, source)
  local order = {}
  for name in pairs(names) do order[#order + 1] = name end
  table.sort(order)
  for _, name in ipairs(order) do
    local ok, err, code = records.put(sessions.shelf(session), "name", name, names[name], source)
    if not ok then return nil, err, code end
  end
  return true
end


---@param args {name: string, use?: boolean, names?: table<string, any>}
---@param call Call
local function run(args, call)
  local session, err, code = sessions.find(args.name, nil, true)
  if not session then return telling.failure(err, code) end
  if args.use ~= nil then
    local ok
    ok, err, code = sessions.use(args.use and session or nil)
    if not ok then return telling.failure(err, code) end
    if args.use then recorder.resume(session) end
  end
  if args.names then
    local ok
    ok, err, code = keep_names(session, args.names, (policy.given(call)))
    if not ok then return telling.failure(err, code) end
  end
  local counts
  counts, err, code = sessions.counts(session)
  if not counts then return telling.failure(err, code) end
  local about = telling.about(session)
  about.transaction_id = counts.transaction_id
  counts.transaction_id = nil
  about.counts = json.object(counts, { "calls", "running", "failed", "dropped" })
  return telling.result(call, ("%s: %d calls, %d running, %d failed. %d bytes of results are kept; %d were dropped."):format(
    telling.line(session), counts.calls, counts.running, counts.failed, counts.bytes, counts.dropped), about)
end


local COUNTS = s.object {
  { "calls", s.integer "Calls that are on record." }, { "running", s.integer() }, { "failed", s.integer() },
  { "dropped", s.integer "Calls whose result was dropped." }, { "bytes", s.integer "Size of the results that are kept." },
  { "names", s.integer "Names for values." }, { "observations", s.integer() }, { "approvals", s.integer "Answers of the user." },
}

local function fields()
  local list = telling.fields()
  list[#list + 1] = { "counts", COUNTS }
  return list
end


local TAXES = { id = 3, name = "taxes", display_name = "Taxes 2026", metadata = {}, created = 1795312800, used = 1795316400 }
local KEPT = { calls = 4, running = 1, failed = 1, dropped = 0, bytes = 5120, names = 0, observations = 0, approvals = 2 }


---@type Tool
return {
  title        = "Get a session",
  description  = "Get a session by its name, with counts of what it keeps. With use=true this client goes on in it: its calls "
              .. "are kept there, and @@ref_r1 names its results. list_sessions has the names of yours; one of another client "
              .. "needs its exact id.",
  inputSchema  = s.object {
    { "name", telling.name_parameter() },
    { "use", s.boolean("true: keep this client's calls in it from now on. false: keep them in none.", { optional = true }) },
    { "names", s.map("Values by names to keep: with {\"total\": \"@@ref_r3__sum\"}, @@ref_total stands for that value.",
      { optional = true }) },
  },
  outputSchema = s.object(fields()),
  about        = { "nothing", name = "nothing" },
  annotations  = { readOnlyHint = false, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  from         = "own",
  listed       = false,
  codes        = telling.codes("SESSION_NOT_FOUND", "SESSION_AMBIGUOUS", "INVALID_ARGUMENT", "TOO_LARGE", "READ_ONLY"),

  run = run,

  examples = {
    { "how much it keeps",
      given = { ["sessions.sessions.find"] = TAXES, ["sessions.sessions.counts"] = KEPT,
                ["sessions.sessions.active"] = { n = 1, false }, ["sessions.sessions.note"] = { n = 1, false } },
      args  = { name = "sessions/taxes" },
      has   = { "Taxes 2026 (sessions/taxes): 4 calls, 1 running, 1 failed. 5120 bytes of results are kept; 0 were dropped." },
      want  = { name = "sessions/taxes", update_time = "2026-11-22T03:00:00.000Z", active = false,
                counts = { calls = 4, approvals = 2 } } },
    { "going on in it",
      given = { ["sessions.sessions.find"] = TAXES, ["sessions.sessions.use"] = true,
                ["transactions.recorder.resume"] = { n = 0 }, ["sessions.sessions.counts"] = KEPT,
                ["sessions.sessions.active"] = 3, ["sessions.sessions.note"] = { n = 1, false } },
      args  = { name = "taxes", use = true }, has = { "Taxes 2026 (sessions/taxes), in use: 4 calls" },
      want  = { active = true } },
    { "one that is not there",
      given = { ["sessions.sessions.find"] = { n = 3, false, 'There is no session "tax"; did you mean sessions/taxes?',
                  "session_not_found" } },
      args  = { name = "tax" }, err = "did you mean sessions/taxes?", code = "SESSION_NOT_FOUND" },
  },
}
