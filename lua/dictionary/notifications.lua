--- Notifications of any desktop: tasks and the methods that do them.

return {
  app   = "org.freedesktop.Notifications",
  name  = "Notifications",
  words = "notification message bubble popup desktop",
  examples = {
    { task = "Show a notification for five seconds.",
      command = "Notify",
      call = { to = "org.freedesktop.Notifications", path = "/org/freedesktop/Notifications",
               interface = "org.freedesktop.Notifications", member = "Notify",
               args = { "perigee", 0, "dialog-information", "Backup", "The copy is done.", {}, {}, 5000 } } },

    { task = "Take a notification off the screen.",
      command = "CloseNotification",
      call = { to = "org.freedesktop.Notifications", path = "/org/freedesktop/Notifications",
               interface = "org.freedesktop.Notifications", member = "CloseNotification", args = { 1 } } },

    { task = "Find out whether notifications can have buttons.",
      command = "GetCapabilities",
      call = { to = "org.freedesktop.Notifications", path = "/org/freedesktop/Notifications",
               interface = "org.freedesktop.Notifications", member = "GetCapabilities" } },

    { task = "Find out which program shows the notifications.",
      command = "GetServerInformation",
      call = { to = "org.freedesktop.Notifications", path = "/org/freedesktop/Notifications",
               interface = "org.freedesktop.Notifications", member = "GetServerInformation" } },
  },
}
