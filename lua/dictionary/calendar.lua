--- Calendar: tasks and the scripts that do them.

return {
  app   = "com.apple.iCal",
  name  = "Calendar",
  words = "appointment event meeting schedule agenda",
  examples = {
    { task = "Add an appointment to a calendar.",
      command = "make",
      script = [[
tell application "Calendar"
  tell calendar "Work"
    set begins to (current date) + 1 * days
    make new event with properties {summary:"Review", start date:begins, end date:begins + 1 * hours}
  end tell
end tell]] },

    { task = "Show a certain day in the window.",
      command = "view calendar",
      script = [[tell application "Calendar" to view calendar at (current date) + 7 * days]] },

    { task = "List the appointments that begin today.",
      command = "event.summary",
      script = [[
set today to current date
set time of today to 0
tell application "Calendar"
  tell calendar "Work" to get summary of (every event whose start date is greater than or equal to today ¬
    and start date is less than today + 1 * days)
end tell]] },

    { task = "Create another calendar.",
      command = "create calendar",
      script = [[tell application "Calendar" to create calendar with name "Holidays"]] },

    { task = "Show the month instead of the week.",
      command = "switch view",
      script = [[tell application "Calendar" to switch view to month view]] },

    { task = "Find out where a meeting takes place.",
      command = "event.location",
      script = [[tell application "Calendar" to get location of first event of calendar "Work" whose summary is "Review"]] },

    { task = "Find out when a meeting begins.",
      command = "event.start date",
      script = [[tell application "Calendar" to get start date of first event of calendar "Work" whose summary is "Review"]] },
  },
}
