--- The message to a model if no code in its reply compiles. {error}: the message of Python, with the line.

---@type Text
return {
  description = "What a model is told about its Python that does not compile.",

  text = [[
Python does not compile this:

{error}

Reply with the whole corrected program in one fence that begins with ```python, and no other code.]],

  examples = {
    { "has a place for the error", has = { "{error}", "```python" } },
  },
}
