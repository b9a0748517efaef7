"""Keynote as the scripts of lua/scripts/keynote see it: a TEST DOUBLE, a dictionary of documents in a JSON file.

Each function takes the state and a script's arguments after the bundle id, and returns what the script prints, as
its head says. What Keynote does and a test cannot see is left out.
"""

from __future__ import annotations

import pathlib
from typing import Any, Callable

import png

NEW, OLD = "com.apple.Keynote", "com.apple.iWork.Keynote"
THEMES = {"Application/21_BasicWhite/Standard": "Basic White", "Application/20_BasicBlack/Standard": "Basic Black"}
State = dict[str, Any]


class Failed(Exception):
    def __init__(self, number: int, message: str, kind: str = "execution") -> None:
        super().__init__(message)
        self.number, self.message, self.kind = number, message, kind


def complete(state: State) -> State:
    state.setdefault("installed", [NEW])
    state.setdefault("running", [])
    state.setdefault("documents", [])       # the one in front first
    state.setdefault("made", 0)
    return state


def play(state: State, script: str, args: list[str], terms: str) -> str:
    """What the script prints. Raises Failed with what osascript would say."""
    if script == "find_keynote":
        return find_keynote(state, args)
    if script not in SCRIPTS:
        raise Failed(-2753, f"The variable {script or 'nameless'} is not defined.")
    if terms not in state["installed"]:     # found out when the script is compiled
        raise Failed(-1728, f"Can\u2019t get application id \"{terms}\".", "syntax")
    count, function = SCRIPTS[script]
    if len(args) != count:
        raise Failed(-1703, f"{script} takes {count} arguments")
    if args[0] not in state["installed"]:
        raise Failed(-1728, f"Can\u2019t get application id \"{args[0]}\".")
    if args[0] not in state["running"]:
        state["running"].append(args[0])
    return function(state, *args[1:])


def find_keynote(state: State, args: list[str]) -> str:
    candidates = args or [NEW, OLD]
    for word in ("running", "installed"):
        for candidate in candidates:
            if candidate in state[word]:
                return f"{candidate}|{word}"
    raise Failed(-10814, "Keynote is not installed.")


def open_keynote(state: State, mode: str, theme: str) -> str:
    note = ""
    if mode == "always_new" or not state["documents"]:
        if theme not in ("", "White", *THEMES, *THEMES.values()):
            note = f"The theme {theme} was not found; the default theme is used."
        state["made"] += 1
        state["documents"].insert(0, {"id": f"1B2C-{state['made']:04}", "width": 1920, "height": 1080,
                                      "slides": [{"skipped": False, "shapes": []}]})
    document = state["documents"][0]
    return f"{document['id']}|{number(document['width'])}|{number(document['height'])}|{note}"


def get_slide_size(state: State, document_id: str) -> str:
    document = find_document(state, document_id)
    return f"{document['id']}|{number(document['width'])}|{number(document['height'])}"


def draw_rectangle(state: State, document_id: str, *box: str) -> str:
    shapes = first_slide(find_document(state, document_id))["shapes"]
    shapes.append({"box": [integer(part) for part in box], "text": ""})
    return "|".join([str(len(shapes)), *map(number, shapes[-1]["box"])])


def add_text_in_keynote(state: State, document_id: str, place: str, *rest: str) -> str:
    *box, text = rest
    shapes = first_slide(find_document(state, document_id))["shapes"]
    alike = [shape for shape in shapes if list(map(number, shape["box"])) == box]
    at_place = shapes[integer(place) - 1] if integer(place) <= len(shapes) else None
    if at_place not in alike:
        if not alike and at_place is None:
            raise Failed(9002, "the rectangle is gone")
        if len(alike) != 1:
            raise Failed(9003, "the rectangle was moved or is gone")
        at_place = alike[0]
    at_place["text"] = text
    return str(len(text))


def export_slide_png(state: State, document_id: str, slide: str, folder: str) -> str:
    document = find_document(state, document_id)
    if not 1 <= integer(slide) <= len(document["slides"]):
        raise Failed(9004, f"there is no slide {slide}")
    target = pathlib.Path(folder)
    if not target.is_absolute() or not target.parent.is_dir():
        raise Failed(-10000, "Keynote got an error: AppleEvent handler failed.")
    target.mkdir(exist_ok=True)
    (target / f"{target.name}.001.png").write_bytes(picture(document, document["slides"][integer(slide) - 1]))
    return folder


SCRIPTS: dict[str, tuple[int, Callable[..., str]]] = {
    "open_keynote": (3, open_keynote),
    "get_slide_size": (2, get_slide_size),
    "draw_rectangle": (6, draw_rectangle),
    "add_text_in_keynote": (8, add_text_in_keynote),
    "export_slide_png": (4, export_slide_png),
}


def find_document(state: State, document_id: str) -> dict[str, Any]:
    for document in state["documents"]:
        if document_id in ("", document["id"]):
            return document
    raise Failed(9001, "the document is not open")


def first_slide(document: dict[str, Any]) -> dict[str, Any]:
    return document["slides"][0]


def integer(text: str) -> int:
    try:
        return round(float(text))
    except ValueError:
        raise Failed(-1700, f"Can\u2019t make \"{text}\" into type integer.") from None


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def picture(document: dict[str, Any], slide: dict[str, Any]) -> bytes:
    """White, with its rectangles in blue; a tenth of the size, which is enough to see where they are."""
    width, height = document["width"] // 10, document["height"] // 10
    rows = [bytearray(b"\xff\xff\xff" * width) for _ in range(height)]
    for shape in slide["shapes"]:
        x, y, w, h = (round(part / 10) for part in shape["box"])
        left, right = max(0, x), min(width, x + w)
        for row in rows[max(0, y):max(0, y + h)]:
            row[left * 3:right * 3] = b"\x00\xa2\xff" * max(0, right - left)
    return png.encode(png.Picture(width, height, b"".join(rows)))
