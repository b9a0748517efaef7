--- The page in the user's browser: by Safari on a Mac, elsewhere by the elements of the desktop's browser.

local app          = require "sys.app"
local await        = require "elements.read.await"
local document_url = require "common.document_url"
local element      = require "sys.element"
local fail         = require "desktop.fail"
local handlers     = require "common.handlers"
local names        = require "desktop.names"
local quoting      = require "desktop.quoting"
local script       = require "common.script"
local system       = require "common.system"
local time         = require "sys.time"
local window       = require "sys.window"

local M = {}

local HTTPS = "x-scheme-handler/https"
local SECONDS = 15      -- for a window of the browser
local LOADING = 10      -- for a page, or for the end of a tab
local PAUSE = 0.15      -- between two looks at Safari


---@class common.Page
---@field url? string
---@field title? string
---@field application? string  the name that people know
---@field window? string       its resource name


-- --- the browser -----------------------------------------------------------------------------------

-- Parts of the IDs of browsers. Which one the desktop prefers is not asked: that takes a program, and reading starts none.
local BROWSERS = { "firefox", "chromium", "chrome", "brave", "microsoft%-edge", "vivaldi", "opera", "epiphany", "librewolf",
  "waterfox", "falkon", "konqueror", "midori", "qutebrowser", "palemoon", "seamonkey" }

local function is_browser(each)
  local id = each.id:lower()
  for _, part in ipairs(BROWSERS) do
    if id:find(part) then return true end
  end
  return false
end


--- The browser in front, with its frontmost window.
---@return sys.app.App? browser
---@return sys.window.Window|string|nil shown_or_err
---@return string? code
local function in_front()
  local list, err, code = app.list()
  if not list then return fail.with(err, code) end
  local browsers, any = {}, nil
  for _, each in ipairs(list) do
    if is_browser(each) then browsers[each.pid], any = each, any or each end
  end
  if not any then return fail.with("No browser runs. Open a page with safari_open_url.", "app_not_running") end
  local windows
  windows, err, code = window.list()
  if not windows then return fail.with(err, code) end
  for _, each in ipairs(windows) do
    if browsers[each.pid] and each.kind == "normal" and not each.minimized then return browsers[each.pid], each end
  end
  return fail.with(("%s has no window. Open a page with safari_open_url."):format(quoting.name(any.name)), "no_window")
end


--- The browser, and the page that it shows.
---@return common.Page? page
---@return string? err
---@return string? code
---@return sys.app.App? browser
---@return sys.window.Window? shown
local function front()
  local browser, shown, code = in_front()
  if not browser then return nil, shown, code end
  return { url = document_url.of(browser.pid, shown.title), title = quoting.plain(shown.title), window = names.window(shown),
    application = quoting.plain(browser.name) }, nil, nil, browser, shown
end


-- --- the current page ------------------------------------------------------------------------------

--- Why no URL is known: the browser's own words about its elements, if it tells of none.
local function no_url(browser, shown)
  local _, err, code = element.tree { pid = browser.pid, started = browser.started, window = shown.id, nodes = 50 }
  if err then return fail.with(err, code) end
  return fail.with(("%s does not say which URL it shows. Take a screenshot, or read its address bar with get_ui_tree."):format(
    quoting.name(browser.name)), "no_url")
end


---@return common.Page? page
---@return string? err
---@return string? code
function M.current()
  if system.is_mac() then
    local said, err, code = script.run("safari_get_current_url", {}, 20)
    if not said then return nil, err, code end
    local url, title = said:match "^([^\n]+)\n(.*)$"
    if not url then return fail.with("The current tab of Safari shows no page.", "no_url") end
    return { url = url, title = quoting.plain(title), application = "Safari" }
  end
  local page, err, code, browser, shown = front()
  if not page then return nil, err, code end
  if not page.url then return no_url(browser, shown) end
  return page
end


-- --- opening ---------------------------------------------------------------------------------------

local function same_url(a, b) return a ~= nil and a:gsub("/+$", "") == b:gsub("/+$", "") end


--- Waits until Safari shows the page with this URL. It tells of no changes, so it is asked now and then. Returns the page that is
--- shown at the end.
local function await_safari(url)
  local ends = time.monotonic() + LOADING
  while true do
    local page = M.current()
    if page and same_url(page.url, url) or time.monotonic() > ends then return page end
    time.sleep(PAUSE)
  end
end


--- Waits until the browser shows the page with this URL: looks after each event of its elements. Returns the page that is shown
--- at the end.
---@param url string
---@param pid integer  of the browser
local function await_url(url, pid)
  local page
  await.until_seen(pid, await.mark(pid), LOADING, function()
    page = M.current()
    return page ~= nil and same_url(page.url, url)
  end)
  return page
end


--- Returns the process of the browser that opened the URL.
---@return integer? pid
---@return string? err
---@return string? code
local function start_browser(url, new_window)
  local ids, err, code = handlers.of(HTTPS)
  if not ids then return nil, err, code end
  if not ids[1] then
    return fail.with("No browser is installed. Install one, or choose one in the desktop's settings.", "no_handler")
  end
  local opened
  opened, err, code = app.open { name = ids[1], files = not new_window and { url } or nil,
    arguments = new_window and { "--new-window", url } or nil, wait = SECONDS }
  if not opened then return fail.with(err, code) end
  -- the process that hands the URL to a browser that runs ends as well
  if opened.ended and not opened.already then
    return fail.with(("The browser did not open: %s."):format(opened.note or ids[1] .. " ended without showing a window"),
      "launch_failed")
  end
  return opened.app.pid
end


---@class common.Shown: common.Page
---@field shown boolean  the page with the wanted URL was seen
---@field note? string

---@param url string
---@param new_window? boolean
---@return common.Shown? shown
---@return string? err
---@return string? code
function M.open(url, new_window)
  local page, done, err, code
  if system.is_mac() then
    done, err, code = script.run("safari_open_url", { url, new_window and "window" or "tab" }, 35)
    page = done and await_safari(url)
  else
    done, err, code = start_browser(url, new_window)
    page = done and await_url(url, done)
  end
  if not done then return nil, err, code end
  page = page or {}
  page.shown = same_url(page.url, url)
  if not page.shown then
    page.note = page.url and "The browser shows another URL now: the page may lead on to it, or still load."
      or "The browser took the URL. It does not say which page it shows: take a screenshot."
  end
  return page
end


-- --- closing a tab ---------------------------------------------------------------------------------

--- The selected tab of the browser itself, not one in a page, with its button and the number of tabs.
local function tab_of(browser, shown)
  local tree, err, code = element.tree { pid = browser.pid, started = browser.started, window = shown.id, nodes = 20000,
    actions = true }
  if not tree then return nil, err, code end
  local by_id, tab, count, button = {}, nil, {}, nil
  local function in_page(node)
    while node do
      if node.role == "document" then return true end
      node = by_id[node.parent]
    end
    return false
  end
  for _, node in ipairs(tree.nodes) do
    by_id[node.id] = node
    if node.role == "tab" and not in_page(node) then
      count[node.parent or 0] = (count[node.parent or 0] or 0) + 1
      if node.states.selected then tab = node end
    elseif tab and node.parent == tab.id and node.role == "button" and node.states.shown and node.actions
      and node.actions[1] then
      button = node
    end
  end
  if not tab then return nil, "the browser tells of no tab", "no_tab" end
  return { id = tab.id, name = tab.name, button = button, tabs = count[tab.parent or 0] }
end


--- True if there are fewer tabs.
local function are_fewer(browser, shown, tabs)
  local now = tab_of(browser, shown)
  if now then return now.tabs < tabs end
  return not window.get(shown)   -- the last tab took its window with it
end


--- True when the tab is gone; false if it is still there at the end of the time. All tabs are read only when its own element has
--- gone: that takes long, and events come in swarms.
---@param since integer?  a mark from before the action
local function await_end(browser, shown, tab, since)
  return await.until_seen(browser.pid, since, LOADING, function()
    local nodes = element.get { tab.id }
    return not (nodes and nodes[1] and not nodes[1].gone) and are_fewer(browser, shown, tab.tabs)
  end) or are_fewer(browser, shown, tab.tabs)
end


local STILL = "The tab is still there: its page may ask whether to leave it. Look with handle_dialog."


local function close_in_browser(expected)
  local page, err, code, browser, shown = front()
  if not page then return nil, err, code end
  if expected and not page.url then return no_url(browser, shown) end
  if expected and page.url ~= expected then
    return fail.with(("The current tab shows %s, so it was not closed."):format(page.url), "other_page")
  end
  local tab
  tab, err, code = tab_of(browser, shown)
  if not tab then return fail.with(err, code) end
  if not tab.button then
    return fail.with(("The tab %s has no button to close it. Press ctrl+w with create_input."):format(
      quoting.quote(tab.name, 80)), "not_supported")
  end
  local done
  local since = await.mark(browser.pid)
  done, err, code = element.act(tab.button.id, { verb = "do", name = tab.button.actions[1] })
  if not done then return fail.with(err, code) end
  if not await_end(browser, shown, tab, since) then return fail.with(STILL, "not_closed") end
  return { url = page.url, title = quoting.plain(tab.name), application = page.application, tabs = tab.tabs - 1 }
end


--- Closes the current tab.
---@param expected? string  only if it shows this URL
---@return {url?: string, title?: string, application: string, tabs: integer}? closed
---@return string? err
---@return string? code
function M.close(expected)
  if not system.is_mac() then return close_in_browser(expected) end
  local said, err, code = script.run("safari_close_tab", { expected or "" }, 35)
  if not said then return nil, err, code end
  local before, after, url = said:match "^(%d+)\n(%d+)\n(.*)$"
  if not before then return script.strange("safari_close_tab", said) end
  if tonumber(after) >= tonumber(before) then return fail.with(STILL, "not_closed") end
  return { url = url ~= "" and url or nil, application = "Safari", tabs = math.tointeger(tonumber(after)) }
end


return M
