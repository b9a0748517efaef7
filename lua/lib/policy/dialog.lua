--- A question on the desktop, shown by a program of the system.

local alone     = require "policy.alone"
local desktop   = require "sys.desktop"
local env       = require "sys.env"
local file_lock = require "file_lock"
local html      = require "html"
local process   = require "sys.process"
local task      = require "sys.task"
local time      = require "sys.time"

local M = {}

local TITLE = "Perigee"
local LEAST = 10   -- seconds that a dialog is shown at least

local COLUMNS = 110        -- of a line: a window as wide as a longer one would not fit on a small screen
local INDENT = "        "   -- of its continuation, so that it cannot look like a line of the question

-- The question is passed in arguments only: no part of it ever becomes part of a script.
local OSASCRIPT = {
  "on run argv",
  "set answers to {}",
  "repeat with i from 3 to count of argv",
  "set end of answers to item i of argv",
  "end repeat",
  "choose from list answers with title (item 1 of argv) with prompt (item 2 of argv) default items {last item of answers}",
  "return item 1 of result",
  "end run",
}


--- The byte at which a line has to end, to be at most so many columns wide: at a blank, if there is one in its second half. nil
--- if it is short enough. Wide characters begin with the Hangul letters.
local function stop_of(line, columns)
  local blank, width = nil, 0
  for at, point in utf8.codes(line) do
    width = width + (point >= 0x1100 and 2 or 1)
    if width > columns then return blank or at - 1 end
    if point == 0x20 and width > columns // 2 then blank = at end
  end
end


--- The text with lines that are short enough.
---@param text string
---@return string
function M.folded(text)
  local lines = {}
  for line in text:gmatch "[^\n]*" do
    local stop = stop_of(line, COLUMNS)
    while stop do
      lines[#lines + 1] = line:sub(1, stop)
      line = INDENT .. line:sub(stop + 1)
      stop = stop_of(line, COLUMNS)
    end
    lines[#lines + 1] = line
  end
  return table.concat(lines, "\n")
end


-- Each returns argv and a function that reads the answer: from the printed text to the label, or nil.
local PROGRAMS = {}

-- zenity closes by itself if this process was killed, and its guardian as well.
function PROGRAMS.zenity(message, labels, seconds)
  local argv = { "zenity", "--question", "--switch", "--no-markup", "--width=460", ("--timeout=%d"):format(seconds + 5),
    "--title", TITLE, "--text", M.folded(message) }
  for i = #labels, 1, -1 do table.move({ "--extra-button", labels[i] }, 1, 2, #argv + 1, argv) end
  return argv, function(said) return said end
end

-- kdialog interprets text that looks like HTML, and a backslash with the next character.
local function for_kdialog(message)
  local text = html.escape(message):gsub("\\", "&#92;")
  return ('<qt><p align="left" style="white-space: pre-wrap">%s</p></qt>'):format(text)
end

-- Return chooses the first item.
function PROGRAMS.kdialog(message, labels)
  local argv = { "kdialog", "--title", TITLE, "--menu", for_kdialog(M.folded(message)), tostring(#labels), labels[#labels] }
  for i = 1, #labels - 1 do table.move({ tostring(i), labels[i] }, 1, 2, #argv + 1, argv) end
  return argv, function(said) return labels[tonumber(said) or 0] end
end

function PROGRAMS.osascript(message, labels)
  local argv = { "osascript" }
  for _, line in ipairs(OSASCRIPT) do table.move({ "-e", line }, 1, 2, #argv + 1, argv) end
  table.move({ TITLE, message, table.unpack(labels) }, 1, 2 + #labels, #argv + 1, argv)
  return argv, function(said) return said end
end


--- The program that can show a dialog here; nil and the reason if none can.
---@return string? program
---@return string? why
function M.program()
  if env.get "PERIGEE_DESKTOP" == "fake" then return nil, "the desktop is the one in memory" end
  if env.platform == "macos" then return "osascript" end
  if not env.get "DISPLAY" and not env.get "WAYLAND_DISPLAY" then return nil, "there is no display" end
  for _, name in ipairs { "zenity", "kdialog" } do
    if process.exists(name) then return name end
  end
  return nil, "neither zenity nor kdialog is installed"
end


--- Shows the dialog while the desktop is held. It ends so many seconds after this began, whatever it waited for before.
---@return table? result  of the program
---@return string? err
---@return string? code
local function show(program, message, labels, ends)
  local shown = false
  local argv, read = PROGRAMS[program](message, labels, math.ceil(ends - time.monotonic()))
  local result, err, code = desktop.hold(function()
    argv.timeout, shown = math.max(LEAST, ends - time.monotonic()), true
    require("policy.effect.typed").let_go()
    alone.shows(argv)
    return process.run(argv)
  end)
  if not shown then code = "no_dialog" end   -- an action on the desktop went on for too long
  return result, err, code, read
end


--- Takes the turn to show a dialog on this desktop among the user's processes: a second one would come up under a click that is
--- meant for the first. Where no lock can be made, there are no turns.
---@param seconds number  how long to wait for it
---@return table? held
---@return string? err
---@return string? code  "busy": another process has it all the time
local function take_turn(seconds)
  local display = env.get "DISPLAY" or env.get "WAYLAND_DISPLAY" or "mac"
  return file_lock.hold("dialog_" .. display:lower():gsub("[^%w]", "_"), seconds)
end


--- Asks in a dialog. While it is open, no tool of any Perigee process acts on this desktop, so that only a person can answer.
--- One dialog is open at a time. The desktop is held while one is, and the whole takes no longer than `seconds`.
---@param message string
---@param labels string[]  the answers; the last is the refusal, which Return chooses
---@param seconds number   seconds to wait for an answer, also while other dialogs are open
---@param may_ask? fun(): boolean?, string?, string?  called when the dialog can open; nil, message, code: it does not
---@param refused? fun()   called when the last of the labels is chosen, or none, before another dialog can open
---@return string? label
---@return string? err
---@return string? code  "dismissed", "timeout", "no_dialog", or that of `may_ask`
function M.ask(message, labels, seconds, may_ask, refused)
  local program, why = M.program()
  if not program then return nil, why, "no_dialog" end
  local ends = time.monotonic() + seconds
  local held <close> = task.lock "the dialog"
  local turn <close>, _, reason = take_turn(ends - time.monotonic())
  if not turn and reason == "busy" then ends = 0 end
  if may_ask then
    local ok, err, code = may_ask()
    if not ok then return nil, err, code end
  end
  if ends - time.monotonic() < LEAST then
    return nil, ("other questions were open for %d seconds"):format(seconds), "timeout"
  end
  local result, err, code, read = show(program, message, labels, ends)
  if not result then
    if code == "timeout" then return nil, ("the user did not answer the dialog within %d seconds"):format(seconds), code end
    return nil, err, "no_dialog"
  end
  local said = read((result.stdout:gsub("%s+$", "")))
  if refused and said == labels[#labels] then refused() end
  for _, label in ipairs(labels) do
    if label == said then return label end
  end
  if result.stderr ~= "" and said == "" and result.code ~= 0 and result.stderr:lower():find "cannot open display" then
    return nil, ("%s: %s"):format(program, result.stderr:match "[^\n]*"), "no_dialog"
  end
  if refused then refused() end
  return nil, "the dialog was closed without an answer", "dismissed"
end


return M
