--- File managers of any desktop (org.freedesktop.FileManager1): tasks and the methods that do them.

return {
  app   = "org.freedesktop.FileManager1",
  name  = "File manager",
  words = "file folder manager directory",
  examples = {
    { task = "Show files in their folder, selected.",
      command = "ShowItems",
      call = { path = "/org/freedesktop/FileManager1", interface = "org.freedesktop.FileManager1", member = "ShowItems",
               args = { { "file:///home/me/report.pdf" }, "" } } },

    { task = "Open folders in windows.",
      command = "ShowFolders",
      call = { path = "/org/freedesktop/FileManager1", interface = "org.freedesktop.FileManager1", member = "ShowFolders",
               args = { { "file:///home/me/Documents" }, "" } } },

    { task = "Show size and permissions of files.",
      command = "ShowItemProperties",
      call = { path = "/org/freedesktop/FileManager1",
               interface = "org.freedesktop.FileManager1", member = "ShowItemProperties",
               args = { { "file:///home/me/report.pdf" }, "" } } },
  },
}
