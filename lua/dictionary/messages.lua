--- Messages: tasks and the scripts that do them.

return {
  app   = "com.apple.MobileSMS",
  name  = "Messages",
  words = "chat text message sms conversation",
  examples = {
    { task = "Send a text message to a phone number.",
      command = "send",
      script = [[
tell application "Messages"
  set friend to participant "+15550100" of (first account whose service type = iMessage)
  send "I am late." to friend
end tell]] },

    { task = "Send a picture to a person.",
      command = "send",
      script = [[
tell application "Messages"
  set friend to participant "ann@example.com" of (first account whose service type = iMessage)
  send (POSIX file "/Users/me/lake.jpg") to friend
end tell]] },

    { task = "List the conversations.",
      command = "chat.name",
      script = [[tell application "Messages" to get name of every chat]] },
  },
}
