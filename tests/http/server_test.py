#!/usr/bin/env python3
"""The HTTP server as a process: tokens, sockets, certificates, and how it ends. What a transcript
cannot say."""

import json
import os
import re
import socket
import stat
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import tap          # noqa: E402
from http_peer import Connection, HttpServer, connect, wait_for          # noqa: E402
from kit import ROOT, answered, ask, bearer, metric, must, perigee          # noqa: E402


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
            must(said["error"]["code"] == -32000 and "shutting down" in said["error"]["message"], f"{said}")
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
        ("SIGTERM: what is under way ends well", drains),
        ("SIGTERM: what goes on for long is answered with an error", drains_what_goes_on),
        ("a second signal does not wait", second_signal),
        ("wrong options are named", wrong_words)]:
    tap.case(name, function)
tap.done()
