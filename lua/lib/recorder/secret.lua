--- Text that must not be recorded: that of password fields, of fields that show dots, and of terminals that show nothing.

local process = require "sys.process"

local M = {}

local DOTS = { ["•"] = true, ["●"] = true, ["∙"] = true, ["⬤"] = true, ["*"] = true }

local SECONDS = 5     -- for ps and stty
local CHILDREN = 32   -- processes that a terminal's ttys are read of


--- True if the text is only dots, as of a password.
---@param text string
---@return boolean
function M.is_masked(text)
  if text == "" or not utf8.len(text) then return false end
  for _, code in utf8.codes(text) do
    if not DOTS[utf8.char(code)] then return false end
  end
  return true
end


--- True for a field whose text must not be read.
---@param node sys.element.Node
---@return boolean
function M.is_field(node) return node.role == "password" or M.is_masked(node.value or "") end


--- True if `stty -a` tells that a program reads a secret: nothing that is typed is shown, and lines are read as a whole. A shell
--- that edits its line does neither.
---@param text string
---@return boolean
function M.hides(text)
  local words = {}
  for word in text:gmatch "[%w%-]+" do words[word] = true end
  return words["-echo"] == true and words.icanon == true
end


local function out(words)
  words.timeout = SECONDS
  local ended = process.run(words)
  return ended and ended.code == 0 and ended.stdout or ""
end


--- The terminals of the processes that a terminal's process started, its tabs: "pts/3".
local function ttys_of(pid)
  local list, seen = {}, {}
  for tty in out { "ps", "-o", "tty=", "--ppid", tostring(pid) }:gmatch "%S+" do
    if tty ~= "?" and not seen[tty] and #list < CHILDREN then
      seen[tty] = true
      list[#list + 1] = tty
    end
  end
  return list
end


--- True if one of the terminals of a process reads a secret now.
---@param pid integer
---@return boolean
function M.is_read_by(pid)
  for _, tty in ipairs(ttys_of(pid)) do
    if M.hides(out { "stty", "-a", "-F", "/dev/" .. tty }) then return true end
  end
  return false
end


return M
