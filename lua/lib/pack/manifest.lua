--- pack.lua, the manifest of a pack. It is read as data and never run: `return { ... }` with plain values.

local nearest = require "nearest"
local text    = require "sys.text"
local tokens  = require "pack.tokens"

local M = {}

M.FILE = "pack.lua"

local DEPTH = 4               -- levels of nested tables
local BYTES = 65536
local NAME = "^[a-z][a-z0-9_-]*$"
local NAME_BYTES = 64
local LINE_BYTES = 200
local KEYS = { "name", "version", "description", "requires" }
local NEEDS = { "perigee", "packs" }
local WORDS = { ["true"] = true, ["false"] = false }

---@class pack.Manifest
---@field name string
---@field version string
---@field description string
---@field requires {perigee?: string, packs?: string[]}


-- --- reading ------------------------------------------------------------------------------

local function wrong(token, what, ...) error({ wrong = ("%s:%d: %s"):format(M.FILE, token.line, what:format(...)) }, 0) end


---@class pack.ManifestReader
---@field list pack.Token[]
---@field at integer
local Reader = {}
Reader.__index = Reader


function Reader:take(mark)
  local token = self.list[self.at]
  if token.kind ~= "mark" or token.text ~= mark then return false end
  self.at = self.at + 1
  return true
end


local function shown(token)
  if token.kind == "end" then return "the end" end
  return token.kind == "string" and "a string" or ("%q"):format(token.text)
end


--- Reads the key before an "="; nil before an item of a list.
function Reader:key()
  local token, after = self.list[self.at], self.list[self.at + 1]
  if token.kind == "name" and after.kind == "mark" and after.text == "=" then
    self.at = self.at + 2
    return token.text
  end
  if not self:take "[" then return nil end
  local key = self.list[self.at]
  if key.kind ~= "string" then wrong(key, "a key must be a string, not %s", shown(key)) end
  self.at = self.at + 1
  if not self:take "]" or not self:take "=" then wrong(self.list[self.at], "]= is missing behind a key") end
  return key.text
end


function Reader:table(depth)
  local made = {}
  while not self:take "}" do
    local token = self.list[self.at]
    local key = self:key() or #made + 1
    if made[key] ~= nil then wrong(token, "the key '%s' is there twice", key) end
    made[key] = self:value(depth + 1)
    if not self:take "," and not self:take ";" and self.list[self.at].text ~= "}" then
      wrong(self.list[self.at], "a comma or } is missing before %s", shown(self.list[self.at]))
    end
  end
  return made
end


function Reader:value(depth)
  local token = self.list[self.at]
  if depth > DEPTH then wrong(token, "too many tables in one another") end
  self.at = self.at + 1
  if token.kind == "string" then return token.text end
  if token.kind == "number" and tonumber(token.text) then return tonumber(token.text) end
  if token.kind == "name" and WORDS[token.text] ~= nil then return WORDS[token.text] end
  if token.kind == "mark" and token.text == "{" then return self:table(depth) end
  wrong(token, "only plain values may stand here (strings, numbers, true, false, tables), not %s", shown(token))
end


local function read(source)
  if #source > BYTES then wrong({ line = 1 }, "it has more than %d bytes", BYTES) end
  local list, err, line = tokens.of(source)
  if not list then wrong({ line = line }, "%s", err) end
  local reader = setmetatable({ list = list, at = 2 }, Reader)
  if list[1].kind ~= "name" or list[1].text ~= "return" then wrong(list[1], "it must begin with return { and nothing else") end
  local value = reader:value(0)
  reader:take ";"
  if list[reader.at].kind ~= "end" then wrong(list[reader.at], "nothing may follow the table, not %s", shown(list[reader.at])) end
  return value
end


-- --- checking -----------------------------------------------------------------------------

local function refuse(what, ...) error({ wrong = M.FILE .. ": " .. what:format(...) }, 0) end


local function check_keys(given, known, where)
  for key in pairs(given) do
    local ok = false
    for _, name in ipairs(known) do ok = ok or key == name end
    if not ok then refuse("unknown key '%s%s'%s", where, tostring(key), nearest.question(tostring(key), known, "; ")) end
  end
end


--- Requires a value to be one line of text without hidden characters.
local function check_line(value, key, bytes)
  if type(value) ~= "string" or not value:find "%S" or #value > bytes then
    refuse("%s must be a string of 1 to %d bytes", key, bytes)
  end
  if not utf8.len(value) or text.plain(value) ~= value then refuse("%s has hidden characters, or more than one line", key) end
end


---@param name any
---@return boolean
function M.name_ok(name) return type(name) == "string" and #name <= NAME_BYTES and name:find(NAME) ~= nil end


local function check_needs(needs)
  if type(needs) ~= "table" then refuse "requires must be a table" end
  check_keys(needs, NEEDS, "requires.")
  if needs.perigee ~= nil and (type(needs.perigee) ~= "string" or not needs.perigee:find "^>=%s*%d+%.?[%d.]*$") then
    refuse "requires.perigee must be like \">= 0.1\""
  end
  if needs.packs ~= nil and type(needs.packs) ~= "table" then refuse "requires.packs must be a list of names" end
  for key, name in pairs(needs.packs or {}) do
    if math.type(key) ~= "integer" or not M.name_ok(name) then refuse "requires.packs must be a list of names of packs" end
  end
end


local function check(made)
  if type(made) ~= "table" then refuse "it must return a table" end
  check_keys(made, KEYS, "")
  if not M.name_ok(made.name) then
    refuse("name must be a small letter, then a-z 0-9 _ - (at most %d)", NAME_BYTES)
  end
  check_line(made.version, "version", 32)
  if not made.version:find "^[%w.+_-]+$" then refuse "version may have letters, digits and . + _ - only" end
  check_line(made.description, "description", LINE_BYTES)
  if made.requires == nil then made.requires = {} end
  check_needs(made.requires)
  return made
end


---@param source string  the text of pack.lua
---@return pack.Manifest? manifest
---@return string? err   "pack.lua:3: ..."
---@return string? code  "bad_pack"
function M.read(source)
  local ok, made = pcall(function() return check(read(source)) end)
  if ok then return made end
  if type(made) == "table" and made.wrong then return nil, made.wrong, "bad_pack" end
  error(made, 0)
end


-- --- requirements -------------------------------------------------------------------------

local function numbers_of(version)
  local list = {}
  for digits in version:match("[%d.]+"):gmatch "%d+" do list[#list + 1] = tonumber(digits) end
  return list
end


--- True if version a is at least b. Both are numbers with dots.
local function is_at_least(a, b)
  local x, y = numbers_of(a), numbers_of(b)
  for i = 1, math.max(#x, #y) do
    if (x[i] or 0) ~= (y[i] or 0) then return (x[i] or 0) > (y[i] or 0) end
  end
  return true
end


--- Lists the requirements that are missing here; empty if all are met.
---@param manifest pack.Manifest
---@param version string         the version of this program
---@param has fun(name: string): boolean  true if there is a pack of this name
---@return string[] missing
function M.missing(manifest, version, has)
  local missing, needs = {}, manifest.requires
  if needs.perigee and not is_at_least(version, needs.perigee) then
    missing[1] = ("perigee %s (this is %s)"):format(needs.perigee, version)
  end
  for _, name in ipairs(needs.packs or {}) do
    if not has(name) then missing[#missing + 1] = "the pack " .. name end
  end
  return missing
end


return M
