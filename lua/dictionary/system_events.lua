--- System Events: tasks and the scripts that do them.

return {
  app   = "com.apple.systemevents",
  name  = "System Events",
  words = "mac computer system settings login process keyboard button window dock",
  examples = {
    { task = "Press a keyboard shortcut in the front application.",
      command = "keystroke",
      script = [[tell application "System Events" to keystroke "s" using {command down, shift down}]] },

    { task = "Press the Return or the Escape key.",
      command = "key code",
      script = [[tell application "System Events" to key code 36]] },

    { task = "Press a button in another application's window.",
      command = "click",
      script = [[tell application "System Events" to tell process "TextEdit" to click button "Save" of sheet 1 of window 1]] },

    { task = "Choose an item of a menu.",
      command = "click",
      script = [[
tell application "System Events"
  tell process "TextEdit" to click menu item "Make Plain Text" of menu "Format" of menu bar item "Format" of menu bar 1
end tell]] },

    { task = "List the applications that are running.",
      command = "process.name",
      script = [[tell application "System Events" to get name of every process whose background only is false]] },

    { task = "Bring an application to the front.",
      command = "process.frontmost",
      script = [[tell application "System Events" to set frontmost of process "TextEdit" to true]] },

    { task = "Use the dark appearance.",
      command = "appearance preferences object.dark mode",
      script = [[tell application "System Events" to tell appearance preferences to set dark mode to true]] },

    { task = "Hide the dock when it is not in use.",
      command = "dock preferences object.autohide",
      script = [[tell application "System Events" to tell dock preferences to set autohide to true]] },

    { task = "List the programs that open at login.",
      command = "login item.path",
      script = [[tell application "System Events" to get path of every login item]] },

    { task = "Open a program each time I log in.",
      command = "make",
      script = [[
tell application "System Events"
  make new login item at end of login items with properties {path:"/Applications/Notes.app", hidden:false}
end tell]] },

    { task = "Change the wallpaper.",
      command = "desktop.picture",
      script = [[tell application "System Events" to tell current desktop to set photo to "/Users/me/Pictures/lake.jpg"]] },

    { task = "Put the computer to sleep.",
      command = "sleep",
      script = [[tell application "System Events" to sleep]] },

    { task = "Turn the computer off.",
      command = "shut down",
      script = [[tell application "System Events" to shut down]] },

    { task = "Reboot the computer.",
      command = "restart",
      script = [[tell application "System Events" to restart]] },

    { task = "End the session of the user.",
      command = "log out",
      script = [[tell application "System Events" to log out]] },

    { task = "List the files of a folder.",
      command = "disk item.name",
      script = [[tell application "System Events" to get name of every disk item of folder "/Users/me/Documents"]] },

    { task = "Start the screen saver.",
      command = "start",
      script = [[tell application "System Events" to start current screen saver]] },

    { task = "Read a value of a property list file.",
      command = "property list item.value",
      script = [[
tell application "System Events"
  get value of property list item "Name" of property list file "/Users/me/settings.plist"
end tell]] },
  },
}
