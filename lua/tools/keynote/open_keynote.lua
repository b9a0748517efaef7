--- Open the presentation program with a document, slide 1 in view.

local env     = require "sys.env"
local s       = require "schema"
local session = require "keynote.session"


local MODES = { "reuse_or_create", "always_new", "reuse" }


--- The value of KEYNOTE_DOCUMENT_MODE; if it is not valid, the default and the error.
local function document_mode()
  local wanted = env.get("KEYNOTE_DOCUMENT_MODE", MODES[1])
  for _, mode in ipairs(MODES) do
    if mode == wanted then return mode end
  end
  return MODES[1], ("KEYNOTE_DOCUMENT_MODE is %q, so %s was used. Set it to %s or %s."):format(
    wanted, MODES[1], table.concat(MODES, ", ", 1, #MODES - 1), MODES[#MODES])
end


local function run()
  local mine = session.state()
  local mode, wrong = document_mode()
  local opened, err, code = session.drive("open", { mode = mode, theme = env.get("KEYNOTE_THEME", "White") })
  if not opened then return nil, err, code end
  local warnings = opened.warnings or {}
  if wrong then table.insert(warnings, 1, wrong) end

  if mine.document ~= opened.document then mine.last_rectangle_id = nil end
  mine.document = opened.document
  mine.last_slide_dims = { width = opened.width, height = opened.height }
  local number = session.number
  local line = ("slide=1, slide_width=%s, slide_height=%s"):format(number(opened.width), number(opened.height))
  if #warnings > 0 then
    return ("KEYNOTE_READY_WITH_WARNING: %s, note=%s"):format(line, table.concat(warnings, " "))
  end
  return "KEYNOTE_READY: " .. line
end


---@type Tool
return {
  title       = "Open Keynote",
  description = "Open Keynote (on Linux: LibreOffice Impress) with slide 1 of a document. Call it before the other Keynote "
             .. "tools. The document that is open is used, else a new one is made. The result has the slide's size "
             .. "in slide points, for draw_rectangle.",
  inputSchema = s.object {},
  about       = { session.NAMES },
  annotations = { readOnlyHint = false, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  timeout     = 90,
  keeps       = true,
  says_error  = true,
  programs    = { "soffice", "libreoffice", "/usr/lib/libreoffice/program/soffice", "/Applications/Keynote.app" },

  run = run,

  examples = {
    { "reports the slide's size",
      given = { ["keynote.driver.current"] = { open = function() return { document = "d1", width = 1920, height = 1080 } end } },
      args  = {},
      want  = "KEYNOTE_READY: slide=1, slide_width=1920, slide_height=1080" },

    { "a document mode that does not exist is told",
      given = { ["keynote.driver.current"] = {
        open = function(options) return { document = options.mode, width = 1920, height = 1080 } end,
      } },
      env   = { KEYNOTE_DOCUMENT_MODE = "always-new" },
      args  = {},
      want  = "KEYNOTE_READY_WITH_WARNING: slide=1, slide_width=1920, slide_height=1080, note=KEYNOTE_DOCUMENT_MODE is "
           .. "\"always-new\", so reuse_or_create was used. Set it to reuse_or_create, always_new or reuse." },

    { "reports the program's warnings",
      given = { ["keynote.driver.current"] = {
        open = function()
          return { document = "d1", width = 793.7, height = 446.46, warnings = { "The theme was not found." } }
        end,
      } },
      args  = {},
      want  = "KEYNOTE_READY_WITH_WARNING: slide=1, slide_width=793.7, slide_height=446.46, note=The theme was not found." },
  },
}
