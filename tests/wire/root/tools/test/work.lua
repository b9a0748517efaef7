local s     = require "schema"
local state = require "sys.state"
local task  = require "sys.task"
local time  = require "sys.time"

local FORM = s.object { { "name", s.string "A name." } }

local function ask(call, key, timeout)
  return call:ask { key = key, message = "Your name?", schema = FORM, timeout = timeout }
end

local WAYS = { "well", "failing", "result", "large", "asking", "twice", "sampling", "several" }
local ends = {}

function ends.well() return "worked" end

function ends.failing() return nil, "The work failed", "no_luck" end

function ends.result(_, call) return call:result { content = { { type = "text", text = "no good" } }, isError = true } end

function ends.large(args) return ("x"):rep(args.bytes) end

function ends.asking(args, call)
  local content, why, code = ask(call, "name", args.timeout)
  if not content then return nil, why, code end
  return "worked for " .. content.name
end

function ends.twice(_, call)
  local first, why, code = ask(call, "name")
  if not first then return nil, why, code end
  local second
  second, why, code = ask(call, "name")
  if not second then return nil, why, code end
  return first.name .. " and " .. second.name
end

function ends.sampling(_, call)
  local answer, why, code = call:sample { prompt = "Say a word.", maxTokens = 5 }
  return answer and answer.text, why, code
end

function ends.several(_, call)
  local given, why, code = call:inputs {
    name    = { ask = { message = "Your name?", schema = FORM } },
    folders = { roots = {} },
  }
  if not given then return nil, why, code end
  return ("%s, %d roots"):format(given.name.action, #given.folders)
end

---@type Tool
return {
  title       = "Work",
  description = "Works for a while, then ends in one of several ways; may run as a task.",
  inputSchema = s.object {
    { "seconds", s.number("How long.", { optional = true, minimum = 0, maximum = 3600 }) },
    { "held",    s.boolean("Until a call releases it.", { optional = true }) },
    { "releases", s.boolean("What is held.", { optional = true }) },
    { "says",    s.string("Told as progress and in the log.", { optional = true }) },
    { "ends",    s.enum(WAYS, "How.", { optional = true }) },
    { "bytes",   s.integer("Of a large result.", { optional = true }) },
    { "timeout", s.number("Of a question.", { optional = true }) },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  execution   = { taskSupport = "optional" },

  run = function(args, call)
    local seen = state.open "test"
    seen.begun = (seen.begun or 0) + 1
    local _ <close> = setmetatable({}, {
      __close = function() seen.closed = (seen.closed or 0) + 1 end,
    })
    if args.says then
      call:progress(1, 2, args.says)
      call:log("warning", args.says)
    end
    if args.releases then
      seen.released = true
      task.signal "released"
    end
    while args.held and not seen.released do task.await "released" end
    if args.seconds then time.sleep(args.seconds) end
    return ends[args.ends or "well"](args, call)
  end,
}
