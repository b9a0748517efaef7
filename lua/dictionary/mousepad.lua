--- Mousepad: tasks and the actions that do them. Its first window has the path /org/xfce/mousepad/window/1.

return {
  app   = "org.xfce.mousepad",
  name  = "Mousepad",
  words = "text editor notepad document",
  examples = {
    { task = "Show the number of each line.",
      command = "preferences.view.show-line-numbers",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.view.show-line-numbers", state = true } },

    { task = "Break long lines at the window's edge.",
      command = "preferences.view.word-wrap",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad", action = "preferences.view.word-wrap", state = true } },

    { task = "Color the text as a programming language.",
      command = "document.filetype",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1",
               action = "document.filetype", state = "python" } },

    { task = "Write the selection in capital letters.",
      command = "edit.convert.to-uppercase",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.convert.to-uppercase" } },

    { task = "Select the whole text.",
      command = "edit.select-all",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.select-all" } },

    { task = "Save the document.",
      command = "file.save",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "file.save" } },

    { task = "Begin a new document.",
      command = "file.new",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "file.new" } },

    { task = "Take the last change back.",
      command = "edit.undo",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.undo" } },

    { task = "Remove blanks at the end of lines.",
      command = "edit.convert.strip-trailing-spaces",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1",
               action = "edit.convert.strip-trailing-spaces" } },

    { task = "Write the current line a second time.",
      command = "edit.duplicate-line-selection",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.duplicate-line-selection" } },

    { task = "Exchange two letters, or turn the order of lines around.",
      command = "edit.convert.transpose",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.convert.transpose" } },

    { task = "Use a dark color scheme.",
      command = "preferences.view.color-scheme",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.view.color-scheme", state = "oblivion" } },

    { task = "Find and replace words.",
      command = "search.find-and-replace",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "search.find-and-replace" } },

    { task = "Go to a line by its number.",
      command = "search.go-to",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "search.go-to" } },

    { task = "Make the letters bigger.",
      command = "increase-font-size",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "increase-font-size" } },

    { task = "Protect the document from changes.",
      command = "document.viewer-mode",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1",
               action = "document.viewer-mode", state = true } },

    { task = "Use the line endings of Windows.",
      command = "document.line-ending",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "document.line-ending", state = 2 } },

    { task = "Print the document.",
      command = "file.print",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "file.print" } },

    { task = "Check the spelling while I type.",
      command = "mousepad-plugin-gspell",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad", action = "mousepad-plugin-gspell", state = true } },

    { task = "Open the settings of the editor.",
      command = "preferences",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad", action = "preferences" } },

    { task = "End the last line of a file with a line break when it is saved.",
      command = "preferences.file.add-last-end-of-line",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.file.add-last-end-of-line", state = true } },

    { task = "Load a file again by itself when another program has changed it.",
      command = "preferences.file.auto-reload",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad", action = "preferences.file.auto-reload", state = true } },

    { task = "Keep the old version of a file as a backup when saving.",
      command = "preferences.file.make-backup",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad", action = "preferences.file.make-backup", state = true } },

    { task = "Tell me when another program changes the open file.",
      command = "preferences.file.monitor-changes",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.file.monitor-changes", state = true } },

    { task = "Begin a new line as far in as the line before it.",
      command = "preferences.view.auto-indent",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad", action = "preferences.view.auto-indent", state = true } },

    { task = "Highlight the line with the caret.",
      command = "preferences.view.highlight-current-line",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.view.highlight-current-line", state = true } },

    { task = "Indent the selected lines with the Tab key.",
      command = "preferences.view.indent-on-tab",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.view.indent-on-tab", state = true } },

    { task = "Insert blanks when the Tab key is pressed.",
      command = "preferences.view.insert-spaces",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.view.insert-spaces", state = true } },

    { task = "Mark the bracket that belongs to another one.",
      command = "preferences.view.match-braces",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.view.match-braces", state = true } },

    { task = "Show a sign at the end of each line.",
      command = "preferences.view.show-line-endings",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.view.show-line-endings", state = true } },

    { task = "Draw a line at the right margin, for example at column 80.",
      command = "preferences.view.show-right-margin",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.view.show-right-margin", state = true } },

    { task = "Make blanks and tabs visible.",
      command = "preferences.view.show-whitespace",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.view.show-whitespace", state = true } },

    { task = "Delete a whole indentation with the Backspace key.",
      command = "preferences.view.smart-backspace",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.view.smart-backspace", state = true } },

    { task = "Use the fixed-width font of the system.",
      command = "preferences.view.use-default-monospace-font",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.view.use-default-monospace-font", state = true } },

    { task = "Show the bar of tabs even for one document.",
      command = "preferences.window.always-show-tabs",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.window.always-show-tabs", state = true } },

    { task = "Show the whole path of the file in the title of the window.",
      command = "preferences.window.path-in-title",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.window.path-in-title", state = true } },

    { task = "Open the window where it was the last time.",
      command = "preferences.window.remember-position",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.window.remember-position", state = true } },

    { task = "Open the window as large as it was the last time.",
      command = "preferences.window.remember-size",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.window.remember-size", state = true } },

    { task = "Hide or show the bar with the buttons.",
      command = "preferences.window.toolbar-visible",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad",
               action = "preferences.window.toolbar-visible", state = true } },

    { task = "Highlight all places that a search finds.",
      command = "state.search.highlight-all",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad", action = "state.search.highlight-all", state = true } },

    { task = "Quit the editor with all its windows.",
      command = "quit",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad", action = "quit" } },

    { task = "Make the letters smaller.",
      command = "decrease-font-size",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "decrease-font-size" } },

    { task = "Give the letters their normal size again.",
      command = "reset-font-size",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "reset-font-size" } },

    { task = "Go to the next tab.",
      command = "document.next-tab",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "document.next-tab" } },

    { task = "Go to the tab before.",
      command = "document.previous-tab",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "document.previous-tab" } },

    { task = "Make a tab stop four characters wide.",
      command = "document.tab.tab-size",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "document.tab.tab-size", state = 4 } },

    { task = "Begin the file with a byte order mark.",
      command = "document.write-unicode-bom",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1",
               action = "document.write-unicode-bom", state = true } },

    { task = "Turn the blanks at the beginning of lines into tabs.",
      command = "edit.convert.spaces-to-tabs",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.convert.spaces-to-tabs" } },

    { task = "Turn tabs into blanks.",
      command = "edit.convert.tabs-to-spaces",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.convert.tabs-to-spaces" } },

    { task = "Write the selection in small letters.",
      command = "edit.convert.to-lowercase",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.convert.to-lowercase" } },

    { task = "Turn capital letters into small ones, and small ones into capitals.",
      command = "edit.convert.to-opposite-case",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.convert.to-opposite-case" } },

    { task = "Begin each word of the selection with a capital letter.",
      command = "edit.convert.to-title-case",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.convert.to-title-case" } },

    { task = "Copy the selected text to the clipboard.",
      command = "edit.copy",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.copy" } },

    { task = "Cut the selected text out, to paste it elsewhere.",
      command = "edit.cut",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.cut" } },

    { task = "Paste the text of the clipboard.",
      command = "edit.paste",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.paste" } },

    { task = "Paste a block of text as a column.",
      command = "edit.paste-special.paste-as-column",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1",
               action = "edit.paste-special.paste-as-column" } },

    { task = "Paste something that was copied earlier.",
      command = "edit.paste-special.paste-from-history",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1",
               action = "edit.paste-special.paste-from-history" } },

    { task = "Delete the current line.",
      command = "edit.delete-line",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.delete-line" } },

    { task = "Delete the selected text.",
      command = "edit.delete-selection",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.delete-selection" } },

    { task = "Indent the selected lines.",
      command = "edit.increase-indent",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.increase-indent" } },

    { task = "Move the selected lines back to the left.",
      command = "edit.decrease-indent",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.decrease-indent" } },

    { task = "Move the current line down.",
      command = "edit.move.line-down",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.move.line-down" } },

    { task = "Move the current line up.",
      command = "edit.move.line-up",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.move.line-up" } },

    { task = "Do again what I took back.",
      command = "edit.redo",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "edit.redo" } },

    { task = "Close the document.",
      command = "file.close-tab",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "file.close-tab" } },

    { task = "Close the window.",
      command = "file.close-window",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "file.close-window" } },

    { task = "Move the tab to a window of its own.",
      command = "file.detach-tab",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "file.detach-tab" } },

    { task = "Open another window.",
      command = "file.new-window",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "file.new-window" } },

    { task = "Choose a file to open.",
      command = "file.open",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "file.open" } },

    { task = "Forget the files that were opened recently.",
      command = "file.open-recent.clear-history",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "file.open-recent.clear-history" } },

    { task = "Save all open documents.",
      command = "file.save-all",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "file.save-all" } },

    { task = "Save the document under another name.",
      command = "file.save-as",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "file.save-as" } },

    { task = "Find out which version of the editor this is.",
      command = "help.about",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "help.about" } },

    { task = "Read the manual.",
      command = "help.contents",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "help.contents" } },

    { task = "Find words in the document.",
      command = "search.find",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "search.find" } },

    { task = "Go to the next place that was found.",
      command = "search.find-next",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "search.find-next" } },

    { task = "Go to the place that was found before.",
      command = "search.find-previous",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "search.find-previous" } },

    { task = "Let the window fill the whole screen.",
      command = "view.fullscreen",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "view.fullscreen", state = true } },

    { task = "Choose a typeface for the text.",
      command = "view.select-font",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1", action = "view.select-font" } },

    { task = "Hide or show the menu bar.",
      command = "preferences.window.menubar-visible",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1",
               action = "preferences.window.menubar-visible", state = true } },

    { task = "Hide or show the status bar.",
      command = "preferences.window.statusbar-visible",
      call = { to = "org.xfce.mousepad", path = "/org/xfce/mousepad/window/1",
               action = "preferences.window.statusbar-visible", state = true } },
  },
}
