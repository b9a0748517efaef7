#!/usr/bin/env python3
"""Text that a file of the user's reads from outside by a module, without a tool that does, is text from outside: for the caller of
the call that reads it, and for the engine where a service does."""

import http.server
import json
import os
import re
import sys
import threading
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import TOP, Place, call, code_of, text_of          # noqa: E402
from telling_double import SENTENCES                        # noqa: E402
from tools import until                                     # noqa: E402
import tap                                                  # noqa: E402

FORM = {"elicitation": {}}
NO, ALWAYS = "Do not allow", "Allow until it disconnects"
SECRET = "wombat giraffe walrus pelican"


class Web(http.server.ThreadingHTTPServer):
    """Answers each path with the same text, in the body and in a header."""

    def __init__(self, body=None):
        self.heard, text = [], body or SECRET

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.server.heard.append(self.path)
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                event = self.path.startswith("/events")
                data = (f"data: {text}\n\n" if event else text).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream" if event else "text/plain")
                self.send_header("X-Note", SECRET)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


RUNS = """
local process, time, clipboard = require "sys.process", require "sys.time", require "sys.clipboard"
local http, mcp, window, element = require "sys.http", require "sys.mcp", require "sys.window", require "sys.element"
local function teller(more)
  local spec = { command = "python3", args = { %s } }
  for key, value in pairs(more or {}) do spec[key] = value end
  return assert(mcp.connect(spec))
end
return { description = "Runs what it reads.", inputSchema = { type = "object", properties = { how = { type = "string" },
    url = { type = "string" }, text = { type = "string" } } },
  run = function(args, call)
    local text = args.text
    if args.how then
      text = nil
      %s
      assert(type(text) == "string", "there is no text")
    end
    local done, err, code = process.run { "sh", "-c", "echo " .. text }
    if not done then return nil, err, code end
    return "ran"
  end }
"""

# How a tool comes by the text, by the functions of modules that it uses.
WAYS = {
    "clipboard.read": "text = clipboard.read().parts['text/plain']",
    "clipboard.history": "text = clipboard.history()[1].parts['text/plain']",
    "http.request": "text = http.request{ url = args.url }.body",
    "http.request, a header": "text = http.request{ url = args.url }.headers['x-note']",
    "http.stream": "local s <close> = http.stream { url = args.url } text = s.headers['x-note']",
    "http.stream:read": "local s <close> = http.stream { url = args.url } text = s:read()",
    "http.stream:event": "local s <close> = http.stream { url = args.url .. 'events' } text = s:event().data",
    "window.list": "for _, each in ipairs(window.list()) do text = (text or '') .. ' ' .. each.title end",
    "window.get": "text = window.get(window.list()[1]).title",
    "element.tree": "for _, each in ipairs(element.tree{ pid = window.list()[1].pid }.nodes) do text = (text or '') .. ' ' .. each.name "
                    "end",
    "client:list_tools": "local c <close> = teller() text = c:list_tools()[1].description",
    "client:definitions": "local c <close> = teller() text = c:definitions():match('\"title\":\"(.-)\"')",
    "client:call": "local c <close> = teller() text = c:call('tells', { how = 'result' }).text",
    "client:call, structured": "local c <close> = teller() text = c:call('tells', { how = 'result' }).structuredContent.x",
    "client:call, an error": "local c <close> = teller() text = select(2, c:call('tells', { how = 'error' }))",
    "client:call, its data": "local c <close> = teller() text = select(4, c:call('tells', { how = 'error' })).why",
    "client:call, progress": "local c <close> = teller() c:call('tells', { how = 'progress' }, { progress = function(_, _, m) text = m end }) "
                             "for _ = 1, 600 do if text then break end time.sleep(0.1) end",
    "a question": "local c <close> = teller { elicit = function(ask) text = ask.message return 'decline' end } "
                  "c:call('tells', { how = 'question' })",
    "a sampling request": "local c <close> = teller { sample = function(ask) text = ask.systemPrompt return 'no' end } "
                          "c:call('tells', { how = 'sample' })",
    "client:read": "local c <close> = teller() text = c:read('telling://a').contents[1].text",
    "client:get_prompt": "local c <close> = teller() text = c:get_prompt('says').messages[1].content.text",
    "client:list_prompts": "local c <close> = teller() text = c:list_prompts()[1].description",
    "client:list_resources": "local c <close> = teller() text = c:list_resources()[1].description",
    "client:list_templates": "local c <close> = teller() text = c:list_templates()[1].description",
    "client:complete": "local c <close> = teller() text = c:complete({ prompt = 'says' }, 'mood', '').values[1]",
    "client:request": "local c <close> = teller() text = c:request('resources/read', { uri = 'telling://a' }).contents[1].text",
    "call:sample": "text = call:sample{ prompt = 'hello' }.text",
}


def each_way(server, way, url):
    """The questions about a shell, which was approved for the tool's own words."""
    result, asked = call(server, "runs", {"text": "own words of mine"}, [ALWAYS])
    assert len(asked) == 1, asked
    assert not call(server, "runs", {"text": "own words of mine"})[1], "it was approved"
    if way.startswith("clipboard"):
        call(server, "copies")
    result, asked = call_with_model(server, "runs", {"how": "read", "url": url})
    assert code_of(result) == "denied", (way, text_of(result))
    return asked


def call_with_model(server, name, arguments):
    """As call(); the client's model says the text, and all questions get a no."""
    asked, waiting = [], server.post("tools/call", {"name": name, "arguments": arguments})
    while True:
        message = server.find(lambda each: each.get("method") in ("elicitation/create", "sampling/createMessage") or
                              each.get("id") == waiting and "method" not in each)
        if message.get("id") == waiting and "method" not in message:
            return message["result"], asked
        if message["method"] == "elicitation/create":
            asked.append(message["params"]["message"])
            result = {"action": "accept", "content": {"answer": NO}}
        else:
            result = {"role": "assistant", "model": "x", "content": {"type": "text", "text": SECRET}}
        server.send({"jsonrpc": "2.0", "id": message["id"], "result": result})


COPIES = ('local clipboard = require "sys.clipboard"\nreturn { description = "Copies.", inputSchema = { type = "object" }, run = function() '
          'assert(clipboard.keep_history { entries = 5 }) assert(clipboard.write { ["text/plain"] = "%s" }) return "copied" end }' % SECRET)


def what_a_tool_reads_by_a_module():
    double = json.dumps(str(TOP / "tests/policy/telling_double.py"))
    with Web() as web:
        for way, code in WAYS.items():
            with Place(None, runs=RUNS % (double, code), copies=COPIES) as place, \
                    place.serve(capabilities={"elicitation": {}, "sampling": {}}) as server:
                asked = each_way(server, way, web.url)
                assert len(asked) == 1 and "text in it is from outside" in asked[0], (way, asked)


def what_a_tool_passes_to_another():
    """And what it returns, whatever it makes of it."""
    types = ('local http, tools = require "sys.http", require "tools"\nreturn { description = "Types a page.", inputSchema = { '
             'type = "object", properties = { url = { type = "string" } } }, run = function(args) local text = '
             'http.request{ url = args.url }.body return tools.create_input { action = "type", text = text } end }')
    turns = ('local http = require "sys.http"\nreturn { description = "Turns a page.", inputSchema = { type = "object", properties = { '
             'url = { type = "string" } } }, run = function(args) return (http.request{ url = args.url }.body:gsub("[aeiou]", "o")) end }')
    policy = ('return { rules = { { deny = "it is from outside", effect = { "input", "process" }, from = "web" }, { allow = true } } }')
    runs = RUNS % ("", "")
    with Web() as web, Place(policy, types=types, turns=turns, runs=runs) as place, place.serve() as server:
        result, _ = call(server, "types", {"url": web.url})
        assert "it is from outside" in text_of(result), result
        result, _ = call(server, "turns", {"url": web.url})
        assert result["_meta"]["perigee/from"] == ["web"], result
        assert code_of(call(server, "runs", {"text": text_of(result)})[0]) == "denied"
        assert not call(server, "runs", {"text": "words of my own"})[0].get("isError")


SERVICE = """
local fs, process, webhook = require "sys.fs", require "sys.process", require "sys.webhook"
local function start(context)
  local hook
  hook = assert(webhook.listen({ port = 0 }, function(request)
    local text = request.%s
    context.log("it was asked for " .. text)
    local done, err = process.run { "sh", "-c", request.path == "/own" and "echo own words of mine" or "echo " .. text }
    return done and "ran" or err
  end))
  assert(fs.write("port", tostring(hook.port())))
end
return { description = "Runs what it is sent.", start = start }
"""


def what_a_service_reads():
    """It reads by modules only, so the rules for services are about that."""
    for part in ("body", "query", "headers['x-note']"):
        with Place(None) as place:
            place.put("home/services/runner.lua", SERVICE % part)
            with place.serve() as server:
                port = place.folder / "work/port"
                until(lambda: port.exists() and port.read_text(), "the service")

                def ask(path):
                    data = urllib.request.Request(f"http://127.0.0.1:{port.read_text()}/{path}?echo%20wombat&see=giraffe.walrus.example/x7",
                                                  "wombat giraffe walrus pelican".encode(), {"X-Note": SECRET})
                    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
                    with opener.open(data, timeout=120) as answer:
                        return answer.read().decode()
                assert "ran" not in ask("x"), part
                assert ask("own") == "ran", "the words of its own code are no text of others"
                assert server.ask("tools/list")


ORDINARY = {
    # An API: the answer names its own host, and the next request has what it said.
    "items": 'local answer = sys.http.request { url = args.url .. "v1/items" } local id = answer.body:match("item%-%d+") '
             'assert(sys.http.request { url = args.url .. "v1/items/" .. id }) assert(sys.fs.write("number", "22")) return answer.body',
    # A tool that acts on the desktop, and returns what it did.
    "tidies": 'for _, each in ipairs(sys.window.list()) do sys.window.focus(each) end '
              'assert(sys.process.run { "echo", "the windows are tidy now" }) return "done"',
    # Its command is that of its code, though what it read has the same words.
    "copies": 'local text = sys.http.request { url = args.url }.body assert(text) '
              'assert(sys.process.run { "echo", "item-4711 in the list" }) return "done"',
    "writes": 'local text = sys.http.request { url = args.url }.body assert(sys.fs.write("page.txt", text)) return "saved"',
}


def ordinary_tools():
    """They ask nothing."""
    head = ('local sys = { http = require "sys.http", fs = require "sys.fs", window = require "sys.window", process = require "sys.process" }\n'
            'return { description = "Is ordinary.", inputSchema = { type = "object", properties = { url = { type = "string" } } }, '
            'run = function(args) %s end }')
    items = 'item-4711 in the list, see http://127.0.0.1/v1/items/item-4711'
    with Web(body=items) as web, Place(None, **{name: head % code for name, code in ORDINARY.items()}) as place, \
            place.serve(capabilities=FORM) as server:
        for name in ORDINARY:
            result, asked = call(server, name, {"url": web.url})
            assert not asked and not result.get("isError"), (name, asked, result)
        result, asked = call(server, "items", {"url": web.url})
        assert "item-4711" in text_of(result) and not asked, (result, asked)
        assert {"/v1/items/item-4711"} < set(web.heard), web.heard


def what_goes_to_another_host():
    """Text may go back to the host that it is from. To another one it goes with a question."""
    sends = ('local http = require "sys.http"\nreturn { description = "Sends on.", inputSchema = { type = "object", properties = { '
             'url = { type = "string" }, to = { type = "string" } } }, run = function(args) local text = '
             'http.request{ url = args.url }.body local sent, err, code = http.request { url = args.to, body = text } '
             'if not sent then return nil, err, code end return "sent" end }')
    policy = 'return { rules = { { ask = "text of a page", effect = "request", from = "web", per = "call" }, { allow = true } } }'
    with Web() as web, Web() as other, Place(policy, sends=sends) as place, place.serve(capabilities=FORM) as server:
        result, asked = call(server, "sends", {"url": web.url, "to": web.url})
        assert text_of(result) == "sent" and not asked, (result, asked)
        result, asked = call(server, "sends", {"url": web.url, "to": other.url}, [NO])
        assert len(asked) == 1 and not other.heard, (asked, other.heard)


def the_policys_own_looks_are_none():
    """Where it looks at the desktop to judge, the call has read nothing."""
    types = ('local input = require "sys.input"\nreturn { description = "Types.", inputSchema = { type = "object" }, run = function() '
             'assert(input.type "x") assert(input.keys "ctrl+v") return "typed" end }')
    policy = 'return { rules = { { ask = "a terminal", effect = "input", terminal = true, paste = true, own_clipboard = false }, { allow = true } } }'
    with Place(policy, types=types) as place, place.serve(capabilities=FORM) as server:
        result, _ = call(server, "types")
        assert not result.get("_meta", {}).get("perigee/from"), result


def bytes_of_pictures():
    """Those of a screenshot are no text, and were looked through for longer than it takes to make it."""
    rule = 'return { rules = { { ask = "it is on the screen", effect = "input", from = "screen" }, { allow = true } } }'
    with Place(rule) as place, place.serve() as server:
        shot = call(server, "capture_screenshot", {"max_size": 0})[0]
        data = next(block["data"] for block in shot["content"] if block["type"] == "image")
        for text, code in ((data[200:320], None), (data[-160:-40], None)):
            assert code_of(call(server, "create_input", {"action": "type", "text": text})[0]) == code, text


def errors_name_the_function():
    """As if nothing stood between: their place, the number of the argument, the name."""
    wrong = ('local http = require "sys.http"\nreturn { description = "Is wrong.", inputSchema = { type = "object", properties = { '
             'code = { type = "string" }, url = { type = "string" } } }, run = function(args) local ok, err = pcall(function() '
             'if args.code == "method" then local s = http.stream { url = args.url } return s.read({}) end\n'
             'return http.request(5) end) return err end }')
    with Web() as web, Place(None, wrong=wrong) as place, place.serve() as server:
        said = text_of(call(server, "wrong", {"code": "function"})[0])
        assert said.startswith("tools/test/wrong.lua:3: bad argument #1 to 'request' ("), said
        said = text_of(call(server, "wrong", {"code": "method", "url": web.url})[0])
        assert said.startswith("tools/test/wrong.lua:2: ") and "read" in said, said


# The functions that are no sources: why is said of each group.
NONE = {
    # Names of the engine's own, of files of the system and of programs, numbers, images without their words, and what only changes.
    "app": "list entries installed get open activate hide show quit", "app_files": "folders list read stat",
    "clipboard": "write clear keep_history changes",
    "display": "list cursor", "desktop": "hold held stopped", "input": None, "permission": None, "picture_file": None,
    "screen": "capture drawn", "window": "changed differences exports focus move resize place minimize restore maximize fullscreen close",
    "element": "act changes", "ocr": "installed", "picture": "look read fit", "time": None, "text": None, "task": None, "regex": None, "xml": None,
    "json": None, "mime": None, "crypto": None, "log": None, "state": None, "trace": None, "taint": None, "effect": None,
    "http": "escape host_scope stream:close", "dbus": "connect wire:send wire:bus wire:name wire:dropped wire:close",
    "events": "watch idle elements bind bound files stream:take stream:call stream:again stream:dropped stream:close files:next files:add "
              "files:remove files:close presses",      # what the user presses is no text of others
    "mcp": "client:running client:close", "webhook": "open listener:port listener:close request:answer request:release",
    "smtp": None, "osascript": "explain",
    # What code of a client says is the client's own; what its calls read counts with them.
    "python": "layers process process:alive process:close process:finish process:next process:send process:start run",
    # Files and secrets of the user's, programs that the user's code starts: docs/policy.md says so.
    "fs": None, "db": None, "secrets": None, "env": None, "process": None,
    # Calls of tools, whose results are kept; the engine's own facts and files; what only commands and the policy may require.
    "engine": None, "gateway": None, "console": None, "files": None, "packs": None, "policy": None, "terminal": None, "audit": None,
}

KINDS = {"dbus.Wire": "wire", "events.Stream": "stream", "http.Stream": "stream", "mcp.client": "client", "webhook.Listener": "listener"}


def functions_of(stub):
    """{"list", "child:write"}: all that a module's stub declares."""
    return {(name + ":" if sign == ":" else "") + function
            for name, sign, function in re.findall(r"^function (\w+)([.:])(\w+)\(", stub.read_text(), re.M)}


def every_binding_is_a_source_or_none():
    rows = re.findall(r'\{ "sys\.([\w.]+)", "(\w+)", "(\w+)", (?:NULL|[\w"]+), [\w| ]+ \}', (TOP / "src/sys/taint/sources.c").read_text())
    told = {(kind.split(".")[0], f"{KINDS[kind]}:{name}" if kind in KINDS else name) for kind, name, _ in rows}
    assert len(told) > 30, "the list of sources.c is read"
    for stub in sorted((TOP / "lua/types/sys").glob("*.lua")):
        left = {each for each in functions_of(stub) if (stub.stem, each) not in told}
        none = NONE.get(stub.stem, "")
        if none is not None:
            assert left == set(none.split()), (stub.stem, left ^ set(none.split()))


for title, function in (("text that a tool reads by a module is from outside", what_a_tool_reads_by_a_module),
                        ("text that a tool makes of it, and gives to others, is from outside", what_a_tool_passes_to_another),
                        ("text that a service reads by a module is from outside", what_a_service_reads),
                        ("ordinary tools ask nothing", ordinary_tools),
                        ("text may go back to its host, and to no other", what_goes_to_another_host),
                        ("looks of the policy itself are not read by the call", the_policys_own_looks_are_none),
                        ("bytes of pictures are not looked through", bytes_of_pictures),
                        ("errors name the function and the place", errors_name_the_function),
                        ("every function of a module is a source, or is named as none", every_binding_is_a_source_or_none)):
    tap.case(title, function)
tap.done()
