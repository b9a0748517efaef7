"""The HTTP part of `make bench`: our server beside one on the TypeScript SDK, one user and fifty,
and ours again with a thousand idle streams and a crowd of slow clients. Figures are shown, aims are
`met` or `missed`; only a wrong answer fails."""

import json
import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
CLIENTS = os.path.join(TOP, "tests/clients")
CALL = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
                   "params": {"name": "echo", "arguments": {"message": "hello"}}})
# label, users, requests of ours and of the peer, idle streams, slow clients
LOADS = [("1 user", 1, 10000, 2000, 0, 0), ("50 users", 50, 30000, 3000, 0, 0),
         ("1 user in a crowd", 1, 10000, 0, 1000, 200)]


class Listening:
    """A server that prints its URL first."""

    def __init__(self, argv, env=None, cwd=None):
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        stdin=subprocess.DEVNULL, env=env, cwd=cwd)
        self.url = self.process.stdout.readline().decode().strip()
        if not self.url:
            sys.exit(f"bench: {argv[0]} does not listen")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def servers(perigee, home):
    ours = [perigee, "serve", "--http", "0", "--no-token", "--root", os.path.join(HERE, "root"),
            "--toolset", "bench"]
    rows = [("perigee", ours, dict(os.environ, PERIGEE_HOME=home), None)]
    if shutil.which("node") and os.path.exists(os.path.join(CLIENTS, "node_modules/@modelcontextprotocol/sdk")):
        rows.append(("typescript sdk", ["node", "http_server.mjs"], None, CLIENTS))
    else:
        print("bench: no HTTP peer; tests/clients/install gets the TypeScript SDK", file=sys.stderr)
    return rows


def load(program, server, users, requests, streams, slow):
    host, port = server.url.split("/")[2].rsplit(":", 1)
    argv = [program, "-c", str(users), "-n", str(requests), "-i", str(streams), "-l", str(slow),
            "-p", str(server.process.pid), host, port, "/" + server.url.split("/", 3)[3], CALL]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=120, check=False)
        return json.loads(done.stdout)
    except (ValueError, subprocess.TimeoutExpired) as error:
        sys.exit(f"bench: {' '.join(argv)}: {getattr(error, 'stderr', None) or done.stderr}")


def measure(program, perigee, home, rounds):
    """{(label, load): [figures]}"""
    results = {}
    for _ in range(rounds):
        for label, argv, env, cwd in servers(perigee, home):
            for name, users, many, few, streams, slow in LOADS:
                requests = many if label == "perigee" else few
                if requests:
                    with Listening(argv, env, cwd) as server:
                        results.setdefault((label, name), []).append(
                            load(program, server, users, requests, streams, slow))
    return results


def median(results, label, name, figure):
    rounds = results.get((label, name))
    return statistics.median(r[figure] for r in rounds) if rounds else None


def show(results):
    print("\nHTTP, connections that are kept\n"
          f"{'':34}{'p50 us':>10}{'p99 us':>10}{'calls/s':>10}{'peak MB':>10}")
    for label, name in results:
        values = [median(results, label, name, f) for f in ("p50_us", "p99_us", "rps", "peak_kb")]
        print(f"{label + ', ' + name:34}{values[0]:10.1f}{values[1]:10.1f}{values[2]:10.0f}{values[3] / 1024:10.1f}")


def aims(results):
    def tell(what, value, limit, sign):
        if value is not None:
            met = value <= limit if sign == "<=" else value >= limit
            print(f"  {'met' if met else 'MISSED':<7} {what}: {value:.2f} (aim {sign} {limit:g})")

    print("\naims, HTTP")
    tell("one user, p50, ms", median(results, "perigee", "1 user", "p50_us") / 1000, 0.15, "<=")
    theirs = median(results, "typescript sdk", "50 users", "rps")
    tell("50 users, calls/s, times the TypeScript SDK's",
         theirs and median(results, "perigee", "50 users", "rps") / theirs, 10, ">=")
    tell("50 users, peak memory, MB", median(results, "perigee", "50 users", "peak_kb") / 1024, 16, "<=")
    for share in ("p50", "p99"):
        tell(f"one user in a crowd, {share}, times without",
             median(results, "perigee", "1 user in a crowd", f"{share}_us") /
             median(results, "perigee", "1 user", f"{share}_us"), 1.5, "<=")


def failures(results):
    return [f"{label}, {name}: {r['failed']} wrong answers" for (label, name), rounds in results.items()
            for r in rounds if r["failed"]]
