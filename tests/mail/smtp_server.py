"""A real SMTP server, aiosmtpd, run in the tests' own virtual environment: smtp_server.py FOLDER MODE.

MODE is plain, starttls or tls. Prints its port. What it accepts becomes files of FOLDER: N.eml (the bytes of DATA) and N.json
(envelope, and how the session logged in). Recipients decide how it answers:

    refused@    550 at RCPT        later@   451 at RCPT, once
    spam@       554 after DATA     lost@    takes the message and drops the connection without an answer
    broken@     drops the connection at RCPT
"""

import asyncio
import base64
import json
import os
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

FOLDER, MODE = sys.argv[1], sys.argv[2]


class Handler:
    def __init__(self):
        self.count = 0
        self.delayed = set()

    async def handle_RCPT(self, server, _session, envelope, address, _options):
        kind = address.split("@")[0]
        if kind == "refused":
            return "550 5.1.1 No such user here"
        if kind == "broken":
            server.transport.abort()
            return "421 gone"
        if kind == "later" and address not in self.delayed:
            self.delayed.add(address)
            return "451 4.7.1 Greylisted, come again"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        kinds = {address.split("@")[0] for address in envelope.rcpt_tos}
        if "spam" in kinds:
            return "554 5.7.1 Rejected as spam"
        self.count += 1
        with open(os.path.join(FOLDER, f"{self.count}.eml"), "wb") as file:
            file.write(envelope.original_content)
        about = os.path.join(FOLDER, f"{self.count}.json")
        with open(about + ".new", "w", encoding="utf-8") as file:
            json.dump({"from": envelope.mail_from, "to": envelope.rcpt_tos, "tls": session.ssl is not None or MODE == "tls",
                       "login": session.auth_data, "ehlo": session.host_name}, file)
        os.rename(about + ".new", about)        # whole when it is seen
        if "lost" in kinds:
            server.transport.abort()
        return "250 OK queued"


class Server(SMTP):
    """Takes XOAUTH2, which aiosmtpd leaves to others, besides LOGIN and PLAIN."""

    async def auth_XOAUTH2(self, server, args):
        given = base64.b64decode(args[1]) if len(args) > 1 else await server.challenge_auth("")
        given = given.decode()
        fields = dict(part.split("=", 1) for part in given.split("\x01") if "=" in part)
        if fields.get("auth") != "Bearer the-token":
            await self.push("535 5.7.8 Token refused")
            return AuthResult(success=False, handled=True)
        return AuthResult(success=True, auth_data=["xoauth2", fields["user"]])


def authenticate(_server, _session, _envelope, _mechanism, data):
    if isinstance(data, LoginPassword) and data.password == "pässword".encode():
        return AuthResult(success=True, auth_data=["password", data.login.decode()])
    return AuthResult(success=False, handled=False)


async def main():
    context = None
    if MODE != "plain":
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(os.path.join(FOLDER, "cert.pem"), os.path.join(FOLDER, "key.pem"))
    handler = Handler()

    def session():
        return Server(handler, authenticator=authenticate, auth_require_tls=MODE == "starttls", require_starttls=MODE == "starttls",
                      tls_context=context if MODE == "starttls" else None, data_size_limit=64 << 20, enable_SMTPUTF8=False)

    server = await asyncio.get_running_loop().create_server(session, "127.0.0.1", 0, ssl=context if MODE == "tls" else None)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    os._exit(0)


asyncio.run(main())
