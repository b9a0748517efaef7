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
  description  = "Clear the clipboard, including content copied by other applications. To replace the content, use "
              .. "write_clipboard.",
  inputSchema  = s.object {},
  outputSchema = s.object { { "empty", s.boolean "True: the clipboard is empty." } },
  about        = { "nothing" },
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = false },
  listed       = false,
  codes        = fail.acting(),

  run = run,

  examples = {
    { "empties it", given = { ["sys.clipboard.clear"] = true }, args = {}, want = { empty = true }, did = { "clipboard.clear" } },
    { "passes on why it cannot", given = { ["sys.clipboard.clear"] = { n = 3, false, "no clipboard here", "not_supported" } },
      args = {}, err = "no clipboard here", code = "NOT_SUPPORTED" },
  },
}
