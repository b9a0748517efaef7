--- module
-- In a file of tools, services or lib: local tools = require "tools", and a failure is nil, message, code.
-- In a script and at a prompt `tools` is there already, and a failure raises an error.
print(#tools.list_windows {}.windows > 0)                   --> true
print((pcall(tools.focus_window, { window = "no window" })))  --> false
