--- The loop of a run: ask the model, read its reply, make the calls, tell it the results, until a rule says stop.
--
-- It decides nothing. The prompt, the rule and the provider are fetched again every turn, so an edit takes effect in the next
-- turn. Whatever they keep between turns is in plain tables of the run.

local contract = require "agent.contract"
local engine   = require "sys.engine"
local images   = require "agent.images"
local keeping  = require "agent.keeping"
local limits   = require "agent.limits"
local models   = require "agent.models"
local task     = require "sys.task"
local time     = require "sys.time"

local loop = {}

---@class agent.Job   one run in progress
---@field options  agent.Options
---@field choice   agent.Choice
---@field model?   string  the model, if it is known at the start
---@field answers? string  the model that in fact replies
---@field prompt   string
---@field state    agent.State
---@field context  agent.Context
---@field toolbox  agent.Toolbox
---@field recorder agent.Recorder
---@field tape?    agent.Tape
---@field skipped  table<string, boolean>  rules that the model turned out to be unable to follow
---@field blind?   string  the reason why the model is shown no images
---@field seen?    table   arguments to read the elements of the newest screenshot
---@field usage    {input: integer, output: integer}
---@field kept     {bytes: integer}  structured results that the journal has

local function failed(reason, message, code)
  return { ok = false, reason = reason, message = message, code = code }
end


--- Returns the text of a prompt that was rendered as one string or as messages.
local function text_of(prompt)
  if type(prompt) == "string" then return prompt end
  local texts = {}
  for i, message in ipairs(prompt.messages or prompt) do
    local content = message.content
    texts[i] = type(content) == "string" and content or type(content) == "table" and content.text or ""
  end
  return table.concat(texts, "\n\n")
end


--- Renders a prompt with those of the given arguments that it declares.
local function rendered(name, given)
  local arguments = {}
  for _, prompt in ipairs(engine.prompts()) do
    for _, argument in ipairs(prompt.name == name and prompt.arguments or {}) do
      arguments[argument.name] = given[argument.name]
    end
  end
  local result, err = engine.prompt(name, arguments)
  if not result then return nil, err end
  return text_of(result)
end


--- Returns the rules for this turn. A replay uses the rule of its recording, whatever the prompt prefers now.
local function rules_for(job, text)
  local turn = job.tape and job.context.tape and job.tape.turns[(job.context.memory.position or 0) + 1]
  return turn and turn.request.rule and { turn.request.rule } or models.rules_of(job.prompt, text)
end


--- Loads the prompt, the rule and the provider as their files are now, and sets the state's system prompt.
local function prepare(job)
  local provider, problem = engine.provider(job.choice.provider)
  if not provider then return nil, problem end
  local state = job.state
  local given = { request = state.request, tools_description = "" }
  local text, err = rendered(job.prompt, given)
  if not text then return nil, err end
  local name, rule = models.rule(rules_for(job, text), provider, job.skipped)
  if not name then return nil, rule end
  given.tools_description = contract.description(name, limits.rule(name, rule, "describe", state.tools))
  text, err = rendered(job.prompt, given)
  if not text then return nil, err end
  state.system = text
  return { provider = provider, rule = rule, name = name }
end


local function say(state, messages)
  for _, message in ipairs(messages or {}) do state.messages[#state.messages + 1] = message end
end


local function who(job) return job.answers or job.model or job.choice.provider end


--- Replaces the images in the transcript by words, because the model turned out to take none. False if there were none.
local function see_no_more(job, err)
  job.blind = job.blind or who(job) .. " takes no images"
  local function outline() return job.seen and job.toolbox:outline(job.seen) end
  if not images.blind(job.state.messages, job.blind, outline) then return false end
  job.recorder:event("note", { turn = job.state.turn, kind = "no_images", text = err })
  return true
end


--- Returns the reply, or nil and how the run ends. Returns neither if another rule has to repeat the turn.
local function ask(job, now)
  local state, recorder = job.state, job.recorder
  local request = contract.request(now.name, limits.rule(now.name, now.rule, "request", state))
  recorder:event("request", {
    turn = state.turn, rule = now.name, system = request.system, messages = images.told(request.messages) })

  local started = time.monotonic()
  local reply, err, code = limits.complete(job.choice.provider, now.provider, request, job.context)
  local elapsed = time.monotonic() - started
  local problem = contract.reply_problem(job.choice.provider, reply, err)
  if problem then reply, err, code = nil, problem, "bad_reply" end
  if not reply then
    recorder:event("model_error", { turn = state.turn, message = err, code = code, elapsed = elapsed })
    if code == "no_images" and see_no_more(job, err) then return nil end
    if code == "no_tools" and now.rule.native then
      job.skipped[now.name] = true
      recorder:event("note", { turn = state.turn, kind = "no_tools", text = err })
      return nil
    end
    return nil, failed(code == "diverged" and code or "model_error", err, code)
  end

  reply.text = reply.text or ""
  local usage = reply.usage or {}
  job.usage.input = job.usage.input + (usage.input or 0)
  job.usage.output = job.usage.output + (usage.output or 0)
  recorder:event("reply", {
    turn = state.turn, text = reply.text, tool_calls = reply.tool_calls, stop = reply.stop, usage = reply.usage,
    model = reply.model, native = reply.native, elapsed = elapsed,
  })
  if reply.note then recorder:event("note", { turn = state.turn, kind = "model", text = reply.note }) end
  if reply.model and not job.answers then
    job.answers = reply.model
    if not job.model then
      recorder:event("note", { turn = state.turn, kind = "model", text = reply.model .. " answers" })
    end
  end
  return reply
end


--- Returns what the model is told of an answer, and the images that it is shown: none to the offline planner and in replays.
---@param job agent.Job
---@param provider Provider
---@param answer agent.Answer
---@return string text
---@return agent.Image[]? images
local function shown(job, provider, answer)
  if not answer.images or provider.stand_in or job.tape then return answer.text end
  job.seen = answer.shows or job.seen
  if provider.images and not job.blind then return images.prepare(answer, provider.images) end
  local why = job.blind or ("the provider %s takes no images"):format(job.choice.provider)
  return images.words(answer, why, function(shows) return job.toolbox:outline(shows) end)
end


--- Makes the calls, one after the other or at the same time. Returns how the run ends if a server is gone.
local function make(job, provider, calls, parallel)
  local state, recorder, made = job.state, job.recorder, {}
  local function on_line(line) recorder:server_line(line) end
  local function announce(call)
    recorder:event("call", {
      turn = state.turn, id = call.id, tool = call.tool, arguments = call.arguments, line = call.line })
  end
  local function settle(call, answer, err, code)
    if not answer then return failed(code == "diverged" and code or "server_error", err, code) end
    local text, seen = shown(job, provider, answer)
    local done = { id = call.id, turn = state.turn, tool = call.tool, arguments = call.arguments, line = call.line,
      text = text, failed = answer.failed, images = seen }
    made[#made + 1] = done
    state.calls[#state.calls + 1] = done
    local structured, bytes = keeping.of(job.kept, answer)
    recorder:event("result", { turn = state.turn, id = call.id, tool = call.tool, text = text, failed = answer.failed,
      structured = structured, structured_bytes = bytes, elapsed = answer.elapsed, images = images.facts(seen) })
  end

  if parallel then
    for _, call in ipairs(calls) do announce(call) end
    local answers = task.map(calls, function(call) return { job.toolbox:call(call, on_line) } end, 4)
    for i, call in ipairs(calls) do
      local stop = settle(call, table.unpack(answers[i], 1, 3))
      if stop then return nil, stop end
    end
  else
    for _, call in ipairs(calls) do
      announce(call)
      local stop = settle(call, job.toolbox:call(call, on_line))
      if stop then return nil, stop end
    end
  end
  return made
end


--- Runs one turn. Returns how the run ends, or nil to go on.
local function turn(job)
  local state, recorder = job.state, job.recorder
  local now, problem = prepare(job)
  if not now then return failed("rule_error", problem) end
  local reply, stop = ask(job, now)
  if not reply then
    if not stop then state.turn = state.turn - 1 end
    return stop
  end

  local decision = contract.decision(now.name, limits.rule(now.name, now.rule, "decide", state, reply), state.tools)
  say(state, decision.messages)
  for _, note in ipairs(decision.notes or {}) do
    recorder:event("note", { turn = state.turn, kind = note.kind, text = note.text, told = true })
  end
  if decision.stop then
    if not decision.notes then
      local last = (decision.messages or {})[#(decision.messages or {})]
      recorder:event("final", { turn = state.turn, text = last and last.text or decision.stop.message })
    end
    return decision.stop
  end
  if decision.calls and #decision.calls > 0 then
    local made
    made, stop = make(job, now.provider, decision.calls, decision.parallel)
    if stop then return stop end
    local results = contract.results(now.name, limits.rule(now.name, now.rule, "results", state, made))
    images.attach(results, made)
    say(state, results)
    images.forget(state.messages)
    for _, call in ipairs(made) do call.images = nil end  -- the transcript has them
  end
end


--- Runs a job to its end.
---@param job agent.Job
---@return {ok: boolean, reason: string, message: string, code?: string}
function loop.run(job)
  local state = job.state
  while state.turn < state.max_turns do
    state.turn = state.turn + 1
    local ok, stop = pcall(turn, job)
    if not ok then return failed("rule_error", tostring(stop)) end
    if stop then return stop end
  end
  return failed("max_turns", ("The model did not finish within %d turns. Allow more with --max-turns.")
    :format(state.max_turns))
end


return loop
