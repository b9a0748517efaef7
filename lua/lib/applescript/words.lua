--- The reserved words and signs of AppleScript: the part that each has in a statement.
--
-- A word or sign is described by its sides. `left` and `right` say what it requires there:
-- "operand" (a value must end or begin on this side), "none" (the value ends or begins with it: there must be no other value on
-- this side), or "any".

local M = {}

---@class applescript.Sides
---@field left "operand"|"none"|"any"
---@field right "operand"|"none"|"any"
---@field always? boolean  it has these sides beside the terms of every application: no term begins or ends with it

local function all(set, left, right, always, names)
  for name in names:gmatch "%S+" do set[name] = { left = left, right = right, always = always } end
end

--- Words by name, in lower case.
---@type table<string, applescript.Sides>
M.WORDS = {}
all(M.WORDS, "operand", "operand", true, "and or div mod contains contain equals whose where then")
all(M.WORDS, "none", "operand", true, "not tell")
all(M.WORDS, "operand", "operand", false, "in as to from for by at into onto thru through with without given against about above "
  .. "below beneath under beside between around since")
all(M.WORDS, "operand", "operand", false, "of is")
all(M.WORDS, "any", "operand", false, "before after behind while until")
all(M.WORDS, "none", "operand", false, "every some the my its")
all(M.WORDS, "none", "any", false, "any id named index beginning end front back middle first second third fourth fifth sixth "
  .. "seventh eighth ninth tenth last set if repeat exit try return get copy put considering ignoring global local continue "
  .. "script property prop")
all(M.WORDS, "none", "none", false, "me it true false")
all(M.WORDS, "any", "any", false, "that else but on using error number exists times timeout transaction "
  .. "instead apart aside out count over returning does")

--- Signs by name; brackets are apart.
---@type table<string, applescript.Sides>
M.SIGNS = {}
all(M.SIGNS, "operand", "operand", true, "* / ÷ ^ & = ≠ < > ≤ ≥ <= >= /= , :")
all(M.SIGNS, "any", "operand", true, "+ -")

--- The words that begin a statement. One of them after a whole value begins a second statement.
M.STATEMENTS = {}
for name in ("set copy tell if repeat return try considering ignoring global local property continue"):gmatch "%S+" do
  M.STATEMENTS[name] = true
end

--- Those that are nothing else, so that no value and no name of a parameter can be before one.
M.ONLY_FIRST = { set = true, tell = true, ["if"] = true, ["repeat"] = true, considering = true }

-- Comparisons of several words. Each row is a word and the words that may follow it; "" ends it.
local FOLLOW = {
  ["is"] = "not in contained equal greater less", ["not"] = "in contained equal greater less",
  ["does"] = "not", ["contained"] = "by", ["equal"] = "to", ["greater"] = "than", ["less"] = "than", ["than"] = "or",
  ["or"] = "equal", ["comes"] = "before after", ["starts"] = "with", ["begins"] = "with", ["ends"] = "with", ["start"] = "with",
  ["begin"] = "with", ["contain"] = "", ["come"] = "before after",
}
for name, text in pairs(FOLLOW) do
  FOLLOW[name] = {}
  for word in text:gmatch "%S+" do FOLLOW[name][word] = true end
end
local DOES_NOT = { contain = true, equal = true, start = true, begin = true, ["end"] = true, come = true }
local OPENS = { is = true, isn = true, does = true, doesn = true, equal = true, greater = true, less = true, comes = true,
                starts = true, begins = true, ends = true, start = true, begin = true, ["end"] = true }
local COMPLETE = { is = true, ["not"] = true, ["in"] = true, by = true, equal = true, to = true, than = true,
                   before = true, after = true, with = true, contain = true, t = true }


local function word(line, i)
  return line.kinds[i] == "word" and line.texts[i] or nil
end


--- The last token of the comparison that begins at a token: `is not greater than or equal to`, `doesn't contain`.
---@param line applescript.Line
---@param i integer
---@return integer? last  nil if none begins here
function M.comparison(line, i)
  local text = word(line, i)
  if not OPENS[text or ""] then return nil end
  local at = i
  if text == "isn" or text == "doesn" then
    if line.texts[i + 1] ~= "'" or word(line, i + 2) ~= "t" then return nil end
    text, at = text == "isn" and "not" or "does not", i + 2
  elseif text == "does" then
    if word(line, i + 1) ~= "not" then return nil end
    text, at = "does not", i + 1
  elseif text == "end" then
    return nil
  end
  if text == "does not" then
    text = word(line, at + 1)
    if not DOES_NOT[text or ""] then return nil end
    at = at + 1
    if text == "end" then return word(line, at + 1) == "with" and at + 1 or nil end
  end
  local last = COMPLETE[text] and at or nil
  while true do
    local follow, following = FOLLOW[text], word(line, at + 1)
    if not follow or not following or not follow[following] then break end
    at, text = at + 1, following
    if COMPLETE[text] then last = at end
  end
  return last
end


return M
