--- `perigee mcp`: the client for people.

local connection = require "cli.connection"
local json       = require "sys.json"
local parameters = require "cli.parameters"
local status     = require "cli.status"
local text       = require "cli.text"
local time       = require "sys.time"

local M = {}

local OK, FAILED, USAGE, TOOL = status.OK, status.FAILED, status.USAGE, status.TOOL
local stop, usage, need = status.stop, status.usage, status.need
local COLUMN = 32  -- longer names do not push the descriptions further right


---@class cli.mcp.Options
---@field words       string[]  the verb, the server, and what follows
---@field command     string[]  what followed "--"
---@field headers     string[]  "Name: value"
---@field config      string    the file with mcpServers
---@field args?       string
---@field output?     string
---@field token?      string
---@field ca_file?    string    certificates to trust instead of the system's
---@field era?        string
---@field timeout?    number
---@field json        boolean
---@field yes         boolean
---@field task        boolean   calls run as tasks
---@field verbose     boolean
---@field colour      boolean
---@field interactive boolean
---@field width?      integer
---@field arguments   fun(schema: string, words: string[], base?: string): string?, string?
---@field complain    fun(text: string, plain?: boolean)
---@field nearest     fun(wanted: string, names: string[]): string  "; did you mean a or b?", or ""
---@field progress    fun(done?: number, total?: number, message?: string)
---@field render      fun(result: string)
---@field save        fun(result: string, path: string): true?, string?


-- --- what is said ---------------------------------------------------------------------

local function print_json(value)
  print(need(json.encode(value)))
end


--- Rows of a name and what it is.
local function print_rows(options, rows)
  local width = 0
  for _, row in ipairs(rows) do width = math.max(width, math.min(text.width(row[1]), COLUMN)) end
  for _, row in ipairs(rows) do
    local used = 4 + math.max(width, text.width(row[1]))
    local about = text.cut(text.summary(row[2] or ""), options.width and options.width - used)
    print(("  %s  %s"):format(text.paint(options.colour, "cyan", text.pad(row[1], math.max(width, text.width(row[1])))),
      about):gsub("%s+$", "") .. "")
  end
end


local function heading(options, words)
  print(text.paint(options.colour, "bold", words))
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


local verbs = {}


function verbs.list(options, words)
  local client <close> = connection.open(options, words)
  local only, found, first = words[1], {}, true
  local all = not only or only == "all"
  local any = false
  for _, list in ipairs(LISTS) do
    local kind, method, row, capability = table.unpack(list)
    if only == kind or all and client.capabilities[capability or kind] then
      any = true
      -- A server that says it has resources need not know templates.
      local items, err, code = client[method](client)
      if not items and not (all and code == "rpc_error") then need(nil, err, code) end
      items = without_order(items or {})
      if options.json then
        found[kind] = json.array(items)
      elseif #items > 0 or not all then
        if not first then print() end
        first = false
        if all then heading(options, kind) end
        local rows = {}
        for i, item in ipairs(items) do rows[i] = row(item) end
        print_rows(options, rows)
      end
    end
  end
  if not any and not all then usage("%q cannot be listed: tools, prompts, resources or templates", only) end
  if options.json then print_json(all and found or found[only]) end
  return OK
end


function verbs.info(options, words)
  local client <close> = connection.open(options, words)
  if options.json then
    print_json { server = client.server, era = client.era, version = client.version,
                 capabilities = client.capabilities, instructions = client.instructions }
    return OK
  end
  local server = client.server
  heading(options, ("%s %s"):format(server.title or server.name or "(no name)", server.version or ""))
  print(("  %-14s%s (%s)"):format("protocol", client.version, client.era))
  local names = {}
  for name in pairs(client.capabilities) do names[#names + 1] = name end
  table.sort(names)
  print(("  %-14s%s"):format("capabilities", #names > 0 and text.clean(table.concat(names, ", ")) or "none are told"))
  if client.instructions then
    print()
    for _, line in ipairs(text.wrap(client.instructions, options.width or 100)) do print(line) end
  end
  return OK
end


-- --- tools ----------------------------------------------------------------------------

local function names_of(items)
  local names = {}
  for i, item in ipairs(items) do names[i] = item.name end
  return names
end


local function find(options, items, kind, name)
  for _, item in ipairs(items) do
    if item.name == name then return item end
  end
  stop(USAGE, "the server has no %s %q%s", kind, name, options.nearest(name, names_of(items)))
end


local function find_tool(options, client, name)
  if not name then usage "which tool? `perigee mcp list SERVER tools` lists them" end
  return find(options, need(client:list_tools()), "tool", name)
end


--- A prompt's arguments as a schema: texts.
local function prompt_schema(prompt)
  local properties, order, required = {}, {}, {}
  for i, argument in ipairs(prompt.arguments or {}) do
    properties[argument.name] = { type = "string", description = argument.description }
    order[i] = argument.name
    if argument.required then required[#required + 1] = argument.name end
  end
  return { type = "object", properties = json.object(properties), required = json.array(required) }, order
end


--- A tool or, where no tool has this name, a prompt.
local function find_either(options, client, name)
  if not name then usage "which tool or prompt? `perigee mcp list SERVER` lists them" end
  local capabilities, tools, prompts = client.capabilities, {}, {}
  if capabilities.tools or not capabilities.prompts then tools = need(client:list_tools()) end
  if capabilities.prompts then prompts = need(client:list_prompts()) end
  local item = find(options, table.move(prompts, 1, #prompts, #tools + 1, tools), "tool or prompt", name)
  if item.inputSchema then return item, item.inputSchema, item.parameter_order end
  return item, prompt_schema(item)
end


function verbs.show(options, words)
  local client <close> = connection.open(options, words)
  local item, schema, order = find_either(options, client, words[1])
  if options.json then
    item.parameter_order = nil
    print_json(item)
    return OK
  end
  heading(options, item.name .. (item.title and " - " .. item.title or ""))
  for _, line in ipairs(text.wrap(item.description or "", options.width or 100)) do print(line) end
  print()
  local rows = parameters.rows(schema, order)
  heading(options, #rows == 0 and "No parameters" or "Parameters")
  for _, row in ipairs(rows) do
    print(("  %s  %s"):format(text.paint(options.colour, "cyan", row.name),
      text.clean(table.concat({ row.type, table.unpack(row.about) }, ", "))))
    for _, line in ipairs(text.wrap(row.description, (options.width or 100) - 6)) do
      if line ~= "" then print("      " .. line) end
    end
  end
  return OK
end


--- Ends where a word names what the schema does not have. Only --args hands on what is not declared.
local function check_names(options, schema, words)
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
      local near = options.nearest(key, names)
      stop(USAGE, "there is no parameter %q%s", key, near ~= "" and near or "; there are " .. table.concat(names, ", "))
    end
  end
end


local function read_arguments(options, schema, words)
  check_names(options, schema, words)
  local arguments, err = options.arguments(need(json.encode(schema)), words, options.args)
  if not arguments then stop(USAGE, "%s", err) end
  return json.decode(arguments)
end


--- Prints a tool's result; its exit status.
local function show_result(options, result)
  local said = result.text
  result.text = nil
  local encoded = need(json.encode(result))
  if options.json then print(encoded) end
  if result.isError then
    options.complain(said ~= "" and said or "the tool failed and did not say why", true)
    return TOOL
  end
  if options.output then
    local ok, err = options.save(encoded, options.output)
    if not ok then stop(FAILED, "%s", err) end
  elseif not options.json then
    options.render(encoded)
  end
  return OK
end


--- For a call as a task, where it is asked for or the tool runs in no other way; what the task is at is shown.
local function task_options(options, tool)
  local needs = type(tool.execution) == "table" and tool.execution.taskSupport == "required"
  if not options.task and not needs then return nil end
  local begun = time.monotonic()
  return {
    status = function(word, message)
      options.progress(math.floor(time.monotonic() - begun), nil, "s " .. word .. (message and ": " .. message or ""))
    end,
  }
end


function verbs.call(options, words)
  local client <close> = connection.open(options, words)
  local tool = find_tool(options, client, table.remove(words, 1))
  local arguments = read_arguments(options, tool.inputSchema, words)
  local result, err, code = client:call(tool.name, arguments,
    { timeout = options.timeout, progress = options.progress, task = task_options(options, tool) })
  options.progress()
  return show_result(options, need(result, err, code))
end


-- --- resources, prompts ---------------------------------------------------------------

function verbs.read(options, words)
  local client <close> = connection.open(options, words)
  local uri = words[1] or usage "which resource? `perigee mcp list SERVER resources` lists them"
  local result = need(client:read(uri))
  if options.json then
    print_json(result)
    return OK
  end
  local blocks = {}
  for i, part in ipairs(result.contents or {}) do blocks[i] = { type = "resource", resource = part } end
  local encoded = need(json.encode { content = json.array(blocks) })
  if options.output then
    local ok, err = options.save(encoded, options.output)
    if not ok then stop(FAILED, "%s", err) end
  else
    for _, part in ipairs(result.contents or {}) do
      local block = part.text and { type = "text", text = part.text } or { type = "resource", resource = part }
      options.render(need(json.encode { content = json.array { block } }))
    end
  end
  return OK
end


--- Ends where a prompt lacks what it needs: servers say that in many ways, few of them short.
local function check_needed(prompt, arguments)
  local missing = {}
  for _, argument in ipairs(prompt.arguments or {}) do
    if argument.required and arguments[argument.name] == nil then
      local about = argument.description and " (" .. text.summary(argument.description):gsub("%.$", "") .. ")" or ""
      missing[#missing + 1] = argument.name .. "=..." .. about
    end
  end
  if #missing > 0 then stop(USAGE, "%s needs %s", prompt.name, table.concat(missing, ", ")) end
end


function verbs.prompt(options, words)
  local client <close> = connection.open(options, words)
  local name = table.remove(words, 1) or usage "which prompt? `perigee mcp list SERVER prompts` lists them"
  local prompt = find(options, need(client:list_prompts()), "prompt", name)
  local arguments = read_arguments(options, prompt_schema(prompt), words)
  check_needed(prompt, arguments)
  local result = need(client:get_prompt(name, arguments))
  if options.json then
    print_json(result)
    return OK
  end
  for i, message in ipairs(result.messages or {}) do
    if i > 1 then print() end
    heading(options, message.role .. ":")
    local content = message.content
    options.render(need(json.encode { content = json.array(content[1] and content or { content }) }))
  end
  return OK
end


function verbs.complete(options, words)
  local client <close> = connection.open(options, words)
  local kind, name, argument, value = table.unpack(words)
  if kind ~= "prompt" and kind ~= "resource" or not argument then
    usage "complete SERVER prompt|resource NAME ARGUMENT [VALUE]"
  end
  local completion = need(client:complete({ [kind] = name }, argument, value or ""))
  if options.json then
    print_json(completion)
    return OK
  end
  for _, each in ipairs(completion.values or {}) do print(text.clean(each)) end
  if completion.hasMore then print(("... (%s in all)"):format(completion.total or "more")) end
  return OK
end


-- --- the rest -------------------------------------------------------------------------

function verbs.ping(options, words)
  local client <close> = connection.open(options, words)
  local before = time.monotonic()
  need(client:ping())
  print(("%s answered in %.1f ms"):format(text.clean(client.server.name or "the server"), (time.monotonic() - before) * 1000))
  return OK
end


function verbs.watch(options, words)
  local function tell(what, detail)
    if options.json then
      print_json { time = time.iso(), event = what, detail = detail }
    else
      print(text.clean(("%s  %s%s"):format(time.iso():sub(12, 19), what, detail and "  " .. detail or "")))
    end
  end
  local client <close> = connection.open(options, words, {
    changed      = function(what) tell("changed", what) end,
    updated      = function(uri) tell("updated", uri) end,
    log          = function(line) tell("log", line) end,
    notification = function(method, params) tell(method, params and json.encode(params)) end,
  })
  for _, uri in ipairs(words) do need(client:subscribe(uri)) end
  if client.capabilities.logging then client:log_level(options.verbose and "debug" or "info") end
  local why = client:wait()
  stop(FAILED, "%s", why)
end


function verbs.servers(options)
  local specs, why = connection.known(options)
  local names = connection.names(specs)
  if options.json then
    local list = {}
    for i, name in ipairs(names) do
      local spec = specs[name]
      list[i] = { name = name, command = spec.command, args = spec.args and json.array(spec.args), url = spec.url,
                  problem = spec.problem }
    end
    print_json(json.array(list))
    return OK
  end
  if #names == 0 then
    print((why or options.config .. " names no server") .. [[.

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
  print_rows(options, rows)
  return OK
end


---@param options cli.mcp.Options
---@return integer status
function M.run(options)
  local words = options.words
  local verb = table.remove(words, 1) or "servers"
  if not verbs[verb] then
    local names = {}
    for name in pairs(verbs) do names[#names + 1] = name end
    table.sort(names)
    local near = options.nearest(verb, names)
    options.complain(("there is no %q%s\n`perigee help mcp` shows how it is used."):format(verb,
      near ~= "" and near or "; there are " .. table.concat(names, ", ")))
    return USAGE
  end
  return status.caught(options.complain, verbs[verb], options, words)
end


return M
