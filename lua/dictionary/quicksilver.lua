--- Quicksilver: tasks and the scripts that do them.

return {
  app   = "com.blacktree.Quicksilver",
  name  = "Quicksilver",
  words = "launcher",
  examples = {
    { task = "Show a short message in a corner of the screen.",
      command = "show notification",
      script = [[tell application "Quicksilver" to show notification "Backup" text "The copy is done."]] },

    { task = "Show words as large as the screen.",
      command = "show large type",
      script = [[tell application "Quicksilver" to show large type "Back at 3"]] },

    { task = "Open a web address.",
      command = "open URL",
      script = [[tell application "Quicksilver" to open URL "https://example.com"]] },

    { task = "Read or set the object that is selected in the window.",
      command = "application.selection",
      script = [[tell application "Quicksilver" to get selection]] },

    { task = "Tell for which kinds of objects an action of a script is offered.",
      command = "get direct types",
      script = [[
using terms from application "Quicksilver"
  on get direct types
    return {"NSFilenamesPboardType"}
  end get direct types
end using terms from]] },

    { task = "Tell how many objects an action of a script needs.",
      command = "get argument count",
      script = [[
using terms from application "Quicksilver"
  on get argument count
    return 2
  end get argument count
end using terms from]] },

    { task = "Tell which kinds of second objects an action of a script takes.",
      command = "get indirect types",
      script = [[
using terms from application "Quicksilver"
  on get indirect types
    return {"NSStringPboardType"}
  end get indirect types
end using terms from]] },

    { task = "Do something with the files that the user has chosen.",
      command = "open files",
      script = [[
using terms from application "Quicksilver"
  on open files these_files
    tell application "Finder" to reveal these_files
  end open files
end using terms from]] },

    { task = "Do something with the text that the user has typed.",
      command = "process text",
      script = [[
using terms from application "Quicksilver"
  on process text this_text
    display dialog this_text
  end process text
end using terms from]] },
  },
}
