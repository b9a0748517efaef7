--- Finds the modules that a Lua text requires, without running it. Places where that is not possible are listed.

local tokens = require "pack.tokens"

local M = {}

---@class pack.Requires
---@field modules table<string, integer>           name -> the line where it is first required
---@field hidden {line: integer, why: string}[]    places whose required modules cannot be determined

-- Variables through which all global names can be reached, require among them.
local GLOBALS = { _ENV = true, _G = true }


local AHEAD = 3   -- tokens that are read ahead behind a name
local MOST = 20   -- places that are listed for one text

local function is_mark(token, ...)
  if not token or token.kind ~= "mark" then return false end
  for _, mark in ipairs { ... } do
    if token.text == mark then return true end
  end
  return false
end


--- Returns the module that a `require` names by a string literal; nil if it names none.
---@param after pack.Token[]
local function named(after)
  if after[1].kind == "string" then return after[1].text end
  if is_mark(after[1], "(") and after[2].kind == "string" and is_mark(after[3], ")") then return after[2].text end
end


--- True if the name is a field of a table, not a variable.
local function is_field(before, after)
  return is_mark(before, ".", ":") or is_mark(before, "{", ",", ";") and is_mark(after[1], "=")
end


---@param found pack.Requires
---@param before? pack.Token
---@param token pack.Token
---@param after pack.Token[]
local function look_at(found, before, token, after)
  local why
  if token.kind ~= "name" or is_field(before, after) then return end
  if GLOBALS[token.text] then
    why = ("it uses %s, through which it can require any module"):format(token.text)
  elseif token.text == "require" then
    local name = named(after)
    if name then
      found.modules[name] = found.modules[name] or token.line
    else
      why = "it computes the name of a module, or passes `require` on"
    end
  end
  if why and #found.hidden < MOST then found.hidden[#found.hidden + 1] = { line = token.line, why = why } end
end


---@param text string
---@return pack.Requires
function M.of(text)
  local found, next_one = { modules = {}, hidden = {} }, tokens.each(text)
  local before, window = nil, {}
  repeat
    while #window <= AHEAD do
      local last = window[#window]
      local token, err, line = last and last.kind == "end" and last or nil, nil, nil
      if not token then token, err, line = next_one() end
      if not token then
        found.hidden[#found.hidden + 1] = { line = line, why = "it cannot be read as Lua: " .. err }
        return found
      end
      window[#window + 1] = token
    end
    local token = table.remove(window, 1)
    look_at(found, before, token, window)
    before = token
  until token.kind == "end"
  return found
end


return M
