#!/usr/bin/env python3
"""`perigee policy` finds facts that no effect has, and `perigee policy explain` answers for effects."""

import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, TOP, Place     # noqa: E402
import tap                         # noqa: E402


def perigee(place, *words):
    env = {**os.environ, **place.env, "NO_COLOR": "1"}
    return subprocess.run([PERIGEE, "policy", *words], env=env, capture_output=True, text=True, timeout=60, check=False)


def examples_of_the_policy():
    """`perigee policy test` runs those of the policy alone, and warns of names in it that nothing here has."""
    rules = """return { rules = { { allow = true, tool = "click_elemnt" }, { allow = true } }, examples = {
      { "well", tool = "list_windows", want = "allow" }, { "odd", tool = "list_window", caller = "clinet", want = "allow" } } }"""
    with Place(rules) as place:
        said = perigee(place, "test")
        assert said.returncode == 0 and said.stdout.split("\n") == ["policy.lua", "  ok   well", "  ok   odd", "2 passed, 0 failed", ""], said
        for words in ('no tool "click_elemnt"; did you mean click_element?', 'no kind "clinet"; did you mean client?',
                      'no tool "list_window"; did you mean list_windows'):
            assert said.stderr.count(words) == 1, said
        assert json.loads(perigee(place, "test", "--json").stdout)["passed"] == 2
    with Place(None) as place:
        said = perigee(place, "test")
        assert said.returncode == 0 and said.stderr == "" and said.stdout.endswith("\n3 passed, 0 failed\n"), said


def facts_of_rules():
    """Each error names the nearest right one."""
    for condition, said in (('effect = "inptu"', "input"), ('effect = "input", how = "tpye"', "did you mean type"),
                            ('effect = "input", terminal = "yes"', "expected true or false"), ('effect = "mail", terminal = true', "has no 'terminal'"),
                            ('effect = { "input", "file" }, terminal = true', "the effect file has no"), ('effect = "mail", program = true', "program"),
                            ('effect = "file", paht = "/x"', "paths"), ('effect = "process", env = true', "expected text")):
        with Place('return { rules = { { deny = "no", %s } } }' % condition) as place:
            done = perigee(place)
            assert done.returncode == 1 and said in done.stdout + done.stderr, (condition, done)
    for condition in ('effect = { "input", "press" }, terminal = true', 'effect = "file", how = "re*"', 'effect = "process", env = "LD_*", shell = true'):
        with Place('return { rules = { { deny = "no", %s } } }' % condition) as place:
            assert perigee(place).returncode == 0, condition


def explained():
    with Place(None) as place:
        for words, verdict in ((["input", "text=ls", "terminal=true", "from=screen"], "ask"), (["input", "text=ls", "terminal=false", "from=screen"], "allow"),
                               (["process", "argv=ls", "env=LD_PRELOAD=/x"], "ask"), (["process", "argv=ls"], "allow")):
            assert json.loads(perigee(place, "explain", "--json", *words).stdout)["verdict"] == verdict, words
        for words, said in ((["input", "txt=ls"], "did you mean text"), (["input", "terminal=maybe"], "true or false"), (["input", "how=tpye"], "type")):
            done = perigee(place, "explain", *words)
            assert done.returncode == 2 and said in done.stderr, done
        assert "holds for this call alone" in perigee(place, "explain", "mail", "to=a@b.example").stdout
        said = perigee(place, "explain", "send_email", "to=a@b.example").stdout
        assert re.search(r"mail: rule \d+, ask: it sends mail in your name", said), said
        told = json.loads(perigee(place, "explain", "--json", "send_email", "to=a@b.example").stdout)["effects"]
        assert any(each["effects"] == ["mail"] and each["verdict"] == "ask" for each in told), told


# One value of each type, as a command line gives it.
VALUES = {"text": '"a"', "number": "5", "true": "true", "list": '[{"x":1,"y":2}]'}


def kinds():
    """The facts of each effect, and what its binding gets."""
    text = (TOP / "lua/lib/policy/effect/kinds.lua").read_text()
    for row in re.findall(r'\{ name = "(\w+)".*?\}', text, re.S):
        whole = text[text.index(f'{{ name = "{row}"'):].split("}", 1)[0]
        has, takes = (" ".join(re.findall(rf'{word} = "([^"]*)"', whole)).split() for word in ("has", "takes"))
        yield row, has, has + takes + ["how", "app", "from", "via"]


def values_of_every_type():
    """A wrong one is an error of its user, and never one of ours."""
    rules = 'return { rules = { %s { allow = true } } }'
    for fact in ("text", "argv", "url", "host", "paths", "terminal", "granted", "name", "to", "shell"):
        for effect, has, _ in kinds():
            if fact in has:
                value = "true" if fact in ("terminal", "granted", "shell") else '"a"'
                rules = rules.replace("%s", f'{{ ask = "so", effect = "{effect}", {fact} = {value} }}, %s')
    tried = 0
    with Place(rules.replace("%s", "")) as place:
        for effect, _, names in kinds():
            for kind, value in VALUES.items():
                for name in names:
                    done = perigee(place, "explain", effect, f"{name}:={value}")
                    assert "traceback" not in done.stderr and ".lua:" not in done.stderr, (effect, name, kind, done.stderr)
                    assert done.returncode in (0, 2), (effect, name, kind, done)
                    tried += 1
                    if kind == "number" and name not in ("x", "y", "port"):
                        assert done.returncode == 2 and name in done.stderr, (effect, name, done)
    assert tried > 300, tried


for title, function in (("values of every type", values_of_every_type), ("facts that no effect has", facts_of_rules), ("effects are explained", explained),
                        ("examples of the policy", examples_of_the_policy)):
    tap.case(title, function)
tap.done()
