#!/usr/bin/env python3
"""send_email through Mail.app: the script's arguments, with a double of osascript that plays Mail."""

import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import call, code_of, Failure, mail, Place, same, tap, text_of          # noqa: E402

import osascript_double                 # noqa: E402


class World:
    def __init__(self, program=osascript_double.__file__):
        self.double = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.double.name)
        self.place = Place("http://127.0.0.1:1", PERIGEE_MAIL="mail.app", PERIGEE_OSASCRIPT=program,
                           OSASCRIPT_DOUBLE=self.double.name)
        self.server = self.place.serve()

    def call(self, **arguments):
        return call(self.server, "send_email", **arguments)[0]

    def plan(self, **answer):
        with osascript_double.shared(self.folder, "plan.json") as plan:
            plan["answers"] = [dict(answer, script="send_message", times=1)]

    def change(self, **fields):
        with osascript_double.shared(self.folder, "mail.json") as state:
            state.update(fields)

    def sent(self):
        with osascript_double.shared(self.folder, "mail.json") as state:
            return list(state.get("sent", []))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.kill()
        self.place.close()
        self.double.cleanup()


EVIL = 'a" & (do shell script "touch /tmp/x") & "\\ \' -- ¬\n«class»'


def arguments():
    with World() as world:
        path = os.path.join(world.place.files, "a b'\".txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("four")
        result = world.call(**mail(to='Ada <ada@example.com>, "Q\\" & x" <q@example.com>', cc="c@example.com", bcc="b@example.com",
                                   subject="-- \" & quit", body=EVIL, attachments=["a b'\".txt"]))
        same(text_of(result), "EMAIL_SENT: to=ada@example.com, q@example.com, id=41")
        same(world.sent(), [{"subject": "-- \" & quit", "text": EVIL, "sender": "", "to": [["ada@example.com", "Ada"],
             ["q@example.com", 'Q" & x']], "cc": [["c@example.com", ""]], "bcc": [["b@example.com", ""]], "file": [[path, 4]]}])
        with open(world.folder / "calls.jsonl", encoding="utf-8") as file:
            made = json.loads(file.read().splitlines()[-1])
        if "shell script" in made["stdin"] or "quit" in made["stdin"]:
            raise Failure("a value is in the script's text")


def what_mail_lacks():
    with World() as world:
        for code, more in (("no_html", {"body_html": "<b>"}), ("no_reply_to", {"reply_to": "r@example.com"}),
                           ("no_format", {"format": "flowed"}), ("no_drafts", {"draft": True}), ("no_threads", {"reply_to_id": "1"}),
                           ("too_large", {"body": "x" * 300000}), ("not_granted", {"attachments": ["/etc/passwd"]})):
            same(code_of(world.call(**mail(**more))), code)
        same(world.sent(), [])


def elsewhere():
    """Where there is no osascript, the user is not asked first."""
    with World("/no/such/osascript") as world:
        world.server.kill()
        world.server = world.place.serve(trusting=False)
        result, asked = call(world.server, "send_email", user=lambda _: {"action": "decline"}, **mail())
        same((code_of(result), asked), ("no_osascript", []), text_of(result))


def failures():
    with World() as world:
        world.change(refuses=True)
        same(code_of(world.call(**mail())), "refused")
        world.change(refuses=False)
        world.plan(fail=-1743)
        same(code_of(world.call(**mail())), "permission_denied_automation")
        same(text_of(world.call(**mail())), "EMAIL_SENT: to=ada@example.com, id=41")     # nothing had been sent
        world.plan(fail=-1712)
        same(code_of(world.call(**mail(subject="Slow"))), "maybe_sent")
        same(code_of(world.call(**mail(subject="Slow"))), "maybe_sent")
        same(len(world.sent()), 1)


tap.case("recipients, text and files are arguments, never the script's text", arguments)
tap.case("without a Mac nobody is asked", elsewhere)
tap.case("a message that Mail's scripts cannot send is refused", what_mail_lacks)
tap.case("failures, and those after which it may have been sent", failures)
tap.done()
