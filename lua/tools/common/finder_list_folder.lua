--- List what is in a folder.

local common = require "common.told"
local finder = require "common.finder"
local json   = require "sys.json"
local pages  = require "desktop.pages"
local place  = require "common.place"
local s      = require "schema"


---@param args {folder: string, page_size?: integer, page_token?: string}
---@param call Call
local function run(args, call)
  local folder, err, code = place.folder(args.folder)
  if not folder then return nil, err, code end
  local items
  items, err, code = finder.items(folder)
  if not items then return nil, err, code end
  return common.items(call, folder, items, args, function(item)
    return json.object({ name = item.name, kind = item.kind }, { "name", "kind" })
  end)
end


---@type Tool
return {
  title        = "List a folder",
  description  = "List the names of what is in a folder, without hidden files. For paths, sizes and times, or for some of them, "
              .. "call finder_get_items. The folder must be in a granted directory.",
  inputSchema  = s.object { common.folder, table.unpack(pages.parameters()) },
  outputSchema = common.items_schema { { "name", s.string() }, { "kind", s.enum { "file", "folder", "link", "other" } } },
  annotations  = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  from         = "file",
  common       = "com.apple.finder",
  codes        = common.codes("NOT_A_FOLDER"),

  about = { "nothing", folder = "folder" },
  run = run,

  examples = {
    { "lists names and kinds, the hidden ones left out",
      given = { ["common.system.is_mac"] = false, ["sys.fs.resolve"] = "/home/ada/notes",
                ["sys.fs.stat"] = { name = "notes", kind = "folder", size = 0, modified = 0 },
                ["sys.fs.list"] = { { name = ".git", kind = "folder" }, { name = "b.txt", kind = "file" },
                                    { name = "old", kind = "folder" } } },
      args  = { folder = "~/notes" },
      has   = { "2 items in /home/ada/notes:\nb.txt\nold/" },
      want  = { folder = "/home/ada/notes", total_size = 2,
                items = { { name = "b.txt", kind = "file" }, { name = "old", kind = "folder" } } } },

    { "asks the Finder on a Mac, which shows a colon in a name as a slash",
      given = { ["common.system.is_mac"] = true, ["sys.fs.resolve"] = "/Users/ada",
                ["sys.osascript.run"] = "folder:a/b:document file:c",
                ["sys.fs.stat"] = { name = "ada", kind = "folder", size = 0, modified = 0 } },
      args  = { folder = "/Users/ada" },
      want  = { items = { { name = "a:b", kind = "folder" }, { name = "c", kind = "file" } } },
      did   = { "fs.resolve /Users/ada", "fs.stat /Users/ada", "common.system.is_mac",
                "osascript.run args={/Users/ada} file=common/finder_list_folder.applescript timeout=35" } },

    { "stays in the granted directories",
      given = { ["sys.fs.resolve"] = { n = 3, false, "it is outside", "not_granted" } },
      args  = { folder = "/etc" },
      err   = "/etc is outside the granted directories. Start Perigee with --grant for its directory.", code = "NOT_GRANTED" },
  },
}
