--- What create_input has sent.

local fail   = require "desktop.fail"
local inputs = require "desktop.inputs"
local json   = require "sys.json"
local pages  = require "desktop.pages"
local s      = require "schema"


local function line(entry)
  local parts = { entry.name, entry.time, entry.action }
  if entry.keys then parts[#parts + 1] = entry.keys end
  if entry.preview then
    parts[#parts + 1] = ('"%s%s" (%d characters)'):format(entry.preview, entry.preview_cut and "..." or "", entry.length)
  end
  if entry.secret then parts[#parts + 1] = ("(secret, %d characters)"):format(entry.length) end
  if entry.pointer and not entry.length and not entry.keys then
    parts[#parts + 1] = ("at %g,%g"):format(entry.pointer.x, entry.pointer.y)
  end
  parts[#parts + 1] = entry.error and ("failed: " .. entry.error) or entry.settled and "taken" or "sent"
  return table.concat(parts, "  ")
end


---@param args {page_size?: integer, page_token?: string}
---@param call Call
local function run(args, call)
  local all = inputs.list()
  local page, token, code = pages.cut(all, args)
  if not page then return fail.with(token, code) end
  local lines = {}
  for i, entry in ipairs(page) do lines[i] = line(entry) end
  if #lines == 0 then lines[1] = "Nothing was sent yet." end
  return call:result {
    content = { { type = "text", text = pages.text(table.concat(lines, "\n"), page, #all, token) } },
    structuredContent = { inputs = json.array(page), total_size = #all, next_page_token = token },
  }
end


local ENTRY = s.object {
  { "name", s.string "Resource name: inputs/N." },
  { "time", s.string "When it was over, UTC." },
  { "action", s.string "As create_input was told." },
  { "sent", s.integer "Events that reached the display." },
  { "settled", s.boolean "The application in front said that it had taken it." },
  { "pointer", s.object({ { "x", s.number "In points." }, { "y", s.number "In points." } }, "Where it was afterwards.",
    { optional = true }) },
  { "route", s.string("How it was done.", { optional = true }) },
  { "keys", s.string("The chord.", { optional = true }) },
  { "characters", s.integer("Of a text: those that arrived.", { optional = true }) },
  { "length", s.integer("Of a text: all characters.", { optional = true }) },
  { "preview", s.string("How the text begins.", { optional = true }) },
  { "preview_cut", s.boolean("It is longer.", { optional = true }) },
  { "secret", s.boolean("It was marked secret: nothing of it is kept.", { optional = true }) },
  { "error", s.string("Why it failed.", { optional = true }) },
}


---@type Tool
return {
  title        = "List input",
  description  = "List what create_input has sent in this run, newest first. Of texts only the length and the beginning are "
              .. "kept, of secret ones the length.",
  inputSchema  = s.object(pages.parameters()),
  outputSchema = s.object { { "inputs", s.array(ENTRY, "Newest first.") }, table.unpack(pages.results()) },
  annotations  = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  listed       = false,

  run = run,

  examples = {
    { "newest first",
      given = { ["desktop.inputs.list"] = function() return {
        { name = "inputs/2", time = "2026-11-22T02:00:01Z", action = "type", sent = 22, settled = true, route = "xtest",
          characters = 11, length = 11, preview = "hello world", preview_cut = false, pointer = { x = 1, y = 2 } },
        { name = "inputs/1", time = "2026-11-22T02:00:00Z", action = "click", sent = 3, settled = false, route = "xtest",
          pointer = { x = 10, y = 20 } },
      } end },
      args  = {},
      want  = { total_size = 2, inputs = { { name = "inputs/2", characters = 11 }, { name = "inputs/1" } } },
      has   = { 'inputs/2  2026-11-22T02:00:01Z  type  "hello world" (11 characters)  taken',
                "inputs/1  2026-11-22T02:00:00Z  click  at 10,20  sent" } },

    { "says so when there is nothing", args = {}, want = { total_size = 0 }, has = { "Nothing was sent yet." } },
  },
}
