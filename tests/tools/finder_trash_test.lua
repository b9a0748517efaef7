local FILE = { kind = "file", size = 1 }
local GONE = { n = 3, false, "it is not there", "not_found" }

--- Results for finder_trash of /home/ada/a, with those of its processes.
local function given(stats, ...)
  return { ["common.system.is_mac"] = false, ["sys.fs.resolve"] = { "/home/ada", "/home/ada/a" }, ["sys.fs.stat"] = stats,
    ["sys.effect.trash"] = true, ["sys.process.run"] = { ... } }
end

local OK = { code = 0, stdout = "", stderr = "" }

---@type ToolExample[]
return {
  { "another disk has a trash of its own, which is not looked into",
    given = given({ FILE, GONE }, OK, { code = 0, stdout = "Path=/home/ada/a.txt\nPath=/x/home/ada/a\n" }),
    env   = { HOME = "/home/ada" }, args = { target = "/home/ada/a" },
    has   = { "Note: It is gone from its folder." }, want = { in_trash = false } },

  { "no trash at all yet",
    given = given({ FILE, GONE }, OK, { code = 2, stdout = "" }),
    env   = { HOME = "/home/ada" }, args = { target = "/home/ada/a" }, want = { in_trash = false } },

  { "a file that is still there was not trashed, whatever the program says",
    given = given({ FILE, FILE }, OK, { code = 0, stdout = "Path=/home/ada/a\n" }),
    env   = { HOME = "/home/ada" }, args = { target = "/home/ada/a" }, err = "is still in its folder", code = "NOT_SEEN" },

  { "the program is missing",
    given = given(FILE, { n = 3, false, "no such program", "not_found" }),
    args  = { target = "/home/ada/a" }, err = "apt-get install libglib2.0-bin", code = "NO_TRASH" },

  { "the path is not an option of the program, wherever it begins with a dash",
    given = { ["common.system.is_mac"] = false, ["sys.fs.resolve"] = { "/home/ada", "/home/ada/-f" },
              ["sys.fs.stat"] = { FILE, GONE }, ["sys.effect.trash"] = true,
              ["sys.process.run"] = { OK, { code = 2, stdout = "" } } },
    env   = { XDG_DATA_HOME = "/data" }, args = { target = "-f" }, want = { from = "/home/ada/-f" },
    did   = { "fs.resolve .", "fs.resolve /home/ada/-f", "fs.stat /home/ada/-f", "effect.trash /home/ada/-f",
              "common.system.is_mac", "process.run gio trash -- /home/ada/-f",
              "process.run grep -rhxe Path=.* -- /data/Trash/info", "fs.stat /home/ada/-f" } },

  { "a link is not followed",
    given = { ["sys.fs.resolve"] = { "/home/ada", "/home/ada/old/b" }, ["sys.fs.stat"] = FILE },
    args  = { target = "/home/ada/a" }, err = "/home/ada/a is a link to /home/ada/old/b.", code = "IS_LINK" },
}
