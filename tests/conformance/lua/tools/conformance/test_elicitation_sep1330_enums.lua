local elicited = require "elicited"
local s = require "schema"

local function titled(values)
  local list = {}
  for i, value in ipairs(values) do list[i] = { const = value, title = "Option " .. i } end
  return list
end

local VALUES = { "value1", "value2", "value3" }
local OPTIONS = { "option1", "option2", "option3" }

local FORM = s.object {
  { "untitledSingle", s.enum(OPTIONS, "One of some", { optional = true }) },
  { "titledSingle", s.string("One of some, with titles", { oneOf = titled(VALUES), optional = true }) },
  { "legacyEnum", s.enum({ "opt1", "opt2", "opt3" }, "One of some, with names",
    { enumNames = { "Option One", "Option Two", "Option Three" }, optional = true }) },
  { "untitledMulti", s.array({ type = "string", enum = OPTIONS }, "Some of some", { optional = true }) },
  { "titledMulti", s.array({ anyOf = titled(VALUES) }, "Some of some, with titles", { optional = true }) },
}

return {
  title       = "Elicitation with choices",
  description = "Ask with each kind of choice.",
  inputSchema = s.object {},
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = function(args, call)
    local content, why, code = call:ask { message = "Please select options from the enum fields", schema = FORM }
    return elicited.text("Elicitation completed", content, why, code)
  end,
}
