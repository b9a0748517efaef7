--- Mail: tasks and the scripts that do them.

return {
  app   = "com.apple.mail",
  name  = "Mail",
  words = "email message mailbox inbox letter",
  examples = {
    { task = "Write an email and send it.",
      command = "send",
      script = [[
tell application "Mail"
  set letter to make new outgoing message with properties {subject:"Report", content:"The report is ready.", visible:false}
  tell letter to make new to recipient at end of to recipients with properties {address:"ann@example.com"}
  send letter
end tell]] },

    { task = "Write a draft with an attachment and show it.",
      command = "make",
      script = [[
tell application "Mail"
  set letter to make new outgoing message ¬
    with properties {subject:"Plan", content:"See the file." & return & return, visible:true}
  tell content of letter to make new attachment ¬
    with properties {file name:POSIX file "/Users/me/plan.pdf" as alias} at after last paragraph
  activate
end tell]] },

    { task = "Fetch new messages from all accounts.",
      command = "check for new mail",
      script = [[tell application "Mail" to check for new mail]] },

    { task = "Count the messages in the inbox that are not read.",
      command = "mailbox.unread count",
      script = [[tell application "Mail" to get unread count of inbox]] },

    { task = "List the subjects of the newest messages.",
      command = "message.subject",
      script = [[tell application "Mail" to get subject of messages 1 thru 10 of inbox]] },

    { task = "Read the text of the message that is selected.",
      command = "message.content",
      script = [[tell application "Mail" to get content of item 1 of (get selection)]] },

    { task = "Mark the selected messages as read.",
      command = "message.read status",
      script = [[
tell application "Mail"
  repeat with one in (get selection)
    set read status of one to true
  end repeat
end tell]] },

    { task = "File a message in another mailbox.",
      command = "move",
      script = [[tell application "Mail" to move (first message of inbox) to mailbox "Archive" of account "Work"]] },

    { task = "Answer a message to all who received it.",
      command = "reply",
      script = [[tell application "Mail" to reply (first message of inbox) with opening window and reply to all]] },

    { task = "Pass a message on to another person.",
      command = "forward",
      script = [[tell application "Mail" to forward (first message of inbox) with opening window]] },

    { task = "Delete a message.",
      command = "delete",
      script = [[tell application "Mail" to delete (first message of inbox)]] },

    { task = "Find out who wrote a message.",
      command = "message.sender",
      script = [[tell application "Mail" to get sender of message 1 of inbox]] },

    { task = "Mark a message as spam.",
      command = "message.junk mail status",
      script = [[tell application "Mail" to set junk mail status of message 1 of inbox to true]] },
  },
}
