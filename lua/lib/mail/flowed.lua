--- Plain text as format=flowed (RFC 3676): long lines are broken after blanks, and readers join them again to fit their window.

local M = {}

local WIDTH = 72   -- bytes of a line, approximately: 66 to 78 are customary


local function stuffed(line)
  return line:find "^[ >]" and " " .. line or line:find "^From " and " " .. line or line
end


--- Splits a line into pieces, each but the last ending in a blank.
local function wrapped(line)
  local pieces = {}
  while #line > WIDTH do
    local at
    for blank in line:gmatch "() " do
      if blank > WIDTH and at then break end
      if blank < #line and line:sub(1, blank) ~= "-- " then at = blank end   -- this piece would begin a signature
    end
    if not at then break end
    pieces[#pieces + 1], line = stuffed(line:sub(1, at)), line:sub(at + 1)
  end
  pieces[#pieces + 1] = stuffed(line)
  return pieces
end


--- Returns the text in this format; nil if it has lines that end in a blank or CR, which the format cannot represent.
---@param text string
---@return string?
function M.encode(text)
  local lines = {}
  for line, ends in (text .. "\n"):gmatch "([^\n]*)(\n)" do
    if ends and (line:find "\r" or line:find " $" and line ~= "-- ") then return nil end
    if line == "-- " or line:find "^>" then
      lines[#lines + 1] = line                    -- the line before a signature, or a quotation
    else
      table.move(wrapped(line), 1, 100000, #lines + 1, lines)
    end
  end
  return table.concat(lines, "\n")
end


--- Returns the original text of format=flowed.
---@param text string
---@param delsp? boolean  true: the blank at the end of a line that is joined is not a part of the text (DelSp=yes)
---@return string
function M.decode(text, delsp)
  local lines, open = {}, false
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do
    local depth = line:match "^>*"
    local content = line:sub(#depth + 1):gsub("^ ", "")
    local goes_on = content:find " $" and content ~= "-- "
    if content == "-- " then open = false end
    if goes_on and delsp then line, content = line:sub(1, -2), content:sub(1, -2) end
    if open == depth then lines[#lines] = lines[#lines] .. content
    else lines[#lines + 1] = depth ~= "" and line or content end
    open = goes_on and depth or false
  end
  return table.concat(lines, "\n")
end


return M
