#!/usr/bin/env python3
"""send_email by a real SMTP server, aiosmtpd: TLS, logins, envelopes, refusals, lost answers; and 1,000 messages whose bytes arrive
as they were built."""

import atexit
import contextlib
import email
import email.policy
import functools
import json
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import call, code_of, Failure, has, HERE, mail, Place, same, servers, tap, text_of, time          # noqa: E402

PYTHON = os.path.join(HERE, ".venv/bin/python")


@functools.lru_cache(maxsize=None)
def certificate():
    """A certificate for 127.0.0.1 and localhost that its own key signed."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    key, cert = (os.path.join(folder.name, name) for name in ("key.pem", "cert.pem"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2", "-subj",
                    "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"], check=True, capture_output=True)
    return key, cert


class World:
    """A server, and an engine that sends by it."""

    def __init__(self, mode="plain", user=None, scheme=None, trust=True, **env):
        key, cert = certificate()
        self.folder = tempfile.mkdtemp(prefix="ps-")
        for path in (key, cert):
            os.symlink(path, os.path.join(self.folder, os.path.basename(path)))
        self.process = subprocess.Popen([PYTHON, os.path.join(HERE, "smtp_server.py"), self.folder, mode], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.port = int(self.process.stdout.readline())
        scheme = scheme or ("smtps" if mode == "tls" else "smtp")
        self.place = Place("http://127.0.0.1:1", PERIGEE_MAIL=f"{scheme}://{user + '@' if user else ''}127.0.0.1:{self.port}",
                           PERIGEE_MAIL_FROM="Zoë <me@example.com>", **({"SSL_CERT_FILE": cert} if trust else {}), **env)
        self.server = self.place.serve()

    def call(self, name="send_email", **arguments):
        return call(self.server, name, **arguments)[0]

    def got(self):
        """What arrived: (envelope, bytes), in order."""
        found, number = [], 1
        while os.path.exists(os.path.join(self.folder, f"{number}.json")):
            with open(os.path.join(self.folder, f"{number}.json"), encoding="utf-8") as about, \
                    open(os.path.join(self.folder, f"{number}.eml"), "rb") as file:
                found.append((json.load(about), file.read()))
            number += 1
        return found

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.kill()
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.place.close()
        subprocess.run(["rm", "-rf", self.folder], check=False)


def password_file(world, text="pässword\n", mode=0o600):
    world.place.put("password", text)
    os.chmod(os.path.join(world.place.folder, "password"), mode)
    world.place.env["PERIGEE_MAIL_PASSWORD_FILE"] = os.path.join(world.place.folder, "password")
    world.server.kill()
    world.server = world.place.serve()


def envelopes():
    with World() as world:
        result = world.call(**mail(to="Ada <ada@example.com>, b@example.com", cc="c@example.com", bcc="hidden@example.com",
                                   subject="Grüße 🙂", body="שלום\n.\n..x\n"))
        has(text_of(result), "EMAIL_SENT: to=ada@example.com, b@example.com, id=", "@example.com")
        (about, raw), = world.got()
        same(about["to"], ["ada@example.com", "b@example.com", "c@example.com", "hidden@example.com"])
        same((about["from"], about["ehlo"], about["login"]), ("me@example.com", "localhost", None))
        if b"hidden" in raw:
            raise Failure("the recipients of bcc are in the message")
        got = email.message_from_bytes(raw, policy=email.policy.default)
        same((got["Subject"], got["From"].addresses[0].display_name), ("Grüße 🙂", "Zoë"))
        same(got.get_content(), "שלום\n.\n..x\n")
        has(text_of(result), got["Message-ID"].strip("<>"))
        has(text_of(world.call(**mail(subject="Re: x", reply_to_id=got["Message-ID"]))), "EMAIL_SENT:")
        same(email.message_from_bytes(world.got()[1][1])["In-Reply-To"], got["Message-ID"])
        same(code_of(world.call(**mail(draft=True))), "no_drafts")
        same(code_of(world.call("list_emails")), "cannot_read")


def tls(mode):
    with World(mode, user="me%40example.com") as world:
        password_file(world)
        has(text_of(world.call(**mail())), "EMAIL_SENT:")
        about = world.got()[0][0]
        same((about["tls"], about["login"]), (True, ["password", "me@example.com"]))
        if "pässword" in world.server.stderr():
            raise Failure("the password is in the log")
        password_file(world, "wrong")
        result = world.call(**mail(subject="Other"))
        same(code_of(result), "login_failed")
        has(text_of(result), "me@example.com")
    with World(mode, trust=False) as world:
        same(code_of(world.call(**mail())), "tls")
        same(world.got(), [])


def xoauth2():
    with World("tls", user="me%40example.com", PERIGEE_MAIL_AUTH="xoauth2") as world:
        password_file(world, "the-token\n")
        has(text_of(world.call(**mail())), "EMAIL_SENT:")
        same(world.got()[0][0]["login"], ["xoauth2", "me@example.com"])
        password_file(world, "worn-token")
        same(code_of(world.call(**mail(subject="Other"))), "login_failed")
        password_file(world, "the-token\n", 0o644)
        result = world.call(**mail(subject="Other"))
        same(code_of(result), "bad_setting")
        has(text_of(result), "PERIGEE_MAIL_PASSWORD_FILE: other users can read", "chmod 600")


def no_tls_elsewhere():
    """A server that is not this machine's must offer STARTTLS; the name resolves to this one."""
    with World("plain") as world:
        world.place.env["PERIGEE_MAIL"] = f"smtp://{os.uname().nodename}:{world.port}"
        world.server.kill()
        world.server = world.place.serve()
        result = world.call(**mail())
        if code_of(result) not in ("tls", "dns", "connection_refused"):
            raise Failure(text_of(result))
        same(world.got(), [])


def refusals():
    with World() as world:
        for address, code in (("refused@example.com", "refused"), ("spam@example.com", "refused"), ("broken@example.com", "cut_off")):
            result = world.call(**mail(to="good@example.com, " + address))
            same(code_of(result), code, text_of(result))
            same(code_of(world.call(**mail(to="good@example.com, " + address))), code)     # it was certain: tried again
        has(text_of(world.call(**mail(to="refused@example.com"))), "550 5.1.1 No such user here")
        same(world.got(), [])
        has(text_of(world.call(**mail(to="later@example.com"))), "EMAIL_SENT:")
        same(len(world.got()), 1)
    world = World()
    with world:
        world.process.stdin.close()
        world.process.wait()
        same(code_of(world.call(**mail())), "connection_refused")


def lost_answer():
    with World() as world:
        result = world.call(**mail(to="lost@example.com"))
        same(code_of(result), "maybe_sent", text_of(result))
        same(code_of(world.call(**mail(to="lost@example.com"))), "maybe_sent")
        same(len(world.got()), 1)


def wrong_settings():
    with World() as world:
        for name, value in (("PERIGEE_MAIL", "smtp://me:secret@host"), ("PERIGEE_MAIL", "ftp://host"), ("PERIGEE_MAIL", "smtps://"),
                            ("PERIGEE_MAIL_FROM", ""), ("PERIGEE_MAIL_FROM", "nobody"), ("PERIGEE_MAIL", "smtp://me@127.0.0.1")):
            world.server.kill()
            world.server = servers.perigee("--no-user-root", "--root", servers.TRUSTING, env={**world.place.env, name: value})
            world.server.initialize()
            result = world.call(**mail())
            same(code_of(result), "bad_setting", f"{name}={value}: {text_of(result)}")
            if "secret" in text_of(result):
                raise Failure("the password is in the message")


def killed():
    """kill -9 right after the server took the message; the same call in the next engine."""
    with World() as world:
        world.server.post("tools/call", {"name": "send_email", "arguments": mail(to="lost@example.com")})
        end = time.monotonic() + 60
        while not world.got() and time.monotonic() < end:
            time.sleep(0.002)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(world.server.process.pid, signal.SIGKILL)
        world.server.kill()
        world.server = world.place.serve()
        same(code_of(world.call(**mail(to="lost@example.com"))), "maybe_sent")
        same(len(world.got()), 1)


def killed_while_asked():
    """kill -9 while the user is asked; the next engine does not say that the message may have arrived."""
    with World() as world:
        world.server.kill()
        world.server = world.place.serve(trusting=False)
        world.server.post("tools/call", {"name": "send_email", "arguments": mail()})
        world.server.find(lambda each: each.get("method") == "elicitation/create")
        os.killpg(world.server.process.pid, signal.SIGKILL)
        world.server.kill()
        world.server = world.place.serve()
        has(text_of(world.call(**mail())), "EMAIL_SENT: to=")
        same(len(world.got()), 1)


def asked_by(server):
    return server.find(lambda each: each.get("method") == "elicitation/create")


def allow(server, asked, answer="Allow once"):
    server.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": {"answer": answer}}})


def result_of(server, request):
    return server.find(lambda each: each.get("id") == request and "method" not in each)["result"]


def questions_at_once():
    """An open question about one message holds no other up, neither in this engine nor in another; and none is sent twice."""
    with World() as world, world.place.serve(trusting=False) as one, world.place.serve(trusting=False) as two:
        requests = [(server, server.post("tools/call", {"name": "send_email", "arguments": mail(subject=subject)}))
                    for server, subject in ((one, "First"), (one, "Second"), (two, "Third"))]
        asked = {}
        for server in (one, one, two):
            question = asked_by(server)
            asked[next(word for word in ("First", "Second", "Third") if word in question["params"]["message"])] = server, question
        same(sorted(asked), ["First", "Second", "Third"])
        for subject, request in (("Second", requests[1]), ("Third", requests[2]), ("First", requests[0])):
            allow(*asked[subject])
            has(text_of(result_of(*request)), "EMAIL_SENT:")
        same([email.message_from_bytes(raw)["Subject"] for _, raw in world.got()], ["Second", "Third", "First"])


def one_message_at_once():
    """The same call twice: its twin in the same engine waits, and one in another engine finds out before it sends."""
    with World() as world, world.place.serve(trusting=False) as one, world.place.serve(trusting=False) as two:
        first, twin, other = [(server, server.post("tools/call", {"name": "send_email", "arguments": mail()})) for server in (one, one, two)]
        there, here = asked_by(two), asked_by(one)
        allow(one, here)
        for request in (first, twin):
            has(text_of(result_of(*request)), "EMAIL_SENT:")
        allow(two, there)
        has(text_of(result_of(*other)), "EMAIL_SENT:", "nothing was sent now")
        same(len(world.got()), 1)
        same([each for each in one.early if each.get("method") == "elicitation/create"], [], "asked again")


def many(count=1000):
    """The bytes of DATA are those that were built: sent by a script, compared here."""
    script = os.path.join(HERE, "lua", "send_many.lua")
    with World() as world:
        done = subprocess.run([servers.PERIGEE, "run", "--grant", world.place.files, script, str(world.port), str(count)],
                              cwd=world.place.files, env={**os.environ, **world.place.env}, capture_output=True, text=True, timeout=240,
                              check=False)
        same((done.returncode, done.stderr), (0, ""))
        got = {}
        for _, raw in world.got():
            got[email.message_from_bytes(raw, policy=email.policy.default)["Message-ID"]] = raw
        same(len(got), count)
        for number in range(1, count + 1):
            with open(os.path.join(world.place.files, f"{number}.eml"), "rb") as file:
                built = file.read()
            if got[f"<{number}@example.com>"] != built:
                raise Failure(f"message {number} arrived otherwise")
    tap.note(f"{count} messages")


def main():
    if not os.path.exists(PYTHON):
        tap.skip("SMTP", "aiosmtpd is not installed: tests/mail/install")
        return tap.done()
    for name, case, *arguments in (
            ("recipients, bcc and dots", envelopes), ("STARTTLS and a password", tls, "starttls"), ("TLS and a password", tls, "tls"),
            ("XOAUTH2", xoauth2), ("no server elsewhere without TLS", no_tls_elsewhere), ("refusals of the server", refusals),
            ("a lost answer", lost_answer), ("kill -9", killed), ("kill -9 while the user is asked", killed_while_asked),
            ("the question about one message holds no other up", questions_at_once),
            ("one message is sent once, however many calls ask at once", one_message_at_once),
            ("wrong settings", wrong_settings),
            ("1,000 messages arrive byte for byte", many)):
        tap.case(name, case, *arguments)
    return tap.done()


sys.exit(main())
