--- The tools of a run: those of one MCP server, of several, or of a recorded run.

local images  = require "agent.images"
local json    = require "sys.json"
local mcp     = require "sys.mcp"
local oauth   = require "oauth"
local strings = require "agent.strings"
local tape    = require "agent.tape"
local task    = require "sys.task"
local time    = require "sys.time"

---@class agent.Toolbox
---@field tools   agent.Tool[]
---@field servers {name: string, version?: string, protocol?: string}[]
---@field notes   string[]  about servers that did not start
---@field images  integer   the number of images that its tools returned so far

---@class agent.Answer
---@field text string
---@field failed boolean
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
  if #parts == 0 and result.structuredContent ~= nil then parts[1] = json.encode(result.structuredContent) end
  local text = table.concat(parts, "\n")
  local error_text = text:find "^ERROR:" ~= nil
  if result.isError and not error_text then text = "ERROR: " .. text end
  return text, result.isError == true or error_text, seen[1] and seen or nil
end


--- Returns the specs of the servers of a run, by name.
local function specs_of(options)
  if not options.servers then
    if not options.server then return nil, "There is no server to get tools from. Pass --server or --servers.", "no_server" end
    return { server = options.server }
  end
  local specs, err, code = mcp.servers(options.servers)
  if not specs then return nil, err, code end
  if next(specs) == nil then return nil, options.servers .. " has no servers. Add one to mcpServers.", "no_server" end
  return specs
end


local function start(name, spec, on_line, elicit)
  local own = {}
  for key, value in pairs(spec) do own[key] = value end
  own.log, own.timeout = on_line, own.timeout or PATIENCE
  own.client, own.elicit = "perigee-agent", elicit
  local client, err, code = mcp.connect(oauth.equip(own))
  if not client then return { name = name, err = err, code = code } end
  local tools
  tools, err, code = client:list_tools()
  if not tools then
    client:close()
    return { name = name, err = err, code = code }
  end
  return { name = name, client = client, tools = tools }
end


--- Adds a server's tools. If two servers have a tool of the same name, the later one gets its server's name in front.
local function add_tools(self, server)
  for _, listed in ipairs(server.tools) do
    local tool = {}
    for key, value in pairs(listed) do tool[key] = value end
    if self.homes[tool.name] then tool.name = server.name .. "_" .. tool.name end
    if not self.homes[tool.name] then
      self.homes[tool.name] = { client = server.client, name = listed.name }
      tool.server = server.name
      self.tools[#self.tools + 1] = tool
    end
  end
end


--- Starts the servers and lists their tools. If one of several does not start, the others are used.
---@param options agent.Options
---@param on_line fun(line: string)  gets the lines of their stderr
---@return agent.Toolbox?
---@return string? err
---@return string? code
function toolbox.open(options, on_line)
  local specs, err, code = specs_of(options)
  if not specs then return nil, err, code end
  local names = {}
  for name in pairs(specs) do names[#names + 1] = name end
  table.sort(names)

  local self = setmetatable({ tools = {}, servers = {}, notes = {}, homes = {}, clients = {}, images = 0 }, toolbox)
  local broken
  for _, server in ipairs(task.map(names, function(name) return start(name, specs[name], on_line, options.elicit) end, 4)) do
    if server.client then
      self.clients[#self.clients + 1] = server.client
      local about = server.client.server or {}
      self.servers[#self.servers + 1] = { name = about.name or server.name, version = about.version,
        protocol = server.client.version }
      add_tools(self, server)
    else
      broken = broken or server
      self.notes[#self.notes + 1] = ("the server %s did not start: %s"):format(server.name, server.err)
    end
  end
  if #self.clients == 0 then
    return nil, ("The server did not start: %s"):format(broken.err), broken.code
  end
  return self
end


--- Returns the tools of a recorded run, which answer as they did then.
---@param recorded agent.Tape
---@return agent.Toolbox
function toolbox.replay(recorded)
  return setmetatable({
    tools = recorded.start.tools or {}, servers = recorded.start.servers or {}, notes = {}, homes = {}, clients = {},
    images = 0, recorded = recorded,
  }, toolbox)
end


local function failure_text(call, err, code)
  if code == "timeout" then return ("ERROR: %s did not respond in time: %s"):format(call.tool, err) end
  return "ERROR: " .. err
end


--- Calls a tool. A failure of the tool is an answer; nil means that no server is left to answer.
---@param call {tool: string, arguments: table, line: string}
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

  local result, err, code = home.client:call(home.name, call.arguments, { progress = progress })
  local elapsed = time.monotonic() - started
  if result then
    local text, failed, seen = toolbox.text_of(result, self.images)
    self.images = self.images + #(seen or {})
    return { text = text, failed = failed, elapsed = elapsed, images = seen,
      shows = seen and self:reader(home.client) and images.shows(result, call.arguments) }
  end
  if code == "closed" or not home.client:running() then
    return nil, ("The server exited while it ran %s: %s"):format(strings.cut(call.line, 200), err), code or "closed"
  end
  return { text = failure_text(call, err, code), failed = true, elapsed = elapsed }
end


--- Returns the tool that reads the elements in a server's screenshots; nil if it has none.
---@param client sys.mcp.Client
---@return {client: sys.mcp.Client, name: string}?
function toolbox:reader(client)
  local home = self.homes.get_ui_tree
  return home and home.client == client and home or nil
end


--- Returns the elements in a screenshot as an outline; nil if they cannot be read.
---@param shows table  the arguments from images.shows()
---@return string?
function toolbox:outline(shows)
  local home = self.homes.get_ui_tree
  if not home then return nil end
  local result = home.client:call(home.name, shows, {})
  if not result then return nil end
  local text, failed = toolbox.text_of(result)
  return not failed and text or nil
end


function toolbox:close()
  for _, client in ipairs(self.clients) do client:close() end
  self.clients = {}
end


return toolbox
