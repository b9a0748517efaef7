"""Does a received message match the pattern of a transcript?

A pattern is JSON. Objects match when every key given matches (others may be there); arrays match
element by element. Special strings:

    "*"                 anything            "*string" "*int" "*number" "*bool" "*array" "*object"
    "/regex/"           a string in which the expression is found
    "$name"             the first time takes the value, later must equal it
    "!absent"           as an object's value: the key must not be there
    "..."               inside an array: any number of elements
    "=text"             exactly text (for texts that begin like one of the above)

{"!exact": true, ...}   no other keys than those given, here
{"|": [p, q]}           either
"""

import json
import re

KINDS = {
    "*": lambda v: True,
    "*string": lambda v: isinstance(v, str),
    "*int": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "*number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "*bool": lambda v: isinstance(v, bool),
    "*array": lambda v: isinstance(v, list),
    "*object": lambda v: isinstance(v, dict),
}


def brief(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 400 else f"{text[:300]}... ({len(text)} characters)"


def mismatch(pattern, value, names, exact=False, path="$"):
    """None when value matches, else a sentence. `names` holds and gets the captured values."""
    if isinstance(pattern, str):
        return _text(pattern, value, names, path)
    if isinstance(pattern, dict):
        if list(pattern) == ["|"]:
            return _either(pattern["|"], value, names, exact, path)
        return _object(pattern, value, names, exact, path)
    if isinstance(pattern, list):
        if not isinstance(value, list):
            return f"{path}: expected an array, got {brief(value)}"
        return _array(pattern, value, names, exact, path)
    if type(pattern) is not type(value) and bool in (type(pattern), type(value)):
        return f"{path}: expected {brief(pattern)}, got {brief(value)}"
    if pattern != value:
        return f"{path}: expected {brief(pattern)}, got {brief(value)}"
    return None


def _text(pattern, value, names, path):
    if pattern in KINDS:
        good = KINDS[pattern](value)
    elif len(pattern) > 2 and pattern[0] == pattern[-1] == "/":
        good = isinstance(value, str) and re.search(pattern[1:-1], value, re.DOTALL)
    elif re.fullmatch(r"\$[a-z_]+", pattern):
        good = names.setdefault(pattern[1:], value) == value
        pattern = names[pattern[1:]]
    else:
        if pattern[:1] == "=":
            pattern = pattern[1:]
        good = isinstance(value, str) and pattern == value
    return None if good else f"{path}: expected {brief(pattern)}, got {brief(value)}"


def _either(patterns, value, names, exact, path):
    reports = []
    for pattern in patterns:
        trial = dict(names)
        report = mismatch(pattern, value, trial, exact, path)
        if report is None:
            names.update(trial)
            return None
        reports.append(report)
    return " and ".join(reports)


def may_be_absent(pattern):
    return pattern == "!absent" or (isinstance(pattern, dict) and list(pattern) == ["|"]
                                    and "!absent" in pattern["|"])


def _object(pattern, value, names, exact, path):
    if not isinstance(value, dict):
        return f"{path}: expected an object, got {brief(value)}"
    exact_here = pattern.get("!exact", exact)
    keys = [k for k in pattern if k != "!exact"]
    for key in keys:
        where = f"{path}.{key}"
        if key not in value and may_be_absent(pattern[key]):
            continue
        if pattern[key] == "!absent":
            return f"{where}: must not be there, is {brief(value[key])}"
        if key not in value:
            return f"{where}: missing in {brief(value)}"
        report = mismatch(pattern[key], value[key], names, exact, where)
        if report:
            return report
    more = [k for k in value if k not in keys] if exact_here else []
    return f"{path}: unexpected {', '.join(more)} in {brief(value)}" if more else None


def _array(pattern, value, names, exact, path, at=0):
    if not pattern:
        return f"{path}: {len(value)} element(s) too many: {brief(value)}" if value else None
    if pattern[0] == "...":
        reports = []
        for skip in range(len(value) + 1):
            trial = dict(names)
            report = _array(pattern[1:], value[skip:], trial, exact, path, at + skip)
            if report is None:
                names.update(trial)
                return None
            reports.append(report)
        return reports[0] if len(reports) == 1 else (
            f"{path}: nothing after element {at} matches {brief(pattern[1:])} in {brief(value)}")
    if not value:
        return f"{path}[{at}]: missing, expected {brief(pattern[0])}"
    return (mismatch(pattern[0], value[0], names, exact, f"{path}[{at}]")
            or _array(pattern[1:], value[1:], names, exact, path, at + 1))
