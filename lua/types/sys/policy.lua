---@meta sys.policy

--- The functions of the system for the gate that calls pass (docs/policy.md). Tools have no use for it.
---@class sys.policy
local policy = {}

--- Returns the absolute path that a path leads to: links, "." and ".." are resolved as the system does it. For a missing file
--- it is the path that the file would have. A relative path starts at the first granted folder, otherwise at the current one;
--- "~" is the user's home. It may be outside of the granted folders.
---@param path string
---@param directory? string  the path is in it, as the system reads it: "~" is a name there
---@return string? path
---@return string? err
---@return string? code  "not_plain": it has ".." behind a missing folder, or a link that leads nowhere
function policy.real(path, directory) end

--- Returns text that is another one once the file of a path was written, or replaced.
---@param path string  as for real()
---@param directory? string  as for real()
---@return string? stamp
---@return string? err
---@return string? code
function policy.stamp(path, directory) end

--- Returns the table in which the policy keeps what it knows from call to call. It outlives a reload, and no other file reaches it.
---@return table
function policy.memory() end

--- While it is on, each effect is judged, also one of a kind that passed before whatever its facts were.
---@param on boolean
function policy.judge_all(on) end

--- Returns the folders that the user granted for writing, links resolved.
---@param own? boolean  true: those in which the engine keeps its own files
---@return string[]
function policy.grants(own) end

---@param name string
---@return boolean found  true if it is a program on PATH, or the path of one
function policy.on_path(name) end

--- Stops the running call's time limit until the returned value is closed, because the user is being asked.
---@return table paused
function policy.pause() end

--- Returns true if the call's client is not connected at present: it brings its answer with another request (2026-07-28), or
--- its connection was closed.
---@param call Call
---@return boolean
function policy.away(call) end

--- Stores an approval, whole or not at all, until it is revoked.
---@param id string    1 to 64 of 0-9 and a-f
---@param text string  at most 64 kB
---@return true? ok
---@return string? err
---@return string? code
function policy.approve(id, text) end

---@param id string
---@return string? text
---@return string? err
---@return string? code  "not_found"
function policy.approval(id) end

---@return string ids  the ids of all approvals, one a line
function policy.approvals() end

---@param id string
---@return boolean? there_was_one
---@return string? err
---@return string? code
function policy.revoke(id) end

--- Returns the modules that a tool of another root than the program's has required so far, with those that its own libs required.
---@param tool string
---@return table<string, true>
function policy.required(tool) end

--- Returns text that is another one once a lib file of the user's was written, came or went.
---@return string
function policy.libs_state() end

--- Returns the definitions that others wrote, of tools, prompts and resources: of mounted servers, and of foreign files, with the
--- load errors of these.
---@return {definition: table|string, server?: string}[] list  `server` is the name that a server is mounted by
function policy.others() end

--- Returns the function that decides about calls, as lua/lib/policy/compile.lua makes it. With "effects" as its only argument it
--- returns the function that decides about these.
---@return function? decide
---@return string? err  what is wrong with policy.lua
---@return string? code  "policy_broken"
function policy.decider() end

--- Marks the call's content as coming from there. Its result says so (`_meta["perigee/from"]`), and so does that of the call
--- that made it.
---@param call Call
---@param sources integer  the sum of 1 screen, 2 clipboard, 4 web, 8 mounted server, 16 file
---@param reads? boolean   true: the runs that led to the call read it, so that what they do from now on counts as from there
---@param server? string   the mounted server that it is from
---@param site? string     the host on the web that it is from, as "//host:port"
function policy.brings(call, sources, reads, server, site) end

--- Returns the sources of the text that the call was given as a run, or read by calls of its own; 0 after an effect of any of
--- these was refused, because its result then repeats our own words.
---@param call Call
---@return integer sources
---@return string? server  a mounted server that sent all text of such servers
---@return string? site    the host that sent all text from the web, as "//host:port"
function policy.brought(call) end

--- Marks the call as a run, with the sources of outside text that it was given: whatever it makes of it, what it does counts as
--- from there.
---@param call Call
---@param sources integer  as for brings()
---@param servers? string  the mounted servers, one a line, each of which sent all text that is from such servers
function policy.gives(call, sources, servers) end

--- Returns the marks of the call and of all calls that led to it.
---@param call Call
---@param home? string  text that this mounted server, or this host ("//host:port"), sent as well does not count: it goes back to where
---                     it is from
---@return integer sources
---@return string? server  a mounted server that sent all text of such servers
function policy.given(call, home) end

--- Returns the number of the outermost call that led to this one. None has it again while the engine runs.
---@param call Call
---@return integer
function policy.root(call) end

--- Returns what a session records of a client's call. With `ref`, its result says so (`_meta["perigee/ref"]`).
---@param call Call
---@param ref? integer    the number by which its result is kept: 3 for "r3"
---@return string? source  the text of the request; "": no client made the call; nil: it has ended
---@return integer? cap    how many bytes of text a result may have; 0: no limit of its own
function policy.sent(call, ref) end

--- Returns the path of the file whose code the call runs; nil: it runs none, as that of a mounted server.
---@param call Call
---@return string?
function policy.file(call) end

--- Reads a Lua file, wherever it is.
---@param path string
---@return string? code
---@return string? err
---@return string? error_code
function policy.code(path) end

--- Returns true if what runs may write into the granted directories only, as scripts of run_lua.
---@return boolean
function policy.confined() end

--- Returns what the call has done so far.
---@param call Call
---@return string[] first  the first eight functions by which it had effects, each once: "input.type"
---@return integer[] times  how often it called each of them
---@return integer count   how often it had effects; what only reads is not among them
function policy.done(call) end

--- True if the process itself holds the upper end of a terminal, through which a program gets what is typed.
---@param pid integer
---@return boolean  false also for another user's process
function policy.holds_terminal(pid) end

---@param pid integer
---@return integer[] pids  its child processes, at most 256
function policy.children(pid) end

--- Writes the call's line in the audit log.
---@param call Call
---@param decision string  "allow", "deny", "approved", "not_approved"
---@param rule integer     the number of the rule; 0 for none
---@param marked? boolean  true if text from outside is in its arguments: only their lengths are recorded
---@return true? ok
---@return string? err  why it is not in the log
---@return string? code
function policy.decided(call, decision, rule, marked) end

--- Writes another line of the audit log.
---@param kind string
---@param members table
---@return true? ok
---@return string? err
---@return string? code
function policy.record(kind, members) end

--- From now on this process only says what it would do (docs/dry-run.md). A dry run ends only with the process.
function policy.begin_dry_run() end

--- Does so if the policy says `dry_run = true`. Calls need not ask for it: the gate does.
---@return boolean dry  true: this is a dry run
function policy.heed_dry_run() end

---@return boolean
function policy.dry_run() end

---@class sys.policy.Subject
---@field kind "tool"|"prompt"|"resource"
---@field name string
---@field toolset string
---@field label string        the label of its file
---@field uri? string         for a resource: its URI or template
---@field original? string    its name at the mounted server
---@field mounted boolean     true if it is of a mounted server
---@field shipped boolean     true if its file comes with the engine
---@field aliases table<string, true>
---@field annotations table
---@field from? string        for a tool file: the source of the content of its results
---@field trust? "foreign"     its code runs in a process of its own (docs/scripts.md)
---@field state? string       for a foreign tool: identifies this state of its file
---@field about? table        for a tool file: what it is about (docs/scripts.md#subjects)
---@field also? table<string, string>  the other names of its parameters, and their own
---@field runs? boolean       for a tool file: what it is given may make any calls
---@field stands_for? fun(args: table): {tool: string, args: table}[]  for a tool file: calls whose work it does without calling

--- Returns the definition of a tool, a prompt or the resource of a URI, as lists show it.
---@param kind "tool"|"prompt"|"resource"
---@param name string  for a resource its URI
---@return string? text  JSON; nil if there is none
function policy.definition(kind, name) end

--- Returns the facts for a policy about a tool, a prompt, or the resource of a URI; always the same table for the same one.
---@param kind "tool"|"prompt"|"resource"
---@param name string  for a resource its URI
---@return sys.policy.Subject? subject  nil if there is none
function policy.subject(kind, name) end

return policy
