--- Write text in the rectangle that was drawn last.

local s       = require "schema"
local session = require "keynote.session"


---@param args {text: string}
---@param call Call
local function run(args, call)
  local mine = session.state()
  if not mine.last_rectangle_id then
    return session.fail("No rectangle context. Call draw_rectangle first.", "no_rectangle")
  end
  -- A model may not write "|" in a FUNCTION_CALL line. It writes "¦" instead.
  local text = args.text:gsub("¦", "|")
  local id = mine.last_rectangle_id
  local written, err, code = session.drive("write", mine.document, id, text)
  if not written then return nil, err, code end
  return session.answer(call, ("TEXT_OK: id=%s, characters=%d"):format(id, written.characters), written.warnings)
end


---@type Tool
return {
  title       = "Add text in Keynote",
  description = "Add text to the rectangle drawn last, centered, replacing the text in it. Call draw_rectangle first. A broken "
             .. "bar (¦) is written as |.",
  inputSchema = s.object {
    { "text", s.string("The exact text to write.", { maxLength = 20000 }) },
  },
  about       = { session.NAMES },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = false },
  timeout     = 90,
  keeps       = true,
  says_error  = true,
  programs    = { "soffice", "libreoffice", "/usr/lib/libreoffice/program/soffice", "/Applications/Keynote.app" },

  run = run,

  examples = {
    { "requires a rectangle first",
      args = { text = "Hello" },
      err  = "ERROR: No rectangle context. Call draw_rectangle first.",
      code = "no_rectangle" },
    { "writes a bar that a model could not",
      given = { ["sys.state.open"] = { document = "d", last_rectangle_id = 3 },
                ["keynote.driver.current"] = { write = function(_, _, text) return { characters = #text, text = text } end } },
      args = { text = "a ¦ b" }, want = "TEXT_OK: id=3, characters=5" },
  },
}
