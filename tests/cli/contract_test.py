#!/usr/bin/env python3
"""Declarations and results of Lua files: each mistake is told with its file, line and the nearest name."""

import json
import os

from kit import FOLDER, done, has, perigee, same, tap, write

SCHEMA = "inputSchema = { type = 'object' }"


def root(name):
    return os.path.realpath(FOLDER / name)


def tool(name, *lines, schema=SCHEMA, head=""):
    """run() begins on line 4, behind the lines of `head`."""
    return write(name, f"{head}return {{\n  description = 'Tries.',\n  {schema},\n  run = function(args, call)\n    "
                 + "\n    ".join(lines) + "\n  end,\n}\n")


def call(name, *words):
    return perigee("call", "--root", root("ran"), name, *words)


def refused(name, *parts):
    answer = call(name)
    same((answer.code, answer.out), (3, ""), answer)
    has(answer.err, *parts)


# --- what run() returns --------------------------------------------------------------------

tool("ran/tools/t/nil_table.lua", "return nil, { oh = 'no' }")
tool("ran/tools/t/false_message.lua", "return false, 'it broke', 'BROKEN'")
tool("ran/tools/t/bad_code.lua", "return nil, 'it broke', 7")
tool("ran/tools/t/bad_meta.lua", "return nil, 'it broke', 'BROKEN', 'more'")
tool("ran/tools/t/typo.lua", "return call:result { contnet = { call:text 'x' } }")
tool("ran/tools/t/text.lua", "return call:result { text = 'x' }")
tool("ran/tools/t/raw.lua", "return call:result { content = { { type = 'text', txet = 'x' } } }")
tool("ran/tools/t/bare.lua", "return call:result { content = { call:text 'a', 'b' } }")
tool("ran/tools/t/whole.lua", "return call:result { content = { { type = 'resource', resource = { uri = 'a:b', text = 'c' } }, "
                              "{ type = 'resource_link', uri = 'a:b', name = 'b' }, { type = 'image', data = 'QQ==', "
                              "mimeType = 'image/png' }, { type = 'of-tomorrow' } } }")
tool("ran/tools/t/block.lua", "return call:result { content = { call:text('x', { anotations = {} }) } }")
tool("ran/tools/t/link.lua", "return call:result { content = { call:link { uri = 'a:b', name = 'x', tilte = 'y' } } }")
tool("ran/tools/t/says_false.lua", "return false")
tool("ran/tools/t/fails.lua", "return nil, 'it broke', 'BROKEN', { more = 1 }")
tool("ran/tools/t/mapped.lua", "return require 'sys.task'.map({ 1, 2, 3 }, function(i) return i ~= 2 and i or nil end)")


def nil_and_a_table():
    refused("nil_table", "tools/t/nil_table.lua:4: its function returned nil, a table. Report a failure with "
                         "`return nil, message, code`")


def false_and_a_message():
    refused("false_message", 'tools/t/false_message.lua:4: its function returned false, "it broke", "BROKEN"')


def code_of_another_type():
    refused("bad_code", 'tools/t/bad_code.lua:4: its function returned nil, "it broke", a number')
    refused("bad_meta", 'tools/t/bad_meta.lua:4: its function returned nil, "it broke", "BROKEN", "more"')


def right_ones():
    same(call("says_false").out, "false\n")
    answer = call("fails")
    same((answer.code, answer.err), (3, "it broke\n"), answer)


def unknown_field_of_a_result():
    refused("typo", "tools/t/typo.lua:5: bad argument #1 to 'result' (field 'contnet': there is no such option "
                    "(did you mean 'content'?))")
    refused("text", "tools/t/text.lua:5: ", "field 'text': no client reads it. Write content = {call:text(...)}")


def unknown_field_of_a_block():
    refused("block", "tools/t/block.lua:5: ", "field 'anotations'", "did you mean 'annotations'?")
    refused("raw", "tools/t/raw.lua:5: ", "field 'content[1]': a block of type \"text\" needs `text`")
    refused("bare", "tools/t/bare.lua:5: ", "field 'content[2]': a block is a table with a type")
    same(len(json.loads(call("whole", "--json").out)["content"]), 4)
    refused("link", "tools/t/link.lua:5: ", "field 'tilte'", "did you mean 'title'?")


def results_of_map():
    same(json.loads(call("mapped", "--json").out)["content"][0]["text"], "[1,null,3]")


# --- schemas -----------------------------------------------------------------------------

BUILT = "local s = require 'schema'\n"

tool("schemas/tools/t/minimun.lua", "return 'x'", schema="inputSchema = { type = 'object', properties = { "
     "n = { type = 'integer',\n    minimun = 1 } } }")
tool("schemas/tools/t/optinal.lua", "return 'x'", head=BUILT, schema="inputSchema = s.object {\n"
     "    { 'n', s.integer('N.', { optinal = true }) } }")
tool("schemas/tools/t/answer.lua", "return {}", schema=SCHEMA + ",\n  outputSchema = { type = 'object', requird = { 'n' } }")
tool("schemas/tools/t/wrong_default.lua", "return 'x'", head=BUILT,
     schema="inputSchema = s.object { { 'n', s.integer('N.', { minimum = 2, default = 1 }) } }")
tool("schemas/tools/t/both.lua", "return 'x'", schema="inputSchema = { type = 'object', required = { 'n' }, "
     "properties = { n = { default = 1 } } }")
tool("schemas/tools/t/own.lua", "return 'x'", schema="inputSchema = { type = 'object', ['x-order'] = { 'n' }, "
     "['example.com/kind'] = 1, properties = { minimun = { deprecated = true, ['$comment'] = 'x' } } }")
tool("schemas/tools/t/key.lua", "return 'x'", schema=SCHEMA + ",\n  -- tilte = 1\n  tilte = 'x'")
tool("schemas/tools/t/strng.lua", "return 'x'", schema="inputSchema = { type = 'object',\n"
     "    properties = { n = { type = 'strng' } } }")
tool("schemas/tools/t/undeclared.lua", "return 'x'", schema="inputSchema = { type = 'object', additionalProperties = false,\n"
     "    properties = { count = { type = 'integer' } }, required = { 'cuont' } }")
tool("schemas/tools/t/icon.lua", "return 'x'", schema=SCHEMA + ",\n  icons = { { scr = 'x' } }")
tool("schemas/tools/t/system.lua", "return 'x'", schema=SCHEMA + ",\n  platforms = { 'linx' }")
tool("schemas/tools/t/task.lua", "return 'x'", schema=SCHEMA + ",\n  execution = { taskSupport = 'optinal' }")
write("schemas/prompts/p.lua", "return {\n  description = 'x', render = function() return 'x' end,\n  arguments = {\n"
      "    { name = 'a', requird = true } },\n}\n")
write("schemas/prompts/r.lua", "return {\n  description = 'x', parse = print, decide = print, describe = print,\n"
      "  request = print,\n}\n")


def checked():
    answer = perigee("check", "--root", root("schemas"))
    same((answer.code, answer.err), (1, ""), answer)
    base = root("schemas")
    has(answer.out,
        f"{base}/tools/t/minimun.lua:4: inputSchema: at #/properties/n/minimun: unknown keyword 'minimun' "
        "(did you mean 'minimum'?)",
        f"{base}/tools/t/optinal.lua:5: inputSchema: at #/properties/n/optinal: unknown keyword 'optinal'; "
        "`optional = true` is an option of the builders' fields",
        f"{base}/tools/t/answer.lua:4: outputSchema: at #/requird: unknown keyword 'requird' (did you mean 'required'?)",
        f"{base}/tools/t/wrong_default.lua: inputSchema: at #/properties/n/default: the default does not fit its own schema: ",
        f"{base}/tools/t/both.lua:3: inputSchema: at #/properties/n/default: 'n' has a default and is required",
        f"{base}/tools/t/key.lua:5: unknown key 'tilte' in a tool (did you mean 'title'?)",
        f"{base}/prompts/p.lua:4: unknown key 'requird' in a prompt's argument (did you mean 'required'?)",
        f"{base}/prompts/r.lua: 'results' is missing",
        f"{base}/tools/t/strng.lua:4: inputSchema: at #/properties/n/type: expected one of ",
        "not \"strng\" (did you mean 'string'?)",
        f"{base}/tools/t/undeclared.lua:4: inputSchema: at #/required: \"cuont\" is not in 'properties', and no others are allowed "
        "(did you mean 'count'?)",
        f"{base}/tools/t/icon.lua:4: unknown key 'scr' in a list of icons (did you mean 'src'?)",
        f"{base}/tools/t/system.lua:4: platforms: \"macos\" or \"linux\", not \"linx\" (did you mean 'linux'?)",
        f"{base}/tools/t/task.lua:4: execution.taskSupport: \"optional\", \"required\" or \"forbidden\", not \"optinal\" "
        "(did you mean 'optional'?)",
        "; 13 problems\n")


tool("ran/tools/t/defaults.lua", "return args", head=BUILT, schema="""inputSchema = s.object {
    { 'n', s.integer('N.', { default = 7 }) },
    { 'list', s.array(s.object { { 'x', s.integer('X.', { default = 1 }) }, { 'y', s.integer 'Y.' } }, 'L.',
      { optional = true }) },
    { 'deep', s.object({ { 'on', s.boolean('On.', { default = true }) } }, 'D.', { default = {} }) },
  }""")


def defaults():
    def structured(*words):
        return json.loads(call("defaults", "--json", *words).out)["structuredContent"]
    same(structured(), {"n": 7, "deep": {"on": True}})
    same(structured("n=1", 'list:=[{"y":2},{"x":3,"y":4}]', 'deep:={}'),
         {"n": 1, "list": [{"x": 1, "y": 2}, {"x": 3, "y": 4}], "deep": {"on": True}})
    same(structured("deep:={\"on\":false}"), {"n": 7, "deep": {"on": False}})
    listed = json.loads(perigee("tools", "--root", root("ran"), "--json", "defaults").out)
    same("required" in json.dumps(listed).replace('"required": ["y"]', ""), False, listed)


# --- examples -----------------------------------------------------------------------------

write("told/tools/t/e.lua", """return {
  description = "Says x.",
  inputSchema = { type = "object" },
  run = function() return "x" end,
  examples = {
    { "says y", args = {},
      wnat = "y" },
    { "takes no z", agrs = { z = 1 } },
    { "has no y", args = {}, has = "y" },
    { "says x", args = {}, want = "x" },
  },
}
""")
write("told/prompts/q.lua", """return {
  description = "Asks.",
  arguments = { { name = "who" } },
  render = function(args) return "Hello " .. (args.who or "you") end,
  examples = { { "greets", args = { whom = "Ann" }, has = { "Hello" } } },
}
""")


def unknown_keys_of_examples():
    base = root("told")
    answer = perigee("check", "--root", base)
    wanted = [f'{base}/tools/t/e.lua:7: unknown key "wnat" in an example of a tool; did you mean want?',
              f'{base}/tools/t/e.lua:8: unknown key "agrs" in an example of a tool; did you mean args?',
              f"{base}/tools/t/e.lua:9: has of an example must be a table, not a string",
              f'{base}/prompts/q.lua:5: unknown argument "whom" in an example\'s args; did you mean who?']
    same(answer.code, 1, answer)
    has(answer.out, *wanted, "; 4 problems\n")
    tested = perigee("test", "--root", base, "tools/t/e", "prompts/q")
    same(tested.code, 1, tested)
    has(tested.out, *wanted, "FAIL says y\n", "0 passed, 4 failed\n")


tap.case("`return nil, {...}` is no empty success", nil_and_a_table)
tap.case("`return false, message, code` is not the text false", false_and_a_message)
tap.case("a failure's code and _meta of another type are told", code_of_another_type)
tap.case("false alone, and a failure as it should be, are taken", right_ones)
tap.case("call:result{contnet = ...} is told with its line", unknown_field_of_a_result)
tap.case("unknown options of blocks are told, and what they lack", unknown_field_of_a_block)
tap.case("a tool may return the results of task.map, with null for each that is missing", results_of_map)
tap.case("unknown words in schemas, arguments and rules are told with file, line and nearest name", checked)
tap.case("defaults are applied, inside objects and lists too, and imply optional", defaults)
tap.case("unknown keys in examples fail the check and the test", unknown_keys_of_examples)

done()
