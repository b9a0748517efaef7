--- Mounted servers: their tools among ours, the servers started when one of their tools is called first.
--
-- What a server's tools are is kept in a file, so that listing them starts nothing. A server that dies is started again
-- with the next call, later and later if it keeps dying; one that nobody calls is stopped. None of them hurts another.

local crypto  = require "sys.crypto"
local gateway = require "sys.gateway"
local json    = require "sys.json"
local log     = require "sys.log"
local mcp     = require "sys.mcp"
local oauth   = require "oauth"
local rules   = require "mount_rules"
local task    = require "sys.task"
local time    = require "sys.time"

local M = {}

local CALL    = 60    -- seconds for an answer, when nobody says
local LONGEST = 600   -- ... and with progress
local IDLE    = 300   -- seconds without a call until a server is stopped
local YOUNG   = 10    -- a server that dies before so many seconds counts as one that did not start
local BACKOFF = 60    -- the longest wait before another try
local VERSION = 1     -- of what is kept

local mounts = {}     -- in the order of their names


-- --- what is kept of a server -------------------------------------------------------

--- A text that changes when the server may be another.
local function fingerprint(spec)
  local parts = { spec.command or "", spec.url or "", spec.cwd or "" }
  for _, arg in ipairs(spec.args or {}) do parts[#parts + 1] = arg end
  local digest = crypto.sha256(table.concat(parts, "\0"))
  return digest and crypto.base64url(digest) or table.concat(parts, " ")
end


local function file_name(mount)
  return (mount.name:gsub("[^%w_%-]", "_"))
end


local function recall(mount)
  local text = gateway.cache(file_name(mount))
  local kept = text and json.decode(text)
  if type(kept) ~= "table" or kept.version ~= VERSION or kept.server ~= fingerprint(mount.spec) then return end
  mount.definitions, mount.era = kept.tools, kept.era
end


local function keep(mount)
  local ok, err = gateway.cache(file_name(mount), json.encode {
    version = VERSION, server = fingerprint(mount.spec), era = mount.era, tools = mount.definitions,
  })
  if not ok then log.warn(("the tools of %s are not kept: %s"):format(mount.name, err)) end
end


-- --- sessions -----------------------------------------------------------------------

local function seconds(n)
  n = math.max(1, math.ceil(n))
  return n == 1 and "1 second" or n .. " seconds"
end


local function failed(mount, text, code)
  mount.failures = mount.failures + 1
  mount.retry_at = time.monotonic() + math.min(BACKOFF, 2 ^ (mount.failures - 1))
  mount.err, mount.code = text, code
  log.warn(("the mounted server %s: %s"):format(mount.name, text))
end


--- The newest call that is under way: a question of the server is most likely about that one.
local function asker(mount)
  return mount.calls[#mount.calls]
end


--- What the server asks goes to whoever called us.
local function elicit(mount, ask)
  local call = asker(mount)
  if not call then return nil, "no call is under way, so nobody can be asked" end
  local content, err, code = call:ask { message = ask.message, schema = ask.requestedSchema, url = ask.url }
  if content then return content end
  if code == "declined" then return "decline" end
  if code == "dismissed" then return "cancel" end
  return nil, err, code
end


local function sample(mount, request)
  local call = asker(mount)
  if not call then return nil, "no call is under way, so no model can be asked" end
  local result, err, code = call:sample(request)
  if not result then return nil, err, code end
  result.text = nil
  return result
end


local function spec_of(mount, call)
  local spec = {}
  for key, value in pairs(mount.spec) do spec[key] = value end
  spec.timeout = mount.rules.timeout or spec.timeout or CALL
  spec.max_timeout = math.max(LONGEST, spec.timeout)
  spec.era = mount.era or mount.rules.era
  spec.changed = function(what)
    if what == "tools" then M.refresh(mount) end
  end
  spec.log = function(line) log.debug(mount.name .. ": " .. line) end
  mount.asks, mount.samples = call and call:can "ask", call and call:can "sample"
  if mount.asks then spec.elicit = function(ask) return elicit(mount, ask) end end
  if mount.samples then spec.sample = function(request) return sample(mount, request) end end
  return oauth.equip(spec)
end


local function start(mount, call)
  local client, err, code = mcp.connect(spec_of(mount, call))
  if not client and mount.era then -- it may have been replaced by one of another era
    mount.era = nil
    client, err, code = mcp.connect(spec_of(mount, call))
  end
  if not client then
    failed(mount, err, code)
    return nil, err, code
  end
  mount.client, mount.started, mount.era = client, time.monotonic(), client.era
  mount.err, mount.retry_at = nil, nil
  return client
end


--- Does this call's client answer what the session's server was told that nobody answers?
local function knows_more(mount, call)
  return call and #mount.calls <= 1 and (call:can "ask" and not mount.asks or call:can "sample" and not mount.samples)
end


--- The session; starts the server if it does not run.
local function session(mount, call)
  local held <close> = task.lock("gateway " .. mount.name)
  if mount.client and mount.client:running() then
    if not knows_more(mount, call) then return mount.client end
    mount.client:close()
    mount.client = nil
  elseif mount.client then
    mount.client = nil
    if time.monotonic() - mount.started < YOUNG then
      failed(mount, "it ended soon after it was started", "closed")
    else
      mount.failures = 0
    end
  end
  local left = mount.retry_at and mount.retry_at - time.monotonic() or 0
  if left > 0 then
    return nil, ("The server %q does not run: %s. It is tried again in %s."):format(mount.name,
      mount.err:gsub("%.$", ""), seconds(left)), mount.code
  end
  local client, err, code = start(mount, call)
  if not client then return nil, ("The server %q does not start: %s"):format(mount.name, err), code end
  return client
end


-- --- calls --------------------------------------------------------------------------

--- Notes that a call is under way until it is closed, however it ends.
local function under_way(mount, call)
  mount.calls[#mount.calls + 1] = call
  return setmetatable({}, { __close = function()
    for i = #mount.calls, 1, -1 do
      if mount.calls[i] == call then table.remove(mount.calls, i) break end
    end
    mount.used = time.monotonic()
  end })
end


--- Calls the server's tool and hands on what it says.
local function pass(mount, tool, timeout, args, call)
  local held <close> = under_way(mount, call)
  local client, err, code = session(mount, call)
  if not client then return nil, err, code end
  local result
  result, err, code = client:call(tool, args, {
    timeout  = timeout,
    progress = function(done, total, message) call:progress(done, total, message) end,
  })
  if not result then return nil, err, code end
  if not result.isError and time.monotonic() - mount.started > YOUNG then mount.failures = 0 end
  result.text = nil -- ours, not the server's
  return call:result(result)
end


--- The function of one of our tools.
local function runner(mount, tool, rule)
  local timeout = rule.timeout or mount.rules.timeout or mount.spec.timeout or CALL
  local function next_(args, call) return pass(mount, tool, timeout, args, call) end
  if not rule.run then return next_ end
  return function(args, call)
    return rule.run(args, call, function(changed) return next_(changed or args, call) end)
  end
end


-- --- tools --------------------------------------------------------------------------

--- Puts the tools that are known of a server into the registry.
local function publish(mount)
  local list = mount.definitions and json.decode(mount.definitions)
  if type(list) ~= "table" then return end
  local tools = {}
  for _, tool in ipairs(rules.apply(mount.name, list, mount.rules)) do
    local rule = tool.rule
    local longest = rule.timeout or mount.rules.timeout or mount.spec.timeout or CALL
    tools[#tools + 1] = {
      name = tool.name, tool = tool.tool, run = runner(mount, tool.tool, rule), timeout = math.max(LONGEST, longest),
      listed = rule.listed, title = rule.title, description = rule.description, annotations = rule.annotations,
    }
  end
  local ok, err = gateway.mount(mount.name, mount.path, tools, mount.definitions)
  if not ok then log.error(("the tools of %s cannot be mounted: %s"):format(mount.name, err)) end
end


--- Asks the server for its tools.
function M.refresh(mount)
  local client, err = session(mount)
  if not client then return nil, err end
  local text
  text, err = client:definitions()
  if not text then
    log.warn(("the mounted server %s does not list its tools: %s"):format(mount.name, err))
    return nil, err
  end
  mount.used = time.monotonic()
  if text == mount.definitions then return true end
  mount.definitions = text
  keep(mount)
  publish(mount)
  return true
end


local function read_rules(mount)
  local found, err, code = gateway.rules(mount.name)
  if found == nil and code ~= "not_found" then return nil, err end
  local checked
  checked, err = rules.check(found)
  if not checked then return nil, err end
  mount.rules = checked
  return true
end


--- The rules may have changed; a file that does not load leaves things as they were.
local function read_all_rules()
  for _, mount in ipairs(mounts) do
    local ok, err = read_rules(mount)
    if ok then
      publish(mount)
    else
      log.error(("lib/mounts/%s.lua: %s"):format(mount.name, err))
    end
  end
end


-- --- the gateway --------------------------------------------------------------------

local function wanted(names, specs)
  local list, seen = {}, {}
  local function add(name)
    if not seen[name] then list[#list + 1] = name end
    seen[name] = true
  end
  for _, name in ipairs(names) do
    for part in name:gmatch "[^,]+" do
      if part == "all" then
        for each, spec in pairs(specs) do
          if spec.problem_code ~= "disabled" then add(each) end
        end
      elseif specs[part] then
        add(part)
      else
        local known = {}
        for each in pairs(specs) do known[#known + 1] = each end
        table.sort(known)
        return nil, ("there is no server %q; the file has %s"):format(part,
          #known > 0 and table.concat(known, ", ") or "none")
      end
    end
  end
  table.sort(list)
  return list
end


--- Seconds until a server may have to be stopped; stops those whose time has come.
local function stop_idle()
  local now, wait = time.monotonic(), IDLE
  for _, mount in ipairs(mounts) do
    local idle = mount.rules.idle or IDLE
    wait = math.min(wait, idle)
    if mount.client and mount.client:running() and #mount.calls == 0 then
      local left = (mount.used or mount.started) + idle - now
      if left <= 0 then
        log.debug(mount.name .. ": stopped, nobody has called it")
        local client = mount.client
        mount.client, mount.failures = nil, 0
        client:close()
      else
        wait = math.min(wait, left)
      end
    end
  end
  return math.max(wait, 0.1)
end


---@param options {config: string, names: string[]}
---@return nil
---@return string err  it returns only when it cannot begin
function M.run(options)
  local specs, err = mcp.servers(options.config)
  if not specs then return nil, err end
  local names
  names, err = wanted(options.names, specs)
  if not names then return nil, options.config .. ": " .. err end
  local unknown = {}
  for i, name in ipairs(names) do
    local mount = { name = name, spec = specs[name], path = options.config, rules = {}, calls = {}, failures = 0 }
    mounts[i] = mount
    local ok
    ok, err = read_rules(mount)
    if not ok then log.error(("lib/mounts/%s.lua: %s"):format(name, err)) end
    recall(mount)
    publish(mount)
    if not mount.definitions then unknown[#unknown + 1] = mount end
  end
  gateway.watch(read_all_rules)
  task.map(unknown, M.refresh)
  gateway.ready()
  while true do time.sleep(stop_idle()) end
end


return M
