--- The methods of the objects that a macro works with, for what reads the text of macros. tests/lua/macros_methods_test.lua holds
--- the list against macros.runner.

local M = {}

--- Of a macro, those that are steps, or bind a window.
M.MACRO = { "open", "window", "call", "rows" }

--- Of a macro, what is no step.
M.VALUES = { "base", "part", "state" }

--- Of a window: each is a step.
M.WINDOW = { "set", "choose", "click", "keys", "type", "menu", "dialog", "check", "wait", "point" }


return M
