"""Functions that the checks of all APIs are written with: a request that fails one is refused with the API's own words."""

import base64
import binascii
import re

KEYS = {"gemini": "test-gemini-key", "openai": "test-openai-key", "anthropic": "test-anthropic-key"}
SAYS = {401: "Incorrect API key provided.", 403: "You do not have access.", 413: "Request too large.",
        429: "Rate limit reached.", 500: "Internal error.", 503: "The model is overloaded.", 529: "Overloaded"}


class Refused(Exception):
    """The request is not as the API wants it; the text is what the API would say."""

    def __init__(self, message, status=400, param=None):
        super().__init__(message)
        self.status = status
        self.param = param


def need(condition, message, **more):
    if not condition:
        raise Refused(message, **more)


def keys(value, allowed, required, where):
    need(isinstance(value, dict), f"{where} must be an object")
    for key in value:
        need(key in allowed or key in required, f"Unknown name \"{key}\" at {where}", param=key)
    for key in required:
        need(key in value, f"Missing required parameter: '{where}.{key}'", param=key)


def a_text(value, where, empty=True):
    need(isinstance(value, str), f"{where} must be a string")
    need(empty or value.strip(), f"{where} must not be empty")


def a_list(value, where):
    need(isinstance(value, list) and value, f"{where} must be a list that is not empty")
    return value


def a_schema(value, where):
    need(isinstance(value, dict) and value.get("type") == "object", f"{where} must be a schema of type object")
    need(isinstance(value.get("properties"), dict), f"{where}.properties must be an object")
    need("$schema" not in value, f"Unknown name \"$schema\" at {where}")


def a_name(value, where, pattern=r"[A-Za-z0-9_-]{1,64}"):
    need(isinstance(value, str) and re.fullmatch(pattern, value), f"{where} is not a function name: {value!r}")


MAGIC = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff", "image/webp": b"RIFF", "image/gif": b"GIF8"}


def image_size(raw):
    """Width and height of a PNG or JPEG file; (0, 0) of others."""
    if raw.startswith(MAGIC["image/png"]):
        return int.from_bytes(raw[16:20], "big"), int.from_bytes(raw[20:24], "big")
    at = 2
    while raw.startswith(MAGIC["image/jpeg"]) and at + 9 < len(raw):
        if 0xC0 <= raw[at + 1] <= 0xC2:
            return int.from_bytes(raw[at + 7:at + 9], "big"), int.from_bytes(raw[at + 5:at + 7], "big")
        at += 2 + int.from_bytes(raw[at + 2:at + 4], "big")
    return 0, 0


def an_image(data, mime, types, where, longest=8000, most=5 * 1024 * 1024):
    """Base64 without line breaks, of the kind that it says it is, no larger than the API takes."""
    need(isinstance(data, str) and data, f"{where} must be a string of base64")
    try:
        raw = base64.b64decode(data, validate=True)
    except binascii.Error as error:
        raise Refused(f"{where} is not valid base64: {error}") from error
    kinds = [kind for kind in types if raw.startswith(MAGIC[kind])]
    need(kinds, f"{where}: Could not process image")
    need(mime is None or mime in kinds, f"{where}: the image appears to be {kinds[0]}, not {mime}")
    need(len(data) <= most, f"{where}: image exceeds {most} bytes maximum: {len(data)} bytes")
    need(max(image_size(raw)) <= longest, f"{where}: image dimensions exceed max allowed size: {longest} pixels")


def sees(scenario, message):
    """The model of the scenario takes text only."""
    need(scenario != "no-images", message)


def key_in(header, api):
    need(header == KEYS[api], SAYS[401], status=401)
