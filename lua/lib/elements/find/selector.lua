--- Selectors: a description of the elements that are meant, as a table or as one line.
--
--   button "Save"                     entry near "Name:"
--   button "Save" in dialog "Save As"   checkbox checked
--   text*="part"   text~="^Save"   /^Save/   listitem nth 2   not enabled   role:AXButton
--
-- As a table: role, text, text_contains, regex, states (the words used above), within (a selector), near (text, or a point),
-- index.

local nearest = require "nearest"
local words   = require "elements.read.words"

local M = {}

---@class elements.Selector
---@field ref? string          an element that was listed, and nothing else
---@field role? string         as the caller gave it
---@field roles? table<string, true>
---@field text? string         the whole name or value; ignores case
---@field contains? string
---@field regex? string
---@field states? table<string, boolean>
---@field near? string|{x: number, y: number}
---@field within? elements.Selector  an outer element; its `ref` may be set
---@field index? integer       the place among those that match: 1 is the first

local KEYS = { role = true, text = true, text_contains = true, regex = true, states = true, within = true, near = true,
  index = true }
local DEPTH = 5   -- depth of nested selectors


local function wrong(text) return nil, text, "bad_argument" end


-- --- one line into words -----------------------------------------------------------------

--- The place of the mark that ends what begins at `at`. A backslash takes the next character with it.
local function end_of(line, at)
  local mark, stop = line:sub(at, at), at + 1
  while stop <= #line do
    local c = line:sub(stop, stop)
    if c == mark then return stop end
    stop = stop + (c == "\\" and 2 or 1)
  end
end


local function quoted(line, at)
  local stop = end_of(line, at)
  if not stop then return nil end
  return (line:sub(at + 1, stop - 1):gsub("\\(.)", "%1")), stop + 1
end


--- Reads an expression. It keeps its backslashes, except those before a slash.
local function expression(line, at)
  local stop = end_of(line, at)
  if not stop then return nil end
  return (line:sub(at + 1, stop - 1):gsub("\\/", "/")), stop + 1
end


---@return {kind: "text"|"regex"|"mark"|"word", text: string}[]? tokens
---@return string? err
---@return string? code
local function tokens_of(line)
  local tokens, at = {}, 1
  while true do
    at = line:find("%S", at)
    if not at then return tokens end
    local first = line:sub(at, at)
    local token
    if first == '"' or first == "'" then
      token, at = quoted(line, at)
      if not token then return wrong(("The selector %s has a quotation mark without a second one."):format(line)) end
      tokens[#tokens + 1] = { kind = "text", text = token }
    elseif first == "/" then
      token, at = expression(line, at)
      if not token then return wrong(("The selector %s has a / without a second one."):format(line)) end
      tokens[#tokens + 1] = { kind = "regex", text = token }
    elseif line:find("^[*~]?=", at) then
      token = line:match("^[*~]?=", at)
      tokens[#tokens + 1] = { kind = "mark", text = token }
      at = at + #token
    else
      token = line:match("^[^%s\"'/=*~]+", at) or first
      tokens[#tokens + 1] = { kind = "word", text = token }
      at = at + #token
    end
  end
end


-- --- words into a selector -----------------------------------------------------------------

--- Sets a member that is not set yet. Returns `count`, the number of words that it took.
local function set_once(out, key, value, line, count)
  if out[key] ~= nil then return wrong(("The selector %s has two of the same kind (%s)."):format(line, key)) end
  out[key] = value
  return count
end


local MARKS = { ["="] = "text", ["*="] = "contains", ["~="] = "regex" }

--- Reads text="...", text*="..." or text~="..."; name, value and title mean the same as text.
local function take_pair(out, tokens, at, line)
  local mark, value = tokens[at + 1], tokens[at + 2]
  local key = tokens[at].text:lower()
  if key == "role" and value and mark.text == "=" then
    return set_once(out, "role", value.text, line, 3)
  end
  if key ~= "text" and key ~= "name" and key ~= "value" and key ~= "title" then
    return wrong(('The selector %s has %q before %s. Write text%s"..."'):format(line, key, mark.text, mark.text))
  end
  if not value or value.kind == "mark" then return wrong(("The selector %s has nothing behind %s."):format(line, mark.text)) end
  return set_once(out, value.kind == "regex" and "regex" or MARKS[mark.text], value.text, line, 3)
end


local special = {}

function special.near(out, tokens, at, line)
  local value = tokens[at + 1]
  if not value or value.kind == "mark" then return wrong(("The selector %s has nothing behind near."):format(line)) end
  return set_once(out, "near", value.text, line, 2)
end

function special.nth(out, tokens, at, line)
  local count = tokens[at + 1] and math.tointeger(tonumber(tokens[at + 1].text))
  if not count or count < 1 then return wrong(("The selector %s needs a number from 1 behind nth."):format(line)) end
  return set_once(out, "index", count, line, 2)
end

special["not"] = function(out, tokens, at, line)
  local state, set = words.state(tokens[at + 1] and tokens[at + 1].text or "")
  if not state then return wrong(("The selector %s needs a state behind not, as checked or enabled."):format(line)) end
  out.states = out.states or {}
  out.states[state] = not set
  return 2
end


--- A role of one to three words ("menu item"), and the number of its words.
local function role_at(tokens, at)
  local joined = ""
  local found, count
  for i = 0, 2 do
    local token = tokens[at + i]
    if not token or token.kind ~= "word" then break end
    joined = joined .. token.text
    if words.roles(joined) then found, count = joined, i + 1 end
  end
  return found, count
end


--- Reads a word. One that is neither a role nor a state is part of the text.
local function take_word(out, tokens, at, line)
  local word = tokens[at].text:lower()
  if special[word] then return special[word](out, tokens, at, line) end
  if tokens[at + 1] and tokens[at + 1].kind == "mark" then return take_pair(out, tokens, at, line) end
  local role, count = role_at(tokens, at)
  if role and not out.role and not out.bare then
    out.role = role
    return count
  end
  local state, set = words.state(word)
  if state and not out.bare then
    out.states = out.states or {}
    out.states[state] = set
    return 1
  end
  out.bare = out.bare and out.bare .. " " .. tokens[at].text or tokens[at].text
  return 1
end


local function unknown_word(out, line)
  local names = words.role_names()
  return wrong(("%q in the selector %s is neither a role nor a state%s. Put text in quotation marks."):format(out.bare, line,
    nearest.question(out.bare, names, ": ")))
end


local function take(out, tokens, at, line)
  local token = tokens[at]
  if token.kind == "text" then return set_once(out, "text", token.text, line, 1) end
  if token.kind == "regex" then return set_once(out, "regex", token.text, line, 1) end
  if token.kind == "mark" then return wrong(("The selector %s has nothing before %s."):format(line, token.text)) end
  return take_word(out, tokens, at, line)
end


local finish

---@return elements.Selector? selector
---@return string? err
---@return string? code
local function read(tokens, at, line, depth)
  local out = {}
  while tokens[at] do
    local word = tokens[at].kind == "word" and tokens[at].text:lower()
    if (word == "in" or word == "within") and tokens[at + 1] then
      if depth == 0 then return wrong(("The selector %s has too many parts in one another."):format(line)) end
      local ref = tokens[at + 1].kind == "word" and tokens[at + 1].text:match "^e%d+$"
      if ref and tokens[at + 2] then
        return wrong(("The selector %s has something behind %s, which is one element already."):format(line, ref))
      end
      local inner, err, code
      if ref then inner = { ref = ref } else inner, err, code = read(tokens, at + 1, line, depth - 1) end
      if not inner then return nil, err, code end
      out.within = inner
      break
    end
    local count, err, code = take(out, tokens, at, line)
    if not count then return nil, err, code end
    at = at + count
  end
  if out.bare and (out.text or out.contains or out.regex) then return unknown_word(out, line) end
  out.text, out.bare = out.text or out.bare, nil
  return finish(out)
end


--- True if a selector has a name of which something is left to compare: an element without a name would match any other.
local function has_name(out)
  local text = out.text or out.contains
  return text ~= nil and words.fold(text) ~= ""
end


--- Checks the members that both forms have.
function finish(out)
  out.roles = out.role and words.roles(out.role)
  if out.role and not out.roles then
    return wrong(("%q is not a role%s."):format(out.role, nearest.question(out.role, words.role_names(), ": ")))
  end
  if not (out.role or has_name(out) or out.regex or out.states or out.near) then
    return wrong "The selector is empty. Pass a role, a name or a state: button \"Save\"."
  end
  return out
end


-- --- MacosUseSDK's form ------------------------------------------------------------------------

local PREFIXES = { role = "role", text = "text", title = "text", text_contains = "contains", regex = "regex" }

local function with_prefix(line)
  local key, value = line:match "^%s*([%a_]+):(.+)$"
  if key and PREFIXES[key] and not value:find '^%s*"' then return finish { [PREFIXES[key]] = value:match "^%s*(.-)%s*$" } end
end


-- --- both forms -------------------------------------------------------------------------------

---@param line string
---@return elements.Selector? selector
---@return string? err
---@return string? code  "bad_argument"
function M.parse(line)
  local ref = line:match "^%s*(e%d+)%s*$"
  if ref then return { ref = ref } end
  local old, why, code = with_prefix(line)
  if old or why then return old, why, code end
  local tokens
  tokens, why, code = tokens_of(line)
  if not tokens then return nil, why, code end
  return read(tokens, 1, line, DEPTH)
end


local function states_of(list)
  local states = {}
  for _, word in ipairs(list) do
    local plain = word:match "^not%s+(.+)$"
    local state, set = words.state(plain or word)
    if not state then
      return wrong(("%q is not a state of elements. Use checked, enabled, focused, selected, ..."):format(word))
    end
    states[state] = set == not plain
  end
  return next(states) and states or nil
end


--- Reads the members of a table. They may still be too few for a selector.
local function members(given)
  for key in pairs(given) do
    if not KEYS[key] then return wrong(("A selector has no %s."):format(key)) end
  end
  local out = { role = given.role, text = given.text, contains = given.text_contains, regex = given.regex, near = given.near,
    index = given.index }
  local err, code
  if given.states then
    out.states, err, code = states_of(given.states)
    if err then return nil, err, code end
  end
  if given.within then
    out.within, err, code = M.read(given.within)
    if not out.within then return nil, err, code end
  end
  return out
end


---@param given string|table
---@return elements.Selector? selector
---@return string? err
---@return string? code  "bad_argument"
function M.read(given)
  if type(given) == "string" then return M.parse(given) end
  local out, err, code = members(given)
  if not out then return nil, err, code end
  return finish(out)
end


--- Joins a line and the parameters beside it. The parameters override the line.
---@param line string
---@param more table
---@return elements.Selector? selector
---@return string? err
---@return string? code
function M.join(line, more)
  if not next(more) then return M.parse(line) end
  local one, err, code = M.parse(line)
  if not one then return nil, err, code end
  local two
  two, err, code = members(more)
  if not two then return nil, err, code end
  for key, value in pairs(two) do one[key] = value end
  if one.ref then return one end
  return finish(one)
end


--- The ref in a selector, of the element itself or of one around it. It says which application is meant.
---@param selector elements.Selector
---@return string? ref
function M.ref_in(selector)
  while selector and not selector.ref do selector = selector.within end
  return selector and selector.ref
end


-- --- back into a line ---------------------------------------------------------------------------

local function state_words(states)
  local list = {}
  for state, set in pairs(states) do list[#list + 1] = set and state or "not " .. state end
  table.sort(list)
  return list
end


--- The selector as a line, for messages.
---@param selector elements.Selector
---@return string
function M.describe(selector)
  if selector.ref then return selector.ref end
  local parts = { selector.role }
  if selector.text then parts[#parts + 1] = words.quote(selector.text, 80) end
  if selector.contains then parts[#parts + 1] = "text*=" .. words.quote(selector.contains, 80) end
  if selector.regex then parts[#parts + 1] = "/" .. selector.regex .. "/" end
  if selector.states then table.move(state_words(selector.states), 1, 99, #parts + 1, parts) end
  if type(selector.near) == "string" then parts[#parts + 1] = "near " .. words.quote(selector.near, 80) end
  if type(selector.near) == "table" then parts[#parts + 1] = ("near %g,%g"):format(selector.near.x, selector.near.y) end
  if selector.index then parts[#parts + 1] = "nth " .. selector.index end
  if selector.within then parts[#parts + 1] = "in " .. M.describe(selector.within) end
  return table.concat(parts, " ")
end


return M
