--- The parts that `perigee tools` and its reference share: the commands of a tool's examples, how they end, its hints and
-- codes.

local files = require "sys.files"
local json  = require "sys.json"

local M = {}


--- Groups consecutive tools of one toolset.
---@param tools sys.engine.Tool[]
---@return table[]
function M.by_toolset(tools)
  local groups = {}
  for _, tool in ipairs(tools) do
    local group = groups[#groups]
    if not group or group.toolset ~= tool.toolset then
      group = { toolset = tool.toolset }
      groups[#groups + 1] = group
    end
    group[#group + 1] = tool
  end
  return groups
end


--- Quotes a word for a shell if it needs it.
local function quoted(word)
  if word ~= "" and not word:find "[^%w_%-%.,:/@=+%%]" then return word end
  return "'" .. word:gsub("'", "'\\''") .. "'"
end


local function scalar(value)
  return type(value) == "string" or type(value) == "number" or type(value) == "boolean"
end


--- Returns the `perigee call` for an example.
---@param tool sys.engine.Tool
---@param args table
---@param names string[]  the names of its parameters, in order
---@return string
function M.command(tool, args, names)
  local words = { "perigee call", quoted(tool.name) }
  local properties = tool.inputSchema.properties or {}
  for _, name in ipairs(names) do
    local value = args[name]
    local declared = type(properties[name]) == "table" and properties[name].type
    if scalar(value) and (type(value) ~= "string" or declared == "string") then
      words[#words + 1] = quoted(name .. "=" .. tostring(value))
    elseif value ~= nil then
      words[#words + 1] = quoted(name .. ":=" .. (json.encode(value) or "null"))
    end
  end
  return table.concat(words, " ")
end


--- Shows on one line how an example ends.
---@param example ToolExample
---@return string
function M.ending(example)
  if example.err then return "fails: " .. example.err end
  if type(example.want) == "string" then return example.want end
  if example.want ~= nil then return json.encode(example.want) or "" end
  return example.has and "... " .. table.concat(example.has, " ... ") .. " ..." or ""
end


local HINTS = {
  { "readOnlyHint", [true] = "only reads", [false] = "changes things" },
  { "destructiveHint", [true] = "may destroy something", [false] = "destroys nothing" },
  { "idempotentHint", [true] = "a second call changes nothing more", [false] = "every call counts" },
  { "openWorldHint", [true] = "reaches beyond this machine", [false] = "stays on this machine" },
}

--- Puts the tool's annotations into words.
---@param tool sys.engine.Tool
---@return string
function M.hints(tool)
  local said = {}
  local reads = tool.annotations and tool.annotations.readOnlyHint
  for _, hint in ipairs(HINTS) do
    local value = tool.annotations and tool.annotations[hint[1]]
    -- Hints that only matter for a tool that changes things are left out for one that reads.
    local moot = reads and (hint[1] == "destructiveHint" or hint[1] == "idempotentHint")
    if value ~= nil and not moot then said[#said + 1] = hint[value] end
  end
  return table.concat(said, "; ")
end


--- The table that the tool's file returned.
local function table_of(tool)
  return files.table("tool", tool.name) or {}
end


---@param tool sys.engine.Tool
---@return ToolExample[]
function M.examples(tool)
  local examples = table_of(tool).examples
  return type(examples) == "table" and examples or {}
end


--- The tool's codes and the meaning of each, sorted; codes that only its examples show have no meaning.
---@param tool sys.engine.Tool
---@return string[][]
function M.codes(tool)
  local meanings, codes = {}, {}
  for _, example in ipairs(M.examples(tool)) do
    if type(example.code) == "string" then meanings[example.code] = "" end
  end
  for code, meaning in pairs(table_of(tool).codes or {}) do meanings[code] = meaning end
  for code, meaning in pairs(meanings) do codes[#codes + 1] = { code, meaning } end
  table.sort(codes, function(a, b) return a[1] < b[1] end)
  return codes
end


return M
