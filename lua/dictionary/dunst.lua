--- Dunst, a notification daemon: tasks that only it does.

return {
  app   = "org.dunstproject.cmd0",
  name  = "Dunst",
  words = "notification message bubble popup",
  examples = {
    { task = "Take all notifications off the screen.",
      command = "NotificationCloseAll",
      call = { to = "org.freedesktop.Notifications", path = "/org/freedesktop/Notifications",
               interface = "org.dunstproject.cmd0", member = "NotificationCloseAll" } },

    { task = "Take the newest notification off the screen.",
      command = "NotificationCloseLast",
      call = { to = "org.freedesktop.Notifications", path = "/org/freedesktop/Notifications",
               interface = "org.dunstproject.cmd0", member = "NotificationCloseLast" } },

    { task = "Show the last notification again, from the history.",
      command = "NotificationShow",
      call = { to = "org.freedesktop.Notifications", path = "/org/freedesktop/Notifications",
               interface = "org.dunstproject.cmd0", member = "NotificationShow" } },

    { task = "List the notifications of the past.",
      command = "NotificationListHistory",
      call = { to = "org.freedesktop.Notifications", path = "/org/freedesktop/Notifications",
               interface = "org.dunstproject.cmd0", member = "NotificationListHistory" } },

    { task = "Press the button of a notification.",
      command = "NotificationAction",
      call = { to = "org.freedesktop.Notifications", path = "/org/freedesktop/Notifications",
               interface = "org.dunstproject.cmd0", member = "NotificationAction", args = { 0 } } },

    { task = "Do not disturb: hold all notifications back.",
      command = "paused",
      call = { to = "org.freedesktop.Notifications", path = "/org/freedesktop/Notifications",
               interface = "org.dunstproject.cmd0", property = "paused", value = true } },

    { task = "Count the notifications that wait to be shown.",
      command = "waitingLength",
      call = { to = "org.freedesktop.Notifications", path = "/org/freedesktop/Notifications",
               interface = "org.dunstproject.cmd0", property = "waitingLength" } },
  },
}
