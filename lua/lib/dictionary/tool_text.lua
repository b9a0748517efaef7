--- Parts of the text of generated tool files: names, quoted strings, sentences.

local set_of = require("word_set").of

local M = {}

local SUMMARY = 96      -- characters of a description's first sentence


--- A name for a file or a parameter: small letters, digits and _.
---@param text string
---@return string
function M.slug(text)
  local slug = text:gsub("(%l)(%u)", "%1_%2"):lower():gsub("[^%w]+", "_"):gsub("^_+", ""):gsub("_+$", "")
  return slug:find "^%a" and slug or "x_" .. slug
end


--- A text on one line, for a comment: whatever a dictionary says, nothing of it is code.
---@param text string
---@return string
function M.line(text) return (text:gsub("%c+", " ")) end


--- A string as Lua, on one line.
---@param text string
---@return string
function M.quoted(text) return (("%q"):format(text):gsub("\\\n", "\\n")) end


--- The first sentence of a text, on one line; of another text if it is empty.
---@param text? string
---@param otherwise string
---@return string
function M.sentence(text, otherwise)
  text = (text or ""):gsub("%s+", " "):match "^%s*(.-)%s*$"
  if text == "" then text = otherwise end
  text = text:match "^(.-[.!?])%s" or text
  if #text > SUMMARY then text = text:sub(1, (utf8.offset(text, 0, SUMMARY) or SUMMARY) - 1):gsub("%s+%S*$", "") end
  return text:find "[.!?]$" and text or text .. "."
end


local RESERVED = set_of [[and break do else elseif end false for function goto if in local nil not or repeat return then true
  until while]]

--- A name as a key of a table.
---@param name string
---@return string
function M.key(name) return RESERVED[name] and ('["%s"]'):format(name) or name end


--- Names of commands that take something away.
local DESTROYS = set_of "delete quit close empty erase remove trash unlink terminate kill"

--- True if a command's name says that it takes something away.
---@param name string
---@return boolean
function M.destroys(name)
  local first = name:match "[^.]*$":match "^%u?%l+"   -- of an action "edit.delete-line" what is behind its group
  return first ~= nil and DESTROYS[first:lower()] == true
end


return M
