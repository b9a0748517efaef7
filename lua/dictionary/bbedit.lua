--- BBEdit: tasks and the scripts that do them.

return {
  app   = "com.barebones.bbedit",
  name  = "BBEdit",
  words = "text editor code",
  examples = {
    { task = "Open a file at a line.",
      command = "open",
      script = [[
tell application "BBEdit"
  open POSIX file "/Users/me/notes.txt"
  select line 20 of front text document
end tell]] },

    { task = "Replace all of a word in the document.",
      command = "replace",
      script = [[
tell application "BBEdit"
  replace "old" using "new" searching in text 1 of front text document options {starting at top:true}
end tell]] },

    { task = "Find words in the document.",
      command = "find",
      script = [[
tell application "BBEdit"
  find "TODO" searching in text 1 of front text document ¬
    options {search mode:literal, starting at top:true} with selecting match
end tell]] },

    { task = "Write text into a new document.",
      command = "make",
      script = [[tell application "BBEdit" to make new text document with properties {contents:"Hello"}]] },
  },
}
