--- The rules of lib/mounts/NAME.lua: which tools and prompts of a mounted server appear, and under which names.

local keys    = require "keys"
local nearest = require "nearest"

local M = {}

local LONGEST_NAME = 64  -- the limit of clients

---@class mounts.Rule
---@field name?        string   the full name, without the prefix
---@field title?       string
---@field description? string
---@field annotations? ToolAnnotations
---@field hide?        boolean
---@field listed?      boolean  false: found by search_tools, not in the default list
---@field timeout?     number   seconds
---@field run?         fun(args: table, call: Call, next: fun(args?: table): any, string?, string?): any, string?, string?

---@class mounts.Which
---@field only? string[]  show only these; patterns, * for any text
---@field hide? string[]  do not show these

---@class mounts.Rules
---@field prefix?  string   the prefix of tools and prompts; default: the server's name and "_"; "" for none
---@field only?    string[] show only these tools; patterns of the server's names, * for any text
---@field hide?    string[] do not show these
---@field prompts? mounts.Which|false    patterns of the prompts' own names; false hides all
---@field resources? mounts.Which|false  patterns of the own URIs of resources and templates; false hides all
---@field timeout? number   seconds for an answer; default: the file's "timeout", or 60
---@field idle?    number   seconds without a call until the server is stopped; default 300
---@field era?     "legacy"|"modern"
---@field tools?   table<string, mounts.Rule|false>  by the server's names; false hides one


local KEYS = {
  prefix = "string", only = "table", hide = "table", timeout = "number", idle = "number", era = "string",
  tools = "table", prompts = "table", resources = "table",
}
local WHICH_KEYS = { only = "table", hide = "table" }
local ERAS = { "legacy", "modern" }
local MAY_BE_FALSE = { prompts = true, resources = true }
local TOOL_KEYS = {
  name = "string", title = "string", description = "string", annotations = "table", hide = "boolean",
  listed = "boolean", timeout = "number", run = "function",
}


--- Checks patterns: each has to be a string.
local function check_list(list, key, where)
  for i, pattern in pairs(list) do
    if math.type(i) ~= "integer" or type(pattern) ~= "string" then
      return nil, ("%q%s must be a list of strings"):format(key, where)
    end
  end
  return true
end


local function check_keys(given, known, where)
  for key, value in pairs(given) do
    if not known[key] then
      local wanted = tostring(key)
      return nil, ("unknown key %q%s%s"):format(wanted, where, nearest.question(wanted, keys.sorted(known), "; "))
    end
    local off = value == false and known == KEYS and MAY_BE_FALSE[key]
    if type(value) ~= known[key] and not off then
      return nil, ("%q%s must be a %s, not a %s"):format(key, where, known[key], type(value))
    end
    if key == "only" or known ~= TOOL_KEYS and key == "hide" then
      local ok, err = check_list(value, key, where)
      if not ok then return nil, err end
    end
    if known[key] == "number" and not (value > 0 and value <= 86400) then
      return nil, ("%q%s must be more than 0 and at most 86400 seconds"):format(key, where)
    end
  end
  return true
end


--- Returns the rules, or nil and what is wrong with them. nil means no rules.
---@param given any
---@return mounts.Rules? rules
---@return string? err
function M.check(given)
  if given == nil then return {} end
  if type(given) ~= "table" then return nil, "it must return a table" end
  local ok, err = check_keys(given, KEYS, "")
  if not ok then return nil, err end
  if given.prefix and given.prefix:find "[^%w_.%-]" then return nil, "prefix: only A-Z a-z 0-9 _ . -" end
  if given.era and given.era ~= ERAS[1] and given.era ~= ERAS[2] then
    return nil, ("\"era\" must be %q or %q, not %q%s"):format(ERAS[1], ERAS[2], given.era,
      nearest.question(given.era, ERAS, "; "))
  end
  for _, which in ipairs { "prompts", "resources" } do
    ok, err = check_keys(given[which] or {}, WHICH_KEYS, (" of %s"):format(which))
    if not ok then return nil, err end
  end
  for name, rule in pairs(given.tools or {}) do
    if type(name) ~= "string" then return nil, ("tools has the key %s: name the server's tool"):format(tostring(name)) end
    if rule ~= false then
      if type(rule) ~= "table" then return nil, ("tools.%s must be a table, or false"):format(tostring(name)) end
      ok, err = check_keys(rule, TOOL_KEYS, (" of tools.%s"):format(tostring(name)))
      if not ok then return nil, err end
      if rule.name and (rule.name == "" or #rule.name > LONGEST_NAME or rule.name:find "[^%w_.%-]") then
        return nil, ("tools.%s.name: 1 to %d of A-Z a-z 0-9 _ . -"):format(name, LONGEST_NAME)
      end
    end
  end
  return given
end


local function matches(name, patterns)
  for _, pattern in ipairs(patterns) do
    local lua = "^" .. pattern:gsub("[%^%$%(%)%%%.%[%]%+%-%?]", "%%%0"):gsub("%*", ".*") .. "$"
    if name:find(lua) then return true end
  end
  return false
end


--- Returns four letters in place of the part of a name that is cut off.
local function digest(text)
  local sum = 0
  for i = 1, #text do sum = (sum * 31 + text:byte(i)) % 1679616 end
  local out = ""
  for _ = 1, 4 do
    local digit = sum % 36
    out = ("0123456789abcdefghijklmnopqrstuvwxyz"):sub(digit + 1, digit + 1) .. out
    sum = sum // 36
  end
  return out
end


--- Returns a name that every client accepts.
---@param prefix string
---@param tool string
---@return string
function M.name(prefix, tool)
  local name = (prefix .. tool):gsub("[^%w_.%-]", "_")
  if #name <= LONGEST_NAME then return name end
  return name:sub(1, LONGEST_NAME - 5) .. "_" .. digest(prefix .. tool)
end


--- True if the name begins with the longer prefix of another server.
local function is_of_another(name, prefix, others)
  for _, other in ipairs(others) do
    if #other > #prefix and name:sub(1, #other) == other then return true end
  end
  return false
end


--- Returns a name that no other server has by its own prefix, whichever answers first, and none of this one's that are taken: a
--- server "a" with a tool "b_read" does not get the name of the tool "read" of a server "a_b".
---@param prefix string
---@param tool string
---@param others string[]  the prefixes of the other servers
---@param taken table<string, any>
---@return string
function M.own_name(prefix, tool, others, taken)
  local name, longer = M.name(prefix, tool), prefix
  while is_of_another(name, prefix, others) and #longer < LONGEST_NAME do
    longer = longer .. "_"
    name = M.name(longer, tool)
  end
  if taken[name] then name = name:sub(1, LONGEST_NAME - 5) .. "_" .. digest(tool) end
  return name
end


---@param server string
---@param rules mounts.Rules
---@return string
function M.prefix(server, rules)
  return rules.prefix or server .. "_"
end


--- True if a prompt of this name, or a resource of this URI, appears.
---@param text string
---@param which? mounts.Which|false
---@return boolean
function M.shows(text, which)
  if not which then return which == nil end
  return not (which.only and not matches(text, which.only)) and not (which.hide and matches(text, which.hide))
end


--- Returns the prompts or resources that appear, in the server's order and with their places in its list. Of two with the same
--- key the first one appears.
---@param list table[]
---@param which? mounts.Which|false
---@param key string  the field with the name, or the URI
---@return {at: integer, key: string, item: table}[]
function M.shown(list, which, key)
  local shown, taken = {}, {}
  for at, item in ipairs(list) do
    local text = type(item) == "table" and item[key]
    if type(text) == "string" and text ~= "" and not taken[text] and M.shows(text, which) then
      shown[#shown + 1] = { at = at, key = text, item = item }
      taken[text] = true
    end
  end
  return shown
end


--- Returns the tools that appear, in the server's order and with their places in its list. Of two with the same name the second
--- one gets a name of its own.
---@param server string
---@param list table[]  the server's definitions
---@param rules mounts.Rules
---@param others? string[]  the prefixes of the other servers
---@return {at: integer, name: string, tool: string, rule: mounts.Rule}[]
function M.apply(server, list, rules, others)
  local prefix = M.prefix(server, rules)
  local shown, taken, seen = {}, {}, {}
  for at, definition in ipairs(list) do
    local tool = type(definition) == "table" and definition.name
    local rule = type(tool) == "string" and (rules.tools or {})[tool]
    local hidden = type(tool) ~= "string" or rule == false or rule and rule.hide
      or rules.only and not matches(tool, rules.only) or rules.hide and matches(tool, rules.hide)
    if not hidden and not seen[tool] then
      local name = rule and rule.name or M.own_name(prefix, tool, others or {}, taken)
      shown[#shown + 1] = { at = at, name = name, tool = tool, rule = rule or {} }
      taken[name], seen[tool] = true, true
    end
  end
  return shown
end


return M
