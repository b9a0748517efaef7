--- One tool's reference, for clients that show documents beside a call, and for tools that are not listed.

local engine     = require "sys.engine"
local json       = require "sys.json"
local parameters = require "cli.parameters"


---@param tool sys.engine.Tool
---@return string
local function page(tool)
  local lines = { "# " .. (tool.title or tool.name), "", tool.description, "",
    ("Tool `%s` of the toolset %s."):format(tool.name, tool.toolset), "" }
  local function add(line) lines[#lines + 1] = line end
  for _, row in ipairs(parameters.rows(tool.inputSchema)) do
    local about = table.concat({ row.type, table.unpack(row.about) }, ", ")
    add(("- `%s` (%s): %s"):format(row.name, about, row.description))
  end
  add ""
  add "```json"
  add(json.encode(tool.inputSchema))
  add "```"
  return table.concat(lines, "\n") .. "\n"
end


---@type Resource
return {
  uriTemplate = "perigee://tools/{name}",
  title       = "Tool reference",
  description = "One tool's description and parameters as Markdown, even if the tool is not listed.",
  mimeType    = "text/markdown",

  read = function(_, params)
    local tool = engine.tool(params.name)
    if not tool then return nil, ("There is no tool %q."):format(params.name), "not_found" end
    return page(tool)
  end,

  complete = {
    name = function(value)
      local names = {}
      for _, tool in ipairs(engine.tools()) do
        if tool.name:lower():find(value:lower(), 1, true) then names[#names + 1] = tool.name end
      end
      return names
    end,
  },

  examples = {
    { "has the parameters",
      uri   = "perigee://tools/dice",
      given = { ["sys.engine.tool"] = { name = "dice", toolset = "mine", description = "Roll some dice.",
        inputSchema = { type = "object", properties = { count = { type = "integer", description = "How many." } } } } },
      has   = { "# dice", "Roll some dice.", "`count`", "How many." } },
    { "reports that there is no such tool",
      uri   = "perigee://tools/no",
      given = { ["sys.engine.tool"] = { n = 0 } },
      err   = 'There is no tool "no".', code = "not_found" },
  },
}
