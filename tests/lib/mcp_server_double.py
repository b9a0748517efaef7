#!/usr/bin/env python3
"""An MCP server that misbehaves on request, to test clients against.

    mcp_server_double.py [OPTIONS]

It speaks over stdio, one message a line. Options say how it behaves as a whole,
tools what it does in one call; `--journal FILE` gets a line for each thing that
happened to it ("start", "got METHOD", "eof", "term"), appended, so that several
lives of one server are seen in order. Standard library only.
"""

import argparse
import json
import os
import signal
import sys
import time

MODERN = "2026-07-28"
LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
SERVER_INFO = {"name": "double", "version": "1.0", "title": "A double"}


def parse_options():
    p = argparse.ArgumentParser()
    p.add_argument("--era", choices=["legacy", "modern", "dual"], default="dual")
    p.add_argument("--probe", choices=["answer", "silent", "exit", "garbage"], default="answer",
                   help="what a legacy server does with server/discover")
    p.add_argument("--strict", action="store_true",
                   help="refuse initialize when another request came before it")
    p.add_argument("--version", help="protocol version to answer to initialize, whatever was asked")
    p.add_argument("--pages", type=int, default=1, help="pages of tools/list, one tool on each")
    p.add_argument("--list", help="names of the tools that tools/list gives, with commas")
    p.add_argument("--repeat-cursor", action="store_true")
    p.add_argument("--ignore-eof", action="store_true")
    p.add_argument("--ignore-term", action="store_true")
    p.add_argument("--greet", action="store_true", help="print what is no message at the start")
    p.add_argument("--crlf", action="store_true")
    p.add_argument("--journal")
    return p.parse_args()


class Server:
    def __init__(self, options):
        self.options = options
        self.out = os.fdopen(os.dup(1), "wb", buffering=0)
        self.first = True
        self.held = []       # ids of calls of "hold"
        self.asked = {}      # id of a request of ours -> what to do with the answer
        self.late = set()    # ids to be answered only after they were cancelled
        self.next_ask = 0

    # --- output -------------------------------------------------------------

    def journal(self, text):
        if self.options.journal:
            with open(self.options.journal, "a", encoding="utf-8") as f:
                f.write(text + "\n")

    def raw(self, data):
        view = memoryview(data)
        while view:
            view = view[self.out.write(view):]

    def send(self, message):
        end = "\r\n" if self.options.crlf else "\n"
        self.raw((json.dumps(message, separators=(",", ":")) + end).encode())

    def result(self, rid, result, modern=False):
        if modern:
            result = {**result, "resultType": "complete",
                      "_meta": {"io.modelcontextprotocol/serverInfo": SERVER_INFO}}
        self.send({"jsonrpc": "2.0", "id": rid, "result": result})

    def error(self, rid, code, message, data=None):
        error = {"code": code, "message": message}
        if data is not None:
            error["data"] = data
        self.send({"jsonrpc": "2.0", "id": rid, "error": error})

    def text(self, rid, text, modern=False):
        self.result(rid, {"content": [{"type": "text", "text": text}]}, modern)

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    # --- methods ------------------------------------------------------------

    def initialize(self, rid, params):
        asked = params.get("protocolVersion")
        version = self.options.version or (asked if asked in LEGACY else LEGACY[-1])
        if self.options.era == "modern":
            self.error(rid, -32022, "Unsupported protocol version",
                       {"supported": [MODERN], "requested": asked})
        elif self.options.strict and not self.first:
            self.error(rid, -32600, "initialize must come first")
        else:
            self.result(rid, {"protocolVersion": version,
                              "capabilities": {"tools": {"listChanged": True}, "logging": {}},
                              "serverInfo": SERVER_INFO, "instructions": "be kind"})

    def discover(self, rid):
        if self.options.era == "legacy":
            if self.options.probe == "exit":
                sys.stderr.write("unexpected request before initialize\n")
                sys.stderr.flush()
                os._exit(1)
            if self.options.probe == "garbage":
                self.raw(b"Traceback (most recent call last): KeyError\n")
            elif self.options.probe == "answer":
                self.error(rid, -32601, "Method not found")
            return
        self.result(rid, {"supportedVersions": [MODERN],
                          "capabilities": {"tools": {"listChanged": True}},
                          "instructions": "be kind", "ttlMs": 0, "cacheScope": "private"}, True)

    def tools_list(self, rid, params, modern):
        if self.options.list:
            self.result(rid, {"tools": [{"name": name, "description": f"Does {name}\u200b\U000e0041.", "x-of-theirs": 1,
                                         "inputSchema": {"type": "object", "$defs": {"z": {}, "a": {}}}}
                                        for name in self.options.list.split(",")]}, modern)
            return
        page = int(params.get("cursor", "0"))
        result = {"tools": [{"name": f"tool{page}", "description": "A tool.",
                             "inputSchema": {"type": "object"}}]}
        if page + 1 < self.options.pages:
            result["nextCursor"] = str(page + 1)
        elif self.options.repeat_cursor:
            result["nextCursor"] = "1"
        self.result(rid, result, modern)

    def request(self, message):
        method, rid = message["method"], message["id"]
        params = message.get("params") or {}
        meta = params.get("_meta", {})
        modern = "io.modelcontextprotocol/protocolVersion" in meta
        if method == "server/discover":
            self.discover(rid)
        elif method == "initialize":
            self.initialize(rid, params)
        elif method == "ping":
            self.result(rid, {})
        elif method == "tools/list":
            self.tools_list(rid, params, modern)
        elif method == "prompts/list":
            self.result(rid, {"prompts": [{"name": "hello", "description": "Greets."}]}, modern)
        elif method == "prompts/get":
            self.result(rid, {"messages": [{"role": "user", "content": {
                "type": "text", "text": json.dumps(params.get("arguments"))}}]}, modern)
        elif method == "tools/call":
            tool = getattr(self, "tool_" + str(params.get("name")), None)
            if tool:
                tool(rid, params.get("arguments") or {}, meta, modern, params)
            else:
                self.error(rid, -32602, f"Tool {params.get('name')} not found")
        else:
            self.error(rid, -32601, "Method not found", {"method": method})
        self.first = False

    # --- tools --------------------------------------------------------------

    def tool_echo(self, rid, args, meta, modern, params):
        self.text(rid, json.dumps(args, sort_keys=True), modern)

    def tool_structured(self, rid, args, meta, modern, params):
        self.result(rid, {"content": [{"type": "text", "text": "one"},
                                      {"type": "image", "data": "", "mimeType": "image/png"},
                                      {"type": "text", "text": "two"}],
                          "structuredContent": args, "isError": True}, modern)

    def tool_ordered(self, rid, args, meta, modern, params):
        """The arguments in the order that they came in, and a result whose members are in no order of their names."""
        self.result(rid, {"structuredContent": {"z": 1, "m": [{"q": 1, "b": 2}], "a": args}, "_meta": {"y": 1, "c": {"e": 1, "d": 2}},
                          "content": [{"type": "text", "text": json.dumps(args)}]}, modern)

    def tool_figures(self, rid, args, meta, modern, params):
        """A structured result without words: `beside` are its blocks."""
        self.result(rid, {"content": json.loads(args.get("beside", "[]")), "structuredContent": {"answer": 42},
                          "isError": bool(args.get("fail"))}, modern)

    def tool_where(self, rid, args, meta, modern, params):
        self.text(rid, f"{os.getcwd()} {os.environ.get(args.get('name', ''))}", modern)

    def tool_variables(self, rid, args, meta, modern, params):
        """The names of its environment variables."""
        self.text(rid, json.dumps(sorted(os.environ)), modern)

    def tool_steps(self, rid, args, meta, modern, params):
        """Progress, `steps` times, `pause` seconds apart, then an answer."""
        for i in range(args["steps"]):
            if "progressToken" in meta:
                self.notify("notifications/progress",
                            {"progressToken": meta["progressToken"], "progress": i + 1,
                             "total": args["steps"], "message": f"step {i + 1}"})
            time.sleep(args.get("pause", 0))
        self.text(rid, "done", modern)

    def tool_never(self, rid, args, meta, modern, params):
        self.late.add(rid)

    def tool_die(self, rid, args, meta, modern, params):
        sys.stderr.write("loading\nout of \x1b[31mcheese\n")
        sys.stderr.flush()
        os._exit(3)

    def tool_killed(self, rid, args, meta, modern, params):
        os.kill(os.getpid(), signal.SIGKILL)

    def tool_half(self, rid, args, meta, modern, params):
        self.raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"te' % rid)
        os._exit(0)

    def tool_no_newline(self, rid, args, meta, modern, params):
        self.raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}' % rid)
        os._exit(0)

    def tool_garbage(self, rid, args, meta, modern, params):
        self.raw(b"DEBUG: calling the database\n\n\r\n{not json}\n\xff\xfe\x00\n")
        self.text(rid, "clean", modern)

    def tool_bad_utf8(self, rid, args, meta, modern, params):
        self.raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"caf\xe9"}]}}\n'
                 % rid)

    def tool_half_pair(self, rid, args, meta, modern, params):
        """Text that was cut within an emoji, and an id that became a string on its way."""
        self.raw(b'{"jsonrpc":"2.0","id":"%d","result":{"content":[{"type":"text","text":"cut \\ud83d"}]}}\n' % rid)

    def tool_huge(self, rid, args, meta, modern, params):
        """An answer of about `size` bytes, its id first or last."""
        body = b'"result":{"content":[{"type":"text","text":"%s"}]}' % (b"x" * args["size"])
        if args.get("id_last"):
            self.raw(b'{%s,"jsonrpc":"2.0","id":%d}\n' % (body, rid))
        else:
            self.raw(b'{"jsonrpc":"2.0","id":%d,%s}\n' % (rid, body))

    def tool_crumbs(self, rid, args, meta, modern, params):
        """An answer one byte at a time."""
        line = '{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"\u00e9"}]}}\r\n'
        for byte in (line % rid).encode():
            self.raw(bytes([byte]))

    def tool_hold(self, rid, args, meta, modern, params):
        self.held.append(rid)

    def tool_release(self, rid, args, meta, modern, params):
        """Answers itself, a request nobody made, then the held, the newest first."""
        self.text(rid, "released", modern)
        self.text(987654, "nobody", modern)
        for held in reversed(self.held):
            self.text(held, f"held {held}", modern)
        self.held = []

    def tool_batch(self, rid, args, meta, modern, params):
        self.send([{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"},
                   {"jsonrpc": "2.0", "id": rid, "result": {"content": []}}])

    def tool_refuse(self, rid, args, meta, modern, params):
        self.error(rid, -32050, "no, thank you", {"why": ["because"]})

    def tool_announce(self, rid, args, meta, modern, params):
        self.notify("notifications/message", {"level": "warning", "logger": "db", "data": "slow"})
        self.notify("notifications/tools/list_changed", {})
        sys.stderr.write("a line for people\n")
        sys.stderr.flush()
        self.text(rid, "announced", modern)

    def tool_shout(self, rid, args, meta, modern, params):
        """Fills stderr, so that a client that does not read it hangs us."""
        for i in range(args["lines"]):
            sys.stderr.write(f"line {i} " + "." * 80 + "\n")
        sys.stderr.flush()
        self.text(rid, "shouted", modern)

    def tool_close_stdin(self, rid, args, meta, modern, params):
        os.close(0)
        while True:
            time.sleep(3600)

    def tool_deaf(self, rid, args, meta, modern, params):
        """Stops reading for good."""
        self.text(rid, "deaf", modern)
        while True:
            time.sleep(3600)

    def tool_ask(self, rid, args, meta, modern, params):
        """Sends a request; the answer to it is the text of the result."""
        self.next_ask += 1
        ask = f"ask-{self.next_ask}"
        self.asked[ask] = rid
        self.send({"jsonrpc": "2.0", "id": ask, "method": args["method"],
                   "params": args.get("params", {})})

    def tool_wants_input(self, rid, args, meta, modern, params):
        """Modern: asks for a name before it answers."""
        answers = params.get("inputResponses")
        if answers and params.get("requestState") == "opaque":
            self.text(rid, "hello " + json.dumps(answers["who"], sort_keys=True), modern)
            return
        self.send({"jsonrpc": "2.0", "id": rid, "result": {
            "resultType": "input_required", "requestState": "opaque",
            "inputRequests": {"who": {"method": "elicitation/create", "params": {
                "message": "Who?", "requestedSchema": {"type": "object", "properties": {}}}}}}})

    # --- input --------------------------------------------------------------

    def answer_to_ask(self, message):
        rid = self.asked.pop(message["id"], None)
        if rid is not None:
            self.text(rid, json.dumps(message.get("result", message.get("error")), sort_keys=True))

    def notification(self, message):
        rid = (message.get("params") or {}).get("requestId")
        if message["method"] == "notifications/cancelled" and rid in self.late:
            self.text(rid, "too late")

    def line(self, line):
        message = json.loads(line)
        self.journal("got " + str(message.get("method", "answer")))
        if "method" in message and "id" in message:
            self.request(message)
        elif "method" in message:
            self.notification(message)
        else:
            self.answer_to_ask(message)

    def run(self):
        self.journal("start")
        if self.options.greet:
            self.raw(b"Double server 1.0 running on stdio\n")
        with os.fdopen(0, "rb", buffering=1 << 16, closefd=False) as lines:
            for line in lines:
                self.line(line)
        self.journal("eof")
        while self.options.ignore_eof:
            time.sleep(3600)


def main():
    options = parse_options()
    server = Server(options)

    def on_term(signum, frame):
        server.journal("term")
        if not options.ignore_term:
            os._exit(0)

    signal.signal(signal.SIGTERM, on_term)
    server.run()


if __name__ == "__main__":
    main()
