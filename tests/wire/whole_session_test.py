#!/usr/bin/env python3
"""One session of a client of 2024-11-05 from its beginning to its end, by stdio and by HTTP: it opens an application, finds, moves and
clicks what it shows, runs a command that the user approves, and shuts the server down. The desktop is the one in memory."""

import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "policy")]

from http_peer import HttpServer     # noqa: E402
from kit import Place                # noqa: E402
import tap                           # noqa: E402
from tap import Failure              # noqa: E402

TOOLSETS = ("--toolset", "desktop,elements,scripting,sessions,macros")
# All that a client of these toolsets may rely on, by the names that it has for them.
NAMES = """
    open_application get_application list_applications delete_application
    get_window list_windows focus_window move_window resize_window minimize_window restore_window close_window
    find_elements find_region_elements get_element click_element write_element_value perform_element_action
    list_displays get_display get_clipboard write_clipboard clear_clipboard get_clipboard_history create_input list_inputs
    create_observation get_observation list_observations cancel_observation
    execute_apple_script execute_javascript execute_shell_command validate_script
    capture_screenshot capture_window_screenshot capture_element_screenshot capture_region_screenshot
    create_session get_session list_sessions delete_session create_macro get_macro list_macros execute_macro""".split()
# Further ones of its sessions, which undo what was done.
MORE = "begin_transaction commit_transaction rollback_transaction get_session_snapshot".split()
START = {"protocolVersion": "2024-11-05", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "whole", "version": "1"}}
ANSWER = {"action": "accept", "content": {"answer": "Allow once"}}


def same(got, want, note=""):
    if got != want:
        raise Failure(f"{note}: got {got!r}, wanted {want!r}")


def matches(text, pattern):
    if not re.search(pattern, text):
        raise Failure(f"{text!r} does not match {pattern!r}")


# --- two ways to a server ----------------------------------------------------------------------

class Stdio:
    def __init__(self, place):
        self.server, self.asked = place.serve(*TOOLSETS, version=None), []

    def notify(self, method):
        self.server.notify(method)

    def ask(self, method, params=None):
        """The answer. Questions on the way to it are answered."""
        number = self.server.post(method, params or {})
        while True:
            message = self.server.find(lambda each: each.get("method") == "elicitation/create" or each.get("id") == number)
            if message.get("method") != "elicitation/create":
                return message
            self.asked.append(message["params"]["message"])
            self.server.send({"jsonrpc": "2.0", "id": message["id"], "result": ANSWER})

    def end(self):
        self.notify("exit")
        same(self.server.wait(), 0, "exit code")


class Http:
    def __init__(self, place):
        self.server, self.asked, self.count = HttpServer(*TOOLSETS, "--grant", str(place.folder / "work"), env=place.env), [], 0
        self.headers = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")]

    def post(self, connection, message):
        connection.request("POST", None, self.headers, json.dumps({"jsonrpc": "2.0", **message}).encode())
        return connection.head()

    def notify(self, method):
        with self.server.connect() as connection:
            same(self.post(connection, {"method": method}).status, 202, method)

    def ask(self, method, params=None):
        self.count += 1
        with self.server.connect() as connection:
            head = self.post(connection, {"id": self.count, "method": method, "params": params or {}})
            if method == "initialize":
                self.headers.append(("Mcp-Session-Id", head.header("mcp-session-id")))
            for message in self.messages(connection, head):
                if message.get("id") == self.count and "method" not in message:
                    return message
                if message.get("method") == "elicitation/create":
                    self.asked.append(message["params"]["message"])
                    self.answer(message["id"])
        raise Failure(f"{method}: no answer")

    @staticmethod
    def messages(connection, head):
        if "event-stream" not in head.header("content-type"):
            body = b""
            while not connection.over and (piece := connection.piece()):
                body += piece
            yield json.loads(body)
            return
        while event := connection.event():
            if event.text:
                yield json.loads(event.text)

    def answer(self, number):
        with self.server.connect() as connection:
            same(self.post(connection, {"id": number, "result": ANSWER}).status, 202, "an answer")

    def end(self):
        self.server.process.terminate()
        same(self.server.wait(), 0, "exit code")


# --- the session ---------------------------------------------------------------------------------

class Client:
    def __init__(self, wire):
        self.wire = wire

    def call(self, name, **arguments):
        """(text, structured content)"""
        answer = self.wire.ask("tools/call", {"name": name, "arguments": arguments})
        result = answer.get("result") or {"isError": True, "content": [{"text": json.dumps(answer)}]}
        if result.get("isError"):
            raise Failure(f"{name}: {result['content'][0]['text']}")
        return result["content"][0]["text"], result.get("structuredContent")


def names_of(wire):
    return [tool["name"] for tool in wire.ask("tools/list")["result"]["tools"]]


def beginning(wire):
    started = wire.ask("initialize", START)["result"]
    same(started["protocolVersion"], "2024-11-05")
    wire.notify("notifications/initialized")
    names = names_of(wire)
    same(sorted(set(NAMES + MORE) - set(names)), [], "not listed")
    same(len(set(NAMES)), 46)


def work(wire):
    client = Client(wire)
    call = client.call
    _, opened = call("open_application", application="Calculator")
    name, window = opened["application"]["name"], opened["window"]
    text, _ = call("list_applications")
    lines = text.split("\n")
    same((lines[0], len(lines)), ("Found 3 applications:", 4), text)
    for line in lines[1:]:
        matches(line, r"^- [^()]+ \(applications/\d+\), ")
    matches(text, rf"- Calculator \({name}\)")
    text, listed = call("list_windows", application=name)
    matches(text, r'^Found 1 window:\n- "Calculator" \(applications/\d+/windows/\d+\)')
    same([each["name"] for each in listed["windows"]], [window])
    _, moved = call("move_window", window=window, x=40, y=60)
    same((moved["done"], moved["after"]["x"], moved["after"]["y"]), (True, 40, 60))
    text, found = call("find_elements", application="Text Editor")
    matches(text, rf'^Found {found["total_size"]} elements:\n')
    text, found = call("find_elements", application="Text Editor", selector='button "Save"')
    matches(text, r'^Found 2 elements that match button "Save":\n')
    _, clicked = call("click_element", element=found["elements"][0]["ref"], application="Text Editor")
    same(clicked["effect"] in ("confirmed", "partial"), True, clicked["effect"])
    same(wire.asked, [], "questions so far")
    text, ran = call("execute_shell_command", command="echo hi")
    same((text.strip(), ran["exit_code"], ran["stdout"]), ("hi", 0, "hi\n"))
    same(len(wire.asked), 1, "questions")
    matches(wire.asked[0], r"wants to run .*echo hi")


def the_end(wire):
    same(wire.ask("shutdown")["result"], {})
    same(wire.ask("tools/list")["error"]["code"], -32600)
    wire.end()


def whole(way):
    with Place(None) as place:
        wire = way(place)
        beginning(wire)
        work(wire)
        the_end(wire)


for title, way in (("by stdio", Stdio), ("by HTTP", Http)):
    tap.case(f"a session from initialize to exit, {title}", whole, way)
tap.done()
