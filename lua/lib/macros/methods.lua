--- The methods of the objects that a macro works with, for what reads the text of macros. tests/lua/macros_methods_test.lua holds
--- the list against macros.runner.

local M = {}

--- The methods of a macro that are steps, or bind a window.
M.MACRO = { "open", "window", "call", "rows" }

--- The members of a macro that are not steps.
M.VALUES = { "base", "part", "state" }

--- The methods of a window, each of which is a step.
M.WINDOW = { "set", "choose", "click", "keys", "type", "menu", "dialog", "check", "wait", "point" }


return M
