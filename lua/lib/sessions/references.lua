--- References in arguments: "@@ref_r3__windows[0].title" stands for a value of the result r3. The functions here read and
--- replace them; what is known of results comes from a lookup.
--
--   ref  = "@@ref_" id [ "__" path ]      "@@@ref_" is the text "@@ref_"
--   path = seg *( "." seg / "[" ["-"] n "]" / "[" json-string "]" )      seg = 1*(alnum / "_" / "-")
--
-- The id is the longest known one before "__" or the end, because ids of models' APIs have "_" in them. What does not continue a
-- path is text behind the reference: "see @@ref_r3__text."

local json    = require "sys.json"
local nearest = require "nearest"
local quoting = require "desktop.quoting"

local M = {}

M.MOST = 64                     -- references in the arguments of one call
M.BYTES = 16 * 1024 * 1024      -- of what is put in their place

local BEGIN = "@@ref_"
local DEEP = 64                 -- levels of arguments

---@alias sessions.Step string|integer  the name of a member; the place in a list, from 0, or from -1 at the end

---@class sessions.Reference
---@field id string       that is known, or else the word before the first "__"
---@field steps sessions.Step[]
---@field said string     as it was written
---@field known boolean

---@class sessions.Kept  what a lookup says of a result
---@field id string
---@field state "running"|"done"|"failed"|"dropped"|"lost"
---@field tool string
---@field root? any       the value that a path begins in
---@field text? string
---@field content? table[]
---@field error? string
---@field again? string   for one that was dropped: how to get it again

---@class sessions.Lookup
---@field known fun(id: string): boolean
---@field get fun(id: string): sessions.Kept?, string?, string?
---@field ids fun(): string[]   for suggestions


-- --- reading ----------------------------------------------------------------------------------------

--- The step that a path goes on with at `at`, and the place behind it; nil: the path ends there.
---@return sessions.Step? step
---@return integer? next
local function step_at(text, at)
  local seg, behind = text:match("^%.([%w_-]+)()", at)
  if seg then return seg, behind end
  local index
  index, behind = text:match("^%[(%-?%d+)%]()", at)
  if index then
    local far = index:sub(1, 1) == "-" and math.mininteger or math.maxinteger
    return math.tointeger(tonumber(index)) or far, behind
  end
  if text:sub(at, at + 1) ~= '["' then return nil end
  local stop = at + 2
  while true do   -- to the quote that ends the string
    stop = text:find('["\\]', stop)
    if not stop then return nil end
    if text:sub(stop, stop) == '"' then break end
    stop = stop + 2
  end
  if text:sub(stop + 1, stop + 1) ~= "]" then return nil end
  local key = json.decode(text:sub(at + 1, stop))
  if type(key) ~= "string" then return nil end
  return key, stop + 2
end


--- Splits a word into id and first step: the longest id that is known.
---@return string id
---@return string? seg
---@return boolean known
local function split(word, known)
  if known(word) then return word, nil, true end
  for at = #word - 2, 2, -1 do
    if word:sub(at, at + 1) == "__" and known(word:sub(1, at - 1)) then return word:sub(1, at - 1), word:sub(at + 2), true end
  end
  local id, seg = word:match "^(..-)__(.+)$"
  return id or word, seg, false
end


--- Reads the reference that begins at `at`; nil: none does.
---@param text string
---@param at integer
---@param known fun(id: string): boolean
---@return sessions.Reference? reference
---@return integer? next  the place behind it
function M.parse(text, at, known)
  local word, behind = text:match("^@@ref_([%w_-]+)()", at)
  if not word then return nil end
  local id, seg, is_known = split(word, known)
  local steps = {}
  while seg do
    steps[#steps + 1] = seg
    local step, following = step_at(text, behind)
    seg, behind = step, following or behind
  end
  return { id = id, steps = steps, said = text:sub(at, behind - 1), known = is_known }, behind
end


--- Returns the parts of a text: strings, with "@@@ref_" made "@@ref_", and references. One string: it has none.
---@param text string
---@param known fun(id: string): boolean
---@return (string|sessions.Reference)[]
function M.parts(text, known)
  local parts, from, at = {}, 1, 1
  local function add(piece)
    if piece == "" then return end
    if type(piece) == "string" and type(parts[#parts]) == "string" then
      parts[#parts] = parts[#parts] .. piece
    else
      parts[#parts + 1] = piece
    end
  end
  while true do
    local found = text:find(BEGIN, at, true)
    if not found then break end
    if found > 1 and text:sub(found - 1, found - 1) == "@" then
      add(text:sub(from, found - 2))
      from, at = found, found + #BEGIN
    else
      local reference, behind = M.parse(text, found, known)
      at = found + #BEGIN
      if reference then
        add(text:sub(from, found - 1))
        add(reference)
        from, at = behind, behind
      end
    end
  end
  add(text:sub(from))
  return parts
end


--- Returns a text in which nothing is a reference, so that parts() makes of it what it was.
---@param text string
---@return string
function M.escape(text) return (text:gsub("@@ref_", "@@@ref_")) end


--- True if a text may have references, or an escaped one.
---@param text string
---@return boolean
function M.may_have(text) return text:find(BEGIN, 1, true) ~= nil end


-- --- finding the value --------------------------------------------------------------------------------

local KEYS = 12   -- members that an error names

local function shown_step(step)
  if type(step) == "number" then return ("[%d]"):format(step) end
  return step:find "^[%w_-]+$" and step or "[" .. quoting.quote(step, 40) .. "]"
end


--- The path up to a step: "windows[0].title".
local function path_to(steps, count)
  local said = ""
  for i = 1, count do
    local shown = shown_step(steps[i])
    said = said .. (i > 1 and shown:sub(1, 1) ~= "[" and "." or "") .. shown
  end
  return said
end


local function keys_of(value)
  local keys = {}
  for key in pairs(value) do
    if type(key) == "string" then keys[#keys + 1] = key end
  end
  table.sort(keys)
  return keys
end


local function listed(keys)
  local shown = {}
  for i = 1, math.min(#keys, KEYS) do shown[i] = quoting.name(keys[i], 40) end
  if #keys > KEYS then shown[#shown + 1] = ("and %d more"):format(#keys - KEYS) end
  return table.concat(shown, ", ")
end


--- The members that a value has, for an error.
local function members(value, step)
  if type(value) ~= "table" then
    local kind = value == json.null and "null" or type(value) == "string" and "text" or "a " .. type(value)
    return ("It is %s, which has no members"):format(kind)
  end
  if json.is_array(value) or #value > 0 then
    return #value == 0 and "It is an empty list" or ("It is a list of %d: write [0] to [%d]"):format(#value, #value - 1)
  end
  local keys = keys_of(value)
  if #keys == 0 then return "It is an empty object" end
  local near = type(step) == "string" and nearest.question(step, keys, "; ") or ""
  return ("It has %s%s"):format(listed(keys), quoting.plain(near))
end


local function is_list(value) return json.is_array(value) or #value > 0 end


--- The member of a value; nil: there is none.
local function member(value, step)
  if type(value) ~= "table" then return nil end
  if type(step) == "string" then
    if is_list(value) then return nil end
    return value[step]
  end
  if not is_list(value) then return nil end
  if step < 0 then step = step + #value end
  if step < 0 or step >= #value then return nil end
  return value[step + 1]
end


local BESIDE = { text = true, content = true, error = true }   -- parts of a result beside its root

--- Returns the value of a path in a result.
---@param kept sessions.Kept
---@param reference sessions.Reference
---@return any value
---@return string? err
---@return string? code
function M.value(kept, reference)
  local steps, value = reference.steps, kept.root
  for i, step in ipairs(steps) do
    local inner = member(value, step)
    if inner == nil and i == 1 and BESIDE[step] then inner = kept[step] end
    if inner == nil then
      local there = members(value, step):gsub("[^?]$", "%0.")
      return nil, ("%s has no %s. %s"):format(i == 1 and kept.id or ("%s of %s"):format(path_to(steps, i - 1), kept.id),
        shown_step(step), there), "no_such_path"
    end
    value = inner
  end
  if value == nil then return nil, ("%s, of %s, has no value"):format(kept.id, kept.tool), "no_such_path" end
  return value
end


local function unknown(reference, lookup)
  local ids = lookup.ids()
  local near = nearest.question(reference.id, ids, ": ")
  if near == "" then
    near = #ids == 0 and ": no result is kept for you" or (": the newest is %s"):format(ids[#ids])
  end
  return nil, ("%s: there is no result %q%s. Write @@@ref_ if it is not meant as a reference."):format(reference.said,
    reference.id, (near:gsub("%?$", ""))), "no_such_reference"
end


local function usable(kept, reference)
  if kept.state == "running" then
    return nil, ("%s, of %s, has not ended yet. Wait for its result, then refer to it."):format(kept.id, kept.tool),
      "result_running"
  end
  if kept.state == "lost" then
    return nil, ("%s, of %s, has no result: the engine ended before it did. Look whether it was done, then call it again.")
      :format(kept.id, kept.tool), "result_lost"
  end
  if kept.state == "dropped" then
    return nil, ("%s, of %s, was dropped. %s"):format(kept.id, kept.tool, kept.again or "Call the tool again."), "result_dropped"
  end
  if kept.state == "failed" and reference.steps[1] ~= "error" then
    return nil, ("%s, of %s, failed: %s. Only @@ref_%s__error is there."):format(kept.id, kept.tool,
      quoting.cut(quoting.plain(kept.error or "without a message"), 200):gsub("%.$", ""), kept.id), "result_failed"
  end
  return true
end


--- Returns the value that a reference stands for.
---@param reference sessions.Reference
---@param lookup sessions.Lookup
---@return any value
---@return string? err
---@return string? code
function M.find(reference, lookup)
  if not reference.known then return unknown(reference, lookup) end
  local kept, err, code = lookup.get(reference.id)
  if not kept then
    if err then return nil, err, code end
    return unknown(reference, lookup)
  end
  local value, ok
  ok, err, code = usable(kept, reference)
  if ok then value, err, code = M.value(kept, reference) end
  if value == nil then return nil, ("%s: %s"):format(reference.said, err), code end
  return value
end


-- --- replacing ----------------------------------------------------------------------------------------

--- The value as text.
local function as_text(value) return type(value) == "string" and value or json.encode(value) end


--- True if a schema takes text there and no value of this kind.
local function wants_text(schema, value)
  if type(schema) ~= "table" or type(value) == "string" then return false end
  local kind, kinds = schema.type, {}
  if kind == nil then return false end
  for _, each in ipairs(type(kind) == "table" and kind or { kind }) do kinds[each] = true end
  if type(value) == "table" then return kinds.string and not kinds[is_list(value) and "array" or "object"] or false end
  if value == json.null then return kinds.string and not kinds.null or false end
  if type(value) == "boolean" then return kinds.string and not kinds.boolean or false end
  return kinds.string and not kinds.number and not (kinds.integer and math.type(value) == "integer") or false
end


--- The schema of a member; nil: none is known.
local function schema_of(schema, key)
  if type(schema) ~= "table" then return nil end
  if type(key) == "number" then return type(schema.items) == "table" and schema.items or nil end
  local properties = type(schema.properties) == "table" and schema.properties or {}
  if properties[key] then return properties[key] end
  for _, each in pairs(properties) do
    if type(each) == "table" and each["x-also-called"] == key then return each end
  end
  return type(schema.additionalProperties) == "table" and schema.additionalProperties or nil
end


---@class sessions.Replacing
---@field lookup sessions.Lookup
---@field count integer
---@field bytes integer
---@field used table<string, true>  the ids
---@field values table<string, any[]>  the values that were put in, by the ids

--- The value for a reference, counted.
local function put_in(job, reference)
  job.count = job.count + 1
  if job.count > M.MOST then
    return nil, ("The arguments have more than %d references. Pass a larger part of a result with one of them."):format(M.MOST),
      "too_many_references"
  end
  local value, err, code = M.find(reference, job.lookup)
  if value == nil then return nil, err, code end
  job.bytes = job.bytes + #as_text(value)
  if job.bytes > M.BYTES then
    return nil, ("%s: the references stand for more than %d MB in all. Refer to a smaller part."):format(reference.said,
      M.BYTES // (1024 * 1024)), "too_large"
  end
  job.used[reference.id] = true
  job.values[reference.id] = job.values[reference.id] or {}
  table.insert(job.values[reference.id], value)
  return value
end


local function replace_text(job, text, schema)
  local parts = M.parts(text, job.lookup.known)
  if #parts == 0 then return text end
  for i, part in ipairs(parts) do
    if type(part) == "table" then
      local value, err, code = put_in(job, part)
      if value == nil then return nil, err, code end
      if #parts == 1 and not wants_text(schema, value) then return value end
      parts[i] = as_text(value)
    end
  end
  return table.concat(parts)
end


--- Replaces the references in a table of our own.
local function replace_members(job, value, schema, depth)
  if depth > DEEP then return nil, "The arguments are nested too deeply.", "too_deep" end
  for key, each in pairs(value) do
    local result, err, code = each, nil, nil
    if type(each) == "string" and M.may_have(each) then
      result, err, code = replace_text(job, each, schema_of(schema, key))
    elseif type(each) == "table" then
      result, err, code = replace_members(job, each, schema_of(schema, key), depth + 1)
    end
    if result == nil then return nil, err, code end
    if result ~= each then value[key] = result end   -- an existing key: the traversal goes on
  end
  return value
end


local function has_any(value, depth)
  if type(value) == "string" then return M.may_have(value) end
  if type(value) ~= "table" or depth > DEEP then return false end
  for _, each in pairs(value) do
    if has_any(each, depth + 1) then return true end
  end
  return false
end


--- Replaces all references in a value by what they stand for. A string that is a reference and nothing else becomes the value
--- itself, unless the schema takes text there; elsewhere in a string it becomes text. Nothing is looked for in what is put in.
---@param value any     JSON; it stays as it is
---@param lookup sessions.Lookup
---@param schema? table  the JSON Schema of the value
---@return any value    without references the same one
---@return string|table<string, true>? err_or_used  the ids that were referred to
---@return string? code "no_such_reference", "no_such_path", "result_running", "result_failed", "result_dropped", "result_lost",
---                     "too_many_references", "too_large", "too_deep"
---@return table<string, any[]>? values  by the ids, what was put in
function M.resolve(value, lookup, schema)
  if not has_any(value, 0) then return value, {} end
  local job = { lookup = lookup, count = 0, bytes = 0, used = {}, values = {} }
  local result, err, code
  if type(value) == "string" then
    result, err, code = replace_text(job, value, schema)
  else
    result, err, code = json.decode(json.encode(value))   -- a copy, with the order of its keys
    if result ~= nil then result, err, code = replace_members(job, result, schema, 0) end
  end
  if result == nil then return nil, err, code end
  return result, job.used, nil, job.values
end


return M
