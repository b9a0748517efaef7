--- Screen savers of any desktop: tasks and the methods that do them.

return {
  app   = "org.freedesktop.ScreenSaver",
  name  = "Screen saver",
  words = "screen lock idle away desktop",
  examples = {
    { task = "Lock the screen.",
      command = "Lock",
      call = { to = "org.freedesktop.ScreenSaver", path = "/org/freedesktop/ScreenSaver",
               interface = "org.freedesktop.ScreenSaver", member = "Lock" } },

    { task = "Find out whether the screen is locked.",
      command = "GetActive",
      call = { to = "org.freedesktop.ScreenSaver", path = "/org/freedesktop/ScreenSaver",
               interface = "org.freedesktop.ScreenSaver", member = "GetActive" } },

    { task = "Find out for how long the keyboard has been idle.",
      command = "GetSessionIdleTime",
      call = { to = "org.freedesktop.ScreenSaver", path = "/org/freedesktop/ScreenSaver",
               interface = "org.freedesktop.ScreenSaver", member = "GetSessionIdleTime" } },

    { task = "Keep the screen on during a talk.",
      command = "Inhibit",
      call = { to = "org.freedesktop.ScreenSaver", path = "/org/freedesktop/ScreenSaver",
               interface = "org.freedesktop.ScreenSaver", member = "Inhibit", args = { "perigee", "a talk" } } },
  },
}
