--- The answer of execute_python_code: the result as a structure and as text, images, and links to the files.

local files    = require "python.files"
local json     = require "sys.json"
local result   = require "python.result"
local run      = require "python.run"
local sessions = require "python.sessions"

local M = {}

M.CODES = {
  BUSY              = "Code of this session runs already.",
  CODE_FAILED       = "The code raised an exception, or ended by sys.exit with another status than 0.",
  GUEST_CRASHED     = "The process of the code crashed.",
  GUEST_FORBIDDEN   = "The code did what the jail does not allow, and its process was ended.",
  GUEST_KILLED      = "The process of the code was ended, for example because it took too much memory.",
  GUEST_LOST        = "The process of the code could not be started, or ended without a word.",
  NO_INTERPRETER    = "The configured Python does not exist or does not start, or there is none.",
  NOT_SUPPORTED     = "This engine runs no Python.",
  NO_JAIL           = "No jail is tight enough here, so that no code runs.",
  TIMEOUT           = "The code was stopped at timeout_seconds.",
  TOO_MANY_CALLS    = "The code made more calls than a run may.",
  TOO_MANY_GUESTS   = "Too much code runs at the same time.",
  TOO_MANY_SESSIONS = "All sessions that may be kept run code.",
}


---@param call Call
---@param dict python.Result
---@param code? string  of a failure
---@param more? table[]  further blocks
local function answered(call, dict, code, more)
  local content = { { type = "text", text = json.encode(dict) } }
  table.move(more or {}, 1, #(more or {}), 2, content)
  return call:result { content = content, structuredContent = dict, isError = code and true or nil,
    _meta = code and { ["perigee/code"] = code:upper() } or nil }
end


--- Blocks of images and links to files.
---@param call Call
---@param outcome python.Outcome
local function blocks(call, outcome)
  local list = {}
  for _, image in ipairs(outcome.images) do list[#list + 1] = call:image(image.bytes, image.type) end
  for _, file in ipairs(outcome.files) do
    local kept = files.keep(file.name, file.bytes)
    list[#list + 1] = call:link { uri = files.uri(kept), name = file.name, mimeType = kept.type, size = #file.bytes }
  end
  return list
end


local function add(dict, note) if note then dict.message = dict.message .. " " .. note end end


local function given(value) if value ~= json.null then return value end end


---@param args {code: string, function_args?: any, function_kwargs?: any, timeout_seconds?: integer, session?: string}
---@param call Call
function M.execute(args, call)
  local session, note, code
  if given(args.session) then
    session, note, code = sessions.enter(args.session)
    if not session then return answered(call, result.made { status = "error", message = note }, code) end
  end
  local _ <close> = setmetatable({}, { __close = function() if session then sessions.abandon(session) end end })
  local outcome, err, why = run.execute { code = args.code, args = given(args.function_args),
    kwargs = given(args.function_kwargs), seconds = given(args.timeout_seconds), session = session, call = call }
  if not outcome then
    if session then sessions.release(session) end
    local dict = result.made { status = "error", message = "The code was not run: " .. err }
    return answered(call, dict, why or "failed")
  end
  add(outcome.result, note)
  if session then add(outcome.result, sessions.leave(session, outcome.lost)) end
  if #outcome.files > 0 then add(outcome.result, ("Files: %d, see the links."):format(#outcome.files)) end
  return answered(call, outcome.result, outcome.code, blocks(call, outcome))
end


return M
