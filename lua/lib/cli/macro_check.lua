--- Finds calls in the text of a macro that its objects do not have: `macro:opn "Notes"`, `note:sett("text", "Hi")`.

local methods = require "macros.methods"
local nearest = require "nearest"
local tokens  = require "cli.lua_tokens"

local M = {}

local OPENS = { open = true, window = true }


local function joined(...)
  local all = {}
  for _, list in ipairs { ... } do table.move(list, 1, #list, #all + 1, all) end
  return all
end


local KINDS = { macro = joined(methods.MACRO, methods.VALUES), window = joined(methods.WINDOW, { "name" }) }
local OTHERS = { macro = "window", window = "macro" }


local function holds(list, name)
  for _, each in ipairs(list) do
    if each == name then return true end
  end
  return false
end


--- The texts of the tokens from a place on.
local function texts(list, at, count)
  local found = {}
  for i = 0, count - 1 do found[i + 1] = list[at + i] and list[at + i].text or "" end
  return table.unpack(found, 1, count)
end


--- The variables of a macro, and of its windows.
---@param list cli.Token[]
---@return table<string, "macro"|"window">
local function variables_of(list)
  local kinds = {}
  for i = 1, #list do
    local word, name, open, _, comma, second = texts(list, i, 6)
    if word == "function" and name == "run" and open == "(" and comma == "," then kinds[second] = "macro" end
    local variable, sign, owner, colon, method = texts(list, i, 5)
    if sign == "=" and kinds[owner] == "macro" and colon == ":" and OPENS[method] then kinds[variable] = "window" end
  end
  return kinds
end


local function message(variable, kind, name)
  local near = nearest.question(name, KINDS[kind], "; ")
  if near == "" then
    local there = nearest.names(name, KINDS[OTHERS[kind]])[1]
    near = there and ("; %s has %s"):format(kind == "macro" and "a window of it" or "the macro itself", there) or ""
  end
  return ("%s, a %s, has no %s%s"):format(variable, kind == "macro" and "macro" or "window of a macro", name, near)
end


--- Returns the calls that cannot work. In a text other than a macro's, or not in Lua, it finds none.
---@param text string
---@return {line: integer, message: string}[]
function M.findings(text)
  local findings = {}
  local ok, list = false, nil
  if text:find("macros.tool", 1, true) then ok, list = pcall(tokens.of, text) end
  if not ok then return findings end
  local kinds = variables_of(list)
  for i, token in ipairs(list) do
    local variable, sign, name = texts(list, i, 3)
    local kind = token.kind == "name" and kinds[variable]
    local before = list[i - 1] and list[i - 1].text
    local is_own = before ~= "." and before ~= ":" and list[i + 2] ~= nil and list[i + 2].kind == "name"
    if kind and is_own and (sign == ":" or sign == ".") and not holds(KINDS[kind], name) then
      findings[#findings + 1] = { line = list[i + 2].line, message = message(variable, kind, name) }
    end
  end
  return findings
end


return M
