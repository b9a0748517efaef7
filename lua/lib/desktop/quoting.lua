--- Text from outside in a line of an answer: titles, names, what notifications say. It is data, and must not look like anything
--- else.

local text = require "sys.text"

local M = {}

local NAME_MAX = 80   -- characters


--- On one line, without what nobody sees and what turns the direction of writing. For structured results.
---@param outside string
---@return string
M.plain = text.plain


--- The same, without a string; for members that may be absent.
---@param outside? string
---@return string?
function M.maybe(outside) return outside and text.plain(outside) end


local function cut(shown, most)
  local stop = utf8.offset(shown, most + 1)
  return stop and stop <= #shown and shown:sub(1, stop - 1) .. "…" or shown
end


--- In quotes, cut after so many characters.
---@param outside string
---@param most? integer
---@return string
function M.quote(outside, most)
  local shown = text.plain(outside):gsub('"', "'")
  return '"' .. (most and cut(shown, most) or shown) .. '"'
end


--- The name of an application or of a program: as it is where it holds nothing that ends a name in a line, else in quotes.
---@param outside string
---@param most? integer  characters
---@return string
function M.name(outside, most)
  local shown = text.plain(outside)
  if shown == outside and not shown:find "[^%w%-%+&'.,_ /@#!\x80-\xff]" and not shown:find ",%s" then
    return cut(shown, most or NAME_MAX)
  end
  return M.quote(shown, most or NAME_MAX)
end


--- Whether a text is called so or holds it: as it is, or as it is shown.
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
