--- Tools as Python code sees them: names that are identifiers, and parameters with the required ones first.

local engine     = require "sys.engine"
local files      = require "sys.files"
local json       = require "sys.json"
local policy     = require "sys.policy"
local provenance = require "policy.provenance"

local M = {}

local KEYWORDS = {}
for word in ([[False None True and as assert async await break class continue def del elif else except finally for from global
  if import in is lambda nonlocal not or pass raise return try while with yield]]):gmatch "%S+" do KEYWORDS[word] = true end

local DESCRIBED = 300   -- bytes of a description, which help() shows

local known, generation, strangers


--- Returns the Python name of a tool or a parameter: "cik-A" is cik_A, "from" is from_.
---@param name string
---@return string
function M.identifier(name)
  local word = name:gsub("[^%w_]", "_")
  if not word:find "^[%a_]" then word = "_" .. word end
  return KEYWORDS[word] and word .. "_" or word
end


---@class python.Parameter
---@field name string
---@field python string
---@field required boolean
---@field type? string  of JSON

--- The type of a parameter that is always of one, but for null.
local function type_of(schema)
  local kind = type(schema) == "table" and schema.type
  if type(kind) == "table" and #kind == 2 then kind = kind[1] == "null" and kind[2] or kind[2] == "null" and kind[1] end
  return type(kind) == "string" and kind or nil
end


--- Required ones first, and the others in the order that clients see.
---@param tool sys.engine.Tool
---@return python.Parameter[]
local function parameters(tool)
  local schema = tool.inputSchema or {}
  local required, list, seen = {}, {}, {}
  local properties = type(schema.properties) == "table" and schema.properties or {}
  local function add(name, needed)
    if seen[name] then return end
    seen[name] = true
    list[#list + 1] = { name = name, python = M.identifier(name), required = needed,
      type = type_of(properties[name]) }
  end
  for _, name in ipairs(type(schema.required) == "table" and schema.required or {}) do required[#required + 1] = name end
  for _, name in ipairs(required) do add(name, true) end
  for _, name in ipairs(files.parameters(tool.name) or {}) do add(name, false) end
  local others = {}
  for name in pairs(properties) do others[#others + 1] = name end
  table.sort(others)
  for _, name in ipairs(others) do add(name, false) end
  return list
end


---@class python.Tool
---@field name string
---@field python string
---@field params python.Parameter[]
---@field description string

--- Describes all tools.
---@return python.Tool[]
function M.described()
  local list = {}
  for i, tool in ipairs(engine.tools()) do
    local described = tool.description or ""
    list[i] = { name = tool.name, python = M.identifier(tool.name), params = json.array(parameters(tool)),
      description = described:sub(1, (utf8.offset(described, 0, math.min(DESCRIBED, #described) + 1) or 1) - 1) }
  end
  return json.array(list)
end


--- Subjects of tools whose names and descriptions others chose: one of each mounted server, and a foreign one.
---@return sys.policy.Subject[]
local function of_others()
  local list, seen = {}, {}
  for _, tool in ipairs(engine.tools()) do
    local subject = policy.subject("tool", tool.name)
    local server = subject and provenance.source(subject) == "mount" and (provenance.server(subject) or "")
    if server and not seen[server] then list[#list + 1], seen[server] = subject, true end
  end
  return list
end


--- The same as JSON, for code of a call: it has read then what others say of their tools.
---@param call? Call
---@return string
function M.json(call)
  if not known or generation ~= engine.generation() then
    known, generation, strangers = assert(json.encode(M.described())), engine.generation(), of_others()
  end
  for _, subject in ipairs(call and strangers or {}) do
    policy.brings(call, provenance.bits(subject), true, provenance.server(subject))
  end
  return known
end


return M
