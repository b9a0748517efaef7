#!/usr/bin/env python3
"""execute_python_code: its parameters, its six members, and what code may do, each as a client sees it."""

import json
import os
import pathlib
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import tap                                          # noqa: E402
from models import KEYS, Double                     # noqa: E402
from server import perigee                          # noqa: E402

ORDER = ["status", "stdout", "stderr", "function_called", "function_result", "message"]
TOOL = "execute_python_code"
ADD = "def generated_function_name(a, b=2): return a + b"


def opened(*more, **options):
    options.setdefault("env", dict(os.environ, PERIGEE_DESKTOP="fake"))
    server = perigee("--root", str(TOP / "tests/wire/root"), *more, **options)
    server.initialize()
    return server


def answer(server, code, **more):
    found = server.ask("tools/call", {"name": TOOL, "arguments": {"code": code, **more}})
    assert "result" in found, found
    return found["result"]


def run(server, code, **more):
    """The members of one run, after checks of what holds for each."""
    result = answer(server, code, **more)
    dictionary = result["structuredContent"]
    assert list(dictionary) == ORDER, dictionary
    assert json.loads(result["content"][0]["text"]) == dictionary, result
    assert dictionary["status"] in ("success", "error") and isinstance(dictionary["message"], str), dictionary
    assert bool(result.get("isError")) == (dictionary["status"] == "error"), result
    return dictionary


def succeeds(server, code, **more):
    found = run(server, code, **more)
    assert found["status"] == "success", found
    return found


def fails(server, code, **more):
    found = run(server, code, **more)
    assert found["status"] == "error", found
    return found


# --- parameters (C1) ------------------------------------------------------------------------------

def parameters_are_listed_whole_and_in_order():
    for toolset in ("python", "code"):
        with opened("--toolset", toolset) as server:
            listed = server.ask("tools/list")["result"]["tools"]
            schema = next(tool for tool in listed if tool["name"] == TOOL)["inputSchema"]
            properties = schema["properties"]
            assert list(properties)[:5] == ["code", "function_args", "function_kwargs", "timeout_seconds", "caller_user_id"], properties
            assert schema["required"] == ["code"], schema
            assert properties["timeout_seconds"]["default"] == 60, properties
            for name in ("function_args", "function_kwargs", "caller_user_id"):
                assert properties[name]["default"] is None and "null" in properties[name]["type"], properties[name]
            assert "(system-passed)" in properties["caller_user_id"]["description"], properties


def both_toolsets_have_the_same_tools():
    named = []
    for words in (["python"], ["code"], ["python,code"]):
        with opened("--toolset", *words) as server:
            named.append([tool["name"] for tool in server.ask("tools/list")["result"]["tools"]])
    assert named[0] == named[1] == named[2], named
    assert {"execute_python_code", "create_python_code", "edit_python_code"} <= set(named[0]), named[0]


def wrappers_have_signatures():
    with opened() as server:
        found = succeeds(server, "import inspect\nprint(inspect.signature(tools.execute_python_code))")
        assert found["stdout"] == ("(code: str, function_args: list = None, function_kwargs: dict = None, timeout_seconds: int = None, "
                                   "caller_user_id: str = None, session: str = None)\n"), found


def null_is_as_if_absent():
    with opened() as server:
        given = {"function_args": None, "function_kwargs": None, "caller_user_id": None, "session": None}
        assert succeeds(server, "print(1)", **given)["stdout"] == "1\n"


def a_time_limit_is_a_whole_number_of_1_to_300():
    with opened() as server:
        for wrong in (0, 301, 1.5, "x", -1):
            result = answer(server, "print(1)", timeout_seconds=wrong)
            assert result["isError"] and "timeout_seconds" in result["content"][0]["text"], result
        assert succeeds(server, "print(1)", timeout_seconds=300)["stdout"] == "1\n"


def an_unknown_parameter_is_refused():
    with opened() as server:
        assert answer(server, "print(1)", interpreter="/bin/sh")["isError"]


# --- results (C2, C3) -----------------------------------------------------------------------------

def what_is_printed_comes_back():
    with opened() as server:
        found = succeeds(server, "print(1)")
        assert (found["stdout"], found["stderr"]) == ("1\n", ""), found
        assert found["function_called"] is False and found["function_result"] is None, found
        found = succeeds(server, "import sys; print('e', file=sys.stderr)")
        assert (found["stdout"], found["stderr"]) == ("", "e\n"), found


def bytes_that_are_not_utf8_become_the_replacement():
    with opened() as server:
        found = succeeds(server, "import os; os.write(1, b'a\\xff\\xc3b\\n')")
        assert found["stdout"] == "a\ufffd\ufffdb\n", found


def much_output_is_cut_and_said():
    with opened() as server:
        found = succeeds(server, "for _ in range(3000): print('x' * 99)")
        assert 50_000 <= len(found["stdout"]) <= 64 * 1024, len(found["stdout"])
        assert "left out" in found["message"], found["message"]


def the_function_is_called():
    with opened() as server:
        found = succeeds(server, ADD, function_args=[1], function_kwargs={"b": 5})
        assert found["function_called"] is True and found["function_result"] == 6, found
        assert succeeds(server, ADD, function_args=[1])["function_result"] == 3
        assert succeeds(server, "async " + ADD, function_args=[1])["function_result"] == 3
        assert succeeds(server, "def f(): return [1, {'a': None}]\ngenerated_function_name = 'f'")["function_result"] == [1, {"a": None}]
        assert succeeds(server, "def generated_function_name(): return None")["function_result"] is None


def a_value_that_is_not_json_is_its_repr():
    with opened() as server:
        for value, shown in (("{1}", "{1}"), ("float('nan')", "nan"), ("object", "<class 'object'>"), ("b'x'", "b'x'")):
            assert succeeds(server, f"def generated_function_name(): return {value}")["function_result"] == shown


def arguments_without_a_function_are_told():
    with opened() as server:
        found = succeeds(server, "x = 1", function_args=[1])
        assert found["function_called"] is False and "generated_function_name" in found["message"], found


# --- failures (C4, C5) ------------------------------------------------------------------------------

def an_exception_has_its_traceback_and_the_output_so_far():
    with opened() as server:
        found = fails(server, "print('before')\n\n1/0\n")
        assert found["stdout"] == "before\n" and "line 3" in found["stderr"], found
        assert "ZeroDivisionError" in found["stderr"] and "ZeroDivisionError" in found["message"], found
        assert "runner" not in found["stderr"] and "guest.py" not in found["stderr"], found["stderr"]


def an_exception_in_the_function_is_told():
    with opened() as server:
        found = fails(server, "def generated_function_name():\n  print('in it')\n  raise KeyError('k')")
        assert found["function_called"] is True and found["function_result"] is None, found
        assert found["stdout"] == "in it\n" and "KeyError" in found["message"], found


def ends_of_the_program_are_told_apart():
    with opened() as server:
        succeeds(server, "import sys; sys.exit(0)")
        succeeds(server, "import sys; sys.exit()")
        assert "3" in fails(server, "import sys; sys.exit(3)")["message"]
        assert "SyntaxError" in fails(server, "print(1")["message"]
        assert "EOFError" in fails(server, "input()")["message"]


def code_that_never_ends_is_stopped():
    with opened() as server:
        found = fails(server, "print('so far', flush=True)\nwhile True: pass", timeout_seconds=1)
        assert found["stdout"] == "so far\n" and "timeout" in found["message"], found
        assert succeeds(server, "print(2)")["stdout"] == "2\n"


def code_that_swallows_the_deadline_is_killed():
    with opened() as server:
        found = fails(server, "print('so far', flush=True)\nimport signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\n"
                              "while True: pass", timeout_seconds=1)
        assert found["stdout"] == "so far\n" and "timeout" in found["message"], found


def code_that_takes_the_alarm_is_killed():
    """Its own handler, or no timer: there is no exception in the code then."""
    with opened() as server:
        for taken in ("signal.signal(signal.SIGALRM, lambda *_: None)", "signal.alarm(0)", "signal.setitimer(signal.ITIMER_REAL, 0)"):
            result = answer(server, f"print('so far', flush=True)\nimport signal\n{taken}\nwhile True: pass", timeout_seconds=1)
            found = result["structuredContent"]
            assert found["status"] == "error" and found["stdout"] == "so far\n" and "timeout" in found["message"], found
            assert result["_meta"]["perigee/code"] == "TIMEOUT", result
        assert succeeds(server, "print(2)")["stdout"] == "2\n"


def a_crash_shows_lines_of_the_code_alone():
    with opened() as server:
        found = fails(server, "print('so far')\nimport os\nos.abort()")
        assert found["stdout"] == "so far\n" and 'File "<code>", line 3' in found["stderr"], found
        assert "scripts/python" not in found["stderr"], found["stderr"]


def large_integers_keep_their_digits():
    with opened() as server:
        assert succeeds(server, "def generated_function_name(): return 2**62 + 1")["function_result"] == 2**62 + 1
        assert succeeds(server, "def generated_function_name(): return 10**30 + 1")["function_result"] == str(10**30 + 1)


# --- calls (C6) -----------------------------------------------------------------------------------

def tools_are_awaited_at_top_level_and_in_functions():
    with opened() as server:
        call = "await _call_mcp_tool('list_displays', {})"
        assert succeeds(server, f"print(len(({call})['displays']))")["stdout"] == "2\n"
        found = succeeds(server, f"async def generated_function_name(): return len(({call})['displays'])")
        assert found["function_result"] == 2, found
        assert succeeds(server, "print(len(tools.list_displays()['displays']))")["stdout"] == "2\n"


def a_tool_that_fails_raises():
    with opened() as server:
        found = fails(server, "await _call_mcp_tool('get_window', {'name': 'windows/0'})")
        assert "ToolError" in found["message"], found
        found = succeeds(server, "try:\n  await _call_mcp_tool('no_such_tool', {})\nexcept ToolError as error: print(error)")
        assert "no_such_tool" in found["stdout"], found


def calls_of_a_gather_run_together():
    """Seven wait for the eighth: one after the other they would never end."""
    with opened() as server:
        found = succeeds(server, "import asyncio\ncalls = [{'held': True}] * 7 + [{'releases': True}]\n"
                                 "print(len(await asyncio.gather(*[_call_mcp_tool('work', each) for each in calls])))")
        assert found["stdout"] == "8\n", found


def calls_are_counted():
    with opened() as server:
        found = fails(server, "for i in range(1001): await _call_mcp_tool('list_displays', {})")
        assert "1000" in found["message"], found


def a_model_is_asked():
    with Doubled() as (models, server):
        models.script("py", [{"text": "Forty-two."}])
        assert succeeds(server, "print(await ask_model('What?'))")["stdout"] == "Forty-two.\n"
        asked, wrong = models.requests("py")
        assert len(asked) == 1 and not wrong, wrong


def the_time_stands_while_a_model_answers():
    with Doubled() as (models, server):
        models.script("py", [{"text": "Slowly.", "pace": 1.5}])
        assert succeeds(server, "print(await ask_model('What?'))", timeout_seconds=1)["stdout"] == "Slowly.\n"
        found = fails(server, "while True: pass", timeout_seconds=1)
        assert "timeout" in found["message"], found


def a_model_is_asked_so_often_and_no_more():
    with Doubled() as (models, server):
        models.script("py", [{"text": "So."}] * 33)
        found = fails(server, "for i in range(33): await ask_model('What?')")
        assert "32 times" in found["message"] and len(models.requests("py")[0]) == 32, found


class Doubled:
    """A double of the models' APIs, and a server that asks it."""

    def __enter__(self):
        self.models = Double()
        self.server = opened(env=dict(os.environ, PERIGEE_DESKTOP="fake", **KEYS, **self.models.variables("gemini", "py")))
        return self.models, self.server.__enter__()

    def __exit__(self, *failure):
        self.server.__exit__(*failure)
        self.models.stop()


def code_is_a_reference():
    with opened("--toolset", "python,sessions") as server:
        server.ask("tools/call", {"name": "create_session", "arguments": {}})
        first = answer(server, "print('print(6 * 7)')")
        found = succeeds_with_more(server, f"@@ref_{first['_meta']['perigee/ref']}__stdout")
        assert found["stdout"] == "42\n", found


def succeeds_with_more(server, code):
    """Where each result has a line of its own about how it is kept."""
    result = answer(server, code)
    assert not result.get("isError"), result
    return result["structuredContent"]


# --- the jail (C7) ----------------------------------------------------------------------------------

def nothing_of_the_machine_is_there():
    with opened() as server:
        for code in ("open('/etc/passwd').read()", "import socket; socket.create_connection(('127.0.0.1', 9))",
                     "import subprocess; subprocess.run(['true'])", f"open({str(pathlib.Path.home() / '.profile')!r}, 'a')"):
            fails(server, code)
        assert succeeds(server, "import os; print(sorted(os.environ.get(n, '') for n in ('GEMINI_API_KEY', 'PERIGEE_TOKEN')))")


# --- files and images -------------------------------------------------------------------------------

def files_are_linked_and_can_be_read():
    with opened() as server:
        result = answer(server, "open('a b.txt', 'w').write('hello'); open('.hidden', 'w').write('x')")
        links = [block for block in result["content"] if block["type"] == "resource_link"]
        assert [(link["name"], link["mimeType"], link["size"]) for link in links] == [("a b.txt", "text/plain", 5)], result
        found = server.ask("resources/read", {"uri": links[0]["uri"]})["result"]["contents"][0]
        assert found.get("text") == "hello" or found["blob"] == "aGVsbG8=", found


def files_of_a_killed_process_are_there():
    with opened() as server:
        result = answer(server, "open('kept.csv', 'w').write('a,b'); import os; os._exit(1)")
        assert [block["name"] for block in result["content"] if block["type"] == "resource_link"] == ["kept.csv"], result


def too_many_files_are_told():
    with opened() as server:
        result = answer(server, "for i in range(40): open(f'{i}.txt', 'w').write('x')")
        links = [block for block in result["content"] if block["type"] == "resource_link"]
        assert len(links) == 32, len(links)
        assert "At most 32" in result["structuredContent"]["message"], result["structuredContent"]


def names_that_are_paths_are_not_passed_on():
    with opened() as server:
        result = answer(server, "open('a\\nb', 'w').write('x'); open('a\\\\b', 'w').write('x'); open('good', 'w').write('x')")
        assert [block["name"] for block in result["content"] if block["type"] == "resource_link"] == ["good"], result
        assert "because of its name" in result["structuredContent"]["message"], result


for each in (parameters_are_listed_whole_and_in_order, both_toolsets_have_the_same_tools, wrappers_have_signatures, null_is_as_if_absent, a_time_limit_is_a_whole_number_of_1_to_300,
             an_unknown_parameter_is_refused, what_is_printed_comes_back, bytes_that_are_not_utf8_become_the_replacement,
             much_output_is_cut_and_said, the_function_is_called, a_value_that_is_not_json_is_its_repr,
             arguments_without_a_function_are_told, an_exception_has_its_traceback_and_the_output_so_far,
             an_exception_in_the_function_is_told, ends_of_the_program_are_told_apart, code_that_never_ends_is_stopped,
             code_that_swallows_the_deadline_is_killed, code_that_takes_the_alarm_is_killed, a_crash_shows_lines_of_the_code_alone,
             large_integers_keep_their_digits, tools_are_awaited_at_top_level_and_in_functions, a_tool_that_fails_raises,
             calls_of_a_gather_run_together, calls_are_counted, a_model_is_asked, the_time_stands_while_a_model_answers,
             a_model_is_asked_so_often_and_no_more,
             code_is_a_reference, nothing_of_the_machine_is_there, files_are_linked_and_can_be_read, files_of_a_killed_process_are_there,
             too_many_files_are_told, names_that_are_paths_are_not_passed_on):
    tap.case(each.__name__, each)
tap.done()
