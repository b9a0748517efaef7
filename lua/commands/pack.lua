--- perigee pack: adds, approves and updates what others wrote for Perigee. lua/lib/pack does the work.

local function part(name) return function(args, io) return require("pack." .. name).run(args, io) end end

local NAME  = { "name", "pack", "the pack" }
local NAMES = { "name", "pack", "a pack", optional = true, repeatable = true }


---@type perigee.Command
return {
  summary     = "add, approve, update and remove packs: tools and more that others wrote",
  description = "A pack is a directory with tools, prompts, lib files and more, and a pack.lua (docs/packs.md). It is added from "
             .. "a directory or a git repository. Until you approve it, its tools are foreign, which means that they run in a "
             .. "jail, and nothing else of it is loaded. Before you do, you are shown the modules that its files require. Your "
             .. "approval is for the files as they are: after any change the pack is foreign again.",
  default     = "list",
  subcommands = {
    add     = { summary = "add a pack from a directory or a git repository, and ask whether you approve it",
                arguments = { { "source", "string", "a directory, or the URL of a repository (https, ssh, file), perhaps with "
                                                 .. "a branch, tag or whole commit behind it", value = "DIR|GIT_URL[@REF]" } },
                run = part "add" },
    approve = { summary = "approve a pack as it is", arguments = { NAME }, run = part "approve" },
    list    = { summary = "list the packs: version, whether you approved it, where it is from, what is wrong with it",
                run = part "list" },
    remove  = { summary = "remove packs", arguments = { { "name", "pack", "a pack", repeatable = true } }, run = part "remove" },
    test    = { summary = "run the examples of a pack's files and its tests, the files tests/*_test.lua",
                arguments = { { "name", "pack", "an approved pack, or the directory of one", value = "NAME|DIR" } },
                run = part "test" },
    update  = { summary = "fetch packs again, show what is new and ask; default: all", arguments = { NAMES },
                run = part "update" },
    verify  = { summary = "hold every file of packs against what was recorded; default: all", arguments = { NAMES },
                run = part "verify" },
  },
  options     = {
    { "yes", "flag", "add, approve, update and remove: say yes to the question", letter = "y" },
    { "ref", "string", "update: take this branch, tag or commit from now on", value = "REF" },
    { "json", "flag", "list and verify: print one JSON object" },
  },
  notes       = "Exit status: 0 success, 1 failure, a difference (verify), a failed test (test) or no as "
             .. "the answer (approve), 2 usage error",
  log         = "off", -- the list shows what is wrong with packs
  stoppable   = false,
  cancelled   = function() require("pack.stage").abandon() end,

  examples = {
    { "says that there are none", args = {}, out = "There are no packs. Add one with `perigee pack add SOURCE`.\n",
      given = { ["sys.packs.folder"] = "/home/packs", ["sys.packs.list"] = {},
                ["sys.fs.read"] = { n = 3, false, "", "not_found" },
                ["sys.engine.status"] = { roots = { "/r" }, version = "0.1.0", problems = {} } } },
    { "refuses what anybody on the way could change", args = { "add", "http://example.com/pack" }, status = 2,
      err = "http: URLs are not supported. Use https, ssh or file" },
    { "refuses a password in a URL", args = { "add", "https://ann:secret@example.com/pack" }, status = 2,
      err = "Leave it to git's credential helper" },
    { "refuses a ref that git would take for an option", args = { "add", "https://example.com/pack@--upload-pack=x" }, status = 2,
      err = "is not a branch, tag or commit" },
  },
}
