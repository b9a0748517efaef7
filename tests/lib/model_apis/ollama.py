"""Ollama's chat API."""

import json
import re

from model_apis.shape import a_list, a_schema, a_text, an_image, keys, need, sees


class Ollama:
    name = "ollama"
    statuses = {}
    models = ("llama3.2:latest", "gemma3:270m", "llava:latest")
    path = re.compile(r"/api/(chat|show)")

    def model(self, _path, body):
        return body["model"]

    def aside(self, path, body, scenario):
        """What is not a conversation: what a model can do."""
        if path != "/api/show" or scenario == "untold":
            return None
        blind = scenario == "no-images" or "llava" not in body["model"]
        return {"details": {"family": "llama"}, "capabilities": ["completion", "tools"] + ([] if blind else ["vision"])}

    def known(self, model, scenario):
        known = model in self.models or model + ":latest" in self.models
        need(known and scenario not in ("404", "retired"), f"model '{model}' not found", status=404)

    def check(self, path, _headers, body, scenario):
        if path == "/api/show":
            keys(body, ("verbose",), ("model",), "request")
            return self.known(body["model"], scenario)
        keys(body, ("tools", "stream", "options", "format", "keep_alive", "think"), ("model", "messages"), "request")
        model = body["model"]
        self.known(model, scenario)
        need(body.get("stream") is False, "stream must be false for a single answer")
        need(not body.get("tools") or (scenario != "no-tools" and not model.startswith("gemma")),
             f"registry.ollama.ai/library/{model} does not support tools")
        for tool in body.get("tools", []):
            keys(tool, (), ("type", "function"), "tools[]")
            keys(tool["function"], ("description",), ("name", "parameters"), "tools[].function")
            a_schema(tool["function"]["parameters"], "parameters")
        for message in a_list(body["messages"], "messages"):
            keys(message, ("tool_calls", "tool_name", "images", "thinking"), ("role", "content"), "messages[]")
            need(message["role"] in ("system", "user", "assistant", "tool"), "invalid role")
            need(("tool_name" in message) == (message["role"] == "tool"), "tool_name goes with the role tool")
            a_text(message["content"], "content")
            for image in message.get("images", []):
                need(message["role"] == "user", "the templates of models show images of users only")
                sees(scenario, "this model is missing data required for image input")
                an_image(image, None, ("image/png", "image/jpeg"), "images[]", most=100 * 1024 * 1024)
            for call in message.get("tool_calls", []):
                need(isinstance(call["function"]["arguments"], dict), "arguments must be an object")

    def answer(self, model, reply):
        message = {"role": "assistant", "content": reply.get("text", "")}
        if reply.get("tool_calls"):
            message["tool_calls"] = [{"function": {"name": call["name"], "arguments": call.get("arguments", {})}}
                                     for call in reply["tool_calls"]]
        return {"model": model, "created_at": "2026-01-01T00:00:00Z", "message": message, "done": True,
                "done_reason": reply.get("stop") or "stop", "prompt_eval_count": 11, "eval_count": 5}

    def empty(self):
        return {"model": "m", "done": True}

    def blocked(self):
        return self.answer("m", {"text": "I cannot help with that."})

    def error(self, _status, message, param=None):
        return {"error": message}

    def listing(self, scenario):
        return {"models": [{"name": model} for model in (self.models if scenario != "empty-list" else ())]}

    def heard(self, body):
        return [m["content"] or json.dumps(m.get("tool_calls")) for m in body["messages"]], bool(body.get("tools"))
