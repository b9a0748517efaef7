--- Move a file or a folder to the trash.

local common  = require "common.told"
local finder  = require "common.finder"
local quoting = require "desktop.quoting"
local s       = require "schema"


---@param args {target: string}
---@param call Call
local function run(args, call)
  local done, err, code = finder.trash(args.target)
  if not done then return nil, err, code end
  return common.told(call, ("Moved %s to the trash"):format(quoting.quote(done.from, 200)), done, done.note)
end


---@type Tool
return {
  title        = "Move to the trash",
  description  = "Move a file or a folder to the trash, from which the user can restore it. The user is asked to approve it. It "
              .. "must be in a granted directory. Nothing is deleted for good.",
  inputSchema  = s.object { common.target },
  outputSchema = s.object {
    { "from", s.string "Absolute path where it was." },
    { "in_trash", s.boolean "True if it was seen in the trash." },
    { "note", s.string("If it was not seen there: what is known.", { optional = true }) },
  },
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = false },
  timeout      = 90,
  common       = "com.apple.finder",
  programs     = { "gio", "osascript" },
  codes        = common.codes("IS_LINK", "NOT_SEEN", "NO_TRASH", "TRASH_FAILED"),

  about = { "nothing", target = "path" },
  run = run,

  examples = {
    { "sees that it is gone, and in the trash",
      given = { ["common.system.is_mac"] = false, ["sys.fs.resolve"] = { "/home/ada", "/home/ada/a b" },
                ["sys.fs.stat"] = { { kind = "file", size = 1 }, { n = 3, false, "it is not there", "not_found" } },
                ["sys.effect.trash"] = true,
                ["sys.process.run"] = { { code = 0, stdout = "", stderr = "" },
                                        { code = 0, stdout = "Path=/home/ada/a%20b\n" } } },
      env   = { HOME = "/home/ada" },
      args  = { target = "/home/ada/a b" },
      has   = { 'Moved "/home/ada/a b" to the trash' },
      want  = { from = "/home/ada/a b", in_trash = true } },

    { "says why the trash did not take it",
      given = { ["common.system.is_mac"] = false, ["sys.fs.resolve"] = { "/home/ada", "/home/ada/a" },
                ["sys.fs.stat"] = { kind = "file", size = 1 }, ["sys.effect.trash"] = true,
                ["sys.process.run"] = { code = 1, stdout = "", stderr = "gio: the disk has no trash\n" } },
      args  = { target = "/home/ada/a" },
      err   = "The trash did not take /home/ada/a: gio: the disk has no trash", code = "TRASH_FAILED" },

    { "does nothing if the user says no",
      given = { ["sys.fs.resolve"] = { "/home/ada", "/home/ada/a" }, ["sys.fs.stat"] = { kind = "file", size = 1 },
                ["sys.effect.trash"] = { n = 3, false, "the user did not allow it", "not_approved" } },
      args  = { target = "/home/ada/a" },
      err   = "the user did not allow it", code = "not_approved" },
  },
}
