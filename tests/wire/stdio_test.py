#!/usr/bin/env python3
"""The server as a process: pipes that fill, close or are files, signals, children, and many calls
at once. What a transcript cannot say."""

import fcntl
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import threading
import time

from wire import GUARD, INIT, SERVE, call, encode, ended, must, perigee, request, serve
from wire import ROOT, tap
from server import check_line


def running(mark):
    """True if there is a process with this text among its arguments."""
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return mark in listed.stdout


def gone(mark):
    end = time.monotonic() + GUARD
    while running(mark):
        must(time.monotonic() < end, f"a child of the server is still there: {mark}")
        time.sleep(0.01)


# --- the end -------------------------------------------------------------------

def with_a_child(end, what):
    """A tool runs a program when `end` happens to the server; neither may stay."""
    mark = f"3000.{os.getpid()}{random.randrange(10 ** 6)}"
    with serve() as server:
        server.send(call(1, "child", seconds=mark))
        deadline = time.monotonic() + GUARD
        while not running(mark):
            must(time.monotonic() < deadline, "the child never began")
        end(server)
        code = ended(server, what)
        gone(mark)
        return code


def child_at_eof():
    must(with_a_child(lambda s: s.close_stdin(), "stdin closed") == 0, "exit code is not 0")


def child_at_signal(number):
    with_a_child(lambda s: os.kill(s.process.pid, number), signal.Signals(number).name)


def spinning_at_signal():
    with serve() as server:
        server.send(call(1, "spin"))
        server.ask("ping")
        server.process.terminate()
        ended(server, "SIGTERM while a tool spins")


def reader_gone():
    """The client closes our stdout and keeps stdin: the next write fails, and that is the end."""
    with subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as process:
        process.stdin.write(encode(INIT))
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        try:
            process.stdin.write(encode(*(request(i, "tools/list") for i in range(200))))
            process.stdin.flush()
        except BrokenPipeError:
            pass
        try:
            code = process.wait(GUARD)
            tap.note(f"exit code {code}")
        except subprocess.TimeoutExpired:
            process.kill()
            raise tap.Failure("still running although nobody reads") from None
        finally:
            try:
                process.stdin.close()
            except BrokenPipeError:
                pass


def unread_at_eof():
    """A client that asks, reads nothing and leaves: output is full, so input is not read, and its end counts all the same."""
    process = subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
    lines = encode(INIT) + encode(request(1, "tools/list")) * 300
    os.set_blocking(process.stdin.fileno(), False)
    sent = 0
    while select.select([], [process.stdin], [], 2)[1]:
        at = sent % len(lines)
        try:
            sent += os.write(process.stdin.fileno(), lines[at:at + 65536])
        except BlockingIOError:
            pass
        must(sent < 2 ** 28, "the server never stopped reading")
    process.stdin.close()
    try:
        must(process.wait(GUARD) == 0, f"ended with {process.returncode}")
    except subprocess.TimeoutExpired:
        raise tap.Failure(f"still running {GUARD:g} s after the end of stdin") from None
    finally:
        process.kill()
        process.stdout.close()


def long_answer_waits_for_no_reader():
    """An answer that is longer than a pipe takes by default is in the pipe at once, read or not."""
    if not hasattr(fcntl, "F_SETPIPE_SZ"):
        raise tap.Skip("pipes of this system have one size")
    with subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0) as process:
        process.stdin.write(encode(INIT))
        process.stdout.readline()
        limit = fcntl.fcntl(process.stdout.fileno(), fcntl.F_GETPIPE_SZ)
        must(limit >= 256 * 1024, f"the pipe takes {limit} bytes")
        process.stdin.write(encode(call(1, "big", bytes=90 * 1024)))
        end = time.monotonic() + GUARD
        while unread(process.stdout) < 90 * 1024:
            must(time.monotonic() < end, f"only {unread(process.stdout)} bytes came")
            time.sleep(0.01)
        process.stdin.close()
        process.wait(GUARD)


def unread(pipe):
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


def many_in_flight_at_eof():
    with serve() as server:
        for number in range(200):
            server.send(call(number, "sleep", seconds=3000))
        server.ask("ping")
        server.close_stdin()
        must(ended(server, "stdin closed with 200 calls waiting") == 0, "exit code is not 0")
        must(server.drain() == [], "answers after the end")


# --- what stdin and stdout are ---------------------------------------------------

def run_with(stdin, stdout):
    return subprocess.run(SERVE, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE,
                          timeout=GUARD, check=False)


def judge(output, wanted):
    messages = []
    for raw in output.splitlines(keepends=True):
        message, fault = check_line(raw)
        must(not fault, f"{fault}: {raw!r}")
        messages.append(message)
    must([m.get("id") for m in messages] == wanted, f"ids {[m.get('id') for m in messages]}")


def files_for_pipes():
    with tempfile.TemporaryFile() as into, tempfile.TemporaryFile() as out:
        into.write(encode(INIT, request(1, "ping"), call(2, "echo", text="x" * 300000),
                          request(3, "ping")))
        into.seek(0)
        done = run_with(into, out)
        out.seek(0)
        must(done.returncode == 0, f"exit code {done.returncode}: {done.stderr.decode()}")
        ids = [json.loads(line)["id"] for line in out]
        must(sorted(map(str, ids)) == ["1", "2", "3", "init"], f"answers to {ids}")


def nothing_for_stdin():
    done = run_with(subprocess.DEVNULL, subprocess.PIPE)
    must((done.returncode, done.stdout) == (0, b""), f"{done.returncode}, {done.stdout!r}")


def closed_descriptors():
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        line = encode(INIT).decode()
        done = subprocess.run(
            ["sh", "-c", f'"$@" {closed}', "sh", *SERVE], input=line, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=GUARD, check=False)
        must(done.returncode >= 0 and done.returncode < 128, f"{closed}: code {done.returncode}")
        for raw in done.stdout.splitlines(keepends=True):
            must(not check_line(raw.encode())[1], f"{closed}: {raw!r}")


def full_disk():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(SERVE, input=encode(INIT), stdout=full, stderr=subprocess.PIPE, timeout=GUARD, check=False)
    must(done.returncode == 1, f"code {done.returncode}")
    must(b"cannot write to stdout: No space left on device" in done.stderr, done.stderr)


def socket_pair():
    """A Node host gives its children one socket for stdin and stdout."""
    mine, theirs = socket.socketpair()
    with mine, theirs:
        with subprocess.Popen([*SERVE, "--max-result", "0"], stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL) as process:
            theirs.close()
            mine.settimeout(GUARD)
            mine.sendall(encode(INIT, call(1, "big", bytes=500000)))
            got = b""
            while got.count(b"\n") < 2:
                got += mine.recv(65536)
            judge(got, ["init", 1])
            mine.shutdown(socket.SHUT_WR)
            must(process.wait(GUARD) == 0, "exit code is not 0")


def bare_environment():
    kept = [f"{k}={v}" for k, v in os.environ.items() if k in ("PERIGEE_LUA", "ASAN_OPTIONS", "UBSAN_OPTIONS")]
    done = subprocess.run(["env", "-i", *kept, *SERVE], input=encode(INIT, request(1, "ping")), cwd="/",
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=GUARD, check=False)
    must(done.returncode == 0, f"exit code {done.returncode}: {done.stderr.decode()}")
    judge(done.stdout, ["init", 1])


# --- much at once ------------------------------------------------------------------

def client_that_reads_late():
    """Everything is written before anything is read: a server that stops reading while its own
    output is stuck would lock both of us up."""
    count = 3000
    with subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, start_new_session=True) as process:
        # A late signal is the guard: it makes the stuck write below fail.
        guard = subprocess.Popen(["sh", "-c", f"sleep {GUARD * 2}; kill -9 {process.pid}"],
                                 start_new_session=True)
        try:
            process.stdin.write(encode(INIT))
            process.stdin.write(encode(*(call(i, "echo", text="x" * 1000) for i in range(count))))
            process.stdin.flush()
            answers = [json.loads(process.stdout.readline()) for _ in range(count + 1)]
        except (BrokenPipeError, ValueError):
            raise tap.Failure("the server stopped reading while its answers were not read") from None
        finally:
            os.killpg(guard.pid, signal.SIGKILL)
            guard.wait()
            process.kill()
        must({a["id"] for a in answers} == {"init", *range(count)}, "not every call was answered")


def nobody_reads_stderr():
    """Hosts that open a pipe for stderr and forget it: log lines must not stop the answers."""
    count = 3000
    with subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, bufsize=0) as process:
        calls = encode(INIT, *(call(i, "print") for i in range(count)))
        writer = threading.Thread(target=process.stdin.write, args=(calls,), daemon=True)
        writer.start()
        lines, end = 0, time.monotonic() + GUARD
        while lines < count + 1 and time.monotonic() < end:
            ready, _, _ = select.select([process.stdout], [], [], 0.1)
            lines += os.read(process.stdout.fileno(), 1 << 16).count(b"\n") if ready else 0
        process.kill()
        writer.join()
    must(lines == count + 1, f"{lines} of {count + 1} answers came while stderr was not read")


def big_both_ways():
    with serve("--max-result", "0") as server:
        for number in range(12):
            server.send(call(number, "echo", text=f"{number:07}" * 140000))
        for number in range(12):
            text = server.answer(number)["result"]["content"][0]["text"]
            must(text == f"{number:07}" * 140000, f"answer {number} differs")


def many_waiting():
    with serve() as server:
        for number in range(500):
            server.send(call(number, "sleep", seconds=0.3))
        server.send(request("p", "ping"))
        must(server.receive()["id"] == "p", "ping was not the first to be answered")
        for number in range(500):
            text = server.answer(number)["result"]["content"][0]["text"]
            must(text == "awake", f"call {number}: {text}")


def more_than_it_takes():
    """Calls of one client in progress are bounded; the rest are refused with an error that says so, the others go on."""
    most, more = 1024, 40
    with serve() as server:
        for number in range(most + more):
            server.send(call(number, "sleep", seconds=60))
        for number in range(most, most + more):
            result = server.answer(number)["result"]
            must(result["isError"] and result["_meta"]["perigee/code"] == "busy", f"call {number}: {result}")
            must(f"{most} calls of this client" in result["content"][0]["text"], result)
        server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 0}})
        server.send(call("next", "echo", text="x"))
        must(server.answer("next")["result"]["content"][0]["text"] == "x", "no call was taken after one was cancelled")


def big_batch():
    with perigee("--root", ROOT, "--toolset", "test") as server:
        server.initialize("2025-03-26")
        server.send([call(i, "echo", text=str(i)) for i in range(1000)])
        answers = server.find(lambda m: isinstance(m, list))
        texts = {a["id"]: a["result"]["content"][0]["text"] for a in answers}
        must(texts == {i: str(i) for i in range(1000)}, "not every message was answered")


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))


def no_growth():
    if os.environ.get("PERIGEE_ASAN") or not os.path.exists("/proc/self/status"):
        raise tap.Skip("needs /proc and a build without sanitizers")
    with serve() as server:
        def calls(count):
            for start in range(0, count, 500):
                server.write(encode(*(call(i, ("echo", "fail", "types")[i % 3], **({"text": "abc"}
                             if i % 3 != 1 else {})) for i in range(start, start + 500))))
                for number in range(start, start + 500):
                    server.answer(number)
            return resident(server.process.pid)
        before, after = calls(5000), calls(30000)
        tap.note(f"{before} kB after 5000 calls, {after} kB after 35000")
        must(after - before < 2048, f"grew from {before} to {after} kB in 30000 calls")


tap.case("stdin closes: a tool's program is ended and the code is 0", child_at_eof)
for a_signal in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    tap.case(f"{a_signal.name} ends the server and a tool's program", child_at_signal, a_signal)
tap.case("SIGTERM ends a server in which a tool spins", spinning_at_signal)
tap.case("a client that stops reading and goes is the end", reader_gone)
tap.case("stdin closes while stdout is full and unread", unread_at_eof)
tap.case("an answer longer than a pipe waits for no reader", long_answer_waits_for_no_reader)
tap.case("stdin closes with two hundred calls waiting", many_in_flight_at_eof)
tap.case("stdin and stdout may be files", files_for_pipes)
tap.case("stdin may be empty", nothing_for_stdin)
tap.case("closed descriptors crash nothing", closed_descriptors)
tap.case("a stdout on a full disk is an error, not a client that left", full_disk)
tap.case("stdin and stdout may be one socket", socket_pair)
tap.case("an empty environment and / as folder are enough", bare_environment)
tap.case("a client may write everything before it reads", client_that_reads_late)
tap.case("a client may leave stderr unread", nobody_reads_stderr)
tap.case("megabytes go both ways at once", big_both_ways)
tap.case("five hundred calls wait together", many_waiting)
tap.case("more calls of a client than may be in progress are refused", more_than_it_takes)
tap.case("a batch of a thousand calls", big_batch)
tap.case("memory does not grow with calls", no_growth)
tap.done()
