--- Empty the clipboard.

local clipboard = require "sys.clipboard"
local fail      = require "desktop.fail"
local s         = require "schema"


---@param call Call
local function run(_, call)
  local ok, err, code = clipboard.clear()
  if not ok then return fail.with(err, code) end
  return call:result {
    content = { { type = "text", text = "The clipboard is empty." } },
    structuredContent = { empty = true },
  }
end


---@type Tool
return {
  title        = "Clear the clipboard",
  description  = "Empty the clipboard, whoever put there what it holds.",
  inputSchema  = s.object {},
  outputSchema = s.object { { "empty", s.boolean "It is." } },
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = false },
  listed       = false,
  codes        = fail.told(),

  run = run,

  examples = {
    { "empties it", given = { ["sys.clipboard.clear"] = true }, args = {}, want = { empty = true }, did = { "clipboard.clear" } },
  },
}
