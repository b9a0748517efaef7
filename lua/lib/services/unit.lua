--- The text of the files that start services with the user's session: a unit of systemd, an agent of launchd.

local crypto = require "sys.crypto"
local keys   = require "keys"

local M = {}

local MARK = "perigee service install wrote this file. SHA-256 of its other lines: "

---@class services.unit.Spec
---@field program string    absolute path
---@field words string[]    its arguments
---@field env table<string, string>
---@field target? string    systemd: the target that starts it
---@field label? string     launchd: its label
---@field log? string       launchd: the file for its log lines


local function shown_byte(byte) return ("\\x%02x"):format(byte:byte()) end


--- Returns an error for a string that the file cannot hold.
local function unfit(manager, what, value)
  return nil, ("%s cannot take %s %s: it is not UTF-8%s. Use another path"):format(manager, what,
    value:gsub("[%c\128-\255]", shown_byte), manager == "launchd" and ", or has control characters" or ""), "bad_path"
end


-- --- systemd ------------------------------------------------------------------------------

--- Quotes a word for systemd, in which "%" begins a specifier.
local function quoted(word)
  word = word:gsub('[\\"]', "\\%0"):gsub("%%", "%%%%"):gsub("[\0-\31\127]", shown_byte)
  return '"' .. word .. '"'
end


--- Quotes a word after the first of a command: there "$" begins a variable. Lines of a unit are UTF-8: other bytes are
--- escaped.
local function argument(word)
  word = quoted(word):gsub("%$", "%0%0")
  return utf8.len(word) and word or word:gsub("[\128-\255]", shown_byte)
end


---@param spec services.unit.Spec
---@return string? text
---@return string? err
---@return string? code
function M.systemd(spec)
  local command, variables = { quoted(spec.program) }, {}
  for _, word in ipairs(spec.words) do command[#command + 1] = argument(word) end
  if not utf8.len(spec.program) then return unfit("systemd", "the program", spec.program) end
  for _, name in ipairs(keys.sorted(spec.env)) do
    if not utf8.len(spec.env[name]) then return unfit("systemd", name, spec.env[name]) end
    variables[#variables + 1] = ("Environment=%s\n"):format(quoted(name .. "=" .. spec.env[name]))
  end
  local after = spec.target == "graphical-session.target"
    and "PartOf=graphical-session.target\nAfter=graphical-session.target\n" or ""
  return M.seal("# %s\n", ([[
[Unit]
Description=Perigee services
%s
[Service]
ExecStart=%s
%sRestart=on-failure
RestartSec=5
SuccessExitStatus=130 143

[Install]
WantedBy=%s
]]):format(after, table.concat(command, " "), table.concat(variables), spec.target))
end


-- --- launchd ------------------------------------------------------------------------------

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ["\r"] = "&#13;" }

local function escaped(text) return (text:gsub("[&<>\r]", ESCAPES)) end

local function element(text) return ("<string>%s</string>"):format(escaped(text)) end


--- True if XML can hold this text.
local function fits_xml(text)
  return utf8.len(text) and not text:find "[\0-\8\11\12\14-\31]" and not text:find "\xef\xbf[\xbe\xbf]"
end


---@param spec services.unit.Spec
---@return string? text
---@return string? err
---@return string? code
function M.launchd(spec)
  local words, variables = { "    " .. element(spec.program) }, {}
  for _, word in ipairs { spec.program, spec.log, table.unpack(spec.words) } do
    if not fits_xml(word) then return unfit("launchd", "the word", word) end
  end
  for _, word in ipairs(spec.words) do words[#words + 1] = "    " .. element(word) end
  for _, name in ipairs(keys.sorted(spec.env)) do
    if not fits_xml(spec.env[name]) then return unfit("launchd", name, spec.env[name]) end
    variables[#variables + 1] = ("    <key>%s</key>\n    %s"):format(escaped(name), element(spec.env[name]))
  end
  local env = #variables > 0
    and ("  <key>EnvironmentVariables</key>\n  <dict>\n%s\n  </dict>\n"):format(table.concat(variables, "\n")) or ""
  local head = [[
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
]]
  return M.seal(head .. "<!-- %s -->\n", ([[
<plist version="1.0">
<dict>
  <key>Label</key>
  %s
  <key>ProgramArguments</key>
  <array>
%s
  </array>
%s  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>LimitLoadToSessionType</key>
  <string>Aqua</string>
  <key>StandardErrorPath</key>
  %s
</dict>
</plist>
]]):format(element(spec.label), table.concat(words, "\n"), env, element(spec.log)))
end


-- --- the mark of a file -------------------------------------------------------------------

local function digest_of(text) return crypto.hex(assert(crypto.sha256(text))) end


--- Adds a line by which M.state() recognizes later whether the file was changed.
---@param head string  the beginning of the text, with %s for the mark
---@param body string
---@return string text
function M.seal(head, body)
  local before, after = head:match "^(.-)%%s(.*)$"
  local line_start = before:match "()[^\n]*$"
  return before .. MARK .. digest_of(before:sub(1, line_start - 1) .. body) .. after .. body
end


--- Returns "ours" for text as M.seal() made it, "changed" if it was changed since, "foreign" without the mark.
---@param text string
---@return "ours"|"changed"|"foreign"
function M.state(text)
  local at = text:find(MARK, 1, true)
  if not at then return "foreign" end
  local line = text:sub(1, at - 1):match "()[^\n]*$"
  local rest = text:match("\n()", at) or #text + 1
  local told = text:match("^%x+", at + #MARK)
  return told == digest_of(text:sub(1, line - 1) .. text:sub(rest)) and "ours" or "changed"
end


return M
