#!/usr/bin/env python3
"""The mail tools on the Gmail API: an emulator's OAuth and messages, and a double in front of it for what it never does."""

import contextlib
import email
import email.policy
import fcntl
import json
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from gmail_double import Door           # noqa: E402
from gmail_world import World           # noqa: E402
from kit import (call, code_of, Failure, has, log_in, mail,     # noqa: E402
                 need_emulator, same, SCOPE, servers, tap, text_of, threading)

RATE = {"error": {"code": 403, "message": "Rate Limit Exceeded", "errors": [{"reason": "userRateLimitExceeded"}]}}
OFF = {"error": {"code": 403, "message": "Gmail API has not been used in project 1", "errors": [{"reason": "accessNotConfigured"}]}}


# --- the login ------------------------------------------------------------------------------------

def login_by_the_client():
    with World(logged_in=False) as world:
        result, asked = world.call(**mail())
        has(text_of(result), "EMAIL_SENT: to=ada@example.com, id=msg_")
        same([each["mode"] for each in asked], ["url"])
        has(asked[0]["url"], "code_challenge_method=S256", "access_type=offline", "gmail.send")
        has(asked[0]["message"], "you have not logged in yet")
        kept = world.place.secret()
        same(kept["granted"], SCOPE + "send")
        path = os.path.join(world.place.folder, "state/perigee/secrets/gmail")
        same(oct(os.stat(path).st_mode & 0o777), "0o600")
        for secret in (kept["access"], kept["refresh"]):
            if secret in world.server.stderr() + text_of(result):
                raise Failure("a token was shown")
        result, asked = world.call(**mail(subject="Another"))
        same((text_of(result)[:11], asked), ("EMAIL_SENT:", []))
        same(len(world.new()), 2)


def login_in_rounds():
    """A client of 2026-07-28: the call is answered with the question, and made again with the answer."""
    with World(logged_in=False) as world:
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}, "url": {}}}}
        params = {"name": "send_email", "arguments": mail(), "_meta": meta}
        asked = world.server.ask("tools/call", params)["result"]
        same(asked["resultType"], "input_required")
        (key, question), = asked["inputRequests"].items()
        has(log_in(question["params"]["url"]), "You are logged in")
        result = world.server.ask("tools/call", {**params, "requestState": asked["requestState"],
                                                 "inputResponses": {key: {"action": "accept"}}})["result"]
        has(text_of(result), "EMAIL_SENT: to=ada@example.com")
        same(len(world.new()), 1)


def a_page_of_another_does_not_log_in():
    """A stranger who guesses the port does not know the state; the user's login goes on all the same."""
    def user(address):
        back = urllib.parse.parse_qs(urllib.parse.urlparse(address).query)["redirect_uri"][0]
        try:
            urllib.request.urlopen(back + "?code=stolen&state=guessed", timeout=120)
            raise Failure("a stranger's visit was taken")
        except urllib.error.HTTPError as answer:
            same(answer.code, 400)
        log_in(address)

    with World(logged_in=False) as world:
        result, _ = world.call(user=user, **mail())
        has(text_of(result), "EMAIL_SENT:")


def renewed_without_asking():
    with World() as world:
        world.place.change_secret(access="worn", expires=0)
        result, asked = world.call(**mail())
        same((text_of(result)[:11], asked), ("EMAIL_SENT:", []))
        world.place.change_secret(access="refused-by-google")          # a 401 of the API
        result, asked = world.call(**mail(subject="Once more"))
        same((text_of(result)[:11], asked), ("EMAIL_SENT:", []))
        same(len(world.new()), 2)


def ended_after_seven_days():
    with World(scope="read") as world:
        world.place.change_secret(access="worn", refresh="ended", expires=0)
        result, asked = world.call(**mail())
        has(text_of(result), "EMAIL_SENT:")
        same(len(asked), 1)
        has(asked[0]["message"], "seven days")
        has(asked[0]["url"], "gmail.readonly", "gmail.send")         # the granted scope is not lost
        same(len(world.new()), 1)


def declined():
    with World(logged_in=False) as world:
        result, asked = world.call(user=None, **mail())
        same((code_of(result), len(asked)), ("login_declined", 1))
        has(text_of(result), "ERROR: the user did not log in to Gmail")
        same(world.new(), [])


def no_page():
    with World(logged_in=False, urls=False) as world:
        result, _ = world.call(**mail())
        same(code_of(result), "login_required")
        has(text_of(result), "perigee login gmail")
        same(world.new(), [])


def not_set_up():
    with World(logged_in=False) as world:
        os.remove(os.path.join(world.place.folder, "home/credentials.json"))
        result, asked = world.call(**mail())
        same((code_of(result), asked), ("no_client", []))
        has(text_of(result), "credentials.json", "docs/mail.md")
        for wrong in ("{", "[]", '{"installed":{}}', '{"installed":{"client_id":"x","token_uri":"http://evil.example/"}}',
                      '{"installed":{"client_id":"x","token_uri":"https://evil.example/token"}}',
                      '{"installed":{"client_id":"x","auth_uri":"https://accounts.google.com.evil.example/"}}'):
            world.place.put("home/credentials.json", wrong)
            result, asked = world.call(**mail())
            if code_of(result) not in ("damaged", "not_secure") or asked:
                raise Failure(f"{wrong}: {text_of(result)}")


def login_on_the_terminal():
    with World(logged_in=False, urls=False) as world:
        child = subprocess.Popen([servers.PERIGEE, "login", "--no-browser", "--scope", "send read", "gmail"], cwd=world.place.folder,
                                 env={**os.environ, **world.place.env}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 stdin=subprocess.DEVNULL)
        said = ""
        while not re.search(r"http://\S+", said):
            line = child.stdout.readline()
            if not line:
                raise Failure(f"perigee login said {said!r}")
            said += line
        log_in(re.search(r"http://\S+", said)[0])
        said += child.stdout.read()
        same(child.wait(30), 0, said)
        has(said, "Logged in to Gmail")
        has(world.place.secret()["granted"], "gmail.send", "gmail.readonly")
        result, _ = world.call(**mail())
        has(text_of(result), "EMAIL_SENT:")
        out = world.place.run("logout", "gmail")
        same((out.returncode, out.stdout), (0, "Logged out of Gmail.\n"))
        same(code_of(world.call(**mail(subject="Later"))[0]), "login_required")


def login_within_a_command():
    """The terminal of `perigee call` shows the page, and the call goes on."""
    def with_terminal():
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    with World(logged_in=False) as world:
        master, slave = pty.openpty()
        child = subprocess.Popen([servers.PERIGEE, "call", "send_email", "to=ada@example.com", "subject=Hello", "body=Hi."], stdin=slave,
                                 stdout=slave, stderr=slave, cwd=world.place.folder, env={**os.environ, **world.place.env},
                                 preexec_fn=with_terminal)
        os.close(slave)
        said, answered = "", False
        with contextlib.suppress(OSError):      # the terminal's other end is closed
            while True:
                said += os.read(master, 4096).decode(errors="replace")
                if not answered and "(y/n)" in said:
                    log_in(re.search(r"http://\S+", said)[0])
                    os.write(master, b"y\n")
                    answered = True
        os.close(master)
        same(child.wait(30), 0, said)
        has(said, "Perigee needs you to log in to Gmail", "EMAIL_SENT: to=ada@example.com, id=msg_")
        same(len(world.new()), 1)


def token_json():
    """Google's Python sample wrote this file beside credentials.json."""
    with World() as world:
        refresh = world.place.secret()["refresh"]
        same(world.place.run("logout", "gmail").returncode, 0)
        token = json.dumps({
            "token": "old", "refresh_token": refresh, "token_uri": world.door.url + "/oauth2/token", "client_id": "perigee-test",
            "client_secret": "not-a-secret", "scopes": [SCOPE + "send"], "expiry": "2020-01-01T00:00:00Z"})
        world.place.put("token.json", token)
        result, asked = world.call(user=None, **mail())
        same((code_of(result), len(asked)), ("login_declined", 1), "a token.json of the working directory is nobody's login")
        world.server.kill()
        world.place.put("home/token.json", token)
        world.place.env["PERIGEE_GMAIL_CREDENTIALS"] = os.path.join(world.place.folder, "home/credentials.json")
        world.start()
        result, asked = world.call(**mail())
        same((text_of(result)[:11], asked), ("EMAIL_SENT:", []))


def files_of_others():
    """A credentials.json in the working directory, perhaps of a repository, is not read: neither for a login that is kept, nor for a new one."""
    with World() as world:
        spy = Door(world.emulator)
        world.place.put("credentials.json", json.dumps({"installed": {
            "client_id": "perigee-test", "client_secret": "x", "auth_uri": spy.url + "/o/oauth2/v2/auth",
            "token_uri": spy.url + "/oauth2/token"}}))
        world.place.change_secret(access="worn", expires=0)
        result, asked = world.call(**mail())
        same((text_of(result)[:11], asked, spy.log), ("EMAIL_SENT:", [], []))
        os.remove(os.path.join(world.place.folder, "home/credentials.json"))
        same(world.place.run("logout", "gmail").returncode, 0)
        world.server.kill()
        world.start()
        result, asked = world.call(**mail(subject="Later"))
        same((code_of(result), asked, spy.log), ("no_client", [], []), "a credentials.json of the working directory names no client")
        spy.close()


# --- what is sent ---------------------------------------------------------------------------------

def contents():
    with World() as world:
        data = bytes(range(256)) * 40
        with open(os.path.join(world.place.files, "Übersicht.bin"), "wb") as file:
            file.write(data)
        result, _ = world.call(**mail(
            to='Ada <ada@example.com>, "Müller, Jörg" <joerg@example.com>', cc="c@example.com", bcc="b@example.com",
            reply_to="r@example.com", subject="Grüße 🙂", body="שלום\nworld", body_html="<b>שלום</b>", attachments=["Übersicht.bin"]))
        has(text_of(result), "EMAIL_SENT: to=ada@example.com, joerg@example.com, id=")
        got = email.message_from_bytes(world.new()[0][2], policy=email.policy.default)
        same(got["Subject"], "Grüße 🙂")
        same([a.display_name for a in got["To"].addresses], ["Ada", "Müller, Jörg"])
        same((got["Cc"], got["Bcc"], got["Reply-To"]), ("c@example.com", "b@example.com", "r@example.com"))
        same(got.get_body(("plain",)).get_content(), "שלום\nworld")
        same(got.get_body(("html",)).get_content(), "<b>שלום</b>")
        attached = list(got.iter_attachments())
        same([(a.get_filename(), a.get_content()) for a in attached], [("Übersicht.bin", data)])


def not_granted():
    with World() as world:
        for path in ("/etc/passwd", "../credentials.json", "missing.txt"):
            result, _ = world.call(**mail(attachments=[path]))
            if code_of(result) not in ("not_granted", "not_found"):
                raise Failure(f"{path}: {text_of(result)}")
            has(text_of(result), "ERROR: attachment ")
        same(world.new(), [])


def large():
    """25 MB, as they are: too large for JSON."""
    with World() as world:
        data = os.urandom(25 * 1024 * 1024)
        with open(os.path.join(world.place.files, "large.bin"), "wb") as file:
            file.write(data)
        result, _ = world.call(guard=120, **mail(attachments=["large.bin"]))
        has(text_of(result), "EMAIL_SENT:")
        same(world.door.count("/upload/gmail/v1/users/me/messages/send?uploadType=media"), 1)
        got = email.message_from_bytes(world.new()[0][2], policy=email.policy.default)
        if next(got.iter_attachments()).get_content() != data:
            raise Failure("the attachment came back otherwise")
        with open(os.path.join(world.place.files, "large.bin"), "ab") as file:
            file.write(b"x")
        same(code_of(world.call(**mail(attachments=["large.bin"]))[0]), "too_large")


def threads_and_drafts():
    with World() as world:
        world.call(**mail(subject="Question"))
        name, thread, raw = world.new()[0]
        first_id = email.message_from_bytes(raw)["Message-ID"]
        result, asked = world.call(**mail(subject="Re: Question", reply_to_id=name))
        has(text_of(result), "EMAIL_SENT:")
        has(asked[0]["url"], "gmail.readonly")
        answer = next(each for each in world.new() if each[0] != name)
        got = email.message_from_bytes(answer[2])
        same((answer[1], got["In-Reply-To"], got["References"]), (thread, first_id, first_id))
        before = len(world.emulator.drafts())
        result, asked = world.call(**mail(subject="Draft", draft=True))
        has(text_of(result), "DRAFT_SAVED: to=ada@example.com, id=")
        has(asked[0]["url"], "gmail.compose", "gmail.readonly", "gmail.send")
        same(len(world.emulator.drafts()), before + 1)
        same(code_of(world.call(**mail(reply_to_id="no/such"))[0]), "bad_id")
        same(code_of(world.call(**mail(reply_to_id="nosuch"))[0]), "not_found")
        same(len(world.new()), 2)


def reading_every_length():
    """Google pads base64url: a message of any length is read."""
    with World(scope="read") as world:
        for subject in ("a", "ab", "abc"):
            world.call(**mail(subject=subject))
        for name, _, raw in world.new():
            result, _ = world.call("read_email", id=name)
            same((code_of(result), result.get("structuredContent", {}).get("body")), (None, "Hi.\n"), f"{len(raw)} bytes")


def listing_and_reading():
    with World() as world:
        world.call(**mail(subject="Findable 🙂", body="a" * 80 + " flowing " * 20 + "\nline\n", format="flowed"))
        result, asked = world.call("list_emails", query="in:sent")
        found = result["structuredContent"]["emails"]
        found = [each for each in found if each["subject"] == "Findable 🙂"]
        same((len(found), len(asked)), (1, 1))
        result, asked = world.call("read_email", id=found[0]["id"])
        got = result["structuredContent"]
        same((got["subject"], got["body"], asked), ("Findable 🙂", "a" * 80 + " flowing " * 20 + "\nline\n", []))
        result, _ = world.call("read_email", id=found[0]["id"], max_characters=5)
        same((result["structuredContent"]["body"], result["structuredContent"]["body_cut"]), ("aaaaa", True))
        same(code_of(world.call("read_email", id="nothing")[0]), "not_found")


def counting():
    """The emulator's own count of the inbox, by another way."""
    with World(scope="read") as world:
        label = world.emulator.get("/gmail/v1/users/me/labels/INBOX", world.emulator.own_token())
        result, _ = world.call("mail_get_inbox_count")
        same(result.get("structuredContent"), {"messages": label["messagesTotal"], "unread": label["messagesUnread"]}, text_of(result))
        listed = world.call("list_emails", query="in:inbox", max_results=50)[0]["structuredContent"]["emails"]
        same(len(listed), label["messagesTotal"])


def through_the_common_tool():
    with World() as world:
        result, _ = world.call("mail_send_message", to="Ada <ada@example.com>", subject='a "b" \\ 🙂', content="-- \nHi.\n")
        has(text_of(result), "Sent to ada@example.com")
        has(world.new()[0][2].decode(), "Hi.")
        has(text_of(world.call("mail_send_message", to="Ada <ada@example.com>", subject='a "b" \\ 🙂', content="-- \nHi.\n")[0]),
            "Nothing was sent now")
        same(len(world.new()), 1)


# --- once -----------------------------------------------------------------------------------------

def once():
    with World() as world:
        first, _ = world.call(**mail())
        again, _ = world.call(**mail())
        same(text_of(again).split("\n")[0], text_of(first))
        has(text_of(again), "nothing was sent now")
        world.call(**mail(idempotency_key="k"))
        has(text_of(world.call(**mail(idempotency_key="k"))[0]), "nothing was sent now")
        result, _ = world.call(**mail(body="Other", idempotency_key="k"))
        same(code_of(result), "key_reused")
        same(len(world.new()), 2)
        results = []
        threads = [threading.Thread(target=lambda: results.append(world.place.run("call", "send_email", "to=a@example.com",
                                                                                    "subject=Race", "body=x"))) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        same([r.stdout.split("\n")[0][:11] for r in results], ["EMAIL_SENT:"] * 4, str([r.stderr for r in results]))
        same(len(world.new()), 3)


def patience():
    with World() as world:
        world.door.fail("status", status=429, headers={"Retry-After": "1"})
        world.door.fail("status", status=403, body=RATE)
        world.door.fail("status", status=503)
        result, _ = world.call(**mail())
        has(text_of(result), "EMAIL_SENT:")
        same((world.door.count(), len(world.new())), (4 + 1, 1))         # one at the start
        world.door.fail("status", status=429, headers={"Retry-After": "3600"})
        result, _ = world.call(**mail(subject="Later"))
        same(code_of(result), "rate_limited")
        world.door.fail("status", status=403, body=OFF)
        result, _ = world.call(**mail(subject="Off"))
        same(code_of(result), "forbidden")
        has(text_of(result), "Gmail API has not been used in project 1")
        same(len(world.new()), 1)
        has(text_of(world.call(**mail(subject="Off"))[0]), "EMAIL_SENT:")    # it was certain that nothing was sent
        same(len(world.new()), 2)


def cut_off(scope):
    """The answer is lost after Gmail took the message, and then before it took one."""
    for kind, status, arrived in (("cut after", 0, True), ("status after", 500, True), ("status after", 502, True), ("cut before", 0, False)):
        with World(scope=scope) as world:
            world.door.fail(kind, status=status)
            result, _ = world.call(**mail())
            if scope and arrived:
                has(text_of(result), "EMAIL_SENT: to=ada@example.com, id=" + world.new()[0][0])
            else:
                same(code_of(result), "maybe_sent", text_of(result))
                has(text_of(result), "message ID")
                same(code_of(world.call(**mail())[0]), "maybe_sent")
            same(len(world.new()), int(arrived), f"{kind} {status}")


def killed(scope):
    """kill -9 while the answer is awaited; the same call in the next engine."""
    with World(scope=scope) as world:
        world.door.fail("hang after")
        world.server.post("tools/call", {"name": "send_email", "arguments": mail()})
        if not world.door.reached.wait(60):
            raise Failure("the message did not reach Gmail")
        os.killpg(world.server.process.pid, signal.SIGKILL)
        world.server.kill()
        world.door.released.set()
        world.start()
        result, _ = world.call(**mail())
        if scope:
            has(text_of(result), "EMAIL_SENT: to=ada@example.com, id=" + world.new()[0][0], "nothing was sent now")
        else:
            same(code_of(result), "maybe_sent")
        same(len(world.new()), 1)
        has(text_of(world.call(**mail(idempotency_key="new"))[0]), "EMAIL_SENT:")
        same(len(world.new()), 2)


# --- the user is asked ----------------------------------------------------------------------------

def killed_while_asked():
    """The next engine does not say that the message may have arrived."""
    with World() as world:
        world.server.kill()
        world.server = world.place.serve(trusting=False)
        world.server.post("tools/call", {"name": "send_email", "arguments": mail()})
        world.server.find(lambda each: each.get("method") == "elicitation/create")
        os.killpg(world.server.process.pid, signal.SIGKILL)
        world.server.kill()
        world.start()
        has(text_of(world.call(**mail())[0]), "EMAIL_SENT:")
        same(len(world.new()), 1)


def policy_asks():
    with World() as world:
        world.server.kill()
        world.server = world.place.serve(trusting=False)
        seen = []

        def user(choice):
            def answers(asked):
                seen.append(asked["message"])
                return {"action": "accept", "content": {"answer": choice}}
            return answers

        body = "Dear Ada,\nthe first lines are shown.\n" + "and more\n" * 500
        result, asked = world.call(user=user("Do not allow"), **mail(body=body, bcc="eve@example.com"))
        same((code_of(result), len(asked), world.new()), ("denied", 1, []))
        again, asked = world.call(user=user("Do not allow"), **mail(body=body, bcc="eve@example.com"))
        same((code_of(again), len(asked), world.new()), (code_of(result), 0, []), text_of(again))    # and not maybe_sent
        has(text_of(again), "was not asked again")
        lines = seen[0].split("\n")
        at = [next(i for i, line in enumerate(lines) if line.startswith(f"  {name}: ")) for name in ("to", "bcc", "subject", "body")]
        same(at, sorted(at), seen[0])
        has(seen[0], "ada@example.com", "eve@example.com", "Hello", "Dear Ada,⏎the first lines are shown.", "it sends mail in your name")
        result, asked = world.call(user=user("Allow once"), **mail(subject="Second"))
        has(text_of(result), "EMAIL_SENT:")
        result, asked = world.call(user=user("Allow once"), **mail(subject="Third"))
        same(len(asked), 1, "each one is asked about")
        result, asked = world.call(**mail(subject="Draft", draft=True))
        has(text_of(result), "DRAFT_SAVED")
        same(len(world.new()), 2)


def main():
    try:
        need_emulator()
    except tap.Skip as why:
        tap.skip("Gmail", why)
        return tap.done()
    for name, case, *arguments in (
            ("the client shows Google's page, and the call goes on", login_by_the_client),
            ("a client of 2026-07-28", login_in_rounds),
            ("a stranger's visit does not end the login", a_page_of_another_does_not_log_in),
            ("an access token that is over is renewed", renewed_without_asking),
            ("a login that Google ended comes again at once", ended_after_seven_days),
            ("a user who declines", declined),
            ("a client that shows no pages", no_page),
            ("Gmail that is not set up", not_set_up),
            ("perigee login gmail, perigee logout gmail", login_on_the_terminal),
            ("a command's terminal shows Google's page", login_within_a_command),
            ("a token.json of Google's samples", token_json),
            ("a credentials.json of others", files_of_others),
            ("recipients, text, HTML and files arrive as they are", contents),
            ("files that are not granted are not attached", not_granted),
            ("25 MB", large),
            ("threads and drafts", threads_and_drafts),
            ("Google's padded base64 is read, whatever the message's length", reading_every_length),
            ("listing and reading", listing_and_reading),
            ("the inbox is counted", counting),
            ("mail_send_message sends, once", through_the_common_tool),
            ("the same message is sent once", once),
            ("limits and failures are waited for", patience),
            ("a lost answer, without the permission to look", cut_off, ""),
            ("a lost answer, with it", cut_off, "read"),
            ("kill -9, without the permission to look", killed, ""),
            ("kill -9, with it", killed, "read"),
            ("kill -9 while the user is asked", killed_while_asked),
            ("the policy shows what would be sent", policy_asks)):
        tap.case(name, case, *arguments)
    return tap.done()


sys.exit(main())
