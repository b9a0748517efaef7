---@meta tools

--- Every tool as a function: `local tools = require "tools"`, then `tools.list_windows { page_size = 10 }`. It is for files of
--- tools, resources, prompts, commands and lib, and for scripts, whose global `tools` raises an error instead.
---
--- The call is made for the same caller and passes the policy. Its progress, log lines and questions go to the client of the
--- running call. It ends with that call at the latest. It returns what the tool returned (a string, a table of structured
--- content, or a whole result with `content` and `text`); or nil, message, code: those of the tool, "unknown_tool" with similar
--- names, "invalid_arguments", "denied", "too_deep" (64 nested calls).
---@type table<string, fun(args?: table, options?: {timeout?: number}): any, string?, string?>
local tools = {}

return tools
