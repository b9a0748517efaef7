local FILE, FOLDER = { kind = "file", size = 1 }, { kind = "folder", size = 0 }
local GONE = { n = 3, false, "it is not there", "not_found" }

---@type ToolExample[]
return {
  { "a folder on another disk is to be copied",
    given = { ["common.system.is_mac"] = false, ["sys.fs.resolve"] = { "/home/ada", "/home/ada/a", "/disk" },
              ["sys.fs.stat"] = { FOLDER, FOLDER, GONE },
              ["sys.fs.rename"] = { n = 3, false, "it is on another disk", "other_disk" } },
    args  = { target = "/home/ada/a", to = "/disk" }, err = "Copy it with finder_copy, then trash it.", code = "OTHER_DISK" },

  { "both are seen: that it is there, and that it is gone",
    given = { ["common.system.is_mac"] = false, ["sys.fs.resolve"] = { "/home/ada", "/home/ada/a", "/home/ada/b" },
              ["sys.fs.stat"] = { FILE, FOLDER, GONE, FILE, FILE }, ["sys.fs.rename"] = true },
    args  = { target = "/home/ada/a", to = "/home/ada/b" }, err = "is not there", code = "NOT_SEEN" },

  { "a slash at its end, and a folder whose name begins as its own",
    given = { ["common.system.is_mac"] = false, ["sys.fs.resolve"] = { "/home/ada", "/home/ada/a", "/home/ada/ab" },
              ["sys.fs.stat"] = { FOLDER, FOLDER, GONE, FOLDER, GONE }, ["sys.fs.rename"] = true },
    args  = { target = "/home/ada/a/", to = "/home/ada/ab" }, want = { from = "/home/ada/a", path = "/home/ada/ab/a" },
    did   = { "fs.resolve /home/ada", "fs.resolve /home/ada/a", "fs.stat /home/ada/a", "fs.resolve /home/ada/ab",
              "fs.stat /home/ada/ab", "fs.stat /home/ada/ab/a", "common.system.is_mac", "fs.rename /home/ada/a /home/ada/ab/a",
              "fs.stat /home/ada/ab/a", "fs.stat /home/ada/a" } },

  { "a target that is a file",
    given = { ["sys.fs.resolve"] = { "/home/ada", "/home/ada/a", "/home/ada/b" }, ["sys.fs.stat"] = { FILE, FILE } },
    args  = { target = "/home/ada/a", to = "/home/ada/b" }, err = "/home/ada/b is not a folder.", code = "NOT_A_FOLDER" },

  { "a link out of the granted folders is in the way",
    given = { ["sys.fs.resolve"] = { "/home/ada", "/home/ada/a", "/home/ada/b" },
              ["sys.fs.stat"] = { FILE, FOLDER, { n = 3, false, "it leads outside", "not_granted" } } },
    args  = { target = "/home/ada/a", to = "/home/ada/b" }, err = "already exists", code = "EXISTS" },
}
