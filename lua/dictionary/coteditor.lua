--- CotEditor: tasks and the scripts that do them.

return {
  app   = "com.coteditor.CotEditor",
  name  = "CotEditor",
  words = "text editor code",
  examples = {
    { task = "Put the caret at a line.",
      command = "jump",
      script = [[tell application "CotEditor" to jump front document to line 20]] },

    { task = "Sort the selected lines.",
      command = "sort lines",
      script = [[tell application "CotEditor" to sort lines (selection of front document)]] },

    { task = "Write the selection in capital letters.",
      command = "change case",
      script = [[tell application "CotEditor" to change case (selection of front document) to upper]] },

    { task = "Replace all of a word in the document.",
      command = "replace",
      script = [[tell application "CotEditor" to replace front document for "old" to "new" with all]] },

    { task = "Find words in the document.",
      command = "find",
      script = [[tell application "CotEditor" to find front document for "TODO" with wrap]] },

    { task = "Save the document in another character encoding.",
      command = "convert",
      script = [[tell application "CotEditor" to convert front document to "Unicode (UTF-8)"]] },

    { task = "Read a document again when its letters look wrong.",
      command = "reinterpret",
      script = [[tell application "CotEditor" to reinterpret front document as "Japanese (Shift JIS)"]] },

    { task = "Turn the selected lines into comments.",
      command = "comment out",
      script = [[tell application "CotEditor" to comment out (selection of front document)]] },

    { task = "Remove lines that occur twice.",
      command = "delete duplicate line",
      script = [[tell application "CotEditor" to delete duplicate line (selection of front document)]] },

    { task = "Indent the selected lines.",
      command = "shift right",
      script = [[tell application "CotEditor" to shift right (selection of front document)]] },

    { task = "Color the document as a programming language.",
      command = "document.coloring style",
      script = [[tell application "CotEditor" to set coloring style of front document to "Python"]] },

    { task = "Use the line endings of Windows.",
      command = "document.line ending",
      script = [[tell application "CotEditor" to set line ending of front document to CRLF]] },

    { task = "Read or replace the selected text.",
      command = "text selection.contents",
      script = [[tell application "CotEditor" to get contents of selection of front document]] },

    { task = "Break long lines at the window's edge.",
      command = "document.wrap lines",
      script = [[tell application "CotEditor" to set wrap lines of front document to true]] },

    { task = "Move the selected lines back to the left.",
      command = "shift left",
      script = [[tell application "CotEditor" to shift left (selection of front document)]] },

    { task = "Turn comments back into code.",
      command = "uncomment",
      script = [[tell application "CotEditor" to uncomment (selection of front document)]] },

    { task = "Turn the order of the selected lines around.",
      command = "reverse lines",
      script = [[tell application "CotEditor" to reverse lines (selection of front document)]] },

    { task = "Move the selected lines up.",
      command = "move line up",
      script = [[tell application "CotEditor" to move line up (selection of front document)]] },

    { task = "Move the selected lines down.",
      command = "move line down",
      script = [[tell application "CotEditor" to move line down (selection of front document)]] },

    { task = "Replace straight quotation marks with curly ones.",
      command = "smarten quotes",
      script = [[tell application "CotEditor" to smarten quotes (selection of front document)]] },

    { task = "Replace curly quotation marks with straight ones.",
      command = "straighten quotes",
      script = [[tell application "CotEditor" to straighten quotes (selection of front document)]] },

    { task = "Replace two hyphens with a dash.",
      command = "smarten dashes",
      script = [[tell application "CotEditor" to smarten dashes (selection of front document)]] },

    { task = "Turn wide Japanese forms of Latin letters into normal ones.",
      command = "change roman width",
      script = [[tell application "CotEditor" to change roman width (selection of front document) to half]] },

    { task = "Compose letters and accents into one character each.",
      command = "normalize unicode",
      script = [[tell application "CotEditor" to normalize unicode (selection of front document) to NFC]] },

    { task = "Scroll to the place where the caret is.",
      command = "scroll to caret",
      script = [[tell application "CotEditor" to scroll to caret front document]] },

    { task = "Read a part of the text by its place.",
      command = "string",
      script = [[tell application "CotEditor" to string front document in {0, 100}]] },

    { task = "Write a message of a script to the console window.",
      command = "write to console",
      script = [[tell application "CotEditor" to write to console "Done"]] },

    { task = "Count the characters of the document.",
      command = "count",
      script = [[tell application "CotEditor" to count characters of contents of front document]] },

    { task = "Find out the character encoding of the file.",
      command = "document.encoding",
      script = [[tell application "CotEditor" to get encoding of front document]] },

    { task = "Make a tab stop four characters wide.",
      command = "document.tab width",
      script = [[tell application "CotEditor" to set tab width of front document to 4]] },

    { task = "Insert blanks when the Tab key is pressed.",
      command = "document.expands tab",
      script = [[tell application "CotEditor" to set expands tab of front document to true]] },

    { task = "Protect the document from changes.",
      command = "document.editable",
      script = [[tell application "CotEditor" to set editable of front document to false]] },

    { task = "Find out which lines are selected, or select some.",
      command = "text selection.line range",
      script = [[tell application "CotEditor" to set line range of selection of front document to {3, 5}]] },
  },
}
