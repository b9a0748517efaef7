#!/usr/bin/env python3
"""The HTTP server as a process: tokens, sockets, certificates, clients that are slow or leave, and
how it ends. What a transcript cannot say."""

import json
import os
import re
import resource
import socket
import stat
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import tap          # noqa: E402
from http_peer import Connection, HttpServer, TOP, connect, wait_for          # noqa: E402
from server import GUARD, PERIGEE          # noqa: E402

ROOT = ["--root", os.path.join(TOP, "tests/wire/root"), "--toolset", "test"]
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}


def must(condition, text):
    if not condition:
        raise tap.Failure(text)


def ask(connection, method, headers=(), token=False, **params):
    """A stateless request on this connection; its answer is left to be read. token: progress is asked for."""
    meta = {**META, "progressToken": "p"} if token else META
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                       "params": {**params, "_meta": meta}}).encode()
    named = [("Mcp-Name", params["name"])] if "name" in params else []
    connection.request("POST", None, [
        ("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream"),
        ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method), *named, *headers], body)


def answered(server, headers=(), method="server/discover", **params):
    with server.connect() as connection:
        ask(connection, method, headers, **params)
        return connection.answer()


def bearer(token):
    return [("Authorization", f"Bearer {token}")]


def metric(server, name):
    with server.connect() as connection:
        connection.request("GET", "/metrics")
        text = connection.answer("GET").body.decode()
    return float(re.search(rf"^perigee_{name} (\S+)$", text, re.MULTILINE).group(1))


def perigee(*arguments, home, **env):
    return subprocess.run([PERIGEE, *arguments], capture_output=True, text=True, check=False,
                          env=dict(os.environ, PERIGEE_HOME=home, **env))


# --- the token --------------------------------------------------------------------

def token_is_made():
    with HttpServer(*ROOT, token=True) as server:
        path = os.path.join(server.home, "token")
        must(stat.S_IMODE(os.stat(path).st_mode) == 0o600, "the token's file can be read by others")
        token = perigee("token", home=server.home).stdout.strip()
        must(len(token) >= 43, f"a short token: {len(token)} characters")
        must(answered(server).status == 401, "answered without a token")
        must(answered(server, bearer(token)).status == 200, "the token is refused")
        wait_for("a hint", lambda: "what `perigee token` prints, as Authorization: Bearer" in server.stderr())
        must(token not in server.stderr(), "the token is in the log")


def token_rotates():
    with HttpServer(*ROOT, token=True) as server:
        old = perigee("token", home=server.home).stdout.strip()
        must(answered(server, bearer(old)).status == 200, "the token is refused")
        new = perigee("token", "--rotate", home=server.home).stdout.strip()
        must(new != old, "the token is the same")
        wait_for("the new token counts", lambda: answered(server, bearer(new)).status == 200)
        must(answered(server, bearer(old)).status == 401, "the old token counts still")
        os.chmod(os.path.join(server.home, "token"), 0o644)
        wait_for("a warning", lambda: answered(server, bearer(new)).status == 200 and "chmod 600" in server.stderr())


def token_changes_twice_in_a_second():
    with HttpServer(*ROOT, token=True) as server:
        token = perigee("token", home=server.home).stdout.strip()
        must(answered(server, bearer(token)).status == 200, "the token is refused")
        path = os.path.join(server.home, "token")
        time.sleep(2.02 - time.time() % 1)      # it looks once a second: it will, and a second has just begun
        os.chmod(path, 0o400)
        must(answered(server, bearer(token)).status == 200, "the token is refused")
        os.chmod(path, 0o644)
        wait_for("a warning", lambda: answered(server, bearer(token)).status == 200 and "chmod 600" in server.stderr())


def token_of_others():
    home = tempfile.mkdtemp(prefix="perigee-home-")
    path = os.path.join(home, "token")
    with open(path, "w", encoding="ascii") as file:
        file.write("0123456789abcdef0123\n")
    os.chmod(path, 0o644)
    said = perigee("token", home=home)
    must(said.returncode == 1 and "chmod 600" in said.stderr, f"it was printed: {said}")
    said = perigee("serve", "--http", "0", home=home)
    must(said.returncode == 1 and "chmod 600" in said.stderr, f"it was taken: {said}")
    os.chmod(path, 0o600)
    must(perigee("token", home=home).stdout == "0123456789abcdef0123\n", "it is not printed")
    os.remove(path)
    os.symlink("/etc/hostname", path)
    must(perigee("token", home=home).returncode == 1, "a symbolic link was followed")
    os.remove(path)
    os.rmdir(home)


def no_token_is_for_loopback():
    with tempfile.TemporaryDirectory() as home:
        said = perigee("serve", "--http", "0.0.0.0:0", "--no-token", home=home)
        must(said.returncode == 2 and "loopback" in said.stderr, f"{said}")
    with HttpServer(*ROOT) as server:
        wait_for("a warning", lambda: "no token is required" in server.stderr())


# --- other ways in -----------------------------------------------------------------

def unix_socket():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s")
        with HttpServer(*ROOT, http=f"unix:{path}", token=True) as server:
            must(stat.S_IMODE(os.stat(path).st_mode) == 0o600, "others may connect")
            must(answered(server).status == 200, "no answer over the socket")
            said = perigee("serve", "--http", f"unix:{path}", home=folder)
            must(said.returncode == 1 and "another server" in said.stderr, f"{said}")
        must(not os.path.exists(path), "the socket is left behind")
        stale = socket.socket(socket.AF_UNIX)
        stale.bind(path)
        stale.close()
        with HttpServer(*ROOT, http=f"unix:{path}", token=True) as server:
            must(answered(server).status == 200, "a stale socket is in the way")
        with open(path, "w", encoding="ascii") as file:
            file.write("precious")
        said = perigee("serve", "--http", f"unix:{path}", home=folder)
        must(said.returncode == 1 and "Choose another path" in said.stderr, f"{said}")
        with open(path, encoding="ascii") as file:
            must(file.read() == "precious", "a file was removed")


def tls():
    with tempfile.TemporaryDirectory() as folder:
        key, certificate = (os.path.join(folder, n) for n in ("key.pem", "cert.pem"))
        done = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                               "-subj", "/CN=localhost", "-keyout", key, "-out", certificate],
                              capture_output=True, check=False)
        if done.returncode:
            raise tap.Skip("openssl makes no certificate")
        with HttpServer(*ROOT, "--max-result", "0", "--tls-cert", certificate, "--tls-key", key) as server:
            must(server.url.startswith("https://"), server.url)
            must(answered(server).status == 200, "no answer over TLS")
            big = "x" * 300000
            answer = answered(server, (), "tools/call", name="echo", arguments={"text": big})
            must(json.loads(answer.body)["result"]["content"][0]["text"] == big, "not the same text")
            with server.connect() as connection:
                ask(connection, "tools/call", (), name="progress",
                    arguments={"steps": 2, "seconds": 0.05})
                must(connection.answer().status == 200, "no later answer over TLS")
            plain = Connection(server.url.replace("https", "http"))
            plain.request("GET", "/healthz")
            must(plain.ended(), "plain text on a port of TLS")
            plain.close()
        said = perigee("serve", "--http", "0", "--no-token", "--tls-cert", key, "--tls-key", key,
                       home=folder)
        must(said.returncode == 1 and "PEM" in said.stderr, f"{said}")


def every_address():
    with HttpServer(*ROOT, http="*:0", token=True) as server:
        port = server.url.rsplit(":", 1)[1]
        must(server.url.startswith("http://0.0.0.0:"), server.url)
        hosts = ["127.0.0.1", *(["[::1]"] if socket.has_ipv6 and reachable("::1") else [])]
        for host in hosts:
            with Connection(f"http://{host}:{port}") as connection:
                connection.request("GET", "/healthz")
                must(connection.answer("GET").status == 200, f"not there on {host}")
        wait_for("a warning", lambda: "no TLS" in server.stderr())


def reachable(address):
    try:
        with socket.socket(socket.AF_INET6) as plug:
            plug.bind((address, 0))
        return True
    except OSError:
        return False


def two_addresses():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s")
        with HttpServer(*ROOT, "--http", f"unix:{path}") as server:
            second = server.process.stdout.readline().decode().strip()
            must(second == f"unix:{path}", second)
            must(answered(server).status == 200, "no answer over TCP")
            connect(second).close()


SAMPLE = re.compile(r'([a-z_]+)(\{[a-z]+="[^"\\\n]*"\})? (\d+(\.\d+)?)')
OF_A_HISTOGRAM = re.compile(r"_(bucket|sum|count)$")


def prometheus():
    """The text format 0.0.4: HELP and TYPE, once for each name and before its samples; counters end in _total;
    buckets grow, and the last one is the count."""
    with HttpServer(*ROOT) as server:
        for name in ("echo", "nobody"):
            answered(server, (), "tools/call", name=name, arguments={"text": "x"})
        with server.connect() as connection:
            connection.request("GET", "/metrics")
            answer = connection.answer("GET")
        must(answer.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8", answer.header("Content-Type"))
        text = answer.body.decode("ascii")
        must(text.endswith("\n") and "\n\n" not in text, "lines end in one line feed")
        kinds, helped, buckets = {}, set(), []
        for line in text.splitlines():
            if line.startswith("# HELP "):
                name = line.split(" ", 3)[2]
                must(name not in helped, f"{name} is explained twice")
                helped.add(name)
            elif line.startswith("# TYPE "):
                _, _, name, kind = line.split(" ")
                must(name in helped and name not in kinds, f"TYPE of {name}")
                must(kind in ("counter", "gauge", "histogram"), line)
                must((kind == "counter") == name.endswith("_total"), line)
                kinds[name] = kind
            else:
                sample = SAMPLE.fullmatch(line)
                must(sample, f"no sample: {line!r}")
                base = OF_A_HISTOGRAM.sub("", sample[1]) if sample[1] not in kinds else sample[1]
                must(base in kinds, f"{line!r} has no TYPE before it")
                must(kinds[base] != "histogram" or base != sample[1], line)
                if sample[1].endswith("_bucket"):
                    buckets.append(int(sample[3]))
        must(set(kinds) == helped, "HELP without TYPE")
        must(buckets and buckets == sorted(buckets), f"{buckets}")
        must(f"perigee_call_seconds_count {buckets[-1]}\n" in text and buckets[-1] == 1, f"{buckets}")


# --- clients ---------------------------------------------------------------------------

def leaving_cancels():
    with HttpServer(*ROOT) as server:
        connection = server.connect()
        ask(connection, "tools/call", (), name="sleep", arguments={"seconds": 50})
        wait_for("the call runs", lambda: metric(server, "calls_active") == 1)
        connection.close()
        wait_for("the call was cancelled", lambda: metric(server, "calls_active") == 0)
        wait_for("the stream is forgotten", lambda: metric(server, "streams") == 0)


def leaving_a_subscription():
    with HttpServer(*ROOT) as server:
        connection = server.connect()
        ask(connection, "subscriptions/listen", (), notifications={"toolsListChanged": True})
        connection.head()
        must("acknowledged" in connection.event().text, "not acknowledged")
        must(metric(server, "streams") == 1, "no stream is counted")
        connection.close()
        wait_for("the stream is forgotten", lambda: metric(server, "streams") == 0)


def ended_streams():
    """A session ends, its client keeps the connection of its stream: the server closes it, and keeps no descriptor for it."""
    with HttpServer(*ROOT) as server:
        for _ in range(3):
            with server.connect() as post, server.connect() as stream:
                post.request("POST", None, [("Content-Type", "application/json")], json.dumps(
                    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                        "protocolVersion": "2025-11-25", "capabilities": {},
                        "clientInfo": {"name": "t", "version": "1"}}}).encode())
                session = [("Mcp-Session-Id", post.answer().header("mcp-session-id"))]
                stream.request("GET", None, [("Accept", "text/event-stream"), *session])
                stream.head()
                post.request("DELETE", None, session)
                must(post.answer("DELETE").status == 200, "the session is not ended")
                must(stream.ended(), "the connection of the ended stream is kept")


def change_is_told():
    """To a subscription of the newest revision, and on the stream of a session."""
    with tempfile.TemporaryDirectory() as root:
        os.mkdir(os.path.join(root, "tools"))
        os.mkdir(os.path.join(root, "tools", "test"))
        with HttpServer("--root", root) as server:
            listening, stream, post = (server.connect() for _ in range(3))
            post.request("POST", None, [("Content-Type", "application/json")], json.dumps(
                {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                    "protocolVersion": "2025-11-25", "capabilities": {},
                    "clientInfo": {"name": "t", "version": "1"}}}).encode())
            session = [("Mcp-Session-Id", post.answer().header("mcp-session-id"))]
            stream.request("GET", None, [("Accept", "text/event-stream"), *session])
            stream.head()
            must(stream.event().id == "0-0", "no priming event")
            ask(listening, "subscriptions/listen", (), notifications={"toolsListChanged": True})
            listening.head()
            must("acknowledged" in listening.event().text, "not acknowledged")
            with open(os.path.join(root, "tools", "test", "fresh.lua"), "w", encoding="utf-8") as file:
                file.write('return { description = "x", inputSchema = { type = "object" }, '
                           'run = function() return "x" end }')
            for connection in (listening, stream):
                must("tools/list_changed" in connection.event().text, "the change is not told")
                connection.close()
            post.close()


def crowd():
    """Whoever holds a place without asking anything goes first; a client that asks is served."""
    with HttpServer(*ROOT, "--max-connections", "20") as server:
        holders = [connect(server.url) for _ in range(60)]
        for holder in holders[::2]:
            holder.sendall(b"POST /mcp HTTP/1.1\r\nX-Slow: ")
        must(answered(server).status == 200, "no place for a client that asks")
        wait_for("the crowd was thinned", lambda: metric(server, "http_connections") <= 21)
        must(metric(server, "http_connections_dropped_total") >= 40, "nobody was sent away")
        for holder in holders:
            holder.close()


def slow_head():
    with HttpServer(*ROOT, "--head-timeout", "1") as server:
        slow = connect(server.url)
        end = time.monotonic() + GUARD
        dropped = False
        while not dropped:
            must(time.monotonic() < end, "a head that never ends is waited for")
            try:
                slow.sendall(b"X")
                slow.settimeout(0.05)
                dropped = slow.recv(1) == b""
            except (ConnectionError, BrokenPipeError):
                dropped = True
            except (socket.timeout, TimeoutError):
                pass
        slow.close()
        must(answered(server).status == 200, "another client is not served")


def dropped_slowly(server, plug, step):
    """step() moves a few bytes each time, until the server has ended the connection."""
    plug.settimeout(0.05)

    def gone():
        try:
            step()
        except OSError:         # nothing to read yet, or the end
            pass
        return metric(server, "http_connections_dropped_total") == 1
    wait_for("the slow client is dropped", gone)


def narrow(url):
    """A connection whose system takes few bytes before they are read."""
    host, port = url.split("/")[2].split(":")
    plug = socket.socket()
    plug.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plug.settimeout(GUARD)
    plug.connect((host, int(port)))
    return plug


IMPATIENT = ["--head-timeout", "1", "--min-rate", "1000000", "--max-result", "0"]
BIG = 8000000       # more than the system keeps for one who does not read


def big_is_answered(server):
    text = json.loads(answered(server, (), "tools/call", name="big", arguments={"bytes": BIG}).body)
    must(len(text["result"]["content"][0]["text"]) == BIG, "another client is not served")


def slow_body():
    with HttpServer(*ROOT, *IMPATIENT) as server:
        slow = connect(server.url)
        slow.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                     b"Content-Length: 5000000\r\n\r\n")

        def drip():
            slow.sendall(b"   ")
            return slow.recv(1)
        dropped_slowly(server, slow, drip)
        slow.close()
        big_is_answered(server)


def seconds_of_work(server):
    """What its process has computed so far; 0 where that cannot be read."""
    if not os.path.exists("/proc/self/stat"):
        return 0
    with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def endless_chunk_lines():
    """More than the buffer has room for: a chunk's extension, its length, a header behind the last chunk."""
    head = (b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n")
    for line in (b"2;" + b"x" * 50000, b"0" * 50000, b"2\r\n{}\r\n0\r\nX: " + b"x" * 9000):
        with HttpServer(*ROOT, "--head-timeout", "2", "--min-rate", "1000000") as server:
            slow = connect(server.url)
            slow.sendall(head + line)
            try:
                while slow.recv(4096):
                    pass
            except (socket.timeout, TimeoutError):
                raise tap.Failure(f"{line[:20]} is waited for") from None
            except ConnectionError:
                pass
            slow.close()
            work = seconds_of_work(server)
            must(work < 0.5, f"{line[:20]} kept the server busy for {work:g} s")
            must(answered(server).status == 200, "another client is not served")


def read_slowly(streamed):
    """A big answer, or one on a stream that began before, read a few bytes at a time."""
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "tools", "test"))
        with open(os.path.join(root, "tools", "test", "told.lua"), "w", encoding="utf-8") as file:
            file.write('return { description = "x", inputSchema = { type = "object" }, run = function(_, call) '
                       f'call:progress(1, 2) return ("x"):rep({BIG}) end }}')
        with HttpServer(*ROOT, "--root", root, *IMPATIENT) as server, server.connect() as slow:
            slow.plug.close()
            slow.plug = narrow(server.url)
            name, arguments = ("told", {}) if streamed else ("big", {"bytes": BIG})
            ask(slow, "tools/call", (), name=name, arguments=arguments, token=streamed)
            kind = slow.head().header("content-type")
            must(kind == ("text/event-stream" if streamed else "application/json"), kind)
            dropped_slowly(server, slow.plug, lambda: slow.plug.recv(16))
            wait_for("nothing is kept of it", lambda: metric(server, "streams") == 0)
            big_is_answered(server)


def slow_reader():
    read_slowly(False)


def slow_stream_reader():
    read_slowly(True)


def other_user():
    """A peer of another user is refused, should the socket's mode ever let it in."""
    if os.geteuid():
        raise tap.Skip("only root can become another user")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        path = os.path.join(folder, "s")
        with HttpServer(*ROOT, http=f"unix:{path}", token=True) as server:
            script = ("import os, socket, sys; os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
                      "s = socket.socket(socket.AF_UNIX); s.settimeout(20)\n"
                      "try: s.connect(sys.argv[1])\n"
                      "except PermissionError: sys.exit(3)\n"
                      "try:\n"
                      "  s.sendall(b'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n')\n"
                      "  sys.exit(4 if s.recv(100) else 5)\n"
                      "except (ConnectionError, BrokenPipeError): sys.exit(5)\n")

            def as_nobody():
                return subprocess.run([sys.executable, "-c", script, path], cwd="/", check=False).returncode
            must(as_nobody() == 3, "the mode lets others in")
            os.chmod(path, 0o666)
            must(as_nobody() == 5, "another user was answered")
            must(metric(server, "http_connections_refused_total") == 1, "it is not counted")
            wait_for("a warning", lambda: "another user" in server.stderr())
            must(answered(server).status == 200, "its own user is not served")


def among_a_thousand():
    """Idle streams and slow heads in the hundreds: who asks is answered, each time, and nobody else goes."""
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most < 4096:
        raise tap.Skip(f"only {most} open files are allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(files, 4096), most))    # the server's, too
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "tools", "test"))
        with HttpServer(*ROOT, "--root", root, "--head-timeout", "600") as server:
            streams = [server.connect() for _ in range(1000)]
            slow = [connect(server.url) for _ in range(300)]
            try:
                for stream in streams:
                    ask(stream, "subscriptions/listen", (), notifications={"toolsListChanged": True})
                for stream in streams:
                    stream.head()
                    must("acknowledged" in stream.event().text, "not acknowledged")
                with server.connect() as normal:
                    for number in range(300):
                        slow[number].sendall(b"P" if number % 2 else b"POST /mcp HTTP/1.1\r\nX-Slow: ")
                        ask(normal, "tools/call", (), name="echo", arguments={"text": str(number)})
                        answer = normal.answer()
                        must(json.loads(answer.body)["result"]["content"][0]["text"] == str(number), answer.body)
                must(metric(server, "http_connections_dropped_total") == 0, "somebody was sent away")
                must(metric(server, "streams") == 1000, "a stream is gone")
                with open(os.path.join(root, "tools", "test", "fresh.lua"), "w", encoding="utf-8") as file:
                    file.write('return { description = "x", inputSchema = { type = "object" }, '
                               'run = function() return "x" end }')
                for stream in streams:
                    must("tools/list_changed" in stream.event().text, "a change is not told to all")
            finally:
                for one in [*streams, *slow]:
                    one.close()
            wait_for("all are forgotten", lambda: metric(server, "http_connections") == 1)


def many_sessions():
    with HttpServer(*ROOT, "--max-sessions", "3") as server:
        ids = []
        for number in range(5):
            with server.connect() as connection:
                connection.request("POST", None, [("Content-Type", "application/json")], json.dumps(
                    {"jsonrpc": "2.0", "id": number, "method": "initialize", "params": {
                        "protocolVersion": "2025-11-25", "capabilities": {},
                        "clientInfo": {"name": "t", "version": "1"}}}).encode())
                ids.append(connection.answer().header("mcp-session-id"))
        must(metric(server, "sessions") == 3, "more sessions than allowed")
        statuses = []
        for name in ids:
            with server.connect() as connection:
                connection.request("DELETE", None, [("Mcp-Session-Id", name)])
                statuses.append(connection.answer().status)
        must(statuses == [404, 404, 200, 200, 200], f"{statuses}")


# --- the end ---------------------------------------------------------------------------------

def drains():
    """A call under way ends with its answer, a subscription with its result, and the port is free."""
    with HttpServer(*ROOT) as server:
        call, listening, idle = server.connect(), server.connect(), server.connect()
        ask(call, "tools/call", (), name="sleep", arguments={"seconds": 0.6})
        ask(listening, "subscriptions/listen", (), notifications={"toolsListChanged": True})
        listening.head()
        listening.event()
        wait_for("the call runs", lambda: metric(server, "calls_active") == 1)
        server.process.terminate()
        last = json.loads(listening.event().text)
        must(last["result"]["resultType"] == "complete", f"{last}")
        must(listening.event() is None, "the stream goes on")
        answer = call.answer()
        must(answer.status == 200 and b"awake" in answer.body, f"{answer.status} {answer.body}")
        must(server.wait() == 0, "another exit code")
        for connection in (call, listening, idle):
            connection.close()


def drains_what_goes_on():
    with HttpServer(*ROOT) as server:
        calls = [server.connect(), server.connect()]
        ask(calls[0], "tools/call", (), name="sleep", arguments={"seconds": 50})
        ask(calls[1], "tools/call", (), token=True, name="progress", arguments={"steps": 500, "seconds": 50})
        wait_for("the calls run", lambda: metric(server, "calls_active") == 2)
        server.process.terminate()
        for call in calls:  # both are streams by now
            call.head()
            said = json.loads(call.event().text)
            while said.get("method") == "notifications/progress":
                said = json.loads(call.event().text)
            must(said["error"]["code"] == -32603 and "shutting down" in said["error"]["message"], f"{said}")
            must(call.event() is None, "the stream goes on")
            call.close()
        must(server.wait() == 0, "another exit code")


def second_signal():
    with HttpServer(*ROOT) as server:
        call = server.connect()
        ask(call, "tools/call", (), name="sleep", arguments={"seconds": 50})
        wait_for("the call runs", lambda: metric(server, "calls_active") == 1)
        server.process.terminate()
        wait_for("it drains", lambda: refused(server.url))
        server.process.terminate()
        must(server.wait() == 0, "the second signal is not heard")
        call.close()


def refused(url):
    try:
        connect(url).close()
    except ConnectionRefusedError:
        return True
    return False


def wrong_words():
    with tempfile.TemporaryDirectory() as home:
        for words in (["--http", "99999"], ["--http", "a:b:c"], ["--http", ":80"], ["--http", "unix:"],
                      ["--no-token"],
                      ["--max-sessions", "5"], ["--min-rate", "1"], ["--http", "0", "--tls-cert", "x"], ["--http", "0", "--max-sessions", "0"]):
            said = perigee("serve", *words, home=home)
            must(said.returncode == 2 and said.stderr, f"{words}: {said}")
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            said = perigee("serve", "--http", str(taken.getsockname()[1]), "--no-token", home=home)
            must(said.returncode == 1 and "another program is listening on" in said.stderr, f"{said}")
        said = perigee("serve", "--http", "192.0.2.1:0", home=home)
        must(said.returncode == 1 and "does not have that address" in said.stderr, f"{said}")


for name, function in [
        ("a token is made, private, and asked for", token_is_made),
        ("a rotated token counts at once, the old one no more", token_rotates),
        ("a token's file that changes twice in a second is seen both times", token_changes_twice_in_a_second),
        ("a token that others can read is refused", token_of_others),
        ("--no-token is for loopback, and said loudly", no_token_is_for_loopback),
        ("a Unix socket: private, stale ones replaced, other files left alone", unix_socket),
        ("TLS with a certificate of our own", tls),
        ("every address is of both families", every_address),
        ("two addresses at once", two_addresses),
        ("/metrics is Prometheus' text", prometheus),
        ("a client that leaves has cancelled its call", leaving_cancels),
        ("a subscription ends when its client leaves", leaving_a_subscription),
        ("a stream that ended is closed with its connection", ended_streams),
        ("a changed list is told in both eras", change_is_told),
        ("a crowd that asks nothing makes room", crowd),
        ("a head that never ends is not waited for", slow_head),
        ("a body that hardly comes is not waited for", slow_body),
        ("a chunk's line that never ends is not waited for, and costs no work", endless_chunk_lines),
        ("an answer that is hardly read is given up", slow_reader),
        ("a stream that is hardly read is given up", slow_stream_reader),
        ("a Unix socket refuses another user", other_user),
        ("a thousand idle streams and hundreds of slow heads disturb nobody", among_a_thousand),
        ("the oldest unused sessions make room", many_sessions),
        ("SIGTERM: what is under way ends well", drains),
        ("SIGTERM: what goes on for long is answered with an error", drains_what_goes_on),
        ("a second signal does not wait", second_signal),
        ("wrong options are named", wrong_words)]:
    tap.case(name, function)
tap.done()
