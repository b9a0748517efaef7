--- Finds what a request to draw asks for, as far as fixed words tell: the text to write and where to save a picture.

local strings = require "agent.strings"

local wanted = {}

--- Words before the text, the most reliable first. The text follows the colon.
local ANNOUNCED = {
  "exact text[^:\n]*:()", "text inside[^:\n]*:()", "text in it[^:\n]*:()", "the text%s*:()", "words?%s*:()",
  "says%s*:()", "saying%s*:()", "write[^:\n\"]*:%s()",
}

--- Words without a colon: all that follows is the text.
local UNANNOUNCED = { "that says%s+()", "which says%s+()", "saying%s+()", "with the text%s+()", "with the words?%s+()" }

local QUOTES = { ['"'] = '"', ["“"] = "”", ["„"] = "“", ["«"] = "»", ["「"] = "」", ["‘"] = "’", ["'"] = "'" }

local PICTURE_WORDS = { "screenshot", "picture", "image", "export", "png" }

local function about_picture(text)
  text = text:lower()
  for _, word in ipairs(PICTURE_WORDS) do
    if text:find(word, 1, true) then return true end
  end
  return false
end

--- Returns the quoted text that begins at `at`, and the position after it.
local function quoted(text, at)
  for opening, closing in pairs(QUOTES) do
    if text:sub(at, at + #opening - 1) == opening then
      local from = at + #opening
      local stop = text:find(closing, from, true)
      -- An apostrophe inside a word does not close the quotation.
      while stop and closing == "'" and text:find("^%w", stop + 1) do stop = text:find(closing, stop + 1, true) end
      if stop then return text:sub(from, stop - 1), stop + #closing end
    end
  end
end

--- Returns the first quotation that does not begin inside a word.
local function any_quoted(text)
  for at in text:gmatch "()[\"'\xE2\xC2\xE3]" do
    if at == 1 or text:find("^[%s%p]", at - 1) then
      local inside, after = quoted(text, at)
      if inside and inside ~= "" then return inside, text:sub(1, at - 1) .. " " .. text:sub(after) end
    end
  end
end

--- Returns the text that an announcement announces: a quotation, if nothing else or only words about a picture follow it;
-- otherwise all of it except the lines about a picture.
local function announced(rest)
  rest = rest:gsub("^[ \t]", "")
  local inside, after = quoted(rest, 1)
  local tail = inside and rest:sub(after)
  if tail and (tail:find "^[%s.]*$" or tail:find "^[%s.,;]" and about_picture(tail)) then return inside, tail end
  local text, others = rest:match "^([^\n]*)\n(.*)$"
  if others and about_picture(others) then return text, others end
  return rest, ""
end

local function text_of(request)
  local lower = request:lower()
  if #lower ~= #request then lower = request end
  for _, pattern in ipairs(ANNOUNCED) do
    local at = lower:match(pattern)
    if at then
      local text, tail = announced(request:sub(at))
      return text, request:sub(1, at - 1) .. " " .. tail
    end
  end
  local inside, around = any_quoted(request)
  if inside then return inside, around end
  for _, pattern in ipairs(UNANNOUNCED) do
    local at = lower:match(pattern)
    if at then return request:sub(at), request:sub(1, at - 1) end
  end
  return nil, request
end

--- Returns a path that ends in .png, if the rest of the request is about a picture.
local function picture_of(around)
  if not about_picture(around) then return nil end
  return around:match '["\'`]([^"\'`\n]+%.[pP][nN][gG])["\'`]' or around:match "(%S+%.[pP][nN][gG])"
end

--- Returns what the request asks for. The text has no line breaks, and ¦ in place of |, because the line protocol needs that.
---@param request string
---@return {text?: string, picture?: string}
function wanted.of(request)
  local text, around = text_of(request)
  if text then
    text = strings.trim(text):gsub("%s*\n%s*", " "):gsub("|", "¦")
    if text == "" then text = nil end
  end
  return { text = text, picture = picture_of(around) }
end

return wanted
