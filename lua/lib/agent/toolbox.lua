--- The tools of a run: those of an MCP server, of the servers that it mounts for the agent, or of a recorded run.

local images  = require "agent.images"
local json    = require "sys.json"
local mounted = require "agent.mounted"
local mcp     = require "sys.mcp"
local oauth   = require "oauth"
local strings = require "agent.strings"
local tape    = require "agent.tape"
local time    = require "sys.time"

---@class agent.Toolbox
---@field tools   agent.Tool[]
---@field servers {name: string, version?: string, protocol?: string}[]
---@field images  integer   the number of images that its tools returned so far

---@class agent.Answer
---@field text string
---@field failed boolean
---@field structured? any  its structured content
---@field elapsed? number
---@field images? agent.RawImage[]
---@field shows? table  arguments to read the elements of the screenshots, if that is possible
local toolbox = {}
toolbox.__index = toolbox

local PATIENCE = 180  -- seconds for an answer, if a server's spec has no limit: programs take long to start

--- Returns a result as text that a model and a log can read, and its images.
---@param result sys.mcp.CallResult
---@param number? integer  the number of the run's images so far
---@return string text
---@return boolean failed
---@return agent.RawImage[]? images
function toolbox.text_of(result, number)
  local parts, seen = {}, {}
  for _, block in ipairs(result.content or {}) do
    if block.type == "text" then
      parts[#parts + 1] = block.text
    elseif block.type == "resource" and type(block.resource) == "table" then
      parts[#parts + 1] = block.resource.text or ("[resource: %s]"):format(block.resource.uri or "?")
    elseif block.type == "resource_link" then
      parts[#parts + 1] = ("[resource: %s]"):format(block.uri or "?")
    elseif block.type == "image" and type(block.data) == "string" then
      local place = images.place((number or 0) + #seen + 1, block.mimeType or "?")
      seen[#seen + 1] = { data = block.data, mime_type = block.mimeType, place = place, number = (number or 0) + #seen + 1 }
      parts[#parts + 1] = place
    else
      parts[#parts + 1] = ("[%s: %s, %d bytes of base64]")
        :format(block.type or "?", block.mimeType or "?", #(type(block.data) == "string" and block.data or ""))
    end
  end
  local text = table.concat(parts, "\n")
  if result.structuredContent ~= nil and not text:find "%S" then text = json.encode(result.structuredContent) end
  local error_text = text:find "^ERROR:" ~= nil
  if result.isError and not error_text then text = "ERROR: " .. text end
  return text, result.isError == true or error_text, seen[1] and seen or nil
end


local function start(spec, on_line, elicit)
  local own = {}
  for key, value in pairs(spec) do own[key] = value end
  own.log, own.timeout, own.mounted = on_line, own.timeout or PATIENCE, nil
  own.client, own.elicit = "perigee-agent", elicit
  local client, err, code = mcp.connect(oauth.equip(own))
  if not client then return nil, err, code end
  local tools
  tools, err, code = client:list_tools()
  if tools then return client, tools end
  client:close()
  return nil, err, code
end


--- Adds the tools, those of mounted servers under the names that their servers give them. If two servers have a tool of the
--- same name, the later one gets its server's name in front.
---@param listed sys.mcp.Tool[]
---@param servers? string[]  the mounted servers, if there are no others
local function add_tools(self, listed, servers)
  for _, each in ipairs(listed) do
    local tool = {}
    for key, value in pairs(each) do tool[key] = value end
    if servers then tool.name, tool.server = mounted.split(each.name, servers) end
    if self.homes[tool.name] then tool.name = each.name end
    self.homes[tool.name] = { name = each.name, server = tool.server }
    self.tools[#self.tools + 1] = tool
  end
end


--- Starts the server and lists its tools.
---@param options agent.Options
---@param on_line fun(line: string)  gets the lines of its stderr
---@return agent.Toolbox?
---@return string? err
---@return string? code
function toolbox.open(options, on_line)
  if not options.server then
    return nil, "There is no server to get tools from. Pass --server or --servers.", "no_server"
  end
  local client, tools, code = start(options.server, on_line, options.elicit)
  if not client then return nil, ("The server did not start: %s"):format(tools), code end
  local about = client.server or {}
  local self = setmetatable({ tools = {}, homes = {}, client = client, images = 0 }, toolbox)
  self.servers = { { name = about.name or "server", version = about.version, protocol = client.version } }
  self.mounted = options.server.mounted or {}
  add_tools(self, tools, options.server.mounted)
  return self
end


-- The members of a described tool that a list has.
local LISTED = { "title", "description", "inputSchema", "outputSchema", "annotations", "_meta" }


--- Returns a tool that the server does not list, as it describes it; nil if it cannot, or has none of this name.
local function described(self, name)
  local home = self.homes.describe_tool
  if not home or home.server then return nil end
  local result = self.client:call(home.name, { name = name }, {})
  local told = result and not result.isError and result.structuredContent
  if type(told) ~= "table" or told.name ~= name or type(told.inputSchema) ~= "table" then return nil end
  local tool = { name = name }
  for _, key in ipairs(LISTED) do tool[key] = told[key] end
  return tool
end


--- Adds those of these tools that the server has and does not list: an engine lists only what most tasks need.
---@param names string[]
---@return string[] missing  the names of those that it does not have
function toolbox:add_named(names)
  local missing = {}
  for _, name in ipairs(self.recorded and {} or names) do
    local tool = not self.homes[name] and described(self, name)
    if tool then
      add_tools(self, { tool })
    elseif not self.homes[name] then
      missing[#missing + 1] = name
    end
  end
  return missing
end


--- Returns the mounted servers that list no tools.
---@return string[]
function toolbox:silent()
  local silent, lists = {}, {}
  for _, tool in ipairs(self.tools) do lists[tool.server or ""] = true end
  for _, name in ipairs(self.mounted) do
    if not lists[name] then silent[#silent + 1] = name end
  end
  return silent
end


--- Returns the tools of a recorded run, which answer as they did then.
---@param recorded agent.Tape
---@return agent.Toolbox
function toolbox.replay(recorded)
  return setmetatable({
    tools = recorded.start.tools or {}, servers = recorded.start.servers or {}, homes = {}, mounted = {}, images = 0,
    recorded = recorded,
  }, toolbox)
end


local function failure_text(call, err, code)
  if code == "timeout" then return ("ERROR: %s did not respond in time: %s"):format(call.tool, err) end
  return "ERROR: " .. err
end


--- Calls a tool. A failure of the tool is an answer; nil means that no server is left to answer. The server is told the model's
--- id of the call: in later arguments, `@@ref_ID__PATH` stands for its result (docs/sessions.md).
---@param call {id?: string, tool: string, arguments: table, line: string}
---@param on_line fun(line: string)  gets the messages about its progress
---@return agent.Answer? answer
---@return string? err
---@return string? code
function toolbox:call(call, on_line)
  if self.recorded then return tape.answer(self.recorded, call) end
  local home, started = self.homes[call.tool], time.monotonic()
  local function progress(done, total, message)
    local share = total and ("%g/%g"):format(done, total) or ("%g"):format(done)
    on_line(("%s: %s%s"):format(call.tool, share, message and " " .. message or ""))
  end

  local arguments = next(call.arguments) ~= nil and call.arguments or json.object()   -- their order stays
  local params = { name = home.name, arguments = arguments, _meta = { ["perigee/callId"] = call.id } }
  local result, err, code = self.client:request("tools/call", params, { progress = progress })
  local elapsed = time.monotonic() - started
  if result then
    local text, failed, seen = toolbox.text_of(result, self.images)
    self.images = self.images + #(seen or {})
    return { text = text, failed = failed, structured = result.structuredContent, elapsed = elapsed, images = seen,
      shows = seen and self:reader(home.server) and images.shows(result, call.arguments) }
  end
  if code == "closed" or not self.client:running() then
    return nil, ("The server exited while it ran %s: %s"):format(strings.cut(call.line, 200), err), code or "closed"
  end
  return { text = failure_text(call, err, code), failed = true, elapsed = elapsed }
end


--- Returns the tool that reads the elements in a server's screenshots; nil if it has none.
---@param server? string  nil: the one that is not mounted
---@return {name: string, server?: string}?
function toolbox:reader(server)
  local home = self.homes.get_ui_tree
  return home and home.server == server and home or nil
end


--- Returns the elements in a screenshot as an outline; nil if they cannot be read.
---@param shows table  the arguments from images.shows()
---@return string?
function toolbox:outline(shows)
  local home = self.homes.get_ui_tree
  if not home then return nil end
  local result = self.client:call(home.name, shows, {})
  if not result then return nil end
  local text, failed = toolbox.text_of(result)
  return not failed and text or nil
end


function toolbox:close()
  if self.client then self.client:close() end
  self.client = nil
end


return toolbox
