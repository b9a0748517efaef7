--- Keynote as the presentation program, through the scripts in scripts/keynote and osascript.
--
-- Each step is one script, and its values are arguments. Shapes have no identity in Keynote, so a rectangle's handle contains
-- the data by which it is found again: the document, its place among the slide's shapes, and its box. A shape that is elsewhere
-- now is not taken for it. All of this was tested with a double of osascript only, never with Keynote.

local effect    = require "sys.effect"
local env       = require "sys.env"
local fail      = require "desktop.fail"
local log       = require "sys.log"
local osascript = require "sys.osascript"
local picture   = require "keynote.picture"
local state     = require "sys.state"
local task      = require "sys.task"

local M = {}

-- The dictionary that the scripts name. When they run, another Keynote's dictionary replaces it.
local TERMS = "com.apple.Keynote"

-- Seconds: slightly above the limits inside the scripts, so that these end first and can clean up.
local TIMEOUT = { find_keynote = 15, open_keynote = 75, export_slide_png = 80 }
local TIMEOUT_ELSE = 40

-- Errors that our scripts raise themselves.
local RAISED = {
  [9001] = { "The document is no longer open in Keynote. Call open_keynote, then draw again.", "no_document" },
  [9002] = { "The rectangle is gone. Call draw_rectangle again.", "not_found" },
  [9003] = { "The rectangle was moved or is gone. Call draw_rectangle again.", "not_found" },
  [9004] = { "The document has no such slide. Add a slide in Keynote.", "not_found" },
}

local NOT_INSTALLED = "Keynote is not installed. Install it from the App Store."
local NO_DOCUMENT = "No presentation is open yet. Call open_keynote first."
local DIALOG = "Keynote did not respond in time; a dialog may be open in it. Answer the dialog, then try again."


--- Reads "1024", "1.024E+3", and "793,7" if the system writes a comma.
---@param text string
---@return number?
function M.parse_number(text)
  local plain = text:gsub(",", ".")
  if not plain:find "^[+-]?%d+%.?%d*[eE]?[+-]?%d*$" then return nil end
  local number = tonumber(plain)
  if not number then return nil end
  return math.tointeger(number) or number
end


--- Splits "a|b|c" into exactly `count` parts; the last one may contain "|".
---@param line string
---@param count integer
---@return string[]? parts
local function split(line, count)
  local parts, from = {}, 1
  for i = 1, count - 1 do
    local bar = line:find("|", from, true)
    if not bar then return nil end
    parts[i], from = line:sub(from, bar - 1), bar + 1
  end
  parts[count] = line:sub(from)
  return parts
end


local function strange(script, said)
  local shown = said:sub(1, 80):gsub("[^\x20-\x7E]", "?")
  return nil, ("Keynote's reply to %s cannot be parsed: %q"):format(script, shown), "bad_answer"
end


--- The parts of an answer; those named in `numbers` as numbers.
---@param script string
---@param said string
---@param names string[]
---@param numbers table<string, true>
---@return table? answer
local function read(script, said, names, numbers)
  local parts = utf8.len(said) and split(said, #names)
  if not parts then return strange(script, said) end
  local answer = {}
  for i, name in ipairs(names) do
    local value = parts[i]
    if numbers[name] then value = M.parse_number(value) end
    if not value then return strange(script, said) end
    answer[name] = value
  end
  return answer
end


local NUMBERS = { x = true, y = true, width = true, height = true, place = true, characters = true }


---@return string? output
---@return string? err
---@return string? code
---@return integer? number
local function run(script, args)
  local id = args[1]
  local said, err, code, number = osascript.run {
    file = ("keynote/%s.applescript"):format(script), args = args, terms = id ~= TERMS and id or nil,
    timeout = TIMEOUT[script] or TIMEOUT_ELSE,
  }
  log.info(("osascript: %s -> %s"):format(script, said or err))
  if code and code:find "^permission_denied" then code = select(3, fail.with(err, code)) end
  return said, err, code, number
end


--- The bundle ID of the Keynote to control. It is found once, and again if that Keynote is gone.
local function bundle(mine)
  if mine.bundle then return mine.bundle end
  local said, err, code = run("find_keynote", {})
  if not said then
    if code == "app_not_found" then return nil, NOT_INSTALLED, code end
    return nil, err, code
  end
  local id = said:match "^([%w.-]+)"
  if not id then return strange("find_keynote", said) end
  mine.bundle = id
  return id
end


--- Decides whether to run a script once more, and finds the Keynote for it. A Keynote that quit is started by the next event.
--- If this Keynote is gone (-1728 can also mean that), there may be another one.
---@param mine table
---@param id string  the Keynote that failed
---@param code string
---@param number? integer
---@return boolean? again
---@return string? err
---@return string? code
local function recover(mine, id, code, number)
  local quit = code == "app_not_running"
  if not quit and code ~= "app_not_found" and number ~= -1728 then return false end
  mine.bundle = nil
  local found, err
  found, err, code = bundle(mine)
  if not found then return nil, err, code end
  return quit or found ~= id
end


--- Runs one script with the bundle ID before its own arguments.
---@param script string
---@param args (string|number)[]
---@return string? output
---@return string? err
---@return string? code
local function tell(script, args)
  local mine = state.open "keynote.mac"
  local id, again, err, code
  id, err, code = bundle(mine)
  if not id then return nil, err, code end
  local function once() return run(script, { mine.bundle, table.unpack(args) }) end
  local said, why, what, number = once()
  if not said then
    again, err, code = recover(mine, id, what, number)
    if again == nil then return nil, err, code end
    if again then
      log.warn("Keynote was lost, trying once more:", why)
      said, why, what, number = once()
    end
  end
  if said then return said end
  local raised = RAISED[number]
  if raised then return nil, raised[1], raised[2] end
  if what == "timeout" then return nil, ("%s (%s)"):format(DIALOG, why), what end
  return nil, why, what
end


--- A handle: text that contains a document, a place and a box, with neither "|" nor ",".
local function make_handle(parts)
  local words = {}
  for i, part in ipairs(parts) do
    words[i] = part:gsub("[^%w.-]", function(byte) return ("_%02x"):format(byte:byte()) end)
  end
  return table.concat(words, ":")
end


---@param handle string
---@return string[]? parts  document, place, x, y, width, height as Keynote printed them
local function read_handle(handle)
  local parts = {}
  for word in handle:gmatch "[^:]+" do
    parts[#parts + 1] = word:gsub("_(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end)
  end
  return #parts == 6 and parts or nil
end


local BOX = { "x", "y", "width", "height" }

local function warnings_about(box, drawn)
  for _, name in ipairs(BOX) do
    if math.abs(drawn[name] - box[name]) > 0.5 then
      return { "Keynote drew the rectangle with another position or size than requested." }
    end
  end
  return {}
end


function M.open(options)
  local held <close> = task.lock "keynote.mac"
  local mode = options.mode == "always_new" and options.mode or "reuse_or_create"
  local said, err, code = tell("open_keynote", { mode, options.theme })
  if not said then return nil, err, code end
  local opened
  opened, err, code = read("open_keynote", said, { "document", "width", "height", "note" }, NUMBERS)
  if not opened then return nil, err, code end
  local note = opened.note:gsub("%s+", " ")
  return { document = opened.document, width = opened.width, height = opened.height,
           warnings = note ~= "" and { note } or {} }
end


--- The slide size of a document; without one, of the frontmost document.
function M.slide_size(document)
  local held <close> = task.lock "keynote.mac"
  local said, err, code = tell("get_slide_size", { document or "" })
  if not said then
    if code == "no_document" and not document then err = NO_DOCUMENT end
    return nil, err, code
  end
  return read("get_slide_size", said, { "document", "width", "height" }, NUMBERS)
end


function M.draw(document, box)
  if not document then return nil, NO_DOCUMENT, "no_document" end
  local held <close> = task.lock "keynote.mac"
  local said, err, code = tell("draw_rectangle", { document, box.x, box.y, box.width, box.height })
  if not said then return nil, err, code end
  local names, drawn = { "place", table.unpack(BOX) }
  drawn, err, code = read("draw_rectangle", said, names, NUMBERS)
  if not drawn then return nil, err, code end
  drawn.handle = make_handle { document, table.unpack(split(said, #names)) }
  drawn.warnings = warnings_about(box, drawn)
  return drawn
end


function M.write(_, handle, text)
  local parts = read_handle(handle)
  if not parts then return nil, "The rectangle is not one of Keynote's. Call draw_rectangle again.", "not_found" end
  if text:find("\0", 1, true) then return nil, "The text contains a NUL character. Remove it.", "bad_argument" end
  parts[#parts + 1] = text
  local held <close> = task.lock "keynote.mac"
  local said, err, code = tell("add_text_in_keynote", parts)
  if not said then return nil, err, code end
  local written
  written, err, code = read("add_text_in_keynote", said, { "characters" }, NUMBERS)
  if not written then return nil, err, code end
  local wanted = utf8.len(text)
  written.warnings = written.characters ~= wanted
    and { ("Keynote shows %d of the text's %d characters."):format(written.characters, wanted) } or {}
  return written
end


--- Exports a slide's image. Keynote exports into a folder that it makes.
local function export(document, path, folder, work)
  local made
  local said, err, code = tell("export_slide_png", { document, 1, work .. "/slide" })
  if not said then return nil, err, code end
  made, err, code = picture.find(work)
  if not made then return nil, err, code end
  return picture.put(made, folder, path)
end


--- Exports through a temporary folder of ours in `place`.
local function export_by(mine, document, path, folder, place)
  local saved, err, code
  mine.folder, err, code = picture.workshop(place)
  if not mine.folder then return nil, err, code end
  saved, err, code = export(document, path, folder, mine.folder)
  picture.remove(mine.folder)
  mine.folder = nil
  return saved, err, code
end


-- Errors that another folder would not prevent: the document, the permission or the time is missing.
local NOT_THE_FOLDER = { no_document = true, not_found = true, timeout = true, bad_argument = true }


--- The folder that the image may be written to. It is made if it does not exist.
local function folder_for(path)
  local folder, err, code = picture.folder_of(path)
  if not folder then return nil, err, code end
  local may, made
  may, err, code = effect.save_file(path)
  if not may then return nil, err, code end
  made, err, code = picture.make_folder(folder)
  return made and folder, err, code
end


--- Exports a slide's image. In its sandbox Keynote may be refused a folder in TMPDIR, but not one in its own container.
function M.export(document, path)
  if not document then return nil, NO_DOCUMENT, "no_document" end
  local folder, err, code = folder_for(path)
  if not folder then return nil, err, code end
  local held <close> = task.lock "keynote.mac"
  local mine = state.open "keynote.mac"
  if mine.folder then picture.remove(mine.folder) end -- the folder of a call that was cancelled
  local saved
  saved, err, code = export_by(mine, document, path, folder)
  local home = env.get "HOME"
  if not saved and home and mine.bundle and not NOT_THE_FOLDER[code] and not tostring(code):find "^PERMISSION" then
    local container = ("%s/Library/Containers/%s/Data/tmp"):format(home, mine.bundle)
    saved = export_by(mine, document, path, folder, container)
  end
  if not saved then return nil, err, code end
  return { path = saved, warnings = {} }
end


return M
