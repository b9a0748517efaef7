--- Thunar: tasks and the methods that do them. Where a method takes a display and a startup ID, empty strings are enough.

return {
  app   = "org.xfce.FileManager",
  name  = "Thunar",
  words = "file folder manager thunar directory trash",
  examples = {
    { task = "Open a folder in a window.",
      command = "DisplayFolder",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "DisplayFolder", args = { "file:///home/me/Documents", "", "" } } },

    { task = "Show a file in its folder, selected.",
      command = "DisplayFolderAndSelect",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "DisplayFolderAndSelect",
               args = { "file:///home/me/Documents", "report.pdf", "", "" } } },

    { task = "Put files into the trash.",
      command = "MoveToTrash",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.Trash", member = "MoveToTrash", args = { { "file:///home/me/old.txt" }, "", "" } } },

    { task = "Delete files for good.",
      command = "UnlinkFiles",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "UnlinkFiles",
               args = { "/home/me", { "file:///home/me/old.txt" }, "", "" } } },

    { task = "Empty the trash.",
      command = "EmptyTrash",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager", interface = "org.xfce.Trash", member = "EmptyTrash",
               args = { "", "" } } },

    { task = "Find out whether something is in the trash.",
      command = "QueryTrash",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.Trash", member = "QueryTrash" } },

    { task = "Ask for a new name of a file.",
      command = "RenameFile",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "RenameFile", args = { "file:///home/me/draft.txt", "", "" } } },

    { task = "Rename many files at once.",
      command = "BulkRename",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.Thunar", member = "BulkRename",
               args = { "/home/me", { "a.jpg", "b.jpg" }, true, "", "" } } },

    { task = "Copy files into a folder.",
      command = "CopyInto",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "CopyInto",
               args = { "/home/me", { "file:///home/me/report.pdf" }, "file:///home/me/Backup", "", "" } } },

    { task = "Put files into another folder.",
      command = "MoveInto",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "MoveInto",
               args = { "/home/me", { "file:///home/me/report.pdf" }, "file:///home/me/Archive", "", "" } } },

    { task = "Make a link to a file.",
      command = "LinkInto",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "LinkInto",
               args = { "/home/me", { "file:///home/me/report.pdf" }, "file:///home/me/Desktop", "", "" } } },

    { task = "Make a new folder.",
      command = "CreateFile",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "CreateFile",
               args = { "file:///home/me", "inode/directory", "", "" } } },

    { task = "Show size and permissions of a file.",
      command = "DisplayFileProperties",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "DisplayFileProperties",
               args = { "file:///home/me/report.pdf", "", "" } } },

    { task = "Open a file with its default application.",
      command = "Launch",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "Launch", args = { "file:///home/me/report.pdf", "", "" } } },

    { task = "Begin a new document from a template.",
      command = "CreateFileFromTemplate",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "CreateFileFromTemplate",
               args = { "file:///home/me", "file:///home/me/Templates/letter.odt", "", "" } } },

    { task = "Open the trash in a window.",
      command = "DisplayTrash",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.Trash", member = "DisplayTrash", args = { "", "" } } },

    { task = "Open the settings of the file manager.",
      command = "DisplayPreferencesDialog",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "DisplayPreferencesDialog", args = { "", "" } } },

    { task = "Open several files with their default applications.",
      command = "LaunchFiles",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "LaunchFiles",
               args = { "/home/me", { "file:///home/me/report.pdf" }, "", "" } } },

    { task = "Copy a file under another name.",
      command = "CopyTo",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "CopyTo",
               args = { "/home/me", { "file:///home/me/report.pdf" }, { "file:///home/me/copy.pdf" }, "", "" } } },

    { task = "Run a program or a script file.",
      command = "Execute",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "Execute",
               args = { "/home/me", "file:///home/me/backup.sh", {}, "", "" } } },

    { task = "Choose the application that opens a file.",
      command = "DisplayApplicationChooserDialog",
      call = { to = "org.xfce.FileManager", path = "/org/xfce/FileManager",
               interface = "org.xfce.FileManager", member = "DisplayApplicationChooserDialog",
               args = { "file:///home/me/report.pdf", true, false, "", "" } } },
  },
}
