#!/usr/bin/env python3
"""`perigee policy` finds facts that no effect has, and `perigee policy explain` answers for effects."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, Place     # noqa: E402
import tap                         # noqa: E402


def perigee(place, *words):
    env = {**os.environ, **place.env, "NO_COLOR": "1"}
    return subprocess.run([PERIGEE, "policy", *words], env=env, capture_output=True, text=True, timeout=60, check=False)


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
        assert "mail: rule 17, ask: it sends mail in your name" in perigee(place, "explain", "send_email", "to=a@b.example").stdout
        told = json.loads(perigee(place, "explain", "--json", "send_email", "to=a@b.example").stdout)["effects"]
        assert any(each["effects"] == ["mail"] and each["verdict"] == "ask" for each in told), told


for title, function in (("facts that no effect has", facts_of_rules), ("effects are explained", explained)):
    tap.case(title, function)
tap.done()
