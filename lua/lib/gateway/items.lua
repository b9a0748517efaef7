--- The items of a mounted server in the form that the registry takes: tools, prompts, resources and templates with their
-- functions.
--
-- The gateway connects to the server: `reach(mount, call, fn)` passes the session to fn, or returns nil, text, code.

local json  = require "sys.json"
local log   = require "sys.log"
local rules = require "gateway.rules"
local uris  = require "gateway.uris"

local M = {}

local CALL    = 60    -- seconds for an answer, if no limit is given
local LONGEST = 600   -- seconds, the same with progress
local MOST    = 10000 -- the limit of items in one list

local INVALID_PARAMS, NOT_FOUND = -32602, -32002


--- Returns the time limit of an answer, in seconds.
---@param mount table
---@param rule? mounts.Rule
---@return number
function M.timeout(mount, rule)
  return rule and rule.timeout or mount.rules.timeout or mount.spec.timeout or CALL
end


--- Returns the time limit of a call that reports progress, in seconds.
---@param mount table
---@param rule? mounts.Rule
---@return number
function M.longest(mount, rule)
  return math.max(LONGEST, M.timeout(mount, rule))
end


local function options(mount, call, rule)
  return {
    timeout  = M.timeout(mount, rule),
    progress = function(done, total, message) call:progress(done, total, message) end,
  }
end


--- Cuts a list that is too long, and says so in the log.
local function cut(mount, list, what)
  if #list <= MOST then return list end
  log.warn(("%s has %d %s; only the first %d are mounted"):format(mount.name, #list, what, MOST))
  return table.move(list, 1, MOST, 1, {})
end


-- --- tools --------------------------------------------------------------------------

--- True if the tool runs only as a task (2025-11-25).
local function needs_task(definition)
  local execution = definition.execution
  return type(execution) == "table" and execution.taskSupport == "required"
end


--- Calls the server's tool and passes on its result.
local function call_tool(mount, reach, tool, rule, args, call)
  return reach(mount, call, function(client)
    local how = options(mount, call, rule)
    how.task = tool.task
    local result, err, code = client:call(tool.name, uris.arguments(mount.scheme, args), how)
    if not result then return nil, err, code end
    result.text = nil -- added by our client, not by the server
    uris.blocks(mount.scheme, result.content)
    return call:result(result)
  end)
end


local function tool_function(mount, reach, tool, rule)
  local function next_(args, call) return call_tool(mount, reach, tool, rule, args, call) end
  if not rule.run then return next_ end
  return function(args, call)
    return rule.run(args, call, function(changed)
      if changed ~= nil and type(changed) ~= "table" then
        return nil, ("lib/mounts/%s.lua: next() in the run of tools.%s needs a table of arguments, or nothing, not a %s")
          :format(mount.name, tool.name, type(changed)), "bad_argument"
      end
      return next_(changed or args, call)
    end)
  end
end


local function add_tools(items, mount, reach, list)
  for _, tool in ipairs(rules.apply(mount.name, list, mount.rules, mount.others())) do
    local rule = tool.rule
    items[#items + 1] = {
      list = "tools", at = tool.at, name = tool.name,
      run = tool_function(mount, reach, { name = tool.tool, task = needs_task(list[tool.at]) }, rule), rule = rule.run,
      timeout = M.longest(mount, rule), listed = rule.listed,
      title = rule.title, description = rule.description, annotations = rule.annotations,
    }
  end
end


-- --- completion ---------------------------------------------------------------------

--- Returns complete = { NAME = function } for each of the names; nil if the server completes nothing.
local function completers(mount, reach, reference, names)
  if not mount.can.completions then return end
  local complete = {}
  for _, name in ipairs(names) do
    complete[name] = function(value, given, call)
      return reach(mount, call, function(client)
        local found, err, code = client:complete(reference, name, uris.theirs(mount.scheme, value),
          uris.arguments(mount.scheme, given))
        if not found then return nil, err, code end
        local values = found.values or {}
        values.total = found.total
        return values
      end)
    end
  end
  return complete
end


-- --- prompts ------------------------------------------------------------------------

local function prompt_function(mount, reach, prompt)
  return function(args, call)
    return reach(mount, call, function(client)
      local result, err, code, _, number = client:get_prompt(prompt, uris.arguments(mount.scheme, args),
        options(mount, call))
      if not result then return nil, err, number == INVALID_PARAMS and "invalid_arguments" or code end
      for _, message in ipairs(type(result.messages) == "table" and result.messages or {}) do
        uris.block(mount.scheme, message.content)
      end
      return call:result(result)
    end)
  end
end


local function add_prompts(items, mount, reach, list)
  local prefix, others, taken = rules.prefix(mount.name, mount.rules), mount.others(), {}
  for _, prompt in ipairs(rules.shown(list, mount.rules.prompts, "name")) do
    local names = {}
    for _, argument in ipairs(type(prompt.item.arguments) == "table" and prompt.item.arguments or {}) do
      if type(argument.name) == "string" then names[#names + 1] = argument.name end
    end
    local name = rules.own_name(prefix, prompt.key, others, taken)
    taken[name] = true
    items[#items + 1] = {
      list = "prompts", at = prompt.at, name = name,
      run = prompt_function(mount, reach, prompt.key), timeout = M.longest(mount),
      complete = completers(mount, reach, { prompt = prompt.key }, names),
    }
  end
end


-- --- resources ----------------------------------------------------------------------

local function read_function(mount, reach)
  return function(uri, _, call)
    local theirs = uris.theirs(mount.scheme, uri)
    if not rules.shows(theirs, mount.rules.resources) then return nil, "the mount's rules hide it", "not_found" end
    return reach(mount, call, function(client)
      local result, err, code, _, number = client:read(theirs, options(mount, call))
      if not result then
        return nil, err, (number == NOT_FOUND or number == INVALID_PARAMS) and "not_found" or code
      end
      for _, content in ipairs(type(result.contents) == "table" and result.contents or {}) do
        if type(content.uri) == "string" then content.uri = uris.ours(mount.scheme, content.uri) end
      end
      return call:result(result)
    end)
  end
end


--- Adds resources and templates, and everything else with a URI of this mount: a server need not list what it links to.
local function add_resources(items, mount, reach, watch, resources, templates)
  if mount.rules.resources == false or #resources + #templates == 0 then return end
  local read, longest = read_function(mount, reach), M.longest(mount)
  local function follow(uri, _, call) return watch(mount, uris.theirs(mount.scheme, uri), call) end
  local watches = mount.can.subscribe and follow or nil
  for _, resource in ipairs(rules.shown(resources, mount.rules.resources, "uri")) do
    items[#items + 1] = {
      list = "resources", at = resource.at, uri = uris.ours(mount.scheme, resource.key),
      run = read, watch = watches, timeout = longest,
    }
  end
  for _, template in ipairs(rules.shown(templates, mount.rules.resources, "uriTemplate")) do
    items[#items + 1] = {
      list = "templates", at = template.at, uriTemplate = uris.ours(mount.scheme, template.key),
      run = read, watch = watches, timeout = longest,
      complete = completers(mount, reach, { resource = template.key }, uris.variables(template.key)),
    }
  end
  items[#items + 1] = {
    list = "templates", name = mount.name, uriTemplate = mount.scheme .. "+{+uri}", listed = false,
    run = read, watch = watches, timeout = longest,
  }
end


-- --- all of it ----------------------------------------------------------------------

--- Returns the items for sys.gateway.mount.
---@param mount table
---@param reach fun(mount: table, call: Call, fn: fun(client: sys.mcp.Client): any, string?, string?): any, string?, string?
---@param watch fun(mount: table, uri: string, call: Call): any, string?, string?
---@return sys.gateway.Item[]
function M.make(mount, reach, watch)
  local items = {}
  local function list(name)
    local decoded = json.decode(mount.lists[name] or "[]")
    return cut(mount, type(decoded) == "table" and decoded or {}, name)
  end
  add_tools(items, mount, reach, list "tools")
  add_prompts(items, mount, reach, list "prompts")
  add_resources(items, mount, reach, watch, list "resources", list "templates")
  return items
end


return M
