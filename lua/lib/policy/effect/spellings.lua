--- Conditions on facts that have several spellings: what is really opened and started is compared as well as what was given.

local address   = require "policy.address"
local arguments = require "policy.arguments"
local last_name = require("sys.path").name
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
---@param of_fact fun(value: string, at: integer, facts: policy.Effect): string[]
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
        for _, spelling in ipairs(of_fact(tostring(each), i, facts)) do given[#given + 1] = spelling end
      end
      return arguments.compile({ [name] = known }, all, where) { [name] = given }
    end
  end
end


-- --- paths ------------------------------------------------------------------------------------

local function as_it_is(text) return { text } end

M.paths = spelled("paths", address.path_names, as_it_is)

M.cwd = spelled("cwd", address.path_names, as_it_is)


-- --- commands ---------------------------------------------------------------------------------

-- A word that no rule names: what is really started, or opened, cannot be told.
local UNKNOWN = "`"


--- The program of a command also by its last name, and by the file that it is.
local function add_program(list, word, facts)
  local file = facts:fact "found"
  if file == nil then list[#list + 1] = UNKNOWN end
  file = file or word
  for _, each in ipairs { word, file, policy.real(file) or file } do
    list[#list + 1] = each
    list[#list + 1] = last_name(each)
  end
end


--- The spelling of a program that a rule which allows compares beside its word: the file that its path leads to,
--- or its name where that is not the one which the user gets by the name.
local function program_allowed(word, facts)
  local file = facts:fact "found"
  if file == nil then return UNKNOWN end
  if word:find("/", 1, true) then return file or UNKNOWN end
  return file and not facts:fact "usual" and (policy.real(file) or UNKNOWN) or nil
end


--- A path as the process may read it, with its links resolved.
local function real_of(word, facts)
  return policy.real(word, not word:find "^[/~]" and facts:fact "cwd" or nil)
end


--- The spellings of a word of a command. A rule that allows compares words as they are given, and a program also by the file that
--- is really started.
local function of_word(all)
  return function(word, at, facts)
    local list = address.word_forms(word, all)
    if at == 1 and all then list[#list + 1] = program_allowed(word, facts) end
    if at == 1 and not all then add_program(list, word, facts) end
    if at > 1 and not all and word:find "^[/~.]" then list[#list + 1] = real_of(word, facts) end
    return list
  end
end


--- Text of a command that may be a path: a word, and what is behind an option or a sign in it. A rule that allows has to fit all
--- of them.
local function places_in(word, at, all)
  local list = {}
  if not all and address.is_remote(word) then return list end
  if at > 1 and not word:find "^%-" then list[1] = word end
  list[#list + 1] = word:match "^[%w_-]+=(.*)$"
  local behind = word:match "^%-%a+([/~.$].*)$" or word:match "^%-%-?[%w_-]*[:@]([/~.$].*)$" or word:match "^[^/]*@([/~.$].*)$"
  list[#list + 1] = behind
  for part in word:find ":" and not word:find "^%a[%w+.-]*://" and word:gmatch "[^:]+" or function() end do
    if part:find "^[/~]" and part ~= behind then list[#list + 1] = part end
  end
  return list
end


--- A path as the process reads it.
local function from_cwd(text, cwd)
  local path = address.expanded(text)
  if path:find "^/" or path:find "^%s*%a[%w+.-]*:" or cwd == false then return path end
  return cwd and cwd .. "/" .. path or UNKNOWN
end


--- A condition on all that a command may read and write, such as { under = DIR }: also the file of its program.
local function places_of_command(value, all, where)
  local test = arguments.compile({ argv = value }, all, where)
  return function(facts)
    local argv, cwd, list = facts:fact "argv", facts:fact "cwd", {}
    if not argv then return argv end
    for at, word in ipairs(argv) do
      if at == 1 then list[1] = word:find("/", 1, true) and from_cwd(word, cwd) or facts:fact "found" or UNKNOWN end
      for _, place in ipairs(places_in(word, at, all)) do list[#list + 1] = from_cwd(place, cwd) end
    end
    return test { argv = list }
  end
end


local function of_name(name)
  local list = address.path_names(name)
  if name:find "^[~$]" then list[#list + 1] = address.expanded(name) end
  return list
end

function M.argv(value, all, where)
  if type(value) == "table" and value.under then return places_of_command(value, all, where) end
  return spelled("argv", of_name, of_word(all))(value, all, where)
end


-- --- URLs -------------------------------------------------------------------------------------

--- URLs. One that programs may read in different ways fits no rule that allows.
function M.url(value, all, where)
  local plain = spelled("url", as_it_is, as_it_is)(value, all, where)
  if not names_of(value) then return plain end
  local is = address.urls(value, all)
  return function(facts)
    local given, fits = facts:fact "url", all
    if not given then return given end
    for _, each in ipairs(type(given) == "table" and given or { given }) do
      local one = is(each)
      if one == not all then return one end
      if one == nil then fits = nil end
    end
    return #given > 0 and fits
  end
end


-- --- names ------------------------------------------------------------------------------------

--- Names. A message by D-Bus also by all names of the program that gets it; a rule that allows compares it as it is given.
function M.name(value, all, where)
  local test = arguments.compile({ name = value }, all, where)
  return function(facts)
    local is = facts:fact "name"
    if facts.effect == "message" and facts.given then is = facts:fact(all and "messages" or "all_messages") end
    if is == nil then return nil end
    return test { name = is }
  end
end


-- --- text -------------------------------------------------------------------------------------

--- Text that is typed, also together with what was sent to the same line before, and text that is pasted from the clipboard.
function M.text(value, all, where)
  local test = arguments.compile({ text = value }, all, where)
  return function(facts)
    local is = facts:fact "text"
    if is == nil then return nil end
    local list = { is or nil }
    if facts.effect == "input" then
      list[#list + 1] = facts:fact "line" or nil
      local pasted = facts:fact "pasted"
      if pasted == nil then return (not all and test { text = list }) or nil end
      list[#list + 1] = pasted or nil
    end
    if not list[1] then return test { text = is } end
    return test { text = list }
  end
end


return M
