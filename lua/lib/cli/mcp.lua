--- The subcommands of `perigee mcp`, the MCP client for people. Each is called with the command's args and io, and returns its
-- exit status.

local arguments  = require "cli.arguments"
local connection = require "cli.connection"
local json       = require "sys.json"
local nearest    = require "nearest"
local parameters = require "cli.parameters"
local results    = require "cli.result"
local status     = require "cli.status"
local text       = require "terminal.text"
local time       = require "sys.time"

local M = {}

local FAILED = status.FAILED
local stop, usage, need = status.stop, status.usage, status.need
local COLUMN = 32  -- longer names do not push the descriptions further right


-- --- output ---------------------------------------------------------------------------

--- Prints rows of a name and its description.
local function print_rows(io, rows)
  local width = 0
  for _, row in ipairs(rows) do width = math.max(width, math.min(text.width(row[1]), COLUMN)) end
  for _, row in ipairs(rows) do
    local used = 4 + math.max(width, text.width(row[1]))
    local about = text.cut(text.summary(row[2] or ""), io.width and io.width - used)
    io:print(("  %s  %s"):format(text.paint(io.color, "cyan", text.pad(row[1], math.max(width, text.width(row[1])))),
      about):gsub("%s+$", "") .. "")
  end
end


local function heading(io, words)
  io:print(text.paint(io.color, "bold", words))
end


-- --- lists ----------------------------------------------------------------------------

local LISTS = {
  { "tools", "list_tools", function(item) return { item.name, item.description or item.title } end },
  { "prompts", "list_prompts", function(item) return { item.name, item.description or item.title } end },
  { "resources", "list_resources", function(item) return { item.uri, item.description or item.title or item.name } end,
    "resources" },
  { "templates", "list_templates",
    function(item) return { item.uriTemplate, item.description or item.title or item.name } end, "resources" },
}


local function without_order(tools)
  for _, tool in ipairs(tools) do tool.parameter_order = nil end
  return tools
end


--- Returns what the server lists, of one kind or of all: a table of lists by kind.
---@param client sys.mcp.Client
---@param only? string
---@return table<string, table[]>
function M.lists(client, only)
  local found = {}
  for _, list in ipairs(LISTS) do
    local kind, method, _, capability = table.unpack(list)
    if only == kind or not only and client.capabilities[capability or kind] then
      -- A server that has resources need not know templates.
      local items, err, code = client[method](client)
      if not items and (only or code ~= "rpc_error") then need(nil, err, code) end
      found[kind] = without_order(items or {})
    end
  end
  return found
end


--- Prints lists, each under its kind.
---@param found table<string, table[]>
---@param io perigee.IO
---@param plain? boolean  true: without headings, even if a list is empty
function M.print_lists(found, io, plain)
  local first = true
  for _, list in ipairs(LISTS) do
    local items = found[list[1]]
    if items and (#items > 0 or plain) then
      if not first then io:print "" end
      if not plain then heading(io, list[1]) end
      first = false
      local rows = {}
      for i, item in ipairs(items) do rows[i] = list[3](item) end
      print_rows(io, rows)
    end
  end
end


function M.list(args, io)
  local client <close> = connection.open(args, io)
  local only = args.kind ~= "all" and args.kind or nil
  local found = M.lists(client, only)
  if args.json then
    for kind, items in pairs(found) do found[kind] = json.array(items) end
    io:json(only and found[only] or found)
  else
    M.print_lists(found, io, only ~= nil)
  end
  return 0
end


--- Prints what a server says about itself.
---@param client sys.mcp.Client
---@param io perigee.IO
function M.print_info(client, io)
  local server = client.server
  heading(io, ("%s %s"):format(server.title or server.name or "(no name)", server.version or ""))
  io:print(("  %-14s%s (%s)"):format("protocol", client.version, client.era))
  local names = {}
  for name in pairs(client.capabilities) do names[#names + 1] = name end
  table.sort(names)
  io:print(("  %-14s%s"):format("capabilities", #names > 0 and text.clean(table.concat(names, ", ")) or "none are told"))
  if client.instructions then
    io:print ""
    for _, line in ipairs(text.wrap(client.instructions, io.width or 100)) do io:print(line) end
  end
end


function M.info(args, io)
  local client <close> = connection.open(args, io)
  if args.json then
    io:json { server = client.server, era = client.era, version = client.version,
                 capabilities = client.capabilities, instructions = client.instructions }
  else
    M.print_info(client, io)
  end
  return 0
end


-- --- tools ----------------------------------------------------------------------------

local function names_of(items)
  local names = {}
  for i, item in ipairs(items) do names[i] = item.name end
  return names
end


local function find(items, kind, name)
  for _, item in ipairs(items) do
    if item.name == name then return item end
  end
  usage("the server has no %s %q%s", kind, name, nearest.question(name, names_of(items), "; "))
end


--- The arguments of a prompt as a schema: each is a string.
local function prompt_schema(prompt)
  local properties, order, required = {}, {}, {}
  for i, argument in ipairs(prompt.arguments or {}) do
    properties[argument.name] = { type = "string", description = argument.description }
    order[i] = argument.name
    if argument.required then required[#required + 1] = argument.name end
  end
  return { type = "object", properties = json.object(properties), required = json.array(required) }, order
end


--- Finds a tool of this name, otherwise a prompt.
local function find_either(client, name)
  local capabilities, tools, prompts = client.capabilities, {}, {}
  if capabilities.tools or not capabilities.prompts then tools = need(client:list_tools()) end
  if capabilities.prompts then prompts = need(client:list_prompts()) end
  local item = find(table.move(prompts, 1, #prompts, #tools + 1, tools), "tool or prompt", name)
  if item.inputSchema then return item, item.inputSchema, item.parameter_order end
  return item, prompt_schema(item)
end


function M.show(args, io)
  local client <close> = connection.open(args, io)
  local item, schema, order = find_either(client, args.name)
  if args.json then
    item.parameter_order = nil
    io:json(item)
    return 0
  end
  heading(io, item.name .. (item.title and " - " .. item.title or ""))
  for _, line in ipairs(text.wrap(item.description or "", io.width or 100)) do io:print(line) end
  io:print ""
  local rows = parameters.rows(schema, order)
  heading(io, #rows == 0 and "No parameters" or "Parameters")
  for _, row in ipairs(rows) do
    io:print(("  %s  %s"):format(text.paint(io.color, "cyan", row.name),
      text.clean(table.concat({ row.type, table.unpack(row.about) }, ", "))))
    for _, line in ipairs(text.wrap(row.description, (io.width or 100) - 6)) do
      if line ~= "" then io:print("      " .. line) end
    end
  end
  return 0
end


--- Ends with a message if a word names a parameter that the schema does not have. Only --args passes on undeclared ones.
local function check_names(schema, words)
  local properties = type(schema) == "table" and schema.properties
  if type(properties) ~= "table" or not next(properties) or schema.additionalProperties or schema.patternProperties
    or schema.allOf or schema.anyOf or schema.oneOf or schema["$ref"] then
    return
  end
  local names = {}
  for name in pairs(properties) do names[#names + 1] = name end
  table.sort(names)
  for _, word in ipairs(words) do
    local key = word:match "^([^=]-):?="
    if key and key ~= "" and not properties[key] and not properties[key:match "^[^.]*"] then
      local near = nearest.question(key, names, "; ")
      usage("there is no parameter %q%s", key, near ~= "" and near or "; there are " .. table.concat(names, ", "))
    end
  end
end


local function read_arguments(args, schema, io)
  check_names(schema, args.arguments)
  local given, err = arguments.read(schema, args.arguments, args.args, io)
  if not given then usage("%s", err) end
  return given
end


--- The options for a call as a task, if the user asked for one or the tool runs in no other way. The task's state is shown.
local function task_options(args, tool, io)
  local needs = type(tool.execution) == "table" and tool.execution.taskSupport == "required"
  if not args.task and not needs then return nil end
  local begun = time.monotonic()
  return {
    status = function(word, message)
      io:progress(math.floor(time.monotonic() - begun), nil, "s " .. word .. (message and ": " .. message or ""))
    end,
  }
end


--- The result of a call that is not made.
local function told(tool, given)
  local shown = json.encode(json.object(given))
  return { content = { { type = "text", text = ("Dry run: would call %s with %s."):format(tool.name, shown) } } }
end


function M.call(args, io)
  local client <close> = connection.open(args, io)
  local tool = find(need(client:list_tools()), "tool", args.tool)
  local given = read_arguments(args, tool.inputSchema, io)
  if io.dry_run and not (tool.annotations or {}).readOnlyHint then
    return need(results.show(told(tool, given), args, io))
  end
  local result, err, code = client:call(tool.name, given, {
    timeout = args.timeout, task = task_options(args, tool, io),
    progress = function(...) io:progress(...) end,
  })
  io:progress()
  return need(results.show(need(result, err, code), args, io))
end


-- --- resources, prompts ---------------------------------------------------------------

function M.read(args, io)
  local client <close> = connection.open(args, io)
  local result = need(client:read(args.uri))
  if args.json then
    io:json(result)
    return 0
  end
  local blocks = {}
  for i, part in ipairs(result.contents or {}) do
    blocks[i] = part.text and { type = "text", text = part.text } or { type = "resource", resource = part }
  end
  if args.output then
    need(results.save({ content = blocks }, args.output, io))
  else
    results.render({ content = blocks }, io)
  end
  return 0
end


--- Ends with a message if a required argument of a prompt is missing: servers say that in many ways, few of them short.
local function check_needed(prompt, given)
  local missing = {}
  for _, argument in ipairs(prompt.arguments or {}) do
    if argument.required and given[argument.name] == nil then
      local about = argument.description and " (" .. text.summary(argument.description):gsub("%.$", "") .. ")" or ""
      missing[#missing + 1] = argument.name .. "=..." .. about
    end
  end
  if #missing > 0 then usage("%s needs %s", prompt.name, table.concat(missing, ", ")) end
end


function M.prompt(args, io)
  local client <close> = connection.open(args, io)
  local prompt = find(need(client:list_prompts()), "prompt", args.name)
  local given = read_arguments(args, (prompt_schema(prompt)), io)
  check_needed(prompt, given)
  local result = need(client:get_prompt(prompt.name, given))
  if args.json then
    io:json(result)
    return 0
  end
  for i, message in ipairs(result.messages or {}) do
    if i > 1 then io:print "" end
    heading(io, message.role .. ":")
    local content = message.content
    results.render({ content = content[1] and content or { content } }, io)
  end
  return 0
end


function M.complete(args, io)
  local client <close> = connection.open(args, io)
  local completion = need(client:complete({ [args.kind] = args.name }, args.argument, args.value or ""))
  if args.json then
    io:json(completion)
    return 0
  end
  for _, each in ipairs(completion.values or {}) do io:print(text.clean(each)) end
  if completion.hasMore then io:print(("... (%s in all)"):format(completion.total or "more")) end
  return 0
end


-- --- the rest -------------------------------------------------------------------------

function M.ping(args, io)
  local client <close> = connection.open(args, io)
  local before = time.monotonic()
  need(client:ping())
  local took = (time.monotonic() - before) * 1000
  if args.json then
    io:json { server = client.server.name, milliseconds = took }
  else
    io:print(("%s answered in %.1f ms"):format(text.clean(client.server.name or "the server"), took))
  end
  return 0
end


function M.watch(args, io)
  local function tell(what, detail)
    if args.json then
      io:json { time = time.iso(), event = what, detail = detail }
    else
      io:print(text.clean(("%s  %s%s"):format(time.iso():sub(12, 19), what, detail and "  " .. detail or "")))
    end
  end
  local client <close> = connection.open(args, io, {
    changed      = function(what) tell("changed", what) end,
    updated      = function(uri) tell("updated", uri) end,
    log          = function(line) tell("log", line) end,
    notification = function(method, params) tell(method, params and json.encode(params)) end,
  })
  for _, uri in ipairs(args.uris) do need(client:subscribe(uri)) end
  if client.capabilities.logging then client:log_level(args.verbose and "debug" or "info") end
  local why = client:wait()
  stop(FAILED, "%s", why)
end


function M.servers(args, io)
  local specs, why = connection.known(io.config)
  local names = connection.names(specs)
  if args.json then
    local list = {}
    for i, name in ipairs(names) do
      local spec = specs[name]
      list[i] = { name = name, command = spec.command, args = spec.args and json.array(spec.args), url = spec.url,
                  problem = spec.problem }
    end
    io:json(json.array(list))
    return 0
  end
  if #names == 0 then
    io:print((why or io.config .. " names no server") .. [[.

It has what other clients have under "mcpServers":
  { "mcpServers": { "fs": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."] },
                    "far": { "url": "https://mcp.example.com/mcp" } } }
Without it give a URL, or -- and a command:
  perigee mcp list https://mcp.example.com/mcp
  perigee mcp list -- npx -y @modelcontextprotocol/server-everything]])
  end
  local rows = {}
  for i, name in ipairs(names) do
    local spec = specs[name]
    rows[i] = { name, spec.problem or spec.url or table.concat({ spec.command, table.unpack(spec.args or {}) }, " ") }
  end
  print_rows(io, rows)
  return 0
end


return M
