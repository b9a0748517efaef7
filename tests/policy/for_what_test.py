#!/usr/bin/env python3
"""A question about a part of what a tool of our own does says what for: the item of the menu that is opened, the image and the
question that go to a model. What its sentence says already, it does not repeat."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call               # noqa: E402
import png                                # noqa: E402
import tap                                # noqa: E402

POLICY = 'return { rules = { { ask = "it acts", effect = { "model", "press", "input" }, per = "call" }, { allow = true } } }'
EDITOR = {"application": "Text Editor"}
SAYS = [("select_menu_item", {**EDITOR, "path": "File > Open"}, ['path: "File > Open"']),
        ("select_menu_item", {**EDITOR, "path": ["Edit", "Paste"]}, ['path: "Edit", "Paste"']),
        ("click_element", {**EDITOR, "element": 'button "Save"'}, ['element: "button \\"Save\\""']),
        ("analyze", {"image_path": "IMAGE", "question": "Is it a secret?"}, ['image_path: "IMAGE"', 'question: "Is it a secret?"']),
        ("image", {"app": "Text Editor", "question": "What is it?"}, ['app: "Text Editor"', 'question: "What is it?"'])]
SAYS_IT_ALREADY = [("create_input", {"action": "type", "text": "some words"}), ("create_input", {"action": "keys", "keys": "ctrl+s"})]


def question(server, name, arguments):
    _, asked = call(server, name, arguments, ["Do not allow"])
    assert len(asked) == 1, (name, asked)
    return asked[0]["message"]


def says():
    with Place(POLICY) as place:
        place.env.update(OPENAI_BASE_URL="http://127.0.0.1:1/v1", OPENAI_API_KEY="k", PEEKABOO_AI_PROVIDERS="openai/gpt-4o")
        with place.serve(capabilities={"elicitation": {}}) as server:
            image = str(place.folder / "work" / "image.png")
            with open(image, "wb") as file:
                file.write(png.encode(png.Picture(4, 4, bytes(48))))
            for name, arguments, wanted in SAYS:
                said = question(server, name, {key: image if value == "IMAGE" else value for key, value in arguments.items()})
                for line in [each.replace("IMAGE", image) for each in wanted]:
                    assert f"\n  {line}" in said and f"Arguments of {name}:" in said, (name, said)
                assert "messages" not in said, said
            for name, arguments in SAYS_IT_ALREADY:
                assert "Arguments" not in question(server, name, arguments)


tap.case("a question says what for", says)
tap.done()
