--- Cases of create_observation beside the examples in its file.

local EDITOR = { pid = 7, started = 70, name = "Editor", id = "editor", path = "", active = true, windows = 1 }


---@type ToolExample[]
return {
  { "of the elements of an application that match",
    given = { ["observing.interfaces.begin"] = true, ["observing.interfaces.unread"] = function() end,
              ["sys.app.get"] = EDITOR },
    args  = { what = "elements", application = "applications/7", element = 'button "Save"' },
    want  = { what = "elements", application = "applications/7", element = 'button "Save"' } },
  { "notifications, by words of the program that shows them",
    given = { ["observing.notifications.begin"] = true, ["sys.engine.updated"] = true },
    args  = { what = "notifications", window = "mail" },
    want  = { what = "notifications", window = "mail", events = { "notification" } } },
  { "notifications where a system tells of none",
    given = { ["observing.notifications.begin"] = { n = 3, false, "This system tells no program of notifications.",
              "not_supported" }, ["sys.engine.updated"] = true },
    args  = { what = "notifications" }, err = "tells no program of notifications", code = "NOT_SUPPORTED" },
  { "notifications of an application", args = { what = "notifications", application = "Mail" },
    err = "notifications does not take application", code = "INVALID_ARGUMENT" },
  { "an application that describes nothing",
    given = { ["observing.interfaces.begin"] = { n = 3, false, "it tells nothing of itself", "no_tree" },
              ["sys.app.get"] = EDITOR, ["sys.engine.updated"] = true },
    args  = { what = "tree", application = "applications/7" }, err = "it tells nothing of itself", code = "NO_TREE" },
}
