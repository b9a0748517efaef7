--- Follows python_rules.lua if the code may call tools. {tools}: their names, descriptions, calls and schemas.

---@type Text
return {
  description = "What a model that writes Python is told about the tools that its code may call.",

  text = [[
The code may call the tools below and no others. `await _call_mcp_tool(name, arguments)` calls one: name is a string,
written out, and arguments a dict. `tools.NAME(argument=value)` does the same without await; arguments in brackets may be
left out. The result is the tool's structured result, a dict, or its text. A tool that fails raises an exception with
its message. For several calls at once, gather calls of _call_mcp_tool by asyncio.gather.

{tools}]],

  examples = {
    { "has a place for the tools, and shows both ways to call them",
      has = { "{tools}", "await _call_mcp_tool(name, arguments)", "`tools.NAME(" } },
  },
}
