--- A question on the desktop, shown by a program of the system.

local desktop = require "sys.desktop"
local env     = require "sys.env"
local html    = require "html"
local process = require "sys.process"

local M = {}

local TITLE = "Perigee"

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

function PROGRAMS.zenity(message, labels)
  local argv = { "zenity", "--question", "--switch", "--no-markup", "--width=460", "--title", TITLE, "--text", M.folded(message) }
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


--- Asks in a dialog. While it is open, no tool of any Perigee process acts on this desktop, so that only a person can answer.
---@param message string
---@param labels string[]  the answers; the last is the refusal, which Return chooses
---@param seconds number   seconds to wait for an answer
---@return string? label
---@return string? err
---@return string? code  "dismissed", "timeout", "no_dialog"
function M.ask(message, labels, seconds)
  local program, why = M.program()
  if not program then return nil, why, "no_dialog" end
  local argv, read = PROGRAMS[program](message, labels)
  argv.timeout = seconds
  local result, err, code = desktop.hold(function() return process.run(argv) end)
  if not result then
    if code == "timeout" then return nil, ("the user did not answer the dialog within %d seconds"):format(seconds), code end
    return nil, err, "no_dialog"
  end
  local said = read((result.stdout:gsub("%s+$", "")))
  for _, label in ipairs(labels) do
    if label == said then return label end
  end
  if result.stderr ~= "" and said == "" and result.code ~= 0 and result.stderr:lower():find "cannot open display" then
    return nil, ("%s: %s"):format(program, result.stderr:match "[^\n]*"), "no_dialog"
  end
  return nil, "the dialog was closed without an answer", "dismissed"
end


return M
