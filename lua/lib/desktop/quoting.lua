--- Text from outside in a line of an answer: titles, names, text of notifications. It is data, and must not look like anything
--- else.

local text = require "sys.text"

local M = {}

local NAME_MAX = 80   -- characters


--- The text on one line, without invisible characters and those that change the direction of writing. For structured results.
---@param outside string
---@return string
M.plain = text.plain


--- The same, or nil without text; for members that may be absent.
---@param outside? string
---@return string?
function M.maybe(outside) return outside and text.plain(outside) end


--- The text, cut after so many characters.
---@param shown string
---@param most integer
---@return string
function M.cut(shown, most)
  local stop = utf8.offset(shown, most + 1)
  return stop and stop <= #shown and shown:sub(1, stop - 1) .. "…" or shown
end


--- The text in quotes, cut after so many characters. Quotes and backslashes in it have a backslash before them, as selectors take
--- them.
---@param outside string
---@param most? integer
---@return string
function M.quote(outside, most)
  local shown = text.plain(outside)
  return '"' .. (most and M.cut(shown, most) or shown):gsub('[\\"]', "\\%0") .. '"'
end


--- The name of an application or of a program: unchanged if it contains nothing that could end a name in a line, otherwise in
--- quotes.
---@param outside string
---@param most? integer  characters
---@return string
function M.name(outside, most)
  local shown = text.plain(outside)
  if shown == outside and not shown:find "[^%w%-%+&'.,_ /@#!\x80-\xff]" and not shown:find ",%s" then
    return M.cut(shown, most or NAME_MAX)
  end
  return M.quote(shown, most or NAME_MAX)
end


--- True if a test holds for the text, as it is or as it is shown.
---@param outside string
---@param test fun(outside: string): any
---@return any
function M.either(outside, test)
  local found = test(outside)
  if found then return found end
  local shown = text.plain(outside)
  return shown ~= outside and test(shown) or found
end


return M
