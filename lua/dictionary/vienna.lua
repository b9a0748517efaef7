--- Vienna: tasks and the scripts that do them.

return {
  app   = "uk.co.opencommunity.vienna2",
  name  = "Vienna",
  words = "rss feed reader news article",
  examples = {
    { task = "Subscribe to a feed.",
      command = "create new subscription",
      script = [[tell application "Vienna" to create new subscription for "https://example.com/feed.xml"]] },

    { task = "Look for new articles in all feeds.",
      command = "refresh all subscriptions",
      script = [[tell application "Vienna" to refresh all subscriptions]] },

    { task = "Count the articles that are not read.",
      command = "application.total unread count",
      script = [[tell application "Vienna" to get total unread count]] },

    { task = "Mark the articles of all feeds as read.",
      command = "mark all subscriptions read",
      script = [[tell application "Vienna" to mark all subscriptions read]] },

    { task = "Mark the articles of one feed as read.",
      command = "mark all read",
      script = [[tell application "Vienna" to mark all read in folder "News"]] },

    { task = "Find out the title and the link of the article that is open.",
      command = "article.title",
      script = [[tell application "Vienna" to get {title, link} of current article]] },

    { task = "Save the feeds as an OPML file.",
      command = "export subscriptions",
      script = [[tell application "Vienna" to export subscriptions to "/Users/me/feeds.opml"]] },

    { task = "Add the feeds of an OPML file.",
      command = "import subscriptions",
      script = [[tell application "Vienna" to import subscriptions from "/Users/me/feeds.opml"]] },

    { task = "Find out the address of a feed.",
      command = "folder.url",
      script = [[tell application "Vienna" to get url of folder "News"]] },

    { task = "Set how often feeds are checked for news.",
      command = "application.refresh frequency",
      script = [[tell application "Vienna" to set refresh frequency to 3600]] },

    { task = "Look for new articles in one feed.",
      command = "refresh subscription",
      script = [[tell application "Vienna" to refresh subscription for folder "News"]] },

    { task = "Open a web page in a tab.",
      command = "open new tab",
      script = [[tell application "Vienna" to open new tab for "https://example.com"]] },

    { task = "Delete the articles in the trash for good.",
      command = "empty trash",
      script = [[tell application "Vienna" to empty trash]] },

    { task = "Make the database of articles smaller and quicker.",
      command = "compact database",
      script = [[tell application "Vienna" to compact database]] },

    { task = "Sort the list of feeds as at the beginning.",
      command = "reset folder sort",
      script = [[tell application "Vienna" to reset folder sort]] },

    { task = "Find out who wrote an article.",
      command = "article.author",
      script = [[tell application "Vienna" to get author of current article]] },

    { task = "Read the text of the article that is open.",
      command = "article.body",
      script = [[tell application "Vienna" to get body of current article]] },

    { task = "Find out whether an article is flagged.",
      command = "article.flag",
      script = [[tell application "Vienna" to get flag of current article]] },

    { task = "Count the articles of one feed that are not read.",
      command = "folder.unread count",
      script = [[tell application "Vienna" to get unread count of folder "News"]] },

    { task = "List the feeds.",
      command = "folder.name",
      script = [[tell application "Vienna" to get name of every folder]] },

    { task = "Delete old articles by themselves after some days.",
      command = "application.auto expire duration",
      script = [[tell application "Vienna" to set auto expire duration to 30]] },

    { task = "Make the letters of the list of articles bigger.",
      command = "application.article list font size",
      script = [[tell application "Vienna" to set article list font size to 14]] },

    { task = "Look for a new version of the program when it starts.",
      command = "application.check for new on startup",
      script = [[tell application "Vienna" to set check for new on startup to true]] },

    { task = "Check the feeds for news each time the program starts.",
      command = "application.refresh on startup",
      script = [[tell application "Vienna" to set refresh on startup to true]] },

    { task = "Open links behind the article that I read.",
      command = "application.open links in background",
      script = [[tell application "Vienna" to set open links in background to true]] },

    { task = "Follow a web site that has an RSS feed.",
      command = "create new subscription",
      script = [[tell application "Vienna" to create new subscription for "https://example.com/news/rss"]] },
  },
}
