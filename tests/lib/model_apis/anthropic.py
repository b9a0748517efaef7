"""Anthropic's Messages API."""

import json
import re

from model_apis.shape import a_list, a_name, a_schema, a_text, an_image, key_in, keys, need, sees


TYPES = ("image/jpeg", "image/png", "image/gif", "image/webp")


def check_image(block, scenario):
    keys(block, ("cache_control",), ("type", "source"), "content[]")
    need(block["type"] == "image", f"unknown block type {block['type']}")
    source = block["source"]
    keys(source, (), ("type", "media_type", "data"), "source")
    need(source["type"] == "base64" and source["media_type"] in TYPES, "source.media_type: Input should be " + ", ".join(TYPES))
    sees(scenario, "This model does not support image input.")
    an_image(source["data"], source["media_type"], TYPES, "source.data")


class Anthropic:
    name = "anthropic"
    statuses = {}
    named = ("claude-3-7-sonnet-latest",)
    models = ("claude-haiku-5-5", "claude-haiku-4-5", *named)
    path = re.compile(r"/v1/messages")

    def model(self, _path, body):
        return body["model"]

    def check(self, _path, headers, body, scenario):
        key_in(headers.get("x-api-key"), self.name)
        need(headers.get("anthropic-version") == "2023-06-01", "anthropic-version: header is required")
        need((headers.get("Content-Type") or "").startswith("application/json"), "content-type must be JSON")
        keys(body, ("system", "tools", "tool_choice", "metadata", "stop_sequences", "thinking"),
             ("model", "max_tokens", "messages"), "request")
        model = body["model"]
        gone = scenario == "404" or (scenario == "retired" and model in ("claude-haiku-5-5", *self.named))
        need(model in self.models and not gone, f"model: {model}", status=404)
        need(isinstance(body["max_tokens"], int) and body["max_tokens"] > 0, "max_tokens: must be a positive integer")
        if "system" in body:
            a_text(body["system"], "system", empty=False)
        for tool in body.get("tools", []):
            keys(tool, ("description",), ("name", "input_schema"), "tools[]")
            a_name(tool["name"], "tools[].name")
            a_schema(tool["input_schema"], "tools[].input_schema")
        self.check_messages(a_list(body["messages"], "messages"), scenario)

    @staticmethod
    def check_messages(messages, scenario):
        need(messages[0].get("role") == "user", "messages: first message must use the \"user\" role")
        waiting = []
        for message in messages:
            keys(message, (), ("role", "content"), "messages[]")
            need(message["role"] in ("user", "assistant"), "messages: roles are user and assistant")
            blocks = a_list(message["content"], "content")
            results = [b.get("tool_use_id") for b in blocks if b.get("type") == "tool_result"]
            need(set(waiting) == set(results) and len(waiting) == len(results), "messages: `tool_use` ids were found "
                 "without `tool_result` blocks immediately after")
            need(all(b.get("type") == "tool_result" for b in blocks[:len(results)]), "tool_result blocks come first")
            waiting = []
            for block in blocks:
                kind = block.get("type")
                if kind == "text":
                    keys(block, (), ("type", "text"), "content[]")
                    a_text(block["text"], "text content blocks", empty=False)
                elif kind == "tool_use":
                    keys(block, (), ("type", "id", "name", "input"), "content[]")
                    need(isinstance(block["input"], dict), "tool_use.input must be an object")
                    waiting.append(block["id"])
                elif kind == "tool_result":
                    keys(block, ("is_error", "content"), ("type", "tool_use_id"), "content[]")
                    inner = block.get("content", "")
                    need(not block.get("is_error") or isinstance(inner, str) or all(p.get("type") == "text" for p in inner),
                         "tool_result: all content must be type \"text\" if \"is_error\" is true")
                    for part in inner if isinstance(inner, list) else []:
                        if part.get("type") == "text":
                            keys(part, (), ("type", "text"), "tool_result.content[]")
                            a_text(part["text"], "text content blocks", empty=False)
                        else:
                            check_image(part, scenario)
                    need(isinstance(inner, (str, list)), "tool_result.content must be a string or a list")
                elif kind == "image":
                    need(message["role"] == "user", "image blocks belong to the role user")
                    check_image(block, scenario)
                else:
                    need(kind == "thinking" and "signature" in block, f"unknown block type {kind}")
        need(not waiting, "tool_use blocks were not answered")

    def answer(self, model, reply):
        content = [{"type": "thinking", "thinking": "", "signature": "c2lnbmF0dXJl"}]
        if reply.get("text"):
            content.append({"type": "text", "text": reply["text"]})
        for i, call in enumerate(reply.get("tool_calls", [])):
            content.append({"type": "tool_use", "id": f"toolu_{i}", "name": call["name"],
                            "input": call.get("arguments", {})})
        stop = "max_tokens" if reply.get("stop") == "length" else "tool_use" if reply.get("tool_calls") else "end_turn"
        return {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": content,
                "stop_reason": stop, "stop_sequence": None, "usage": {"input_tokens": 11, "output_tokens": 5}}

    def empty(self):
        return {"id": "msg_1", "type": "message", "role": "assistant", "stop_reason": "end_turn", "content": None}

    def blocked(self):
        return {"id": "msg_1", "type": "message", "role": "assistant", "stop_reason": "refusal", "content": []}

    def error(self, status, message, param=None):
        names = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error",
                 404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 529: "overloaded_error"}
        return {"type": "error", "error": {"type": names.get(status, "api_error"), "message": message},
                "request_id": "req_1"}

    def listing(self, _scenario):
        return {"data": [{"type": "model", "id": model} for model in self.models], "has_more": False}

    def heard(self, body):
        texts = []
        for message in body["messages"]:
            for block in message["content"]:
                texts.append(block.get("text") or json.dumps(block))
        return texts, bool(body.get("tools"))
