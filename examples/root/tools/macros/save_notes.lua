--- Saves each row of a CSV file as a note of its own.

local macro_tool = require "macros.tool"
local s          = require "schema"


---@param args {table: string, folder: string}
---@param macro Macro
local function run(args, macro)
  for row in macro:rows(args.table, { "name", "text" }) do
    local file = ("%s/%s.txt"):format(args.folder, row.name)
    local note = macro:open("mousepad", { new = true })
    note:set("text", row.text)
    note:keys("ctrl+shift+s")
    note:dialog("Save As", { path = file, button = "Save" })
    note:check { title = macro.base(file) }
    note:keys("ctrl+w")
  end
end


---@type Tool
return macro_tool {
  title       = "Save notes",
  description = "Write the text of each row into a new note, and save it under the name of the row.",
  inputSchema = s.object {
    { "table", s.string "Absolute path of a CSV file with the columns name and text." },
    { "folder", s.string "Absolute path of the folder for the notes." },
  },
  about       = { table = "path", folder = "path" },
  run         = run,

  examples = {
    { "does each step for each row",
      given = { ["macros.hands.perform"] = { evidence = "as expected", window = "applications/7/windows/3" },
                ["sys.fs.read"] = "name,text\nada,Hello\nben,Welcome\n" },
      args  = { table = "/home/ada/guests.csv", folder = "/home/ada/notes" }, has = { "All 12 steps are done." } },
    { "needs the columns",
      given = { ["macros.hands.perform"] = { evidence = "as expected" }, ["sys.fs.read"] = "name,words\nada,Hello\n" },
      args  = { table = "/home/ada/guests.csv", folder = "/home/ada/notes" }, code = "MACRO_ROWS" },
  },
}
