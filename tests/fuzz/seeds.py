#!/usr/bin/env python3
"""Writes what fuzzing begins with: tests/fuzz/seeds.py FOLDER, a folder in it for each target.

What the wire's transcripts send, for message, json and http; samples of the other formats; and
what was found before (tests/fuzz/cases)."""

import base64
import glob
import json
import os
import re
import shutil
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
INIT = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "f", "version": "1"}}})


def scenes():
    """The messages that each scene of the transcripts sends, variables filled in."""
    for path in sorted(glob.glob(TESTS + "/wire/**/*.wire", recursive=True) + glob.glob(TESTS + "/http/*.http")):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            for scene in re.split(r"^== ", file.read(), flags=re.M)[1:]:
                lines = [line[2:] for line in scene.split("\n") if line.startswith("> ")]
                lines = [line.replace('"$meta"', json.dumps(META)) for line in lines]
                if lines and '"child"' not in scene and '"spin"' not in scene:
                    yield lines


def requests(lines):
    """The same as HTTP: of 2026-07-28 where a message says so, else in a session."""
    pieces = []
    for line in lines:
        try:
            message = json.loads(line)
        except ValueError:
            message = {}
        message = message if isinstance(message, dict) else {}
        modern = "io.modelcontextprotocol/protocolVersion" in line
        head = ["POST /mcp", "Host: 127.0.0.1", "Authorization: Bearer t0ken", "Content-Type: application/json",
                "Accept: application/json, text/event-stream"]
        if modern:
            head += ["MCP-Protocol-Version: 2026-07-28", f"Mcp-Method: {message.get('method')}"]
            params = message.get("params")
            name = isinstance(params, dict) and (params.get("name") or params.get("uri"))
            head += [f"Mcp-Name: {name}"] if name else []
        else:
            head += ["Mcp-Session-Id: $S"]
        pieces.append("\n".join(head) + "\n\n" + line)
    opening = "POST /mcp\nHost: localhost\nAuthorization: Bearer t0ken\nContent-Type: application/json\n\n" + INIT
    ends = ["GET /mcp\nHost: 127.0.0.1\nAuthorization: Bearer t0ken\nAccept: text/event-stream\nMcp-Session-Id: $S\n"
            "Last-Event-ID: 1-2\n", "DELETE /mcp\nHost: [::1]\nAuthorization: Bearer t0ken\nMcp-Session-Id: $S\n"]
    return "\x1e".join([opening, *pieces, *ends])


def pictures():
    """Small images of each kind, after the byte that chooses what the target does with them."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    def png(depth, color, row, more=b""):
        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 20, 3, depth, color, 0, 0, 0)) + more
                + chunk(b"IDAT", zlib.compress((b"\0" + row) * 3)) + chunk(b"IEND", b""))

    palette = chunk(b"PLTE", b"\1\2\3\x80\x90\xa0") + chunk(b"tRNS", b"\0\xff")
    files = [png(8, 2, bytes(range(60))), png(8, 6, bytes(range(80))), png(16, 4, bytes(80)), png(1, 3, b"\xaa\x55\xf0", palette)]
    files += [base64.b64decode(text) for text in (
        "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==",
        "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////"
        "////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z")]
    texts = [bytes([i]) + file for i, file in enumerate(files)] + [b"\3" + files[0], b"\7" + files[1]]
    return [text.decode("utf-8", "surrogateescape") for text in texts]


CALL = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
    "name": "test_x_mcp_header", "arguments": {"region": "eu-west", "level": 3}, "_meta": META}})

SAMPLES = {
    "json": ['{"a":[1,-0.5e+3,true,false,null,"\\u00e9\\ud83d\\ude00\\u0000"],"a":{}}', "[]", '"\u20ac"', "1e308", "[[[[[[]]]]]]",
             "[123456789012345678901234567890.123456789012345678901234567890123456789]", '{"id":1.0}'],
    "schema": [
        '{"type":"object","properties":{"a":{"type":"integer","minimum":1,"multipleOf":2},"b":{"enum":["x",1,null]}},'
        '"required":["a"],"additionalProperties":false}\n{"a":2,"b":"x"}\n{"c":1}',
        '{"$defs":{"n":{"anyOf":[{"type":"null"},{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}]}},'
        '"$ref":"#/$defs/n"}\n{"next":{"next":null}}',
        '{"type":"array","prefixItems":[{"const":1}],"items":{"pattern":"^a+[b-d]?\\\\d{2,3}$"},"uniqueItems":true,'
        '"contains":{"type":"string"},"minContains":1}\n[1,"ab12"]',
        '{"if":{"properties":{"k":{"const":1}}},"then":{"required":["x"]},"else":{"not":{"required":["x"]}},'
        '"unevaluatedProperties":false,"patternProperties":{"^k":true},"propertyNames":{"maxLength":3}}\n{"k":1}',
        '{"oneOf":[{"type":"number"},{"format":"date","minLength":2}],"dependentSchemas":{"a":{"minProperties":2}}}\n"ab"\n1',
    ],
    "sse": ["data: a\n\n", "\ufeff: c\r\nevent: x\r\ndata: 1\rdata: 2\r\rid: 7\nretry: 500\ndata\n\n", "id: a\0b\ndata:x\n\n",
            "data: " + "x" * 300 + "\n\n"],
    "request_head": ["GET /a?b=%41 HTTP/1.1\r\nHost: a\r\n\r\n", "\r\nPOST / HTTP/1.0\r\nContent-Length: 02\r\nX:\r\n\r\n{}",
                     "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nCookie: a=b; c\r\n\r\n0\r\n\r\n",
                     "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", "GET / HTTP/2.0\r\n",
                     "GET /" + "x" * 300, "GET / HTTP/1.1\r\nHost: a\r\n" + "a:\r\n" * 40],
    "text": ["Zm9vYmFy", "Zm9v-_", "GET /callback?code=a&state=b HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n", "120",
             "Wed, 21 Oct 2026 07:28:00 GMT", "[::1]:8080/mcp", "unix:/tmp/x", "*:80", '{"jsonrpc":"2.0","id":17,"result":{',
             ',"id":17}', "../a/./b/../c?d#e%41", "\u20ac\U0001f600 e\u0301"],
    "token": ['{"alg":"ES256","kid":"a","typ":"at+jwt"}|{"iss":"https://a","aud":["https://desk/mcp"],"exp":1800000600,"nbf":1.8e9,'
              '"sub":"x","scope":"a b","scp":["c"]}|' + "x" * 64,
              '{"alg":"RS256","kid":7}|{"iss":"https://a"}|x', '{"alg":"none"}|{"aud":"https://desk/mcp","cnf":{}}|',
              "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UifQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
              '{"keys":[{"kty":"RSA","n":"ofgWCuLj","e":"AQAB","alg":"RS256","use":"sig"},{"kty":"EC","crv":"P-256","x":"AA","y":"AA",'
              '"key_ops":["verify"],"kid":"b"}]}', "https://a.example/b", "http://[::1]:80/"],
    "mail": ["From: =?ISO-8859-1?Q?J=F6rg?= <j@example.com>\r\nTo: \"a, b\" <a@example.com>, T: c@d.e, f@g.h;\r\nSubject: =?utf-8?B?R3I=?=\r\n"
             " =?utf-8?B?IA==?= x\r\nDate: Thu, 26 Nov 2026 10:00:00 +0100\r\nMessage-ID: <1@example.com>\r\nReferences: <a@b>\r\n <c@d>\r\n\r\nhi",
             "Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: multipart/alternative; boundary=\"b\"\n\n--b\n"
             "Content-Type: text/plain; charset=koi8-r; format=flowed\nContent-Transfer-Encoding: quoted-printable\n\n=CD=C9=\n x \n--b\n"
             "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGI+\n--b--\n--a\nContent-Disposition: attachment;"
             " filename*0*=UTF-8''%F0%9F; filename*1*=%99%82\n\nx\n--a\nContent-Type: message/rfc822\n\nSubject: in\n\nx\n--a--\n",
             "Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n#86)C\n`\nend\n", "\n\n", "From me\nSubject\n: x\n\ty"],
    "guest": ["\x07\x03\x02\0\0\0\x02\x06\x03\0\0\0abc\x01\0\0\0\x06\x01\0\0\0k\x04\x09\0\0\0\0\0\0\0"
              "\x07\x01\x01\0\0\0\x06\x01\0\0\0k\0\0\0\0",
              "\x0c\0\0\0\x0a\x01\0\0\0\x07\x02\x01\0\0\0\x03\0\0\0\0\0\x02\0\0\0\x07\x02\0\0\0\0\x01"],
    "picture": pictures(),
    "message": [],
    "http": [requests([CALL]).replace("Mcp-Name: test_x_mcp_header", "Mcp-Name: =?base64?dGVzdF94X21jcF9oZWFkZXI=?=\n"
                                      "Mcp-Param-Region: =?base64?ZXUtd2VzdA==?=\nMcp-Param-Level: 3.0"), "GET /healthz\nHost: localhost\n", "GET /metrics\nHost: 127.0.0.1\nAuthorization: Bearer t0ken\n",
             "OPTIONS /mcp\nHost: 127.0.0.1\nOrigin: http://localhost:6274\n",
             "POST /mcp\nHost: evil.example\nOrigin: http://evil.example\n\n{}"],
}


def write(folder, target, texts):
    place = os.path.join(folder, target)
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    for i, text in enumerate(texts):
        with open(os.path.join(place, f"seed-{i:03}"), "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
    for case in glob.glob(f"{HERE}/cases/{target}/*"):
        shutil.copy(case, place)


def main():
    lines = list(scenes())
    texts = {name: list(samples) for name, samples in SAMPLES.items()}
    texts["message"] += [INIT + "\n" + "\n".join(scene) for scene in lines]
    texts["json"] += [line for scene in lines for line in scene][::3]
    texts["http"] += [requests(scene) for scene in lines if len(scene) < 8][::2]
    for target, samples in texts.items():
        write(sys.argv[1], target, samples)


main()
