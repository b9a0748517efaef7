"""Mail as the script of lua/scripts/mail sees it: a TEST DOUBLE, a list of sent messages in a JSON file."""

from __future__ import annotations

import os
from typing import Any

from keynote_model import Failed

KINDS = ("to", "cc", "bcc", "file")


def send_message(state: dict[str, Any], args: list[str], terms: str) -> str:
    """What the script prints. Raises Failed with what osascript would say."""
    if terms != "com.apple.mail":
        raise Failed(-1728, f"Can\u2019t get application id \"{terms}\".", "syntax")
    if len(args) < 6 or len(args) % 3:
        raise Failed(-1703, "send_message takes subject, text, sender, and threes")
    message: dict[str, Any] = {"subject": args[0], "text": args[1], "sender": args[2], **{kind: [] for kind in KINDS}}
    for kind, value, name in zip(args[3::3], args[4::3], args[5::3]):
        if kind not in KINDS:
            raise Failed(-1703, f"send_message knows no {kind}")
        if kind == "file":
            if not os.path.isabs(value) or not os.path.exists(value):
                raise Failed(-43, f"Mail got an error: File {value} wasn\u2019t found.")
            with open(value, "rb") as file:
                message["file"].append([value, len(file.read())])
        else:
            message[kind].append([value, name])
    if state.get("refuses"):
        raise Failed(9101, "Mail did not take the message")
    state.setdefault("sent", []).append(message)
    return str(40 + len(state["sent"]))
