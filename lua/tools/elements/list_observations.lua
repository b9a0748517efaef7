--- The observations of clients.

local json         = require "sys.json"
local observations = require "observing.observations"
local pages        = require "desktop.pages"
local s            = require "schema"
local telling      = require "observing.telling"
local tool         = require "elements.tools.shared"


---@param _ table
---@param call Call
local function run(_, call)
  observations.tidy()
  local all = observations.list()
  local lines, list = { pages.found(#all, "observation") }, json.array {}
  for i, each in ipairs(all) do lines[i + 1], list[i] = "- " .. telling.about_line(each), telling.about(each) end
  if #all == 0 then lines[2] = "Nothing is observed. Call create_observation to watch windows, applications or elements." end
  return call:result { content = { { type = "text", text = table.concat(lines, "\n") } },
    structuredContent = { observations = list } }
end


local QUEUE = { most = 500, first = 1, last = 4, by_number = {} }
local SAVE = { id = 2, what = "windows", events = { window_opened = true }, words = "save", queue = QUEUE, life = 600,
  created = 0, read = 0, watchers = 0, ended = "it had no reader for 600 seconds" }


---@type Tool
return {
  title        = "List observations",
  description  = "List the observations that this client began with create_observation, with their events so far. Those that "
              .. "ended stay for a while, so that they can still be read with get_observation.",
  inputSchema  = s.object {},
  outputSchema = s.object { { "observations", s.array(telling.schema, "Oldest first.") } },
  about        = { "nothing" },
  annotations  = tool.annotations,
  listed       = false,
  keeps        = true,

  run = run,

  examples = {
    { "nothing", args = {}, has = { "Found 0 observations.\nNothing is observed." }, want = { observations = {} } },
    { "one that ended", given = { ["observing.store.all"] = { last = 2, list = { SAVE } } },
      args = {},
      has  = { 'Found 1 observation:\n- observations/2: windows of "save": 4 events, ended: it had no reader for 600 seconds' },
      want = { observations = { { name = "observations/2", running = false, total = 4, kept = 4 } } } },
  },
}
