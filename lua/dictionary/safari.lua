--- Safari: tasks and the scripts that do them.

return {
  app   = "com.apple.Safari",
  name  = "Safari",
  words = "web browser page internet site",
  examples = {
    { task = "Get the address of the page that is open.",
      command = "document.URL",
      script = [[tell application "Safari" to get URL of front document]] },

    { task = "Open a web page in the current tab.",
      command = "tab.URL",
      script = [[tell application "Safari" to set URL of current tab of front window to "https://example.com"]] },

    { task = "Open a web page in a new window.",
      command = "make",
      script = [[tell application "Safari" to make new document with properties {URL:"https://example.com"}]] },

    { task = "List the titles of all tabs of the front window.",
      command = "tab.name",
      script = [[tell application "Safari" to get name of every tab of front window]] },

    { task = "Read the title of a page by a script in it.",
      command = "do JavaScript",
      script = [[tell application "Safari" to do JavaScript "document.title" in current tab of front window]] },

    { task = "Close the current tab.",
      command = "close",
      script = [[tell application "Safari" to close current tab of front window]] },

    { task = "Save a page to read it later.",
      command = "add reading list item",
      script = [[tell application "Safari" to add reading list item "https://example.com/story" with title "A story"]] },

    { task = "Search the web for some words.",
      command = "search the web",
      script = [[tell application "Safari" to search the web for "weather tomorrow"]] },

    { task = "Get the HTML source of the page.",
      command = "document.source",
      script = [[tell application "Safari" to get source of front document]] },
  },
}
