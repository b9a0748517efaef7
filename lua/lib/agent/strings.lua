--- Small changes to text that people and models read.

local strings = {}

--- Cuts text to at most `bytes` bytes, never in the middle of a character; "..." at the end says that some is missing.
---@param text string
---@param bytes integer
---@return string
function strings.cut(text, bytes)
  if #text <= bytes then return text end
  local last = bytes - 3
  while last > 0 and text:byte(last + 1) & 0xC0 == 0x80 do last = last - 1 end
  return text:sub(1, last) .. "..."
end

--- Cuts text to at most `bytes` bytes, with a last line that says how much there was.
---@param text string
---@param bytes integer
---@return string
function strings.budget(text, bytes)
  if #text <= bytes then return text end
  local note = ("\n[truncated: %d bytes in all]"):format(#text)
  return strings.cut(text, math.max(bytes - #note, 3)) .. note
end

--- Makes line ends, tabs and other control characters visible, so that a log line stays one line.
---@param text string
---@return string
function strings.one_line(text)
  return (text:gsub("\r?\n", "\\n"):gsub("%c", " "))
end

--- Joins items: "a", "a and b", "a, b and c".
---@param items string[]
---@param joint? string  default "and"
---@return string
function strings.list(items, joint)
  local last = #items
  if last < 2 then return items[1] or "" end
  return table.concat(items, ", ", 1, last - 1) .. " " .. (joint or "and") .. " " .. items[last]
end

--- Removes spaces, tabs and line ends around the text.
---@param text string
---@return string
function strings.trim(text)
  return text:match "^%s*(.-)%s*$"
end

return strings
