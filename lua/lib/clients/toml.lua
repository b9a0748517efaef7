--- Edits one table [KEY.NAME] in a TOML file, with the tables below it, and leaves every other line as it is.

local M = {}


local function quoted(value)
  return '"' .. value:gsub('[\\"]', "\\%0"):gsub("%c", function(c) return ("\\u%04X"):format(c:byte()) end) .. '"'
end


local function bare(name) return name:find "^[%w_%-]+$" and name or quoted(name) end


--- Returns [KEY.NAME] with command, args and a table env.
---@param key string
---@param name string
---@param value {command: string, args: string[], env: table<string, string>}
---@return string
function M.snippet(key, name, value)
  local lines, args, names = {}, {}, {}
  for i, arg in ipairs(value.args) do args[i] = quoted(arg) end
  lines[1] = ("[%s.%s]"):format(key, bare(name))
  lines[2] = "command = " .. quoted(value.command)
  lines[3] = ("args = [%s]"):format(table.concat(args, ", "))
  for variable in pairs(value.env) do names[#names + 1] = variable end
  table.sort(names)
  if names[1] then
    lines[#lines + 1] = ""
    lines[#lines + 1] = ("[%s.%s.env]"):format(key, bare(name))
    for _, variable in ipairs(names) do lines[#lines + 1] = ("%s = %s"):format(bare(variable), quoted(value.env[variable])) end
  end
  return table.concat(lines, "\n") .. "\n"
end


-- --- reading --------------------------------------------------------------------------------

--- Returns the parts of a dotted name: a."b".c.
local function parts_of(path)
  local parts, at = {}, 1
  while at <= #path do
    local part, stop = path:match('^%s*"([^"]*)"%s*()', at)
    if not part then part, stop = path:match("^%s*'([^']*)'%s*()", at) end
    if not part then part, stop = path:match("^%s*([%w_%-]+)%s*()", at) end
    if not part or stop <= #path and path:sub(stop, stop) ~= "." then return {} end
    parts[#parts + 1], at = part, stop + 1
  end
  return parts
end


--- Returns the quotes and the number of brackets that are open at the end of a line, in a multi-line string or an array.
local function open_behind(line, quotes, depth)
  local at = 1
  while at <= #line do
    local three, one = line:sub(at, at + 2), line:sub(at, at)
    if quotes then
      local stop = line:find(quotes, at, true)
      if not stop then return quotes, depth end
      at, quotes = stop + 3, nil
    elseif three == '"""' or three == "'''" then
      quotes, at = three, at + 3
    elseif one == '"' then
      at = at + 1
      while at <= #line and line:sub(at, at) ~= '"' do at = at + (line:sub(at, at) == "\\" and 2 or 1) end
      at = at + 1
    elseif one == "'" then
      at = (line:find("'", at + 1, true) or #line) + 1
    elseif one == "#" then
      return quotes, depth
    else
      if one == "[" or one == "{" then depth = depth + 1 elseif one == "]" or one == "}" then depth = depth - 1 end
      at = at + 1
    end
  end
  return quotes, depth
end


---@class clients.toml.Line
---@field text string       including its end
---@field header? string[]  the name of the table that begins here
---@field inline? string[]  the name that is set here, behind that of its table

---@return clients.toml.Line[]
---@return boolean whole  true if no string or array is open at the end
local function read(text)
  local lines, quotes, depth, here = {}, nil, 0, {}
  for line in text:gmatch "[^\n]*\n?" do
    if line == "" then break end
    local entry = { text = line }
    if not quotes and depth == 0 then
      local header = line:match "^%s*%[%[?([^%[%]]+)%]%]?%s*#?" or line:match "^%s*%[%[?(.-)%]%]?%s*\r?\n?$"
      local name = not header and line:match "^%s*([^=#]-)%s*="
      if header then
        entry.header = parts_of(header)
        here = entry.header
      elseif name then
        entry.inline = table.move(parts_of(name), 1, 16, #here + 1, table.move(here, 1, #here, 1, {}))
      end
    end
    if not entry.header then quotes, depth = open_behind(line, quotes, depth) end
    lines[#lines + 1] = entry
  end
  return lines, not quotes and depth == 0
end


local function begins(parts, key, name) return parts and parts[1] == key and parts[2] == name end


-- --- writing --------------------------------------------------------------------------------

--- Returns the text with the table, or without it.
---@param text string
---@param key string
---@param name string
---@param value? table
---@return string? text
---@return string? err
function M.set(text, key, name, value)
  local kept, inside, place = {}, false, nil
  local lines, whole = read(text)
  if not whole then return nil, "a string or an array in it does not end" end
  for _, line in ipairs(lines) do
    if line.header then inside = begins(line.header, key, name) or false end
    if line.inline and not inside and line.inline[1] == key and (#line.inline == 1 or line.inline[2] == name) then
      return nil, ("%s is written in another form (%s)"):format(key, line.text:match "^%s*(.-)%s*$")
    end
    if inside then
      place = place or #kept
    else
      kept[#kept + 1] = line.text
    end
  end
  if not value then return place and (table.concat(kept):gsub("\n\n+$", "\n")) or text, nil end
  local snippet = M.snippet(key, name, value)
  if place then
    local follows = kept[place + 1] and "\n" or ""
    table.insert(kept, place + 1, snippet .. follows)
    return (table.concat(kept))
  end
  local before = text:gsub("%s+$", "")
  return before .. (before ~= "" and "\n\n" or "") .. snippet
end


return M
