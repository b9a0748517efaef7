--- Google Chrome: tasks and the scripts that do them.

return {
  app   = "com.google.Chrome",
  name  = "Google Chrome",
  words = "web browser page internet site tab",
  examples = {
    { task = "Get the address of the page that is open.",
      command = "tab.URL",
      script = [[tell application "Google Chrome" to get URL of active tab of front window]] },

    { task = "Open a web page in a new tab.",
      command = "make",
      script = [[
tell application "Google Chrome"
  tell front window to make new tab with properties {URL:"https://example.com"}
end tell]] },

    { task = "List the titles of all tabs.",
      command = "tab.title",
      script = [[tell application "Google Chrome" to get title of every tab of every window]] },

    { task = "Read the title of a page by a script in it.",
      command = "execute",
      script = [[tell application "Google Chrome" to execute active tab of front window javascript "document.title"]] },

    { task = "Load a page again.",
      command = "reload",
      script = [[tell application "Google Chrome" to reload active tab of front window]] },

    { task = "Close the current tab.",
      command = "close",
      script = [[tell application "Google Chrome" to close active tab of front window]] },

    { task = "Open a private window.",
      command = "window.mode",
      script = [[tell application "Google Chrome" to make new window with properties {mode:"incognito"}]] },
  },
}
