--- Conditions on facts that have several spellings: what is really opened and started is compared as well as what was given.

local address   = require "policy.address"
local arguments = require "policy.arguments"
local policy    = require "sys.policy"

local M = {}


--- A matcher that is a name, or a list of names; others, such as { under = DIR }, resolve paths themselves.
local function names_of(value)
  if type(value) == "string" then return { value } end
  return type(value) == "table" and #value > 0 and value or nil
end


--- Makes a condition whose names and values are both brought to all of their spellings. A rule that allows needs one of its names
--- to fit each spelling of each value; one that asks or denies needs any.
---@param name string
---@param of_rule fun(name: string): string[]
---@param of_fact fun(value: string, at: integer): string[]
local function spelled(name, of_rule, of_fact)
  return function(value, all, where)
    local names = names_of(value)
    if not names then
      local test = arguments.compile({ [name] = value }, all, where)
      return function(facts)
        local is = facts:fact(name)
        if is == nil then return nil end
        return test { [name] = is }
      end
    end
    arguments.compile({ [name] = value }, all, where)   -- raises an error where it is none
    return function(facts)
      local is, given = facts:fact(name), {}
      if not is then
        if is == nil then return nil end
        return false
      end
      local known = {}
      for _, each in ipairs(names) do
        for _, spelling in ipairs(of_rule(tostring(each))) do known[#known + 1] = spelling end
      end
      for i, each in ipairs(type(is) == "table" and is or { is }) do
        for _, spelling in ipairs(of_fact(tostring(each), i)) do given[#given + 1] = spelling end
      end
      return arguments.compile({ [name] = known }, all, where) { [name] = given }
    end
  end
end


-- --- paths ------------------------------------------------------------------------------------

--- A path of a rule: also with the links in its directories resolved, as far as it says them.
local function of_path(name)
  if not name:find "^[/~]" then return { name } end
  local fixed, rest = name:match "^([^*]*)(.*)$"
  local folder, last = fixed, rest
  if rest ~= "" then folder, last = fixed:match "^(.*/)([^/]*)$" end
  local real = folder and policy.real(folder)
  if not real then return { name } end
  if rest == "" then return { name, real } end
  return { name, (real == "/" and "" or real) .. "/" .. last .. rest }
end

local function as_it_is(text) return { text } end

M.paths = spelled("paths", of_path, as_it_is)

M.cwd = spelled("cwd", of_path, as_it_is)


-- --- commands ---------------------------------------------------------------------------------

--- The file that a name on PATH leads to; nil: none.
local function on_path(name)
  for folder in (require("sys.env").get("PATH") or ""):gmatch "[^:]+" do
    local path = folder .. "/" .. name
    if policy.stamp(path) then return path end
  end
end


--- A word of a command: the program also by its last name, and by the file that it is.
local function of_word(word, at)
  if at > 1 then
    local real = word:find "^[/~.]" and policy.real(word)
    return real and real ~= word and { word, real } or { word }
  end
  local list, file = { word }, word:find("/", 1, true) and word or word ~= "" and on_path(word)
  local real = file and policy.real(file)
  for _, each in ipairs { file or word, real or word } do
    list[#list + 1] = each
    list[#list + 1] = each:match "[^/]*$"
  end
  return list
end


--- A rule that allows compares the words as they are given, and a program that has a path also by the file that it leads to.
function M.argv(value, all, where)
  local names = names_of(value)
  if not names or not all then return spelled("argv", of_path, of_word)(value, all, where) end
  return spelled("argv", of_path, function(word, at)
    local real = at == 1 and word:find("/", 1, true) and policy.real(word)
    return real and real ~= word and { word, real } or { word }
  end)(value, all, where)
end


-- --- URLs -------------------------------------------------------------------------------------

local function both(url) return { url, address.url(url) } end

--- Where all programs read a URL alike, its one spelling stands for it: a rule that allows need not know the others.
local function as_read(url)
  return address.host_of(url) and { address.url(url) } or both(url)
end

function M.url(value, all, where) return spelled("url", both, all and as_read or both)(value, all, where) end


-- --- text -------------------------------------------------------------------------------------

--- Text that is typed, also together with what was sent to the same line before.
function M.text(value, all, where)
  local test = arguments.compile({ text = value }, all, where)
  return function(facts)
    local is = facts:fact "text"
    if is == nil then return nil end
    local line = facts.effect == "input" and facts:fact "line"
    return test { text = line and { is or "", line } or is }
  end
end


return M
