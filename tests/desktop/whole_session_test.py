#!/usr/bin/env python3
"""One session of a client of 2024-11-05 on a real desktop, from its beginning to its end: it opens an application, finds, moves and
clicks what it shows, makes a macro of that and runs it, runs a command that the user approves, and shuts the server down."""

import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "policy")]

import folders                                       # noqa: E402
import server as servers                             # noqa: E402
import tap                                           # noqa: E402
from kit import call as ask                          # noqa: E402
from tools import Failure, has, run, same, until     # noqa: E402

ROOT = folders.fresh("perigee-whole-")
TOOLSETS = "desktop,elements,scripting,sessions,macros"
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


class Client:
    """A session that begins without a word; `asked` are the questions that it answered by yes."""

    def __init__(self, desktop):
        self.server = servers.perigee("--no-user-root", "--root", ROOT, "--toolset", TOOLSETS, env=desktop.env)
        self.asked = []

    def call(self, name, /, **arguments):
        """(text, structured content)"""
        result, asked = ask(self.server, name, arguments, "Allow once")
        self.asked += [each["message"] for each in asked]
        if result.get("isError"):
            raise Failure(f"{name}: {result['content'][0]['text']}")
        return result["content"][0]["text"], result.get("structuredContent")

    def close(self):
        self.server.kill()


def begins(client, _desktop):
    started = client.server.ask("initialize", {
        "protocolVersion": "2024-11-05", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "whole", "version": "1"}})
    same(started["result"]["protocolVersion"], "2024-11-05")
    client.server.notify("notifications/initialized")


def all_tools_are_listed(client, _desktop):
    names = [tool["name"] for tool in client.server.ask("tools/list", {})["result"]["tools"]]
    same(sorted(set(NAMES + MORE) - set(names)), [], "not listed")
    same((len(NAMES), len(set(NAMES)), len(names), len(set(names))), (46, 46, len(names), len(names)), "names")


def an_application_is_opened(client, _desktop):
    _, opened = client.call("open_application", application="gnome-calculator", wait=60)
    client.app, client.window = opened["application"]["name"], opened["window"]
    same(opened["application"]["display_name"], "Calculator")
    if not re.fullmatch(r"applications/\d+/windows/\d+", client.window or ""):
        raise Failure(f"its window: {opened}")


def applications_are_listed(client, _desktop):
    text, listed = client.call("list_applications")
    lines, number = text.split("\n"), len(listed["applications"])
    same((lines[0], len(lines)), (f"Found {number} application{'' if number == 1 else 's'}:", number + 1), text)
    for line in lines[1:]:
        if not re.match(r"- .+ \(applications/\d+\)", line):
            raise Failure(line)
    has(text, f"- Calculator ({client.app})")


def its_windows_are_listed(client, _desktop):
    text, listed = client.call("list_windows", application=client.app)
    has(text, f'Found 1 window:\n- "Calculator" ({client.window})')
    same([each["name"] for each in listed["windows"]], [client.window])


def it_is_moved(client, _desktop):
    _, moved = client.call("move_window", window=client.window, x=40, y=60)
    same((moved["done"], moved["after"]["x"], moved["after"]["y"]), (True, 40, 60))
    _, now = client.call("get_window", window=client.window)
    same((now["bounds"]["x"], now["bounds"]["y"]), (40, 60), "where it is then")


def its_elements_are_found(client, _desktop):
    def found():
        result, _ = ask(client.server, "find_elements", {"application": client.app, "selector": 'button "5"'}, "Allow once")
        return not result.get("isError") and result["structuredContent"]["elements"]
    client.button = until(found, "the button")[0]
    text, all_of_it = client.call("find_elements", application=client.app)
    has(text, f"Found {all_of_it['total_size']} elements:\n")
    same(client.button["role"], "button")
    bounds = client.button["bounds"]
    same(bounds["x"] >= 40 and bounds["y"] >= 60, True, f"in the window that was moved: {bounds}")


def shown(client):
    """The text that the calculator shows."""
    _, found = client.call("find_elements", application=client.app, role="text")
    return found["elements"][0].get("value", "") if found["elements"] else ""


def one_is_clicked(client, _desktop):
    _, clicked = client.call("click_element", element=client.button["ref"], application=client.app)
    same(clicked["effect"], "confirmed", clicked["evidence"])
    until(lambda: shown(client) == "5", "the digit")


def a_session_is_made(client, _desktop):
    text, made = client.call("create_session", session_id="whole", display_name="Whole")
    same((made["name"], made["display_name"], made["active"]), ("sessions/whole", "Whole", True), text)
    _, listed = client.call("list_sessions")
    same([each["name"] for each in listed["sessions"]], ["sessions/whole"])
    client.call("list_windows", application=client.app)
    _, by_reference = client.call("get_window", window="@@ref_r1__windows[0].name")
    same(by_reference["name"], client.window, "what was kept of a call")


def a_macro_is_made_of_the_calls(client, _desktop):
    steps = [{"tool": "open_application", "arguments": {"application": "gnome-calculator"}},
             {"tool": "click_element", "arguments": {"application": "gnome-calculator", "element": 'button "${digit}"'}}]
    text, made = client.call("create_macro", display_name="Press a digit", parameters=[{"name": "digit"}], steps=steps)
    same((made["name"], len(made["steps"])), ("macros/press_a_digit", 2), text)
    same(os.path.commonpath([made["file"], ROOT]), ROOT, "in the user's root")
    _, got = client.call("get_macro", macro=made["name"])
    same((got["name"], [each["name"] for each in got["parameters"]]), ("macros/press_a_digit", ["digit"]), got)


def it_is_run(client, _desktop):
    text, ran = client.call("execute_macro", macro="macros/press_a_digit", parameter_values={"digit": "7"})
    same((ran["name"], ran["done"], [each["ok"] for each in ran["steps"]]), ("macros/press_a_digit", True, [True, True]), text)
    until(lambda: shown(client) == "57", "the other digit")


def a_macro_is_made_of_the_last_calls(client, _desktop):
    """Those of the session, with the ref of an element that a run another day does not know."""
    found, _ = ask(client.server, "find_elements", {"application": client.app, "selector": 'button "8"'}, "Allow once")
    button = found["structuredContent"]["elements"][0]
    _, clicked = client.call("click_element", element=button["ref"], application=client.app)
    same(clicked["effect"], "confirmed", clicked["evidence"])
    text, made = client.call("create_macro", display_name="Press it again", **{"from": {"last": 1}})
    lines = [each["text"] for each in made["steps"]]
    same((made["name"], any(button["ref"] in each for each in lines)), ("macros/press_it_again", False), text)
    has(lines[-1], r':click("button \"8\"")')
    until(lambda: shown(client) == "578", "the third digit")
    _, ran = client.call("execute_macro", macro=made["name"])
    same((ran["done"], [each["ok"] for each in ran["steps"]]), (True, [True] * len(ran["steps"])), ran)
    until(lambda: shown(client) == "5788", "the digit once more")


def a_command_is_run_after_a_question(client, _desktop):
    before = len(client.asked)
    text, ran = client.call("execute_shell_command", command="echo hi")
    same((text.strip(), ran["exit_code"], ran["stdout"]), ("hi", 0, "hi\n"))
    same(len(client.asked) - before, 1, "questions")
    has(client.asked[-1], "echo hi")


def it_ends(client, _desktop):
    client.call("quit_application", application=client.app, force=True)
    same(client.server.ask("shutdown", {})["result"], {})
    same(client.server.ask("tools/list", {})["error"]["code"], -32600)
    client.server.notify("exit")
    same(client.server.wait(), 0, "exit code")
    same(client.server.faults, [], "lines that were not valid")


run((("initialize, with the version of 2024-11-05", begins),
     ("all 46 tools are listed", all_tools_are_listed),
     ("an application is opened", an_application_is_opened),
     ("applications are listed", applications_are_listed),
     ("its windows are listed", its_windows_are_listed),
     ("its window is moved", it_is_moved),
     ("its elements are found", its_elements_are_found),
     ("one of them is clicked", one_is_clicked),
     ("a session is made, and keeps calls", a_session_is_made),
     ("a macro is made of the calls", a_macro_is_made_of_the_calls),
     ("the macro is run", it_is_run),
     ("a macro is made of the last calls, and run", a_macro_is_made_of_the_last_calls),
     ("a command is run after a question", a_command_is_run_after_a_question),
     ("shutdown, exit", it_ends)),
    ("Xvfb", "openbox", "dbus-daemon", "gnome-calculator"), Client)
shutil.rmtree(ROOT, ignore_errors=True)
