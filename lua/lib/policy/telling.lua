--- Text of the screen in the results of tools that act on the desktop: titles of windows, names of elements, text of fields. A
--- script may do anything with it.

local M = {}

local DEPTH = 8

-- Facts of our own in results, in words that the engine chose.
local FIXED = {}
for name in ("action app application code effect format kind mime mimeType role route state states status type verb")
  :gmatch "%a+" do
  FIXED[name] = true
end

-- Sentences of our own, which may quote others.
local SENTENCE = { effect_evidence = true, evidence = true, note = true }


--- True if a message quotes something.
local function quotes(message) return message:find '"[^"\n]*%w[^"\n]*"' ~= nil end


--- True for names that the engine gives: applications/42/windows/3, e12, image-4f.
local function is_ours(text)
  return text:find "^%l+/[%w/-]*$" ~= nil or text:find "^e%d+$" ~= nil or text:find "^image%-[%x-]+$" ~= nil
end


local function tells(value, key, depth)
  if type(value) == "string" then
    if FIXED[key] or value == "" or is_ours(value) then return false end
    return not SENTENCE[key] or quotes(value)
  end
  if type(value) ~= "table" then return false end
  for name, each in pairs(value) do
    if depth == 0 or tells(each, type(name) == "string" and name or key, depth - 1) then return true end
  end
  return false
end


--- True if the results of a call, as its code returns them, but for the caller's words, have text of the screen.
---@param first any
---@param message any
---@return boolean
function M.tells(first, message)
  if first == nil then return type(message) == "string" and quotes(message) end
  if type(first) == "string" then return quotes(first) end
  if type(first) ~= "table" then return false end
  if first.structuredContent then return tells(first.structuredContent, "", DEPTH) end
  if first.content == nil then return tells(first, "", DEPTH) end
  for _, block in ipairs(first.content) do
    if block.type ~= "text" or type(block.text) ~= "string" or quotes(block.text) then return true end
  end
  return false
end


return M
