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


-- --- systemd ------------------------------------------------------------------------------

--- Quotes a word for systemd, in which "%" begins a specifier.
local function quoted(word)
  word = word:gsub('[\\"]', "\\%0"):gsub("%%", "%%%%"):gsub("[\0-\31\127]", function(byte)
    return ("\\x%02x"):format(byte:byte())
  end)
  return '"' .. word .. '"'
end


--- Quotes a word after the first of a command: there "$" begins a variable.
local function argument(word) return (quoted(word):gsub("%$", "$$$$")) end


---@param spec services.unit.Spec
---@return string text
function M.systemd(spec)
  local command, variables = { quoted(spec.program) }, {}
  for _, word in ipairs(spec.words) do command[#command + 1] = argument(word) end
  for _, name in ipairs(keys.sorted(spec.env)) do
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

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }

local function element(text) return ("<string>%s</string>"):format((text:gsub("[&<>]", ESCAPES))) end


---@param spec services.unit.Spec
---@return string text
function M.launchd(spec)
  local words, variables = { "    " .. element(spec.program) }, {}
  for _, word in ipairs(spec.words) do words[#words + 1] = "    " .. element(word) end
  for _, name in ipairs(keys.sorted(spec.env)) do
    variables[#variables + 1] = ("    <key>%s</key>\n    %s"):format(name, element(spec.env[name]))
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
