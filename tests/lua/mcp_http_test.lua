#!/usr/bin/env tests/lua/run
--- sys.mcp over HTTP, against tests/lib/mcp_http_double.py.
local t       = require "check"
local http    = require "sys.http"
local json    = require "sys.json"
local mcp     = require "sys.mcp"
local process = require "sys.process"
local task    = require "sys.task"
local time    = require "sys.time"

local double <close> = assert(process.start {
  "python3", "tests/lib/mcp_http_double.py", env = { NO_PROXY = "127.0.0.1", no_proxy = "127.0.0.1" },
})
local base = "http://127.0.0.1:" .. assert(double:read_line())

local function spec_of(path, more)
  local spec = { url = base .. path, timeout = 20, log = function() end }
  for key, value in pairs(more or {}) do spec[key] = value end
  return spec
end

local function connect(path, more) return assert(mcp.connect(spec_of(path, more))) end

local function journal(key) return json.decode(assert(http.request { url = base .. "/journal/" .. key }).body) end

local function posts(key, method)
  local list = {}
  for _, request in ipairs(journal(key).requests) do
    if request.method == "POST" and request.message.method == method then list[#list + 1] = request end
  end
  return list
end

local function how(key, method)
  local list = {}
  for _, request in ipairs(journal(key).requests) do
    if request.method == method then list[#list + 1] = request end
  end
  return list
end

local function text_of(client, name, ...)
  local result, err, code = client:call(name, ...)
  return result and result.text or code .. ": " .. err
end

t.case("a legacy server is found by its refusal, and its session is kept and ended", function()
  local client = connect "/legacy/plain"
  t.same({ client.era, client.version, client.server.name }, { "legacy", "2025-11-25", "legacy" })
  t.same(client.capabilities.tools.listChanged, true)
  t.same(text_of(client, "echo", { message = "hi" }), "hi")
  client:close()
  local call = posts("plain", "tools/call")[1].headers
  t.same({ call["mcp-session-id"], call["mcp-protocol-version"], call.accept },
    { "one", "2025-11-25", "application/json, text/event-stream" })
  t.same(posts("plain", "initialize")[1].headers["mcp-protocol-version"], nil)
  t.same(#how("plain", "DELETE"), 1)
  t.same(how("plain", "DELETE")[1].headers["mcp-session-id"], "one")
end)

t.case("the era of an address is asked for once", function()
  for _ = 1, 2 do connect("/legacy/twice"):close() end
  t.same({ #posts("twice", "server/discover"), #posts("twice", "initialize") }, { 1, 2 })
end)

t.case("a stream that ends is taken up again where it ended", function()
  local client <close> = connect "/legacy/resume"
  t.same(text_of(client, "resume"), "resume")
  local found
  for _, request in ipairs(how("resume", "GET")) do found = found or request.headers["last-event-id"] end
  t.match(found, "^%d+%-1$")
end)

t.case("a stream that is cut in the middle of an event is taken up again, too", function()
  local client <close> = connect "/legacy/cut"
  t.same(text_of(client, "cut"), "cut")
end)

t.case("a stream that breaks and cannot be taken up again fails its call, and only that", function()
  local client <close> = connect "/legacy/broken"
  t.match(text_of(client, "broken"), "^cut_off: ")
  t.same(text_of(client, "echo", { message = "still here" }), "still here")
end)

t.case("a session that was forgotten begins anew, and the call is sent again, once", function()
  local client <close> = connect "/legacy/forget"
  t.same(text_of(client, "forget"), "forget")
  t.same({ #posts("forget", "initialize"), #posts("forget", "tools/call") }, { 2, 2 })
  t.same(posts("forget", "tools/call")[2].headers["mcp-session-id"], "two")
  t.same(text_of(client, "echo", { message = "hi" }), "hi")
end)

t.case("an event that is too large ends its call", function()
  local client <close> = connect "/legacy/huge"
  t.match(text_of(client, "huge"), "^too_large: .*10485760")
end)

t.case("an answer may come byte by byte", function()
  local client <close> = connect "/legacy/drip"
  t.same(text_of(client, "drip"), "drip")
end)

t.case("a reply without an answer is a failure", function()
  local client <close> = connect "/legacy/empty"
  t.match(text_of(client, "empty"), "^closed: .*before it answered tools/call")
end)

t.case("progress comes on the stream of the call", function()
  local client <close> = connect "/legacy/slow"
  local seen = {}
  assert(client:call("slow", nil, { progress = function(done, total, message)
    seen[#seen + 1] = ("%d/%d %s"):format(done, total, message)
  end }))
  t.same(seen[1], "1/2 step 1")
end)

t.case("a function answers the server's questions, defaults filled in", function()
  local asked
  local client <close> = connect("/legacy/ask", { elicit = function(ask)
    asked = ask.message
    return { age = 3 }
  end })
  t.same(json.decode(text_of(client, "ask")), { action = "accept", content = { age = 3, name = "Ann" } })
  t.same(asked, "Who?")
end)

t.case("a no is a no, and a fault of the function is an error", function()
  local answer = false
  local client <close> = connect("/legacy/no", { elicit = function()
    if answer == "raise" then error "oops" end
    return answer or nil
  end })
  t.same(json.decode(text_of(client, "ask")), { action = "decline" })
  answer = "cancel"
  t.same(json.decode(text_of(client, "ask")), { action = "cancel" })
  answer = "raise"
  t.same(json.decode(text_of(client, "ask")).code, -32603)
end)

t.case("a call does not run out of time while its question is being answered", function()
  local client <close> = connect("/legacy/slowly", { elicit = function()
    time.sleep(0.6) -- longer than the call may take
    return true
  end })
  t.same(json.decode(text_of(client, "ask", {}, { timeout = 0.3 })).action, "accept")
end)

t.case("changes of lists come on the stream of the server's own", function()
  local changed
  local client <close> = connect("/legacy/announce", { changed = function(what) changed = what end })
  t.same(text_of(client, "announce"), "announce")
  task.with_timeout(10, function()
    while not changed do client:ping() end
  end)
  t.same(changed, "tools")
end)

-- The double hears of what we do in its own time; the limit only guards against hanging.
local function await(ready)
  local until_then = time.now() + 30
  while not ready() and time.now() < until_then do time.sleep(0.005) end
  return ready()
end

t.case("a call that is given up is cancelled: legacy servers are told, and modern ones disconnected", function()
  for _, era in ipairs { "legacy", "modern" } do
    local key = "hang" .. era
    local client <close> = connect(("/%s/%s"):format(era, key))
    local done, _, code = task.with_timeout(0.3, function() return client:call("hang") end)
    t.same({ done, code }, { nil, "timeout" })
    local told = era == "legacy" and 1 or 0
    t.ok(await(function() return #journal(key).gone == 1 end))
    t.ok(await(function() return #posts(key, "notifications/cancelled") == told end))
  end
end)

t.case("redirects within the origin are followed", function()
  local client <close> = connect "/moved/moved"
  t.same(text_of(client, "echo", { message = "hi" }), "hi")
end)

t.case("redirects elsewhere, or that would turn a POST into a GET, are refused and say where to", function()
  local client, err, code = mcp.connect(spec_of("/elsewhere", { token = "secret" }))
  t.same({ client, code }, { nil, "redirected" })
  t.match(err, "127.0.0.1:9")
  client, err, code = mcp.connect(spec_of "/to-get/x")
  t.same({ client, code }, { nil, "redirected" })
  t.match(err, "302")
end)

t.case("a modern server is found, and told twice what a message says", function()
  local client <close> = connect "/modern/plain"
  t.same({ client.era, client.version, client.server.name }, { "modern", "2026-07-28", "modern" })
  local seen = json.decode(text_of(client, "echo"))
  t.same(seen, { ["mcp-method"] = "tools/call", ["mcp-name"] = "echo", ["mcp-protocol-version"] = "2026-07-28" })
end)

t.case("arguments go into headers as the schema says, encoded where they must be", function()
  local client <close> = connect "/modern/region"
  assert(client:list_tools())
  local function sent(region) return json.decode(text_of(client, "region", { region = region }))["mcp-param-region"] end
  t.same({ sent "eu west", sent "M\u{fc}nchen", sent " eu", sent(nil) },
    { "eu west", "=?base64?TcO8bmNoZW4=?=", "=?base64?IGV1?=", nil })
end)

t.case("a tool with a wrong annotation leaves the list, and the log says why", function()
  local said
  local client <close> = connect("/modern/bad", { log = function(line) said = line end })
  local names = {}
  for _, tool in ipairs(assert(client:list_tools())) do names[#names + 1] = tool.name end
  t.same(names, { "echo", "region", "hang", "mrtr" })
  t.match(said, 'the tool "bad" is omitted')
end)

t.case("an answer that wants input is asked for again with a new id and the very state", function()
  local client <close> = connect("/modern/mrtr", { elicit = function() return true end })
  t.same(json.decode(text_of(client, "mrtr")),
    { { who = { action = "accept", content = { name = "Ann" } } }, "s\u{e9} 1" })
  local sent = posts("mrtr", "tools/call")
  t.same(#sent, 2)
  t.same(sent[1].message.id ~= sent[2].message.id, true)
  t.same(sent[1].message.params._meta["io.modelcontextprotocol/clientCapabilities"].elicitation ~= nil, true)
end)

t.case("a modern server is listened to when somebody wants to know", function()
  local changed
  local client <close> = connect("/modern/listen", { changed = function(what) changed = what end })
  task.with_timeout(10, function()
    while not changed do client:ping() end
  end)
  t.same(changed, "tools")
  t.same(posts("listen", "subscriptions/listen")[1].message.params.notifications, { toolsListChanged = true })
end)

t.case("a token is asked for once, and all that was refused is sent again", function()
  local asked = {}
  local client <close> = connect("/guarded/token", { authorize = function(challenge)
    asked[#asked + 1] = challenge
    return "good"
  end })
  t.same(text_of(client, "echo", { message = "hi" }), "hi")
  t.same(#asked, 1)
  t.same({ asked[1].status, asked[1].challenge, asked[1].token, asked[1].url },
    { 401, 'Bearer realm="double"', nil, base .. "/guarded/token" })
end)

t.case("a token that is refused again ends it", function()
  local asked = 0
  local client, err, code = mcp.connect(spec_of("/guarded/refused", { authorize = function()
    asked = asked + 1
    return "bad"
  end }))
  t.same({ client, code, asked }, { nil, "unauthorized", 1 })
  t.match(err, "perigee login")
end)

t.case("a connection that gets no token fails, with the reason", function()
  local _, err, code = mcp.connect(spec_of("/guarded/none", { authorize = function()
    return nil, "nobody is at home", "login_required"
  end }))
  t.same({ err, code }, { "nobody is at home", "login_required" })
  _, err, code = mcp.connect(spec_of "/guarded/alone")
  t.same(code, "unauthorized")
  t.match(err, "401")
end)

t.case("a step up gets another token for one call", function()
  local asked = {}
  local client <close> = connect("/step/up", { token = "good", authorize = function(challenge)
    asked[#asked + 1] = challenge
    return "better"
  end })
  t.same(text_of(client, "echo", { message = "hi" }), "hi")
  t.same({ #asked, asked[1].status, asked[1].token }, { 1, 403, "good" })
  t.match(asked[1].challenge, 'scope="call"')
end)

t.case("statuses are said plainly and are no evidence of an era", function()
  for status, want in pairs { [500] = "http_status", [503] = "http_status", [401] = "unauthorized", [403] = "forbidden",
                              [429] = "http_status", [404] = "http_status" } do
    local client, err, code = mcp.connect(spec_of("/status/" .. status))
    t.same({ client, code }, { nil, want })
    t.match(err, tostring(status))
    t.match(err, "the reason")
  end
  t.same(#posts("503", "initialize"), 1)
  t.same(#posts("401", "initialize"), 0)
  t.same(#posts("403", "initialize"), 1)
  t.same(#posts("404", "initialize"), 1)
end)

t.case("any answer to server/discover but an answer leads to the old handshake", function()
  for _, ending in ipairs { "500", "502", "202", "204", "403", "404", "406", "418", "html", "empty", "stream", "cut", "close" } do
    local client <close> = assert(mcp.connect(spec_of("/old-" .. ending .. "/old" .. ending)))
    t.same({ client.era, text_of(client, "echo", { message = ending }) }, { "legacy", ending })
  end
  local _, err = mcp.connect(spec_of("/old-500/pinned", { era = "modern" }))
  t.match(err, 'Use era "auto" or "legacy"')
  _, err = mcp.connect(spec_of("/old-403/pinned", { era = "modern" }))
  t.match(err, "does not allow server/discover %(403%)")
end)

t.case("an id that comes back as a string is taken", function()
  local client <close> = assert(mcp.connect(spec_of "/id/id"))
  t.same(text_of(client, "echo", { message = "hi" }), "hi")
  t.same(text_of(client, "slow", {}) ~= nil, true)
end)

t.case("no server at the URL, and text that is not a URL", function()
  local _, err, code = mcp.connect { url = "http://127.0.0.1:1/mcp" }
  t.same(code, "connection_refused")
  t.match(err, "127.0.0.1:1")
  _, err, code = mcp.connect { url = "ftp://x" }
  t.same(code, "bad_url")
  t.match(err, "https://")
end)

t.case("wrong specs raise", function()
  for _, spec in ipairs { {}, { url = "http://x", command = "y" }, { url = "http://x", token = "a b" },
                          { url = "http://x", probe = false }, { url = "http://x", elicit = 1 } } do
    t.same(pcall(mcp.connect, spec), false)
  end
  local ok, err = pcall(mcp.connect, { url = "http://x", probe = "5" })
  t.same(ok, false)
  t.match(err, "probe must be true, false or seconds")
end)

t.done()
