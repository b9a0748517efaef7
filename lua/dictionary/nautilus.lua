--- Nautilus: tasks, actions and methods that do them. Its first window has the path /org/gnome/Nautilus/window/1.

return {
  app   = "org.gnome.Nautilus",
  name  = "Files",
  words = "nautilus file folder manager directory",
  examples = {
    { task = "Make a new folder.",
      command = "CreateFolder",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/FileOperations2",
               interface = "org.gnome.Nautilus.FileOperations2", member = "CreateFolder",
               args = { "file:///home/me", "Reports", {} } } },

    { task = "Give a file another name.",
      command = "RenameURI",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/FileOperations2",
               interface = "org.gnome.Nautilus.FileOperations2", member = "RenameURI",
               args = { "file:///home/me/draft.txt", "final.txt", {} } } },

    { task = "Copy files into a folder.",
      command = "CopyURIs",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/FileOperations2",
               interface = "org.gnome.Nautilus.FileOperations2", member = "CopyURIs",
               args = { { "file:///home/me/report.pdf" }, "file:///home/me/Backup", {} } } },

    { task = "Put files into another folder.",
      command = "MoveURIs",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/FileOperations2",
               interface = "org.gnome.Nautilus.FileOperations2", member = "MoveURIs",
               args = { { "file:///home/me/report.pdf" }, "file:///home/me/Archive", {} } } },

    { task = "Put files into the trash.",
      command = "TrashURIs",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/FileOperations2",
               interface = "org.gnome.Nautilus.FileOperations2", member = "TrashURIs",
               args = { { "file:///home/me/old.txt" }, {} } } },

    { task = "Empty the trash without a question.",
      command = "EmptyTrash",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/FileOperations2",
               interface = "org.gnome.Nautilus.FileOperations2", member = "EmptyTrash", args = { false, {} } } },

    { task = "Take the last file operation back.",
      command = "Undo",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/FileOperations2",
               interface = "org.gnome.Nautilus.FileOperations2", member = "Undo", args = { {} } } },

    { task = "Show a folder in the window.",
      command = "open-location",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "open-location",
               args = { "file:///home/me/Documents" } } },

    { task = "Go to the folder above.",
      command = "up",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "up" } },

    { task = "Go to the home folder.",
      command = "go-home",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "go-home" } },

    { task = "Open another tab.",
      command = "new-tab",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "new-tab" } },

    { task = "Read the folder again.",
      command = "reload",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "reload" } },

    { task = "Keep this folder as a bookmark.",
      command = "bookmark-current-location",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "bookmark-current-location" } },

    { task = "Delete files for good, without the trash.",
      command = "DeleteURIs",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/FileOperations2",
               interface = "org.gnome.Nautilus.FileOperations2", member = "DeleteURIs",
               args = { { "file:///home/me/old.txt" }, {} } } },

    { task = "Open another window.",
      command = "new-window",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus", action = "new-window" } },

    { task = "Open the settings of the file manager.",
      command = "preferences",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus", action = "preferences" } },

    { task = "Show the progress of files that are being copied or moved.",
      command = "show-file-transfers",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus", action = "show-file-transfers" } },

    { task = "Read the manual.",
      command = "help",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus", action = "help" } },

    { task = "Quit the file manager.",
      command = "quit",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus", action = "quit" } },

    { task = "Go back to the folder where I was before.",
      command = "back",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "back" } },

    { task = "Go forward to the next folder of the history.",
      command = "forward",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "forward" } },

    { task = "Close the tab.",
      command = "close-current-view",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "close-current-view" } },

    { task = "Type the path of a folder.",
      command = "enter-location",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "enter-location" } },

    { task = "Show the files with a star, my favorites.",
      command = "go-starred",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "go-starred" } },

    { task = "Do the file operation again that I took back.",
      command = "redo",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "redo" } },

    { task = "Open the tab that was closed last.",
      command = "restore-tab",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "restore-tab" } },

    { task = "Stop loading the folder.",
      command = "stop",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "stop" } },

    { task = "Move the tab to the left.",
      command = "tab-move-left",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "tab-move-left" } },

    { task = "Move the tab to the right.",
      command = "tab-move-right",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "tab-move-right" } },

    { task = "Hide or show the list of places at the side.",
      command = "toggle-sidebar",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "toggle-sidebar" } },

    { task = "Take back the last operation on files.",
      command = "undo",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "undo" } },

    { task = "Choose how files are sorted and shown.",
      command = "view-menu",
      call = { to = "org.gnome.Nautilus", path = "/org/gnome/Nautilus/window/1", action = "view-menu", state = true } },
  },
}
