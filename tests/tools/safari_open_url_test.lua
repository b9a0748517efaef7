--- Cases of safari_open_url beside the examples in its file. tests/desktop/common_tools_test.py opens pages in Chromium.

--- A desktop whose browser ends at once: it ran before, or did not.
local function ended(already)
  return { ["common.system.is_mac"] = false, ["common.handlers.of"] = { { "chromium.desktop" } },
    ["sys.app.open"] = { app = { pid = 7, started = 1, name = "Chromium", id = "chromium.desktop" }, already = already,
      ended = true, note = "chromium exited without showing a window" },
    ["sys.app.list"] = { { pid = 3, started = 1, name = "Chromium", id = "chromium.desktop", path = "", icon = "", active = true,
      hidden = false, windows = 1 } },
    ["sys.window.list"] = { { id = 5, pid = 3, kind = "normal", minimized = false, title = "Example", app = "chromium" } },
    ["common.document_url.of"] = "https://example.com/", ["sys.element.changes"] = { events = {}, next = 1, missed = 0 } }
end


---@type ToolExample[]
return {
  { "a browser that ends at once took nothing", given = ended(false), args = { url = "https://example.com/" },
    err = "The browser did not open: chromium exited without showing a window.", code = "LAUNCH_FAILED" },
  { "one that runs has the page", given = ended(true), args = { url = "https://example.com/" },
    want = { shown = true, url = "https://example.com/" } },
}
