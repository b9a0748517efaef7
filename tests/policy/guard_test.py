#!/usr/bin/env python3
"""The gate: it lets a call pass, refuses it, or asks, and remembers the answer."""

import contextlib
import json
import os
import pty
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import DENY, PERIGEE, Place, call, code_of, get, text_of       # noqa: E402
from tools import until                                            # noqa: E402
import tap                                                         # noqa: E402

ASK = 'return { rules = { { ask = "it leaves a trace", tool = "mark", minutes = 5 }, { allow = true } } }'
FORM = {"elicitation": {}}
FIVE = "Allow for 5 minutes"


def until_ends(server, wanted, name="mark", arguments=None):
    """Calls until it ends so: a saved policy takes effect within a moment."""
    def ended_so():
        result, _ = call(server, name, arguments)
        return code_of(result) == wanted and result
    return until(ended_so, f"an end with {wanted}")


def denied():
    with Place() as place, place.serve() as server:
        result, _ = call(server, "mark")
        assert result["isError"] and code_of(result) == "denied", result
        assert text_of(result) == "The policy denies mark (it is for nobody; rule 1 of the policy). Nothing was done.", result
        assert place.trace() == []


def asked_and_remembered():
    with Place(ASK) as place, place.serve(capabilities=FORM) as server:
        result, asked = call(server, "mark", {"note": "a"}, FIVE)
        assert text_of(result) == "marked" and len(asked) == 1, (result, asked)
        message = asked[0]["message"]
        assert message.startswith('The client "tester" wants to use mark.\nWhy you are asked: it leaves a trace.'), message
        assert '\n  note: "a"' in message, message
        result, asked = call(server, "mark", {"note": "b"})
        assert text_of(result) == "marked" and asked == [], (result, asked)
        assert place.trace() == ["a", "b"]


def once_is_once():
    with Place(ASK) as place, place.serve(capabilities=FORM) as server:
        for _ in range(3):
            result, asked = call(server, "mark", {}, "Allow once")
            assert text_of(result) == "marked" and len(asked) == 1, result


def refusals():
    """A no is a no, and nobody is asked the same over and over."""
    for answer in ("Do not allow", "decline", "cancel"):
        with Place(ASK) as place, place.serve(capabilities=FORM) as server:
            result, asked = call(server, "mark", {}, answer)
            assert code_of(result) == "denied" and len(asked) == 1, result
            assert "The user refused mark." in text_of(result), result
            result, asked = call(server, "mark")
            assert code_of(result) == "denied" and asked == [], (result, asked)
            assert place.trace() == []


def nonsense_is_no_yes():
    """An answer that is none of those offered does not count."""
    with Place(ASK) as place, place.serve(capabilities=FORM) as server:
        result, asked = call(server, "mark", {}, "Allow everything for ever")
        assert code_of(result) == "not_approved" and place.trace() == [], result


def nobody_to_ask():
    with Place(ASK) as place, place.serve() as server:
        result, _ = call(server, "mark")
        assert code_of(result) == "not_approved" and place.trace() == [], result
        for part in ("needs the user's approval: mark (it leaves a trace; rule 1 of the policy)", "the client has no elicitation",
                     "rule in policy.lua", "perigee policy explain mark"):
            assert part in text_of(result), text_of(result)


def other_client():
    """An approval is for the client that it was given to."""
    with Place(ASK) as place:
        with place.serve(capabilities=FORM) as server:
            call(server, "mark", {}, FIVE)
        with place.serve(capabilities=FORM) as server:
            assert call(server, "mark")[1] == [], "the same client is asked again after a restart"
        with place.serve(capabilities=FORM, client="other") as server:
            assert len(call(server, "mark", {}, "decline")[1]) == 1


def for_a_session():
    with Place(ASK) as place:
        with place.serve(capabilities=FORM) as server:
            call(server, "mark", {}, "Allow until it disconnects")
            assert call(server, "mark")[1] == []
        with place.serve(capabilities=FORM) as server:
            assert len(call(server, "mark", {}, "decline")[1]) == 1


def revoked():
    """It takes effect at once, in another process."""
    with Place(ASK) as place, place.serve(capabilities=FORM) as server:
        call(server, "mark", {}, FIVE)
        env = {**os.environ, **place.env}

        def approvals(*words):
            done = subprocess.run([PERIGEE, "approvals", *words], env=env, capture_output=True, text=True, timeout=60)
            return done.returncode, done.stdout, done.stderr
        status, out, _ = approvals("--json")
        listed = json.loads(out)["approvals"]
        assert status == 0 and len(listed) == 1, out
        assert listed[0]["what"] == "every call of mark, whatever its arguments" and listed[0]["caller"] == 'the client "tester"', listed
        assert 200 < listed[0]["expires"] - listed[0]["given"] <= 300, listed
        assert "every call of mark, whatever its arguments, for the client \"tester\": 4 min left" in approvals()[1], approvals()
        assert approvals("revoke", "zz")[0] == 1
        assert approvals("revoke", listed[0]["id"][:6])[:2] == (0, "1 approval revoked\n")
        assert approvals()[1] == "nothing is approved\n"
        assert len(call(server, "mark", {}, "decline")[1]) == 1


def private():
    """Nobody else reads or writes approvals, and one that others could have written does not count."""
    with Place(ASK) as place, place.serve(capabilities=FORM) as server:
        call(server, "mark", {}, FIVE)
        folder = place.folder / "state/perigee/approvals"
        (file,) = folder.iterdir()
        assert file.stat().st_mode & 0o777 == 0o600 and folder.stat().st_mode & 0o777 == 0o700
        file.chmod(0o666)
        assert len(call(server, "mark", {}, "decline")[1]) == 1


def expired():
    """Such an approval is over, from the future, or cannot be read."""
    with Place(ASK) as place, place.serve(capabilities=FORM) as server:
        for change in ({"expires": 1}, {"given": 9e12, "expires": 9e12 + 9}, {"expires": "never"}, None):
            call(server, "mark", {}, "Allow for 5 minutes")
            (file,) = (place.folder / "state/perigee/approvals").iterdir()
            file.write_text(json.dumps({**json.loads(file.read_text()), **change}) if change else "{")
            assert len(call(server, "mark", {}, "Allow once")[1]) == 1, change


def reload():
    """A saved policy is in effect for the next calls; a broken one is not, and is told of."""
    with Place('return { rules = { { allow = true } } }') as place, place.serve() as server:
        assert text_of(call(server, "mark")[0]) == "marked"
        place.policy(DENY)
        until_ends(server, "denied")
        place.policy("return { rules = { { allow = true, tol = 'mark' } } }")
        problems = until(lambda: json.loads(text_of(call(server, "engine_status")[0]))["problems"], "a problem")
        assert "unknown key 'tol'" in problems[0]["message"], problems
        assert code_of(call(server, "mark")[0]) == "denied", "the last good one is in effect"
        place.policy('return { rules = { { allow = true } } }')
        until_ends(server, None)


def broken_at_the_start():
    """Without a good version no tool runs, except the ones that say why."""
    for text in ("return {", "return 1", "return {}", "return { rules = { { allow = true, deny = 'x' } } }",
                 "return { rules = { x = { allow = true } } }", "return { rules = { { allow = true, own_paths = true } } }", "error 'no'", "while true do end",
                 "return { rules = { { allow = true } }, otherwise = 'perhaps' }"):
        with Place(text) as place, place.serve() as server:
            result, _ = call(server, "mark")
            assert code_of(result) == "policy_broken" and place.trace() == [], (text, result)
            assert "the policy does not load: policy.lua" in text_of(result), (text, result)
            status = json.loads(text_of(call(server, "engine_status")[0]))
            assert status["problems"][0]["file"].endswith("/policy.lua"), status


def unreadable():
    """A policy.lua that is there and cannot be read is not passed over for the one that comes with the program."""
    for kind in ("folder", "dangling"):
        with Place(None) as place:
            path = place.folder / "home/policy.lua"
            path.mkdir() if kind == "folder" else path.symlink_to("/nonexistent/policy.lua")
            with place.serve() as server:
                result, _ = call(server, "mark")
                assert code_of(result) == "policy_broken" and place.trace() == [], (kind, result)


def new_beside_a_catalog():
    """The declarations that earlier processes kept do not hide a new policy."""
    with Place(None) as place:
        for _ in range(3):
            with place.serve() as server:
                assert text_of(call(server, "mark")[0]) == "marked"
        place.policy(DENY)
        with place.serve() as server:
            assert code_of(call(server, "mark")[0]) == "denied"
        (place.folder / "home/policy.lua").unlink()
        with place.serve() as server:
            assert text_of(call(server, "mark")[0]) == "marked"


def a_function_that_fails():
    """A rule's own error ends the call, and not the rule."""
    with Place('return { rules = { { deny = "x", tool = "mark", when = function() error "oops" end }, { allow = true } } }') \
            as place, place.serve() as server:
        result, _ = call(server, "mark")
        assert result["isError"] and "oops" in text_of(result) and place.trace() == [], result


def paths():
    """A rule judges a path by the place that it leads to, not by its spelling."""
    with Place("") as place:
        inside = place.folder / "work" / "inside"
        inside.mkdir()
        (inside / "out").symlink_to("/etc")
        (inside / "nowhere").symlink_to("/nonexistent/x")
        (place.folder / "work" / "near").symlink_to(inside)
        place.policy('return { rules = { { allow = true, tool = "mark", args = { path = { under = "%s" } } }, '
                     '{ deny = "elsewhere", tool = "mark" }, { allow = true } } }' % inside)
        good = [str(inside), f"{inside}/a", f"{inside}/new/b", f"{inside}/./a", f"{inside}/new/../a"[:0] or f"{inside}//a",
                str(place.folder / "work/near/a"), "inside/a"]
        bad = ["/etc/passwd", f"{inside}/../x", f"{inside}/out/passwd", f"{inside}x/a", f"{inside}/new/../../x",
               f"{inside}/nowhere", f"{inside}/nowhere/a", "../x", "", "~/x", f"{inside}\u0000/a"]
        with place.serve() as server:
            for path in good:
                assert text_of(call(server, "mark", {"path": path})[0]) == "marked", path
            place.clear()
            for path in bad:
                assert code_of(call(server, "mark", {"path": path})[0]) == "denied", path
            assert code_of(call(server, "mark")[0]) == "denied", "without a path"
            assert place.trace() == []


def hosts():
    with Place('return { rules = { { allow = true, tool = "mark", args = { url = { host = { "example.com", "*.example.com" } } } },'
               '{ deny = "elsewhere", tool = "mark" }, { allow = true } } }') as place, place.serve() as server:
        for url in ("https://example.com/x", "http://EXAMPLE.com:80", "https://a.b.example.com/?q=1", "https://u:p@example.com/"):
            assert text_of(call(server, "mark", {"url": url})[0]) == "marked", url
        place.clear()
        for url in ("https://evil.com/example.com", "https://example.com.evil.com", "https://example.com@evil.com/",
                    "https://evil.com#example.com", "https://evil.com\\@example.com/", "https:///example.com", "example.com",
                    "https://example.com\n.evil.com/", "https://evil.com/?https://example.com", "javascript:example.com", "",
                    "https://xexample.com/", "//example.com/"):
            assert code_of(call(server, "mark", {"url": url})[0]) == "denied", url
        assert place.trace() == []


def spellings():
    """`under`, `granted` and `host` read one thing by all its spellings: an allow takes each, and a deny is passed by none."""
    with Place("") as place:
        inside, blank = place.folder / "work/in side", place.folder / "work/in%20side"
        inside.mkdir()
        url = str(inside).replace(" ", "%20")
        local, other = ("http://localhost/", "http://LOCALHOST./", "http://127.0.0.1:8080/", "http://127.1.2.3", "http://[::1]:80/",
                        "http://[0:0:0:0:0:0:0:1]/", "http://u@localhost:/", "http://0.0.0.0/", "http://[::]"), "https://a.example/"
        # What programs may read as the one or the other: neither allowed nor let past a deny.
        odd = ("http://127.1/", "http://0x7f.0.0.1/", "http://2130706433/", "http://0177.0.0.1/", "http://[::ffff:127.0.0.1]/",
               "http://localhost../", "http://local%68ost/", "http://localhost:80x/", " http://localhost/", "http://local host/",
               "http://[::1/", "localhost")
        inner = (f"{inside}/a", f"file:{url}/a", f"file://{url}/a", f"file://localhost{url}/a", f"FILE://LOCALHOST.{url}/%61",
                 f"file://127.0.0.1{url}/a", f"file://[::1]{url}/a?x#y")
        odder = (f"file://elsewhere{url}/a", f"file://localhost:80x{url}/a", f" {inside}/a", f"{inside}/a ", "file:in side/a",
                 f" file://{url}/a")
        outer = (f"{blank}/a", f"file://{url}/../a", f"file://{url}/%2e%2e/a", "file:///etc/passwd", "/etc/passwd")
        kinds = (("url", '{ host = "localhost" }', local, odd, (other,)), ("url", '{ host = "LocalHost." }', local[:3], odd[:2], (other,)),
                 ("url", '{ host = "[::1]" }', local[:5], odd[:2], (other,)),
                 ("url", '{ host = "2001:DB8::1" }', ("http://[2001:db8:0:0::0001]:8/",), ("http://[2001:db8::1.2.3.4]/",), local[:1]),
                 ("path", f'{{ under = "{inside}" }}', inner, odder, outer),
                 ("path", "{ granted = true }", inner, odder, (*outer[3:], "file:///%65tc/passwd")))
        for key, matcher, yes, unknown, no in kinds:
            for verdict, passed in (("allow = true", yes), ('deny = "x"', no)):
                rest = '{ deny = "elsewhere", tool = "mark" }, ' if verdict[0] == "a" else ""
                place.policy(f'return {{ rules = {{ {{ {verdict}, tool = "mark", args = {{ {key} = {matcher} }} }}, {rest}{{ allow = true }} }} }}')
                with place.serve() as server:
                    for text in (*yes, *unknown, *no):
                        code = code_of(call(server, "mark", {key: text})[0])
                        assert code == (None if text in passed else "denied"), (verdict, matcher, text, code)


def lists_of_paths():
    """A rule that allows has to fit each path of the list; one that denies has to fit one."""
    allow = 'return { rules = { { allow = true, tool = "mark", args = { files = "/a/*" } }, { deny = "x", tool = "mark" }, ' \
            '{ allow = true } } }'
    deny = 'return { rules = { { deny = "x", tool = "mark", args = { files = "/b/*" } }, { allow = true } } }'
    for text in (allow, deny):
        with Place(text) as place, place.serve() as server:
            assert text_of(call(server, "mark", {"files": ["/a/1", "/a/2"]})[0]) == "marked"
            assert code_of(call(server, "mark", {"files": ["/a/1", "/b/2"]})[0]) == "denied"
    with Place(allow) as place, place.serve() as server:
        assert code_of(call(server, "mark", {"files": []})[0]) == "denied"


def steps_of_act():
    """act does what other tools do: what is denied of them is denied of its steps."""
    with Place('return { rules = { { deny = "no typing", tool = "create_input" }, { allow = true } } }') as place, \
            place.serve() as server:
        result, _ = call(server, "act", {"steps": [{"click": "button \"Save\""}, {"type": "x"}]})
        assert code_of(result) == "denied" and "no typing" in text_of(result), result
        result, _ = call(server, "act", {"steps": [{"find": "button \"Save\""}]})
        assert code_of(result) != "denied", result


def pages():
    """A client that opens URLs, and one that says {} and refuses forms: the page works once, and an answer is one of its own."""
    for capabilities in ({"elicitation": {"url": {}}}, FORM):
        for answer, code in (("Allow for 5 minutes", None), ("Do not allow", "denied")):
            with Place(ASK) as place, place.serve(capabilities=capabilities) as server:
                waiting = server.post("tools/call", {"name": "mark", "arguments": {"note": "<b>&"}})
                asked = server.find(lambda message: message.get("method") == "elicitation/create")
                if capabilities == FORM:
                    assert "requestedSchema" in asked["params"], asked
                    server.send({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32602, "message": "only url"}})
                    asked = server.find(lambda message: message.get("method") == "elicitation/create")
                url = asked["params"]["url"]
                assert asked["params"]["mode"] == "url" and url.startswith("http://127.0.0.1:"), asked
                server.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept"}})
                base = url[:url.index("/", 8)]
                assert get(base + "/")[0] == 404
                status, page = get(url)
                assert status == 200 and "note: &quot;&lt;b&gt;&amp;&quot;" in page and "wants to use mark" in page, page
                assert get(url)[0] == 404, "the address works once"
                action = re.search('action="([^"]+)"', page).group(1)
                assert get(f"{base}{action}?answer={'0' * 32}")[0] == 400
                token = re.search(f'value="([0-9a-f]+)">{answer}<', page).group(1)
                status, page = get(f"{base}{action}?answer={token}")
                assert status == 200 and answer in page, page
                result = server.answer(waiting)["result"]
                assert code_of(result) == code and place.trace() == ([] if code else ["<b>&"]), result


def page_declined():
    with Place(ASK) as place, place.serve(capabilities={"elicitation": {"url": {}}}) as server:
        waiting = server.post("tools/call", {"name": "mark", "arguments": {}})
        asked = server.find(lambda message: message.get("method") == "elicitation/create")
        server.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "decline"}})
        assert code_of(server.answer(waiting)["result"]) == "denied" and place.trace() == []


EDITOR_ONLY = """return { rules = {
  { allow = true, toolset = "engine" }, { allow = true, tool = "list_*" }, { allow = true, app = "org.perigee.TextEditor" },
}, otherwise = "deny" }"""
NO_FILES = 'return { rules = { { deny = "not this one", app = "org.perigee.Files" }, { allow = true } } }'


def applications():
    """Whatever a call is about counts, however it is named: windows, titles, refs, steps, predicates, waits, points."""
    files, editor = "applications/102", "applications/105"
    window, own = f"{files}/windows/104", f"{editor}/windows/107"
    with Place('return { rules = { { allow = true } } }') as place, place.serve() as server:
        found = call(server, "find_elements", {"application": "Files", "selector": "window"})[0]
        ref = found["structuredContent"]["elements"][0]["ref"]
    ours = [("move_window", {"name": own, "x": 5, "y": 5}), ("focus_window", {"name": "notes.txt"}),
            ("get_ui_tree", {"application": "Text Editor"}), ("get_ui_tree", {"application": "Text"}), ("create_input", {"action": "type", "text": "x"}),
            ("act", {"application": editor, "steps": [{"click": 'button "Save"'}]}),
            *(("create_input", {"action": "type", "text": "x", "wait": {"window": "to come", "timeout": 0.1, **wait}})
              for wait in ({"condition": "gone"}, {"condition": "window"}, {"condition": "title", "text": "never"}))]
    theirs = [("move_window", {"name": window, "x": 5, "y": 5}), ("focus_window", {"name": "Home"}), ("close_window", {"name": "Home"}),
              ("activate_application", {"name": "Files"}), ("quit_application", {"name": files}),
              ("get_ui_tree", {"application": "Files"}), ("get_ui_tree", {"window": window}), ("get_ui_tree", {"window": "Home"}),
              ("find_elements", {"application": editor, "window": window}),
              ("act", {"application": editor, "steps": [{"wait": {"element": "button", "application": "Files"}}]}),
              ("act", {"steps": [{"verify": {"element": "button", "application": files}}]}),
              ("verify", {"predicates": [{"element": "button", "application": "Files"}]}),
              ("wait_for", {"condition": "window", "window": "Home", "timeout": 0.1}),
              ("create_input", {"action": "click", "x": 100, "y": 600}),
              ("move_window", {"name": own, "x": 1, "y": 1, "wait": {"condition": "element", "element": "button", "application": "Files"}}),
              *(("create_input", {"action": "type", "text": "x", "wait": {"timeout": 0.1, **wait}})
                for wait in ({"condition": "gone", "element": "button", "application": "Files"}, {"condition": "still", "window": "Home"},
                             {"condition": "gone", "window": "Home", "application": "Files"}, {"condition": "gone", "window": "Home"},
                             {"condition": "window", "window": "o"}, {"condition": "title", "text": "never", "window": "Home"},
                             {"condition": "text", "text": "Home", "window": "Home"})),
              ("focus_window", {"name": "Hom"}), ("quit_application", {"name": "File"}), ("image", {"app": "fils"})]
    for policy in (EDITOR_ONLY, NO_FILES):
        with Place(policy) as place, place.serve() as server:
            for name, arguments in ours:
                result, _ = call(server, name, arguments)
                assert code_of(result) != "denied", (policy, name, arguments, result)
        for name, arguments in theirs:
            with Place(policy) as place, place.serve() as server:
                result, _ = call(server, name, arguments)
                assert code_of(result) == "denied", (policy, name, arguments, result)
    with Place(EDITOR_ONLY) as place, place.serve() as server:
        for name, arguments in (("click_element", {"element": ref, "application": editor}), ("capture_screenshot", {}),
                                ("open_application", {"name": "Calculator"}), ("create_observation", {"what": "windows"}),
                                ("focus_window", {"name": "org.perigee.TextEditor"})):
            result, _ = call(server, name, arguments)
            assert code_of(result) == "denied", (name, arguments, result)


def listed_ref_of_another():
    """A ref is of the application that it was listed in, whatever `application` says."""
    with Place(NO_FILES.replace("not this one", "not to be clicked").replace('app =', 'tool = "click_element", app =')) as place, \
            place.serve() as server:
        found = call(server, "find_elements", {"application": "Files", "selector": "window"})[0]["structuredContent"]["elements"]
        ref = found[0]["ref"]
        for element in (ref, f"button in {ref}", f"button in group in {ref}"):
            for arguments in ({"element": element}, {"element": element, "application": "applications/105"}):
                result, _ = call(server, "click_element", arguments)
                assert code_of(result) == "denied", (arguments, result)


def ref_of_another_in_steps():
    with Place(NO_FILES.replace("not this one", "not to be worked").replace('app =', 'tool = "act", app =')) as place, \
            place.serve() as server:
        found = call(server, "find_elements", {"application": "Files", "selector": "window"})[0]["structuredContent"]["elements"]
        for element in (found[0]["ref"], f"button in {found[0]['ref']}"):
            for step in ({"click": element}, {"double_click": element}, {"set": element, "value": "x"}, {"find": element},
                         {"drag": element, "to": "text"}, {"drag": "text", "to": element}, {"drop": ["/a"], "to": element}):
                result, _ = call(server, "act", {"application": "applications/105", "steps": [step]})
                assert code_of(result) == "denied", (step, result)


PATH = 'return { rules = { { deny = "not these", args = { path = { under = "/etc" } } }, { allow = true } } }'


def dropped_files():
    """A rule about `path` also holds for each file that is dropped, by the tool or a step of act."""
    with Place(PATH) as place, place.serve() as server:
        for files, wanted in ((["/etc/passwd"], "denied"), (["/usr/a", "/etc/../etc/passwd"], "denied"), (["/usr/a"], "not_granted")):
            for name, arguments in (("drop_files", {"files": files, "element": "5,5"}),
                                    ("act", {"steps": [{"drop": files, "to": "5,5"}]})):
                result, _ = call(server, name, arguments)
                same = wanted == "not_granted" and wanted.upper() in json.dumps(result) or code_of(result) == wanted
                assert same, (name, files, result)


FOLDERS = 'return { rules = { { ask = "it writes", tool = "mark", per = { "tool", "folder" }, minutes = 5 }, { allow = true } } }'


def folders():
    """An approval is for a directory and what is in it: all paths of a call count, and none is cut."""
    with Place(FOLDERS) as place, place.serve(capabilities=FORM) as server:
        work = place.folder / "work"
        deep = work / ("d" * 120)
        for name in ("a", "b", "a/inner"):
            (work / name).mkdir()
        (place.folder / "work" / ("d" * 120 + "1")).mkdir()
        (place.folder / "work" / ("d" * 120 + "2")).mkdir()

        def asks(arguments, answer="Allow once"):
            result, asked = call(server, "mark", arguments, answer)
            assert text_of(result) == "marked", result
            return len(asked)
        assert asks({"path": f"{work}/a/x"}, FIVE) == 1
        assert asks({"path": f"{work}/a/y"}) == 0 and asks({"path": f"{work}/a/inner/z"}) == 0
        assert asks({"path": f"{work}/b/x"}) == 1 and asks({"path": f"{work}/x"}) == 1
        assert asks({"path": f"{work}/a/x", "files": [f"{work}/b/y"]}) == 1, "a second path"
        assert asks({"files": [f"{work}/a/x", "/etc/passwd"]}) == 1, "of a list"
        assert asks({"path": f"{work}/a/../b/x"}) == 1 and asks({}) == 1
        assert asks({"path": f"{deep}1/x"}, FIVE) == 1 and asks({"path": f"{deep}2/x"}) == 1, "long names"
        assert asks({"path": f"{work}/a/new/../../c"}, FIVE) == 1, "one that leads nowhere plain"
        assert asks({"path": f"{work}/a/new/../../e"}) == 1, "and another"


BY_ITSELF = """
local engine, task = require "sys.engine", require "sys.task"
return { description = "Calls another later.", inputSchema = { type = "object" }, annotations = { readOnlyHint = true },
  run = function()
    local said
    task.apart("later", function()
      local result = engine.call("mark", {})
      said = result.code or "ran"
      task.signal "done"
    end)
    task.await "done"
    return said
  end }
"""


def by_itself():
    """A call that a server's file makes by itself is not a person's command."""
    policy = 'return { rules = { { allow = true, caller = { kind = { "terminal", "script" } } }, ' \
             '{ deny = "by itself", caller = "engine" }, { allow = true } } }'
    with Place(policy, later=BY_ITSELF) as place, place.serve() as server:
        assert text_of(call(server, "later")[0]) == "denied" and place.trace() == []


def script_and_command():
    """`perigee run` is a script, `perigee call` a terminal."""
    for kind, words in (("script", ["run", "-e", "local ok, e = pcall(tools.mark, {}) print(ok, e)"]), ("terminal", ["call", "mark"])):
        policy = 'return { rules = { { deny = "it is a %s", caller = "%s" }, { allow = true } } }' % (kind, kind)
        with Place(policy) as place:
            done = subprocess.run(place.words(*words), env={**os.environ, **place.env}, capture_output=True, text=True, timeout=60,
                                  cwd=place.folder / "work", check=False)
            assert f"it is a {kind}" in done.stdout + done.stderr and place.trace() == [], (kind, done)


def at_a_terminal(words, place, typed):
    """Runs it on a terminal of its own and types when it asks; what it said, and its exit status."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(place.env)
        os.chdir(place.folder / "work")
        os.execv(words[0], words)
    said = b""
    with contextlib.suppress(OSError):      # the terminal's end
        while True:
            said += os.read(fd, 4096)
            if typed and said.rstrip().endswith(b":"):
                os.write(fd, typed.pop(0))
    _, ended = os.waitpid(pid, 0)
    os.close(fd)
    return said, os.waitstatus_to_exitcode(ended)


def client_on_a_terminal():
    """`perigee mcp call` asks what the server asks, as the agent does."""
    with Place(ASK) as place:
        words = [PERIGEE, "mcp", "call", "mark", "note=x", "--", *place.words("serve")]
        said, status = at_a_terminal(words, place, [b"7\n", b"2\n"])
        assert b'The client "perigee" wants to use mark.' in said and b"  2  Allow for 5 minutes" in said, said
        assert b"Type a number from 1 to " in said and status == 0 and place.trace() == ["x"], (status, said)
        said, status = at_a_terminal(words, place, [])
        assert status == 0 and place.trace() == ["x", "x"], said


def terminal():
    """A command asks on the terminal, and a no there is a no."""
    with Place('return { rules = { { ask = "it leaves a trace", tool = "mark" }, { allow = true } } }') as place:
        for typed, status, traces in (([b"1\n"], 0, 1), ([b"9\n", b"x\n", b"3\n"], 3, 1), ([b"\x04"], 3, 1)):
            said, ended = at_a_terminal(place.words("call", "mark"), place, typed)
            assert b"A command in a terminal wants to use mark." in said and b"  1  Allow once" in said, said
            assert (ended, len(place.trace())) == (status, traces), said


def main():
    for name, function in (
            ("a call that is denied does nothing and says why", denied),
            ("the client is asked, and its answer holds for what was approved", asked_and_remembered),
            ("once is once", once_is_once),
            ("a no is not asked about again at once", refusals),
            ("an answer that was not offered is not a yes", nonsense_is_no_yes),
            ("where nobody can be asked the call fails and says what to do", nobody_to_ask),
            ("an approval is for one client, and outlives the engine", other_client),
            ("one for a session ends with it", for_a_session),
            ("approvals are listed, and revoked at once", revoked),
            ("approvals are private files", private),
            ("an approval that is over, or cannot be read, does not count", expired),
            ("a saved policy is in effect, and a broken one keeps the last good", reload),
            ("a policy that is broken from the start lets nothing pass", broken_at_the_start),
            ("a policy that cannot be read is not passed over", unreadable),
            ("a policy that is new is seen by the next process", new_beside_a_catalog),
            ("a rule's function that fails ends the call", a_function_that_fails),
            ("paths are where they lead", paths),
            ("hosts are those that a program would ask", hosts),
            ("paths and hosts have many spellings", spellings),
            ("a rule that allows fits all paths of a list, one that denies fits any", lists_of_paths),
            ("act is judged by its steps", steps_of_act),
            ("applications are told however they are named", applications),
            ("a ref is of the application that it was listed in", listed_ref_of_another),
            ("a ref in a step is, too", ref_of_another_in_steps),
            ("a rule about a path holds for files that are dropped", dropped_files),
            ("an approval for a directory covers what is in it, and nothing else", folders),
            ("a call that a server's file makes by itself is not a command", by_itself),
            ("a script is a script and a command a command", script_and_command),
            ("a client that opens URLs shows a page, which works once", pages),
            ("a page that the user does not open is a no", page_declined),
            ("a command asks on the terminal", terminal),
            ("a client on a terminal asks there", client_on_a_terminal)):
        tap.case(name, function)
    tap.done()


main()
