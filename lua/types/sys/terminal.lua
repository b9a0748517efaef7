---@meta sys.terminal

--- The terminal that started this process.
---@class sys.terminal
local terminal = {}

--- Writes the text and waits for a line. What was typed before does not count. Not where this process is in the background, as
--- a server is that a client started.
---@param text string  as it is: make it plain before (sys.text)
---@param seconds? number  default 120, at most 3600
---@param options? {interrupt?: boolean}  interrupt: Ctrl-C dismisses the question; default: it ends the process, as ever
---@return string? line  without its end
---@return string? err
---@return string? code  "no_terminal", "timeout", "dismissed": Ctrl-D, or with `interrupt` Ctrl-C
function terminal.ask(text, seconds, options) end

return terminal
