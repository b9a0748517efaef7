#!/usr/bin/env python3
"""Values of .env are *** wherever a file's own words are kept or told: in a service's log and error, in engine_status, in raised errors."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import PERIGEE, Place, call, text_of     # noqa: E402
from tools import until                           # noqa: E402
import tap                                        # noqa: E402

VALUE = "Zq7ENVSECRETvalue99"
ALLOW = "return { rules = { { allow = true } } }"
SERVICE = f'return {{ description = "Fails.", start = function(context) context.log("has {VALUE} here") error("broke at {VALUE}") end }}'
RAISES = f'return {{ description = "Raises.", inputSchema = {{ type = "object" }}, run = function() error("no {VALUE} there") end }}'


def values_of_the_env_file():
    with Place(ALLOW, raises=RAISES) as place:
        place.put("home/.env", f"MY_API_KEY={VALUE}\n")
        os.chmod(place.folder / "home/.env", 0o600)
        place.put("home/services/fails.lua", SERVICE)
        with place.serve() as server:
            def log():
                return subprocess.run([PERIGEE, "service", "log", "fails"], env={**os.environ, **place.env}, capture_output=True, text=True,
                                      timeout=120).stdout
            said = until(lambda: "broke at" in log() and log(), "the service's log")
            assert VALUE not in said and "has *** here" in said and "broke at ***" in said, said
            said = json.dumps(call(server, "engine_status")[0])
            assert VALUE not in said and "broke at ***" in said, said
            said = text_of(call(server, "raises")[0])
            assert "no *** there" in said and VALUE not in said, said


ACTS = """local sys = { file = function(v) return require("sys.fs").write(v .. ".txt", "x") end,
  process = function(v) return require("sys.process").run { "echo", v } end,
  start = function(v) return require("sys.app").open { files = { "/tmp/" .. v } } end,
  request = function(v) return require("sys.http").request { url = "http://" .. v .. ".invalid/" .. v .. "?t=" .. v } end,
  clipboard = function(v) return require("sys.clipboard").write { text = v } end }
return { description = "Acts.", inputSchema = { type = "object", properties = { kind = { type = "string" }, value = { type = "string" },
    n = {} } },
  run = function(args)
    local ok, err, code = sys[args.kind](args.value)
    if not ok then return nil, err, code end
    return "did" end }"""
KINDS = ("file", "process", "start", "request", "clipboard")
SECRETS = {"word": "zq7envsecretvalue99", "number": "7391826455", "quotes": 'zq"7env\\\\secret99', "letters": "zq7envseïcretvalue"}
LAST = {"deny": "once", "once": "Allow once", "minutes": "Allow for 15 minutes", "refuse": "decline"}


def of_effects(kind, secret, answer):
    """In the lines about questions and denials, in messages, in the list of approvals."""
    value = SECRETS[secret]
    word = "deny" if answer == "deny" else "ask"
    per = 'per = { "tool", "folder", "host" }, ' if answer == "minutes" else ""
    with Place(f'return {{ rules = {{ {{ {word} = "it has {value}", {per}effect = "{kind}" }}, {{ allow = true }} }} }}'.replace(
            f"it has {value}", "a reason"), acts=ACTS) as place:
        place.put("home/.env", f"MY_API_KEY='{value}'\n")
        os.chmod(place.folder / "home/.env", 0o600)
        with place.serve(capabilities={"elicitation": {}}) as server:
            result, asked = call(server, "acts", {"kind": kind, "value": value}, LAST[answer])
            assert bool(asked) == (answer != "deny"), (result, asked)
            said = text_of(result) if answer in ("deny", "refuse") else ""
            quoted = json.dumps(value, ensure_ascii=False)[1:-1]
            assert value not in said and quoted not in said and (answer == "refuse" or not said or "***" in said), said
            done = subprocess.run([PERIGEE, "approvals"], env={**os.environ, **place.env}, capture_output=True, text=True,
                                  timeout=120, check=False)
            assert value not in done.stdout and quoted not in done.stdout, done
        lines = [json.loads(line) for path in (place.folder / "state/perigee/audit").glob("*.jsonl")
                 for line in path.read_text().splitlines()]
        told = [line for line in lines if line["kind"] in ("approval", "effect")]
        assert told and all(value not in text and quoted not in text for line in lines for text in strings(line)), told
        assert kind != "file" or answer == "minutes" or any("***" in line["what"] for line in told), told


def strings(value):
    if isinstance(value, dict):
        return [text for each in (*value.keys(), *value.values()) for text in strings(each)]
    if isinstance(value, list):
        return [text for each in value for text in strings(each)]
    return [str(value)]


def numbers():
    """A value that is a number is one as an argument, too."""
    with Place(ALLOW, acts=ACTS) as place:
        place.put("home/.env", f"PIN={SECRETS['number']}\n")
        os.chmod(place.folder / "home/.env", 0o600)
        number = int(SECRETS["number"])
        with place.serve() as server:
            for given in (number, float(number), -number, [number], {"x": {"y": [1, number]}}, int(f"9{number}9")):
                call(server, "acts", {"kind": "clipboard", "value": "x", "n": given})
            call(server, "acts", {"kind": "clipboard", "value": "x", "n": 739182})
        text = "".join(path.read_text() for path in (place.folder / "state/perigee/audit").glob("*.jsonl"))
        assert SECRETS["number"] not in text and text.count("***") == 6 and '"n":739182' in text, text


tap.case("values of .env", values_of_the_env_file)
for each in KINDS:
    for name in SECRETS:
        for how in LAST:
            tap.case(f"{each}: {name}, {how}", of_effects, each, name, how)
tap.case("numbers", numbers)
tap.done()
