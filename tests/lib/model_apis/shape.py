"""What the checks of all APIs are written with: a request that fails one is refused with the API's own words."""

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


def key_in(header, api):
    need(header == KEYS[api], SAYS[401], status=401)
