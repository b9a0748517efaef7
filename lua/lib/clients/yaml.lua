--- Edits one entry of a block mapping in a YAML file, and leaves every other line as it is. A file in another form (flow,
-- anchors, tabs) is not changed.

local M = {}


local function quoted(value)
  return '"' .. value:gsub('[\\"]', "\\%0"):gsub("%c", function(c) return ("\\x%02X"):format(c:byte()) end) .. '"'
end


local function scalar(value)
  if type(value) ~= "string" then return tostring(value) end
  local plain = value:find "^[%a/][%w _/%.%-]*$" and not value:find "%s$"
  local word = value:lower()
  local special = word == "true" or word == "false" or word == "null" or word == "yes" or word == "no" or word == "on"
    or word == "off" or word == "y" or word == "n"
  return plain and not special and value or quoted(value)
end


local ORDER = { enabled = 1, type = 2, name = 3, description = 4, cmd = 5, args = 6, envs = 7, timeout = 8 }

local function names_of(value)
  local names = {}
  for name in pairs(value) do names[#names + 1] = name end
  table.sort(names, function(a, b)
    local x, y = ORDER[a] or 99, ORDER[b] or 99
    return x < y or x == y and a < b
  end)
  return names
end


--- Returns an entry, with its name at this indent.
local function entry(indent, step, name, value)
  local lines = { indent .. scalar(name) .. ":" }
  for _, key in ipairs(names_of(value)) do
    local item = value[key]
    if type(item) ~= "table" then
      lines[#lines + 1] = ("%s%s: %s"):format(indent .. step, key, scalar(item))
    elseif key == "args" then
      local parts = {}
      for i, part in ipairs(item) do parts[i] = scalar(part) end
      lines[#lines + 1] = ("%s%s: [%s]"):format(indent .. step, key, table.concat(parts, ", "))
    elseif next(item) == nil then
      lines[#lines + 1] = ("%s%s: {}"):format(indent .. step, key)
    else
      lines[#lines + 1] = ("%s%s:"):format(indent .. step, key)
      for _, variable in ipairs(names_of(item)) do
        lines[#lines + 1] = ("%s%s: %s"):format(indent .. step .. step, variable, quoted(item[variable]))
      end
    end
  end
  return table.concat(lines, "\n") .. "\n"
end


--- Returns the entry alone, as a file would have it.
---@param key string
---@param name string
---@param value table
---@return string
function M.snippet(key, name, value)
  return key .. ":\n" .. entry("  ", "  ", name, value)
end


-- --- reading --------------------------------------------------------------------------------

local function lines_of(text)
  local lines = {}
  for line in text:gmatch "[^\n]*\n?" do
    if line ~= "" then lines[#lines + 1] = line end
  end
  return lines
end


--- True if a line is blank, or a comment.
local function is_idle(line) return not line:find "%S" or line:find "^%s*#" end


local function indent_of(line) return line:match "^ *" end


--- Returns the last line of the block that begins at `at`: of the deeper lines, without blanks and comments at its end.
local function last_of(lines, at)
  local indent, last = #indent_of(lines[at]), at
  for i = at + 1, #lines do
    if not is_idle(lines[i]) then
      if #indent_of(lines[i]) <= indent then break end
      last = i
    end
  end
  return last
end


local function name_at(line)
  local name, rest = line:match "^%s*\"([^\"]*)\"%s*:(.*)$"
  if not name then name, rest = line:match "^%s*'([^']*)'%s*:(.*)$" end
  if not name then name, rest = line:match "^%s*([^%s#:\"'][^:#]*):(.*)$" end
  return name, rest and rest:gsub("%s#.*$", ""):match "^%s*(.-)%s*$"
end


local function find(lines, from, to, indent, name)
  for i = from, to do
    if indent_of(lines[i]) == indent and name_at(lines[i]) == name then return i end
  end
end


local function join(lines) return table.concat(lines) end


local function splice(lines, from, to, text)
  local out = table.move(lines, 1, from - 1, 1, {})
  if text then out[#out + 1] = text end
  return join(table.move(lines, to + 1, #lines, #out + 1, out))
end


--- Returns the text with value as KEY's entry NAME, or without it.
---@param text string
---@param key string
---@param name string
---@param value? table
---@return string? text
---@return string? err
function M.set(text, key, name, value)
  if text:find "^\t" or text:find "\n *\t" then return nil, "it is indented by tabs" end
  if text:find "\n%-%-%-[%s].-\n%-%-%-[%s]" then return nil, "it has several documents" end
  local given = text
  if text ~= "" and text:sub(-1) ~= "\n" then text = text .. "\n" end
  local lines = lines_of(text)
  local top = find(lines, 1, #lines, "", key)
  if not top then return value and text .. M.snippet(key, name, value) or given end
  local _, rest = name_at(lines[top])
  local last = last_of(lines, top)
  if last == top and (rest == "" or rest == "{}" or rest == "null" or rest == "~") then
    return value and splice(lines, top, top, M.snippet(key, name, value)) or given
  end
  if rest ~= "" then return nil, ("%s is written in another form (%s)"):format(key, rest) end
  local first = top + 1
  while is_idle(lines[first]) do first = first + 1 end
  local indent = indent_of(lines[first])
  local old = find(lines, first, last, indent, name)
  if not value then
    if not old then return given end
    local stop = last_of(lines, old)
    if old == first and stop == last then return splice(lines, top, stop, key .. ": {}\n") end
    return splice(lines, old, stop)
  end
  local written = entry(indent, indent, name, value)
  if old then return splice(lines, old, last_of(lines, old), written) end
  return splice(lines, last + 1, last, written)
end


return M
