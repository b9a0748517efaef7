#!/usr/bin/env python3
"""Code that a model writes: create_python_code and edit_python_code against a double of the models' APIs, with their models and
those that replaced them, the tools that code may call, references from one to the other, and what is told when it fails."""

import json
import re
import sys

from kit import FOLDER, TOP, done, folder, has, hasnt, must, perigee, same, tap, write

sys.path.insert(0, str(TOP / "tests/lib"))
import server  # noqa: E402
from models import KEYS, Double  # noqa: E402
from results import bad, good  # noqa: E402

DOUBLE = Double()
HOME = FOLDER / "home"
MODELS = ["gemini-2.5-flash-preview-05-20", "gemini-2.5-pro-preview-05-06", "models/gemini-2.0-flash", "gemini-2.0-flash",
          "claude-3-7-sonnet-latest", "gpt-4.1-2025-04-14", "o4-mini-2025-04-16"]
DEFAULT = "gemini-2.5-pro-preview-05-06"
ORIGINAL = "x = 1\r\nprint(x)  # ```\n\n"
TAKES = """return { description = "Takes.", inputSchema = { type = "object", properties = { text = { type = "string" } } },
  annotations = { readOnlyHint = true }, run = function(args) return { text = args.text } end }"""


def fenced(code, before="Here it is:\n"):
    return {"text": f"{before}```python\n{code}\n```\n"}


def opened(session, scenario="ok", names=("gemini", "anthropic", "openai"), words=(), **more):
    """A server whose models are those of the double."""
    env = {"PERIGEE_DESKTOP": "fake", "PERIGEE_RUNTIME_DIR": str(folder("run")), "XDG_STATE_HOME": str(folder("state")),
           "XDG_CACHE_HOME": str(FOLDER / "cache"), "PERIGEE_HOME": str(HOME), **KEYS}
    for name in names:
        env.update(DOUBLE.variables(name, session, scenario))
    env.update(more)
    it = server.Server([server.PERIGEE, "serve", "--toolset", "python,sessions,scripting,test", *words],
                       env={name: value for name, value in env.items() if value is not None})
    it.initialize(client=session, **({"capabilities": {"elicitation": {}}} if "asks" in session else {}))
    return it


def created(it, request="Print 1.", **more):
    return it.call("create_python_code", {"user_request": request, **more})["result"]


def edited(it, code=ORIGINAL, request="Print 2.", **more):
    return it.call("edit_python_code", {"original_code": code, "edit_request": request, **more})["result"]


def facts(result, status="success"):
    """The object of a result, which is its text, too."""
    it = result["structuredContent"]
    same(json.loads(result["content"][0]["text"]), it, "the text")
    same((it["status"], result.get("isError", False)), (status, status == "error"), it["message"])
    must(isinstance(it["message"], str) and it["message"], it)
    return it


def asked(session):
    requests, problems = DOUBLE.requests(session)
    same(problems, [])
    return requests


def texts(request):
    """The system prompt and the messages of a request to Gemini."""
    body = request["body"]
    return body["systemInstruction"]["parts"][0]["text"], [each["parts"][0]["text"] for each in body["contents"]]


def the_schemas():
    with opened("schemas") as it:
        tools = {tool["name"]: tool for tool in it.ask("tools/list", {})["result"]["tools"]}
        create, edit = tools["create_python_code"], tools["edit_python_code"]
        same(list(create["inputSchema"]["properties"]), ["user_request", "model", "available_tool_names_for_code_gen"])
        same(list(edit["inputSchema"]["properties"]), ["original_code", "edit_request", "model", "available_tool_names_for_code_gen"])
        same((create["inputSchema"]["required"], edit["inputSchema"]["required"]), (["user_request"], ["original_code", "edit_request"]))
        for tool in (create, edit):
            fields = tool["inputSchema"]["properties"]
            same((fields["model"]["enum"], fields["model"]["default"]), (MODELS, DEFAULT))
            names = fields["available_tool_names_for_code_gen"]
            same((names["type"], names["items"]["type"], names["default"]), (["array", "null"], "string", None))
        same(list(create["outputSchema"]["properties"]), ["status", "generated_code", "message"])
        same(list(edit["outputSchema"]["properties"]), ["status", "original_code", "edited_code", "message"])
        for wrong in ({}, {"user_request": 1}, {"user_request": "x", "model": "gpt-4o"}, {"user_request": "x", "more": 1},
                      {"user_request": "x", "available_tool_names_for_code_gen": "takes"}):
            must(it.call("create_python_code", wrong)["result"]["isError"], wrong)
        same(asked("schemas"), [])


def code_is_created():
    DOUBLE.script("created", [fenced("print(1)"), {"text": "print(2)"}, fenced("x = 1", before="")])
    with opened("created") as it:
        result = created(it, "Print the number one.")
        seen = facts(result)
        same(list(seen), ["status", "generated_code", "message"])
        same(seen["generated_code"], "print(1)\n")
        has(seen["message"], "1 line of Python by gemini-2.5-pro-preview-05-06.", "Nothing was run", "@@ref_r1__generated_code")
        same((result["_meta"]["perigee/ref"], result["_meta"]["perigee/from"]), ("r1", ["web"]))
        same(facts(created(it, available_tool_names_for_code_gen=None))["generated_code"], "print(2)\n", "without a fence")
        same(facts(created(it, available_tool_names_for_code_gen=[]))["generated_code"], "x = 1\n")
    system, messages = texts(asked("created")[0])
    same(messages, ["Print the number one."])
    has(system, "You write Python 3 code", "generated_function_name", "await ask_model(prompt)")
    hasnt(system, "The code may call the tools below", "{tools}")


def code_is_edited():
    DOUBLE.script("edited", [fenced("x = 2\nprint(x)")])
    with opened("edited") as it:
        seen = facts(edited(it))
        same(list(seen), ["status", "original_code", "edited_code", "message"])
        same((seen["original_code"], seen["edited_code"]), (ORIGINAL, "x = 2\nprint(x)\n"))
        has(seen["message"], "2 lines of Python", "@@ref_r1__edited_code")
    system, messages = texts(asked("edited")[0])
    has(system, "You change Python 3 code", "generated_function_name")
    has(messages[0], f"````python\n{ORIGINAL.rstrip(chr(10))}", "\n````\n", "Print 2.")


def each_model_reaches_its_api():
    """By the name that its API knows, and with a limit that it takes."""
    with opened("models") as it:
        for name in MODELS:
            DOUBLE.script("models", [fenced("print(1)")])
            has(facts(created(it, model=name))["message"], name.removeprefix("models/"))
    seen = []
    for each in asked("models"):
        body = each["body"]
        most = body.get("max_tokens") or body.get("max_completion_tokens") or body["generationConfig"]["maxOutputTokens"]
        seen.append((each["api"], body.get("model") or each["path"].split("/")[-1].split(":")[0], most))
    same(seen, [("gemini", "gemini-2.5-flash-preview-05-20", 32768), ("gemini", "gemini-2.5-pro-preview-05-06", 32768),
                ("gemini", "gemini-2.0-flash", 8192), ("gemini", "gemini-2.0-flash", 8192),
                ("anthropic", "claude-3-7-sonnet-latest", 32768), ("openai", "gpt-4.1-2025-04-14", 32768),
                ("openai", "o4-mini-2025-04-16", 32768)])


def a_retired_model_has_a_successor():
    with opened("retired", "retired") as it:
        for name, answers in ((DEFAULT, "gemini-3.8-flash"), ("gpt-4.1-2025-04-14", "gpt-4.1-mini"),
                              ("claude-3-7-sonnet-latest", "claude-haiku-4-5")):
            DOUBLE.script("retired", [fenced("x = = 1"), fenced("print(1)")])
            seen = facts(created(it, model=name))
            has(seen["message"], f"{name} is no longer available; {answers} answered in its place.", f"by {answers}.")
    models = [each["body"].get("model") or each["path"].split("/")[-1].split(":")[0] for each in DOUBLE.requests("retired")[0][:3]]
    same(models, [DEFAULT, "gemini-3.8-flash", "gemini-3.8-flash"], "the repair goes to the one that answered")
    with opened("gone", "404") as it:
        has(facts(created(it), "error")["message"], "does not have gemini-2.5-pro-preview-05-06", "(404)")
        result = edited(it, model="claude-3-7-sonnet-latest")
        same(result["_meta"]["perigee/code"], "MODEL_NOT_FOUND")
        has(facts(result, "error")["message"], "claude-3-7-sonnet-latest")
        hasnt(result["content"][0]["text"], "--model")


def a_failure_changes_nothing():
    """Each is an error with a code that says what to do; there is no code, and what was to be edited is there."""
    for scenario, code, says in (("401", "UNAUTHORIZED", "GEMINI_API_KEY"), ("403", "FORBIDDEN", "key may use this model"),
                                 ("429-always", "RATE_LIMITED", "3600"), ("413", "TOO_LARGE", "too long"),
                                 ("malformed", "BAD_RESPONSE", "not a JSON object"), ("cut-off", "CUT_OFF", "cut off"),
                                 ("length", "CUT_OFF", "length limit"), ("empty", "EMPTY_REPLY", "no reply"), ("blocked", "BLOCKED", "blocked")):
        with opened("fails-" + scenario, scenario) as it:
            DOUBLE.script("fails-" + scenario, [fenced("print(1)"), fenced("print(1)")])
            for result, member in ((created(it), "generated_code"), (edited(it), "edited_code")):
                seen = facts(result, "error")
                same((result["_meta"]["perigee/code"], seen[member], seen.get("original_code", ORIGINAL)), (code, None, ORIGINAL))
                has(seen["message"], says)
                hasnt(result["content"][0]["text"], "--model", KEYS["GEMINI_API_KEY"], "@@ref_")
            same(bad(it, "takes", text="@@ref_r1__generated_code")[0], "no_such_reference", "a failure is not kept")


def without_a_key():
    with opened("no-key", GEMINI_API_KEY=None, ANTHROPIC_API_KEY=None) as it:
        for name, variable in ((DEFAULT, "GEMINI_API_KEY"), ("claude-3-7-sonnet-latest", "ANTHROPIC_API_KEY")):
            result = created(it, model=name)
            same(result["_meta"]["perigee/code"], "NO_KEY")
            has(facts(result, "error")["message"], f"Set {variable} in the environment")
    same(asked("no-key"), [])


def wrong_requests():
    """They are refused before a model is asked."""
    with opened("wrong") as it:
        for result in (created(it, " \n"), edited(it, request=""), edited(it, code=" ")):
            same(result["_meta"]["perigee/code"], "INVALID_ARGUMENT")
            has(facts(result, "error")["message"], "is empty")
        result = created(it, available_tool_names_for_code_gen=["takes", "tkaes"])
        same(result["_meta"]["perigee/code"], "UNKNOWN_TOOL")
        has(facts(result, "error")["message"], 'There is no tool "tkaes"; did you mean takes.')
        has(facts(edited(it, available_tool_names_for_code_gen=["x" * 150]), "error")["message"], "There is no tool")
    same(asked("wrong"), [])


def one_repair_round():
    DOUBLE.script("repair", [fenced("x = = 1"), fenced("x = 1"), fenced("x = = 1"), fenced("y = = 2"),
                             {"text": "I'd rather not."}, {"text": "print(3)"}])
    with opened("repair") as it:
        same(facts(created(it))["generated_code"], "x = 1\n")
        result = edited(it)
        same(result["_meta"]["perigee/code"], "NOT_PYTHON")
        seen = facts(result, "error")
        same((seen["original_code"], seen["edited_code"]), (ORIGINAL, None))
        has(seen["message"], "The code of gemini-2.5-pro-preview-05-06 does not compile", "line 1, column 5: invalid syntax", "y = = 2")
        same(facts(created(it))["generated_code"], "print(3)\n")
    requests = asked("repair")
    same(len(requests), 6)
    _, messages = texts(requests[1])
    same(messages[:2], ["Print 1.", fenced("x = = 1")["text"]])
    has(messages[2], "line 1, column 5: invalid syntax\n    x = = 1", "```python")
    has(texts(requests[5])[1][2], "no Python code in a fence")


def tools_are_offered():
    code = 'a = await tools.takes(text="x")\nb = await _call_mcp_tool("validate_script", {"script": "1"})\n'
    DOUBLE.script("offered", [fenced(code.strip())] * 3)
    with opened("offered") as it:
        seen = facts(created(it, available_tool_names_for_code_gen=["takes", "validate_script", "takes"]))
        same(seen["generated_code"], code)
        seen = facts(edited(it, available_tool_names_for_code_gen=["takes"]), "warning")
        has(seen["message"], "It calls validate_script in line 2, which was not offered.")
        same(seen["edited_code"], code)
        seen = facts(created(it), "warning")
        has(seen["message"], "takes in line 1, which was not offered", "validate_script in line 2", "@@ref_r3__generated_code")
    system, _ = texts(asked("offered")[0])
    has(system, "await _call_mcp_tool(name, arguments)", "`tools.NAME(", "## takes\nTakes.\n",
        'await _call_mcp_tool("takes", arguments), or tools.takes([text=...])', '"text":{"type":"string"}',
        "or tools.validate_script(script=..., [type=...], [appBundleId=...])", 'Result: {"type":"object"')
    same(system.count("## takes"), 1)


def calls_that_are_doubtful():
    for code, *parts in (
            ("await tools.tkaes()", "It calls tkaes in line 1, which does not exist; did you mean takes."),
            ("for n in x:\n  await _call_mcp_tool(n, {})", "computes the names of tools in line 2"),
            ("async def _call_mcp_tool(a, b): return {}\nawait _call_mcp_tool('takes', {})", "It defines _call_mcp_tool itself"),
            ("await tools.takes()\n" * 7 + "await tools.gives()", "It calls gives in line 8, which does not exist.")):
        DOUBLE.script("doubtful", [fenced(code)])
        with opened("doubtful") as it:
            has(facts(created(it, available_tool_names_for_code_gen=["takes"]), "warning")["message"], *parts)
    DOUBLE.script("doubtful", [{"text": fenced("import a\na.f()")["text"] + fenced("f()")["text"]}])
    with opened("doubtful") as it:
        seen = facts(created(it), "warning")
        has(seen["message"], "The reply had 1 more block of Python, which is left out.")
        same(seen["generated_code"], "import a\na.f()\n")


def nothing_runs():
    """Not the code, and not what a user's folders could load into Python."""
    made = FOLDER / "made"
    hostile = f"open({str(made)!r}, 'w')"
    DOUBLE.script("runs", [fenced(f"{hostile}\nimport os\nos.system('touch {made}')\nraise SystemExit"), fenced("print(1)")])
    for name in ("ast", "json", "sitecustomize", "warnings"):
        write(f"home/{name}.py", hostile)
    with opened("runs", PYTHONPATH=str(HOME), PYTHONSTARTUP=str(HOME / "ast.py")) as it:
        facts(created(it))
        facts(edited(it, code=hostile))
        same(made.exists(), False)


def prompts_are_hot():
    """The words of a file that was saved while the engine runs are in the next request."""
    DOUBLE.script("hot", [fenced("print(1)")] * 6)
    with opened("hot") as it:
        facts(created(it))
        for number, name in enumerate(("python_create", "python_rules", "python_tools", "python_edit"), 1):
            write(f"home/prompts/{name}.lua", f'return {{ description = "Mine.", text = "MINE {number} {{tools}}" }}')
            for _ in range(200):      # the engine notices the file within a moment
                (edited if name == "python_edit" else created)(it, available_tool_names_for_code_gen=["takes"])
                system, _ = texts(asked("hot")[-1])
                if f"MINE {number}" in system:
                    break
                DOUBLE.script("hot", [fenced("print(1)")])
            has(system, f"MINE {number}", "## takes")
    for name in ("python_create", "python_rules", "python_tools", "python_edit"):
        (HOME / f"prompts/{name}.lua").unlink()


def one_step_refers_to_another():
    """create, edit, check and take, by our ids and by the client's, in a session and without one."""
    for session in (True, False):
        name = f"steps-{session}"
        DOUBLE.script(name, [fenced("print('one')"), fenced("print('two')"), fenced("print('three')")])
        with opened(name) as it, opened(name + "-other") as other:
            if session:
                good(it, "create_session", session_id="steps")
            made = it.answer(it.post("tools/call", {"name": "create_python_code", "arguments": {"user_request": "One."},
                                                    "_meta": {"claudecode/toolUseId": "toolu_01A"}}))["result"]
            same(made["_meta"]["perigee/ref"], "r1")
            has(facts(made)["message"], "@@ref_r1__generated_code")
            seen = facts(edited(it, code="@@ref_r1__generated_code", request="Two, not @@@ref_x."))
            same((seen["original_code"], seen["edited_code"]), ("print('one')\n", "print('two')\n"))
            has(seen["message"], "@@ref_r2__edited_code")
            same(good(it, "validate_script", script="@@ref_r2__edited_code", type="python")["valid"], True)
            same(good(it, "takes", text="@@ref_toolu_01A__generated_code")["text"], "print('one')\n")
            facts(created(it, "As in @@ref_r2__edited_code but three."))
            same(texts(asked(name)[-1])[1], ["As in print('two')\n but three."])
            same(bad(other, "takes", text="@@ref_r1__generated_code")[0], "no_such_reference", "another client's")
            if session:
                good(it, "delete_session", name="steps", force=True)


def steps_of_the_document():
    """docs/python.md: code is written, run, changed and run again, each by a reference to an earlier step, and the user is asked
    before each run. The results are those of the document."""
    block = (TOP / "docs/python.md").read_text(encoding="utf-8").split("<!-- steps -->\n```text\n")[1].split("```\n")[0]
    steps = re.findall(r"^(\w+_python_code) ({[^\n]*})\n({\n.*?^})$", block, re.M | re.S)
    same([name.split("_")[0] for name, _, _ in steps], ["create", "execute", "edit", "execute"])
    results = [json.loads(result) for _, _, result in steps]
    written = [results[0]["generated_code"], results[2]["edited_code"]]
    DOUBLE.script("document", [fenced(code.rstrip("\n")) for code in written])
    with opened("document-asks", **DOUBLE.variables("gemini", "document")) as it:
        questions = []
        for (name, arguments, _), wanted in zip(steps, results):
            number = it.post("tools/call", {"name": name, "arguments": json.loads(arguments)})
            answer = it.find(lambda each, number=number: each.get("id") == number or each.get("method") == "elicitation/create")
            if answer.get("method"):
                questions.append(answer["params"]["message"])
                it.send({"jsonrpc": "2.0", "id": answer["id"], "result": {"action": "accept", "content": {"answer": "Allow once"}}})
                answer = it.answer(number)
            same(facts(answer["result"]), wanted, name)
            same(list(answer["result"]["structuredContent"]), list(wanted), "the order of members")
        same(len(questions), 2)
        has(questions[0], "Python code", "words = text.split()")
        has(questions[1], "Python code", "import collections")
    messages = [texts(request)[1][0] for request in asked("document")]
    same(len(messages), 2)
    has(messages[1], written[0], "Return their counts too.")


def its_code_is_text_from_outside():
    """A rule about text from outside sees it in later calls, by a reference and as it is."""
    write("home/policy.lua", 'return { rules = { { ask = "FROM OUTSIDE", tool = "takes", from = "web", per = "call" }, { allow = true } } }')
    DOUBLE.script("asks", [fenced("print('Perigees orbit the quiet moons of Neptune')")])
    try:
        with opened("asks") as it:
            code = facts(created(it))["generated_code"]
            for text in ("@@ref_r1__generated_code", "run: @@ref_r1__generated_code", "it is " + code):
                number = it.post("tools/call", {"name": "takes", "arguments": {"text": text}})
                question = it.find(lambda each: each.get("method") == "elicitation/create")
                has(question["params"]["message"], "FROM OUTSIDE")
                it.send({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "decline"}})
                same(it.answer(number)["result"]["isError"], True)
            same(good(it, "takes", text="words of its own")["text"], "words of its own")
    finally:
        (HOME / "policy.lua").unlink()


def asking_is_an_effect():
    """The policy may forbid it: then nothing is asked, and there is no code."""
    write("home/policy.lua", 'return { rules = { { deny = "no models here", effect = "model" }, { allow = true } } }')
    try:
        with opened("denied") as it:
            for result in (created(it), edited(it)):
                same((result["isError"], result["_meta"]["perigee/code"]), (True, "denied"))
                has(result["content"][0]["text"], "no models here")
                seen = facts(result, "error")
                has(seen["message"], "no models here", "rule 1")
                same((seen.get("generated_code"), seen.get("edited_code"), seen.get("original_code", ORIGINAL)), (None, None, ORIGINAL))
        same(asked("denied"), [])
    finally:
        (HOME / "policy.lua").unlink()


def what_call_tool_made_is_its_callers():
    """With our id and with the client's for its own call; also while another client uses a session."""
    for others in (False, True):
        DOUBLE.script("below", [fenced("print('one')"), fenced("print('two')")])
        with opened("below") as it, opened("below-other") as other:
            if others:
                good(other, "create_session", session_id="others")
                good(it, "create_session", session_id="mine")
                good(it, "get_session", name="mine", use=False)
            made = it.answer(it.post("tools/call", {"name": "call_tool", "_meta": {"callId": "toolu_09"}, "arguments": {
                "name": "create_python_code", "arguments": {"user_request": "One."}}}))["result"]
            same((made["_meta"]["perigee/ref"], "@@ref_r1__generated_code" in facts(made)["message"]), ("r1", True))
            same(good(it, "takes", text="@@ref_toolu_09__generated_code")["text"], "print('one')\n")
            seen = facts(it.call("call_tool", {"name": "edit_python_code", "arguments": {
                "original_code": "@@ref_r1__generated_code", "edit_request": "Two."}})["result"])
            same((seen["original_code"], seen["edited_code"]), ("print('one')\n", "print('two')\n"))
            same(bad(other, "takes", text="@@ref_r1__generated_code")[0], "no_such_reference")
            if others:
                good(other, "delete_session", name="others", force=True)
                good(it, "delete_session", name="mine", force=True)


def a_command_and_a_script_get_no_reference():
    """They have the value, and nothing of them is connected later."""
    DOUBLE.script("value", [fenced("print(1)")] * 2)
    env = {**KEYS, **DOUBLE.variables("gemini", "value")}
    answer = perigee("call", "create_python_code", "user_request=One.", **env)
    same((answer.code, json.loads(answer.out)["generated_code"]), (0, "print(1)\n"), str(answer))
    hasnt(answer.out, "@@ref")
    with opened("value") as it:
        seen = it.call("run_lua", {"code": "return tools.create_python_code { user_request = 'One.' }"})["result"]
        has(seen["content"][0]["text"], "print(1)")
        hasnt(seen["content"][0]["text"], "@@ref")


def a_long_result_is_kept_once():
    """The text is cut; the structured content is whole, and the reference, too."""
    code = "print('a line of some length')\n" * 4000
    DOUBLE.script("long", [fenced(code.strip())])
    with opened("long") as it:
        result = created(it)
        same(result["structuredContent"]["generated_code"], code)
        has(result["structuredContent"]["message"], "@@ref_r1__generated_code", "4000 lines")
        same(good(it, "validate_script", script="@@ref_r1__generated_code", type="python")["valid"], True)


def without_python():
    """The code is there, and the message says that nobody compiled it."""
    DOUBLE.script("bare", [fenced("print(1)")])
    with opened("bare", PATH=str(folder("empty"))) as it:
        seen = facts(created(it), "warning")
        same(seen["generated_code"], "print(1)\n")
        has(seen["message"], "python3", "not checked")
    DOUBLE.script("words", [{"text": "print(1)"}, fenced("print(2)"), {"text": "I'd rather not."}, {"text": "No, never."}])
    with opened("words", PATH=str(folder("empty"))) as it:
        same(facts(created(it), "warning")["generated_code"], "print(2)\n", "words may be no code: the model is asked for a fence")
        result = edited(it)
        same((result["_meta"]["perigee/code"], facts(result, "error")["edited_code"]), ("NOT_PYTHON", None))
        has(facts(result, "error")["message"], "no Python code in a fence")


def an_api_that_cannot_be_reached():
    with opened("closed", GEMINI_BASE_URL="http://127.0.0.1:9") as it:
        for result, member in ((created(it), "generated_code"), (edited(it), "edited_code")):
            seen = facts(result, "error")
            same((result["_meta"]["perigee/code"], seen[member], seen.get("original_code", ORIGINAL)), ("UNREACHABLE", None, ORIGINAL))
            has(seen["message"], "127.0.0.1:9")


write("home/tools/test/takes.lua", TAKES)
try:
    for case in (the_schemas, code_is_created, code_is_edited, each_model_reaches_its_api, a_retired_model_has_a_successor,
                 a_failure_changes_nothing, without_a_key, wrong_requests, one_repair_round, tools_are_offered, calls_that_are_doubtful,
                 nothing_runs, prompts_are_hot, one_step_refers_to_another, steps_of_the_document, its_code_is_text_from_outside, asking_is_an_effect,
                 what_call_tool_made_is_its_callers, a_command_and_a_script_get_no_reference, a_long_result_is_kept_once, without_python,
                 an_api_that_cannot_be_reached):
        tap.case(case.__name__.replace("_", " "), case)
finally:
    DOUBLE.stop()
done()
