---@meta sys.policy

--- What the gate that calls pass (docs/policy.md) needs of the system. Tools have no use for it.
---@class sys.policy
local policy = {}

--- The absolute path that a path leads to: links, "." and ".." are resolved as the system does it. Of what is not there yet, the
--- path that it will have. A relative path starts at the first granted folder, else at the current one; "~" is the user's home.
--- It may lie outside of what was granted.
---@param path string
---@return string? path
---@return string? err
---@return string? code  "not_plain": it leads through a missing folder's "..", or a link that leads nowhere
function policy.real(path) end

--- The folders that the user granted for writing, links resolved.
---@return string[]
function policy.grants() end

---@param name string  without a slash
---@return boolean  is it a program that PATH leads to?
function policy.on_path(name) end

--- The running call's time stands still until this is closed: a person is being asked.
---@return table paused
function policy.pause() end

--- Keeps what was approved, whole or not at all, until it is revoked.
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

---@return string ids  of all, a line each
function policy.approvals() end

---@param id string
---@return boolean? there_was_one
---@return string? err
---@return string? code
function policy.revoke(id) end

--- The function that decides about calls, as lua/lib/policy/compile.lua makes it.
---@return function? decide
---@return string? err  what is wrong with policy.lua
---@return string? code  "policy_broken"
function policy.decider() end

--- What the call brings is from there; its result says so (`_meta["perigee/from"]`), and so does that of the call it was made by.
---@param call Call
---@param sources integer  1 screen, 2 clipboard, 4 web, 8 mounted server, 16 file, added up
function policy.brings(call, sources) end

--- The call's line in the audit log.
---@param call Call
---@param decision string  "allow", "deny", "approved", "not_approved"
---@param rule integer     its number; 0: none
---@param marked? boolean  text from outside is in its arguments: they are recorded by their lengths
---@return true? ok
---@return string? err  it is not in the log
---@return string? code
function policy.decided(call, decision, rule, marked) end

--- Another line of the audit log.
---@param kind string
---@param members table
---@return true? ok
---@return string? err
---@return string? code
function policy.record(kind, members) end

--- From now on this process only says what it would do (docs/dry-run.md). It cannot be ended but with the process.
function policy.begin_dry_run() end

---@return boolean
function policy.dry_run() end

---@class sys.policy.Subject
---@field kind "tool"|"prompt"|"resource"
---@field name string
---@field toolset string
---@field label string        its file
---@field uri? string         of a resource, or its template
---@field original? string    the name that its server gives it
---@field mounted boolean     of a mounted server
---@field shipped boolean     of a file that comes with the engine
---@field aliases table<string, true>
---@field annotations table
---@field from? string        of a tool file: where the content of its results is from
---@field trust? "foreign"     its code runs in a process of its own (docs/scripts.md)
---@field state? string       of a foreign tool: which state of its file this is
---@field stands_for? fun(args: table): {tool: string, args: table}[]  of a tool file: calls that it makes without calling

--- What a policy is told of a tool, a prompt, or the resource that a URI names; always the same table for the same.
---@param kind "tool"|"prompt"|"resource"
---@param name string  a resource's URI
---@return sys.policy.Subject?  nil: there is none
function policy.subject(kind, name) end

return policy
