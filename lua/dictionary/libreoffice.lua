--- LibreOffice: tasks and the actions of its desktop file.

return {
  app   = "libreoffice-startcenter",
  name  = "LibreOffice",
  words = "office document spreadsheet presentation word processor",
  examples = {
    { task = "Begin a letter or another text.",
      command = "Writer",
      call = { desktop = "libreoffice-startcenter", action = "Writer" } },

    { task = "Begin a spreadsheet.",
      command = "Calc",
      call = { desktop = "libreoffice-startcenter", action = "Calc" } },

    { task = "Begin a presentation.",
      command = "Impress",
      call = { desktop = "libreoffice-startcenter", action = "Impress" } },
  },
}
