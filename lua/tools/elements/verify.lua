--- Checks conditions of elements and windows.

local beginnings     = require "desktop.beginnings"
local fail           = require "desktop.fail"
local json           = require "sys.json"
local modal          = require "elements.read.modal"
local predicate_wait = require "elements.check.predicate_wait"
local predicates     = require "elements.check.predicates"
local s              = require "schema"
local tool           = require "elements.tools.shared"

local MOST = 8


---@return elements.Predicate[]? list
---@return string? err
---@return string? code
local function read(args)
  local list = {}
  for i, given in ipairs(args.predicates) do
    local predicate, err, code = predicates.read(given, args.application, args.source)
    if not predicate then return nil, ("predicates[%d]: %s"):format(i, err), code end
    list[i] = predicate
  end
  return list
end


local function counts(answers)
  local count = { satisfied = 0, unsatisfied = 0, unknown = 0 }
  for _, each in ipairs(answers) do count[each.result] = count[each.result] + 1 end
  return count
end


--- "2 of 3 hold, 1 unknown:"; with the seconds if the call waited.
---@param seconds? number
local function headline(answers, count, seconds)
  local text = count.satisfied == #answers and (#answers == 1 and "It holds" or ("All %d hold"):format(#answers))
    or ("%d of %d hold"):format(count.satisfied, #answers)
  if count.unknown > 0 then text = ("%s, %d unknown"):format(text, count.unknown) end
  return seconds and seconds >= 0.05 and ("%s, after %.1f s:"):format(text, seconds) or text .. ":"
end


---@param args {predicates: table[], application?: string, timeout?: number}
---@param call Call
local function run(args, call)
  local list, err, code = read(args)
  if not list then return fail.with(err, code) end
  local awaited = predicate_wait.await(list, args.timeout or 0)
  local count = counts(awaited.answers)
  local lines, results = { headline(awaited.answers, count, args.timeout and awaited.seconds) }, json.array {}
  for i, each in ipairs(awaited.answers) do
    lines[i + 1] = ("%d %s: %s"):format(i, each.result, each.evidence)
    results[i] = { result = each.result, evidence = each.evidence, element = each.node and each.node.ref }
  end
  lines[#lines + 1] = args.timeout and not awaited.met and modal.remark(awaited.view.pids) or nil
  local all = count.unsatisfied > 0 and "false" or count.unknown > 0 and "unknown" or "true"
  return call:result {
    content = { { type = "text", text = table.concat(lines, "\n") } },
    structuredContent = { all = all, results = results, waited = awaited.seconds },
  }
end


---@type Tool
return {
  title        = "Verify elements and windows",
  description  = "Check predicates on elements and windows. Each is satisfied, unsatisfied, or unknown if it could not be "
              .. "read, with evidence. With timeout, wait until all hold.",
  inputSchema  = s.object {
    { "predicates", s.array(s.object(predicates.PARAMETERS), "One condition each.",
      { minItems = 1, maxItems = MOST }) },
    tool.application, tool.source,
    { "timeout", s.number("In seconds.", { optional = true, minimum = 0, maximum = 55 }) },
  },
  outputSchema = s.object {
    { "all", s.enum({ "true", "false", "unknown" }, "Whether all hold.") },
    { "results", s.array(s.object {
      { "result", s.enum { "satisfied", "unsatisfied", "unknown" } },
      { "evidence", s.string "What was read, or why nothing was." },
      { "element", s.string("Its ref.", { optional = true }) },
    }, "In the order of predicates.") },
    { "waited", s.number "Seconds." },
  },
  annotations  = tool.annotations,
  keeps        = true,  -- the refs
  codes        = fail.meanings("ELEMENT_NOT_FOUND", "INVALID_ARGUMENT"),

  about = { "focused", application = "application" },
  run = beginnings.run(run),

  examples = {
    { "several, with what was read of each",
      shows = { { { 0, "window", "Notes" }, { 1, "button", "Undo", states = { enabled = false } }, { 1, "label", "Ready" } } },
      args  = { predicates = { { text = "Ready" }, { element = 'button "Undo"', condition = "enabled" } } },
      has   = { "1 of 2 hold:" },
      want  = { all = "false", results = { { result = "satisfied" }, { result = "unsatisfied" } } } },
    { "two conditions in one", given = {},
      args  = { predicates = { { element = "button", condition = "enabled", value = "x" } } },
      err   = "predicates[1]: A predicate has one condition, this one has enabled and value", code = "INVALID_ARGUMENT" },
    { "nothing to check", given = {}, args = { predicates = { { condition = "gone" } } },
      err   = "needs element, window or text", code = "INVALID_ARGUMENT" },
  },
}
