--- LibreOffice Impress as the presentation program, through the helper scripts/impress/office.py.
--
-- The first call starts the helper. It is kept in sys.state, and started again after it has ended. It manages LibreOffice
-- itself: starts it, notices its exit, and kills it if it hangs. A window with a presentation stays open when the helper ends,
-- and the next helper goes on with it.

local effect  = require "sys.effect"
local engine  = require "sys.engine"
local env     = require "sys.env"
local json    = require "sys.json"
local log     = require "sys.log"
local process = require "sys.process"
local state   = require "sys.state"
local task    = require "sys.task"
local window  = require "sys.window"

local M = {}

local TIMEOUT = 45      -- seconds for a request; a cold start on a slow machine takes about ten
-- Themes that a new presentation has without a template.
local PLAIN   = { White = true, ["Basic White"] = true }
local GRACE   = 10      -- seconds more for the helper to report that LibreOffice did not respond


--- Debian's python3-uno belongs to /usr/bin/python3, whichever python3 comes first on PATH.
local function interpreter()
  return env.get("PERIGEE_PYTHON", "/usr/bin/python3")
end


---@return sys.process.Child? child
---@return string? err
---@return string? code
local function start()
  local script, err, code = engine.script "impress/office.py"
  if not script then return nil, err, code end
  local folder
  folder, err, code = engine.state_folder "office"
  if not folder then return nil, err, code end
  local child
  child, err, code = process.start { interpreter(), script, "--state", folder, max_output = 4 * 1024 * 1024 }
  if not child then
    return nil, ("The LibreOffice helper did not start: %s"):format(err), code
  end
  log.debug("started the helper for LibreOffice, process", child.pid)
  return child
end


--- The running helper and its table of state.
local function helper()
  local mine = state.open "keynote.impress"
  if mine.child and not mine.child:running() then
    mine.child:close()
    mine.child = nil
  end
  if not mine.child then
    local child, err, code = start()
    if not child then return nil, err, code end
    mine.child, mine.last = child, 0
  end
  return mine
end


--- Reads the helper's lines until the answer to this request. Earlier answers may be unread because their calls were cancelled.
local function answer(child, id)
  while true do
    local line, err, code = child:read_line(TIMEOUT + GRACE)
    if not line then
      local said = child:errors():match "([^\n]+)\n*$"
      return nil, ("The LibreOffice helper did not respond: %s%s"):format(err, said and (" (%s)"):format(said) or ""), code
    end
    local message = json.decode(line)
    if type(message) == "table" and message.id == id then return message end
  end
end


--- Sends one request to the helper.
---@param method string
---@param params table
---@return table? result
---@return string? err
---@return string? code
function M.request(method, params)
  local held <close> = task.lock "keynote.impress"
  local mine, err, code = helper()
  if not mine then return nil, err, code end
  mine.last = mine.last + 1
  local id = mine.last
  local ok
  ok, err, code = mine.child:write(json.encode {
    id = id, method = method, params = json.object(params), timeout = TIMEOUT,
  } .. "\n")
  local message
  if ok then message, err, code = answer(mine.child, id) end
  if not message then
    mine.child:close()
    mine.child = nil
    return nil, err, code
  end
  log.info(("LibreOffice helper: %s -> %s"):format(method, json.encode(message.error or message.result)))
  if message.error then return nil, message.error.message, message.error.code end
  return message.result
end


--- The reason why a new presentation does not have this theme.
local function theme_fault(theme, opened)
  if opened.reused or PLAIN[theme] then return nil end
  if theme:sub(1, 1) ~= "/" then return "LibreOffice Impress has no such theme" end
  return opened.template_fault ~= "" and opened.template_fault or nil
end


--- The note about the user's own LibreOffice if that does not answer: its open documents were not used. If an open presentation
--- was only preferred, it is noted only for a LibreOffice with a window of Impress.
local function note_on_deaf(mode, deaf)
  for _, office in ipairs(deaf) do
    if mode == "reuse" then return office.note end
    for _, w in ipairs(window.list { pid = office.pid } or {}) do
      if w.app:lower() == "libreoffice-impress" then return office.note end
    end
  end
end


--- Opens a presentation. A theme is the path of a template here: Impress has no themes with names of their own.
function M.open(options)
  local theme = options.theme
  local template = theme:sub(1, 1) == "/" and theme or nil
  local opened, err, code = M.request("open", { mode = options.mode, template = template })
  if not opened then return nil, err, code end
  local fault = theme_fault(theme, opened)
  if fault then
    table.insert(opened.warnings, ("KEYNOTE_THEME is %q, which was not used: %s. Set it to the path of a template, "
      .. ".otp or .odp."):format(theme, fault))
  end
  opened.warnings[#opened.warnings + 1] = note_on_deaf(options.mode, opened.deaf)
  return opened
end


function M.slide_size(document)
  return M.request("slide_size", { document = document })
end


function M.draw(document, box)
  return M.request("draw_rectangle", {
    document = document, x = box.x, y = box.y, width = box.width, height = box.height,
  })
end


function M.write(_, handle, text)
  return M.request("set_text", { handle = handle, text = text })
end


local function beside(path) return path:gsub("%.[Pp][Nn][Gg]$", "") .. ".odp" end


--- Exports the image, and saves the document beside it as .odp, or under another name if that file exists and this document did
--- not write it. Adds a warning if the name differs, or if the document has no window, so that only the file is left of it.
function M.export(document, path)
  local picture
  local may, err, code = effect.save_file(path, beside(path))
  if not may then return nil, err, code end
  picture, err, code = M.request("export_png", { document = document, path = path })
  if not picture then return nil, err, code end
  local warnings = picture.warnings or {}
  local odp = beside(picture.path)
  local saved
  saved, err = M.request("save", { document = document, path = odp, replace = false })
  if not saved then
    warnings[#warnings + 1] = ("The document was not saved: %s"):format(err)
  elseif saved.path ~= odp then
    warnings[#warnings + 1] = ("The document was saved as %s, because %s exists."):format(saved.path, odp)
  elseif saved.headless then
    warnings[#warnings + 1] = ("The document was saved as %s."):format(saved.path)
  end
  return { path = picture.path, saved = saved and saved.path, warnings = warnings }
end


return M
