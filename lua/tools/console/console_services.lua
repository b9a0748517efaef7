--- The services of an engine: for `perigee service`.

local console = require "sys.console"
local manager = require "services.manager"
local nearest = require "nearest"
local s       = require "schema"
local time    = require "sys.time"

local KEPT = 1000   -- lines of the engine's log that it still has


local function find(name)
  local service = manager.find(name)
  if service then return service end
  for _, each in ipairs(manager.unloaded()) do
    if each.name == name then return nil, ("the service %s has not run: %s"):format(name, each.error), "failed" end
  end
  local names = {}
  for _, each in ipairs(manager.status()) do names[#names + 1] = each.name end
  return nil, ("this engine has no service %s%s"):format(name, nearest.question(name, names, "; ")), "not_found"
end


local DO = {}

--- Status of an engine with a file that does not load, for the examples.
local HALF = { problems = { { file = "services/half.lua", message = "unexpected symbol near <eof>" } } }

function DO.list()
  local services = manager.status()
  for _, each in ipairs(manager.unloaded()) do services[#services + 1] = each end
  return { services = services }
end

--- Adds the engine's warnings about loops of the service without an end, each at its time. Only the engine sees them, and the
--- service that such a loop holds cannot note them itself.
local function with_loops(lines, name)
  local reader <close> = console.read_log { level = "warning", last = KEPT }
  local begins = ("service %s: "):format(name)
  local some = reader:read()
  while #some > 0 do
    for _, each in ipairs(some) do
      if each.text:sub(1, #begins) == begins and each.text:find(" has worked for ", #begins, true) then
        local line, at = ("%s %s"):format(time.iso(each.time), each.text:sub(#begins + 1)), #lines + 1
        while at > 1 and lines[at - 1] > line do at = at - 1 end
        table.insert(lines, at, line)
      end
    end
    some = reader:read()
  end
  return lines
end


function DO.log(service) return { lines = with_loops(service:log(), service.name) } end

function DO.start(service)
  if service:status().state == "disabled" then
    return nil, ("%s is switched off. Run `perigee service enable %s`"):format(service.name, service.name), "disabled"
  end
  service:start()
  return { services = { service:status() } }
end

function DO.heed(service)
  local done, err, code = manager.heed(service.name)
  if not done then return nil, err, code end
  return { services = { done:status() } }
end

function DO.stop(service)
  if service:status().state ~= "disabled" then service:stop() end
  return { services = { service:status() } }
end


local function run(args)
  if args.action == "list" then return DO.list() end
  if not args.name then return nil, ("'%s' needs the name of a service"):format(args.action), "usage" end
  local service, err, code = find(args.name)
  if not service then return nil, err, code end
  return DO[args.action](service)
end


---@type Tool
return {
  title       = "Services",
  description = "List the services of this engine, start or stop one, heed whether it is switched off, or get its log. For "
             .. "the console of an engine.",
  inputSchema = s.object { { "action", s.enum({ "list", "start", "stop", "log", "heed" }, "What to do.") },
                           { "name", s.string("The service.", { optional = true }) } },
  about       = { "nothing" },
  annotations = { readOnlyHint = false, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = run,

  examples = {
    { "lists them", args = { action = "list" }, given = { ["sys.engine.status"] = HALF },
      want  = { services = { { name = "half", state = "failed",
        error = "its file does not load: unexpected symbol near <eof>" } } } },
    { "needs a name to start one", args = { action = "start" }, code = "usage" },
    { "knows those that there are", args = { action = "stop", name = "tiling" }, code = "not_found",
      given = { ["sys.engine.status"] = { problems = {} } } },
    { "says why one has not run", args = { action = "log", name = "half" }, code = "failed",
      given = { ["sys.engine.status"] = HALF },
      err   = "the service half has not run: its file does not load: unexpected symbol" },
  },
}
