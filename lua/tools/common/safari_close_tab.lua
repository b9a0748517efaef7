--- Close the current tab of the user's browser.

local common  = require "common.told"
local quoting = require "desktop.quoting"
local s       = require "schema"
local web     = require "common.web"


---@param args {url?: string}
---@param call Call
local function run(args, call)
  local closed, err, code = web.close(args.url)
  if not closed then return nil, err, code end
  return common.told(call, ("Closed the tab of %s that showed %s. %s"):format(closed.application,
    quoting.quote(closed.url or closed.title or "", 500), closed.tabs == 0 and "It was the last one."
    or ("%d left."):format(closed.tabs)), closed)
end


---@type Tool
return {
  title        = "Close a browser tab",
  description  = "Close the current tab of the user's browser. That is Safari on a Mac, elsewhere the browser in front or the "
               .. "default one. Pass its URL, from safari_get_current_url, so that no other tab is closed. Text that the user "
               .. "entered in the page is lost.",
  inputSchema  = s.object {
    { "url", s.string("Close it only if it shows this URL.", { optional = true, minLength = 1, maxLength = 20000 }) },
  },
  outputSchema = s.object {
    { "url", s.string("URL that it showed.", { optional = true }) },
    { "title", s.string("Title of the tab.", { optional = true }) },
    { "application", s.string "The browser." },
    { "tabs", s.integer "Tabs that are left: of its window, on a Mac of all windows." },
  },
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  from         = "screen",
  common       = "com.apple.Safari",
  codes        = common.codes("APP_NOT_RUNNING", "ELEMENT_REFUSED", "INPUT_STOPPED", "NOT_CLOSED", "NOT_SUPPORTED",
    "NO_TAB", "NO_TREE", "NO_URL", "NO_WINDOW", "OTHER_PAGE"),

  about = { "every", url = "nothing" },
  run = run,

  examples = {
    { "counts the tabs before and after",
      given = { ["common.system.is_mac"] = true, ["sys.osascript.run"] = "3\n2\nhttps://example.com/" },
      args  = { url = "https://example.com/" },
      has   = { 'Closed the tab of Safari that showed "https://example.com/". 2 left.' },
      want  = { url = "https://example.com/", tabs = 2 },
      did   = { "common.system.is_mac",
                "osascript.run args={https://example.com/} file=common/safari_close_tab.applescript timeout=35" } },

    { "does not claim that a tab is closed which is still there",
      given = { ["common.system.is_mac"] = true, ["sys.osascript.run"] = "3\n3\nhttps://example.com/" },
      args  = {},
      err   = "The tab is still there: its page may ask whether to leave it.", code = "NOT_CLOSED" },

    { "closes no other tab than the one that is meant",
      given = { ["common.system.is_mac"] = true,
                ["sys.osascript.run"] = { n = 4, false, "https://bank.example/", "script_error", 9002 } },
      args  = { url = "https://example.com/" },
      err   = "The current tab shows another URL, so it was not closed.", code = "OTHER_PAGE" },
  },
}
