--- A session as it is: its calls, the applications that they are about, its observations.

local history  = require "transactions.history"
local pages    = require "desktop.pages"
local s        = require "schema"
local sessions = require "sessions.sessions"
local telling  = require "transactions.telling"
local told     = require "sessions.telling"


---@param args {name: string, page_size?: integer, page_token?: string}
---@param call Call
local function run(args, call)
  local session, err, code = sessions.find(args.name)
  if not session then return telling.failure(err, code) end
  local all
  all, err, code = history.of(session)
  if not all then return telling.failure(err, code) end
  local page, token
  page, token, code = pages.cut(all.history, args, "ref")
  if not page then return telling.failure(token, code) end
  local lines = { told.line(session) .. ". " .. pages.found(#all.history, "call", "newest first") }
  for i, each in ipairs(page) do lines[i + 1] = "- " .. history.line(each) end
  return told.result(call, pages.text(table.concat(lines, "\n"), page, #all.history, token), { session = telling.about(session),
    applications = all.applications, observations = all.observations, history = page, total_size = #all.history,
    next_page_token = token })
end


local RECORD = s.object {
  { "ref", s.string "The id of its result: @@ref_r3 stands for it." }, { "operation_time", s.string "In UTC." },
  { "operation_type", s.string "The tool." },
  { "resource", s.string("What it was about, as it was called.", { optional = true }) },
  { "state", s.string "running, done, failed, dropped (the result, of a call that is done) or lost." },
  { "success", s.boolean() }, { "error", s.string(nil, { optional = true }) },
  { "arguments", s.map "As they were sent, with references." },
  { "transaction_id", s.string("The transaction that was open.", { optional = true }) },
}

local function fields()
  local list = { telling.field(), { "applications", s.array(s.string(), "Those that calls named.") },
    { "observations", s.array(s.string(), "Those that were begun.") }, { "history", s.array(RECORD, "Newest first.") } }
  for _, field in ipairs(pages.results()) do list[#list + 1] = field end
  return list
end

local function parameters()
  local list = { { "name", told.name_parameter() } }
  for _, field in ipairs(pages.parameters()) do list[#list + 1] = field end
  return list
end


local TAXES = { id = 3, name = "taxes", display_name = "Taxes 2026", metadata = {}, created = 1795312800, used = 1795316400 }
local MOVED = { ref = "r2", operation_time = "2026-11-22T02:00:00.000Z", operation_type = "move_window", success = true,
  resource = "applications/7/windows/1", state = "done", arguments = { window = "applications/7/windows/1", x = 0, y = 0 },
  transaction_id = "k3v9" }


---@type Tool
return {
  title        = "Get a session's snapshot",
  description  = "Get the calls of a session, newest first, with its applications and observations. Each call has its "
              .. "arguments as they were sent, what it was about, whether it succeeded, its transaction and the id of its "
              .. "result. For counts only, use get_session.",
  inputSchema  = s.object(parameters()),
  outputSchema = s.object(fields()),
  about        = { "nothing", name = "nothing" },
  annotations  = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  from         = "own",
  listed       = false,
  codes        = told.codes("SESSION_NOT_FOUND", "SESSION_AMBIGUOUS", "INVALID_ARGUMENT"),

  run = run,

  examples = {
    { "one call",
      given = { ["sessions.sessions.find"] = TAXES, ["transactions.history.of"] = { applications = { "applications/7" },
                  observations = { "observations/1" }, history = { MOVED } },
                ["transactions.history.line"] = "r2 move_window applications/7/windows/1: done",
                ["sessions.sessions.active"] = function() return 3 end, ["sessions.sessions.transaction"] = "k3v9",
                ["sessions.sessions.note"] = function() end },
      args  = { name = "taxes" },
      has   = { "Taxes 2026 (sessions/taxes), in use. Found 1 call:\n- r2 move_window applications/7/windows/1: done" },
      want  = { session = { transaction_id = "k3v9" }, applications = { "applications/7" },
                observations = { "observations/1" }, total_size = 1,
                history = { { ref = "r2", operation_type = "move_window", success = true, transaction_id = "k3v9" } } } },
    { "one that is not there",
      given = { ["sessions.sessions.find"] = { n = 3, false, 'There is no session "tax"; did you mean sessions/taxes?',
                  "session_not_found" } },
      args  = { name = "tax" }, err = "did you mean sessions/taxes?", code = "SESSION_NOT_FOUND" },
  },
}
