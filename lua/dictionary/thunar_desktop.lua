--- Thunar: tasks and the actions of its desktop file.

return {
  app   = "thunar",
  name  = "Thunar",
  words = "file folder manager directory",
  examples = {
    { task = "Open the home folder.",
      command = "open-home",
      call = { desktop = "thunar", action = "open-home" } },

    { task = "Show all disks.",
      command = "open-computer",
      call = { desktop = "thunar", action = "open-computer" } },

    { task = "Show the files in the trash.",
      command = "open-trash",
      call = { desktop = "thunar", action = "open-trash" } },
  },
}
