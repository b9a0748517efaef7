local ui = require "testing.interface"

local SHELF = { { 0, "window", "Shelf" }, { 1, "group", "Zone" } }


--- A file that exists, and the outcome of the drop.
local function given(sent)
  return ui.with(ui.shown { SHELF }, { ["sys.fs.stat"] = { name = "a.txt", kind = "file", size = 3, modified = 0 },
    ["sys.input.drop"] = sent or { sent = 1, route = "xdnd copy" } })
end


---@type ToolExample[]
return {
  { "the target's word counts where the elements show nothing",
    given = given(), args = { files = { "/tmp/a.txt" }, element = "group" },
    want  = { effect = "confirmed", evidence = "the target took them (copy)", changes = {} } },
  { "paths are encoded, and the action is passed on",
    given = ui.with(given(), { ["sys.input.drop"] = function(_, _, list, options)
      assert(list == "file:///tmp/a%20b%23.txt\r\nfile:///tmp/%C3%BC\r\n" and options.action == "link", list)
      return { sent = 1, route = "xdnd link" }
    end }),
    args  = { files = { "/tmp/a b#.txt", "/tmp/ü" }, element = "group", action = "link" },
    want  = { evidence = "the target took them (link)" } },
  { "a drop that is not finished, and shows nothing",
    given = given { n = 3, false, "the target has not said that it took them", "drop_unfinished" },
    args  = { files = { "/tmp/a.txt" }, element = "group" }, want = { effect = "unknown" } },
  { "a point",
    given = given(), args = { files = { "/tmp/a.txt" }, element = "140,172" }, want = { route = "drop at 140,172" } },
  { "a window that tells nothing of its elements",
    given = ui.with(given(), { ["sys.element.tree"] = { n = 3, false, "process 9 tells nothing of its interface", "no_tree" } }),
    args  = { files = { "/tmp/a.txt" }, element = "140,172" },
    want  = { effect = "confirmed", evidence = "the target took them (copy)", changes = {} } },
  { "a relative path",
    given = given(), args = { files = { "/tmp/a.txt", "b.txt" }, element = "group" },
    err   = 'files[2] is "b.txt". Pass an absolute path.', code = "INVALID_ARGUMENT" },
  { "neither an element nor a window",
    given = given(), args = { files = { "/tmp/a.txt" } }, err = "Pass the element or point to drop the files on, or a window.",
    code = "INVALID_ARGUMENT" },
  { "a system that cannot",
    given = given { n = 3, false, "files cannot be dropped on macOS", "not_supported" },
    args  = { files = { "/tmp/a.txt" }, element = "group" }, err = "files cannot be dropped on macOS", code = "NOT_SUPPORTED" },
}
