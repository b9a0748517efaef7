--- Whole runs on stand-ins: a scripted model, a scripted server, and everything that was written.
local rig     = require "rig"
local t       = require "check"
local keynote = require "keynote_tools"

local stage = {}

stage.REQUEST = "Create a rectangle in Keynote slide 1 and write this exact text inside it: Hello from MCP on macOS."

--- A model that answers from a list; what it was sent is kept in `model.requests`.
function stage.scripted(replies, supports_tools)
  local model = { description = "scripted", supports_tools = supports_tools or false, requests = {} }
  function model.complete(request)
    local copy = { system = request.system, tools = request.tools, messages = { table.unpack(request.messages) } }
    model.requests[#model.requests + 1] = copy
    local reply = replies[#model.requests] or error "the script has no more replies"
    if type(reply) == "function" then reply = reply() end
    if reply.code then return nil, reply.err, reply.code end
    return type(reply) == "string" and { text = reply, stop = "end" } or reply
  end
  rig.sys "engine".override.provider.scripted = model
  return model
end

--- Runs the agent on the keynote stand-in. Gives the outcome and everything that was written.
function stage.run(options, server)
  server = server or keynote.server()
  rig.sys "mcp".started.keynote = function() return server end
  local output = {}
  local function write(text) output[#output + 1] = text end
  local all = { request = stage.REQUEST, server = { command = "keynote" }, output = write }
  for key, value in pairs(options or {}) do all[key] = value or nil end
  local outcome = rig.lib "agent".run(all)
  local files = rig.sys "fs".files
  return outcome, {
    output = table.concat(output), server = server, options = all,
    log = files[all.log or "logs/agent.log"] or "", journal = outcome.journal and files[outcome.journal] or "",
  }
end

--- A test on stand-ins that are as new.
function stage.case(name, fn)
  t.case(name, function()
    rig.reset()
    fn()
  end)
end

return stage
