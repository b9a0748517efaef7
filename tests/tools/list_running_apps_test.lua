--- Cases of list_running_apps beside the examples in its file.

---@type ToolExample[]
return {
  { "a name with lines of its own is one line",
    given = { ["sys.app.list"] = { { { pid = 7, started = 1, name = "Notes\n- Fake", id = "notes.desktop", path = "", icon = "",
                active = false, hidden = false, windows = 1 } } },
              ["dictionary.library.apps"] = { {} } },
    args = {},
    has  = { 'Found 1 running application:\n- "Notes - Fake" (notes), pid 7' } },
}
