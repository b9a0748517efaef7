--- Does the work of `perigee policy` and `perigee approvals`.

local approvals = require "policy.approvals"
local arguments = require "cli.arguments"
local engine    = require "sys.engine"
local explain   = require "policy.explain"
local files     = require "sys.files"
local policy    = require "sys.policy"
local text      = require "terminal.text"
local time      = require "sys.time"

local M = {}

local COLORS = { allow = "green", ask = "yellow", deny = "red" }


--- The path and the root of the policy file in effect: that of the last root that has one.
local function file_in_effect()
  for _, file in ipairs(files.list()) do
    if file.kind == "policy" and not file.overridden_by then return file.path, file.root end
  end
end


--- Returns the function that decides, and the file's table; otherwise nil and a message.
local function loaded()
  engine.tools()   -- loads all files, so that a broken one is reported
  local decide, err, code = policy.decider()
  if not decide then return nil, ("%s: %s"):format(file_in_effect() or "policy.lua", err), code end
  return decide, files.table("policy", "policy")
end


local function count_of(n, what) return ("%d %s%s"):format(n, what, n == 1 and "" or "s") end


-- --- check ----------------------------------------------------------------------------------

--- Lists the names in a rule that match nothing here. Names with * may match later ones.
local function strangers(rule, known)
  local found = {}
  for _, key in ipairs { "tool", "toolset", "prompt" } do
    local list = rule[key]
    for _, name in ipairs(type(list) == "string" and { list } or list or {}) do
      if not name:find("*", 1, true) and not known[key][name] then
        found[#found + 1] = ("there is no %s %q%s"):format(key, name,
          require("nearest").question(name, known[key].names, "; "))
      end
    end
  end
  return found
end


--- The arguments that the tools of a rule have, as a set; nil: one of them may have any.
local function arguments_of(names, known)
  local set, list = {}, {}
  for _, name in ipairs(names) do
    local tool = known.tool[name] and engine.tool(name)
    local schema = tool and tool.inputSchema
    if not schema or not schema.properties or schema.additionalProperties then return nil end
    for argument in pairs(schema.properties) do
      if not set[argument] then list[#list + 1] = argument end
      set[argument] = true
    end
  end
  table.sort(list)
  return set, list
end


--- Lists the arguments in a rule that none of its tools has.
local function strange_arguments(rule, known)
  local names, found = type(rule.tool) == "string" and { rule.tool } or rule.tool or {}, {}
  local has, list = arguments_of(names, known)
  if not has or #names == 0 then return found end
  local function look(argument, key)
    local first = argument:match "^[^.]+" or argument
    if not has[first] then
      found[#found + 1] = ("%s: %s has no argument %q%s"):format(key, table.concat(names, ", "), first,
        require("nearest").question(first, list, "; "))
    end
  end
  for argument in pairs(rule.args or {}) do look(argument, "args") end
  for _, argument in ipairs(type(rule.from_args) == "string" and { rule.from_args } or rule.from_args or {}) do
    look(argument, "from_args")
  end
  table.sort(found)
  return found
end


local function known_names()
  local known = { tool = { names = {} }, toolset = { names = {} }, prompt = { names = {} } }
  local function add(kind, name)
    if not known[kind][name] then table.insert(known[kind].names, name) end
    known[kind][name] = true
  end
  for _, tool in ipairs(engine.tools()) do
    add("tool", tool.name)
    add("toolset", tool.toolset)
    for _, alias in ipairs(tool.aliases or {}) do add("tool", alias) end
  end
  for _, prompt in ipairs(engine.prompts()) do add("prompt", prompt.name) end
  return known
end


function M.check(_, io)
  local decide, given, code = loaded()
  if not decide then return nil, given, code end
  local path, root = file_in_effect()
  local known, warned = known_names(), 0
  -- The program's own policy names tools that later versions may add, so it is not checked.
  for i, rule in ipairs(root == engine.status().roots[1] and {} or given.rules) do
    local wrong = strangers(rule, known)
    for _, what in ipairs(#wrong == 0 and strange_arguments(rule, known) or {}) do wrong[#wrong + 1] = what end
    for _, what in ipairs(wrong) do
      warned = warned + 1
      io:print(("%s: warning: rule %d: %s"):format(path, i, what))
    end
  end
  io:print(("%s: %s, otherwise %s; %s"):format(path, count_of(#given.rules, "rule"), given.otherwise or "ask",
    warned == 0 and "all well" or count_of(warned, "warning")))
  return 0
end


-- --- explain ---------------------------------------------------------------------------------

local function question_of(args, io)
  local caller = { kind = args.caller, name = args.client, subject = args.subject }
  local uri = args.tool:match "^%a[%w+.-]*:.+"
  local question = { caller = caller, app = args.app, via = args.via, from = args.from }
  local tool = engine.tool(args.tool)
  for _, kind in ipairs(not tool and require "policy.effect.kinds" or {}) do
    if kind.name == args.tool then question.effect = args.tool end
  end
  if not question.effect then question[uri and "resource" or "tool"] = args.tool end
  local given, err = {}, nil
  local checks = question.effect and require "policy.effect.checks"
  local schema = tool and tool.inputSchema or checks and checks.schema(question.effect) or { type = "object" }
  if not uri then given, err = arguments.read(schema, args.arguments, args.args, io) end
  if not given then return nil, err end
  err = checks and checks.unknown(question.effect, given)
  if err then return nil, err end
  for _, name in ipairs(checks and { "app", "from", "via" } or {}) do
    if given[name] then question[name], given[name] = given[name], nil end
  end
  question.args = given
  return question
end


local function joined(rule) return table.concat(rule.per, " and ") end


--- "an answer may hold for 15 minutes, for each folder"
local function holds(rule)
  if #rule.per == 1 and rule.per[1] == "call" then return "an answer holds for this call alone" end
  return ("an answer may hold for %g minutes, for each %s"):format(rule.minutes, joined(rule))
end


--- The lines about effects that the call may have, which other rules judge where they happen.
local function tell_effects(list, io)
  if #list > 0 then io:print "what it does is judged again where it happens, if it is of this kind:" end
  for _, each in ipairs(list) do
    io:print(("  %s: rule %d, %s: %s"):format(table.concat(each.effects, ", "), each.rule.number,
      each.rule.verdict .. (each.rule.dynamic and " if it fits" or ""), each.rule.reason))
  end
end


function M.explain(args, io)
  local decide, problem, code = loaded()
  if not decide then return nil, problem, code end
  local question, err = question_of(args, io)
  if not question then return nil, err, "usage" end
  local rule, known = explain.rule(decide, question)
  if not rule then return nil, known, "usage" end
  local of_effects = rule.verdict ~= "deny" and not question.effect and explain.later(decide, question) or {}
  if args.json then
    io:json { verdict = rule.verdict, rule = rule.number, reason = rule.reason, file = file_in_effect(),
      effects = explain.facts(of_effects) }
    return 0
  end
  io:print(text.paint(io.color, COLORS[rule.verdict], rule.verdict))
  local where = rule.number == 0 and "no rule fits" or ("rule %d"):format(rule.number)
  io:print(("%s %s %s%s"):format(where, rule.number == 0 and "in" or "of", file_in_effect(),
    rule.reason ~= "" and rule.number > 0 and ": " .. rule.reason or ""))
  if rule.verdict == "ask" then
    io:print(holds(rule))
  end
  tell_effects(of_effects, io)
  if not known then io:complain(("there is no %s here now"):format(args.tool)) end
  return 0
end


-- --- approvals -------------------------------------------------------------------------------------

local function left(seconds)
  if seconds >= 3600 then return ("%d h %d min"):format(seconds // 3600, seconds % 3600 // 60) end
  return seconds >= 60 and ("%d min"):format(seconds // 60) or ("%d s"):format(seconds)
end


function M.list_approvals(args, io)
  local list = approvals.list()
  if args.json then
    io:json { approvals = require("sys.json").array(list) }
    return 0
  end
  if #list == 0 then io:print "nothing is approved" end
  for _, each in ipairs(list) do
    io:print(("%s  %s, for %s: %s left%s"):format(each.id:sub(1, 8), text.clean(each.what), text.clean(each.caller),
      left(each.expires - time.now()), each.session and ", or until it disconnects" or ""))
  end
  return 0
end


function M.revoke(args, io)
  if #args.id == 0 and not args.all then return nil, "which? `perigee approvals` lists them; --all means all", "usage" end
  local list, gone = approvals.list(), 0
  local unknown = {}
  for _, id in ipairs(args.id) do
    local found = false
    for _, each in ipairs(list) do found = found or id:find "^%x+$" and each.id:sub(1, #id) == id:lower() end
    if not found then unknown[#unknown + 1] = ("no approval begins with %q"):format(id) end
  end
  for _, each in ipairs(list) do
    local meant = args.all
    for _, id in ipairs(args.id) do meant = meant or id:find "^%x+$" and each.id:sub(1, #id) == id:lower() end
    if meant then
      local ok, err, code = approvals.revoke(each.id)
      if ok == nil then return nil, err, code end
      gone = gone + 1
    end
  end
  if gone > 0 or not unknown[1] then io:print(count_of(gone, "approval") .. " revoked") end
  if unknown[1] then return nil, table.concat(unknown, "; "), "not_found" end
  return 0
end


return M
