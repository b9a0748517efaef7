--- Cases of execute_applescript beside the examples in its file: the applications that a name may mean.

local INSTALLED = {
  { name = "Mail", id = "com.apple.mail", path = "/System/Applications/Mail.app/Contents/MacOS/Mail" },
  { name = "Notes", id = "com.apple.Notes", path = "/System/Applications/Notes.app/Contents/MacOS/Notes" },
  { name = "Mail", id = "com.example.mail", path = "/Applications/Mail.app/Contents/MacOS/Mail" },
  { name = "Odd", id = "", path = "/Applications/Odd.app/Contents/MacOS/Odd" },
}

local DESCRIBED = {
  { name = "Finder", id = "com.apple.finder", path = "/System/Library/CoreServices/Finder.app" },
  { name = "System Events", id = "com.apple.systemevents", path = "/System/Library/CoreServices/System Events.app" },
  { name = "Notes", id = "com.apple.Notes", path = "/System/Applications/Notes.app" },
}

local DONE = { code = 0, stdout = "done\n", stderr = "", truncated = false, elapsed = 0.1 }

--- A script that is run, or refused.
local function case(title, script, id, refused)
  return { title, args = { script = script, appBundleId = id },
    given = { ["scripting.here.has_osascript"] = true, ["sys.app.installed"] = INSTALLED, ["sys.app.list"] = {},
              ["dictionary.bundles.apps"] = function() return DESCRIBED end,
              ["sys.process.run"] = not refused and DONE or nil },
    want = not refused and { result = "done" } or nil, code = refused and "OTHER_APPLICATION" or nil,
    err = refused and "the script names application " or nil }
end


---@type ToolExample[]
return {
  case("runs what names the application", 'tell application "Notes" to activate', "com.apple.Notes"),
  case("a name has no case, and may end in .app", 'tell application "notes.app" to activate', "com.apple.notes"),
  case("a path leads to it", 'tell application "/System/Applications/Notes.app" to activate', "com.apple.Notes"),
  case("a path to another one of its name does not", 'tell application "/tmp/Notes.app" to activate', "com.apple.Notes", true),
  case("a part of a path does not", 'tell application "/System/Applications/Note" to activate', "com.apple.Notes", true),
  case("a name that two applications have is neither", 'tell application "Mail" to activate', "com.example.mail", true),
  case("whichever is meant", 'tell application "Mail" to activate', "com.apple.mail", true),
  case("a path tells them apart", 'tell application "/Applications/Mail.app" to activate', "com.example.mail"),
  case("so does the ID", 'tell application id "com.apple.mail" to activate', "com.apple.mail"),
  case("one that is not installed is another one", 'tell application "Nothing" to activate', "com.apple.mail", true),
  case("a path of one that is only described", 'tell application "/System/Library/CoreServices/Finder.app/" to beep',
    "com.apple.finder"),
  case("the Finder is in no list of installed ones", 'tell application "Finder" to activate', "com.apple.finder"),
  case("System Events is an application of its own", 'tell application "System Events" to beep', "com.apple.mail", true),
}
