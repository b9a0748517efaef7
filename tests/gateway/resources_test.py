#!/usr/bin/env python3
"""Mounted servers' prompts and resources among ours: lists, reading, completion, subscriptions, names and addresses."""

import json
import pathlib
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))
sys.path.insert(0, str(TOP / "tests" / "gateway"))

import tap                                          # noqa: E402
from house import House, result, until, wait_for, warm  # noqa: E402

DOUBLE = str(TOP / "tests/gateway/library_double.py")
LIST = "touch,publish,link,takes,die"
ERAS = ["legacy", "modern"]


class Library(House):
    """A house whose servers are libraries; `era` is theirs."""

    def __init__(self, *names, era="dual"):
        super().__init__()
        for name in names:
            self.library(name, "--era", era)

    def library(self, name, *words):
        self.add(name, command=sys.executable,
                 args=[DOUBLE, "--journal", str(self.folder / name), "--list", LIST, *words])


def listed(server, method, key):
    return {item.get("uri") or item.get("uriTemplate") or item["name"]: item
            for item in server.ask(method)["result"][key]}


def resources(server):
    return listed(server, "resources/list", "resources")


def templates(server):
    return listed(server, "resources/templates/list", "resourceTemplates")


def prompts(server):
    return listed(server, "prompts/list", "prompts")


def read(server, uri):
    return server.ask("resources/read", {"uri": uri})


def appear_as_the_server_wrote_them():
    with Library("one") as house:
        warm(house)
        starts = house.starts("one")
        with house.serve() as server:
            found = until(lambda: resources(server), lambda all_: "one+book://moon" in all_, "no resources")
            assert found["one+book://moon"] == {"uri": "one+book://moon", "name": "Moon", "mimeType": "text/plain",
                                                "x-of-theirs": [1], "_meta": {"id": 2 ** 64 - 1}}, found
            assert "perigee://status" in found, found
            found = templates(server)
            assert found["one+book://{title}/{page}"]["description"] == "One.", found
            assert "one+shelf://{path*}" in found and "one+{+uri}" not in found, found
            found = prompts(server)
            assert found["one_hello_there"]["title"] == "Greets", found
            assert found["one_hello_there"]["x-of-theirs"] == 1, found
            assert house.starts("one") == starts, house.journal("one")


def reading(era):
    with Library("one", era=era) as house:
        warm(house)
        with house.serve() as server:
            assert read(server, "one+book://moon")["result"]["contents"] == [
                {"uri": "one+book://moon", "text": "read book://moon", "x-of-theirs": {}, "_meta": {"id": 10 ** 30}}]
            assert read(server, "one+book://cover")["result"]["contents"][0]["blob"].startswith("AAECAwQF")
            for uri in "book://moon/3", "shelf://a/b/c", "never-listed:x":
                content = read(server, "one+" + uri)["result"]["contents"][0]
                assert (content["uri"], content["text"]) == ("one+" + uri, "read " + uri), content
            assert read(server, "ui://library/page")["result"]["contents"][0]["text"] == "read ui://library/page"
            said = read(server, "one+book://nothing")["error"]
            assert said["code"] == -32002 and said["data"] == {"uri": "one+book://nothing"}, said
            said = read(server, "one+book://burnt")["error"]
            assert said["code"] == -32603 and "it burnt" in said["message"], said
            assert read(server, "book://moon")["error"]["code"] == -32002


def getting_a_prompt(era):
    with Library("one", era=era) as house:
        warm(house)
        with house.serve() as server:
            def get(**args):
                return server.ask("prompts/get", {"name": "one_hello_there", "arguments": args})

            said = get(whom="Ann", book="one+book://moon")
            assert "result" in said, (said, server.stderr())
            said = said["result"]
            assert said["description"] == "For Ann", said
            assert said["messages"][0]["content"]["text"] == '{"book": "book://moon", "whom": "Ann"}', said
            assert said["messages"][1] == {"role": "assistant", "content": {"type": "resource", "resource": {
                "uri": "one+book://moon", "text": "It shines.", "x-of-theirs": []}}}, said
            said = get(whom="nobody")["error"]
            assert said["code"] == -32602 and "there is nobody" in said["message"], said
            said = get()["error"]
            assert said["code"] == -32602 and "needs the argument whom" in said["message"], said


def completing():
    with Library("one") as house:
        warm(house)
        with house.serve() as server:
            def complete(ref, name, value):
                answer = server.ask("completion/complete", {"ref": ref, "argument": {"name": name, "value": value}})
                return answer["result"]["completion"]

            said = complete({"type": "ref/prompt", "name": "one_hello_there"}, "book", "moon")
            assert said == {"values": ["moon", "moonlight"], "total": 9, "hasMore": True}, said
            for template in "book://{title}/{page}", "shelf://{path*}":
                name = "page" if "page" in template else "path"
                said = complete({"type": "ref/resource", "uri": "one+" + template}, name, "s")
                assert said["values"] == [template, "sun"], said


def links_lead_back():
    with Library("one", "two") as house:
        warm(house)
        with house.serve() as server:
            wait_for(server, "one_link")
            blocks = result(server, "one_link")["content"]
            assert blocks[0]["uri"] == "one+book://moon/3", blocks
            assert blocks[1]["resource"]["uri"] == "one+book://moon", blocks
            assert blocks[2]["uri"] == "ui://library/page", blocks
            args = {"of": "one+book://moon", "deep": [{"a": "one+x:y"}], "else": "two+y:x", "n": 1}
            said = json.loads(result(server, "one_takes", args)["content"][0]["text"])
            assert said == {"of": "book://moon", "deep": [{"a": "x:y"}], "else": "two+y:x", "n": 1}, said


def two_of_a_kind():
    with Library("My_lib", "my-lib") as house:
        warm(house)
        with house.serve() as server:
            found = until(lambda: resources(server), lambda all_: "my-lib-2+book://moon" in all_, "no resources")
            assert "my-lib+book://moon" in found and list(found).count("ui://library/page") == 1, found
            assert read(server, "my-lib-2+book://moon")["result"]["contents"][0]["text"] == "read book://moon"


def updates(era):
    with Library("one", era=era) as house:
        house.rules("one", "return { idle = 0.2 }")
        warm(house)
        with house.serve() as server:
            uri = "one+book://moon"
            assert server.ask("resources/subscribe", {"uri": uri})["result"] == {}
            until(lambda: house.journal("one"), lambda lines: "subscribed book://moon" in lines, "not subscribed")
            result(server, "one_touch", {"uri": "book://sun"})
            result(server, "one_touch", {"uri": "book://moon"})
            assert server.notified("notifications/resources/updated")["params"] == {"uri": uri}
            # it dies; it is started again for us, and what may have happened meanwhile is told
            before = house.journal("one").count("subscribed book://moon")
            result(server, "one_die")
            until(lambda: house.journal("one"), lambda lines: lines.count("subscribed book://moon") > before,
                  "not subscribed again")
            assert server.notified("notifications/resources/updated")["params"] == {"uri": uri}
            # whom nobody watches is told so, and is stopped when idle
            ends = house.journal("one").count("eof")
            server.ask("resources/unsubscribe", {"uri": uri})
            gone = "unsubscribed book://moon" if era == "legacy" else "subscribed "
            until(lambda: house.journal("one"), lambda lines: gone in lines[-8:], "not unsubscribed")
            until(lambda: house.journal("one").count("eof"), lambda n: n > ends, "it is not stopped")


def changes_are_told(era):
    with Library("one", era=era) as house:
        warm(house)
        with house.serve() as server:
            wait_for(server, "one_publish")
            server.early.clear()  # the changes by the mounting itself
            result(server, "one_publish", {"list": "prompts"})
            server.notified("notifications/prompts/list_changed")
            assert "one_new" in prompts(server), prompts(server)
            result(server, "one_publish", {"list": "resources"})
            server.notified("notifications/resources/list_changed")
            assert "one+book://new" in resources(server), resources(server)


def rules_leave_out():
    with Library("one") as house:
        house.rules("one", 'return { prefix = "lib-", prompts = { hide = { "hello*" } }, '
                           'resources = { hide = { "book://*" } } }')
        warm(house)
        with house.serve() as server:
            until(lambda: templates(server), lambda all_: "one+shelf://{path*}" in all_, "no templates")
            assert not [uri for uri in [*resources(server), *templates(server)] if "book" in uri], resources(server)
            assert read(server, "one+book://moon")["error"]["code"] == -32002
            assert read(server, "one+shelf://x")["result"]
            assert not [name for name in prompts(server) if "hello" in name]
            server.early.clear()
            house.rules("one", 'return { prefix = "lib-", resources = false }')
            server.notified("notifications/resources/list_changed")
            assert "lib-hello_there" in prompts(server), prompts(server)
            assert not [uri for uri in resources(server) if uri.startswith("one+")]
            assert read(server, "one+shelf://x")["error"]["code"] == -32002
            assert result(server, "lib-link")["content"][0]["uri"] == "book://moon/3"
            house.rules("one", "return { resources = { hid = {} } }")
            until(server.stderr, lambda text: 'unknown key "hid" of resources' in text, "the fault is not told")


def a_file_of_the_same_address_wins():
    with Library("one") as house:
        (house.folder / "home/resources").mkdir(parents=True)
        (house.folder / "home/resources/moon.lua").write_text(
            'return { uri = "one+book://moon", description = "Mine.", read = function() return "mine" end }')
        warm(house)
        with house.serve() as server:
            until(lambda: resources(server), lambda all_: "one+book://cover" in all_, "no resources")
            assert resources(server)["one+book://moon"]["description"] == "Mine."
            assert read(server, "one+book://moon")["result"]["contents"][0]["text"] == "mine"


def from_scripts():
    with Library("one") as house:
        done = house.run("run", "--mount", "one", "-e", """
            local engine = require "sys.engine"
            print(engine.read("one+book://moon")[1].text)
            print(engine.prompt("one_hello_there", { whom = "Ann" }).description)
            print(engine.read "one+book://nothing")""")
        assert done.stdout.splitlines()[:2] == ["read book://moon", "For Ann"], (done.stdout, done.stderr)
        assert done.stdout.splitlines()[2].startswith("nil\tno such book"), done.stdout


def a_list_that_was_kept_is_looked_at_again():
    with Library("one") as house:
        warm(house)
        kept = house.folder / "state/perigee/mounts/one.json"
        old = json.loads(kept.read_text())
        old["lists"]["tools"] = old["lists"]["tools"].replace("takes", "took")
        kept.write_text(json.dumps(old))
        with house.serve() as server:
            wait_for(server, "one_took")
            result(server, "one_link")
            server.notified("notifications/tools/list_changed")
            wait_for(server, "one_takes")


def main():
    tap.case("prompts, resources and templates appear as the server wrote them, and nothing is started",
             appear_as_the_server_wrote_them)
    for era in ERAS:
        tap.case(f"resources are read, listed or not ({era})", reading, era)
        tap.case(f"prompts are handed on whole, and so are refusals ({era})", getting_a_prompt, era)
        tap.case(f"subscribers hear of changes, also after the server died ({era})", updates, era)
        tap.case(f"changed lists are told ({era})", changes_are_told, era)
    tap.case("arguments of prompts and variables of templates are completed by the server", completing)
    tap.case("links of results lead back to their server, and so do addresses in arguments", links_lead_back)
    tap.case("two servers with the same addresses, and nearly the same name", two_of_a_kind)
    tap.case("rules leave out prompts and resources", rules_leave_out)
    tap.case("a resource file of the same address wins", a_file_of_the_same_address_wins)
    tap.case("scripts read and render them", from_scripts)
    tap.case("a list that was kept is read again when the server runs", a_list_that_was_kept_is_looked_at_again)
    tap.done()


main()
