--- Mounted servers: adds their tools, prompts and resources to ours, and starts a server when one of these is first called.
--
-- The lists of a server are cached in a file, so that listing starts nothing. A server that exits is started again with the
-- next call, after longer and longer pauses if it keeps exiting; an idle one is stopped. No server affects another.

local gateway = require "sys.gateway"
local identity = require "gateway.identity"
local items   = require "gateway.items"
local json    = require "sys.json"
local lists   = require "gateway.lists"
local log     = require "sys.log"
local mcp     = require "sys.mcp"
local oauth   = require "oauth"
local rules   = require "gateway.rules"
local task    = require "sys.task"
local time    = require "sys.time"
local uris    = require "gateway.uris"

local M = {}

local IDLE    = 300   -- seconds without a call until a server is stopped
local YOUNG   = 10    -- seconds: a server that exits sooner counts as one that did not start
local BACKOFF = 60    -- seconds: the longest wait before another attempt

local mounts = {}     -- sorted by name


-- --- sessions -----------------------------------------------------------------------

local function seconds(n)
  n = math.max(1, math.ceil(n))
  return n == 1 and "1 second" or n .. " seconds"
end


--- Notes a failure. The first may be chance, so the next call tries again; after further ones calls have to wait.
local function failed(mount, text, code)
  mount.failures = mount.failures + 1
  mount.retry_at = time.monotonic() + (mount.failures < 2 and 0 or math.min(BACKOFF, 2 ^ (mount.failures - 2)))
  mount.err, mount.code = text, code
  log.warn(("the mounted server %s: %s"):format(mount.name, text))
end


--- Returns the newest call in progress: a question of the server is most likely about that one.
local function asker(mount)
  return mount.calls[#mount.calls]
end


--- Forwards the server's questions to the client that made the call.
local function elicit(mount, ask)
  local call = asker(mount)
  if not call then return nil, "no call is in progress, so there is no user to ask" end
  local content, err, code = call:ask { message = ask.message, schema = ask.requestedSchema, url = ask.url }
  if content then return content end
  if code == "declined" then return "decline" end
  if code == "dismissed" then return "cancel" end
  return nil, err, code
end


local function sample(mount, request)
  local call = asker(mount)
  if not call then return nil, "no call is in progress, so there is no model to ask" end
  local result, err, code = call:sample(request)
  if not result then return nil, err, code end
  result.text = nil
  return result
end


--- Notifies the subscribed calls.
local function updated(mount, uri)
  for call in pairs(mount.watches[uri] or {}) do call:updated() end
end


local function spec_of(mount, call)
  local spec = { mount = true }
  for key, value in pairs(mount.spec) do spec[key] = value end
  spec.timeout = items.timeout(mount)
  spec.max_timeout = items.longest(mount)
  spec.era = mount.era or mount.rules.era or spec.era
  spec.changed = function(what) gateway.put(mount.inbox, what) end
  spec.updated = function(uri) updated(mount, uri) end
  local tell = mount.given and log.info or log.debug
  spec.log = function(line) tell(mount.name .. ": " .. line) end
  spec.asks = nil
  mount.asks, mount.samples = mount.spec.asks or call and call:can "ask", call and call:can "sample"
  if mount.asks then spec.elicit = function(ask) return elicit(mount, ask) end end
  if mount.samples then spec.sample = function(request) return sample(mount, request) end end
  return oauth.equip(spec)
end


local function start(mount, call)
  local client, err, code = mcp.connect(spec_of(mount, call))
  if not client and mount.era then -- a server of another era may have replaced it
    mount.era = nil
    client, err, code = mcp.connect(spec_of(mount, call))
  end
  if not client then
    failed(mount, err, code)
    return nil, err, code
  end
  mount.client, mount.started, mount.era = client, time.monotonic(), client.era
  mount.err, mount.retry_at = nil, nil
  gateway.put(mount.inbox, "started")
  return client
end


--- True if this call's client can answer questions, but the session's server was told that there is no such client.
local function knows_more(mount, call)
  return call and #mount.calls <= 1 and (call:can "ask" and not mount.asks or call:can "sample" and not mount.samples)
end


--- Returns the session, and starts the server if it does not run.
local function session(mount, call)
  local held <close> = task.lock("gateway " .. mount.name)
  if mount.client and mount.client:running() then
    if not knows_more(mount, call) then return mount.client end
    mount.client:close()
    mount.client = nil
  elseif mount.client then
    mount.client = nil
    if time.monotonic() - mount.started < YOUNG then
      failed(mount, "it exited soon after it was started", "closed")
    else
      mount.failures = 0
    end
  end
  local left = mount.retry_at and mount.retry_at - time.monotonic() or 0
  if left > 0 then
    return nil, ("The server %q is not running: %s. Try again in %s."):format(mount.name,
      mount.err:gsub("%.$", ""), seconds(left)), mount.code
  end
  local client, err, code = start(mount, call)
  if not client then return nil, ("The server %q did not start: %s"):format(mount.name, err), code end
  return client
end


-- --- calls --------------------------------------------------------------------------

--- Notes a call as in progress until the returned value is closed, however the call ends.
local function under_way(mount, call)
  mount.calls[#mount.calls + 1] = call
  return setmetatable({}, { __close = function()
    for i = #mount.calls, 1, -1 do
      if mount.calls[i] == call then table.remove(mount.calls, i) break end
    end
    mount.used = time.monotonic()
  end })
end


--- Passes the session for this call to fn, and returns its results.
local function reach(mount, call, fn)
  local held <close> = under_way(mount, call)
  local client, err, code = session(mount, call)
  if not client then return nil, err, code end
  local result
  result, err, code = fn(client)
  if result and not result.isError and time.monotonic() - mount.started > YOUNG then mount.failures = 0 end
  return result, err, code
end


-- --- subscriptions ------------------------------------------------------------------

--- Notes that a call watches a URI of the server until the returned value is closed.
local function watching(mount, uri, call)
  local calls = mount.watches[uri] or {}
  mount.watches[uri] = calls
  calls[call] = true
  return setmetatable({}, { __close = function()
    calls[call] = nil
    if not next(calls) then
      mount.watches[uri] = nil
      mount.used = time.monotonic()
      gateway.put(mount.inbox, "unwatched " .. uri)
    end
  end })
end


--- Watches as long as a client is subscribed. The server runs meanwhile, and is subscribed to again after a restart.
local function watch(mount, uri, call)
  local held <close> = watching(mount, uri, call)
  local again = false
  while true do
    local client = session(mount)
    local ok, err, code
    if client then ok, err, code = client:subscribe(uri) end
    if client and not ok and client:running() then return nil, err, code end
    if ok then
      if again then call:updated() end -- it may have missed changes
      client:wait()
    end
    again = true
    time.sleep(math.max(0.1, (mount.retry_at or 0) - time.monotonic()))
  end
end


local function unwatch(mount, uri)
  if mount.watches[uri] or not (mount.client and mount.client:running()) then return end
  local ok, err = mount.client:unsubscribe(uri)
  if not ok then log.debug(("%s: unsubscribing from %s: %s"):format(mount.name, uri, err)) end
end


-- --- lists --------------------------------------------------------------------------

--- Registers the known items of a server.
local function publish(mount)
  if not mount.lists then return end
  local state = lists.state(mount)
  local ok, err = gateway.mount(mount.name, mount.path, items.make(mount, reach, watch), lists.text(mount))
  if ok then
    mount.published = state
  else
    log.error(("%s cannot be mounted: %s"):format(mount.name, err))
  end
end


--- Keeps a server from being idle while it is asked for its lists, until the returned value is closed.
local function kept_running(mount)
  mount.asked = mount.asked + 1
  return setmetatable({}, { __close = function() mount.asked = mount.asked - 1 end })
end


--- Requests this list of the server, or all.
---@param mount table
---@param only? string  "tools", "prompts", "resources"
---@return true? ok
---@return string? err
function M.refresh(mount, only)
  local held_up <close> = kept_running(mount)
  local client, err = session(mount)
  if not client then return nil, err end
  local held <close> = task.lock("gateway lists " .. mount.name)
  local ok
  ok, err = lists.ask(mount, client, only)
  if not ok then return nil, err end
  if not only then mount.listed = client end
  mount.used = time.monotonic()
  if lists.state(mount) ~= mount.published then
    if not mount.given then lists.keep(mount) end
    publish(mount)
  end
  return true
end


--- Requests the lists of the servers that have none.
---@return true? ok
---@return string? err  nothing is mounted: why not
local function refresh_all(unknown)
  local first
  for _, answer in ipairs(task.map(unknown, function(mount) return { M.refresh(mount) } end)) do
    if answer[1] then return true end
    first = first or answer[2]
  end
  return #unknown < #mounts or nil, first
end


--- Does the work beside calls, one task after the other for each server.
local function look_after(mount, text)
  if text == "started" then
    -- The kept lists may be those of an older version.
    if mount.client and mount.client:running() and mount.listed ~= mount.client then M.refresh(mount) end
  elseif text:find "^unwatched " then
    unwatch(mount, text:match "^unwatched (.*)$")
  elseif mount.client and mount.client:running() then
    M.refresh(mount, text)
  end
end


local function read_rules(mount)
  local found, err, code = gateway.rules(mount.name)
  if found == nil and code ~= "not_found" then return nil, err end
  local checked
  checked, err = rules.check(found)
  if not checked then return nil, err end
  mount.rules = checked
  mount.scheme = checked.resources ~= false and mount.own_scheme or nil
  return true
end


--- Reads the rules again. A file that does not load changes nothing.
local function read_all_rules()
  local read = {}
  for _, mount in ipairs(mounts) do
    local ok, err = read_rules(mount)
    read[mount] = ok
    if not ok then log.error(("lib/mounts/%s.lua: %s"):format(mount.name, err)) end
  end
  for _, mount in ipairs(mounts) do
    if read[mount] then publish(mount) end
  end
end


-- --- the gateway --------------------------------------------------------------------

--- The prefixes of the other servers.
local function prefixes_beside(mount)
  local list = {}
  for _, other in ipairs(mounts) do
    if other ~= mount then list[#list + 1] = rules.prefix(other.name, other.rules) end
  end
  return list
end


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
        return nil, ("there is no server %q. Use one of these: %s"):format(part,
          #known > 0 and table.concat(known, ", ") or "none")
      end
    end
  end
  table.sort(list)
  return list
end


--- Stops the idle servers. Returns the seconds until the next one may have to be stopped.
local function stop_idle()
  local now, wait = time.monotonic(), IDLE
  for _, mount in ipairs(mounts) do
    local idle = mount.rules.idle or IDLE
    wait = math.min(wait, idle)
    if mount.client and mount.client:running() and #mount.calls + mount.asked == 0 and not next(mount.watches) then
      local left = (mount.used or mount.started) + idle - now
      if left <= 0 then
        log.debug(mount.name .. ": stopped, because it was idle")
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


--- The servers by name: those that the agent names (lua/lib/agent/mounted.lua), or those of the file.
local function specs_of(options)
  if options.servers then return json.decode(options.servers) end
  local specs, err, code = mcp.servers(options.config)
  if not specs and code == "not_found" then
    return nil, ("%s does not exist. Create it to name the servers to mount: "
      .. '{"mcpServers": {"NAME": {"command": "...", "args": [...]}}}'):format(options.config)
  end
  return specs, err
end


---@param options {config: string, names: string[], servers?: string}  servers: JSON, in place of those that the file has
---@return nil
---@return string err  the reason why it could not start: otherwise it does not return
function M.run(options)
  local specs, err = specs_of(options)
  if not specs then return nil, err end
  local names
  names, err = wanted(options.names, specs)
  if not names then return nil, options.config .. ": " .. err end
  local unknown, schemes = {}, {}
  for i, name in ipairs(names) do
    local mount = {
      name = name, spec = specs[name], path = options.config, own_scheme = uris.scheme(name, schemes),
      rules = {}, can = {}, calls = {}, watches = {}, asked = 0, failures = 0, given = options.servers ~= nil,
    }
    mount.others = function() return prefixes_beside(mount) end
    mounts[i], schemes[mount.own_scheme], mount.scheme = mount, mount, mount.own_scheme
    identity.note(name, specs[name])
    mount.inbox = gateway.inbox(function(text) look_after(mount, text) end)
    local ok
    ok, err = read_rules(mount)
    if not ok then log.error(("lib/mounts/%s.lua: %s"):format(name, err)) end
  end
  for _, mount in ipairs(mounts) do   -- when the prefixes of all are known
    if not mount.given then lists.recall(mount) end
    publish(mount)
    if not mount.lists then unknown[#unknown + 1] = mount end
  end
  gateway.watch(read_all_rules)
  local any
  any, err = refresh_all(unknown)
  if not any and options.servers then return nil, err end
  gateway.ready()
  while true do time.sleep(stop_idle()) end
end


return M
