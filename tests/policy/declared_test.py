#!/usr/bin/env python3
"""The file of a tool says which of its arguments name paths, hosts and displays: rules, approvals and questions go by it, whatever the
arguments are called."""

import itertools
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, TOP, Place, Server, call, code_of, text_of     # noqa: E402
import tap                                                     # noqa: E402

FORM = {"elicitation": {}}
NO, ONCE, WHILE = "Do not allow", "Allow once", "Allow for 15 minutes"

# The arguments of the tools that come with Perigee that name files: how a call is given paths, and where relative ones start.
# None: it is not known where, or relative ones are refused.
FILES = {
    "capture_screenshot": (lambda path: {"path": path}, "work"),
    "capture_region_screenshot": (lambda path: {"x": 0, "y": 0, "width": 9, "height": 9, "path": path}, "work"),
    "capture_window_screenshot": (lambda path: {"window": "Home", "path": path}, "work"),
    "capture_element_screenshot": (lambda path: {"element": 'button "Save"', "path": path}, "work"),
    "annotate_screenshot": (lambda path: {"path": path}, "work"),
    "write_clipboard files": (lambda path: {"files": [path]}, "work"),
    "write_clipboard image_path": (lambda path: {"image_path": path}, "work"),
    "open_application": (lambda path: {"name": "Calculator", "files": [path]}, "here"),
    "drop_files": (lambda path: {"files": [path]}, None),
    "handle_dialog": (lambda path: {"path": path}, None),
    "act": (lambda path: {"steps": [{"drop": [path], "to": "5, 5"}]}, None),
    "send_email": (lambda path: {"to": "ann@a.example", "subject": "x", "body": "x", "attachments": [path]}, "work"),
    "screenshot_slide": (lambda path: {"path": path}, "work"),
    "analyze": (lambda path: {"image_path": path, "question": "What?"}, "work"),
    "image": (lambda path: {"mode": "screen", "path": path}, "here"),
    "finder_open": (lambda path: {"target": path}, "work"),
    "finder_trash": (lambda path: {"target": path}, "work"),
    "finder_move target": (lambda path: {"target": path, "to": os.path.dirname(path) or "."}, "work"),
    "finder_copy target": (lambda path: {"target": path, "to": os.path.dirname(path) or "."}, "work"),
    "mail_send_message": (lambda path: {"to": "ann@a.example", "subject": "x", "content": "x", "attachments": [path]}, "work"),
}
DECLARED = {(key.split()[0], key.split()[1] if " " in key else next(
    name for name, value in give("P").items() if value in ("P", ["P"]) or name == "steps")) for key, (give, _) in FILES.items()}
NO_FILES = {("create_input", "path"), ("select_menu_item", "path"), ("call_dbus", "path")}    # points, names of menus, an object
NO_FILES |= {("safari_open_url", "url"), ("safari_close_tab", "url")}      # a host; what a tab shows
NO_FILES |= {("finder_list_folder", "folder"), ("finder_get_items", "folder")}      # directories
ABSOLUTE = {("execute_applescript_file", "path"), ("execute_shell_command", "cwd")}    # their schema refuses others
DISPLAYS = {("capture_screenshot", "display"), ("get_display", "name")}
# The names of arguments that name something of the desktop in every tool that has them.
DESKTOP = {"app", "application", "window", "element", "selector", "to_application", "to_window"}
PLACES = re.compile(r"(^|_)(paths?|files?|folder|dir|directory|cwd|attachments|drop|hosts?|hostname|domain|urls?|uri|href|display)$")


def place(policy, **tools):
    made = Place(policy, **tools)
    for name in ("here/in", "here/out", "work/in/deep", "work/out"):
        (made.folder / name).mkdir(parents=True, exist_ok=True)
    (made.folder / "work/to_out").symlink_to("out")
    return made


def serve(at, folder=None):
    server = Server(at.words("serve"), env=at.env, cwd=str(at.folder / folder) if folder else None)
    server.initialize("2025-11-25", FORM, "tester")
    return server


def granted(at, name):
    return str(at.folder / "work" / name)


def tool(about, properties, more=""):
    """One that does nothing."""
    fields = ", ".join(f"[{json.dumps(name)}] = {schema}" for name, schema in properties.items())
    return (f'return {{ description = "Does nothing.", {more} about = {about}, inputSchema = {{ type = "object", properties = {{ {fields} }} }}, '
            'run = function() return "did" end }')


def asked(server, name, arguments, answer=NO):
    """The question that a call leads to; "" if there is none. One that was refused a moment ago is refused without one."""
    result, questions = call(server, name, arguments, [answer])
    return questions[0]["message"] if questions else "refused" if code_of(result) == "denied" else ""


def names_in(schema, path=""):
    """The arguments of a schema, by names like steps.drop."""
    found = set()
    for name, inner in schema.get("properties", {}).items():
        found |= {path + name} | names_in(inner, f"{path}{name}.")
    for inner in [*schema.get("anyOf", []), *([schema["items"]] if isinstance(schema.get("items"), dict) else [])]:
        found |= names_in(inner, path)
    return found


def every_tool_says_it():
    """All toolsets: the argument of each name that is that of a place is one of those above."""
    for path in sorted((TOP / "lua/tools").glob("*/*.lua")):
        text = path.read_text()
        assert re.search(r"^  about +=", text, re.M) or "desktop.tools.window" in text, path    # that declares it for those that it makes
    env = {**os.environ, "PERIGEE_HOME": "/nonexistent", "PERIGEE_DESKTOP": "fake"}
    said = json.loads(subprocess.run([PERIGEE, "check", "--all", "--json"], env=env, capture_output=True, text=True, check=False).stdout)
    assert not [each for each in said["warnings"] + said["problems"] if "about" in each["message"]], said
    with place(None) as at, at.serve() as server:
        for path in sorted((TOP / "lua/tools").glob("*/*.lua")):
            if path.parent.name == "console":
                continue    # they are in no list, and have none
            found = json.loads(text_of(call(server, "describe_tool", {"name": path.stem})[0]))
            text = path.read_text()
            made = (TOP / "lua/lib/desktop/tools/window.lua").read_text() if "desktop.tools.window" in text else ""
            about = (re.findall(r"^  about += ((?s:.*?)),\n  \w", text, re.M) + re.findall(r"^    about += (.*),$", made, re.M))[0]
            for name in DESKTOP & set(found["inputSchema"].get("properties", {})):
                assert re.search(rf'\b{name} = "\w+"', about), (path, name, about)
            for name in names_in(found["inputSchema"]):
                known = (path.stem, name.split(".")[0])
                assert not PLACES.search(name) or known in DECLARED | NO_FILES | ABSOLUTE | DISPLAYS, (path, name)


ASKS = 'return { rules = { { ask = "so", tool = { %s }, per = { "tool", "folder" } }, { allow = true } } }' % ", ".join(
    f'"{key.split()[0]}"' for key in FILES if key != "act")     # that is asked about as what its steps stand for


def approvals_by_folder():
    """For each argument: an approval for a directory is for what is in it, in all spellings, and for no other one."""
    for key, (give, start) in FILES.items():
        name = key.split()[0]
        with place(ASKS) as at, serve(at, "here") as server:
            work, here = str(at.folder / "work"), str(at.folder / "here")
            inside = [f"{work}/in/a.png", f"{work}/in/deep/b.png", f"{work}/out/../in/c.png", f"file://{work}/in/d.png", f"{work}//in/./e.png"]
            beside = [f"{work}/out/a.png", f"{work}/in.png", f"{work}/in/../out/b.png", f"{work}/to_out/c.png", f"file://{work}/out/d.png",
                      f"{work}/inside/e.png", "/tmp/f.png", f"{here}/in/a.png"]
            unknown = [" in/a.png", f" {work}/in/a.png", "$X/in/a.png", f"view-source:file://{work}/in/a.png", "a%2f..%2f..%2fb", "~ann/a.png"]
            relative = ["in/f.png", "./in/g.png", "to_out/../in/h.png"]
            (inside if start == "work" else beside).extend(relative[:2])
            first = asked(server, name, give(inside[0]), WHILE)
            assert f'"{work}/in"' in first, (key, first)
            for path in inside[1:]:
                assert not asked(server, name, give(path)), (key, path)
            for path in beside + unknown:
                assert asked(server, name, give(path)), (key, path)


def relative_ones_are_where_they_start():
    """The question for a relative path names the directory; a name alone is a path as well."""
    for key, (give, start) in FILES.items():
        with place(ASKS) as at, serve(at, "here") as server:
            for path, folder in (("h", ""), ("in/h", "/in")):
                question = asked(server, key.split()[0], give(path))
                assert ("with these arguments only" in question) == (start is None), (key, path, question)
                assert start is None or f'"{at.folder}/{start}{folder}"' in question, (key, path, question)


# The names and the places of an argument of a user's own tool, and how a call is given a value.
SHAPES = {
    "target": ("{ type = 'string' }", lambda value: {"target": value}),
    "list": ("{ type = 'array' }", lambda value: {"list": [value]}),
    "options.where": ("{ type = 'object' }", lambda value: {"options": {"where": value}}),
    "rows.where": ("{ type = 'array' }", lambda value: {"rows": [{"x": 1}, {"where": value}]}),
    "a.b.c": ("{ type = 'object' }", lambda value: {"a": {"b": [{"c": [value]}]}}),
    "file": ("{ type = 'string' }", lambda value: {"file": value}),
    "url": ("{ type = 'string' }", lambda value: {"url": value}),
}


def own_tools(kind):
    return {f"own{i}": tool(f'{{ "nothing", [{json.dumps(name)}] = "{kind}" }}', {name.split(".")[0]: schema})
            for i, (name, (schema, _)) in enumerate(SHAPES.items())}


def of_own_tools_by_folder():
    for kind in ("path", "folder", "server_path", "nothing"):
        rule = 'return { rules = { { ask = "so", tool = "own*", per = { "tool", "folder" } }, { allow = true } } }'
        with place(rule, **own_tools(kind)) as at, serve(at) as server:
            for i, (_, give) in enumerate(SHAPES.values()):
                name, path = f"own{i}", granted(at, "in/a")
                question = asked(server, name, give(path), WHILE)
                if kind == "nothing":
                    assert "names no file" in question and not asked(server, name, give("a/b")), (kind, question)
                    continue
                folder = path if kind == "folder" else os.path.dirname(path)
                assert f'"{folder}"' in question, (kind, name, question)
                assert not asked(server, name, give(f"{folder}/deep/x")), (kind, name)
                for other in (granted(at, "in/b" if kind == "folder" else "out/b"), "h", "a/b"):
                    assert asked(server, name, give(other)), (kind, name, other)


CONDITIONS = [("h", '{ under = "%s" }', "/other/h"), ("h", '"%s/*"', "/other/h"), ("in/h", '{ under = "%s/in" }', "out/h"),
              ("h", "{ granted = %s }", None)]


def rules_about_arguments():
    """`under`, `granted` and places, also for a name alone, which is a path only where the tool says so."""
    for start, kind in (("work", "path"), ("here", "server_path")):
        with place(None) as at:
            cases, rules = [], []
            for argument, (name, condition, other) in itertools.product(("target", "rows.where", "file"), CONDITIONS):
                if "." in argument and "granted" in condition:
                    continue
                schema, give = SHAPES[argument]
                own, top = f"own{len(cases)}", argument.split(".")[0]      # of a list each item counts
                at.put(f"home/tools/test/{own}.lua", tool(f'{{ "nothing", ["{argument}"] = "{kind}" }}', {top: schema}))
                where = condition % (str(start == "work").lower() if "granted" in condition else at.folder / start)
                rules.append(f'{{ deny = "no", tool = "{own}", args = {{ {top} = {where} }} }}')
                cases.append((own, argument, condition, give(name), other and give(other)))
            at.policy("return { rules = { %s, { allow = true } } }" % ", ".join(rules))
            with serve(at, "here") as server:
                for own, argument, condition, given, other in cases:
                    assert code_of(call(server, own, given)[0]) == "denied", (kind, argument, condition)
                    assert not other or code_of(call(server, own, other)[0]) is None, (kind, argument, condition, other)


HOSTS = [("evil.example", "https://evil.example/", "EVIL.example:8080", "//evil.example/x", "evil.example/x?y", "u@evil.example"),
         ("intranet", "http://intranet/", "intranet:80", "INTRANET/x"), ("localhost", "127.0.0.1", "http://[::1]:9/", "localhost:1/x"),
         ("2001:db8::1", "[2001:db8::1]:80", "http://[2001:db8:0::1]/")]


def hosts_of_own_tools():
    """A host is named by a declared argument, whatever that is called, and known from then on; an approval for one is for no other."""
    for first, second in zip(HOSTS, HOSTS[1:] + HOSTS[:1]):
        rule = ('return { rules = { { ask = "unknown", known_host = false, tool = "own*", per = { "tool", "host" } }, { allow = true } } }')
        with place(rule, names=tool('{ "nothing", whom = "host" }', {"whom": "{ type = 'string' }"}), **own_tools("host")) as at, \
                serve(at) as server:
            call(server, "names", {"whom": first[0]})
            for i, (_, give) in enumerate(SHAPES.values()):
                for spelling in first:
                    assert not asked(server, f"own{i}", give(spelling)), (i, spelling)
                assert asked(server, f"own{i}", give(second[0]), ONCE), (i, second)
    rule = 'return { rules = { { ask = "so", tool = "own*", per = { "tool", "host" } }, { allow = true } } }'
    with place(rule, **own_tools("host")) as at, serve(at) as server:
        for i, (_, give) in enumerate(SHAPES.values()):
            assert '"evil.example"' in asked(server, f"own{i}", give("evil.example"), WHILE), i
            assert not asked(server, f"own{i}", give("EVIL.example.")), i
            for other in ("good.example", "intranet", "evil.example.good.example", "good.example/?to=https://evil.example/"):
                assert asked(server, f"own{i}", give(other)), (i, other)
    rule = 'return { rules = { { ask = "unknown", known_host = false, tool = "own*", per = "call" }, { allow = true } } }'
    with place(rule, names=tool('{ "nothing", whom = "host" }', {"whom": "{ type = 'string' }"}), **own_tools("host")) as at, serve(at) as server:
        call(server, "names", {"whom": "good.example"})
        for i, (_, give) in enumerate(SHAPES.values()):
            for text in ("good.example/?to=x", "", "/", "/evil.example", "ann@good.example"):
                assert not asked(server, f"own{i}", give(text)), (i, text)
        for i, (_, give) in enumerate(SHAPES.values()):     # who is asked about a host has not named it
            for text in ("evil.example/?to=https://good.example/", "evil.example/ann@good.example", " evil.example", "evil.example good.example",
                         "//evil.example/good.example", "\\tevil.example", "/\\\\evil.example", "http:/evil.example", "evil.example\\\\@good.example"):
                assert asked(server, f"own{i}", give(text.encode().decode("unicode_escape"))), (i, text)
    with place(rule, **own_tools("nothing")) as at, serve(at) as server:
        for i, (_, give) in enumerate(SHAPES.values()):
            assert not asked(server, f"own{i}", give("evil.example")), i


def those_of_others_are_not_believed():
    """A foreign file may say anything of its arguments, to hide them."""
    rule = 'return { rules = { { ask = "so", tool = "theirs", per = { "tool", "folder" } }, { allow = true } } }'
    text = tool('{ "nothing", file = "nothing" }', {"file": "{ type = 'string' }"}, 'trust = "foreign",')
    with place(rule) as at:
        at.put("home/foreign/test/theirs.lua", text)
        with serve(at) as server:
            assert f'"{granted(at, "in")}"' in asked(server, "theirs", {"file": granted(at, "in/a")}, WHILE)
            assert asked(server, "theirs", {"file": granted(at, "out/a")})


def denies(server, name, arguments):
    return code_of(call(server, name, arguments)[0]) == "denied"


def displays():
    """A call about a display is about the applications that are shown on it. The first has Files and the Text Editor, the second the
    Text Editor alone."""
    for app, on in (("Files", (True, False)), ("Text Editor", (True, True)), ("Calculator", (False, False))):
        own = tool('{ "nothing", ["options.where"] = "display" }', {"options": "{ type = 'object' }"}, 'annotations = { readOnlyHint = true },')
        rule = f'return {{ rules = {{ {{ deny = "no", app = "{app}" }}, {{ allow = true }} }} }}'
        with place(rule, own=own) as at, serve(at) as server:
            for number, names in enumerate((("fake-1", "displays/100", "FAKE-1"), ("fake-2", "displays/101"))):
                for name in names:
                    for tried, arguments in (("capture_screenshot", {"display": name}), ("get_display", {"name": name}),
                                             ("own", {"options": {"where": name}})):
                        assert denies(server, tried, arguments) == on[number], (app, tried, name)
            assert denies(server, "capture_screenshot", {"display": "all"}) == any(on), app
            assert denies(server, "capture_screenshot", {}) == on[0], app
            assert denies(server, "capture_screenshot", {"display": "nonesuch"}), "it is not known what that shows"
    named = tool('{ { "Nothing", "other" }, note = "application" }', {"note": "{ type = 'string' }"})
    with place('return { rules = { { deny = "no", app = "Nothing" }, { allow = true } } }', own=named) as at, serve(at) as server:
        assert denies(server, "own", {}) and not denies(server, "own", {"note": "Files"}), "names in the file"
    inner = tool('{ "focused", at = "window", ["rows.at"] = "window" }', {"at": "{ type = 'string' }", "rows": "{ type = 'array' }"})
    with place('return { rules = { { deny = "no", app = "Text Editor" }, { allow = true } } }', own=inner) as at, serve(at) as server:
        assert denies(server, "own", {}) and not denies(server, "own", {"at": "Home"}) and denies(server, "own", {"at": "draft.txt"})
        assert denies(server, "own", {"rows": [{"at": "Home"}, {"x": 1}]}), "a row without one is about what has the focus"
        for name in ("displays/100", "displays/101"):
            assert denies(server, "own", {"at": name})
    with place('return { rules = { { deny = "no", app = "Files" }, { allow = true } } }', own=inner) as at, serve(at) as server:
        assert denies(server, "own", {"at": "displays/100"}) and not denies(server, "own", {"at": "displays/101"})
    rule = 'return { rules = { { allow = true, app = "Text Editor" }, { allow = true, tool = "move_window" } }, otherwise = "deny" }'
    with place(rule) as at, serve(at) as server:
        window = "applications/102/windows/104"
        assert not denies(server, "capture_screenshot", {"display": "fake-2"}) and denies(server, "capture_screenshot", {"display": "fake-1"})
        call(server, "move_window", {"name": window, "x": 1900, "y": 60})       # it reaches into the second
        assert denies(server, "capture_screenshot", {"display": "fake-2"}) and denies(server, "capture_screenshot", {"display": "fake-1"})
        call(server, "move_window", {"name": window, "x": 2300, "y": 60})
        assert denies(server, "capture_screenshot", {"display": "fake-2"}) and not denies(server, "capture_screenshot", {})


def wrong_words_are_told():
    """By the loader, with those that there are, and the file is no tool."""
    calls, kinds = "focused, every, input, main_display or nothing", "nothing, application, window, element, opened, display"
    cases = [('{ "focussed" }', f"about: {calls}, not focussed (did you mean 'focused'?)"), ('{ "nothing", note = "paths" }', kinds),
             ('{ note = "every" }', kinds), ('{ note = 5 }', "about.note must be a word or a table of words, not a number"),
             ('{ "nothing", "every" }', "one word"), ('{ note = { "nothing", x = "evry" } }', "focused, every, input"), ('{ true }', "not a boolean")]
    tools = {f"wrong{i}": tool(about, {"note": "{ type = 'string' }"}) for i, (about, _) in enumerate(cases)}
    tools["right"] = tool('{ { "Keynote" }, note = { "display", all = "every" } }', {"note": "{ type = 'string' }"})
    with place(None, **tools) as at, at.serve() as server:
        problems = call(server, "engine_status")[0]["structuredContent"]["problems"]
        said = {os.path.basename(each["file"]): each["message"].replace('"', "") for each in problems}
        assert sorted(said) == [f"wrong{i}.lua" for i in range(len(cases))], said
        for i, (about, words) in enumerate(cases):
            assert words in said[f"wrong{i}.lua"], (about, said[f"wrong{i}.lua"])


def checked():
    """`perigee check` warns of names that are no arguments, and of arguments that should be declared, in files that declare something."""
    text, object_of = "{ type = 'string' }", "{ type = 'object', properties = { %s = { type = 'string' } } }"
    cases = [
        ('{ "nothing", pth = "path" }', {"path": text}, ["about.pth: the tool has no such argument; did you mean path?", 'Write path = "path"']),
        ('{ "nothing", path = "path" }', {"path": text}, []),
        ('{ "nothing", path = "nothing" }', {"path": text}, []),
        ('{ "nothing" }', {"output_dir": text, "image_path": text, "file": text}, ['image_path = "path"', 'file = "path"']),
        ('{ "nothing" }', {"target_url": text, "host": text, "display": text}, ['target_url = "host"', 'host = "host"', 'display = "display"']),
        ('{ "nothing" }', {"files": "{ type = 'array', items = { type = 'string' } }"}, ['files = "path"']),
        ('{ "nothing" }', {"options": object_of % "url"}, ['["options.url"] = "host"']),
        ('{ "nothing", ["options.url"] = "host" }', {"options": object_of % "url"}, []),
        ('{ "nothing", options = "nothing" }', {"options": object_of % "url"}, []),
        ('{ "nothing", ["options.uri"] = "host" }', {"options": object_of % "url"}, ["about.options.uri", "options.url"]),
        ('{ "nothing", ["options.any"] = "host" }', {"options": "{ type = 'object' }"}, []),
        ('{ "nothing" }', {"path": "{ type = 'array', items = { type = 'number' } }", "profile": text, "display": "{ enum = { 'a' } }"}, []),
        ("nil", {"path": text}, []),
    ]
    with place(None, **{f"mine{i}": tool(about, properties) for i, (about, properties, _) in enumerate(cases)}) as at:
        def said_of(*words):
            done = subprocess.run([PERIGEE, "check", "--json", *words], env={**os.environ, **at.env}, capture_output=True, text=True, check=False)
            return json.loads(done.stdout)["warnings"]
        all_said = said_of()
        for i, (about, properties, words) in enumerate(cases):
            said = [each["message"] for each in all_said if each["file"].endswith(f"/mine{i}.lua")]
            assert len(said) == len(words) and all(any(word in each for each in said) for word in words), (about, properties, said)
        file = str(at.folder / "home/tools/test/mine0.lua")
        assert said_of(file) == [each for each in all_said if os.path.realpath(file) == os.path.realpath(each["file"])], "of a file alone"


def questions():
    """A declared place is among the first lines of a question, whatever it is called."""
    properties = {name: "{ type = 'string' }" for name in ("aaa", "bbb", "zzz")}
    for kind, shown in (("path", "zzz"), ("host", "zzz"), ("nothing", "aaa")):
        with place('return { rules = { { ask = "so", tool = "own" }, { allow = true } } }', own=tool(f'{{ "nothing", zzz = "{kind}" }}', properties)) as at, \
                serve(at) as server:
            lines = asked(server, "own", {"aaa": "word", "bbb": "word", "zzz": "word"}).split("\n")
            first = lines[next(i for i, line in enumerate(lines) if line.startswith("Its arguments")) + 1]
            assert first.strip().startswith(shown), (kind, lines)


for title, function in (("every tool says which arguments name places", every_tool_says_it),
                        ("an approval for a directory, by each argument of each tool", approvals_by_folder),
                        ("a relative path is where the tool reads it", relative_ones_are_where_they_start),
                        ("paths of a user's own tool, by any name and depth", of_own_tools_by_folder),
                        ("rules about declared arguments", rules_about_arguments),
                        ("hosts of a user's own tool, by any name and depth", hosts_of_own_tools),
                        ("a foreign file's declaration hides nothing", those_of_others_are_not_believed),
                        ("a display is about what it shows", displays),
                        ("the loader refuses words that it does not know", wrong_words_are_told),
                        ("perigee check warns of what is not declared", checked),
                        ("a question shows declared places first", questions)):
    tap.case(title, function)
tap.done()
