--- Runs the services of an engine: starts them, restarts them when their files change or they fail, and stops them.
--
-- If a user runs several engines, the first that gets a service's lock runs it; the others wait for that engine to end. The
-- manager keeps its own code when files are reloaded.

local engine   = require "sys.engine"
local log      = require "sys.log"
local policy   = require "sys.policy"
local service  = require "services.service"
local state    = require "sys.state"
local switches = require "services.switches"
local task     = require "sys.task"

local M = {}

local DRY = "this is a dry run, which does not run services. Run it without --dry-run, and without dry_run in the policy"

M.RELOADED = "engine.reloaded"   -- the signal of src/engine/services.c


--- Returns the services that this engine knows, by their names.
---@return table<string, services.Service>
local function all()
  local mine = state.open "services"
  mine.all = mine.all or {}
  return mine.all
end


--- Returns the services that are switched off. If that cannot be read, all may run: a damaged file must not end them.
local function switched_off()
  local off, err = switches.off()
  if not off then log.error("which services are switched off cannot be read: " .. err) end
  return off or {}
end


--- Makes the running services match the files and the switches.
local function settle(only)
  local known, there, off = all(), {}, switched_off()
  for _, each in ipairs(engine.services()) do
    if not only or only[each.name] then
      there[each.name] = true
      local file, err = engine.service(each.name)
      if not known[each.name] then known[each.name] = service.new(each.name, each.file) end
      known[each.name]:switch(not off[each.name])
      if file then known[each.name]:become(file) else log.error(("service %s: %s"):format(each.name, err)) end
    end
  end
  for name, each in pairs(known) do
    if not there[name] then
      each:leave "its file is gone"
      known[name] = nil
    end
  end
end


--- Runs until the engine ends.
---@param only? table<string, true>  names; nil means all
---@return nil
---@return string? err  it does not run services
---@return string? code
function M.run(only)
  while true do
    local before = engine.generation()
    if #engine.services() > 0 and policy.heed_dry_run() then
      log.info(DRY)
      return nil, DRY, "dry_run"
    end
    settle(only)
    if engine.generation() == before then task.await(M.RELOADED) end
  end
end


--- Applies the switch of one service at once.
---@param name string
---@return services.Service? service
---@return string? err
---@return string? code
function M.heed(name)
  local found = all()[name]
  if not found then return nil, "this engine does not know it", "not_found" end
  local off, err, code = switches.off()
  if not off then return nil, err, code end
  found:switch(not off[name])
  return found
end


--- Stops all services, at the end of the engine.
function M.finish()
  for name, each in pairs(all()) do
    each:leave "the engine ends"
    all()[name] = nil
  end
end


---@class services.Status
---@field name string
---@field file string
---@field description? string
---@field state "starting"|"runs"|"ended"|"failed"|"stopped"|"disabled"|"elsewhere"
---@field since? number      seconds since 1970
---@field starts integer     the number of starts
---@field failures integer   the number of failed starts
---@field handles integer    the number of watchers, timers and hotkeys that it anchored and did not stop
---@field error? string      the last failure
---@field problem? string    why the newest state of its file does not load; what runs is the last good one
---@field next_start? number "failed": seconds since 1970
---@field pid? integer       "elsewhere": the process id of the engine that runs it

--- Returns the states of the services, by their names.
---@return services.Status[]
function M.status()
  local list = {}
  local problems = {}
  for _, each in ipairs(next(all()) and engine.status().problems or {}) do problems[each.file] = each.message end
  for _, each in pairs(all()) do
    local status = each:status()
    status.problem = problems[status.file]
    list[#list + 1] = status
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end


--- Returns the files of services that have not loaded yet, by their names.
---@return services.Status[]
function M.unloaded()
  local list, known = {}, {}
  for _, each in pairs(all()) do known[each:status().file] = true end
  for _, each in ipairs(engine.status().problems) do
    local name = each.file:match "services/([^/]+)%.lua$"
    if name and not known[each.file] then
      list[#list + 1] = { name = name, file = each.file, state = "failed", starts = 0, failures = 0, handles = 0,
        error = "its file does not load: " .. each.message }
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return list
end


---@param name string
---@return services.Service?
function M.find(name) return all()[name] end


return M
