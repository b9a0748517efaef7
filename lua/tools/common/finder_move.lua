--- Move a file or a folder into another folder.

local common  = require "common.told"
local finder  = require "common.finder"
local quoting = require "desktop.quoting"
local s       = require "schema"


---@param args {target: string, to: string}
---@param call Call
local function run(args, call)
  local done, err, code = finder.move(args.target, args.to)
  if not done then return nil, err, code end
  local text = ("Moved %s to %s"):format(quoting.quote(done.from, 200), quoting.quote(done.path, 200))
  return common.told(call, text, done, done.note)
end


---@type Tool
return {
  title        = "Move a file or folder",
  description  = "Move a file or a folder into another folder. Nothing is replaced: an item of the same name there is an error. "
              .. "Both must be in granted directories. To delete, call finder_trash.",
  inputSchema  = s.object { common.target, common.to },
  outputSchema = common.done_schema,
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = false },
  timeout      = 330,
  common       = "com.apple.finder",
  codes        = common.codes("EXISTS", "INTO_ITSELF", "IS_LINK", "NOT_A_FOLDER", "NOT_SEEN", "OTHER_DISK"),

  about = { "nothing", target = "path", to = "folder" },
  run = run,

  examples = {
    { "moves, and sees that it is there",
      given = { ["common.finder.move"] = { from = "/home/ada/a.txt", path = "/home/ada/old/a.txt" } },
      args  = { target = "~/a.txt", to = "~/old" },
      has   = { 'Moved "/home/ada/a.txt" to "/home/ada/old/a.txt"' },
      want  = { from = "/home/ada/a.txt", path = "/home/ada/old/a.txt" } },

    { "replaces nothing",
      given = { ["sys.fs.resolve"] = { "/home/ada", "/home/ada/a.txt", "/home/ada/old" },
                ["sys.fs.stat"] = { { kind = "file", size = 1 }, { kind = "folder", size = 0 }, { kind = "file", size = 2 } } },
      args  = { target = "/home/ada/a.txt", to = "/home/ada/old" },
      err   = "/home/ada/old/a.txt already exists. Rename or trash one of them first; nothing is replaced.", code = "EXISTS" },

    { "does not believe what it does not see",
      given = { ["common.system.is_mac"] = true, ["sys.fs.resolve"] = { "/Users/ada", "/Users/ada/a", "/Users/ada/old" },
                ["sys.fs.stat"] = { { kind = "file", size = 1 }, { kind = "folder", size = 0 },
                                    { n = 3, false, "it is not there", "not_found" },
                                    { n = 3, false, "it is not there", "not_found" } },
                ["sys.effect.save_file"] = true, ["sys.osascript.run"] = "/Users/ada/old/a" },
      args  = { target = "/Users/ada/a", to = "/Users/ada/old" },
      err   = "/Users/ada/a was to be moved to /Users/ada/old/a, and is not there.", code = "NOT_SEEN" },
  },
}
