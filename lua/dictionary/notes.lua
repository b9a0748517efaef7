--- Notes: tasks and the scripts that do them.

return {
  app   = "com.apple.Notes",
  name  = "Notes",
  words = "note memo",
  examples = {
    { task = "Write a new note.",
      command = "make",
      script = [[
tell application "Notes"
  make new note at folder "Notes" with properties {name:"Shopping", body:"<div>Milk</div>"}
end tell]] },

    { task = "Read what a note says.",
      command = "note.body",
      script = [[tell application "Notes" to get body of note "Shopping"]] },

    { task = "List the titles of all notes.",
      command = "note.name",
      script = [[tell application "Notes" to get name of every note]] },

    { task = "Show a note in its window.",
      command = "show",
      script = [[tell application "Notes" to show note "Shopping"]] },

    { task = "Find out when a note was last changed.",
      command = "note.modification date",
      script = [[tell application "Notes" to get modification date of note "Shopping"]] },

    { task = "Delete a note.",
      command = "delete",
      script = [[tell application "Notes" to delete note "Shopping"]] },
  },
}
