--- Numbers: tasks and the scripts that do them.

return {
  app   = "com.apple.iWork.Numbers",
  name  = "Numbers",
  words = "spreadsheet table sheet cell",
  examples = {
    { task = "Write a number or a formula into a cell.",
      command = "cell.value",
      script = [[
tell application "Numbers"
  tell table 1 of active sheet of front document to set value of cell "B2" to "=SUM(A1:A9)"
end tell]] },

    { task = "Read the cells of a column as they are shown.",
      command = "cell.formatted value",
      script = [[
tell application "Numbers"
  tell table 1 of active sheet of front document to get formatted value of every cell of column "A"
end tell]] },

    { task = "Add a sheet.",
      command = "make",
      script = [[tell application "Numbers" to tell front document to make new sheet with properties {name:"May"}]] },

    { task = "Save a spreadsheet as CSV or Excel.",
      command = "export",
      script = [[tell application "Numbers" to export front document to POSIX file "/Users/me/may.csv" as CSV]] },

    { task = "Sort a table by a column.",
      command = "sort",
      script = [[
tell application "Numbers"
  tell table 1 of active sheet of front document to sort by column "B" direction descending
end tell]] },

    { task = "Add a row below another one.",
      command = "add row below",
      script = [[
tell application "Numbers"
  tell table 1 of active sheet of front document to add row below row 3
end tell]] },

    { task = "Make one cell of several.",
      command = "merge",
      script = [[
tell application "Numbers"
  tell table 1 of active sheet of front document to merge range "A1:C1"
end tell]] },

    { task = "Turn the rows of a table into columns.",
      command = "transpose",
      script = [[
tell application "Numbers"
  tell table 1 of active sheet of front document to transpose
end tell]] },
  },
}
