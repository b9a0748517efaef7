#!/usr/bin/env python3
"""Large messages on the Gmail API: they travel as uploads, whose form a double checks, and land in the emulator; and are read."""

import base64
import email
import email.message
import email.policy
import http.client
import json
import os
import sys
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from gmail_world import World                                                       # noqa: E402
from kit import code_of, Failure, has, mail, need_emulator, same, tap, text_of      # noqa: E402

MB = 1024 * 1024
LARGE = int(os.environ.get("LARGE_MB", "6"))      # of files that are sent whole; 25 is the most that a message may have


def put(world, name, size):
    data = os.urandom(size)
    with open(os.path.join(world.place.files, name), "wb") as file:
        file.write(data)
    return data


def check(raw, body, data):
    """The message is whole: its lines, its text and its file."""
    if not raw.endswith(b"--\r\n") or raw.count(b"\n") != raw.count(b"\r\n"):
        raise Failure(f"the message ends in {raw[-80:]!r}")
    got = email.message_from_bytes(raw, policy=email.policy.default)
    same(got.get_body(("plain",)).get_content().replace("\r\n", "\n"), body)
    if [part.get_content() for part in got.iter_attachments()] != [data]:
        raise Failure("the attachment came back otherwise")
    return got


def plain():
    with World() as world:
        data = put(world, "a.bin", 4 * MB)
        result, _ = world.call(**mail(attachments=["a.bin"]))
        has(text_of(result), "EMAIL_SENT:")
        same(world.door.count("/upload/gmail/v1/users/me/messages/send?uploadType=media"), 1)
        raw = world.new()[0][2]
        check(raw, "Hi.\n", data)
        same(raw == world.door.uploads[0], True, "it landed as it was sent")


def draft():
    with World() as world:
        data = put(world, "a.bin", 4 * MB)
        before = {each["id"] for each in world.emulator.drafts()}
        result, _ = world.call(**mail(draft=True, attachments=["a.bin"]))
        has(text_of(result), "DRAFT_SAVED: to=ada@example.com, id=")
        same(world.door.count("/upload/gmail/v1/users/me/drafts?uploadType=multipart"), 1)
        made, = [each for each in world.emulator.drafts() if each["id"] not in before]
        has(text_of(result), "id=" + made["id"])
        _, _, raw = world.emulator.message(made["message"]["id"])
        check(raw, "Hi.\n", data)
        same((raw == world.door.uploads[0], world.new()), (True, []))


def thread():
    """A large file in answer to a message, and a draft of one; the text looks like the boundaries of an upload."""
    body = "".join(f"--{each}\nContent-Type: application/json\n\n{{}}\n--{each}--\n"
                   for each in ("perigee", "perigee" + "0" * 32, "foo_bar_baz"))
    with World() as world:
        world.call(**mail(subject="Question"))
        name, its_thread, first = world.new()[0]
        data = put(world, "a.bin", LARGE * MB)
        for draft_ in (False, True):
            before = {each["id"] for each in world.emulator.drafts()}
            result, _ = world.call(guard=120, **mail(subject="Re: Question", body=body, reply_to_id=name, attachments=["a.bin"],
                                                     **({"draft": True} if draft_ else {})))
            has(text_of(result), "DRAFT_SAVED:" if draft_ else "EMAIL_SENT:")
            found = [each["message"]["id"] for each in world.emulator.drafts() if each["id"] not in before] if draft_ else \
                [each for each in world.emulator.names() if each not in world.before and each != name]
            same(len(found), 1)
            _, landed, raw = world.emulator.message(found[0])
            got = check(raw, body, data)
            has(raw, *(b"\r\n--" + each + b"--\r\n" for each in (b"perigee", b"perigee" + b"0" * 32, b"foo_bar_baz")))
            same((landed, got["In-Reply-To"]), (its_thread, email.message_from_bytes(first)["Message-ID"]))
            same(raw == world.door.uploads[-1], True, "it landed as it was sent")
        same([world.door.count(f"/upload/gmail/v1/users/me/{each}?uploadType=multipart") for each in ("messages/send", "drafts")], [1, 1])


def too_large():
    """25 MB of files are as much as is allowed, and with this text the message has more than Gmail's 36,700,160 bytes."""
    with World() as world:
        put(world, "a.bin", 25 * MB)
        drafts = len(world.emulator.drafts())
        for more in ({}, {"draft": True}):
            asked = len(world.door.log)
            result, _ = world.call(guard=120, **mail(body_html="x" * 2 * MB, attachments=["a.bin"], **more))
            same(code_of(result), "too_large", text_of(result))
            has(text_of(result), "Gmail's limit: 36700160", "Attach less")
            same([each for each in world.door.log[asked:] if "/gmail/" in each[1]], [], "nothing is sent")
        same((world.new(), len(world.emulator.drafts())), ([], drafts))


def reading():
    """Its text is read, and its attachments are not loaded for that."""
    with World(scope="read") as world:
        text = "Grüße 🙂\nand another line"            # as the emulator decodes: no blank end, no long line
        put(world, "large file.bin", LARGE * MB)
        world.call(guard=120, **mail(subject="Größe 🙂", to="Ada Löwe <ada@example.com>", body=text, attachments=["large file.bin"]))
        name, thread, _ = world.new()[0]
        result, _ = world.call("read_email", id=name)
        got = result["structuredContent"]
        same((got["subject"], got["body"], got["thread"]), ("Größe 🙂", text, thread))
        has(got["to"], "ada@example.com")
        same(got["attachments"], [{"name": "large file.bin", "type": "application/octet-stream", "size": LARGE * MB}])
        same(world.door.count("/attachments/"), 0)
        for payload in (None, {"mimeType": "text/plain", "body": {"data": "%%%"}}, {"mimeType": "multipart/mixed", "parts": [7]}):
            world.door.fail("status", part="format=full", status=200, body={"id": name, "threadId": thread, "payload": payload})
            same(code_of(world.call("read_email", id=name)[0]), "bad_response", repr(payload))


def many():
    """More attachments than are read are not kept silent."""
    message = email.message.EmailMessage()
    message["To"], message["Subject"] = "ada@example.com", "Many"
    message.set_content("Hi.\n")
    for number in range(101):
        message.add_attachment(b"x", maintype="image", subtype="png", filename=f"{number}.png")
    with World(scope="read") as world:
        for whole in (True, False):
            if not whole:
                del message.get_payload()[1]
            data = json.dumps({"raw": base64.urlsafe_b64encode(message.as_bytes()).decode()}).encode()
            headers = {"Authorization": "Bearer " + world.place.secret()["access"], "Content-Type": "application/json"}
            with urllib.request.urlopen(urllib.request.Request(world.door.url + "/gmail/v1/users/me/messages/send", data, headers),
                                        timeout=60) as answer:
                name = json.load(answer)["id"]
            got = world.call("read_email", id=name)[0]["structuredContent"]
            same((len(got["attachments"]), got.get("incomplete"), got["body"]), (100, whole or None, "Hi.\n"))


def refused():
    """The double refuses wrong uploads, so that the ones that it accepts are right."""
    about, message = b"Content-Type: application/json\r\n\r\n{}", b"Content-Type: message/rfc822\r\n\r\nTo: ada@example.com\r\n\r\nHi.\r\n"
    related = "multipart/related; boundary=b"

    def joined(*found, end=b"\r\n--b--\r\n"):
        return b"--b\r\n" + b"\r\n--b\r\n".join(found) + end

    right = joined(about, message)
    where = "/upload/gmail/v1/users/me/messages/send"
    wrong = [
        ("multipart", related, joined(about)), ("multipart", related, joined(about, message, message)),
        ("multipart", related, joined(message, about)), ("multipart", related, joined(about, message, end=b"")),
        ("multipart", related, joined(about, message, end=b"\r\n--b\r\n")), ("multipart", related, b"\r\nx" + right),
        ("multipart", related, right.replace(b"\r\n", b"\n")), ("multipart", related, right + b"more"),
        ("multipart", related, joined(about, message + b"\r\n--but this is a line of the message")),
        ("multipart", related, joined(about.replace(b"{}", b"{"), message)), ("multipart", related, joined(about.replace(b"{}", b"[]"), message)),
        ("multipart", related, joined(about.replace(b"{}", b'{"raw":"x"}'), message)),
        ("multipart", related, joined(about.replace(b"application/json", b"text/plain"), message)),
        ("multipart", related, joined(about, message.replace(b"message/rfc822", b"text/plain"))),
        ("multipart", "multipart/mixed; boundary=b", right), ("multipart", "multipart/related", right), ("multipart", "", right),
        ("media", related, right), ("media", "message/rfc822", b"\r\nno header"), ("resumable", related, right), ("", related, right),
    ]
    with World() as world:
        def post(kind, content_type, data):
            connection = http.client.HTTPConnection(world.door.url[len("http://"):], timeout=60)
            headers = {"Authorization": "Bearer " + world.place.secret()["access"]}
            connection.request("POST", f"{where}?uploadType={kind}" if kind else where, body=data,
                               headers={**headers, "Content-Type": content_type} if content_type else headers)
            answer = connection.getresponse()
            answer.read()
            connection.close()
            return answer.status

        for each in wrong:
            same(post(*each), 400, repr(each))
        same(world.new(), [])
        same(post("multipart", related, right), 200)
        same(post("multipart", 'multipart/related; boundary="b"', right.replace(b"/json", b"/json; charset=UTF-8")), 200)
        same([raw for _, _, raw in world.new()], [b"To: ada@example.com\r\n\r\nHi.\r\n"] * 2)


def main():
    try:
        need_emulator()
    except tap.Skip as why:
        tap.skip("Gmail's large messages", why)
        return tap.done()
    for name, case in (
            ("a message of 4 MB is an upload of the message alone", plain),
            ("a draft of 4 MB is an upload in two parts", draft),
            (f"an answer with {LARGE} MB, and a draft of one, are in their thread", thread),
            ("a message above Gmail's limit is refused before anything is sent", too_large),
            (f"the text of a message of {LARGE} MB is read without its file", reading),
            ("a message with more attachments than are read", many),
            ("an upload that Google does not take is refused by its double", refused)):
        tap.case(name, case)
    return tap.done()


sys.exit(main())
