---@meta sys.terminal

--- The terminal that started this process.
---@class sys.terminal
local terminal = {}

--- Writes the text and waits for a line. Earlier typing is ignored. It fails in a process in the background, such as a server
--- that a client started.
---@param text string  written as it is: make it plain before (sys.text)
---@param seconds? number  default 120, at most 3600
---@param options? {interrupt?: boolean}  interrupt: Ctrl-C dismisses the question; default: it ends the process as usual
---@return string? line  without its line end
---@return string? err
---@return string? code  "no_terminal", "timeout", "dismissed": Ctrl-D, or with `interrupt` Ctrl-C
function terminal.ask(text, seconds, options) end

return terminal
