local function app(id, pid, active)
  return { pid = pid, started = 1, name = id:upper(), id = id .. ".desktop", path = "", icon = "", active = active or false,
    hidden = false, windows = 1 }
end

local function window(pid, id, minimized)
  return { pid = pid, started = 1, id = id, title = "Page", kind = "normal", minimized = minimized or false }
end

local function node(id, role, parent, more)
  local made = { id = id, role = role, parent = parent, name = role, states = { shown = true }, abilities = {} }
  for key, value in pairs(more or {}) do made[key] = value end
  return made
end

--- The elements of a browser, with a page that has tabs of its own.
local function tree(...)
  local nodes = { node(1, "window"), node(2, "tablist", 1), ... }
  table.move({ node(90, "document", 1), node(91, "tablist", 90),
    node(92, "tab", 91, { states = { selected = true, shown = true } }),
    node(93, "button", 92, { actions = { "press" } }) }, 1, 4, #nodes + 1, nodes)
  return { nodes = nodes, cut = false, route = "at-spi" }
end

local SELECTED = { name = "My page", states = { selected = true, shown = true } }
local CLOSE = { actions = { "press", "showContextMenu" } }
local TWO = tree(node(3, "tab", 2, SELECTED), node(4, "button", 3, CLOSE), node(5, "tab", 2), node(6, "button", 5, CLOSE))

--- No event comes, and the element of the tab is gone, or is not.
local QUIET, GONE, THERE = { events = {}, next = 1, missed = 0 }, { { gone = true } }, { { gone = false } }


---@type ToolExample[]
return {
  { "presses the button of the selected tab of the browser, not of one in the page",
    given = { ["common.system.is_mac"] = false, ["sys.app.list"] = { app("firefox", 8), app("mousepad", 9), app("chromium", 7) },
              ["sys.window.list"] = { window(9, 3), window(7, 1, true), window(7, 2), window(8, 4) },
              ["common.document_url.of"] = "https://example.com/",
              ["sys.element.tree"] = { TWO, tree(node(5, "tab", 2, SELECTED), node(6, "button", 5, CLOSE)) },
              ["sys.element.changes"] = QUIET, ["sys.element.get"] = GONE,
              ["sys.element.act"] = { agreed = true, route = "at-spi action press" } },
    args  = { url = "https://example.com/" },
    want  = { url = "https://example.com/", title = "My page", application = "CHROMIUM", tabs = 1 },
    did   = { "common.system.is_mac", "app.list", "window.list", "common.document_url.of 7 Page",
              "element.tree", "element.changes pid=7", "element.act 4 name=press verb=do", "element.get 3", "element.tree" } },

  { "the last tab takes its window with it",
    given = { ["common.system.is_mac"] = false,
              ["sys.app.list"] = { app("firefox-esr", 8, true), app("chromium", 7) }, ["sys.window.list"] = { window(8, 2) },
              ["common.document_url.of"] = { n = 0 }, ["sys.element.act"] = { agreed = true, route = "" },
              ["sys.element.tree"] = { TWO, { n = 3, false, "it is gone", "app_not_found" } },
              ["sys.element.changes"] = QUIET, ["sys.element.get"] = GONE,
              ["sys.window.get"] = { n = 3, false, "gone", "window_not_found" } },
    args  = {},
    want  = { application = "FIREFOX-ESR", tabs = 1 } },

  { "a tab that stays is not said to be closed",
    given = { ["common.system.is_mac"] = false, ["sys.app.list"] = { app("chromium", 7) },
              ["sys.window.list"] = { window(7, 2) }, ["common.document_url.of"] = "https://example.com/",
              ["sys.element.changes"] = QUIET, ["sys.element.get"] = function() return THERE end,
              ["sys.element.tree"] = function() return TWO end, ["sys.element.act"] = { agreed = true, route = "" } },
    args  = {}, err = "its page may ask whether to leave it", code = "NOT_CLOSED" },

  { "an unknown URL is not the wanted one",
    given = { ["common.system.is_mac"] = false, ["sys.app.list"] = { app("chromium", 7) },
              ["sys.window.list"] = { window(7, 2) }, ["common.document_url.of"] = { n = 0 }, ["sys.element.tree"] = TWO },
    args  = { url = "https://example.com/" }, err = "CHROMIUM does not say which URL it shows.", code = "NO_URL" },

  { "a pinned tab has no button",
    given = { ["common.system.is_mac"] = false, ["sys.app.list"] = { app("chromium", 7) },
              ["sys.window.list"] = { window(7, 2) }, ["common.document_url.of"] = "https://example.com/",
              ["sys.element.tree"] = tree(node(3, "tab", 2, SELECTED)) },
    args  = {}, err = "has no button to close it. Press ctrl+w", code = "NOT_SUPPORTED" },

  { "only minimized windows",
    given = { ["common.system.is_mac"] = false, ["sys.app.list"] = { app("chromium", 7) },
              ["sys.window.list"] = { window(7, 2, true) } },
    args  = {}, err = "CHROMIUM has no window.", code = "NO_WINDOW" },
}
