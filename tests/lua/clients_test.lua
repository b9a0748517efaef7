#!/usr/bin/env tests/lua/run
--- clients: one entry is put into a file of settings, and everything else in it stays as it is.
local jsonc = require "clients.jsonc"
local list  = require "clients.list"
local t     = require "check"
local toml  = require "clients.toml"
local yaml  = require "clients.yaml"

local ENTRY = { command = "/p" }
local SERVER = { command = "/p", args = { "serve" }, env = { DISPLAY = ":0" } }
local GOOSE = { enabled = true, type = "stdio", cmd = "/p", args = { "serve" }, envs = { DISPLAY = ":0" }, timeout = 300 }

--- Sets the entry, sets it again and removes it. Gives what was written, and what is then left.
local function edits(editor, key, value, before, after, left)
  local set = t.ok(editor.set(before, key, "perigee", value))
  t.same(set, after)
  t.same(editor.set(set, key, "perigee", value), after)
  t.same(editor.set(set, key, "perigee"), left or before)
end

t.case("json: into an empty file, an empty object and an object without the key", function()
  local whole = '{\n  "mcpServers": {\n    "perigee": {\n      "command": "/p"\n    }\n  }\n}\n'
  edits(jsonc, "mcpServers", ENTRY, "", whole, '{\n  "mcpServers": {}\n}\n')
  edits(jsonc, "mcpServers", ENTRY, "{}\n", whole, '{\n  "mcpServers": {}\n}\n')
  edits(jsonc, "mcpServers", ENTRY, '{ "a": [1, {"b": "}"}] }\n',
    '{ "a": [1, {"b": "}"}],\n"mcpServers": {\n  "perigee": {\n    "command": "/p"\n  }\n} }\n',
    '{ "a": [1, {"b": "}"}],\n"mcpServers": {} }\n')
end)

t.case("a file without the entry stays as it is when that is removed", function()
  local texts = {
    [jsonc] = { "", "\n", " ", "// c", "// c\n", "{}", "{ }\n", '{"s": {}}', '{"s": {"a": 1}}', '{"a": 1}' },
    [toml]  = { "", "\n", " ", "# c", "# c\n", "[s]", "[s.a]\nx = 1", "[s.a]\nx = 1\n\n" },
    [yaml]  = { "", "\n", " ", "# c", "# c\n", "a: 1", "s: {}", "s:\n  a: 1", "s:\n  a: 1\n" },
  }
  for editor, list_of in pairs(texts) do
    for _, text in ipairs(list_of) do t.same(editor.set(text, "s", "perigee"), text) end
  end
end)

t.case("json: other entries, comments, tabs and a trailing comma stay", function()
  edits(jsonc, "servers", ENTRY,
    '{\n\t// of mine, "servers": {\n\t"servers": {\n\t\t"x": { "command": "\\"}" }, // last\n\t},\n\t/* end */\n}\n',
    '{\n\t// of mine, "servers": {\n\t"servers": {\n\t\t"x": { "command": "\\"}" },\n\t\t"perigee": {\n\t\t\t"command": "/p"\n\t\t},'
      .. ' // last\n\t},\n\t/* end */\n}\n')
  edits(jsonc, "s", ENTRY, '{"s": {\n    "x": {}\n  }}', '{"s": {\n    "x": {},\n    "perigee": {\n        "command": "/p"\n    }\n  }}')
end)

t.case("json: removing the last entry took the comma and the comment before it", function()
  t.same(jsonc.set('{"s": {\n  "a": 1, // of a\n  "perigee": {},\n}}', "s", "perigee"), '{"s": {\n  "a": 1, // of a\n}}')
  t.same(jsonc.set('{"s": {\n  "a": 1, // of a\n  "perigee": {}\n}}', "s", "perigee"), '{"s": {\n  "a": 1 // of a\n}}')
  t.same(jsonc.set('{"s": {\n  "a": 1 /* , */, // of a\n  "perigee": {} }}', "s", "perigee"),
    '{"s": {\n  "a": 1 /* , */ // of a\n   }}')
  t.same(jsonc.set('{"s": { "a": 1, "perigee": {}, }}', "s", "perigee"), '{"s": { "a": 1, }}')
end)

t.case("json: an entry is replaced where it is, and removed from between others", function()
  local text = '{"s": {\n  "a": 1,\n  "perigee": {"command": "old", "x": []},\n  "b": 2\n}}'
  t.same(jsonc.set(text, "s", "perigee", ENTRY),
    '{"s": {\n  "a": 1,\n  "perigee": {\n    "command": "/p"\n  },\n  "b": 2\n}}')
  t.same(jsonc.set(text, "s", "perigee"), '{"s": {\n  "a": 1,\n  "b": 2\n}}')
  t.same(jsonc.set('{"s": {"perigee": 1}}', "s", "perigee"), '{"s": {}}')
  t.same(jsonc.set("{}", "s", "perigee"), "{}")
end)

t.case("json: a file that cannot be understood is left alone, with the line", function()
  for text, part in pairs {
    ['{\n"a" 1}'] = "line 2: ':'", ['{"a": }'] = "a value", ['{"a": 1 "b": 2}'] = "',' or '}'", ["[]"] = "an object",
    ['{"s": []}'] = '"s" is not an object', ['{"a": "x\n"}'] = "does not end", ["{ /* "] = "comment on line 1", ["{} x"] = "behind",
    ["{'a': 1}"] = "in quotes", ['{"a": [1'] = "',' or ']'", ['{"s": {}, "s": {"x": 1}}'] = '"s" is there twice',
    ['{"s": {"perigee": 1, "perigee": 2}}'] = '"perigee" is there twice',
  } do
    local set, err = jsonc.set(text, "s", "perigee", ENTRY)
    t.same(set, nil)
    t.has(err, part)
  end
end)

local TABLE = '[mcp_servers.perigee]\ncommand = "/p"\nargs = ["serve"]\n\n[mcp_servers.perigee.env]\nDISPLAY = ":0"\n'

t.case("toml: the table goes to the end; comments and other tables stay", function()
  edits(toml, "mcp_servers", SERVER, "", TABLE)
  edits(toml, "mcp_servers", SERVER, '# mine\nmodel = "x" # y\n[mcp_servers.other]\nargs = [\n  "[mcp_servers.perigee]"\n]\n',
    '# mine\nmodel = "x" # y\n[mcp_servers.other]\nargs = [\n  "[mcp_servers.perigee]"\n]\n\n' .. TABLE)
end)

t.case("toml: the table is replaced with those below it, also in quotes and in another order", function()
  t.same(toml.set('a = 1\n\n["mcp_servers".perigee]\ncommand = "old"\n[mcp_servers.perigee.tools.x]\ny = 1\n[z]\nb = 2\n',
    "mcp_servers", "perigee", SERVER), "a = 1\n\n" .. TABLE .. "\n[z]\nb = 2\n")
  t.same(toml.set("[mcp_servers.perigee]\nx = '''\n[z]\n'''\n[z]\n", "mcp_servers", "perigee"), "[z]\n")
end)

t.case("toml: a table in another form is left alone", function()
  for _, text in ipairs { 'mcp_servers = { perigee = { command = "x" } }\n', 'mcp_servers.perigee.command = "x"\n',
    '[mcp_servers]\nperigee = { command = "x" }\n' } do
    local set, err = toml.set(text, "mcp_servers", "perigee", SERVER)
    t.same(set, nil)
    t.has(err, "another form")
  end
end)

t.case("toml: a file with a string or a list that does not end is left alone", function()
  for _, text in ipairs { "a = [\n", "a = [\n[mcp_servers.perigee]\n", 'a = """\n', "a = ''']\nb = 1\n" } do
    local set, err = toml.set(text, "mcp_servers", "perigee", SERVER)
    t.same(set, nil)
    t.has(err, "does not end")
  end
end)

local LINES = '  perigee:\n    enabled: true\n    type: stdio\n    cmd: /p\n    args: [serve]\n    envs:\n      DISPLAY: ":0"\n'
  .. "    timeout: 300\n"

t.case("yaml: into an empty file, behind other entries, for an empty mapping", function()
  edits(yaml, "extensions", GOOSE, "", "extensions:\n" .. LINES, "extensions: {}\n")
  edits(yaml, "extensions", GOOSE, "A: 1\nextensions: {}\nB: 2\n", "A: 1\nextensions:\n" .. LINES .. "B: 2\n")
  edits(yaml, "extensions", GOOSE, "extensions:\n  # mine\n  dev:\n    type: builtin\n\n# of B\nB: |\n  perigee:\n",
    "extensions:\n  # mine\n  dev:\n    type: builtin\n" .. LINES .. "\n# of B\nB: |\n  perigee:\n")
end)

t.case("yaml: an entry is replaced where it is", function()
  t.same(yaml.set("extensions:\n  'perigee':\n    cmd: old\n    envs:\n      A: b\n  dev:\n    a: 1\n", "extensions", "perigee",
    GOOSE), "extensions:\n" .. LINES .. "  dev:\n    a: 1\n")
end)

t.case("yaml: a mapping in another form is left alone", function()
  for _, text in ipairs { "extensions: { dev: {} }\n", "extensions: &x\n  dev: 1\n", "extensions:\n\tdev: 1\n" } do
    t.same((yaml.set(text, "extensions", "perigee", GOOSE)), nil)
  end
end)

t.case("a client is known by what it calls itself", function()
  for name, id in pairs { ["claude-ai"] = "claude-desktop", ["claude-code"] = "claude-code", ["cursor-vscode"] = "cursor",
    ["Visual Studio Code"] = "vscode", ["codex-mcp-client"] = "codex", ["gemini-cli-mcp-client"] = "gemini", Zed = "zed" } do
    t.same(list.named(name).id, id)
  end
  t.same(list.named "perigee-tests", nil)
  t.same(list.named(nil), nil)
  t.same(list.display_advice(nil), nil)
end)

t.done()
