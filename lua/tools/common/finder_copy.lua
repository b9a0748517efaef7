--- Copy a file or a folder into another folder.

local common  = require "common.told"
local finder  = require "common.finder"
local quoting = require "desktop.quoting"
local s       = require "schema"


---@param args {target: string, to: string}
---@param call Call
local function run(args, call)
  local done, err, code = finder.copy(args.target, args.to)
  if not done then return nil, err, code end
  local text = ("Copied %s to %s"):format(quoting.quote(done.from, 200), quoting.quote(done.path, 200))
  return common.told(call, text, done, done.note)
end


---@type Tool
return {
  title        = "Copy a file or folder",
  description  = "Copy a file, or a folder with all that is in it, into another folder. Nothing is replaced: an item of the same "
              .. "name there is an error. Both must be in granted directories. Links in a folder are left out.",
  inputSchema  = s.object { common.target, common.to },
  outputSchema = common.done_schema,
  annotations  = { readOnlyHint = false, destructiveHint = false, idempotentHint = false, openWorldHint = false },
  timeout      = 330,
  common       = "com.apple.finder",
  codes        = common.codes("EXISTS", "INTO_ITSELF", "IS_LINK", "NOT_A_FOLDER", "NOT_SEEN", "TOO_LARGE"),

  about = { "nothing", target = "path", to = "folder" },
  run = run,

  examples = {
    { "copies a folder, and says what it left out",
      given = { ["common.finder.copy"] = { from = "/home/ada/a", path = "/home/ada/old/a", left_out = 2 } },
      args  = { target = "~/a", to = "~/old" },
      has   = { 'Copied "/home/ada/a" to "/home/ada/old/a"' },
      want  = { path = "/home/ada/old/a", left_out = 2 } },

    { "does not put a folder into itself",
      given = { ["sys.fs.resolve"] = { "/home/ada", "/home/ada/a", "/home/ada/a/b" },
                ["sys.fs.stat"] = { kind = "folder", size = 0 } },
      args  = { target = "/home/ada/a", to = "/home/ada/a/b" },
      err   = "/home/ada/a/b is in /home/ada/a. A folder cannot be put into itself.", code = "INTO_ITSELF" },
  },
}
