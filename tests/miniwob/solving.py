"""The parts that the scripts of all tasks share: the script of each task, and reading an instruction."""

import re

SOLVERS = {}


def solves(*names):
    def keep(function):
        for name in names:
            SOLVERS[name] = function
        return function
    return keep


def quoted(text):
    return re.findall(r'"([^"]*)"', text)


def listed(text, before, after):
    part = text.partition(before)[2].partition(after)[0]
    return [] if part == "nothing" else part.split(", ")


def middle(element):
    box = element["bounds"]
    return box["x"] + box["width"] // 2, box["y"] + box["height"] // 2
