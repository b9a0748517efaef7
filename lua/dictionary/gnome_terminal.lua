--- GNOME Terminal: tasks and the actions of its desktop file.

return {
  app   = "org.gnome.Terminal",
  name  = "Terminal",
  words = "terminal shell console command line",
  examples = {
    { task = "Open a terminal in a window.",
      command = "new-window",
      call = { desktop = "org.gnome.Terminal", action = "new-window" } },

    { task = "Open the settings of the terminal.",
      command = "preferences",
      call = { desktop = "org.gnome.Terminal", action = "preferences" } },
  },
}
