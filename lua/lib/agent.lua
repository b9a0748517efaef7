--- An agent run: a model, the tools of an MCP server, and a prompt that joins them.
--
-- The agent knows only the tools that the server lists, and does only what the model calls for. `perigee agent` runs
-- `agent.run(options)` as a task; when that task is cancelled it runs `agent.cancelled(options)`, so that log and journal say
-- how the run ended.

local engine   = require "sys.engine"
local files    = require "sys.files"
local loop     = require "agent.loop"
local models   = require "agent.models"
local recorder = require "agent.recorder"
local report   = require "agent.report"
local tape     = require "agent.tape"
local time     = require "sys.time"
local toolbox  = require "agent.toolbox"
local wire     = require "agent.wire"

local agent = {}

local function usage(message)
  return { ok = false, reason = "usage", message = message, turns = 0, calls = 0 }
end


--- Ends the run once: records the last event, closes the server, and returns the outcome.
local function finish(job, stop)
  if job.finished then return job.outcome end
  job.finished = true
  local state = job.state
  job.outcome = {
    ok = stop.ok, reason = stop.reason, message = stop.message, code = stop.code,
    turns = state.turn, calls = #state.calls, run_id = job.recorder.run.run_id, journal = job.recorder.journal,
  }
  if job.toolbox then job.toolbox:close() end
  job.recorder:event("outcome", {
    ok = stop.ok, reason = stop.reason, message = stop.message, code = stop.code, turns = state.turn,
    calls = #state.calls, usage = job.usage, elapsed = time.monotonic() - job.started, journal = job.recorder.journal,
  })
  return job.outcome
end


--- Reads the recorded run of `--replay FILE` or `--model replay/FILE`.
local function recorded(options)
  local path = options.replay or (options.model or ""):match "^replay/(.+)$"
  if not path then return nil end
  return tape.read(path)
end


local function chosen(options, played)
  if not played then return models.choose(options.model) end
  local was = played.start.provider or "?"
  if played.start.model then was = was .. "/" .. played.start.model end
  return { provider = "replay", why = ("the run of %s recorded in %s"):format(was, played.path) }
end


--- Words of a request about slides, alone or with an s: a slider or a representation is something else.
local ABOUT_SLIDES = { "keynote", "slide", "rectangle", "presentation", "impress" }


local function is_about_slides(request)
  for _, word in ipairs(ABOUT_SLIDES) do
    if request:lower():find("%f[%w]" .. word .. "s?%f[%W]") then return true end
  end
  return false
end


--- Returns the prompt for a run without `--prompt`: the drawing prompt if the request is about slides and a tool draws, or if
--- the server can do nothing else; otherwise the general one.
local function prompt_for(options, played, tools, request)
  if options.prompt then return options.prompt end
  if played and played.start.prompt then return played.start.prompt end
  local draws, acts = false, false
  for _, tool in ipairs(tools) do
    draws = draws or tool.name == "draw_rectangle"
    acts  = acts or tool.name == "create_input"
  end
  return draws and (not acts or is_about_slides(request)) and "keynote_agent" or "desktop_agent"
end


--- Returns the names of the tools that a prompt is written for.
local function named_by(prompt)
  local file = files.table("prompt", prompt)
  return file and file.tools or {}
end


--- Returns the tools that the prompt names, in its order; if the server has none of these, all.
local function offered(names, tools)
  local by_name, kept = {}, {}
  for _, tool in ipairs(tools) do by_name[tool.name] = tool end
  for _, name in ipairs(names) do kept[#kept + 1] = by_name[name] end
  return #kept > 0 and kept or tools
end


local function known_prompt(name)
  local names = {}
  for i, prompt in ipairs(engine.prompts()) do
    if prompt.name == name then return true end
    names[i] = prompt.name
  end
  return false, ("There is no prompt %q. Use one of these: %s."):format(name, table.concat(names, ", "))
end


--- Notes the servers without tools: what is wrong with one that did not start is in the lines of the agent's server.
local function note_silent(job, box)
  for _, name in ipairs(box:silent()) do
    job.recorder:event("note", { turn = 0, kind = "server",
      text = ("the server %s lists no tools. If it did not start, the log has the cause: %s"):format(name, job.recorder.log) })
  end
end


--- Notes the tools that the prompt names in vain. What the servers of --server have and do not list cannot be called there.
local function note_missing(job)
  if #job.missing == 0 then return end
  local lack = job.toolbox.mounted[1] and "the servers do not list (Perigee lists every one with --toolset all)"
    or "the server does not have"
  job.recorder:event("note", { turn = 0, kind = "tools",
    text = ("the prompt %s names tools that %s: %s"):format(job.prompt, lack, table.concat(job.missing, ", ")) })
end


local function announce(job, provider)
  local box = job.toolbox
  job.recorder:event("start", {
    format = tape.FORMAT, run_id = job.recorder.run.run_id, version = engine.status().version,
    request = job.state.request, prompt = job.prompt, max_turns = job.state.max_turns,
    provider = job.choice.provider, model = job.model, why = job.choice.why,
    stand_in = provider.stand_in, servers = box and box.servers or {}, tools = job.state.tools,
  })
  if not box then return end
  note_silent(job, box)
  note_missing(job)
end


--- Returns a run that has all it needs, or nil and the outcome of one that has not.
local function prepared(options)
  local played, err = recorded(options)
  if err then return nil, usage(err) end
  local request = options.request or (played and played.start.request) or ""
  if not request:find "%S" then
    return nil, usage "The request is empty. Pass what the agent should do: perigee agent \"REQUEST\"."
  end
  local choice
  choice, err = chosen(options, played)
  if not choice then return nil, usage(err) end
  local provider
  provider, err = engine.provider(choice.provider)
  if not provider then return nil, usage(err) end

  return {
    options = options, choice = choice, tape = played, started = time.monotonic(),
    recorder = recorder.open(options, recorder.run_id(), report.speaker(provider, choice.provider)),
    skipped = {}, usage = { input = 0, output = 0 }, kept = { bytes = 0 }, model = wire.model(provider, choice.model),
    answers = played and "recorded" or nil,
    context = { model = choice.model, request_text = request, memory = {}, tape = played },
    state = {
      request = request, system = "", tools = {}, turn = 0, max_turns = options.max_turns or 8,
      messages = { { role = "user", text = request } }, calls = {}, memory = {},
    },
  }, provider
end


--- Gets the tools of the server, or of the recording if there is one and no server.
local function equip(job)
  local options = job.options
  if job.tape and not options.server then
    job.toolbox = toolbox.replay(job.tape)
  else
    local err, code
    job.toolbox, err, code = toolbox.open(options, function(line) job.recorder:server_line(line) end)
    if not job.toolbox then return { ok = false, reason = "server_error", message = err, code = code } end
  end
  job.state.tools = job.toolbox.tools
end


--- Runs the agent to its end.
---@param options agent.Options
---@return agent.Outcome
function agent.run(options)
  local job, provider = prepared(options)
  if not job then return provider end
  options.job = job

  local stop = equip(job)
  job.prompt = prompt_for(options, job.tape, job.state.tools, job.state.request)
  local names = named_by(job.prompt)
  job.missing = job.toolbox and job.toolbox:add_named(names) or {}
  job.state.tools = offered(names, job.state.tools)
  announce(job, provider)
  if not stop then
    local known, err = known_prompt(job.prompt)
    if not known then stop = { ok = false, reason = "usage", message = err } end
  end
  return finish(job, stop or loop.run(job))
end


--- Ends the records of a cancelled run. It is called by a task of its own, after the run's task has ended.
---@param options agent.Options  the table that was passed to run()
---@param place? string  FILE:LINE at which it computed; nil if it was waiting
---@return agent.Outcome
function agent.cancelled(options, place)
  local job = options.job
  local where = place and (" It was in %s."):format(place) or ""
  if not job then return { ok = false, reason = "cancelled", message = "Cancelled.", turns = 0, calls = 0 } end
  return finish(job, { ok = false, reason = "cancelled", message = "Cancelled by the user." .. where })
end


return agent
