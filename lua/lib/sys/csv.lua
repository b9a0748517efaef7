--- sys.csv: tables as text, RFC 4180: fields with commas, quotes or line ends are enclosed in quotes.

local keys = require "keys"

local M = {}

---@class sys.csv.Options
---@field separator? string  one byte (default: ",")
---@field heading? boolean   decode: the first row names the columns, and each row is a table by these names;
---                          encode: the names, sorted, or `columns`, become the first row
---@field columns? string[]  encode: the names of the columns, in this order


local function separator_of(options)
  local separator = options and options.separator or ","
  if #separator ~= 1 or separator:find '["\r\n]' then error("the separator must be one byte, no quote and no line end", 3) end
  return separator
end


--- Reads one row from `at` on. Returns the row and where the next one begins; or nil, the place of the error, and the message.
local function read_row(text, at, separator, ends)
  local row = {}
  while true do
    local value, stop
    if text:sub(at, at) == '"' then
      local closing = at
      repeat
        closing = text:find('"', closing + 1, true)
        if not closing then return nil, at, "the quote is not closed" end
        local doubled = text:sub(closing + 1, closing + 1) == '"'
        if doubled then closing = closing + 1 end
      until not doubled
      value, stop = text:sub(at + 1, closing - 1):gsub('""', '"'), closing + 1
      local behind = text:sub(stop, stop)
      if behind ~= "" and behind ~= separator and behind ~= "\r" and behind ~= "\n" then
        return nil, stop, "something stands behind the closing quote"
      end
    else
      stop = text:find(ends, at) or #text + 1
      value = text:sub(at, stop - 1)
    end
    row[#row + 1] = value
    if text:sub(stop, stop) ~= separator then return row, text:match("^\r?\n?()", stop) end
    at = stop + 1
  end
end


local function place(text, at)
  local _, lines = text:sub(1, at - 1):gsub("\n", "")
  return lines + 1
end


local function by_names(rows)
  local heading, list = rows[1] or {}, {}
  for i = 2, #rows do
    list[i - 1] = {}
    for column, name in ipairs(heading) do list[i - 1][name] = rows[i][column] end
  end
  return list
end


--- Returns the rows of CSV text, each a list of its fields as strings. A byte order mark at the beginning is skipped.
---@param text string
---@param options? sys.csv.Options
---@return table[]? rows
---@return string? err
---@return string? code  "not_csv"
function M.decode(text, options)
  local separator = separator_of(options)
  local ends = ("[%%%s\r\n]"):format(separator)
  local rows, at = {}, text:sub(1, 3) == "\u{FEFF}" and 4 or 1
  while at <= #text do
    local row, next_at, why = read_row(text, at, separator, ends)
    if not row then return nil, ("line %d: %s"):format(place(text, next_at), why), "not_csv" end
    rows[#rows + 1], at = row, next_at
  end
  return options and options.heading and by_names(rows) or rows
end


local function written(value, separator)
  local text = value == nil and "" or tostring(value)
  if text:find('["\r\n]') or text:find(separator, 1, true) or text:find "^%s" or text:find "%s$" then
    return '"' .. text:gsub('"', '""') .. '"'
  end
  return text
end


local function columns_of(rows, options)
  if options.columns then return options.columns end
  local all = {}
  for _, row in ipairs(rows) do
    for name in pairs(row) do all[name] = true end
  end
  return keys.sorted(all)
end


--- Returns rows as CSV text: lists of values, or with `heading` tables by names. nil is an empty field.
---@param rows table[]
---@param options? sys.csv.Options
---@return string text  its lines end in CR LF, as the RFC requires
function M.encode(rows, options)
  local separator = separator_of(options)
  local columns, lines = options and options.heading and columns_of(rows, options), {}
  local function add(count, value_of)
    local fields = {}
    for i = 1, count do fields[i] = written(value_of(i), separator) end
    -- One empty field alone would be an empty line, which many readers skip.
    lines[#lines + 1] = count == 1 and fields[1] == "" and '""' or table.concat(fields, separator)
  end
  if columns then add(#columns, function(i) return columns[i] end) end
  for _, row in ipairs(rows) do
    add(columns and #columns or #row, function(i) return row[columns and columns[i] or i] end)
  end
  lines[#lines + 1] = ""
  return table.concat(lines, "\r\n")
end


return M
