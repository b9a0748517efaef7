--- The records of a session: calls with their results, names for things, observations and approvals.
--
-- Each call has a short id, r1, r2 and so on, and may have aliases that its client sends. Old results are dropped; the record of
-- the call stays, so that an error can say how to get the result again.

local engines = require "sessions.engines"
local json    = require "sys.json"
local quoting = require "desktop.quoting"
local secrets = require "sys.secrets"
local time    = require "sys.time"

local M = {}

M.RESULT = 8 * 1024 * 1024      -- bytes of one result; a larger one is not kept
local ARGUMENTS = 1024 * 1024   -- bytes of arguments
local ERROR = 4096              -- bytes of an error that are kept
local THING = 64 * 1024         -- bytes of a thing
local SUGGESTED = 64            -- calls whose ids an error may suggest

local KINDS = { name = true, observation = true, approval = true }

---@class sessions.Outcome  how a call ended
---@field structured? any
---@field text? string
---@field content? table[]
---@field error? string      set: it failed
---@field code? string
---@field source? integer


---@param number integer
---@return string
function M.id(number) return ("r%d"):format(number) end


local function number_in(id) return math.tointeger(tonumber(id:match "^r([1-9]%d*)$")) end


-- --- writing ------------------------------------------------------------------------------------------

---@class sessions.Begun  a call that begins
---@field tool string
---@field arguments? table     as the client sent them, with references as they were written
---@field aliases? string[]    ids by which the client knows the call; those that cannot stand for one are left out
---@field reads? boolean
---@field transaction_id? string

local function is_alias(alias) return #alias <= 200 and alias:find "^[%w_-]+$" ~= nil and not number_in(alias) end


local function arguments_of(call)
  local arguments = secrets.without(json.encode(json.object(call.arguments or {})) or "{}")
  return #arguments <= ARGUMENTS and arguments or "{}"
end


--- Records that a call begins.
---@param shelf sessions.Shelf
---@param call sessions.Begun
---@return integer? number
---@return string? err
---@return string? code
function M.begin(shelf, call)
  local aliases = {}
  for _, alias in ipairs(call.aliases or {}) do
    if is_alias(alias) then aliases[#aliases + 1] = alias end
  end
  return shelf:add({ tool = call.tool, arguments = arguments_of(call), reads = call.reads and 1 or 0, engine = engines.mine(),
    begun = time.now(), transaction_id = call.transaction_id }, aliases)
end


--- Fills in a record in memory that was begun without its arguments.
---@param shelf sessions.MemoryShelf
---@param number integer
---@param call sessions.Begun
function M.fill(shelf, number, call)
  for _, alias in ipairs(call.aliases or {}) do
    if is_alias(alias) then shelf:set_alias(alias, number) end
  end
  shelf:finish(number, { arguments = arguments_of(call), reads = call.reads and 1 or 0, engine = engines.mine() })
end


--- The blocks without the bytes of pictures and sounds; nil: they are no more than the text.
local function blocks_of(content)
  if type(content) ~= "table" or #content == 0 then return nil end
  local list, plain = json.array {}, #content == 1
  for i, block in ipairs(content) do
    local copy = {}
    for key, value in pairs(type(block) == "table" and block or {}) do copy[key] = value end
    if type(copy.data) == "string" then copy.data, copy.bytes = nil, #copy.data end
    plain = plain and copy.type == "text"
    list[i] = copy
  end
  return not plain and json.encode(list) or nil
end


local function encoded(value)
  if value == nil then return nil end
  local text = json.encode(value)
  return text and secrets.without(text)
end


local function cut(text) return #text > ERROR and text:sub(1, utf8.offset(text, 0, ERROR) - 1) .. "…" or text end


--- Records how a call ended.
---@param shelf sessions.Shelf
---@param number integer
---@param outcome sessions.Outcome
---@return true? ok
---@return string? err
---@return string? code
function M.finish(shelf, number, outcome)
  local fields = { state = outcome.error and "failed" or "done", code = outcome.code, source = outcome.source or 0, bytes = 0,
    error = outcome.error and cut(secrets.without(outcome.error)) or nil, ended = time.now() }
  local structured, content = encoded(outcome.structured), blocks_of(outcome.content)
  local text = outcome.text and secrets.without(outcome.text)
  local bytes = #(structured or "") + #(text or "") + #(content or "")
  if bytes <= M.RESULT then
    fields.structured, fields.text, fields.content, fields.bytes = structured, text, content, bytes
  elseif not outcome.error then
    fields.state, fields.code = "dropped", "too_large"
  end
  return shelf:finish(number, fields)
end


--- Gives a call another id, by which its client knows it.
---@param shelf sessions.Shelf
---@param alias string   letters, digits, "_" and "-", at most 200
---@param number integer
---@return true? ok
---@return string? err
---@return string? code
function M.alias(shelf, alias, number)
  if not is_alias(alias) then
    return nil, ("%s cannot stand for a call: an alias has 1 to 200 letters, digits, _ and -, and is not r with a number.")
      :format(quoting.quote(alias, 80)), "invalid_argument"
  end
  return shelf:set_alias(alias, number)
end


--- Keeps a thing under a name: a value that references may name ("name"), an observation, an approval.
---@param shelf sessions.Shelf
---@param kind "name"|"observation"|"approval"
---@param name string
---@param value any        JSON
---@param source? integer  where the value of a "name" is from: bits of sys.policy
---@return true? ok
---@return string? err
---@return string? code
function M.put(shelf, kind, name, value, source)
  if not KINDS[kind] then error("there is no kind " .. tostring(kind), 2) end
  if kind == "name" and (#name > 200 or not name:find "^[%w_-]+$" or number_in(name)) then
    return nil, ("%s cannot be a name: it has 1 to 200 letters, digits, _ and -, and is not r with a number.")
      :format(quoting.quote(name, 80)), "invalid_argument"
  end
  if kind == "name" then value = json.object { value = value, source = source or 0 } end
  local text, err = json.encode(value)
  if not text then return nil, err, "not_plain" end
  if #text > THING then
    return nil, ("%s has %d bytes, and at most %d are kept. Keep a reference to the result in its place."):format(
      quoting.quote(name, 80), #text, THING), "too_large"
  end
  return shelf:put(kind, name, secrets.without(text))
end


--- Returns the things of a kind, the latest last.
---@param shelf sessions.Shelf
---@param kind "name"|"observation"|"approval"
---@return {name: string, value: any, time: number}[]? list
---@return string? err
---@return string? code
function M.all(shelf, kind)
  local list, err, code = shelf:things(kind)
  if not list then return nil, err, code end
  local things = json.array {}
  for i, each in ipairs(list) do
    local value = json.decode(each.value)
    if kind == "name" then value = value.value end
    things[i] = { name = each.name, value = value, time = each.time }
  end
  return things
end


-- --- reading ------------------------------------------------------------------------------------------

--- Returns how to get the result of a call again that was dropped.
---@param row sessions.Row
---@return string
function M.again(row)
  local why = row.code == "too_large" and ("It had more than the %d MB that are kept. "):format(M.RESULT // (1024 * 1024)) or ""
  if row.reads == 0 then
    return ("%s%s changes something, so do not call it again for this: read what you need with another tool."):format(why,
      row.tool)
  end
  local arguments = row.arguments == "{}" and "without arguments" or "with " .. quoting.cut(row.arguments, 300)
  return ("%sCall %s again %s, and refer to the new result."):format(why, row.tool, arguments)
end


local function decoded(text) return text and json.decode(text) or nil end


--- The value that paths begin in: the structured content, otherwise text, as JSON if it is an object or a list.
local function root_of(structured, text)
  if structured ~= nil then return structured end
  local value = text and text:find "^%s*[%[{]" and json.decode(text)
  if type(value) == "table" then return value end
  return text
end


local function content_of(row)
  if row.content then return decoded(row.content) end
  return row.text and json.array { { type = "text", text = row.text } } or nil
end


--- Returns what is kept of a call, or the thing of a name; nil: there is none, or it cannot be read, then with err.
---@param shelf sessions.Shelf
---@param id string  "r3", an alias or a name
---@return sessions.Kept? kept
---@return string? err
---@return string? code
function M.get(shelf, id)
  local number = number_in(id) or shelf:number_of(id)
  if not number then
    local thing = decoded(shelf:thing("name", id))
    return thing and { id = id, tool = "the name " .. id, state = "done", root = thing.value, source = thing.source } or nil
  end
  local row, err, code = shelf:row(number)
  if not row then return nil, err, code end
  return { id = id, state = row.state, tool = row.tool, root = root_of(decoded(row.structured), row.text), text = row.text,
    content = content_of(row), error = row.error, again = row.state == "dropped" and M.again(row) or nil, source = row.source }
end


--- Returns what references are resolved with.
---@param shelf sessions.Shelf
---@return sessions.Lookup
function M.lookup(shelf)
  local found, kept = {}, {}
  local function get(id)
    if kept[id] == nil then
      local one, err, code = M.get(shelf, id)
      if err then return nil, err, code end
      kept[id] = one or false
    end
    return kept[id] or nil
  end
  return {
    get = get,
    known = function(id)
      if found[id] == nil then
        local number = number_in(id)
        found[id] = number and shelf:row(number) ~= nil or not number and (shelf:number_of(id) or shelf:thing("name", id)) ~= nil
      end
      return found[id]
    end,
    ids = function()
      local ids = {}
      for _, each in ipairs(shelf:things "name" or {}) do ids[#ids + 1] = each.name end
      for _, row in ipairs(shelf:last(SUGGESTED) or {}) do ids[#ids + 1] = M.id(row.number) end
      return ids
    end,
  }
end


return M
