--- gedit: tasks and the actions that do them. Its first window has the path /org/gnome/gedit/window/1.

return {
  app   = "org.gnome.gedit",
  name  = "gedit",
  words = "text editor document",
  examples = {
    { task = "Begin a new document in a tab.",
      command = "new-tab",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "new-tab" } },

    { task = "Save all open documents.",
      command = "save-all",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "save-all" } },

    { task = "Find and replace words.",
      command = "replace",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "replace" } },

    { task = "Go to a line by its number.",
      command = "goto-line",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "goto-line" } },

    { task = "Sort the lines of the document.",
      command = "sort",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "sort" } },

    { task = "Look for spelling mistakes.",
      command = "check-spell",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "check-spell" } },

    { task = "Underline misspelled words while typing.",
      command = "inline-spell-checker",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "inline-spell-checker", state = true } },

    { task = "Insert blanks when the Tab key is pressed.",
      command = "use-spaces",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "use-spaces", state = true } },

    { task = "Make a tab four characters wide.",
      command = "tab-width",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "tab-width", state = 4 } },

    { task = "Open the tab that was closed last.",
      command = "reopen-closed-tab",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "reopen-closed-tab" } },

    { task = "Show the list of documents at the side.",
      command = "side-panel",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "side-panel", state = true } },

    { task = "Load the document from the disk again, without the changes.",
      command = "revert",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "revert" } },

    { task = "Choose the programming language that colors the text.",
      command = "highlight-mode",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "highlight-mode" } },

    { task = "Begin a new document.",
      command = "new-document",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit", action = "new-document" } },

    { task = "Open another window.",
      command = "new-window",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit", action = "new-window" } },

    { task = "Open the settings of the editor.",
      command = "preferences",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit", action = "preferences" } },

    { task = "List the keyboard shortcuts.",
      command = "shortcuts",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit", action = "shortcuts" } },

    { task = "Read the manual.",
      command = "help",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit", action = "help" } },

    { task = "Quit the editor.",
      command = "quit",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit", action = "quit" } },

    { task = "Show the panel at the bottom.",
      command = "bottom-panel",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "bottom-panel", state = true } },

    { task = "Remove the highlighting of the last search.",
      command = "clear-highlight",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "clear-highlight" } },

    { task = "Close the document.",
      command = "close",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "close" } },

    { task = "Close all documents.",
      command = "close-all",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "close-all" } },

    { task = "Choose the language for the spell checker.",
      command = "config-spell",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "config-spell" } },

    { task = "Copy the selected text to the clipboard.",
      command = "copy",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "copy" } },

    { task = "Cut the selected text out.",
      command = "cut",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "cut" } },

    { task = "Delete the selected text.",
      command = "delete",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "delete" } },

    { task = "Count the words, lines and characters of the document.",
      command = "docinfo",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "docinfo" } },

    { task = "Find words in the document.",
      command = "find",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "find" } },

    { task = "Go to the next place that was found.",
      command = "find-next",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "find-next" } },

    { task = "Go to the place that was found before.",
      command = "find-prev",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "find-prev" } },

    { task = "Let the window fill the whole screen.",
      command = "fullscreen",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "fullscreen", state = true } },

    { task = "Leave the full screen.",
      command = "leave-fullscreen",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "leave-fullscreen" } },

    { task = "Move the tab to a window of its own.",
      command = "move-to-new-window",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "move-to-new-window" } },

    { task = "Show two documents side by side.",
      command = "new-tab-group",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "new-tab-group" } },

    { task = "Go to the next tab.",
      command = "next-document",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "next-document" } },

    { task = "Go to the tab before.",
      command = "previous-document",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "previous-document" } },

    { task = "Choose a file to open.",
      command = "open",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "open" } },

    { task = "Type over the text instead of inserting.",
      command = "overwrite-mode",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "overwrite-mode", state = true } },

    { task = "Paste the text of the clipboard.",
      command = "paste",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "paste" } },

    { task = "Print the document.",
      command = "print",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "print" } },

    { task = "Do again what I took back.",
      command = "redo",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "redo" } },

    { task = "Save the document.",
      command = "save",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "save" } },

    { task = "Save the document under another name.",
      command = "save-as",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "save-as" } },

    { task = "Select the whole text.",
      command = "select-all",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "select-all" } },

    { task = "Take the last change back.",
      command = "undo",
      call = { to = "org.gnome.gedit", path = "/org/gnome/gedit/window/1", action = "undo" } },
  },
}
