--- Reminders: tasks and the scripts that do them.

return {
  app   = "com.apple.reminders",
  name  = "Reminders",
  words = "task todo list reminder",
  examples = {
    { task = "Remind me of a task tomorrow.",
      command = "make",
      script = [[
tell application "Reminders"
  make new reminder with properties {name:"Call Ann", remind me date:(current date) + 1 * days}
end tell]] },

    { task = "Tick off a task that is finished.",
      command = "reminder.completed",
      script = [[tell application "Reminders" to set completed of (first reminder whose name is "Call Ann") to true]] },

    { task = "List the tasks that are still open.",
      command = "reminder.name",
      script = [[tell application "Reminders" to get name of (every reminder whose completed is false)]] },

    { task = "Find out until when a task must be finished.",
      command = "reminder.due date",
      script = [[tell application "Reminders" to get due date of (first reminder whose name is "Call Ann")]] },

    { task = "Make a task urgent.",
      command = "reminder.priority",
      script = [[tell application "Reminders" to set priority of (first reminder whose name is "Call Ann") to 1]] },

    { task = "Delete a task.",
      command = "delete",
      script = [[tell application "Reminders" to delete (first reminder whose name is "Call Ann")]] },
  },
}
