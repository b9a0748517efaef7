#!/usr/bin/env python3
"""execute_shell_command: what the command gets, what comes back, and that nothing of it is left."""

import os
import pathlib
import signal
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import folders                                      # noqa: E402
import tap                                          # noqa: E402
from procs import alive, cpu, descendants           # noqa: E402
from server import GUARD, Server, PERIGEE           # noqa: E402
from tools import until                             # noqa: E402

FOLDER = pathlib.Path(folders.fresh("perigee-shell-"))
(FOLDER / "home").mkdir()
(FOLDER / "home/policy.lua").write_text("return { rules = { { allow = true } } }")
(FOLDER / "home/.env").write_text("FROM_DOTENV=hidden\n")
SECRETS = {"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "b", "PERIGEE_TOKEN": "c" * 20, "AWS_SECRET_ACCESS_KEY": "d", "SSH_AUTH_SOCK": "/x",
           "BASH_ENV": "/x", "BASH_FUNC_ls%%": "() { id; }"}
TOO_LONG = "x" * 100001


def opened(**more):
    server = Server([PERIGEE, "serve", "--toolset", "scripting"], env={"PERIGEE_HOME": str(FOLDER / "home"), "PERIGEE_DESKTOP": "fake",
                                                                      "XDG_STATE_HOME": str(FOLDER / "state"), **SECRETS}, **more)
    server.initialize()
    return server


def result_of(server, command, **more):
    return server.call("execute_shell_command", {"command": command, **more}, guard=120)["result"]


def run(server, command, **more):
    result = result_of(server, command, **more)
    assert "structuredContent" in result, result
    return result["structuredContent"]


def a_result_is_whole(server):
    result = result_of(server, "echo out; echo err >&2; exit 3")
    assert not result.get("isError"), result
    seen = dict(result["structuredContent"])
    assert isinstance(seen.pop("duration_ms"), int), result
    assert seen == {"exit_code": 3, "stdout": "out\n", "stderr": "err\n", "timed_out": False, "truncated": False}, seen
    assert result["content"][0]["text"] == "out\nerr\n[Exit code 3.]", result
    assert result_of(server, "printf x")["content"][0]["text"] == "x"
    assert run(server, "kill -9 $$")["exit_code"] == 128 + 9


def arguments_arrive_unchanged(server):
    odd = ["a b", "$(id)", "'", "", '"', "*", "~", "`id`", "\\", "\n", "-n", "--", "é😀", "; touch x", "%s"]
    assert run(server, "printf", args=["<%s>", *odd])["stdout"] == "<" + "><".join(odd) + ">"
    assert run(server, "pwd", args=[], cwd="/")["stdout"] == "/\n"
    assert result_of(server, "echo $HOME", args=[])["isError"], "no shell reads it"


def a_line_is_never_an_option(server):
    for line in ("-x", "--", "-c id", "-o noexec"):
        seen = run(server, line)
        assert seen["exit_code"] == 127 and not seen["stdout"], (line, seen)
    assert run(server, "echo $0 $#")["stdout"] == "/bin/sh 0\n"


def what_cannot_be_found_is_a_failure(server):
    declared = (TOP / "lua/tools/scripting/execute_shell_command.lua").read_text()
    for more, code in (({"command": "no-such-program", "args": []}, "NOT_FOUND"), ({"command": "no-such-program"}, "NOT_FOUND"),
                       ({"command": "/etc/passwd", "args": []}, "PERMISSION_DENIED"), ({"command": "/etc/passwd"}, "PERMISSION_DENIED"),
                       ({"command": "echo begun; cd /; ./etc"}, "PERMISSION_DENIED"), ({"command": "true && no-such-program"}, "NOT_FOUND"), ({"command": "true", "cwd": "/no/such"}, "NOT_FOUND"),
                       ({"command": "true", "cwd": "/etc/passwd"}, "NOT_A_FOLDER"), ({"command": "a\0b"}, "INVALID_ARGUMENT"),
                       ({"command": "true", "args": ["a\0b"]}, "INVALID_ARGUMENT"), ({"command": "true", "env": {"a=b": ""}}, "INVALID_ARGUMENT"),
                       ({"command": "true", "env": {"": "x"}}, "INVALID_ARGUMENT"), ({"command": "true", "env": {"A": "\0"}}, "INVALID_ARGUMENT"),
                       ({"command": "true", "cwd": "/a\0b"}, "INVALID_ARGUMENT"),
                       ({"command": "true", "args": ["\U0001F600" * 50000]}, "ARGUMENTS_TOO_LONG")):
        assert f" {code} " in declared, code
        result = server.call("execute_shell_command", more)["result"]
        assert result["isError"] and result["_meta"]["perigee/code"] == code, (more, result)


def a_program_may_end_as_a_shell_does(server):
    for code in (126, 127):
        for line in (f"exit {code}", f"sh -c 'exit {code}'", f"echo x: not found >&2; exit {code}"):
            result = result_of(server, line)
            assert not result.get("isError") and result["structuredContent"]["exit_code"] == code, (line, result)


def wrong_arguments_start_nothing(server):
    path = FOLDER / "made"
    for more in ({}, {"command": 1}, {"command": ""}, {"command": TOO_LONG}, {"args": "x"}, {"args": [1]}, {"timeout": 0}, {"timeout": 601},
                 {"timeout": "soon"}, {"cwd": "here"}, {"env": {"A": 1}}, {"env": []}, {"stdin": 1}, {"shell": True}):
        message = server.call("execute_shell_command", {"command": f"touch {path}", **more} if more else more)
        text = str(message.get("error") or message["result"])
        assert "error" in message or message["result"]["isError"] or more == {"args": "x"}, (more, text)
        assert not path.exists(), (more, text)


def the_environment_has_no_secrets(server):
    names = {line.partition("=")[0] for line in run(server, "env", args=[])["stdout"].splitlines()}
    assert not names & {*SECRETS, "FROM_DOTENV"} and not {name for name in names if name.startswith("PERIGEE")}, names
    assert {"PATH", "HOME"} <= names, names
    assert run(server, "echo $A-$HOME", env={"A": "x y", "HOME": "/h"})["stdout"] == "x y-/h\n"
    assert run(server, "echo $OPENAI_API_KEY", env={"OPENAI_API_KEY": "mine"})["stdout"] == "mine\n", "what the caller gives it gets"


def input_is_data(server):
    assert run(server, "cat", args=[], stdin="$(id)\n")["stdout"] == "$(id)\n"
    assert run(server, "cat")["stdout"] == "", "empty otherwise, not ours"
    assert run(server, "wc -c", stdin="\0" * 1000)["stdout"].strip() == "1000"
    assert run(server, "true", stdin="x" * 1000000)["exit_code"] == 0, "it need not read it"
    assert run(server, "cat", stdin="y" * 900000)["stdout"] == "y" * 45000, "a full pipe holds up nobody"


def output_is_bounded(server):
    before = cpu(server.process.pid)
    result = result_of(server, "yes 0123456789 | head -c 100000000; yes error | head -c 30000000 >&2; exit 5")
    seen = result["structuredContent"]
    assert seen["exit_code"] == 5 and seen["truncated"], {**seen, "stdout": "", "stderr": ""}
    assert len(seen["stdout"]) == len(seen["stderr"]) == 45000, (len(seen["stdout"]), len(seen["stderr"]))
    assert "first 45000 bytes" in result["content"][0]["text"][-200:], result["content"][0]["text"][-200:]
    assert cpu(server.process.pid) - before < 10 * os.sysconf("SC_CLK_TCK")
    cut = run(server, "i=0; while [ $i -lt 50000 ]; do printf 'aé😀'; i=$((i + 1)); done")
    assert cut["truncated"] and "\ufffd" not in cut["stdout"] and cut["stdout"].startswith("aé😀aé"), cut["stdout"][-20:]
    assert run(server, "printf 'a\\377b'")["stdout"] == "a\ufffdb"


def pid_in(name):
    return int(until(lambda: (FOLDER / name).exists() and (FOLDER / name).read_text().strip(), name))


def at_its_time_limit_all_of_it_ends(server):
    for n, line in enumerate(("echo $$ > {0}; sleep 600", "sleep 600 & echo $! > {0}; wait", "(sleep 600 & echo $! > {0}; wait) & wait",
                              "trap '' TERM; echo $$ > {0}; while :; do sleep 600; done",
                              "sh -c \"trap '' TERM; while :; do sleep 600; done\" & echo $! > {0}; wait")):
        path = FOLDER / f"late{n}"
        result = result_of(server, "echo begun; " + line.format(path), timeout=1)
        seen = result["structuredContent"]
        assert result["isError"] and result["_meta"]["perigee/code"] == "TIMEOUT" and seen["timed_out"], result
        assert seen["stdout"] == "begun\n" and "after 1 s" in result["content"][0]["text"], result
        until(lambda: not alive(pid_in(path.name)), line)


def at_its_end_nothing_is_left(server):
    for n, line in enumerate(("sleep 600 >/dev/null 2>&1 & echo $! > {0}", "sleep 600 & echo $! > {0}",
                              "nohup sleep 600 >/dev/null 2>&1 & echo $! > {0}", "sleep 600 >/dev/null 2>&1 & echo $! > {0}; exit 4",
                              "sleep 600 >/dev/null 2>&1 & echo $! > {0}; kill -9 $$")):
        path = FOLDER / f"left{n}"
        run(server, line.format(path))
        until(lambda: not alive(pid_in(path.name)), line)


def a_cancelled_call_ends_it(server):
    path = FOLDER / "cancelled"
    waiting = server.post("tools/call", {"name": "execute_shell_command", "arguments": {"command": f"sleep 600 & echo $! > {path}; wait"}})
    pid = pid_in(path.name)
    server.notify("notifications/cancelled", {"requestId": waiting})
    until(lambda: not alive(pid), "the cancelled command")


def it_ends_with_the_engine(_):
    for end in (signal.SIGTERM, signal.SIGKILL):
        server = opened()
        path = FOLDER / f"with{int(end)}"
        server.post("tools/call", {"name": "execute_shell_command", "arguments": {"command": f"sleep 600 & echo $! > {path}; wait"}})
        pid = pid_in(path.name)
        server.process.send_signal(end)
        server.process.wait(GUARD)
        until(lambda gone=pid: not alive(gone), f"the command of an engine that ended by {end.name}")
        server.kill()


def others_go_on_meanwhile(server):
    path = FOLDER / "go"
    waiting = server.post("tools/call", {"name": "execute_shell_command", "arguments": {
        "command": f"until [ -e {path} ]; do sleep 0.01; done; echo met"}})
    run(server, f"touch {path}")
    assert server.answer(waiting)["result"]["structuredContent"]["stdout"] == "met\n"


def it_is_listed_with_its_toolset(server):
    tools = {tool["name"]: tool for tool in server.ask("tools/list")["result"]["tools"]}
    assert {"execute_shell_command", "execute_apple_script", "execute_javascript", "validate_script"} <= set(tools), set(tools)
    assert tools["execute_shell_command"]["inputSchema"]["required"] == ["command"]
    assert not tools["execute_shell_command"]["annotations"]["readOnlyHint"] and tools["validate_script"]["annotations"]["readOnlyHint"]


def nothing_is_left_at_the_end(server):
    until(lambda: not [pid for pid in descendants(server.process.pid) if alive(pid) and b"sleep" in
                       pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()], "no sleep is left")


with opened() as one:
    for title, case in (("a result has the exit code and both streams", a_result_is_whole),
                        ("arguments arrive as they are, without a shell", arguments_arrive_unchanged),
                        ("a line is never an option of the shell", a_line_is_never_an_option),
                        ("a program that cannot be found or started is a failure", what_cannot_be_found_is_a_failure),
                        ("a program may end with the exit codes of a shell", a_program_may_end_as_a_shell_does),
                        ("wrong arguments start nothing", wrong_arguments_start_nothing),
                        ("the environment has none of our secrets", the_environment_has_no_secrets),
                        ("standard input is data", input_is_data),
                        ("output is bounded, and the result says so", output_is_bounded),
                        ("at the time limit all of it ends", at_its_time_limit_all_of_it_ends),
                        ("nothing that it started outlives it", at_its_end_nothing_is_left),
                        ("a cancelled call ends its command", a_cancelled_call_ends_it),
                        ("a command ends with the engine", it_ends_with_the_engine),
                        ("other calls go on meanwhile", others_go_on_meanwhile),
                        ("the tools are listed with their toolset", it_is_listed_with_its_toolset),
                        ("nothing is left", nothing_is_left_at_the_end)):
        tap.case(title, case, one)
tap.done()
