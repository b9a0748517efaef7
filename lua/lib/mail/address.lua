--- Addresses as people write them: `ada@example.com`, `Ada <ada@example.com>`, several with commas.

local M = {}


local function fail(text, ...) return nil, text:format(...), "bad_address" end


--- Reads one piece between commas.
local function read(piece)
  local name, address = piece:match "^%s*(.-)%s*<%s*([^<>]*)%s*>%s*$"
  if not address then name, address = "", piece:match "^%s*(.-)%s*$" end
  local quoted = name:match '^"(.*)"$'
  if quoted then name = quoted:gsub("\\(.)", "%1") end
  return { address = address, name = name ~= "" and name or nil }
end


--- Splits text at commas that are not in quotes or brackets.
local function split(text)
  local pieces, start, quoted, inside = {}, 1, false, false
  local at = 1
  while at <= #text do
    local c = text:sub(at, at)
    if quoted and c == "\\" then
      at = at + 1
    elseif c == '"' then
      quoted = not quoted
    elseif not quoted and (c == "<" or c == ">") then
      inside = c == "<"
    elseif not quoted and not inside and (c == "," or c == ";") then
      pieces[#pieces + 1], start = text:sub(start, at - 1), at + 1
    end
    at = at + 1
  end
  if quoted then return nil end
  pieces[#pieces + 1] = text:sub(start)
  return pieces
end


--- Reads several addresses. sys.mime.build() checks their content.
---@param text? string
---@param field string  the field's name, for messages
---@return sys.mime.Address[]? list  empty if the text is empty
---@return string? err
---@return string? code  "bad_address"
function M.list(text, field)
  local list = {}
  if not text or text:match "^%s*$" then return list end
  if text:find "%c" then
    return nil, ("%s contains a control character, such as a line break. Pass one line of addresses"):format(field), "bad_header"
  end
  local pieces = split(text)
  if not pieces then return fail("%s: a quote is not closed in %q. Pass addresses like ada@example.com", field, text) end
  for _, piece in ipairs(pieces) do
    if not piece:match "^%s*$" then
      local one = read(piece)
      if not one.address:find("@", 1, true) then
        return fail("%s: %q is not an email address. Pass one like ada@example.com, several with commas", field, piece)
      end
      list[#list + 1] = one
    end
  end
  return list
end


--- Returns "ada@example.com, bob@example.com".
---@param list sys.mime.Address[]
---@return string
function M.text(list)
  local parts = {}
  for i, one in ipairs(list) do parts[i] = one.address end
  return table.concat(parts, ", ")
end


--- Returns "Ada <ada@example.com>, bob@example.com".
---@param list sys.mime.Address[]
---@return string
function M.full(list)
  local parts = {}
  for i, one in ipairs(list) do parts[i] = one.name and ("%s <%s>"):format(one.name, one.address) or one.address end
  return table.concat(parts, ", ")
end


return M
