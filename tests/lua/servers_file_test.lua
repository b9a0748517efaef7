#!/usr/bin/env tests/lua/run
--- servers_file: files that name MCP servers, the entries that are read, and the messages about the rest.
local env          = require "sys.env"
local fs           = require "sys.fs"
local mcp          = require "sys.mcp"
local process      = require "sys.process"
local servers_file = require "servers_file"
local t            = require "check"

local folder = ...

local function lookup(name)
  if name == "HOME" then return "/home/me" end
  return name == "EMPTY" and "" or nil
end

local function parse(text) return servers_file.parse(text, lookup) end

local function count(specs)
  local n = 0
  for _ in pairs(specs) do n = n + 1 end
  return n
end

--- The entry of a file that has no other.
local function only(entry)
  local specs = assert(parse(('{"mcpServers":{"one":%s}}'):format(entry)))
  t.same(count(specs), 1)
  return specs.one
end

local function usable(entry)
  local spec = only(entry)
  t.same(spec.problem, nil)
  t.same(spec.problem_code, nil)
  return spec
end

local function spoiled(entry, code, text)
  local spec = only(entry)
  t.same(spec.problem_code, code)
  t.has(spec.problem, text)
  t.has(spec.problem, '"one"')
  spec.problem, spec.problem_code = nil, nil
  t.same(spec, {})
end

--- The text does not parse. Returns the message.
local function refused(text)
  local specs, err, code = parse(text)
  t.same({ specs, code }, { nil, "bad_file" }, text)
  return err
end

t.case("a server has a command, arguments and an environment", function()
  t.same(usable [[{"command":"npx","args":["-y",""],"env":{"A":"b=c","D":""},"cwd":"/srv","type":"stdio","autoApprove":["x"]}]],
    { command = "npx", args = { "-y", "" }, env = { A = "b=c", D = "" }, cwd = "/srv" })
end)

t.case("a command is enough", function()
  t.same(usable '{"command":"x"}', { command = "x", args = {}, env = {} })
end)

t.case("variables are put in", function()
  t.same(usable([[{"command":"${HOME}/bin/x","args":["$HOME ${HOME}${HOME}","${NO:-a b}","${EMPTY:-x}","${NO:-}","$","{}",]]
    .. [["${NO:-x:-y}"],"env":{"P":"${HOME}:/bin"},"cwd":"${NO:-/tmp}"}]]),
    { command = "/home/me/bin/x", args = { "$HOME /home/me/home/me", "a b", "", "", "$", "{}", "x:-y" },
      env = { P = "/home/me:/bin" }, cwd = "/tmp" })
end)

t.case("variables of editors are put in", function()
  t.same(usable([[{"command":"${env:HOME}/x","args":["${env:NO:-a}","${env:NO:-}","${userHome}${pathSeparator}b${/}c"],]]
    .. [["env":{"K":"${env:EMPTY}"}}]]), { command = "/home/me/x", args = { "a", "", "/home/me/b/c" }, env = { K = "" } })
  spoiled([[{"command":"x","env":{"K":"${env:KEY}"}}]], "no_variable",
    "the environment variable KEY is not set. Set it, or write ${KEY:-default}")
  spoiled([[{"command":"x","env":{"K":"${input:key}"}}]], "no_variable",
    "${input:key} is for an editor, which asks for its value. Write the value itself")
  spoiled([[{"command":"x","cwd":"${workspaceFolder}"}]], "no_variable", "${workspaceFolder} is for an editor")
  spoiled([[{"url":"https://${config:host}/"}]], "no_variable", "${config:host} is for")
end)

t.case("a tilde is the home", function()
  t.same(usable [[{"command":"~/bin/x","args":["~/a"],"cwd":"~"}]],
    { command = "/home/me/bin/x", args = { "~/a" }, env = {}, cwd = "/home/me" })   -- args are the server's own affair
  t.same(usable '{"command":"~x/y"}'.command, "~x/y")
  t.same(usable '{"command":"a~/y"}'.command, "a~/y")
  t.same(usable '{"url":"https://x","ca_file":"~/c.pem"}'.ca_file, "/home/me/c.pem")
end)

t.case("names of other clients are taken", function()
  for _, entry in ipairs {
    '{"serverUrl":"https://x.example/mcp"}',
    '{"httpUrl":"https://x.example/mcp","url":"https://x.example/sse"}',
    '{"uri":"https://x.example/mcp","type":"streamable_http","enabled":true}',
    '{"url":"https://x.example/mcp","type":"streamable-http"}',
    '{"url":"https://x.example/mcp","type":"streamableHttp"}',
    '{"url":"https://x.example/mcp","transport":"streamable-http"}',
    '{"url":"https://x.example/mcp","type":"remote"}',
    '{"url":"https://x.example/mcp","transport":7}',
  } do
    t.same(usable(entry), { url = "https://x.example/mcp", headers = {} })
  end
  t.same(usable '{"type":"local","command":"x"}'.command, "x")
  spoiled('{"serverUrl":7}', "bad_entry", '"serverUrl" is not a string')
  spoiled('{"httpUrl":"https://x","type":"sse"}', "not_supported", "uses sse (https://x)")
  spoiled('{"url":"https://x","transport":"sse"}', "not_supported", "uses sse")
  spoiled('{"command":"x","enabled":false}', "disabled", '"enabled": false')
end)

t.case("an entry may say its era and where one logs in", function()
  local spec = usable([[{"url":"https://x","era":"legacy","oauth":{"clientId":"c","authServerMetadataUrl":"https://${NO:-a}/m"}}]])
  t.same({ spec.era, spec.login_metadata }, { "legacy", "https://a/m" })
  t.same(usable '{"command":"x","era":"modern"}'.era, "modern")
  t.same(usable '{"command":"x"}'.era, nil)
  spoiled('{"command":"x","era":"old"}', "bad_entry", '"era" must be "auto"')
  spoiled('{"command":"x","era":1}', "bad_entry", '"era" must be')
  spoiled('{"url":"https://x","oauth":true}', "bad_entry", '"oauth" is not an object')
end)

t.case("a missing variable is named", function()
  spoiled([[{"command":"x","env":{"KEY":"${API_KEY}"}}]], "no_variable", "API_KEY")
  spoiled([[{"command":"x","args":["ok","${A${HOME}}"]}]], "no_variable", "A${HOME")
  spoiled([[{"command":"${HOME"}]], "bad_entry", "closing brace")
  spoiled([[{"command":"${HOME:-x"}]], "bad_entry", "closing brace")
end)

t.case("servers over HTTP are recognized", function()
  local specs = assert(parse [[{"mcpServers":{"a":{"type":"http","url":"https://x.example/${P}",
    "headers":{"X-Key":"${K:-k}"},"timeout":7}}}]])
  t.same(specs.a.problem_code, "no_variable")
  specs = assert(parse [[{"mcpServers":{"a":{"url":"https://x.example/mcp","headers":{"X-Key":"${NONE:-k}"},"timeout":7}}}]])
  t.same(specs.a, { url = "https://x.example/mcp", headers = { ["X-Key"] = "k" }, timeout = 7.0 })
  spoiled('{"url":"https://x.example/mcp","timeout":-1}', "bad_entry", "timeout")
  spoiled('{"url":7}', "bad_entry", "url")
  spoiled('{"type":"sse","url":"https://x.example/sse"}', "not_supported", "https://x.example/sse")
  spoiled('{"type":"sse"}', "not_supported", "sse")
  spoiled('{"type":"http","command":"x"}', "not_supported", "http")
end)

t.case("faults are said and hurt nobody else", function()
  spoiled("7", "bad_entry", "not an object")
  spoiled("[]", "bad_entry", "not an object")
  spoiled("{}", "bad_entry", '"command"')
  spoiled('{"command":""}', "bad_entry", "empty")
  spoiled('{"command":["x"]}', "bad_entry", '"command"')
  spoiled('{"command":"x","args":"-y"}', "bad_entry", '"args"')
  spoiled('{"command":"x","args":["a",7,"b"]}', "bad_entry", '"args"')
  spoiled('{"command":"x","env":[]}', "bad_entry", '"env"')
  spoiled('{"command":"x","env":{"A":1}}', "bad_entry", '"env"')
  spoiled('{"command":"x","env":{"A=B":"1"}}', "bad_entry", "A=B")
  spoiled('{"command":"x","env":{"":"1"}}', "bad_entry", "name")
  spoiled('{"command":"x","cwd":1}', "bad_entry", '"cwd"')
  spoiled([[{"command":"x\u0000y"}]], "bad_entry", '"command"')
  spoiled([[{"command":"x","env":{"A\u0000B":"1"}}]], "bad_entry", '"A" cannot be a name in "env"')
  spoiled('{"command":"x","disabled":true}', "disabled", "disabled")
  local specs = assert(parse '{"mcpServers":{"a":7,"b":{"command":"x"}}}')
  t.same(specs.a.problem_code, "bad_entry")
  t.same(specs.b.problem_code, nil)
end)

t.case("a key that is nearly one of ours is told, and others are for others", function()
  spoiled('{"comand":"x"}', "bad_entry", [[unknown key "comand" (did you mean 'command'?)]])
  spoiled('{"command":"x","Args":[]}', "bad_entry", [[unknown key "Args" (did you mean 'args'?)]])
  spoiled('{"command":"x","ürl":1}', "bad_entry", [[unknown key "ürl" (did you mean 'url'?)]])
  usable '{"command":"x","name":"n","tools":[],"trust":true,"roots":[],"envFile":"f","u":1,"description":"d"}'
end)

t.case("null is nothing, and the last of two members counts", function()
  t.same(usable '{"command":"x","args":null,"env":null,"cwd":null,"era":null,"timeout":null,"url":null}',
    { command = "x", args = {}, env = {} })
  t.same(usable '{"command":"x","command":"y"}'.command, "y")
  spoiled('{"command":"x","command":null}', "bad_entry", "neither")
  t.same(assert(parse '{"mcpServers":{"a":7,"a":{"command":"x"}}}').a.command, "x")
  t.same(assert(parse '{"mcpServers":null,"servers":{"a":{"command":"x"}}}').a.command, "x")
  t.same(assert(parse '{"context_servers":{"a":{"command":"x"}}}').a.command, "x")
end)

t.case("comments and a last comma are as editors have them", function()
  local specs = assert(parse([[// mine
{ /* "x" */ "mcpServers": { // "b": {},
  "a": { "command": "//x", "args": ["/*", ",]", "\"//",], /**/ }, // z
}, }
// end]]))
  t.same(specs, { a = { command = "//x", args = { "/*", ",]", '"//' }, env = {} } })
  t.has(refused "// a\n/* b\n*/ { 1 }", "line 3, column 6")
  for _, text in ipairs { '{"mcpServers":{,}}', '{"mcpServers":{"a":{},,}}', '{"mcpServers":{}} /* ', '{"mcpServers":{}/}',
    '{"mcpServers":{"a":[,]}}', "/", '"\\' } do
    refused(text)
  end
end)

t.case("a file of another form says what was expected", function()
  for _, text in ipairs { "", "[]", "{}", '{"mcpServers":[]}', '{"server":{}}', '{"mcpServers":{}' } do
    refused(text)
  end
  t.same(assert(parse '\xEF\xBB\xBF{"mcpServers":{}}'), {})
end)

t.case("a name that is not there is none of those that are", function()
  local specs = assert(parse '{"mcpServers":{"files":{},"mail":{}}}')
  t.ok(specs.mail)
  t.same(specs.Mail, nil)
  t.same(count(specs), 2)
end)

t.case("hostile text ends with a message", function()
  t.has(refused(('{"a":'):rep(200) .. "1" .. ("}"):rep(200)), "128")
  t.has(refused '{"mcpServers":{"a":{"command":"\xFF"}}}', "UTF-8")
  refused(("/* "):rep(1000000))
  refused(("// "):rep(1000000))
  refused((", "):rep(1000000))
  refused('"' .. ("\\"):rep(3000000))
  refused("{," .. (" "):rep(3000000))
end)

t.case("a file is read and its faults name it", function()
  local path = folder .. "/servers.json"
  assert(fs.write(path, [[{"mcpServers":{"a":{"command":"${PATH}"}}}]]))
  t.same(assert(mcp.servers(path)).a.command, env.get "PATH")
  assert(fs.write(path, '{\n"mcpServers": oops}'))
  local specs, err, code = mcp.servers(path)
  t.same({ specs, code }, { nil, "bad_file" })
  t.has(err, path .. ": ")
  t.has(err, "line 2")
  assert(fs.write(path, '{"mcpServers":{}}' .. (" "):rep(4 * 1024 * 1024)))
  specs, err, code = mcp.servers(path)
  t.same({ specs, code }, { nil, "too_large" })
  t.has(err, path)
  assert(fs.write(path, '{"mcpServers":{}}'))
  assert(process.run { "chmod", "666", path })
  specs, err, code = mcp.servers(path)
  t.same({ specs, code }, { nil, "insecure" })
  t.has(err, "other users can write " .. path)
  assert(fs.remove(path))
  specs, err, code = mcp.servers(path)
  t.same({ specs, code }, { nil, "not_found" })
  t.has(err, path)
end)

t.case("an entry is the spec of its server", function()
  local path = folder .. "/servers.json"
  assert(fs.write(path, [[{"mcpServers":{"double":{"command":"python3","args":["tests/lib/mcp_server_double.py"],
    "env":{"A":"b=c"},"cwd":"."},"far":{"type":"sse","url":"https://x.example"}}}]]))
  local specs = assert(mcp.servers(path))
  t.same({ specs.double.command, specs.double.args, specs.double.env },
    { "python3", { "tests/lib/mcp_server_double.py" }, { A = "b=c" } })
  local client <close> = assert(mcp.connect(specs.double))
  t.same(client.server.name, "double")
  local far, err, code = mcp.connect(specs.far)
  t.same({ far, code }, { nil, "not_supported" })
  t.has(err, "x.example")
  local none
  none, err, code = mcp.servers(folder .. "/none")
  t.same({ none, code }, { nil, "not_found" })
  t.has(err, folder .. "/none")
end)

t.done()
