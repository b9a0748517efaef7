--- The sessions of this client.

local json     = require "sys.json"
local pages    = require "desktop.pages"
local s        = require "schema"
local sessions = require "sessions.sessions"
local telling  = require "sessions.telling"


---@param args {page_size?: integer, page_token?: string}
---@param call Call
local function run(args, call)
  local all, err, code = sessions.list()
  if not all then return telling.failure(err, code) end
  local page, token
  page, token, code = pages.cut(all, args, "id")
  if not page then return telling.failure(token, code) end
  local lines, list = { pages.found(#all, "session", "last used first") }, json.array {}
  for i, each in ipairs(page) do
    lines[i + 1], list[i] = "- " .. telling.line(each), telling.about(each)
    list[i].note = nil
  end
  if #all == 0 then lines[2] = "create_session makes one." end
  return telling.result(call, pages.text(table.concat(lines, "\n"), page, #all, token),
    { sessions = list, total_size = #all, next_page_token = token, note = sessions.note() })
end


local function fields()
  local list = { { "sessions", s.array(s.object(telling.fields()), "Last used first.") } }
  for _, field in ipairs(pages.results()) do list[#list + 1] = field end
  list[#list + 1] = { "note", s.string("About the file of all sessions.", { optional = true }) }
  return list
end


local function made(id, name, display_name)
  return { id = id, name = name, display_name = display_name, metadata = {}, created = 1795312800, used = 1795316400 - id }
end

local TWO = { n = 1, { made(1, "taxes", "Taxes 2026"), made(2, "k3v9", "k3v9") } }


---@type Tool
return {
  title        = "List sessions",
  description  = "List the sessions that this client made or used, the last used first. Those of other clients are not listed: "
              .. "get_session has one by its exact id. Go on in one with get_session and use.",
  inputSchema  = s.object(pages.parameters()),
  outputSchema = s.object(fields()),
  about        = { "nothing" },
  annotations  = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  from         = "own",
  listed       = false,
  codes        = telling.codes("INVALID_ARGUMENT"),

  run = run,

  examples = {
    { "two of them, one in use",
      given = { ["sessions.sessions.list"] = TWO, ["sessions.sessions.active"] = function() return 1 end,
                ["sessions.sessions.note"] = function() end },
      args  = {},
      has   = { "Found 2 sessions, last used first:\n- Taxes 2026 (sessions/taxes), in use\n- k3v9 (sessions/k3v9)" },
      want  = { total_size = 2, sessions = { { name = "sessions/taxes", active = true },
                { name = "sessions/k3v9", active = false } } } },
    { "a page of one",
      given = { ["sessions.sessions.list"] = TWO, ["sessions.sessions.active"] = function() end,
                ["sessions.sessions.note"] = function() end },
      args  = { page_size = 1 },
      has   = { "- Taxes 2026 (sessions/taxes)\nMore: page_token=1:1" },
      want  = { total_size = 2, next_page_token = "1:1", sessions = { { name = "sessions/taxes" } } } },
    { "none",
      given = { ["sessions.sessions.list"] = { n = 1, {} }, ["sessions.sessions.note"] = function() end },
      args  = {}, has = { "Found 0 sessions.\ncreate_session makes one." }, want = { total_size = 0, sessions = {} } },
  },
}
