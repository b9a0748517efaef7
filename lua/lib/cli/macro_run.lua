--- The work of perigee macro run.

local arguments = require "cli.arguments"
local engine    = require "sys.engine"
local files     = require "sys.files"
local find      = require "cli.find"
local policy    = require "sys.policy"
local result    = require "cli.result"

local M = {}


--- The macro of a name; a wrong name is wrong usage. It is one of all tools, because it shares what is loaded with those that its
--- steps call. The list of all files is read only if the name is not that of a macro.
---@return cli.Callable? macro
---@return string? err
---@return string? code
local function named(args)
  local id = args.name:gsub("^macros/", "")
  local declared, tool = files.table("tool", id), engine.tool(id)
  if tool and declared and declared._meta and declared._meta["perigee/macro"] then
    return { name = id, inputSchema = tool.inputSchema, call = function(...) return engine.call(id, ...) end }
  end
  local found, err = require("macros.shelf").find(args.name)
  if not found then return nil, (err:gsub("list_macros lists", "`perigee macro list` lists")), "usage" end
  if found.problem and not found.kept then return nil, ("%s does not load: %s"):format(found.label, found.problem) end
  return find.callable(args, found.id)
end


---@param args {name: string, arguments: string[], args?: string, from?: string, again?: boolean, dry_run?: boolean,
---  json?: boolean}
---@param io perigee.IO
function M.run(args, io)
  if args.again and not args.from then return nil, "--again repeats a step of --from", "usage" end
  local tool, given, answer, err, code
  if args.dry_run then policy.begin_dry_run() end
  tool, err, code = named(args)
  if not tool then return nil, err, code end
  local hint = ("Run `perigee tools %s` for its parameters."):format(tool.name)
  given, err = arguments.read(tool.inputSchema, args.arguments, args.args, io)
  if not given then return nil, ("%s: %s"):format(tool.name, err), "usage", hint end
  given.resume_from, given.repeat_sent = args.from, args.again
  answer, err, code = tool.call(given, {})
  io:progress()
  if not answer then return nil, err, code == "invalid_arguments" and "usage" or code, hint end
  local timed_out = answer.timed_out
  answer.timed_out, answer.code = nil, nil   -- not sent by servers
  local status
  status, err, code = result.show(answer, args, io)
  return timed_out and 124 or status, err, code
end


return M
