--- The AppleScript of the common tools: each has a file in scripts/common. Values are arguments of it, never a part of its text.
--
-- All of this was tested with a double of osascript only.

local fail      = require "desktop.fail"
local osascript = require "sys.osascript"

local M = {}

-- Errors of our scripts, and of the Finder, that have a meaning of their own.
local RAISED = {
  [9001]   = { "Safari has no window. Open a page with safari_open_url.", "no_window" },
  [9002]   = { "The current tab shows another URL, so it was not closed. Call safari_get_current_url.", "other_page" },
  [-43]    = { "The Finder found no such file. Call finder_list_folder.", "not_found" },
  [-15267] = { "The folder has an item of that name. Rename or trash one of them first.", "exists" },
}


--- Runs scripts/common/NAME.applescript.
---@param name string
---@param args string[]
---@param seconds number  a little longer than the script's own limit
---@return string? output
---@return string? err
---@return string? code
function M.run(name, args, seconds)
  local said, err, code, number = osascript.run { file = ("common/%s.applescript"):format(name), args = args, timeout = seconds }
  if said then return said end
  local raised = RAISED[number or 0]
  if raised then return fail.with(raised[1], raised[2]) end
  return fail.with(err, code)
end


--- The error for an answer that is not as the script prints it.
---@param name string
---@param said string
---@return nil
---@return string err
---@return string code
function M.strange(name, said)
  local shown = said:sub(1, 80):gsub("[^\x20-\x7E]", "?")
  return fail.with(("The answer of %s cannot be read: %q. Update Perigee, or call execute_applescript."):format(name, shown),
    "bad_answer")
end


--- Splits text that ends with, or has between its parts, one character.
---@param text string
---@param sign string
---@return string[]
function M.split(text, sign)
  local parts, from = {}, 1
  while from <= #text do
    local at = text:find(sign, from, true) or #text + 1
    parts[#parts + 1], from = text:sub(from, at - 1), at + 1
  end
  return parts
end


return M
