--- Follows python_create.lua and python_edit.lua: where the code will run.

---@type Text
return {
  description = "What a model that writes Python is told about where its code runs.",

  text = [[
The code runs in a jail:

- The standard library is there. numpy, pandas and matplotlib may be: import them only where they are needed.
- It reaches no network, starts no programs and sees no files but those in its own folder, which is the current one.
  input() has nothing to read.
- What it prints is shown. If it defines a function generated_function_name, that is called with the caller's arguments
  when the code has run, and its result is returned: return values that JSON can write. The function may be async.
- Write `await` at the top level or in async functions; do not call asyncio.run().
- `await ask_model(prompt)` asks an AI model and returns its text. Do not define or import ask_model, _call_mcp_tool or
  tools: they are there.]],

  examples = {
    { "says what the code can reach", has = { "generated_function_name", "ask_model", "no network" } },
  },
}
