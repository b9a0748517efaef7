--- Runs Lua in this engine: for `perigee repl --attach`.

local attached = require "repl.attached"
local console  = require "sys.console"
local s        = require "schema"

local MEMORY = 64 * 1024 * 1024   -- bytes that the typed code may add


---@param args {code: string, run?: integer, width?: integer, timeout?: number}
local function run(args)
  local told = 0
  local kind, what = attached.session():evaluate(args.code, { width = args.width, timeout = args.timeout,
    memory = MEMORY, printed = function(lines)
      if console.tell("printed", { run = args.run, text = lines }) then told = told + 1 end
    end })
  return { kind = kind, values = kind == "shown" and what or nil, message = kind == "error" and what or nil, told = told }
end


---@type Tool
return {
  title       = "Evaluate Lua in this engine",
  description = "Run Lua in this engine, as an expression or as statements, with globals that stay as long as the connection. "
             .. "What it prints comes as notifications/perigee/printed meanwhile. For the console of an engine.",
  inputSchema = s.object {
    { "code", s.string("The Lua text.", { maxLength = 1000000 }) },
    { "run", s.integer("A number that comes with what is printed.", { default = 0 }) },
    { "width", s.integer("Columns in which a table is written on one line.", { minimum = 20, maximum = 10000, default = 100 }) },
    { "timeout", s.number("Seconds that it may take.", { exclusiveMinimum = 0, maximum = 86400, default = 60 }) },
  },
  about       = { "nothing" },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },

  run = run,

  examples = {
    { "gives what it is",
      given = { ["repl.attached.session"] = function()
        return { evaluate = function(_, typed, options)
          options.printed "hello"
          return "shown", { { typed } }
        end }
      end, ["sys.console.tell"] = true },
      args  = { code = "1 + 1", run = 3 },
      want  = { kind = "shown", values = { { "1 + 1" } }, told = 1 },
      did   = { "repl.attached.session", "console.tell printed run=3 text=hello" } },
    { "gives an error as a message",
      given = { ["repl.attached.session"] = function()
        return { evaluate = function() return "error", "input:1: boom" end }
      end },
      args  = { code = "error 'boom'" }, want = { kind = "error", message = "input:1: boom", told = 0 } },
  },
}
