--- StandardAdditions: tasks and the scripts that do them.

return {
  app   = "com.apple.osax.standardadditions",
  name  = "StandardAdditions",
  words = "script user dialog computer system",
  examples = {
    { task = "Ask the user for a line of text.",
      command = "display dialog",
      script = [[
set answer to text returned of (display dialog "Your name?" default answer "")
display alert "Delete the file?" message "It cannot be undone." as critical buttons {"Cancel", "Delete"} cancel button 1
display alert "Delete the file?" message "It cannot be undone." as critical buttons {"Cancel", "Delete"} cancel button 1]] },

    { task = "Show a notification.",
      command = "display notification",
      script = [[display notification "The copy is done." with title "Backup" sound name "Glass"]] },

    { task = "Let the user choose a file.",
      command = "choose file",
      script = [[set photo to choose file with prompt "Choose a picture" of type {"public.image"}]] },

    { task = "Let the user choose a folder.",
      command = "choose folder",
      script = [[set place to choose folder with prompt "Where to?"]] },

    { task = "Let the user choose from a list.",
      command = "choose from list",
      script = [[choose from list {"Small", "Large"} with prompt "Which size?" default items {"Small"}]] },

    { task = "Run a shell command and get its output.",
      command = "do shell script",
      script = [[do shell script "df -h /"]] },

    { task = "Read text aloud.",
      command = "say",
      script = [[say "The copy is done." using "Samantha"]] },

    { task = "Set the loudness of the computer.",
      command = "set volume",
      script = [[set volume output volume 40]] },

    { task = "Find out how loud the computer is.",
      command = "get volume settings",
      script = [[output volume of (get volume settings)]] },

    { task = "Copy text to the clipboard.",
      command = "set the clipboard to",
      script = [[set the clipboard to "Hello"]] },

    { task = "Read the clipboard.",
      command = "the clipboard",
      script = [[the clipboard as text]] },

    { task = "Get the date and the time.",
      command = "current date",
      script = [[current date]] },

    { task = "Open a web address in the default browser.",
      command = "open location",
      script = [[open location "https://example.com"]] },

    { task = "Read a text file.",
      command = "read",
      script = [[read POSIX file "/Users/me/notes.txt" as «class utf8»]] },

    { task = "Write text to a file.",
      command = "write",
      script = [[
set target to open for access POSIX file "/Users/me/notes.txt" with write permission
write "Hello" to target as «class utf8»
close access target]] },

    { task = "Find the folder of downloads.",
      command = "path to",
      script = [[POSIX path of (path to downloads folder)]] },

    { task = "Wait for two seconds.",
      command = "delay",
      script = [[delay 2]] },

    { task = "Find out the name and the version of the system.",
      command = "system info",
      script = [[system version of (system info)]] },

    { task = "Choose a number at random.",
      command = "random number",
      script = [[random number from 1 to 6]] },

    { task = "Make a sound to get attention.",
      command = "beep",
      script = [[beep 2]] },
  },
}
