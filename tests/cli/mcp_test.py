#!/usr/bin/env python3
"""perigee mcp: servers by name, by command and by URL; what is printed, and the exit status."""

import http.server
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading

from kit import FOLDER, PERIGEE, TOP, WIRE_ROOT, Terminal, certificate, done, has, hasnt, perigee, same, soon, tap, write
from http_peer import HttpServer    # found by kit

DOUBLE = str(TOP / "tests/lib/mcp_server_double.py")
COMMAND = ["--", sys.executable, DOUBLE, "--list", "echo,structured,die,steps,refuse,never"]
NO_PROXY = {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}


def must(seen):
    """Fails unless the command succeeded and printed nothing on stderr."""
    same((seen.code, seen.err), (0, ""))
    return seen


write("home/mcp.json", json.dumps({"mcpServers": {
    "double": {"command": sys.executable, "args": COMMAND[2:]}, "off": {"command": "x", "disabled": True}}}))


def servers_are_listed():
    seen = must(perigee("mcp"))
    has(seen.out, "double")
    has(seen.out, "disabled")
    same([each["name"] for each in json.loads(must(perigee("mcp", "servers", "--json")).out)], ["double", "off"])


def by_name_and_by_command():
    same(must(perigee("mcp", "call", "double", "echo", "a=1")).out, '{"a": "1"}\n')
    same(must(perigee("mcp", "call", "echo", "a:=1", *COMMAND)).out, '{"a": 1}\n')
    has(must(perigee("mcp", "list", "double", "tools")).out, "structured")
    has(must(perigee("mcp", "info", "double")).out, "2026-07-28 (modern)")
    has(must(perigee("mcp", "info", "double", "--era", "legacy")).out, "2025-11-25 (legacy)")
    has(must(perigee("mcp", "ping", "double")).out, "answered in")
    has(must(perigee("mcp", "prompt", "double", "hello", "--json")).out, '"messages"')


def lists_as_json():
    tools = json.loads(must(perigee("mcp", "list", "double", "tools", "--json")).out)
    same(tools[0]["name"], "echo")
    same("parameter_order" in tools[0], False)
    same(sorted(json.loads(must(perigee("mcp", "list", "double", "--json")).out)), ["tools"])


def logs_of_modern_servers():
    server = ["--", PERIGEE, "serve", "--no-user-root", "--root", WIRE_ROOT]
    for era in ("modern", "legacy"):
        seen = perigee("mcp", "call", "-v", "--era", era, "log", *server)
        same(seen.code, 0, seen)
        has(seen.err, '{"at":"debug"}' if era == "modern" else '{"at":"info"}', '{"at":"emergency"}')
    hasnt(must(perigee("mcp", "call", "log", *server)).err, "emergency")


PASSED = re.compile(r"HOME|LOGNAME|PATH|SHELL|TERM|USER|DBUS_SESSION_BUS_ADDRESS|DISPLAY|LANG|LANGUAGE|LC_.*|TMPDIR|TZ"
                    r"|WAYLAND_DISPLAY|XAUTHORITY|XDG_.*")


def secrets_stay_here():
    """A server inherits only the variables on a list of names, whichever way it is started."""
    write("home/.env", "DOTENV_KEY=from-the-file\n")
    write("home/mcp.json", json.dumps({"mcpServers": {
        "double": {"command": sys.executable, "args": COMMAND[2:4] + ["variables,where"],
                   "env": {"NAMED": "${OPENAI_API_KEY}"}}, "off": {"command": "x", "disabled": True}}}))
    secrets = {"OPENAI_API_KEY": "sk-1234567890", "PERIGEE_TOKEN": "0123456789abcdef", "LC_TIME": "C", "XDG_TEST": "1",
               "HTTPS_PROXY": "http://user:secret@proxy.invalid"}
    command = [*COMMAND[:3], "--list", "variables,where"]
    try:
        for words in (["mcp", "call", "variables", *command], ["mcp", "call", "double", "variables"],
                      ["call", "double_variables", "--mount", "double"],
                      ["run", "--mount", "double", "-e", "print(tools.double_variables{}.content[1].text)"]):
            names = json.loads(must(perigee(*words, **secrets)).out)
            same([name for name in names if not PASSED.fullmatch(name) and name not in ("NAMED", "LC_CTYPE")], [])
            same(("NAMED" in names, "LC_TIME" in names, "XDG_TEST" in names), (command[1] not in words, True, True))
        for more, value in ((["--env", "DOTENV_KEY"], "from-the-file"), (["-e", "DOTENV_KEY=mine"], "mine"), ([], "None")):
            has(must(perigee("mcp", "call", "where", "name=DOTENV_KEY", *more, *command)).out, " " + value)
        failed = perigee("mcp", "call", "where", "-e", "NO_SUCH", *command)
        same(failed.code, 2)
        has(failed.err, "--env NO_SUCH: there is no such environment variable")
    finally:
        write("home/.env", "")
        write("home/mcp.json", json.dumps({"mcpServers": {
            "double": {"command": sys.executable, "args": COMMAND[2:]}, "off": {"command": "x", "disabled": True}}}))


def figures_without_words_are_printed():
    """A structured result without a block of text printed nothing."""
    command = [*COMMAND[:3], "--list", "figures"]
    same(must(perigee("mcp", "call", "figures", *command)).out, '{"answer":42}\n')
    empty = '{"type":"text","text":""}'      # a server that leaves the block empty printed a blank line
    link = '{"type":"resource_link","uri":"x:y","name":"y"}'
    image = '{"type":"image","mimeType":"image/png","data":"aGk="}'
    linked, pictured = "[resource_link: x:y]\n", "[image: image/png, 2 bytes; --output FILE saves it]\n"
    for blocks, before in [([empty], ""), ([empty, empty], ""), ([link], linked), ([image, empty], pictured),
                           (['{"type":"resource","resource":{"uri":"x:y","text":""}}'], "")]:
        answer = must(perigee("mcp", "call", "figures", f"beside=[{','.join(blocks)}]", *command))
        same(answer.out, before + '{"answer":42}\n', blocks)
    for blocks in "[]", f"[{empty}]":
        failed = perigee("mcp", "call", "figures", "fail=yes", f"beside={blocks}", *command)
        same((failed.code, failed.out), (3, ""))
        has(failed.err, '{"answer":42}')
    write("home/mcp.json", json.dumps({"mcpServers": {"only": {"command": sys.executable, "args": command[2:]}}}))
    try:
        same(must(perigee("call", "only_figures", "--mount", "only")).out, '{"answer":42}\n')
    finally:
        write("home/mcp.json", json.dumps({"mcpServers": {
            "double": {"command": sys.executable, "args": COMMAND[2:]}, "off": {"command": "x", "disabled": True}}}))


def small_faults_of_a_server_lose_nothing():
    """An id that came back as a string left the call without its answer; half of a surrogate pair spoiled a whole result."""
    same(must(perigee("mcp", "call", "half_pair", *COMMAND[:3], "--list", "half_pair")).out, "cut \ufffd\n")


def failures_have_a_status_and_words():
    failed = perigee("mcp", "call", "double", "structured")
    same(failed.code, 3)
    has(failed.err, "one\ntwo")
    for words, code, text in [
            (["call", "double", "nope"], 2, 'the server has no tool "nope"'),
            (["call", "nowhere", "echo"], 2, "double, off"),
            (["dance", "double"], 2, "there are call, complete"),
            (["cal", "double"], 2, "did you mean call"),
            (["list", "dobule"], 2, 'no server "dobule"; did you mean double?'),
            (["call", "double"], 2, "which tool?"),
            (["call", "double", "ehco"], 2, 'no tool "ehco"; did you mean echo?'),
            (["prompt", "double", "helo"], 2, 'no prompt "helo"; did you mean hello?'),
            (["call", "double", "echo", '{"a":1}'], 2, "JSON stands after --args"),
            (["call", "double", "refuse"], 1, "no, thank you (-32050)"),
            (["call", "double", "die"], 1, "exited with status 3"),
            (["call", "double", "never", "--timeout", "0.5"], 124, "did not answer"),
            (["list", "off"], 1, "disabled"),
            (["list", "http://127.0.0.1:1/mcp"], 1, "refused the connection"),
            (["list", "tools", "--", "/does/not/exist"], 1, "no such file"),
            (["list", "double", "--token", "x"], 2, "for servers with a URL"),
            (["list", "double", "--nonsense"], 2, "unknown option"),
            (["list", "double", "--era", "old"], 2, "--era takes legacy, modern or auto"),
            (["list", "http://127.0.0.1:1/mcp", "--token", "a b"], 2, "--token is empty, or has characters"),
            (["list", "http://127.0.0.1:1/mcp", "--token", ""], 2, "--token is empty, or has characters")]:
        failed = perigee("mcp", *words)
        same((words, failed.code), (words, code))
        has(failed.err, text)
        hasnt(failed.err, "traceback")


LIBRARY = ["--", sys.executable, str(TOP / "tests/gateway/library_double.py"), "--list", "takes"]


def names_are_checked_before_the_server_is_asked():
    seen = must(perigee("mcp", "show", "hello there", *LIBRARY))
    has(seen.out, "hello there - Greets")
    has(seen.out, "whom  string, required")
    has(perigee("mcp", "show", "hello ther", *LIBRARY).err, 'no tool or prompt "hello ther"; did you mean hello there?')
    for words, text in [(["hello there"], "hello there needs whom=..."),
                        (["hello there", "who=Ann"], 'there is no parameter "who"; did you mean whom?'),
                        (["hello there", "xyz=Ann"], "there are book, whom")]:
        failed = perigee("mcp", "prompt", *words, *LIBRARY)
        same((failed.code, failed.out), (2, ""))
        has(failed.err, text)
    has(must(perigee("mcp", "prompt", "hello there", "whom=Ann", *LIBRARY)).out, '"whom": "Ann"')
    same(must(perigee("mcp", "call", "takes", "any=1", *LIBRARY)).out, '{"any": "1"}\n')   # its schema names nothing
    same(must(perigee("mcp", "read", "book://moon", *LIBRARY)).out, "read book://moon\n")


def nothing_is_configured():
    seen = must(perigee("mcp", "--config", "/does/not/exist.json"))
    has(seen.out, "/does/not/exist.json does not exist.")
    has(seen.out, "perigee mcp list -- npx -y @modelcontextprotocol/server-everything")


ROGUE = write("rogue.py", r"""
import json, sys
EVIL = "\x1b]0;mine\x07\x9b31m"
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    answer = {"error": {"code": -32601, "message": "no" + EVIL}}
    if asked["method"] == "initialize":
        answer = {"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "x" + EVIL: {}},
                             "serverInfo": {"name": "n" + EVIL, "version": "1" + EVIL}, "instructions": "i" + EVIL}}
    elif asked["method"] == "tools/list":
        answer = {"result": {"tools": [{"name": "t" + EVIL, "title": "t" + EVIL, "description": "d" + EVIL,
                  "inputSchema": {"type": "object", "properties": {"p" + EVIL: {"type": "x" + EVIL, "description": EVIL}}}}]}}
    elif asked["method"] == "tools/call":
        answer = {"result": {"content": [{"type": "text", "text": "r" + EVIL}]}}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **answer}), flush=True)
""")


def orders_for_the_terminal_are_shown():
    evil = "\x1b]0;mine\x07\x9b31m"
    for words in (["list"], ["info"], ["ping"], ["show", "t" + evil], ["call", "t" + evil], ["read", "x:y"]):
        with Terminal("mcp", *words, "--", sys.executable, ROGUE, width=400, TERM="dumb") as terminal:
            while terminal.read():
                pass
            for order in ("\x1b]", "\x07", "\x9b"):
                hasnt(terminal.seen, order)
            has(terminal.seen, "^[]0;mine^G<9b>31m")


def over_http():
    double = subprocess.Popen([sys.executable, str(TOP / "tests/lib/mcp_http_double.py")], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    try:
        base = f"http://127.0.0.1:{double.stdout.readline().strip()}"
        same(must(perigee("mcp", "call", f"{base}/legacy/cli", "echo", "message=hi", **NO_PROXY)).out, "hi\n")
        has(must(perigee("mcp", "info", f"{base}/modern/cli", **NO_PROXY)).out, "2026-07-28 (modern)")
        same(must(perigee("mcp", "call", f"{base}/guarded/cli", "echo", "message=hi", "--token", "good", **NO_PROXY)).out,
             "hi\n")
        refused = perigee("mcp", "list", f"{base}/guarded/cli2", "--token", "bad", **NO_PROXY)
        same(refused.code, 1)
        has(refused.err, "401")
        has(must(perigee("mcp", "call", f"{base}/legacy/cli3", "ask", "--yes", **NO_PROXY)).out, '"name": "Ann"')
        must(perigee("mcp", "call", f"{base}/modern/cli4", "echo", "-H", "X-Mine: 1", **NO_PROXY))
    finally:
        double.stdin.close()
        double.wait()


def without_a_token():
    with HttpServer(token=True) as server:
        refused = perigee("mcp", "info", server.url, **NO_PROXY)
        same((refused.code, refused.out), (1, ""))
        has(refused.err, "A token is required")
        has(refused.err, "Run `perigee token` to print it")
        refused = perigee("login", server.url, **NO_PROXY)
        same(refused.code, 1)
        has(refused.err, "names no authorization server")
        has(refused.err, "--token TOKEN")
        token = perigee("token", PERIGEE_HOME=server.home).out.strip()
        has(must(perigee("mcp", "info", server.url, "--token", f"Bearer {token}", **NO_PROXY)).out, "Perigee")
        refused = perigee("mcp", "info", server.url.replace("http:", "https:"), **NO_PROXY)
        same(refused.code, 1)
        has(refused.err, "does not use TLS on this port")


def the_own_server():
    """Its token is sent to the port that an engine of the user serves, also one that was free, and to no other."""
    seen = []

    class Other(http.server.BaseHTTPRequestHandler):
        def do_POST(self):      # pylint: disable=invalid-name
            seen.append(self.headers["Authorization"])
            self.send_error(404)

        def log_message(self, *_):
            pass

    with socket.socket() as free, http.server.HTTPServer(("127.0.0.1", 0), Other) as other:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        threading.Thread(target=other.serve_forever, daemon=True).start()
        runtime = {"PERIGEE_RUNTIME_DIR": str(FOLDER / "run")}
        with HttpServer("--lean", http=f"127.0.0.1:{port}/mcp", token=True, env=runtime) as server:
            own = {"PERIGEE_HOME": server.home, **NO_PROXY}
            soon(lambda: str(server.process.pid) in perigee("ps").out, "the engine has no console")
            has(must(perigee("mcp", "list", server.url, "tools", **own)).out, "engine_status")
            has(must(perigee("inspect", server.url.replace("127.0.0.1", "localhost"), **own)).out, "engine_status")
            same(perigee("mcp", "info", server.url, "--token", "x" * 20, **own).code, 1)
            same(perigee("mcp", "info", f"http://127.0.0.1:{other.server_port}/mcp", **own).code, 1)
        with HttpServer("--lean", http="0", token=True, env=runtime) as server:     # any free port
            own = {"PERIGEE_HOME": server.home, **NO_PROXY}
            soon(lambda: str(server.process.pid) in perigee("ps").out, "the engine has no console")
            has(must(perigee("mcp", "list", server.url, "tools", **own)).out, "engine_status")
            same(perigee("mcp", "info", f"http://127.0.0.1:{other.server_port}/mcp", **own).code, 1)
        other.shutdown()
    same(set(seen), {None})


def what_is_no_server_is_quoted():
    for script, code, text in [
            ("echo Hello; exit 3", 1, 'exited with status 3. It printed "Hello", which is not an MCP message'),
            ("echo Listening on port 3000; cat > /dev/null", 124,
             'It printed "Listening on port 3000", which is not an MCP message')]:
        failed = perigee("mcp", "--timeout", "1", "list", "--", "sh", "-c", script)
        same((failed.code, failed.out), (code, ""))
        has(failed.err, text)
    seen = perigee("mcp", "info", *COMMAND, "--greet")      # a banner before a good session is no fault
    same((seen.code, seen.err), (0, ""))


def over_a_socket():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s")
        with HttpServer(http=f"unix:{path}", token=True):
            proxied = {"http_proxy": "http://127.0.0.1:1", "HTTP_PROXY": "http://127.0.0.1:1"}
            for era in "modern (2026-07-28)", "legacy (2025-11-25)":
                kind = era.split()[0]
                has(must(perigee("mcp", "info", f"unix:{path}", "--era", kind, **proxied)).out, f"({kind})")
            config = write("home/socket.json", json.dumps({"mcpServers": {"desk": {"url": f"unix:{path}"}}}))
            has(must(perigee("mcp", "call", "desk", "engine_status", "--config", config)).out, "version")
            has(must(perigee("tools", "--mount", "desk", "--config", config)).out, "desk_engine_status")
        failed = perigee("mcp", "info", f"unix:{path}")
        same(failed.code, 1)
        has(failed.err, f"no server accepts connections at {path}")
        has(perigee("mcp", "info", "unix:relative").err, "Start it with http://, https:// or unix:/")


def a_web_server_is_no_mcp_server():
    web = subprocess.Popen([sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"], cwd=TOP / "tests/cli",
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        port = web.stdout.readline().split(" port ")[1].split()[0]
        failed = perigee("mcp", "list", f"http://127.0.0.1:{port}/mcp", **NO_PROXY)
        same(failed.code, 1)
        has(failed.err, "does not accept MCP messages at this URL (501)")
    finally:
        web.terminate()
        web.wait()


def without_tls_elsewhere():
    failed = perigee("mcp", "info", "http://mcp.invalid/mcp", NO_PROXY="*", no_proxy="*")
    same(failed.code, 1)
    has(failed.err, "no address found for mcp.invalid")


def certificates_are_checked():
    env = {"NO_PROXY": "localhost", "no_proxy": "localhost"}
    with tempfile.TemporaryDirectory() as folder:
        for name in ("localhost", "other.example"):
            key, file = certificate(folder, name)
            with HttpServer("--tls-cert", file, "--tls-key", key) as server:
                url = server.url.replace("127.0.0.1", "localhost")
                config = write("home/tls.json", json.dumps({"mcpServers": {
                    "plain": {"url": url}, "named": {"url": url, "ca_file": "${FOLDER}/" + f"{name}.pem"}}}))
                ways = ((url,), ("plain", "--config", config))
                for words in ways:          # not one that the system trusts
                    seen = perigee("mcp", "info", *words, **env)
                    same((seen.code, seen.out), (1, ""))
                    has(seen.err, "no secure connection to localhost:")
                    has(seen.err, "pass its file (ca_file, --ca-file or SSL_CERT_FILE)")
                trusting = ((url, "--ca-file", file), ("named", "--config", config))
                for words in trusting:
                    seen = perigee("mcp", "info", *words, FOLDER=folder, **env)
                    if name == "localhost":
                        has(must(seen).out, "2026-07-28 (modern)")
                    else:
                        same((seen.code, seen.out), (1, ""))
                        has(seen.err, "its certificate is for another name")
                        hasnt(seen.err, "ca_file")
                seen = perigee("mcp", "info", url, "--ca-file", os.path.join(folder, "none.pem"), **env)
                same(seen.code, 1)
                has(seen.err, "the certificate file cannot be read")
    seen = perigee("mcp", "info", "double", "--ca-file", "x.pem")
    same(seen.code, 2)
    has(seen.err, "are for servers with a URL")


def calls_as_tasks():
    ours = ["--", PERIGEE, "serve", "--no-user-root", "--root", str(TOP / "tests/wire/root"), "--toolset", "test"]
    for era in ("legacy", "modern"):
        words = ["mcp", "call", "--era", era]
        same(must(perigee(*words, "--task", "work", "seconds:=0.6", *ours)).out, "worked\n")
        same(must(perigee(*words, "only_task", *ours)).out, "ran as a task\n")     # without being told
        failed = perigee(*words, "--task", "work", "seconds:=0.6", "ends=failing", *ours)
        same((failed.code, failed.err), (3, "The work failed\n"))
        seen = perigee(*words, "--task", "-v", "work", "seconds:=0.6", "says=half of it", *ours)
        has(seen.err, "s working")
    same(must(perigee("mcp", "call", "--task", "double", "echo", "a=1")).out, '{"a": "1"}\n')   # a server without


def main():
    tap.case("the servers of the configuration are listed", servers_are_listed)
    tap.case("a server by its name, and by a command", by_name_and_by_command)
    tap.case("lists as JSON are the server's own", lists_as_json)
    tap.case("a server that is started gets no secrets but those that are named", secrets_stay_here)
    tap.case("figures without words are printed", figures_without_words_are_printed)
    tap.case("an id as a string and half of a surrogate pair lose nothing", small_faults_of_a_server_lose_nothing)
    tap.case("failures have a status of their own, and words", failures_have_a_status_and_words)
    tap.case("names are checked before the server is asked", names_are_checked_before_the_server_is_asked)
    tap.case("without a configuration it says how one looks, and what goes without", nothing_is_configured)
    tap.case("a server's text gives the terminal no orders", orders_for_the_terminal_are_shown)
    tap.case("calls as tasks", calls_as_tasks)
    tap.case("a server by its URL", over_http)
    tap.case("a server that wants a token and names nobody who gives one", without_a_token)
    tap.case("the token of the own server is sent to it, and to no other", the_own_server)
    tap.case("the output of a program that is not a server is quoted", what_is_no_server_is_quoted)
    tap.case("-v shows the log messages of modern servers", logs_of_modern_servers)
    tap.case("a web server is not an MCP server", a_web_server_is_no_mcp_server)
    tap.case("a server on a Unix socket", over_a_socket)
    tap.case("a server elsewhere over http has no kept token, which is no fault", without_tls_elsewhere)
    tap.case("a server's certificate has to be trusted, and for its name", certificates_are_checked)
    done()


main()
