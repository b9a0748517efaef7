--- Parses WWW-Authenticate (RFC 9110, section 11.6.1): one or more challenges, joined by commas like their parameters.

local M = {}

local TOKEN = "^[%w!#$%%&'*+.^_`|~-]+"
local LONGEST = 16384


local function unquote(text, at)
  local parts = {}
  while true do
    local plain, mark = text:match('^([^"\\]*)(["\\]?)', at)
    parts[#parts + 1] = plain
    at = at + #plain + 1
    if mark == '"' then return table.concat(parts), at end
    if mark == "" or at > #text then return nil end
    parts[#parts + 1] = text:sub(at, at)
    at = at + 1
  end
end


--- Reads name = value, beginning at `at`; nil if there is none.
local function parameter(text, at)
  local name = text:match(TOKEN, at)
  if not name then return nil end
  local after = text:match("^[ \t]*=[ \t]*()", at + #name)
  if not after then return nil end
  -- A value that is not a token, such as a URL, needs quotes, but some servers leave them out.
  local value = text:find(TOKEN, after) and text:match('^[^%s,"]+', after)
  if value then return name:lower(), value, after + #value end
  if text:sub(after, after) ~= '"' then return nil end
  local next_at
  value, next_at = unquote(text, after + 1)
  if value then return name:lower(), value, next_at end
end


--- Returns every challenge of the header, in order. An unreadable part ends the list.
---@param header string
---@return {scheme: string, parameters: table<string, string>}[]  scheme and names in lower case
function M.parse(header)
  local list, at = {}, 1
  if #header > LONGEST then return list end
  while true do
    at = header:match("^[ \t,]*()", at)
    if at > #header then return list end
    local name, value, after = parameter(header, at)
    local last = list[#list]
    if name and last then
      if last.parameters[name] == nil then last.parameters[name] = value end
      at = after
    else
      local scheme = header:match(TOKEN, at)
      if not scheme or header:match("^[ \t]*=", at + #scheme) then return list end
      list[#list + 1] = { scheme = scheme:lower(), parameters = {} }
      at = at + #scheme
      -- Skips the single value that Basic and Negotiate have in place of parameters.
      local opaque = header:match("^ +[%w._~+/-]+=*()[ \t]*,", at) or header:match("^ +[%w._~+/-]+=*()[ \t]*$", at)
      if opaque and not parameter(header, header:match("^ +()", at)) then at = opaque end
    end
    if not header:match("^[ \t,]", at) and at <= #header then return list end
  end
end


--- Returns the parameters of the Bearer challenge with the most information; an empty table if there is none.
---@param header? string
---@return table<string, string>
function M.bearer(header)
  local best
  for _, one in ipairs(M.parse(header or "")) do
    if one.scheme == "bearer" and (not best or (one.parameters.resource_metadata and not best.resource_metadata)) then
      best = one.parameters
    end
  end
  return best or {}
end

return M
