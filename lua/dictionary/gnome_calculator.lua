--- GNOME Calculator: tasks and the actions that do them. It has no name on the bus: its window has it as a property.

return {
  app   = "org.gnome.Calculator",
  name  = "Calculator",
  words = "calculator math arithmetic",
  examples = {
    { task = "Calculate with scientific functions.",
      command = "mode",
      call = { path = "/org/gnome/Calculator/window/1", action = "mode", state = "advanced" } },

    { task = "Count in binary or hexadecimal numbers.",
      command = "mode",
      call = { path = "/org/gnome/Calculator/window/1", action = "mode", state = "programming" } },

    { task = "Copy the result.",
      command = "copy",
      call = { path = "/org/gnome/Calculator/window/1", action = "copy" } },

    { task = "Clear the display.",
      command = "clear",
      call = { path = "/org/gnome/Calculator/window/1", action = "clear" } },

    { task = "Enter the number that is on the clipboard.",
      command = "paste",
      call = { path = "/org/gnome/Calculator/window/1", action = "paste" } },

    { task = "Show large numbers with an exponent.",
      command = "number-format",
      call = { path = "/org/gnome/Calculator/window/1", action = "number-format", state = "scientific" } },

    { task = "Open another calculator.",
      command = "new-window",
      call = { path = "/org/gnome/Calculator", action = "new-window" } },

    { task = "Choose how many decimals are shown.",
      command = "preferences",
      call = { path = "/org/gnome/Calculator", action = "preferences" } },

    { task = "List the keyboard shortcuts.",
      command = "shortcuts",
      call = { path = "/org/gnome/Calculator", action = "shortcuts" } },

    { task = "Read the manual.",
      command = "help",
      call = { path = "/org/gnome/Calculator", action = "help" } },

    { task = "Take the last entry back.",
      command = "undo",
      call = { path = "/org/gnome/Calculator/window/1", action = "undo" } },

    { task = "Enter again what I took back.",
      command = "redo",
      call = { path = "/org/gnome/Calculator/window/1", action = "redo" } },

    { task = "Close the calculator.",
      command = "close",
      call = { path = "/org/gnome/Calculator/window/1", action = "close" } },
  },
}
