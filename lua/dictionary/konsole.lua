--- Konsole: tasks and the actions of its desktop file.

return {
  app   = "org.kde.konsole",
  name  = "Konsole",
  words = "terminal shell console command line",
  examples = {
    { task = "Open a terminal in a window.",
      command = "NewWindow",
      call = { desktop = "org.kde.konsole", action = "NewWindow" } },

    { task = "Open a terminal in a tab.",
      command = "NewTab",
      call = { desktop = "org.kde.konsole", action = "NewTab" } },
  },
}
