#!/usr/bin/env python3
"""A thousand messages, built and read by sys.mime and read by Python's email package, come back byte for byte; and a thousand
attempts to slip another header, recipient or part into one are refused."""

import base64
import email
import email.policy
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))

import tap                      # noqa: E402
from server import PERIGEE      # noqa: E402
from tap import Failure         # noqa: E402

COUNT, SEED = 1000, 20261126
LARGE = 25 * 1024 * 1024        # bytes of the largest attachment

WORDS = ["hello", "Grüße", "мир", "שלום", "العالم", "世界", "🙂", "👩‍👩‍👧", "🇩🇪", "é", "e\u0301", "x=y", "=?", "?=", "a@b", "=20", "\u200f",
         "naïve", "--", ">", "From", ".", "..", "\u00a0", "tab\there", "“quoted”", "100%", "\\", "\"", "'", ";", ",", "<b>", "&amp;"]
NAMES = ["Ada", "Zoë Müller", "Ödön \"Quote\" von, Komma", "山田太郎", "שלום עולם", "🙂 Smiley", "O'Hara (Bob)", "a.b@c", "x" * 190, "é" * 90]
FILES = ["a.bin", "Übersicht 2026.pdf", "שלום.txt", "🙂.png", "with \"quotes\";and=equals.dat", "long " * 30 + ".txt", "per%cent'.x"]


def line(rng, most):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(0, most)))


def text(rng):
    kind = rng.randrange(12)
    if kind == 0:
        return ""
    if kind == 1:
        return "x" * rng.randint(1, 5000)                              # a line longer than SMTP allows
    if kind == 2:
        return "🙂" * rng.randint(1, 2000)
    ends = rng.choice(["\n", "\n", "\n", "\r\n", "\r", "\n\n"])
    body = ends.join(line(rng, 30) for _ in range(rng.randint(1, 30)))
    if kind == 3:
        body = body.replace(" ", "  ")
    if kind == 4:
        body = ".\n..\nFrom me\n" + body
    if kind == 5:
        body += " \t"
    if kind == 6:
        body = "\ufeff" + body
    return body + rng.choice(["", ends, " ", ends * 3])


def subject(rng):
    kind = rng.randrange(8)
    if kind == 0:
        return rng.choice(["", " ", "a", "  two  blanks ", "=?utf-8?q?no?=", "x" * 300, "🙂" * 400, "e\u0301" * 300])
    made = line(rng, 20).replace("\t", " ")
    return made.encode()[:1900].decode(errors="ignore")


def address(rng):
    one = {"address": rng.choice(["ada", "o'hara+tag", "a.b", "x" * 60, "!#$%&'*+-/=?^_`{|}~"]) + "@"
           + rng.choice(["example.com", "a-b.co.uk", "[127.0.0.1]", "x." * 30 + "org"])}
    if rng.random() < 0.7:
        one["name"] = rng.choice(NAMES)
    return one


def message(rng, index):
    def b64(data):
        return base64.b64encode(data).decode()

    made = {"from": [address(rng)], "to": [address(rng) for _ in range(rng.randint(1, 6))], "date": rng.randint(0, 4102444800),
            "id": f"{index}.{rng.getrandbits(64):x}@example.com", "subject": subject(rng), "text64": b64(text(rng).encode())}
    if rng.random() < 0.3:
        made["cc"] = [address(rng) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.2:
        made["reply_to"] = [address(rng)]
    if rng.random() < 0.3:
        made["html64"] = b64(f"<p>{text(rng)}</p>".encode())
    if rng.random() < 0.3:
        made["references"] = [f"{n}@example.com" for n in range(rng.randint(1, 40))]
        made["in_reply_to"] = made["references"][-1]
    if rng.random() < 0.15:
        made["flowed"] = True
    if rng.random() < 0.3 or index < 4:
        size = LARGE if index < 2 else rng.choice([0, 1, 2, 3, 57, 1000, 100000])
        made["attachments"] = [{"name": rng.choice(FILES), "type": rng.choice(["image/png", "text/plain", "application/pdf"]),
                                "bytes": rng.randbytes(size)} for _ in range(1 if index < 4 else rng.randint(1, 3))]
    return made


def put(folder, messages):
    """The attachments are files."""
    for index, each in enumerate(messages):
        for number, file in enumerate(each.get("attachments", [])):
            file["from"] = f"{index}.{number}"
            with open(os.path.join(folder, file["from"]), "wb") as out:
                out.write(file.get("bytes", b""))
    return [{**each, "attachments": [{key: value for key, value in file.items() if key != "bytes"} for file in each["attachments"]]}
            if "attachments" in each else each for each in messages]


def run(folder, messages):
    messages = put(folder, messages)
    with open(os.path.join(folder, "messages.json"), "w", encoding="utf-8") as file:
        json.dump(messages, file)
    done = subprocess.run([PERIGEE, "run", "--grant", folder, os.path.join(HERE, "lua", "build.lua")], cwd=folder, capture_output=True,
                          text=True, timeout=240, check=False)
    if done.returncode != 0:
        raise Failure(f"perigee run: {done.stderr[-2000:]}")
    with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
        return json.load(file)


def canonical(data):
    """A text part without its line ends' kind: quoted-printable and 7bit carry CRLF."""
    return data.replace(b"\r\n", b"\n")


def check_other(sent, raw):
    """Python's parser reads the same from the message."""
    for number, each in enumerate(raw.split(b"\r\n")):
        if len(each) > 998 or b"\n" in each or b"\r" in each or any(byte >= 128 for byte in each):
            raise Failure(f"line {number + 1} is not one of SMTP's: {each[:100]!r}")
    got = email.message_from_bytes(raw, policy=email.policy.default)
    if got["Subject"] != sent["subject"] and got["Subject"].strip() != " ".join(sent["subject"].split(" ")).strip():
        raise Failure(f"subject {sent['subject']!r}: Python reads {got['Subject']!r}")
    if [a.addr_spec for a in got["To"].addresses] != [a["address"] for a in sent["to"]]:
        raise Failure(f"to: Python reads {got['To']}")
    for kind, field in (("plain", "text64"), ("html", "html64")):
        part = got.get_body((kind,))
        if field in sent:
            wanted, found = base64.b64decode(sent[field]), part.get_payload(decode=True)
            exact = part["Content-Transfer-Encoding"] == "base64"
            if found != wanted if exact else canonical(found) != canonical(wanted):
                raise Failure(f"{kind}: {wanted!r} is {found!r} for Python")
    files = list(got.iter_attachments())
    for wanted, found in zip(sent.get("attachments", []), files, strict=True):
        if found.get_payload(decode=True) != wanted["bytes"] or found.get_filename() != wanted["name"]:
            raise Failure(f"the attachment {wanted['name']!r} is {found.get_filename()!r} for Python")


def round_trip():
    rng = random.Random(SEED)
    messages = [message(rng, index) for index in range(COUNT)]
    with tempfile.TemporaryDirectory() as folder:
        report = run(folder, messages)
        for index, (sent, told) in enumerate(zip(messages, report, strict=True)):
            if told:
                raise Failure(f"message {index + 1} of seed {SEED}: {told}")
            with open(os.path.join(folder, f"{index + 1}.eml"), "rb") as file:
                check_other(sent, file.read())
    tap.note(f"{COUNT} messages of seed {SEED}")


# --- header injection ---------------------------------------------------------------------------

BREAKS = ["\n", "\r", "\r\n", "\0", "\x0b", "\x0c", "\x1b", "\x7f", "\x85", "\u2028", "\u2029", "\r\n\r\n", "\n\n", "\x01", "\x1e", "\x9f"]
SLIPPED = ["Bcc: eve@example.com", "Subject: other", "Content-Type: text/html", " folded", "\tfolded", "--boundary", "X-Evil: 1", "."]
NOT_ADDRESSES = ["", "a", "@", "a@", "@b", "a b@c.d", "a@b c", "a@b,c@d", "<a@b>", "a@b>", "a@b\n", "a@b;c@d", "a@@b", "(a)a@b", "a@b(c)",
                 "a..b@c.d", ".a@b.c", "a.@b.c", "\"a\"@b.c", "a@-b.c", "a@b.c-", "a@.b", "a@b.", "ä@b.c", "a@bü.de", "a" * 65 + "@b.c",
                 "a@" + "b" * 260, "a:b@c.d", "a\\@b.c", "a@[b", "a@b]"]
NOT_IDS = ["", "a", "@b", "a@", "a b@c", "<a@b>", "a@b> <c@d", "a@b\r\nX: y", "a,b@c", "é@b", "a@" + "b" * 1000]
NOT_TYPES = ["", "text", "/", "text/", "/plain", "text/plain; charset=x", "text/plain\r\nX: y", "a b/c", "text/é", "a/b/c", "x/" + "y" * 130, "multipart/mixed",
             "Message/rfc822"]


def base():
    return {"from": [{"address": "me@example.com"}], "to": [{"address": "you@example.com"}], "subject": "s", "text": "t"}


def attempts():
    def with_(**fields):
        return {**base(), **fields}

    for broken in BREAKS:
        for slipped in SLIPPED:
            bad = f"x{broken}{slipped}"
            yield with_(subject=bad)
            yield with_(to=[{"address": "you@example.com", "name": bad}])
            yield with_(to=[{"address": f"you@example.com{broken}{slipped}"}])
            yield with_(**{"from": [{"address": "me@example.com", "name": bad}]})
            yield with_(cc=[{"address": f"{broken}{slipped}@example.com"}])
            yield with_(reply_to=[{"address": "a@example.com", "name": bad}])
            yield with_(attachments=[{"name": bad}])
            yield with_(in_reply_to=f"a@b{broken}{slipped}")
    for one in NOT_ADDRESSES:
        yield with_(to=[{"address": one}])
    for one in NOT_IDS:
        yield with_(id=one)
        yield with_(references=["a@b", one])
    for one in NOT_TYPES:
        yield with_(attachments=[{"type": one}])
    yield with_(subject="x" * 2001)
    yield with_(to=[{"address": "a@b.c", "name": "x" * 201}])
    yield with_(to=[])
    yield with_(text="a\0b")


def injection():
    tried = list(attempts())
    if len(tried) < 1000:
        raise Failure(f"only {len(tried)} attempts")
    with tempfile.TemporaryDirectory() as folder:
        report = run(folder, tried)
    for sent, told in zip(tried, report, strict=True):
        if told.get("code") not in ("bad_header", "bad_address", "bad_text", "no_recipient"):
            raise Failure(f"{sent} was not refused: {told}")
    tap.corpus("header injections", len(tried))


tap.case(f"{COUNT} messages come back byte for byte, and Python reads the same", round_trip)
tap.case("no field begins another header, recipient or part", injection)
tap.done()
