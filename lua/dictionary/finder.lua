--- Finder: tasks and the scripts that do them.

return {
  app   = "com.apple.finder",
  name  = "Finder",
  words = "file folder disk desktop computer mac trash",
  examples = {
    { task = "Make a new folder on the desktop.",
      command = "make",
      script = [[tell application "Finder" to make new folder at desktop with properties {name:"Reports"}]] },

    { task = "Show a file in its folder, selected.",
      command = "reveal",
      script = [[
tell application "Finder"
  reveal POSIX file "/Users/me/Documents/report.pdf"
  activate
end tell]] },

    { task = "Put a file into another folder.",
      command = "move",
      script = [[tell application "Finder" to move file "draft.txt" of desktop to folder "Archive" of home]] },

    { task = "Copy a file to another folder, over an older copy.",
      command = "duplicate",
      script = [[
tell application "Finder"
  duplicate file "report.pdf" of desktop to folder "Backup" of home with replacing
end tell]] },

    { task = "Move a file to the trash.",
      command = "delete",
      script = [[tell application "Finder" to delete (POSIX file "/Users/me/Desktop/old.txt" as alias)]] },

    { task = "Empty the trash.",
      command = "empty",
      script = [[tell application "Finder" to empty trash]] },

    { task = "Eject a disk.",
      command = "eject",
      script = [[tell application "Finder" to eject disk "Backup"]] },

    { task = "Rename a file or a folder.",
      command = "item.name",
      script = [[tell application "Finder" to set name of file "draft.txt" of desktop to "final.txt"]] },

    { task = "List the files that are selected in the front window.",
      command = "application.selection",
      script = [[
tell application "Finder"
  set names to {}
  repeat with one in (get selection)
    set end of names to name of one
  end repeat
  names
end tell]] },

    { task = "Find out which folder the front window shows.",
      command = "Finder window.target",
      script = [[tell application "Finder" to get POSIX path of (target of front Finder window as alias)]] },

    { task = "Tell how much space is left on the startup disk.",
      command = "disk.free space",
      script = [[tell application "Finder" to get free space of startup disk]] },

    { task = "Give a file a colored label.",
      command = "item.label index",
      script = [[tell application "Finder" to set label index of file "report.pdf" of desktop to 2]] },

    { task = "Set the wallpaper of the desktop.",
      command = "application.desktop picture",
      script = [[tell application "Finder" to set desktop picture to POSIX file "/Users/me/Pictures/lake.jpg"]] },

    { task = "Write a comment on a file.",
      command = "item.comment",
      script = [[tell application "Finder" to set comment of file "report.pdf" of desktop to "Checked on Monday"]] },
  },
}
