--- Get the items of a folder, with their paths, sizes and times.

local common = require "common.told"
local finder = require "common.finder"
local fs     = require "sys.fs"
local json   = require "sys.json"
local pages  = require "desktop.pages"
local place  = require "common.place"
local s      = require "schema"
local time   = require "sys.time"


---@param args {folder: string, filter?: string, page_size?: integer, page_token?: string}
---@param call Call
local function run(args, call)
  local folder, err, code = place.folder(args.folder)
  if not folder then return nil, err, code end
  local items
  items, err, code = finder.items(folder, args.filter or "")
  if not items then return nil, err, code end
  return common.items(call, folder, items, args, function(item)
    local path = (folder == "/" and "" or folder) .. "/" .. item.name
    local entry = fs.stat(path)
    return json.object({ name = item.name, path = path, kind = item.kind,
      size = entry and entry.kind == "file" and entry.size or nil,
      modified = entry and time.iso(math.floor(entry.modified)) or nil }, { "name", "path", "kind", "size", "modified" })
  end)
end


---@type Tool
return {
  title        = "Get items of a folder",
  description  = "Get the items of a folder: path, kind, size, and when each was changed. With filter, only those with this "
               .. "in their names. For names alone, call finder_list_folder. The folder must be in a granted directory.",
  inputSchema  = s.object {
    common.folder,
    { "filter", s.string("Only items whose names contain this text, in any case.",
      { optional = true, minLength = 1, maxLength = 255 }) },
    table.unpack(pages.parameters()),
  },
  outputSchema = common.items_schema {
    { "name", s.string() },
    { "path", s.string "Absolute path." },
    { "kind", s.enum { "file", "folder", "link", "other" } },
    { "size", s.integer("Bytes of a file.", { optional = true }) },
    { "modified", s.string("In UTC; absent for a link that leads outside.", { optional = true }) },
  },
  annotations  = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  from         = "file",
  common       = "com.apple.finder",
  codes        = common.codes("NOT_A_FOLDER"),

  about = { "nothing", folder = "folder", filter = "nothing" },
  run = run,

  examples = {
    { "finds some by a part of the name",
      given = { ["common.system.is_mac"] = false, ["sys.fs.resolve"] = "/home/ada",
                ["sys.fs.stat"] = { { name = "ada", kind = "folder", size = 0, modified = 0 },
                                    { name = "Report.pdf", kind = "file", size = 12, modified = 86400 } },
                ["sys.fs.list"] = { { name = "Report.pdf", kind = "file" }, { name = "b.txt", kind = "file" } } },
      args  = { folder = "~", filter = "report" },
      has   = { '1 item in /home/ada:\nReport.pdf' },
      want  = { total_size = 1, items = { { name = "Report.pdf", path = "/home/ada/Report.pdf", kind = "file", size = 12,
                modified = "1970-01-02T00:00:00.000Z" } } } },

    { "gives the Finder the text as an argument",
      given = { ["common.system.is_mac"] = true, ["sys.fs.resolve"] = "/Users/ada", ["sys.osascript.run"] = "",
                ["sys.fs.stat"] = { name = "ada", kind = "folder", size = 0, modified = 0 } },
      args  = { folder = "/Users/ada", filter = 'a" & b' },
      want  = { total_size = 0, items = {} },
      did   = { "fs.resolve /Users/ada", "fs.stat /Users/ada", "common.system.is_mac",
                'osascript.run args={/Users/ada "a\\" & b"} file=common/finder_get_items.applescript timeout=35' } },
  },
}
