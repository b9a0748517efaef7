"""A double of Gmail's uploads, which the emulator takes for text. It is as strict as Google's documentation lets a server be
(developers.google.com/workspace/gmail/api/guides/uploads, RFC 2387, RFC 2046), and makes the small form of JSON of one."""

import base64
import email.message
import json
import re
import urllib.parse

PATHS = {"/upload/gmail/v1/users/me/messages/send": "send", "/upload/gmail/v1/users/me/drafts": "draft"}
LARGEST = 36700160          # bytes of a message: "Maximum file size" of both methods
TOKEN = re.compile(r"[A-Za-z0-9'()+_,./:=?-]{1,70}")


class Refused(Exception):
    """What Google says of an upload that it does not take."""

    def __init__(self, text, reason="badContent"):
        super().__init__(text)
        self.body = {"error": {"code": 400, "message": text, "status": "INVALID_ARGUMENT",
                               "errors": [{"message": text, "domain": "global", "reason": reason}]}}


def need(ok, text):
    if not ok:
        raise Refused(text)


def media_type(value):
    """(type, parameters) of a Content-Type."""
    header = email.message.Message()
    header["Content-Type"] = value or ""
    return header.get_content_type() if value else "", dict(header.get_params(failobj=[], unquote=True)[1:])


def part(data):
    """(type, parameters, content) of what is between two boundaries."""
    head, blank, content = data.partition(b"\r\n\r\n")
    need(blank, "Malformed multipart body: a part has no end of its headers.")
    lines = head.decode("ascii", "replace").split("\r\n")
    fields = dict(re.split(r":[ \t]*", line, maxsplit=1) for line in lines if ":" in line)
    need(len(fields) == len(lines), "Malformed multipart body: the headers of a part.")
    kind, parameters = media_type({name.lower(): value for name, value in fields.items()}.get("content-type"))
    return kind, parameters, content


def parts(boundary, body):
    """Returns the parts between the boundaries; nothing may be before the first boundary or after the last."""
    delimiter = b"--" + boundary.encode("ascii")
    need(body.startswith(delimiter + b"\r\n"), "Malformed multipart body: it does not begin with the boundary.")
    pieces = (b"\r\n" + body).split(b"\r\n" + delimiter)[1:]
    need(pieces[-1] in (b"--", b"--\r\n"), "Malformed multipart body: it does not end with the closing boundary.")
    need(all(piece.startswith(b"\r\n") for piece in pieces[:-1]), "Malformed multipart body: a line begins like the boundary.")
    return [part(piece[2:]) for piece in pieces[:-1]]


def related(kind, parameters, body):
    """(metadata, message) of a multipart upload."""
    need(kind == "multipart/related", "Multipart must be of the type multipart/related.")
    boundary = parameters.get("boundary", "")
    need(TOKEN.fullmatch(boundary), "Missing boundary.")
    found = parts(boundary, body)
    need(len(found) == 2, f"Multipart must have exactly two parts, and has {len(found)}.")
    (about, more, text), (carried, _, message) = found
    need(about == "application/json" and more.get("charset", "utf-8").lower() == "utf-8", "The first part must be application/json.")
    need(carried == "message/rfc822", f"Media type '{carried}' is not supported. Valid media types: [message/*]")
    try:
        return json.loads(text), message
    except ValueError:
        raise Refused("Parse Error", "parseError") from None


def small(kind, about, message):
    """The body of the same request as JSON."""
    own = about if kind == "send" else about.get("message", {}) if isinstance(about, dict) else None
    need(isinstance(own, dict) and set(own) <= {"threadId"} and (kind == "send" or set(about) <= {"message"}), "Invalid metadata.")
    need(isinstance(own.get("threadId", ""), str), "Invalid value at 'threadId'.")
    whole = {**own, "raw": base64.urlsafe_b64encode(message).decode().rstrip("=")}
    return json.dumps(whole if kind == "send" else {"message": whole}).encode()


def as_json(path, headers, body):
    """(path, headers, body, message) of the request that does the same. Raises Refused."""
    where, _, query = path.partition("?")
    kind, asked = PATHS.get(where), urllib.parse.parse_qs(query)
    need(kind, "Not Found")
    need(headers.get_all("Content-Length") == [str(len(body))] and not headers.get("Transfer-Encoding"), "Content-Length is not true.")
    need(list(asked) == ["uploadType"], "Missing uploadType.")
    given, parameters = media_type(headers.get("Content-Type"))
    if asked["uploadType"] == ["media"]:
        need(given == "message/rfc822", f"Media type '{given}' is not supported. Valid media types: [message/*]")
        about, message = {}, body
    else:
        need(asked["uploadType"] == ["multipart"], "Invalid uploadType.")
        about, message = related(given, parameters, body)
    need(len(message) <= LARGEST, "Media is too large.")
    need(re.match(rb"[!-9;-~]+:", message), "Invalid message: it does not begin with a header.")
    data = small(kind, about, message)
    changed = {"Authorization": headers.get("Authorization", ""), "Content-Type": "application/json"}
    return where[len("/upload"):], changed, data, message
