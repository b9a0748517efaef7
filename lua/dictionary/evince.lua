--- Evince: tasks and the actions that do them. It has no name on the bus: its window has the bus name as a property.

return {
  app   = "org.gnome.Evince",
  name  = "Document Viewer",
  words = "pdf document viewer reader evince book page",
  examples = {
    { task = "Turn to the next page.",
      command = "go-next-page",
      call = { path = "/org/gnome/Evince/window/1", action = "go-next-page" } },

    { task = "Turn to the last page.",
      command = "go-last-page",
      call = { path = "/org/gnome/Evince/window/1", action = "go-last-page" } },

    { task = "Show the document as a presentation.",
      command = "presentation",
      call = { path = "/org/gnome/Evince/window/1", action = "presentation" } },

    { task = "Fit a page to the window.",
      command = "sizing-mode",
      call = { path = "/org/gnome/Evince/window/1", action = "sizing-mode", state = "fit-page" } },

    { task = "Show the pages at twice their size.",
      command = "zoom",
      call = { path = "/org/gnome/Evince/window/1", action = "zoom", args = { 2.0 } } },

    { task = "Show two pages side by side.",
      command = "dual-page",
      call = { path = "/org/gnome/Evince/window/1", action = "dual-page", state = true } },

    { task = "Turn the page by a quarter.",
      command = "rotate-right",
      call = { path = "/org/gnome/Evince/window/1", action = "rotate-right" } },

    { task = "Find words in the document.",
      command = "find",
      call = { path = "/org/gnome/Evince/window/1", action = "find" } },

    { task = "Print the document.",
      command = "print",
      call = { path = "/org/gnome/Evince/window/1", action = "print" } },

    { task = "Read light letters on a dark page.",
      command = "inverted-colors",
      call = { path = "/org/gnome/Evince/window/1", action = "inverted-colors", state = true } },

    { task = "Show the table of contents at the side.",
      command = "show-side-pane",
      call = { path = "/org/gnome/Evince/window/1", action = "show-side-pane", state = true } },

    { task = "Remember this page with a bookmark.",
      command = "add-bookmark",
      call = { path = "/org/gnome/Evince/window/1", action = "add-bookmark" } },

    { task = "Scroll through pages without a gap.",
      command = "continuous",
      call = { path = "/org/gnome/Evince/window/1", action = "continuous", state = true } },

    { task = "Save a copy of the document.",
      command = "save-as",
      call = { path = "/org/gnome/Evince/window/1", action = "save-as" } },

    { task = "Show author and title of the document.",
      command = "show-properties",
      call = { path = "/org/gnome/Evince/window/1", action = "show-properties" } },

    { task = "Stick a note with a remark on the page.",
      command = "add-annotation",
      call = { path = "/org/gnome/Evince/window/1", action = "add-annotation", state = true } },

    { task = "Highlight the selected text with a marker.",
      command = "annotate-selected-text",
      call = { path = "/org/gnome/Evince/window/1", action = "annotate-selected-text" } },

    { task = "Scroll through the document by itself.",
      command = "auto-scroll",
      call = { path = "/org/gnome/Evince/window/1", action = "auto-scroll" } },

    { task = "Move through the text with a caret and the keyboard.",
      command = "caret-navigation",
      call = { path = "/org/gnome/Evince/window/1", action = "caret-navigation", state = true } },

    { task = "Close the document.",
      command = "close",
      call = { path = "/org/gnome/Evince/window/1", action = "close" } },

    { task = "Copy the selected text to the clipboard.",
      command = "copy",
      call = { path = "/org/gnome/Evince/window/1", action = "copy" } },

    { task = "Copy a picture of the page to the clipboard.",
      command = "copy-image",
      call = { path = "/org/gnome/Evince/window/1", action = "copy-image" } },

    { task = "Copy the address of a link.",
      command = "copy-link-address",
      call = { path = "/org/gnome/Evince/window/1", action = "copy-link-address" } },

    { task = "Remove a bookmark.",
      command = "delete-bookmark",
      call = { path = "/org/gnome/Evince/window/1", action = "delete-bookmark" } },

    { task = "Show odd pages at the left, like a book.",
      command = "dual-odd-left",
      call = { path = "/org/gnome/Evince/window/1", action = "dual-odd-left", state = true } },

    { task = "Check the spelling of notes.",
      command = "enable-spellchecking",
      call = { path = "/org/gnome/Evince/window/1", action = "enable-spellchecking", state = true } },

    { task = "Go to the next place that was found.",
      command = "find-next",
      call = { path = "/org/gnome/Evince/window/1", action = "find-next" } },

    { task = "Go to the place that was found before.",
      command = "find-previous",
      call = { path = "/org/gnome/Evince/window/1", action = "find-previous" } },

    { task = "Let the document fill the whole screen.",
      command = "fullscreen",
      call = { path = "/org/gnome/Evince/window/1", action = "fullscreen", state = true } },

    { task = "Go back to the page where I was before.",
      command = "go-back-history",
      call = { path = "/org/gnome/Evince/window/1", action = "go-back-history" } },

    { task = "Turn to the first page.",
      command = "go-first-page",
      call = { path = "/org/gnome/Evince/window/1", action = "go-first-page" } },

    { task = "Turn to the page before.",
      command = "go-previous-page",
      call = { path = "/org/gnome/Evince/window/1", action = "go-previous-page" } },

    { task = "Turn to a bookmark.",
      command = "goto-bookmark",
      call = { path = "/org/gnome/Evince/window/1", action = "goto-bookmark", args = { 0 } } },

    { task = "Read the manual.",
      command = "help",
      call = { path = "/org/gnome/Evince/window/1", action = "help" } },

    { task = "Open another window.",
      command = "new",
      call = { path = "/org/gnome/Evince/window/1", action = "new" } },

    { task = "Choose a document to open.",
      command = "open",
      call = { path = "/org/gnome/Evince/window/1", action = "open" } },

    { task = "Open a file that is attached to the document.",
      command = "open-attachment",
      call = { path = "/org/gnome/Evince/window/1", action = "open-attachment" } },

    { task = "Show the folder that the document is in.",
      command = "open-containing-folder",
      call = { path = "/org/gnome/Evince/window/1", action = "open-containing-folder" } },

    { task = "Open the document once more in another window.",
      command = "open-copy",
      call = { path = "/org/gnome/Evince/window/1", action = "open-copy" } },

    { task = "Follow a link.",
      command = "open-link",
      call = { path = "/org/gnome/Evince/window/1", action = "open-link" } },

    { task = "Load the document again after it has changed.",
      command = "reload",
      call = { path = "/org/gnome/Evince/window/1", action = "reload" } },

    { task = "Remove a note from the page.",
      command = "remove-annot",
      call = { path = "/org/gnome/Evince/window/1", action = "remove-annot" } },

    { task = "Turn the page by a quarter to the left.",
      command = "rotate-left",
      call = { path = "/org/gnome/Evince/window/1", action = "rotate-left" } },

    { task = "Save a file that is attached to the document.",
      command = "save-attachment",
      call = { path = "/org/gnome/Evince/window/1", action = "save-attachment" } },

    { task = "Save a picture of the page as a file.",
      command = "save-image",
      call = { path = "/org/gnome/Evince/window/1", action = "save-image" } },

    { task = "Keep the current view for other documents.",
      command = "save-settings",
      call = { path = "/org/gnome/Evince/window/1", action = "save-settings" } },

    { task = "Select the whole text.",
      command = "select-all",
      call = { path = "/org/gnome/Evince/window/1", action = "select-all" } },

    { task = "Send the document to a person by email.",
      command = "send-to",
      call = { path = "/org/gnome/Evince/window/1", action = "send-to" } },

    { task = "Make the page larger.",
      command = "zoom-in",
      call = { path = "/org/gnome/Evince/window/1", action = "zoom-in" } },

    { task = "Make the page smaller.",
      command = "zoom-out",
      call = { path = "/org/gnome/Evince/window/1", action = "zoom-out" } },

    { task = "Show the page at its normal size.",
      command = "default-zoom",
      call = { path = "/org/gnome/Evince/window/1", action = "default-zoom" } },
  },
}
