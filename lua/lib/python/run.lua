--- One run of Python code: from its arguments to the result, for the tool and for the command.

local files    = require "python.files"
local frames   = require "python.frames"
local json     = require "sys.json"
local packages = require "python.packages"
local process  = require "python.process"
local result   = require "python.result"
local task     = require "sys.task"
local tools    = require "python.tools"

local M = {}

M.SECONDS = 60
M.OUTPUT  = 64 * 1024   -- bytes
local EXTRA = 4096      -- bytes that frames take around output

---@class python.Order
---@field code string
---@field args? any[]
---@field kwargs? table<string, any>
---@field seconds? number           default: 60
---@field output? integer           bytes
---@field session? python.Session
---@field call? Call                 that it is for
---@field on_output? fun(stream: "stdout"|"stderr", bytes: string)

---@class python.Outcome
---@field result python.Result
---@field code? string               the code of a failure
---@field lost? string               why the variables of the session are gone
---@field files {name: string, bytes: string}[]
---@field images {name: string, type: string, bytes: string}[]

--- Text with U+FFFD for bytes that are not UTF-8.
local function clean(bytes) return json.decode(json.encode(bytes)) end


local IMAGES = { ["image/png"] = true, ["image/jpeg"] = true, ["image/svg+xml"] = true, ["image/gif"] = true,
  ["image/webp"] = true }


---@class python.Run  all that came of a run
---@field stdout string
---@field stderr string
---@field done? string     JSON: what the process says of the code's end; it is not trusted
---@field err? string      why the process ended before that
---@field code? string
---@field room integer     bytes that output may still have
---@field left_out integer frames of output, files and images that were left out
---@field files {name: string, bytes: string}[]
---@field images {name: string, type: string, bytes: string}[]
---@field notes string[]   for the message


local function add_file(run, name, bytes)
  if name == "" then
    run.notes[#run.notes + 1] = clean(bytes:sub(1, 2000))   -- the server says what it left out
  elseif files.is_name(name) then
    run.files[#run.files + 1] = { name = name, bytes = bytes }
  elseif name then
    run.notes[#run.notes + 1] = ("The file %s is left out, because of its name."):format(json.encode(name:sub(1, 100)))
  end
end


local function add_image(run, kind, name, bytes)
  if not (bytes and IMAGES[kind]) then return end
  run.images[#run.images + 1] = { type = kind, name = files.is_name(name) and name or "image", bytes = bytes }
end


--- Seconds until the code's own deadline, which comes before that of the process: JSON.
local function time_left()
  local left = task.remaining()
  return left < math.huge and ("%.3f"):format(math.max(left - process.HARD, 0)) or "null"   -- it stands
end


local STREAMS = { "stdout", "stderr" }
local THINGS = 34   -- files and images

--- Takes what frames say. Returns the answer to a question in them.
---@param run python.Run
---@param bytes string
---@param order python.Order
---@return string? reply
local function take(run, bytes, order)
  local on_output, call = order.on_output, order.call
  local reply
  for kind, id, payload in frames.each(bytes) do
    if kind == frames.OUTPUT then
      local stream, text = STREAMS[payload:byte()], frames.strings(1, payload, 2)
      run.room = run.room - #payload
      if run.room < 0 then run.left_out = run.left_out + 1
      elseif stream and text and on_output then on_output(stream, text)
      elseif stream and text then table.insert(run.said[stream], text) end
    elseif kind == frames.DONE then run.done = frames.strings(1, payload)
    elseif kind == frames.TOOLS then
      local answer = frames.strings(1, payload) == "time" and time_left() or tools.json(call)
      reply = (reply or "") .. frames.frame(frames.NAMES, id, answer)
    elseif #run.files + #run.images >= THINGS then run.left_out = run.left_out + 1
    elseif kind == frames.FILE then add_file(run, frames.strings(2, payload))
    elseif kind == frames.IMAGE then add_image(run, frames.strings(3, payload)) end
  end
  return reply
end


local function code_of(run, done)
  if run.code then return run.code end
  if not done then return "bad_frame" end
  if done.ok then return nil end
  return done.timeout and "timeout" or "code_failed"
end


--- Why a session's variables are gone after this run; nil: they are not.
local function lost(run, done)
  if run.code == "timeout" then return "the code went on after its time limit" end
  if run.err then return run.err end
  if not done then return "its process said what makes no sense" end
  return done.lost and "the code ended its process" or nil
end


---@param order python.Order
---@return python.Outcome? outcome  nil: nothing ran
---@return string? err
---@return string? code
function M.execute(order)
  local seconds = order.seconds or M.SECONDS
  local output = order.output or M.OUTPUT
  local job, problem = json.encode { code = order.code, args = order.args, kwargs = order.kwargs, seconds = seconds,
    output = output, session = order.session ~= nil }
  if not job then return nil, "The arguments cannot be passed on: " .. problem, "bad_argument" end
  local heavy = order.call ~= nil and packages.ready(order.code)
  local run = { said = { stdout = {}, stderr = {} }, room = 2 * output + EXTRA, left_out = 0,
    files = {}, images = {}, notes = {} }
  local last, left_out, err, code = process.run(order.code, { job = job, seconds = seconds, heavy = heavy,
    session = order.session and order.session.handle, on_frames = function(bytes) return take(run, bytes, order) end })
  if not last then return nil, left_out --[[@as string]], err end
  take(run, last, order)
  run.err, run.code, run.left_out = err, code, run.left_out + left_out
  run.stdout, run.stderr = clean(table.concat(run.said.stdout)), clean(table.concat(run.said.stderr))
  local dict, done = result.of(run, seconds)
  if order.call and (heavy or done and done.packages) then packages.used(heavy, code == "guest_lost") end
  return { result = dict, code = code_of(run, done), lost = order.session and lost(run, done), files = run.files,
    images = run.images }
end


return M
