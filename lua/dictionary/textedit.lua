--- TextEdit: tasks and the scripts that do them.

return {
  app   = "com.apple.TextEdit",
  name  = "TextEdit",
  words = "text editor document",
  examples = {
    { task = "Write text into a new document.",
      command = "make",
      script = [[tell application "TextEdit" to make new document with properties {text:"Dear Ann,"}]] },

    { task = "Read the text of the open document.",
      command = "document.text",
      script = [[tell application "TextEdit" to get text of front document]] },

    { task = "Save a document as a file.",
      command = "save",
      script = [[tell application "TextEdit" to save front document in POSIX file "/Users/me/Documents/letter.txt"]] },

    { task = "Open a text file.",
      command = "open",
      script = [[tell application "TextEdit" to open (POSIX file "/Users/me/Documents/letter.txt" as alias)]] },

    { task = "Close a document without saving.",
      command = "close",
      script = [[tell application "TextEdit" to close front document saving no]] },

    { task = "Find out whether a document has unsaved changes.",
      command = "document.modified",
      script = [[tell application "TextEdit" to get modified of front document]] },
  },
}
