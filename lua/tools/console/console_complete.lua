--- The completions that Tab offers: for `perigee repl --attach`.

local attached = require "repl.attached"
local json     = require "sys.json"
local s        = require "schema"
local task     = require "sys.task"

local LIMIT = 1   -- seconds


---@param args {line: string}
local function run(args)
  local session = attached.session()
  local choices, replace, hint = task.with_timeout(LIMIT, function() return session:complete(args.line) end)
  if not choices then choices, replace, hint = {}, 0, nil end
  return { choices = json.array(choices), replace = replace, hint = hint }
end


---@type Tool
return {
  title       = "Complete Lua in this engine",
  description = "List what may follow a Lua text, with the globals of this connection: names, fields, modules, tools, arguments "
             .. "and their values; or say what a function takes. For the console of an engine.",
  inputSchema = s.object {
    { "line", s.string("The text before the cursor.", { maxLength = 100000 }) },
  },
  about       = { "nothing" },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = run,

  examples = {
    { "offers names",
      given = { ["repl.attached.session"] = function()
        return { complete = function() return { "print" }, 2, nil end }
      end },
      args  = { line = "pr" },
      want  = { choices = { "print" }, replace = 2 } },
    { "offers nothing where that would take too long",
      given = { ["repl.attached.session"] = function() return { complete = function() return nil, "timeout" end } end },
      args  = { line = "slow." }, want = { choices = {}, replace = 0 } },
  },
}
