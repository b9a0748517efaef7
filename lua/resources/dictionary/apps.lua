--- The applications that describe what they can do.

local json    = require "sys.json"
local library = require "dictionary.library"
local time    = require "sys.time"
local views   = require "dictionary.views"


---@type Resource
return {
  uri         = "osa://apps",
  title       = "Scriptable applications",
  description = "List all scriptable apps: those with an AppleScript dictionary or App Intents on a Mac, those with an interface "
             .. "over D-Bus or actions on Linux. Nothing is started to find them.",
  mimeType    = "application/json",
  from        = "file",

  read = function()
    local list = json.array {}
    for i, app in ipairs(library.apps()) do list[i] = views.entry(app) end
    return { apps = list }
  end,

  watch = function(_, _, call) views.watch(nil, time.sleep, function() call:updated() end) end,

  examples = {
    { "lists them by name",
      given = { ["dictionary.library.apps"] = { { { id = "com.apple.finder", name = "Finder", version = "14.1", source = "sdef" },
                                                { id = "org.xfce.mousepad", name = "Mousepad", version = "",
                                                  source = "dbus" } } } },
      want  = { apps = { { bundleId = "com.apple.finder", name = "Finder", version = "14.1" },
                         { bundleId = "org.xfce.mousepad", name = "Mousepad", version = "" } } } },
  },
}
