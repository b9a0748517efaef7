--- The desktop portal: tasks and the methods that do them. The answers of most come later, by a signal.

return {
  app   = "org.freedesktop.portal.Desktop",
  name  = "Desktop portal",
  words = "screenshot desktop settings file browser",
  examples = {
    { task = "Take a screenshot.",
      command = "Screenshot",
      call = { to = "org.freedesktop.portal.Desktop", path = "/org/freedesktop/portal/desktop",
               interface = "org.freedesktop.portal.Screenshot", member = "Screenshot", args = { "", {} } } },

    { task = "Pick a color from the screen.",
      command = "PickColor",
      call = { to = "org.freedesktop.portal.Desktop", path = "/org/freedesktop/portal/desktop",
               interface = "org.freedesktop.portal.Screenshot", member = "PickColor", args = { "", {} } } },

    { task = "Open a web address in the default browser.",
      command = "OpenURI",
      call = { to = "org.freedesktop.portal.Desktop", path = "/org/freedesktop/portal/desktop",
               interface = "org.freedesktop.portal.OpenURI", member = "OpenURI", args = { "", "https://example.com", {} } } },

    { task = "Find out whether the desktop prefers a dark appearance.",
      command = "Read",
      call = { to = "org.freedesktop.portal.Desktop", path = "/org/freedesktop/portal/desktop",
               interface = "org.freedesktop.portal.Settings", member = "Read",
               args = { "org.freedesktop.appearance", "color-scheme" } } },
  },
}
