--- Does the work of `perigee policy` and `perigee approvals`.

local approvals = require "policy.approvals"
local arguments = require "cli.arguments"
local engine    = require "sys.engine"
local explain   = require "policy.explain"
local files     = require "sys.files"
local policy    = require "sys.policy"
local strangers = require "cli.strangers"
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

--- The names in a policy that mean nothing. The program's own policy names tools of later versions, so it is not checked.
local function warnings(given, root, io)
  return root == engine.status().roots[1] and {} or strangers.of(given, io.config)
end


--- Warns, before the examples run: one that names a tool which is not there is judged as one of another's would be.
function M.warn(io)
  local decide, given = loaded()
  local path, root = file_in_effect()
  for _, what in ipairs(decide and warnings(given, root, io) or {}) do io:complain(("%s: warning: %s"):format(path, what)) end
end


function M.check(_, io)
  local decide, given, code = loaded()
  if not decide then return nil, given, code end
  local path, root = file_in_effect()
  local wrong = warnings(given, root, io)
  for _, what in ipairs(wrong) do io:print(("%s: warning: %s"):format(path, what)) end
  io:print(("%s: %s, otherwise %s; %s"):format(path, count_of(#given.rules, "rule"), given.otherwise or "ask",
    #wrong == 0 and "all well" or count_of(#wrong, "warning")))
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
