#!/usr/bin/env python3
"""perigee help: commands, Lua functions, tools, pages and words."""

import json
import re

from kit import TOP, done, has, hasnt, must, perigee, same, tap


def helped(*words):
    answer = perigee("help", *words)
    same((answer.code, answer.err), (0, ""), answer)
    return answer.out


def pages():
    listed = helped("pages")
    for page in (TOP / "docs").glob("*.md"):
        has(listed, f"  {page.name}")
    text = (TOP / "docs/services.md").read_text(encoding="utf-8")
    for name in ("services.md", "docs/services.md", "services"):
        same(helped(name), text)
    same(helped("README.md"), (TOP / "README.md").read_text(encoding="utf-8"))


def names():
    """A command comes first, and says what else has its name."""
    has(helped("policy"), "usage: perigee policy", "\nSee also: perigee help policy.md, perigee help sys.policy\n")
    has(helped("policy.md"), "# Policy")
    same(helped("list_windows"), perigee("tools", "list_windows").out)
    has(helped("hotkey"), "sys.hotkey.bind(keys, pressed [, released [, repeated]])")
    has(helped("window.move"), "sys.window.move(")


def words():
    found = helped("clipboard", "history")
    has(found, "Tools\n  get_clipboard_history  ", "Lua\n  sys.clipboard.keep_history  ", "Pages\n", "  desktop.md  ")
    hasnt(found, "Commands\n")
    found = json.loads(helped("--json", "clipboard", "history"))
    same([tool["name"] for tool in found["tools"]], ["get_clipboard_history"])
    same(found["commands"], [])
    has(helped("bearer"), "Commands\n  token  ")


def keys():
    """Each name of a key is in the table of a page, so words find it."""
    source = (TOP / "src/platform/chord.c").read_text(encoding="utf-8")
    page = (TOP / "docs/desktop.md").read_text(encoding="utf-8")
    table = page[page.index("### Names of keys"):page.index("### How text is entered")]
    known = re.findall(r'\{ "(\w+)", ', source)
    must(len(known) > 70, known)
    same([name for name in known if f"`{name}`" not in table.lower()], [])
    for word in ("pgup", "XF86AudioNext", "Page_Down", "F13", "f24", "KP_Enter", "audio_volume_up"):   # as keys are accepted
        has(helped(word), "desktop.md  Names of keys: ")


def nothing():
    for name, said in [("sys.windw", 'no command, tool, Lua function or page has "sys.windw": did you mean sys.window?'),
                       ("window.lst", 'sys.window has no function "lst"; did you mean list or get?'),
                       ("zzzyx.md", 'no command, tool, Lua function or page has "zzzyx.md"'), ("docter", "did you mean doctor?")]:
        answer = perigee("help", name)
        same((answer.code, answer.out), (2, ""), answer)
        has(answer.err, said)


tap.case("the pages are listed and printed", pages)
tap.case("one name finds a command, tool, module, function or page", names)
tap.case("words find commands, tools, functions and lines of pages", words)
tap.case("the names of keys are found", keys)
tap.case("a word that is nowhere gets the nearest name", nothing)

done()
