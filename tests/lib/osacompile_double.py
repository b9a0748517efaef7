#!/usr/bin/env python3
"""A TEST DOUBLE of osacompile: takes its command line, and answers as it would for a script on its standard input.

    OSACOMPILE_DOUBLE=FOLDER osacompile_double.py -l LANGUAGE -o /dev/null

It compiles nothing. FOLDER has compiles.jsonl, a line for each call (argv, stdin), and compile.json, which a test makes: {"errors":
TEXT} is written to stderr, with exit code 1; otherwise the script compiles."""

import json
import os
import pathlib
import sys

folder = pathlib.Path(os.environ["OSACOMPILE_DOUBLE"])
with open(folder / "compiles.jsonl", "a", encoding="utf-8") as file:
    file.write(json.dumps({"argv": sys.argv[1:], "stdin": sys.stdin.read()}) + "\n")
plan = folder / "compile.json"
errors = json.loads(plan.read_text()).get("errors", "") if plan.exists() else ""
sys.stderr.write(errors)
sys.exit(1 if errors else 0)
