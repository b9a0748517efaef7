--- Tools that generated code may call: finding them by the names that a caller gives, describing them to the model that writes
--- the code, and judging the calls in what it wrote.

local arguments = require "agent.arguments"
local engine    = require "sys.engine"
local files     = require "sys.files"
local json      = require "sys.json"
local nearest   = require "nearest"
local s         = require "schema"
local strings   = require "agent.strings"
local tools     = require "python.tools"
local wire      = require "agent.wire"

local M = {}

local MOST_LINES = 5   -- numbers of lines in a warning
local identifier = tools.identifier

---@class generating.Offer
---@field tools sys.engine.Tool[]
---@field known table<string, true>       each name by which one of them may be called
---@field attributes table<string, sys.engine.Tool|false>  by the name in Python; false: several have it


--- The parameter that names the tools.
---@param description string
---@return table
function M.parameter(description)
  return s.array(s.string(nil, { minLength = 1, maxLength = 200 }), description,
    { type = { "array", "null" }, default = json.null, maxItems = 200 })
end


local function all_names()
  local names = {}
  for i, tool in ipairs(engine.tools()) do names[i] = tool.name end
  return names
end


--- Finds the tools. A name that no tool has is an error that suggests others.
---@param names? string[]
---@return generating.Offer? offer
---@return string? err
---@return string? code
function M.find(names)
  local offer = { tools = {}, known = {}, attributes = {} }
  for _, name in ipairs(names ~= json.null and names or {}) do
    local tool = engine.tool(name)
    if not tool then
      return nil, ('There is no tool "%s"%s. Call search_tools to find tools.')
        :format(strings.one_line(strings.cut(name, 100)), nearest.question(name, all_names(), "; "):gsub("%?$", "")),
        "unknown_tool"
    end
    if not offer.known[tool.name] then
      offer.tools[#offer.tools + 1] = tool
      local word = identifier(tool.name)
      offer.attributes[word] = offer.attributes[word] == nil and tool
    end
    offer.known[tool.name], offer.known[name] = true, true
  end
  return offer
end


--- Returns "tools.list_windows(application, [limit])", in the form of a call in Python.
local function call_of(offer, tool)
  local word, required, parts = identifier(tool.name), arguments.required(tool), {}
  local ordered = setmetatable({ parameter_order = files.parameters(tool.name) }, { __index = tool })
  for i, name in ipairs(arguments.order(ordered)) do
    parts[i] = required[name] and identifier(name) .. "=..." or ("[%s=...]"):format(identifier(name))
  end
  local callee = offer.attributes[word] and "tools." .. word or ('tools["%s"]'):format(tool.name)
  return ("%s(%s)"):format(callee, table.concat(parts, ", "))
end


--- Returns the words about the tools for the model.
---@param offer generating.Offer
---@return string
function M.text(offer)
  local parts = {}
  for i, tool in ipairs(offer.tools) do
    local lines = { ("## %s"):format(tool.name), tool.description or tool.title or "",
      ('await _call_mcp_tool("%s", arguments), or %s'):format(tool.name, call_of(offer, tool)),
      "Arguments: " .. json.encode(wire.schema(tool) or { type = "object" }) }
    if tool.outputSchema then lines[#lines + 1] = "Result: " .. json.encode(tool.outputSchema) end
    parts[i] = table.concat(lines, "\n")
  end
  return table.concat(parts, "\n\n")
end


--- Returns "line 3", "lines 3, 5 and 9".
local function at(lines)
  local words = {}
  for i = 1, math.min(#lines, MOST_LINES) do words[i] = tostring(lines[i]) end
  if #lines > MOST_LINES then words[#words + 1] = ("%d more"):format(#lines - MOST_LINES) end
  return (#lines > 1 and "lines " or "line ") .. strings.list(words)
end


--- Returns the name of the tool that a call means; nil: it is an offered one.
local function not_offered(offer, called)
  if called.way == "name" then return not offer.known[called.name] and called.name or nil end
  if offer.attributes[called.name] then return nil end
  for _, tool in ipairs(engine.tools()) do
    if identifier(tool.name) == called.name then return tool.name end
  end
  return called.name
end


--- Returns a sentence about each tool that the code calls and was not offered, and about calls that cannot be told.
---@param offer generating.Offer
---@param calls generating.Called[]
---@return string[]
function M.judge(offer, calls)
  local lines, order, computed = {}, {}, {}
  for _, called in ipairs(calls) do
    local by_name = called.name ~= nil and called.name ~= json.null
    local name = by_name and not_offered(offer, called)
    local list = name and lines[name] or not by_name and computed
    if name and not list then
      list, order[#order + 1] = {}, name
      lines[name] = list
    end
    if list and list[#list] ~= called.line then list[#list + 1] = called.line end
  end
  local said = {}
  for i, name in ipairs(order) do
    local exists = engine.tool(name) ~= nil
    said[i] = ("It calls %s in %s, which %s."):format(name, at(lines[name]), exists and "was not offered"
      or "does not exist" .. nearest.question(name, all_names(), "; "):gsub("%?$", ""))
  end
  if #computed > 0 then
    said[#said + 1] = ("It computes the names of tools in %s: which they are is not known."):format(at(computed))
  end
  return said
end


return M
