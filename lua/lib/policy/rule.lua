--- One rule of a policy: compiles its table from the file to functions that test whether it fits a call.

local arguments = require "policy.arguments"
local words     = require "policy.words"

local M = {}

local VERDICTS = { "allow", "ask", "deny" }
local KEYS = { "allow", "ask", "deny", "tool", "toolset", "resource", "prompt", "kind", "mounted", "trust", "annotations",
  "caller", "via", "app", "program", "args", "from", "from_args", "own_paths", "when", "per", "minutes", "capability", "effect",
  "server", "known_host" }   -- and FACTS
-- Facts about an effect, which a rule with `effect` may test.
local FACTS = { "how", "terminal", "paste", "own_clipboard", "text", "keys", "hotkey", "role", "name", "paths", "url",
  "host", "argv", "shell", "method", "granted", "to", "arguments", "own", "obeyed", "env", "cwd", "destructive", "reads" }
table.move(FACTS, 1, #FACTS, #KEYS + 1, KEYS)
local EFFECTS = { "input", "press", "drop", "start", "process", "request", "file", "clipboard", "mount", "mail", "message",
  "model", "settings", "window", "quit", "listen", "python", "record" }
-- A rule with no other conditions than these is about calls and about effects.
local OF_ALL = { allow = true, ask = true, deny = true, caller = true, via = true, per = true, minutes = true, capability = true }
local CALLER_KEYS = { "kind", "name", "subject" }
local CALLER_KINDS = { "terminal", "script", "engine", "agent", "client", "http", "oauth" }
M.CALLER_KINDS = CALLER_KINDS
local HINTS = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true }
local PER = { "tool", "app", "folder", "host", "call" }
local KINDS, TRUSTS = { "tool", "resource", "prompt" }, { "foreign" }
local SOURCES = { "screen", "clipboard", "web", "mount", "file" }

---@class policy.Rule
---@field number integer
---@field verdict "allow"|"ask"|"deny"
---@field reason string
---@field per string[]
---@field minutes number
---@field capability? string
---@field stops boolean    true: a call fails if it cannot be written to the audit log
---@field effects table<string, true>|boolean  the effects that it is about; true: all
---@field calls boolean    true: it is about calls
---@field asks_of_origin boolean  true: it is about text from outside
---@field asks_of_host boolean    true: it is about hosts that the caller did not name
---@field dynamic boolean  true: it has conditions on a call's arguments
---@field static fun(subject: table, caller: table): boolean
---@field holds fun(facts: policy.Facts): boolean


-- --- checks of the file -------------------------------------------------------------------------------

local function fail(where, text, ...) error(("%s: %s"):format(where, text:format(...)), 0) end


local sets = {}   -- the words of a list, for lookups: every start compiles all rules

local function set_of(list)
  local set = sets[list]
  if not set then
    set = {}
    for _, word in ipairs(list) do set[word] = true end
    sets[list] = set
  end
  return set
end


local function check_keys(given, keys, where)
  local set = set_of(keys)
  for key in pairs(given) do
    if not set[key] then
      fail(where, "unknown key '%s'%s", tostring(key), require("nearest").question(tostring(key), keys, " "))
    end
  end
end


--- Checks a name or a list of names, each one of `known` (nil: any).
local function check_words(value, where, known)
  local list = type(value) == "string" and { value } or value
  if type(list) ~= "table" or #list == 0 then fail(where, "expected a name or a list of names") end
  for _, word in ipairs(list) do
    if type(word) ~= "string" or word == "" then fail(where, "expected a name or a list of names") end
    if known and not set_of(known)[word] then
      fail(where, "not \"%s\"; one of %s%s", word, table.concat(known, ", "), require("nearest").question(word, known, ". "))
    end
  end
  return list
end


local function verdict_of(given, where)
  local verdict
  for _, word in ipairs(VERDICTS) do
    if given[word] ~= nil then
      if verdict then fail(where, "a rule has one of allow, ask and deny, and not two") end
      verdict = word
    end
  end
  if not verdict then fail(where, "a rule needs allow, ask or deny") end
  local reason = given[verdict]
  if reason ~= true and (type(reason) ~= "string" or reason == "") then
    fail(where, "%s must be the reason, a string that is not empty, or true", verdict)
  end
  if reason == true and verdict ~= "allow" then fail(where, "'%s' needs the reason, which the caller reads", verdict) end
  return verdict, reason == true and "" or reason
end


local function check_caller(value, where)
  if type(value) == "string" or #value > 0 then value = { kind = value } end
  check_keys(value, CALLER_KEYS, where)
  if value.kind then check_words(value.kind, where .. ".kind", CALLER_KINDS) end
  for _, key in ipairs { "name", "subject" } do
    if value[key] then check_words(value[key], ("%s.%s"):format(where, key)) end
  end
  return value
end


local function check_annotations(value, where)
  local hints = {}
  for key, wanted in pairs(value) do
    if HINTS[key] == nil then
      for hint in pairs(HINTS) do hints[#hints + 1] = hint end
      table.sort(hints)
      fail(where, "unknown key '%s'%s", tostring(key), require("nearest").question(tostring(key), hints, " "))
    end
    if type(wanted) ~= "boolean" then fail(where, "%s must be true or false", key) end
  end
end


-- --- conditions without arguments -----------------------------------------------------------------------

local STATIC = {}

function STATIC.tool(value)
  local is = words.any(value)
  return function(subject)
    if subject.kind ~= "tool" then return false end
    if is(subject.name) or subject.original and is(subject.original) then return true end
    for alias in pairs(subject.aliases) do
      if is(alias) then return true end
    end
    return false
  end
end

function STATIC.toolset(value)
  local is = words.any(value)
  return function(subject) return is(subject.toolset) end
end

--- A condition on the resource's URI. Here only the kind is tested; the URI of a call is tested when it is read.
function STATIC.resource() return function(subject) return subject.kind == "resource" end end

function STATIC.prompt(value)
  local is = words.any(value)
  return function(subject) return subject.kind == "prompt" and is(subject.name) end
end

function STATIC.kind(value)
  local is = words.any(value)
  return function(subject) return is(subject.kind) end
end

function STATIC.mounted(value) return function(subject) return subject.mounted == value end end

function STATIC.server(value)
  local is = words.any(value)
  return function(subject) return subject.mounted and is(subject.toolset) end
end

function STATIC.trust(value)
  local is = words.any(value)
  return function(subject) return subject.trust ~= nil and is(subject.trust) end
end

--- A condition on hints. If a file does not set one, the protocol's default holds. A resource or prompt only reads.
function STATIC.annotations(value)
  return function(subject)
    for hint, wanted in pairs(value) do
      local is = subject.annotations[hint]
      if subject.kind ~= "tool" then is = hint == "readOnlyHint" or hint == "idempotentHint" end
      if is == nil then is = HINTS[hint] end
      if is ~= wanted then return false end
    end
    return true
  end
end

--- A condition on the subject of a token. A token without one is a program's, "client:ID": no name of a person fits it.
local function subject_is(wanted)
  local any, of_client = words.any(wanted), {}
  for _, name in ipairs(type(wanted) == "table" and wanted or { wanted }) do
    if name == "*" or name:find "^client:" then of_client[#of_client + 1] = name end
  end
  local client = words.any(of_client)
  return function(subject) return (subject:find "^client:" and client or any)(subject) end
end


function STATIC.caller(value)
  local tests = {}
  for key, wanted in pairs(value) do
    tests[key] = key == "subject" and subject_is(wanted) or words.any(wanted, key == "name")
  end
  return function(_, caller)
    for key, is in pairs(tests) do
      if not caller[key] or not is(caller[key]) then return false end
    end
    return true
  end
end


--- True if a rule allows tools by names that others may choose: a mounted server and the file of a foreign tool choose their own.
local function allows_by_name(given)
  return given.allow ~= nil and (given.tool ~= nil or given.toolset ~= nil) and given.mounted == nil and given.trust == nil
    and given.server == nil
end

local function is_ours(subject) return not subject.mounted and subject.trust ~= "foreign" end


local function all_of(tests)
  if #tests == 1 then return tests[1] end
  return function(...)
    for _, test in ipairs(tests) do
      if not test(...) then return false end
    end
    return true
  end
end


-- --- conditions on arguments --------------------------------------------------------------------------

local DYNAMIC = {}

function DYNAMIC.resource(value, all)
  local is = require("policy.address").compile(value, all)
  return function(facts) return facts.uri ~= nil and is(facts.uri) end
end

function DYNAMIC.via(value)
  local is = words.any(value)
  return function(facts)
    for _, name in ipairs(facts:via()) do
      if is(name) then return true end
    end
    return false
  end
end

--- A condition on the applications that a call is about. A rule that allows has to fit all of them.
function DYNAMIC.app(value, all)
  local is = words.any(value, true)
  return function(facts)
    local apps = facts:apps()
    if not apps then return nil end
    for _, app in ipairs(apps) do
      local fits = false
      for _, name in ipairs(app) do fits = fits or is(name) end
      for _, name in ipairs(not all and app.like or {}) do fits = fits or is(name) end
      if fits ~= all then return fits end
    end
    return all and #apps > 0
  end
end

--- A condition on programs that open_application starts and that are not applications of the desktop.
function DYNAMIC.program(value)
  return function(facts) return facts:program() == value end
end

--- A condition on the hosts that a call or an effect is about: has the caller named them all before?
function DYNAMIC.known_host(value)
  return function(facts)
    local is = facts:known_host()
    if is == nil then return nil end
    return is == value
  end
end

function DYNAMIC.args(value, all, where)
  local test = arguments.compile(value, all, where, true)
  return function(facts) return test(facts:by_each_name(facts.args), facts:by_each_name(facts:placed())) end
end

function DYNAMIC.from(value, _, _, given)
  local is, own_paths, only = words.any(value), given.own_paths == true, given.from_args
  local question = require("policy.facts").question(own_paths, only)
  return function(facts)
    local sources = facts:sources(own_paths, only, question)
    for i = 1, #sources do
      if is(sources[i]) then return true end
    end
    return false
  end
end

function DYNAMIC.when(value)
  return function(facts)
    return value(facts:table()) and true or false
  end
end


--- A condition on a fact about an effect, by the comparisons of arguments.
local function fact(name)
  return function(value, all, where)
    local test = arguments.compile({ [name] = value }, all, where)
    return function(facts)
      local is = facts:fact(name)
      if is == nil then return nil end
      return test { [name] = is }
    end
  end
end

for _, name in ipairs(FACTS) do DYNAMIC[name] = fact(name) end


--- A condition on names that have several spellings: those of the rule and of the fact are brought to one.
---@param name string
---@param one_spelling fun(text: string): string
local function spelled(name, one_spelling)
  local plain = DYNAMIC[name]
  local function each_spelled(value)
    if type(value) == "string" then return one_spelling(value) end
    local list = {}
    for i, each in ipairs(value) do list[i] = type(each) == "string" and one_spelling(each) or each end
    return list
  end
  DYNAMIC[name] = function(value, all, where)
    local is_words = type(value) == "string" or type(value) == "table" and #value > 0
    local test = plain(is_words and each_spelled(value) or value, all, where)
    return function(facts)
      local is = facts:fact(name)
      if is_words and is then is = each_spelled(is) end
      return test { fact = function() return is end }
    end
  end
end

for _, name in ipairs { "argv", "cwd", "name", "paths", "text", "url" } do
  DYNAMIC[name] = function(...) return require("policy.effect.spellings")[name](...) end
end

local named = fact "host"
spelled("host", function(text) return not text:find("*", 1, true) and require("policy.address").host(text) or text:lower() end)
local of_others = DYNAMIC.host

--- A host that is listened at is an address of this machine, and those of all interfaces are not that of this machine alone.
function DYNAMIC.host(value, all, where)
  local listens, is_words = nil, type(value) == "string" or type(value) == "table" and #value > 0
  local goes = of_others(value, all, where)
  return function(facts)
    if facts.effect ~= "listen" or not is_words then return goes(facts) end
    local at = require("policy.address").listened
    if not listens then
      local list = {}
      for i, name in ipairs(type(value) == "table" and value or { value }) do list[i] = at(name, true) end
      listens = named(list, all, where)
    end
    local is = facts:fact "host"
    return listens { fact = function() return is and { at(is[1]) } end }
  end
end

spelled("keys", function(text) return require("policy.effect.chord").spelling(text) end)
spelled("method", string.upper)
spelled("to", function(text) return (text:lower():gsub("%.$", "")) end)


local CHECKS = {
  effect = function(value, where) return check_words(value, where, EFFECTS) end,
  tool = check_words, toolset = check_words, server = check_words, resource = check_words, prompt = check_words,
  via = check_words, app = check_words,
  trust = function(value, where) return check_words(value, where, TRUSTS) end,
  kind = function(value, where) return check_words(value, where, KINDS) end,
  from = function(value, where) return check_words(value, where, SOURCES) end,
  from_args = check_words,
  per = function(value, where) return check_words(value, where, PER) end,
}
local TYPES = { annotations = "table", args = "table", when = "function", mounted = "boolean", own_paths = "boolean",
  program = "boolean", known_host = "boolean",
  minutes = "number", capability = "string" }


local function check_types(given, where)
  for key, value in pairs(given) do
    local wanted, check = TYPES[key], CHECKS[key]
    if wanted and type(value) ~= wanted then
      fail(("%s.%s"):format(where, key), "expected a %s, not a %s", wanted, type(value))
    end
    if check then check(value, ("%s.%s"):format(where, key)) end
  end
  if given.caller ~= nil and type(given.caller) ~= "string" and type(given.caller) ~= "table" then
    fail(where .. ".caller", "expected a name, a list of names, or a table")
  end
  for _, key in ipairs { "own_paths", "from_args" } do
    if given[key] ~= nil and given.from == nil then fail(("%s.%s"):format(where, key), "only together with from") end
  end
  for _, key in ipairs(FACTS) do
    local wrong = given[key] ~= nil and (given.effect == nil and "only together with effect"
      or require("policy.effect.checks").wrong(key, given[key], given.effect))
    if wrong then fail(("%s.%s"):format(where, key), "%s", wrong) end
  end
  local program = given.program ~= nil and given.effect ~= nil
    and require("policy.effect.checks").wrong("program", given.program, given.effect)
  if program then fail(where .. ".program", "%s", program) end
  for _, key in ipairs { "args", "from_args", "resource", "prompt" } do
    if given[key] ~= nil and given.effect ~= nil then fail(("%s.%s"):format(where, key), "not together with effect") end
  end
  if given.minutes and not (given.minutes > 0 and given.minutes <= 1440) then
    fail(where .. ".minutes", "more than 0, at most 1440")
  end
end


--- The effects that a rule is about, as a set; true: all; false: none.
local function effects_of(given, of_all)
  if given.effect == nil then return of_all and given.allow ~= nil end
  local set = {}
  for _, name in ipairs(type(given.effect) == "table" and given.effect or { given.effect }) do set[name] = true end
  return set
end


--- True if a rule is also about input that presses or writes an element: whatever it forbids to be done by the application's own
--- interface is not to be done by the pointer or by keys.
local function is_about_pressing(given, effects)
  return type(effects) == "table" and effects.press and not effects.input and given.allow == nil and given.how == nil
end

--- The condition for that: the input presses or writes some element.
local function presses(facts)
  if facts.effect ~= "input" then return true end
  local node = facts:fact "node"
  if node == nil then return nil end
  return node ~= false
end


-- The conditions on a call or an effect: cheap ones come first, and those that ask the desktop last.
local IN_TURN = { "resource", "args", "how", "program", "method", "shell", "arguments", "argv", "env", "cwd", "paths",
  "granted", "own", "obeyed", "destructive", "reads", "url", "host", "to", "via", "known_host", "keys", "hotkey", "text",
  "from", "when", "app", "role", "name", "terminal", "paste", "own_clipboard" }


---@param given table   the rule as it is in the file
---@param number integer
---@param stops boolean  true: a call fails if it cannot be written to the audit log
---@return policy.Rule
function M.compile(given, number, stops)
  local where = ("rules[%d]"):format(number)
  if type(given) ~= "table" then fail(where, "expected a table, not a %s", type(given)) end
  check_keys(given, KEYS, where)
  local verdict, reason = verdict_of(given, where)
  check_types(given, where)
  if given.annotations then check_annotations(given.annotations, where .. ".annotations") end
  local caller = given.caller and check_caller(given.caller, where .. ".caller")
  local static, dynamic, all = {}, {}, verdict == "allow"
  for key, value in pairs(given) do
    local make = STATIC[key]
    if make then static[#static + 1] = make(key == "caller" and caller or value) end
  end
  if allows_by_name(given) then static[#static + 1] = is_ours end
  local of_all = true
  for key in pairs(given) do of_all = of_all and OF_ALL[key] == true end
  for _, key in ipairs(IN_TURN) do
    if given[key] ~= nil then
      dynamic[#dynamic + 1] = DYNAMIC[key](given[key], all, ("%s.%s"):format(where, key), given)
    end
  end
  local effects = effects_of(given, of_all)
  if is_about_pressing(given, effects) then
    effects.input, dynamic[#dynamic + 1] = true, presses
  end
  return { number = number, verdict = verdict, reason = reason, stops = stops, minutes = given.minutes or 15,
    capability = given.capability, effects = effects, calls = given.effect == nil,
    asks_of_origin = given.from ~= nil, asks_of_host = given.known_host ~= nil,
    per = type(given.per) == "string" and { given.per } or given.per or { "tool" },
    dynamic = #dynamic > 0, static = all_of(static), holds = function(facts)
      for i = 1, #dynamic do
        local is = dynamic[i](facts)
        if is == false or (is == nil and all) then return false end
      end
      return true
    end }
end


return M
