--- The input that create_input has sent.

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
  parts[#parts + 1] = entry.error and ("failed: " .. entry.error) or entry.settled and "confirmed" or "sent"
  return table.concat(parts, "  ")
end


---@param args {page_size?: integer, page_token?: string}
---@param call Call
local function run(args, call)
  local all = inputs.list()
  local page, token, code = pages.cut(all, args)
  if not page then return fail.with(token, code) end
  local lines = { pages.found(#all, "input", "newest first") }
  for i, entry in ipairs(page) do lines[i + 1] = "- " .. line(entry) end
  return call:result {
    content = { { type = "text", text = pages.text(table.concat(lines, "\n"), page, #all, token) } },
    structuredContent = { inputs = json.array(page), total_size = #all, next_page_token = token },
  }
end


local ENTRY = s.object {
  { "name", s.string "Resource name: inputs/N." },
  { "time", s.string "Time when it finished, in UTC." },
  { "action", s.string "The action passed to create_input." },
  { "sent", s.integer "Number of events sent to the display." },
  { "settled", s.boolean "True if the frontmost application confirmed the input." },
  { "pointer", s.object({ { "x", s.number() }, { "y", s.number() } }, "Pointer position afterwards, in points.",
    { optional = true }) },
  { "route", s.string("How the input was sent.", { optional = true }) },
  { "keys", s.string("The key combination.", { optional = true }) },
  { "characters", s.integer("For text: number of characters that were entered.", { optional = true }) },
  { "length", s.integer("For text: number of characters in all.", { optional = true }) },
  { "preview", s.string("Beginning of the text.", { optional = true }) },
  { "preview_cut", s.boolean("True if the text is longer than the preview.", { optional = true }) },
  { "secret", s.boolean("True if it was marked secret: the text is not kept.", { optional = true }) },
  { "error", s.string("Error code, if it failed.", { optional = true }) },
}


---@type Tool
return {
  title        = "List inputs",
  description  = "List the actions that create_input sent for this client, newest first. Of text, only the length and "
              .. "the first 40 characters are kept; of secret text, only the length.",
  inputSchema  = s.object(pages.parameters()),
  outputSchema = s.object { { "inputs", s.array(ENTRY, "Newest first.") }, table.unpack(pages.results()) },
  about        = { "nothing" },
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
      has   = { 'Found 2 inputs, newest first:\n- inputs/2  2026-11-22T02:00:01Z  type  "hello world" (11 characters)  confirmed',
                "inputs/1  2026-11-22T02:00:00Z  click  at 10,20  sent" } },

    { "reports that nothing was sent", args = {}, want = { total_size = 0 }, has = { "Found 0 inputs." } },
  },
}
