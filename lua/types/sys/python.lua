---@meta sys.python

--- Python code in a process of its own, shut in as scripts of clients are. lua/lib/python says what jobs and frames mean, and
--- runs code for every file; of this module only files that come with the program have run(), since it asks for no grant.
---@class sys.python
local python = {}

---@class sys.python.Options
---@field program string    the interpreter, absolute
---@field readable string   the paths that it may read, each on a line, of which none lies below another
---@field job string        JSON: the code, its arguments and its limits, as lua/scripts/python reads them
---@field calls? integer    tool calls, failed ones too (default: 1000, maximum: 1000000)
---@field heavy? boolean    true: its server has loaded large libraries

--- Gives a process its next job, as an effect of the kind `python`. Nothing runs before start().
---@param code string  the code, for the policy
---@param options sys.python.Options
---@param process sys.python.Process
---@return true? begun
---@return string? err
---@return string? code  "busy", "too_large", "not_supported", "denied", "not_approved"
function python.run(code, options, process) end

--- Makes a process, for one job or for several. It starts with the first, and stays until it is closed or collected.
---@return sys.python.Process
function python.process() end

--- Returns the layers of jail that shut the code in: 1 system calls, 2 limits, 4 Landlock, 8 namespaces, 16 none is needed (a
--- build with sanitizers); their sum.
---@return integer? layers  nil: no process was made yet
function python.layers() end

---@class sys.python.Process
local process = {}

--- Starts the job. The running task's time stands still until the process has begun with the code. Tool calls of the code are
--- made in this task: for its caller, and they pass the policy. Nothing is heard of the job any more when the task has ended.
---@return true? started
---@return string? err
---@return string? code  "too_many_guests", "no_jail", "no_interpreter", "guest_lost", ...
function process:start() end

--- Waits for frames of the job (src/guest/frame.h): OUTPUT, PICTURE, TOOLS, and the last one, DONE. They are not trusted.
---@return string? frames  nil: there are no more
---@return string? err     why it ended before the code did
---@return string? code    "guest_crashed", "guest_forbidden", "guest_killed", "guest_lost", "too_many_calls", "unread_answers",
---  "bad_frame", "cancelled"
function process:next() end

--- Sends frames to it, which it may read or not.
---@param frames string
function process:send(frames) end

--- Ends the job, and waits for its files.
---@param kept boolean  the process stays, with its variables
---@return string frames      those that came since next(): FILE, OUTPUT
---@return integer left_out   frames for which there was no room: 20 MB
function process:finish(kept) end

--- True while it runs, with the variables of its last job.
---@return boolean
function process:alive() end

--- Kills it. Twice is fine.
function process:close() end

return python
