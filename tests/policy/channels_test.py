#!/usr/bin/env python3
"""Text of mounted servers and foreign tools keeps its mark on every channel by which a client can read it, a question says whose
it is, and what carries text to a server passes the rules."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call                  # noqa: E402
from http_peer import wait_for               # noqa: E402
from telling_double import CHANNELS, SENTENCES, sentence         # noqa: E402
from tools import until                      # noqa: E402
import tap                                   # noqa: E402

DOUBLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "telling_double.py")
ABLE = {"elicitation": {}, "sampling": {}}
RULES = 'return { rules = { { ask = "copied", from = "mount", tool = "mark", per = "call" }, { allow = true } } }'
ONCE = "Allow once"
CALLS = {"progress": "progress", "question": "a question", "sample": "a sampling request", "error": "an error",
         "failed": "a failed result", "result": "a result", "change": "the list"}


def mounted(rules=RULES, **more):
    place = Place(rules, **more)
    place.put("home/mcp.json", json.dumps({"mcpServers": {"far": {
        "command": sys.executable, "args": [DOUBLE], "env": {"TELLING_LOG": str(place.folder / "sent")}}}}))
    return place


def served(place, **options):
    server = place.serve("--mount", "far", **{"capabilities": ABLE, **options})
    wait_for("the mounted tools", lambda: "far_tells" in {tool["name"] for tool in server.ask("tools/list")["result"]["tools"]})
    return server


def asks(server, text):
    """True if the policy asks about a call with this text."""
    return len(call(server, "mark", {"note": text}, [ONCE])[1]) == 1


def tells(server, how):
    """Calls the tool; answers what it asks. Returns its questions."""
    asked = []
    number = server.post("tools/call", {"name": "far_tells", "arguments": {"how": how}, "_meta": {"progressToken": "t"}})
    while True:
        message = server.find(lambda each: each.get("id") == number and "method" not in each or
                              each.get("method") in ("elicitation/create", "sampling/createMessage"))
        if "method" not in message:
            return asked
        asked.append(message)
        server.send({"jsonrpc": "2.0", "id": message["id"], "result": {"action": "accept", "content": {"name": "x"}}
                     if message["method"] == "elicitation/create" else
                     {"role": "assistant", "model": "m", "content": {"type": "text", "text": "x"}}})


def every_channel():
    with mounted() as place, served(place) as server:
        assert not asks(server, sentence(len(CHANNELS)))
        for how in CALLS:
            tells(server, how)
        server.ask("prompts/get", {"name": "far_says", "arguments": {}})
        server.ask("resources/read", {"uri": "far+telling://a"})
        server.ask("completion/complete", {"ref": {"type": "ref/prompt", "name": "far_says"}, "argument": {"name": "mood", "value": "x"}})
        until(lambda: "Does nothing." in json.dumps(server.ask("tools/list")), "the changed list")
        for channel, text in SENTENCES.items():
            assert asks(server, text) == (channel != "the data of an error"), channel   # which reaches nobody


def many_reports():
    """A flood of progress pushes out nothing that was read before."""
    with mounted() as place, served(place) as server:
        tells(server, "result")
        backwards = SENTENCES["a result"][::-1]   # is found only while the text itself is kept
        assert asks(server, backwards)
        tells(server, "flood")
        assert asks(server, backwards) and asks(server, "and now step 999 please") is False
        assert asks(server, SENTENCES["a result"])


def whose_question():
    with mounted() as place, served(place) as server:
        (asked,) = tells(server, "question")
        assert asked["params"]["message"] == f'The mounted server "far" asks: {SENTENCES["a question"]}', asked
        (asked,) = tells(server, "sample")
        assert asked["params"]["systemPrompt"] == f'The mounted server "far" asks: {SENTENCES["the system prompt of one"]}', asked


def of_the_policy():
    """A question of the policy about a call of the server is not the server's, and is not text from it."""
    rules = RULES.replace("rules = {", 'rules = { { ask = "the reason is private", tool = "far_tells" },')
    with mounted(rules) as place, served(place) as server:
        (asked,) = tells_with_no(server)
        assert asked["params"]["message"].startswith("The client"), asked
        assert not asks(server, "why the reason is private")


def tells_with_no(server):
    number, asked = server.post("tools/call", {"name": "far_tells", "arguments": {"how": "result"}}), []
    while True:
        message = server.find(lambda each: each.get("id") == number and "method" not in each or each.get("method") == "elicitation/create")
        if "method" not in message:
            return asked
        asked.append(message)
        server.send({"jsonrpc": "2.0", "id": message["id"], "result": {"action": "decline"}})


# --- what goes to a server -----------------------------------------------------------------------------

PAGE = """
return { description = "Reads a page.", from = "web", inputSchema = { type = "object" },
  run = function() return "secret berries and plums, at https://thief.example/x" end }
"""
COPIED = "secret berries and plums"
ABOUT = {   # rules, each with what is sent: it asks about `bad` alone
    "from": ('{ ask = "copied", mounted = true, from = "web" }', COPIED, "other words of mine"),
    "a host": ('{ ask = "copied", mounted = true, from = "web", known_host = false }', "https://thief.example/x", "words of mine"),
    "all": ('{ ask = "all", mounted = true, kind = { "resource", "prompt" } }', "words", None)}


def doors(server, modern):
    """The requests that carry text to a server, each with a function of the text that sends it; it returns the answer."""
    def uri(text):
        return "far+telling://" + text.replace(" ", "%20")

    def complete(ref, value, **others):
        return server.ask("completion/complete", {"ref": ref, "argument": {"name": "id" if "uri" in ref else "mood", "value": value},
                                                  "context": {"arguments": others}})
    prompt, template = {"type": "ref/prompt", "name": "far_says"}, {"type": "ref/resource", "uri": "far+telling://{id}"}
    found = {"a completion of a prompt": lambda text: complete(prompt, text),
             "its other arguments": lambda text: complete(prompt, "x", mood=text),
             "a completion of a template": lambda text: complete(template, text),
             "a read": lambda text: server.ask("resources/read", {"uri": uri(text)})}
    if not modern:
        found["a subscription"] = lambda text: server.ask("resources/subscribe", {"uri": uri(text)})
    return found


def sent(place):
    """The requests that have gone to the server, but for its lists."""
    lines = [json.loads(line) for line in (place.folder / "sent").read_text().splitlines()]
    return [line for line in lines if line.get("method") in ("completion/complete", "resources/read", "resources/subscribe")]


def what_goes_out():
    for about, (rule, bad, good) in ABOUT.items():
        rules = "return { rules = { " + rule + ", { allow = true } } }"
        with mounted(rules, page=PAGE) as place, served(place, capabilities={}) as server:
            call(server, "page")
            for door, through in doors(server, False).items():
                before = len(sent(place))
                answer = through(bad)
                said = json.dumps(answer)
                assert "error" in answer and "needs the user's approval" in said and "policy explain" in said, (about, door, answer)
                assert len(sent(place)) == before, (about, door, sent(place))
                if good:
                    assert "result" in through(good), (about, door)
                    until(lambda: len(sent(place)) > before, door)


def subscription_says_what_to_do():
    rules = "return { rules = { " + ABOUT["all"][0] + ", { allow = true } } }"
    with mounted(rules) as place, served(place, capabilities=ABLE) as server:
        answer = server.ask("resources/subscribe", {"uri": "far+telling://a"})["error"]
        assert answer["data"]["perigee/code"] == "not_approved" and "Read the resource instead" in answer["message"], answer
        assert not sent(place)
    with mounted(rules.replace("ask", "deny")) as place, served(place, capabilities=ABLE) as server:
        answer = server.ask("resources/subscribe", {"uri": "far+telling://a"})["error"]
        assert answer["data"]["perigee/code"] == "denied" and not sent(place), answer


EFFECTS = ['effect = "mount"', 'effect = "mount", how = "subscribe"', 'effect = "mount", caller = "client"',
           'effect = { "request", "mount" }, server = "far"', 'effect = "mount", text = "*telling://a*"', 'resource = "far+telling://a"']


def subscribing_is_an_effect():
    """A rule about what goes to the server is told of with its code, and nothing goes there."""
    for condition in EFFECTS:
        for verdict, code in (("ask", "not_approved"), ("deny", "denied")):
            with mounted(f'return {{ rules = {{ {{ {verdict} = "so", {condition} }}, {{ allow = true }} }} }}') as place, \
                    served(place, capabilities=ABLE) as server:
                answer = server.ask("resources/subscribe", {"uri": "far+telling://a"})
                assert "error" in answer and answer["error"]["data"]["perigee/code"] == code, (condition, verdict, answer)
                assert not sent(place), (condition, verdict)


def listening():
    """In 2026-07-28 a subscription that may not be made is left out of those that are acknowledged."""
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientInfo": {"name": "tester", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}}
    rules = "return { rules = { " + ABOUT["all"][0] + ", { allow = true } } }"
    for which, uris in ((rules, []), (rules.replace('"resource", ', ""), ["far+telling://a"])):
        with mounted(which) as place:
            with served(place):
                pass   # the lists are kept from here on
            with place.serve("--mount", "far", version=None) as server:
                server.post("subscriptions/listen", {"notifications": {"resourceSubscriptions": ["far+telling://a"]}, "_meta": meta})
                said = server.find(lambda each: each.get("method") == "notifications/subscriptions/acknowledged")["params"]
                assert said["notifications"].get("resourceSubscriptions", []) == uris, said
                if uris:
                    until(lambda: sent(place), "the subscription")
                assert len(sent(place)) == len(uris)


def subscribed_as_shipped():
    """The policy that comes with Perigee lets a client subscribe to what the server lists, even if another page named its host."""
    with mounted(None, page=PAGE) as place, served(place) as server:
        call(server, "page")
        assert "result" in server.ask("resources/subscribe", {"uri": "far+telling://a"})
        until(lambda: sent(place), "the subscription")
        answer = server.ask("resources/subscribe", {"uri": "far+https://thief.example/x"})
        assert answer["error"]["data"]["perigee/code"] == "not_approved" and len(sent(place)) == 1, answer


# --- foreign tools ------------------------------------------------------------------------------------

FOREIGN = """
-- trust = "foreign"
return { description = "Feed nine ochre geese today.", trust = "foreign",
  inputSchema = { type = "object", properties = { how = { type = "string", description = "Feed nine azure geese today." } } },
  run = function(args, call)
    if args.how == "progress" then call:progress(1, 2, "Feed nine black geese today.") end
    if args.how == "log" then call:log("error", { note = "Feed nine cream geese today." }) end
    if args.how == "ask" then local _, err = call:ask { message = "Feed nine dusky geese today.", schema = { type = "object", properties = {} } } return err end
    if args.how == "error" then return nil, "Feed nine early geese today.", "feed_nine_faded_geese", { note = "Feed nine giant geese today." } end
    if args.how == "raise" then error("Feed nine heavy geese today.") end
    return "Feed nine idle geese today."
  end }
"""
BROKEN = '-- trust = "foreign"\nerror("Feed nine jolly geese today.")\n'
COLORS = "ochre azure black cream early giant heavy idle jolly".split()


def foreign_tools():
    with Place(RULES) as place:
        place.put("home/foreign/feeds.lua", FOREIGN)
        place.put("home/foreign/breaks.lua", BROKEN)
        with place.serve(capabilities=ABLE) as server:
            assert not asks(server, "Feed nine purple geese today.")
            for how in ("progress", "log", "error", "raise", "result"):
                server.ask("tools/call", {"name": "feeds", "arguments": {"how": how}, "_meta": {"progressToken": "t"}})
            assert not call(server, "feeds", {"how": "ask"})[1], "a foreign tool asks nobody"
            server.ask("tools/call", {"name": "engine_status", "arguments": {}})
            for color in COLORS:
                assert asks(server, f"Feed nine {color} geese today."), color
            assert asks(server, "feed_nine_faded_geese"), "a code"


def errors_of_own_files():
    """The error that a file of the user's raises with text that it has read, and its progress."""
    reads = """
return { description = "Reads a page.", from = "web", inputSchema = { type = "object", properties = { how = { type = "string" } } },
  run = function(args, call)
    if args.how == "raise" then error("the page says: carry nine %s geese") end
    call:progress(1, 2, "carry nine small geese")
    return "nothing"
  end }
"""
    rules = RULES.replace('"mount"', '"web"')
    with Place(rules, reads=reads % "large") as place, place.serve(capabilities=ABLE) as server:
        server.ask("tools/call", {"name": "reads", "arguments": {"how": "raise"}})
        server.ask("tools/call", {"name": "reads", "arguments": {}, "_meta": {"progressToken": "t"}})
        assert asks(server, "carry nine large geese") and asks(server, "carry nine small geese")
        assert not asks(server, "carry nine purple geese")


for title, function in (("every channel of a mounted server", every_channel), ("a flood of reports", many_reports),
                        ("a server's question names it", whose_question), ("a question of the policy", of_the_policy),
                        ("text that goes to a server passes the rules", what_goes_out),
                        ("a subscription that may not be made", subscription_says_what_to_do),
                        ("one in 2026-07-28", listening),
                        ("a subscription is an effect", subscribing_is_an_effect),
                        ("subscriptions under the shipped policy", subscribed_as_shipped),
                        ("every channel of a foreign tool", foreign_tools), ("errors and progress of own files", errors_of_own_files)):
    tap.case(title, function)
tap.done()
