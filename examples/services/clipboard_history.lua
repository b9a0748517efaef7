--- Keeps the text that was copied, on the disk, and shows it in a list when KEYS are pressed. What the user chooses there is on
--- the clipboard again.
--
-- Text that a password manager marks as secret is never kept. On Linux the list needs zenity.

local clipboard = require "sys.clipboard"
local env       = require "sys.env"
local hotkey    = require "sys.hotkey"
local process   = require "sys.process"
local store     = require "sys.store"
local text      = require "sys.text"
local time      = require "sys.time"

-- --- options ------------------------------------------------------------------------------------------

local KEYS = "ctrl+meta+v"
local ENTRIES = 100          -- that are kept
local BYTES = 100000         -- longer text is not kept
local COLUMNS = 80           -- of each entry in the list


-- --- what is kept -------------------------------------------------------------------------------------

local kept = store.open "clipboard_history"


--- Puts text in front of the others. Text that is there already moves to the front.
local function keep(copied)
  assert(kept:update("entries", function(entries)
    local newest = { copied }
    for _, entry in ipairs(entries or {}) do
      if entry ~= copied and #newest < ENTRIES then newest[#newest + 1] = entry end
    end
    return newest
  end))
end


local function copied_now()
  local clip = clipboard.read { types = { "text/plain" }, max_bytes = BYTES }
  local copied = clip and not clip.secret and clip.parts["text/plain"]
  if copied and text.trim(copied) ~= "" then keep(copied) end
end


-- --- choosing -----------------------------------------------------------------------------------------

local FORGET = "(forget all of these)"

local APPLESCRIPT = [[
on run argv
  set chosen to choose from list argv with title "Clipboard" with prompt "Copy again:"
  if chosen is false then return ""
  return item 1 of chosen
end run]]


--- The command that shows a list and prints the number of the line that was chosen.
local function chooser(labels)
  if env.platform == "macos" then
    local command = { "osascript", "-e", APPLESCRIPT, timeout = 600 }
    for i, label in ipairs(labels) do command[#command + 1] = ("%d  %s"):format(i, label) end
    return command
  end
  local cells = {}   -- on stdin, a line each: as an argument, text such as "--help" would be an option
  for i, label in ipairs(labels) do cells[i] = ("%d\n%s\n"):format(i, label) end
  return { "zenity", "--list", "--title=Clipboard", "--text=Copy again:", "--width=640", "--height=480", "--column=#",
    "--column=Text", "--print-column=1", "--hide-header", input = table.concat(cells), timeout = 600 }
end


local function choose()
  local entries, labels = kept:get "entries" or {}, {}
  for i, entry in ipairs(entries) do labels[i] = text.truncate(text.trim((entry:gsub("%s+", " "))), COLUMNS) end
  labels[#labels + 1] = FORGET
  local result = assert(process.run(chooser(labels)))
  local number = math.tointeger(tonumber(result.stdout:match "^%d+"))   -- nil: it was canceled
  if number == #labels then
    assert(kept:set("entries", nil))
  elseif entries[number] then
    assert(clipboard.write { ["text/plain"] = entries[number] })
  end
end


local function start()
  local open
  assert(hotkey.bind(KEYS, function()
    if open and open:runs() then
      open:stop()   -- pressed again: the list closes
    else
      open = time.after(0, choose)
    end
  end))
  assert(clipboard.events(function(event)
    if event.what == "changed" then copied_now() end
  end))
end


---@type Service
return {
  description = "Keeps what was copied, and copies it again.",
  start       = start,

  examples = {
    { "copies an older text again",
      events = { { "clipboard.events", { what = "changed" } }, { "clipboard.events", { what = "changed" } },
                 { "hotkey.bind" }, { "time.after 0" } },
      given = { ["sys.clipboard.read"] = { { parts = { ["text/plain"] = "older" } }, { parts = { ["text/plain"] = "newer" } } },
                ["sys.process.run"] = { stdout = "2\n" }, ["sys.clipboard.write"] = true },
      did = { "clipboard.read", "clipboard.read", "process.run", "clipboard.write text/plain=older" } },
    { "leaves secrets alone", events = { { "clipboard.events", { what = "changed" } }, { "hotkey.bind" }, { "time.after 0" } },
      given = { ["sys.clipboard.read"] = { secret = true, parts = { ["text/plain"] = "password" } },
                ["sys.process.run"] = function(command)
                  if (command.input or table.concat(command, " ")):find "password" then error "it is shown" end
                  return { stdout = "" }
                end },
      did = { "clipboard.read", "process.run" } },
  },
}
