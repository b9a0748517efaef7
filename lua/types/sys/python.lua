---@meta sys.python

--- Python code in a process of its own, shut in as scripts of clients are. It is for the engine's own tools: lua/lib/python says
--- what jobs and results mean. Foreign files, packs and scripts of clients have it not.
---@class sys.python
local python = {}

---@class sys.python.Options
---@field job string       JSON: the code, its arguments and its limits, as lua/scripts/python reads them
---@field seconds? number  time of the code (default: 60, maximum: 86400). Code that goes on for 0.1 seconds more is killed. The time
---  stands still until the process has begun with the code, and while one of its calls waits for a person
---@field output? integer  bytes of both streams together that are kept (default: 262144, maximum: 16777216)
---@field calls? integer   tool calls, failed ones too (default: 1000, maximum: 1000000)
---@field session? sys.python.Session  the process that is to run it; nil: one of its own
---@field on_frames? fun(frames: string): string?  gets frames of the process as they come (OUTPUT, PICTURE, TOOLS), and returns
---  frames that answer them; it may wait

--- Runs code. The running call waits; if it is cancelled, the code is killed, and its tool calls are cancelled. Tool calls are made
--- for the caller of the running call and pass the policy.
---@param code string  the code, for the policy: an effect of the kind `python`
---@param options sys.python.Options
---@return string? frames   those that came last: DONE, FILE and others (src/guest/frame.h), which are not trusted. nil: nothing ran,
---  and the message and the code follow: "busy" (of a session), "too_large", "not_supported", "memory", "denied", "not_approved"
---@return integer|string left_out  frames that were left out: files and images are at most 34, of 20 MB
---@return string? err      why the process ended before the code did
---@return string? code     "timeout", "guest_crashed", "guest_forbidden", "guest_killed", "guest_lost", "no_jail", "cancelled",
---  "too_many_calls", "too_many_guests", "unread_answers", "bad_frame", "memory"
function python.run(code, options) end

--- Makes a session, whose process starts with its first run and stays for others, until it is closed or collected.
---@return sys.python.Session
function python.session() end

--- Returns the layers of jail that shut the code in: 1 system calls, 2 limits, 4 Landlock, 8 namespaces, 16 none is needed (a
--- build with sanitizers); their sum.
---@return integer? layers  nil: no process was made yet
function python.layers() end

---@class sys.python.Session
local session = {}

--- True while its process runs, with the variables of its last run.
---@return boolean
function session:alive() end

--- Kills its process, and ends the run that is under way. Twice is fine.
function session:close() end

return python
