#!/usr/bin/env lua5.4
--- From what a model wrote to what a tool gets.
package.path = "tests/agent/?.lua;tests/lua/?.lua;" .. package.path
local rig     = require "rig"
local t       = require "check"
local keynote = require "keynote_tools"

local arguments = rig.lib "agent.arguments"
local coerce    = rig.lib "agent.coerce"
local json      = rig.sys "json"

local DRAW, TEXT, OPEN = keynote.tools[3], keynote.tools[4], keynote.tools[1]

local function tool(properties, required, extra)
  local made = { name = "t", inputSchema = { type = "object", properties = properties, required = required } }
  for key, value in pairs(extra or {}) do made[key] = value end
  return made
end

local ANY = { type = "string" }

t.case("parameters are ordered by _meta, then required, then the wire, then name", function()
  local properties = { a = ANY, b = ANY, c = ANY, d = ANY, e = ANY }
  t.same(arguments.order(tool(properties, { "d", "b" }, {
    _meta = { ["perigee/parameterOrder"] = { "c", "gone" } }, parameter_order = { "e" },
  })), { "c", "d", "b", "e", "a" })
  t.same(arguments.order(DRAW), { "x", "y", "width", "height" })
  t.same(arguments.order { name = "t", inputSchema = { type = "object" } }, {})
end)

t.case("the four numbers of a rectangle become integers", function()
  t.same(arguments.from_line(DRAW, { "384", " 378", "1152.0", '"324"' }),
    { x = 384, y = 378, width = 1152, height = 324 })
end)

t.case("a text is passed on as it is", function()
  for _, text in ipairs { "  two  spaces ", "a ¦ b", '"quoted"', "12", "", "日本語 🎉" } do
    t.same(arguments.from_line(TEXT, { text }), { text = text })
  end
end)

t.case("a tool without parameters takes an empty one", function()
  t.same(arguments.from_line(OPEN, {}), {})
  t.same(arguments.from_line(OPEN, { " " }), {})
end)

t.case("too many parameters are told with the tool's usage", function()
  local values, problem = arguments.from_line(TEXT, { "a", "b" })
  t.same(values, nil)
  t.has(problem, "add_text_in_keynote takes 1 parameter, got 2")
  t.has(problem, "FUNCTION_CALL: add_text_in_keynote|text")
  t.has(problem, "¦ instead of |")
  t.has(select(2, arguments.from_line(OPEN, { "now" })), "open_keynote takes no parameters, got 1")
end)

t.case("a missing parameter is named", function()
  local _, problem = arguments.from_line(DRAW, { "1", "2" })
  t.same(problem, "draw_rectangle requires width. Write: FUNCTION_CALL: draw_rectangle|x|y|width|height")
end)

t.case("a bad number is told with its parameter", function()
  t.same(select(2, arguments.from_line(DRAW, { "1", "2", "wide", "4" })),
    'draw_rectangle: width must be a whole number, got "wide".')
  t.same(select(2, arguments.from_line(DRAW, { "1.5", "2", "3", "4" })),
    'draw_rectangle: x must be a whole number, got "1.5".')
end)

t.case("optional parameters may be left out or left empty", function()
  local some = tool({ a = ANY, n = { type = "integer" }, z = ANY }, { "a" })
  t.same(arguments.from_line(some, { "x" }), { a = "x" })
  t.same(arguments.from_line(some, { "x", "", "y" }), { a = "x", z = "y" })
end)

t.case("a value that the schema forbids beyond its type is told", function()
  local some = tool({ n = { type = "integer", minimum = 1 } }, { "n" })
  t.match(select(2, arguments.from_line(some, { "0" })), "^t: .*n.*at least 1")
end)

local function each(name, schema, texts)
  t.case(name, function()
    for text, want in pairs(texts) do
      local value, problem = coerce.text(text, schema, "p")
      if type(want) == "table" and want.err then
        t.same(value, nil, text)
        t.has(problem, want.err, text)
      else
        t.same(value, want, text)
      end
    end
  end)
end

each("integers", { type = "integer" }, {
  ["7"] = 7, ["-7"] = -7, ["+7"] = 7, ["7.0"] = 7, ["1e3"] = 1000, [" 7 "] = 7, ["`7`"] = 7,
  ["7.5"] = { err = "p must be a whole number" }, ["1,000"] = { err = "whole" }, ["0x10"] = { err = "whole" },
  ["1e300"] = { err = "whole" }, ["nan"] = { err = "whole" }, ["inf"] = { err = "whole" }, [""] = { err = "whole" },
  ["1.2.3"] = { err = "whole" }, ["--1"] = { err = "whole" }, ["10 px"] = { err = "whole" },
})
each("numbers", { type = "number" }, { ["2.5"] = 2.5, ["2"] = 2, ["wide"] = { err = "p must be a number" } })
each("booleans", { type = "boolean" }, {
  ["true"] = true, ["False"] = false, ["yes"] = true, ["0"] = false, ["maybe"] = { err = "true or false" },
})
each("choices", { type = "string", enum = { "left", "Right" } }, {
  left = "left", right = "Right", ['"left"'] = "left", up = { err = "one of left, Right" },
})
each("numbers to choose from", { enum = { 1, 2 } }, { ["1"] = 1, ["2.0"] = 2, ["3"] = { err = "one of 1, 2" } })
each("lists", { type = "array" },
  { ["[1,2]"] = { 1, 2 }, ["1,2"] = { err = "JSON array" }, ['{"a":1}'] = { err = "JSON array" } })
each("objects", { type = "object" }, { ['{"a":1}'] = { a = 1 }, ["[1]"] = { err = "JSON object" } })
each("an optional number, as pydantic writes it", { anyOf = { { type = "integer" }, { type = "null" } } },
  { ["5"] = 5, ["null"] = json.null, x = { err = "whole number" } })
each("a number or a text", { type = { "string", "integer" } }, { ["5"] = 5, ["five"] = "five" })
each("anything", {}, { ["[1]"] = { 1 }, text = "text", ["5"] = "5" })

t.case("a number that is a coordinate is cut to an integer", function()
  t.same(coerce.text("384.6", { type = "number" }, "x"), 384)
  t.same(coerce.text("-3.7", { type = "number" }, "start_y"), -3)
  t.same(coerce.text("0.5", { type = "number" }, "opacity"), 0.5)
  t.same(coerce.text("1e300", { type = "number" }, "width"), 1e300)
end)

t.case("references into the tool's own definitions are followed", function()
  local root = { ["$defs"] = { Side = { enum = { "a", "b" } } } }
  t.same(coerce.text("a", { ["$ref"] = "#/$defs/Side" }, "p", root), "a")
  t.same(coerce.type_name({ ["$ref"] = "#/$defs/Side" }, root), "a/b")
  t.same(coerce.text("a", { ["$ref"] = "#/$defs/Nothing" }, "p", root), "a")
end)

t.case("a long wrong value is shortened between characters", function()
  local _, problem = coerce.text(("é"):rep(100), { type = "integer" }, "p")
  t.ok(utf8.len(problem), "the message is UTF-8")
  t.ok(#problem < 120)
end)

t.case("native arguments are put right where the meaning is clear", function()
  t.same(arguments.from_call(DRAW, { x = "1", y = 2, width = "3.0", height = 4 }),
    { x = 1, y = 2, width = 3, height = 4 })
  t.same(arguments.from_call(TEXT, { text = "12" }), { text = "12" })
end)

t.case("native arguments may use the other name of a parameter", function()
  local window = tool({ window = { type = "string", ["x-also-called"] = "name" } }, { "window" })
  window.inputSchema.additionalProperties = false
  t.same(arguments.from_call(window, { name = "Inbox" }), { window = "Inbox" })
  t.same(arguments.from_call(window, { name = "Inbox", window = "Inbox" }), { window = "Inbox" })
  t.has(select(2, arguments.from_call(window, { name = "Inbox", window = "Outbox" })), "name")
end)

t.case("native arguments that are wrong are told with the parameters", function()
  local _, problem = arguments.from_call(DRAW, { x = "wide", y = 2, width = 3, height = 4 })
  t.has(problem, "x must be integer")
  t.has(problem, "Parameters: draw_rectangle(x: integer, y: integer, width: integer, height: integer)")
  t.has(select(2, arguments.from_call(TEXT, { text = "a", colour = "red" })), "colour")
end)

t.case("references are left to the server, which checks the arguments then", function()
  t.same(arguments.from_call(DRAW, { x = "@@ref_call_1__x", y = "2", width = 3, height = 4 }),
    { x = "@@ref_call_1__x", y = 2, width = 3, height = 4 })
  t.same(arguments.from_line(DRAW, { "@@ref_r1__x", "2", "3", "4" }), { x = "@@ref_r1__x", y = 2, width = 3, height = 4 })
  t.has(select(2, arguments.from_line(DRAW, { "@@ref_r1__x", "wide", "3", "4" })), "y must be")
  t.has(select(2, arguments.from_line(DRAW, { "@@ref_r1__x", "2" })), "requires width")
end)

t.case("a call is one line, whatever is in it", function()
  t.same(arguments.line(DRAW, { x = 1, y = 2, width = 3, height = 4 }), "draw_rectangle|1|2|3|4")
  t.same(arguments.line(TEXT, { text = "a\nb" }), "add_text_in_keynote|a\\nb")
  t.same(arguments.line(tool({ a = ANY, b = ANY }, {}), { b = "x", c = { 1 } }), 't||x|{"c":[1]}')
end)

t.done()
