--- The `instructions` that a client gets when it connects. Most clients show them to their model.

---@type Text
return {
  description = "What Perigee tells the model of each client that connects.",

  text = "Perigee controls this desktop. Look with get_ui_tree, do several steps with act, answer a "
    .. "dialog with handle_dialog; results tell what changed. If a tool that you need is not listed, "
    .. "call search_tools to find it, describe_tool to see its parameters and call_tool to run it. "
    .. "run_lua runs a script in which every tool is a function. Tools can change while the engine "
    .. "runs. A result with isError says what failed and what to do next.",

  examples = {
    { "says how to reach tools that are not listed", has = { "search_tools", "describe_tool", "call_tool" } },
  },
}
