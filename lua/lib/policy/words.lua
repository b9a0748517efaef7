--- Names with `*` in them, and lists of these.

local M = {}


--- A Lua pattern for text in which * matches any number of characters.
---@param text string
---@return string
function M.pattern(text)
  return "^" .. text:gsub("[%^%$%(%)%%%.%[%]%+%-%?]", "%%%0"):gsub("%*", ".*") .. "$"
end


local function compile(words, fold)
  local exact, patterns = {}, {}
  for _, word in ipairs(type(words) == "table" and words or { words }) do
    if fold then word = word:lower() end
    if word:find("*", 1, true) then patterns[#patterns + 1] = M.pattern(word) else exact[word] = true end
  end
  if not fold and #patterns == 1 and next(exact) == nil then
    local pattern = patterns[1]
    return function(text) return text:find(pattern) ~= nil end
  end
  if not fold and #patterns == 0 then return function(text) return exact[text] == true end end
  return function(text)
    if fold then text = text:lower() end
    if exact[text] then return true end
    for _, pattern in ipairs(patterns) do
      if text:find(pattern) then return true end
    end
    return false
  end
end


local WEAK = { __mode = "k" }
local plain, folded = setmetatable({}, WEAK), setmetatable({}, WEAK)

--- Makes a function that tests whether text is one of these names. Rules share their lists, so that of a list is made once.
---@param words string|string[]
---@param fold? boolean  without regard to case
---@return fun(text: string): boolean
function M.any(words, fold)
  if type(words) ~= "table" then return compile(words, fold) end
  local made = fold and folded or plain
  made[words] = made[words] or compile(words, fold)
  return made[words]
end


return M
