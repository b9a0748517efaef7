--- The origin of text. The results that a call brought from outside are kept for its caller, and the arguments of later calls
--- are compared with them when a rule needs it.
---
-- Results are searched after they were sent, or earlier if a rule needs it: sys.taint.

local M = {}

local BITS = { screen = 1, clipboard = 2, web = 4, mount = 8, file = 16, own = 0 }
local ORDER = { "screen", "clipboard", "web", "mount", "file" }
local EVERYONE = ""

local TOOLSETS = { desktop = "screen", elements = "screen", screen = "screen" }


--- The origin of the content of a tool's or resource's results.
---@param subject sys.policy.Subject
---@return "screen"|"clipboard"|"web"|"mount"|"file"|"own"
function M.source(subject)
  if subject.mounted or subject.trust == "foreign" then return "mount" end   -- others wrote it, whatever it says about itself
  if BITS[subject.from] then return subject.from end
  if TOOLSETS[subject.toolset] and subject.name:find("clipboard", 1, true) then return "clipboard" end
  return TOOLSETS[subject.toolset] or "own"
end


--- The mounted server that a subject is of; nil: none.
---@param subject sys.policy.Subject
---@return string?
function M.server(subject) return subject.mounted and subject.toolset or nil end


local known = setmetatable({}, { __mode = "k" })

---@param subject sys.policy.Subject
---@return integer
function M.bits(subject)
  local bits = known[subject]
  if not bits then
    bits = BITS[M.source(subject)]
    known[subject] = bits
  end
  return bits
end


--- True if its results are from the screen.
---@param subject sys.policy.Subject
---@return boolean
function M.shows(subject) return M.bits(subject) == BITS.screen end


--- True if a run that calls it may do something with text that it returns. A tool that acts on the desktop returns only what it
--- did.
---@param subject sys.policy.Subject
---@return boolean
function M.reads(subject)
  return M.bits(subject) ~= BITS.screen or subject.annotations.readOnlyHint == true
end


local names = setmetatable({}, { __mode = "k" })
local own_client = { client = true, agent = true }   -- kinds of the one client that a process has, on its standard input

local MOST_NAMES = 32   -- of that client: it may give itself another with each request

local called   -- its names, in a list and as a set; kept by policy.memory(), so that a reload forgets none

--- The name for what a client on standard input is given. Several names are still one client.
local function add_called(name)
  if not called then
    local memory = require("sys.policy").memory()
    memory.called = memory.called or {}
    called = memory.called
  end
  if called[name] then return name end
  if #called >= MOST_NAMES then return called[MOST_NAMES] end
  called[#called + 1], called[name] = name, true
  return name
end


--- The name of a caller. It does not include the connection, because some clients have one for each request. Clients with one
--- token are one caller, whatever names they give themselves: what one of them was given another may pass on.
local function name_of(caller)
  local by_token = caller.kind == "http" or caller.kind == "oauth"
  local name = caller.kind .. "\0" .. (not by_token and caller.name or "") .. "\0" .. (caller.subject or "")
  if own_client[caller.kind] then name = add_called(name) end
  names[caller] = name
  return name
end


local engine, taint   -- loaded with the first call
local hosts           -- loaded with the first host that somebody names

local function load()
  engine, taint = require "sys.engine", require "sys.taint"
end


local function the_hosts()
  hosts = hosts or require "policy.hosts"
  return hosts
end


--- The hosts that a caller named by itself; nil: none.
local function own_hosts_of(who) return hosts and hosts.own(who) or nil end


--- Keeps text that is added to results of any caller.
---@param source "screen"|"clipboard"|"web"|"mount"|"file"
---@param text string
function M.note_all(source, text)
  if not taint then load() end
  taint.keep(EVERYONE, BITS[source], text, nil, true)
end


local UNASKED = { terminal = true, script = true }   -- callers that the policy of the engine never asks

--- The parts of a failure beside its message. Codes of one word or two, such as the engine's own, say nothing by themselves.
local function beside_message(message, code, meta)
  local plain = type(code) ~= "string" or #code <= 24 and code:find "^%l+_?%l*$" ~= nil
  return (meta ~= nil or not plain) and { message or false, code or false, meta } or message
end


--- A result without its pictures. Those of our own tools have no text in their bytes, and to look for it there took longer than
--- to make them.
local function without_pictures(result)
  local content, copy = type(result) == "table" and result.content, nil
  if type(content) ~= "table" then return result end
  for i, block in ipairs(content) do
    if type(block) == "table" and block.type == "image" then
      copy = copy or table.move(content, 1, #content, 1, {})
      copy[i] = false
    end
  end
  if not copy then return result end
  local rest = {}
  for name, value in pairs(result) do rest[name] = value end
  rest.content = copy
  return rest
end


--- Keeps the result of a call.
---@param subject sys.policy.Subject
---@param caller table
---@param first any   the results of run(), without words of the caller's
---@param second any
---@param code any
---@param meta any
function M.note(subject, caller, first, second, code, meta)
  if not taint then load() end
  local bits, failed = known[subject] or M.bits(subject), first == nil
  if failed then first = second end
  local chosen = bits > 0 and not subject.shipped and code   -- the engine's own codes are in its files
  if failed and (meta ~= nil or chosen) then
    first = beside_message(first, chosen, meta)
  end
  if first ~= nil then
    taint.keep(names[caller] or name_of(caller), bits, subject.shipped and without_pictures(first) or first,
      M.server(subject), not UNASKED[caller.kind])
  end
end


--- Keeps the result of a call that was made of text from outside.
---@param bits integer      its sources
---@param senders {mount?: string, web?: string}  the only mounted server among them, the only host
---@param subject sys.policy.Subject
---@param caller table
---@param first any   the results of run(), without words of the caller's
---@param second any
---@param code any
---@param meta any
function M.note_made(bits, senders, subject, caller, first, second, code, meta)
  if not taint then load() end
  if first == nil and second ~= nil then first = beside_message(second, code, meta) end
  for source in pairs(first ~= nil and BITS or {}) do
    if bits & BITS[source] > 0 then
      taint.keep(names[caller] or name_of(caller), BITS[source], first, senders[source], not UNASKED[caller.kind])
    end
  end
end


local PORTS = { http = "80", https = "443" }

--- The name for a host and port on the web that text is from: text may go back there.
---@param url any
---@return string?
function M.site(url)
  local host = type(url) == "string" and require("policy.address").host_of(url)
  if not host then return nil end
  local scheme, port = url:match "^(%a+)", url:match "^%a+://[^/?#]*:(%d+)"
  return ("//%s:%s"):format(host, port or PORTS[scheme:lower()] or "")
end


--- Keeps texts that the code of a file read from outside by a module. A tool that acts on the desktop reads it to find its way,
--- and what it returns is its own.
---@param subject? sys.policy.Subject  nil: it is apart from any call
---@param caller? table                nil: it counts as given to every caller
---@param call? Call
---@param source "screen"|"clipboard"|"web"|"mount"
---@param texts string[]
---@param url? string  where it is from
function M.note_read(subject, caller, call, source, texts, url)
  if not taint then load() end
  local site = source == "web" and M.site(url) or nil
  taint.keep(caller and (names[caller] or name_of(caller)) or EVERYONE, BITS[source], texts, site, true, true)
  if not call then return end
  local reads = source ~= "screen" or subject ~= nil and subject.annotations.readOnlyHint == true
  require("sys.policy").brings(call, BITS[source], reads, nil, site)
end


--- Keeps text that a marked run left where other calls may read it.
---@param bits integer     the sources of what the run was given
---@param server? string   the only mounted server among them
---@param caller table
---@param value any
function M.note_kept(bits, server, caller, value)
  if not taint then load() end
  for source, bit in pairs(BITS) do
    if bits & bit > 0 then
      local mount = source == "mount" and server or nil
      taint.keep(names[caller] or name_of(caller), bit, value, mount, not UNASKED[caller.kind], true)
    end
  end
end


--- Keeps words that stand for a place where text from outside lies, for a caller and, as long as this process runs, for all.
---@param caller table
---@param words string[]
---@param sources string[]
function M.note_place(caller, words, sources)
  if not taint then load() end
  for _, source in ipairs(sources) do
    taint.keep(names[caller] or name_of(caller), BITS[source], words, nil, true, true)
    taint.keep(EVERYONE, BITS[source], words, nil, true, true)
  end
end


--- Keeps text that a call tells beside its result, in a place that all such texts share.
---@param subject sys.policy.Subject
---@param caller table
---@param value any
---@param brought integer  the sources of what the call was given as a run, or has read
---@param server? string   the only mounted server among them
function M.note_beside(subject, caller, value, brought, server)
  if not taint then load() end
  local own = M.bits(subject)
  for source, bit in pairs(brought | own ~= 0 and BITS or {}) do
    if (brought | own) & bit > 0 then
      local of = source == "mount" and (own & bit > 0 and M.server(subject) or server) or nil
      if own & brought & bit > 0 and of ~= server then of = nil end   -- it is from several
      taint.keep(names[caller] or name_of(caller), bit, value, of, not UNASKED[caller.kind], true)
    end
  end
end


--- Keeps a definition that others wrote, which any caller may have read, or the load error of a foreign file.
---@param subject? sys.policy.Subject
---@param definition table|string
function M.note_definition(subject, definition)
  if not taint then load() end
  taint.keep(EVERYONE, BITS.mount, definition, subject and M.server(subject) or nil, true, true)
end


-- Tools of the engine that show what mounted servers and foreign files say of themselves, among other things.
local TELLS = { describe_tool = true, engine_status = true, search_tools = true }

local told, generation
local servers = {}   -- the names of the mounted servers, as a set

--- Reads the definitions by mounted servers and foreign files, which a model reads in the lists: separately for each server, and
--- together for all foreign files.
---@return sys.taint.Record
local function read_descriptions()
  local now, of, record = engine.generation(), {}, taint.record()
  for _, each in ipairs(require("sys.policy").others()) do
    local mount = each.server or 1
    of[mount] = of[mount] or {}
    table.insert(of[mount], each.definition)
  end
  servers = {}
  for mount in pairs(of) do
    if mount ~= 1 then servers[mount] = true end
  end
  for mount, texts in pairs(of) do record:put(BITS.mount, texts, mount ~= 1 and mount or nil) end
  told, generation = record, now
  return record
end


--- The sources of text in the arguments, by all names of the caller.
---@return integer bits
local function find_all(args, caller, who, descriptions, own_paths, mount, opens)
  local own_hosts = own_hosts_of(who)
  local bits = taint.find(args, who, descriptions, own_paths, mount, own_hosts, opens)
  if not own_client[caller.kind] or #called == 1 then return bits end
  for _, name in ipairs(called) do
    if name ~= who then bits = bits | taint.find(args, name, descriptions, own_paths, mount, own_hosts, opens) end
  end
  return bits
end


-- Sources that show a caller what it did itself.
local SHOWN = BITS.screen | BITS.clipboard | BITS.file

--- The same without what the caller chose itself, and has seen since where its own deeds are seen.
---@return integer bits
local function find(args, caller, who, descriptions, own_paths, mount, opens)
  local bits = find_all(args, caller, who, descriptions, own_paths, mount, opens)
  if bits == 0 or bits & ~SHOWN ~= 0 then return bits end
  local rest = require("policy.own_words").without(caller, args, function(text)
    return find_all({ text }, caller, who, descriptions, own_paths, mount, opens) ~= 0
  end)
  return rest and find_all(rest, caller, who, descriptions, own_paths, mount, opens) or bits
end


--- Did text from outside name this host, to the caller by any of its names?
local function has_host(host, caller, who, descriptions)
  if taint.has_host(host, who, descriptions) then return true end
  for _, name in ipairs(own_client[caller.kind] and called or {}) do
    if name ~= who and taint.has_host(host, name, descriptions) then return true end
  end
  return false
end


--- Is there text from outside in the arguments that the caller was given by another one of its names?
local function is_of_another_name(args, caller, who, descriptions)
  for _, name in ipairs(own_client[caller.kind] and called or {}) do
    if name ~= who and taint.find(args, name, descriptions, nil, nil, nil, true) ~= 0 then return true end
  end
  return false
end


--- All strings in a value.
local function texts_of(value, list)
  if type(value) == "string" then list[#list + 1] = value end
  for _, each in pairs(type(value) == "table" and value or {}) do texts_of(each, list) end
  return list
end


--- Notes that a call which shows texts of others has read them, if they are in its results: a run that made it may do something
--- with them.
---@param call Call
---@param subject sys.policy.Subject
---@param caller table
---@param ... any  the results of run()
function M.note_told(call, subject, caller, ...)
  if not (TELLS[subject.name] and subject.shipped and call:via()[1]) then return end
  if not taint then load() end
  local descriptions = generation == engine.generation() and told or read_descriptions()
  local policy, bits = require "sys.policy", find({ ... }, caller, names[caller] or name_of(caller), descriptions)
  if bits > 0 then policy.brings(call, bits, true) end
  local words = bits & BITS.mount == 0 and texts_of({ ... }, {}) or {}
  local said = "\n" .. table.concat(words, "\n")
  for _, each in ipairs(words[1] and policy.others() or {}) do   -- a description of one word has no words in a row
    local name = type(each.definition) == "table" and each.definition.name
    if name and said:find("\n[%s*-]*" .. name:gsub("%p", "%%%0") .. "%f[^%w_]") then
      return policy.brings(call, BITS.mount, true, each.server)
    end
  end
end


local function root_of(call) return call and require("sys.policy").root(call) or 0 end


local of_hosts = setmetatable({}, { __mode = "k" })

--- True if a tool's file declares an argument that names a host: that has no sign of one, as `localhost` has none.
local function declares_host(about)
  if of_hosts[about] == nil then
    of_hosts[about] = false
    for _, kind in pairs(about) do of_hosts[about] = of_hosts[about] or kind == "host" end
  end
  return of_hosts[about]
end


--- Keeps the paths and the hosts that a caller named before they came from outside. A window's title shows the path of the file
--- that the caller named, but that does not make it text of others. A path that was on the screen first still counts as from
--- there, however often the caller repeats it.
---@param caller table
---@param args table
---@param call Call
---@param about? table      the kinds of the arguments, as the tool's file declares them
---@param at_once? boolean  hosts count as named before: the arguments are code, and its calls come later
function M.said(caller, args, call, about, at_once)
  if caller.kind == "terminal" then return end   -- such a process makes one call
  if not taint then load() end
  local path, host = taint.names(args)
  host = host or at_once or about and declares_host(about)
  if not (path or host) or call and require("sys.policy").given(call) > 0 then return end   -- a marked run names nothing
  local who, descriptions = names[caller] or name_of(caller), generation == engine.generation() and told or read_descriptions()
  if path and not is_of_another_name(args, caller, who, descriptions) then taint.said(args, who, descriptions) end
  if host then
    the_hosts().note(who, args, at_once and -1 or root_of(call), function(name)
      return has_host(name, caller, who, descriptions) or find({ name }, caller, who, descriptions) ~= 0
    end, about)
  end
end


--- The hosts in the arguments that text from outside named, and that the caller did not name before. For text of the mounted
--- server that the call goes to, as for of().
---@param caller table
---@param args table
---@param subject sys.policy.Subject
---@return string[]
function M.hosts(caller, args, subject)
  if not taint then load() end
  local who, descriptions = names[caller] or name_of(caller), generation == engine.generation() and told or read_descriptions()
  local mount, list = M.server(subject), {}
  for _, name in ipairs(own_client[caller.kind] and called or { who }) do
    table.move(taint.hosts(args, name, descriptions, mount, own_hosts_of(who)), 1, 64, #list + 1, list)
  end
  return list
end


--- Keeps the hosts of addresses that the user chose, as if the caller had named them.
---@param caller table
---@param urls string[]
function M.name(caller, urls)
  the_hosts().note(names[caller] or name_of(caller), urls, -1, function() return false end)
end


--- Notes that the user is asked about these hosts: that they are in the caller's arguments does not make them known.
---@param caller table
---@param list (string|false)[]
function M.unname(caller, list) the_hosts().forget(names[caller] or name_of(caller), list) end


--- True if the caller named all of these hosts in an earlier call, before any text from outside had them.
---@param caller table
---@param list (string|false)[]  hosts; false: one that cannot be told
---@param call? Call
---@return boolean
function M.named(caller, list, call)
  return list[1] == nil or the_hosts().known(names[caller] or name_of(caller), list, root_of(call))
end


local sources_of = setmetatable({}, { __index = function(self, bits)
  local list = {}
  for _, source in ipairs(ORDER) do
    if bits & BITS[source] > 0 then list[#list + 1] = source end
  end
  self[bits] = list
  return list
end })


--- The names of sources.
---@param bits integer
---@return string[]
function M.names(bits) return sources_of[bits] end


--- Where text in the code and the arguments of a run is from. Whatever the run makes of it, each of its calls and effects counts
--- as from there.
---@param caller table
---@param subject sys.policy.Subject
---@param args table
---@return integer bits
---@return string? servers  the mounted servers, a line each, that sent all text which is from such servers
function M.run(caller, subject, args)
  local given = args
  if subject.stands_for then   -- only what its steps pass on: the names of elements are always from the screen
    given = {}
    for i, each in ipairs(subject.stands_for(args)) do   -- and what a wait looks for is there already
      local its = each.args
      given[i] = not each.about_as and { its.text or false, its.keys or false, its.value or false, its.files or false } or false
    end
  end
  if not taint then load() end
  local who = names[caller] or name_of(caller)
  local descriptions = generation == engine.generation() and told or read_descriptions()
  local bits = find(given, caller, who, descriptions, true, M.server(subject))
  if bits & BITS.mount == 0 then return bits end
  local senders = {}   -- several, where their descriptions have words in common
  for server in pairs(servers) do
    if find(given, caller, who, descriptions, true, server) & BITS.mount == 0 then senders[#senders + 1] = server end
  end
  return bits, table.concat(senders, "\n")
end


--- The sources of text in the arguments. Text that a mounted server sent may go back to that server. What a file does apart from
--- any call is compared with what any caller was given: a call may have left it to do.
---@param caller table
---@param args table
---@param own_paths? boolean  paths that the caller gave first do not count
---@param subject? sys.policy.Subject  the tool or resource that is called
---@param more? integer  bits of sources that count as well
---@param site? string    the host that it goes to (M.site): text may go back there
---@param opens? boolean   true: they are run or opened
---@return string[] sources
function M.of(caller, args, own_paths, subject, more, site, opens)
  if not taint then load() end
  local descriptions = generation == engine.generation() and told or read_descriptions()
  local mount = site or subject and M.server(subject)
  local bits = more or 0
  if caller.kind ~= "engine" then
    return sources_of[bits | find(args, caller, names[caller] or name_of(caller), descriptions, own_paths, mount, opens)]
  end
  for _, name in pairs(names) do
    bits = bits | taint.find(args, name, descriptions, own_paths, mount, own_hosts_of(name), opens)
  end
  return sources_of[bits]
end


local MANY = ("x"):rep(10000)   -- more than edited() compares: all counts as found

--- The sources of text that may come of a line's texts if they are edited.
---@param caller table
---@param state policy.LineState
---@param subject? sys.policy.Subject
---@return string[] sources
function M.edited(caller, state, subject)
  if not taint then load() end
  local descriptions = generation == engine.generation() and told or read_descriptions()
  local mount, bits = subject and M.server(subject), 0
  local who = names[caller] or name_of(caller)
  local texts = state.lost and { MANY } or state.texts
  local function look(name)
    bits = bits | taint.edited(texts, state.own, state.steps, not state.cut, name, descriptions, mount)
  end
  if caller.kind == "engine" then
    for _, name in pairs(names) do look(name) end
  else
    for _, name in ipairs(own_client[caller.kind] and called or { who }) do look(name) end
  end
  return sources_of[bits]
end


return M
