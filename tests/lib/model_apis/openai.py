"""OpenAI's chat completions, and what compatible servers do differently."""

import json
import re

from model_apis.shape import a_list, a_name, a_schema, a_text, an_image, key_in, keys, need, sees


TYPES = ("image/png", "image/jpeg", "image/webp", "image/gif")


def check_part(part, scenario):
    if part.get("type") == "text":
        keys(part, (), ("type", "text"), "content[]")
        return a_text(part["text"], "content[].text", empty=False)
    keys(part, (), ("type", "image_url"), "content[]")
    need(part["type"] == "image_url", f"Invalid value: '{part['type']}'.")
    keys(part["image_url"], ("detail",), ("url",), "image_url")
    sees(scenario, "Invalid content type. image_url is only supported by certain models.")
    match = re.fullmatch(r"data:(image/[a-z]+);base64,(.*)", part["image_url"]["url"], re.S)
    need(match and match.group(1) in TYPES, "You uploaded an unsupported image.")
    return an_image(match.group(2), match.group(1), TYPES, "image_url.url", most=50 * 1024 * 1024)


class OpenAI:
    name = "openai"
    statuses = {}
    named = ("gpt-4.1-2025-04-14", "o4-mini-2025-04-16")
    models = ("gpt-6-luna", "gpt-4.1-mini", "local-model", *named)
    path = re.compile(r"/v1/chat/completions")

    def model(self, _path, body):
        return body["model"]

    def check(self, _path, headers, body, scenario):
        if scenario != "nokey":
            key_in((headers.get("Authorization") or "").removeprefix("Bearer "), self.name)
        keys(body, ("tools", "tool_choice", "temperature", "max_tokens", "max_completion_tokens", "stream",
                    "reasoning_effort", "top_p", "stop"), ("model", "messages"), "request")
        model, tools = body["model"], body.get("tools")
        gone = scenario == "404" or (scenario == "retired" and model in ("gpt-6-luna", *self.named))
        need(model in self.models and not gone, f"The model `{model}` does not exist or you do not have access to it.",
             status=404)
        need(not body.get("stream"), "streaming is not asked for")
        if model.startswith("gpt-6"):
            need("max_tokens" not in body, "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                 "'max_completion_tokens' instead.", param="max_tokens")
            need(body.get("temperature", 1) == 1, "Unsupported value: 'temperature' does not support 0 with this "
                 "model.", param="temperature")
            need(not tools or body.get("reasoning_effort") == "none", "Function tools with reasoning_effort are not "
                 f"supported for {model} in /v1/chat/completions. To use function tools, use /v1/responses or set "
                 "reasoning_effort to 'none'.", param="reasoning_effort")
        need(scenario != "no-tools" or not tools, "\"auto\" tool choice requires --enable-auto-tool-choice and "
             "--tool-call-parser to be set")
        for tool in tools or []:
            keys(tool, (), ("type", "function"), "tools[]")
            keys(tool["function"], ("description", "parameters", "strict"), ("name",), "tools[].function")
            a_name(tool["function"]["name"], "tools[].function.name")
            a_schema(tool["function"].get("parameters"), "tools[].function.parameters")
        self.check_messages(a_list(body["messages"], "messages"), scenario)

    @staticmethod
    def check_messages(messages, scenario):
        waiting = []
        for message in messages:
            role = message.get("role")
            if role == "tool":
                keys(message, (), ("role", "tool_call_id", "content"), "messages[]")
                need(message["tool_call_id"] in waiting, "messages with role 'tool' must be a response to a preceding "
                     "message with 'tool_calls'.")
                waiting.remove(message["tool_call_id"])
                a_text(message["content"], "content")
                continue
            need(not waiting, "An assistant message with 'tool_calls' must be followed by tool messages responding to "
                 "each 'tool_call_id'.")
            need(role in ("system", "developer", "user", "assistant"), f"Invalid role: {role}")
            keys(message, ("tool_calls", "refusal") if role == "assistant" else (), ("role", "content"), "messages[]")
            calls = message.get("tool_calls")
            need(calls is None or (isinstance(calls, list) and calls), "tool_calls must not be empty")
            for call in calls or []:
                keys(call, ("extra_content",), ("id", "type", "function"), "tool_calls[]")
                keys(call["function"], (), ("name", "arguments"), "tool_calls[].function")
                json.loads(call["function"]["arguments"])
                waiting.append(call["id"])
            if isinstance(message["content"], list):
                need(role == "user", "content must be a string")
                for part in a_list(message["content"], "content"):
                    check_part(part, scenario)
            elif message["content"] is not None or not calls:
                a_text(message["content"], "content")
        need(not waiting, "tool_calls were not answered")

    def answer(self, model, reply):
        message = {"role": "assistant", "content": reply.get("text") or None, "refusal": None, "annotations": []}
        calls = [{"id": f"call_{i}", "type": "function", "function": {
            "name": call["name"], "arguments": call.get("raw", json.dumps(call.get("arguments", {})))}}
            for i, call in enumerate(reply.get("tool_calls", []))]
        if calls:
            message["tool_calls"] = calls
        stop = "length" if reply.get("stop") == "length" else "tool_calls" if calls else "stop"
        return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": model,
                "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": stop}],
                "usage": {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}}

    def empty(self):
        return {"id": "chatcmpl-1", "object": "chat.completion", "model": "m", "choices": []}

    def blocked(self):
        return {"id": "chatcmpl-1", "choices": [{"index": 0, "finish_reason": "stop", "message": {
            "role": "assistant", "content": None, "refusal": "I'm sorry, I cannot help with that."}}]}

    def error(self, status, message, param=None):
        return {"error": {"message": message, "type": "invalid_request_error" if status < 500 else "server_error",
                          "param": param, "code": None}}

    def listing(self, scenario):
        models = self.models if scenario != "nokey" else ("local-model",)
        return {"object": "list", "data": [{"id": model, "object": "model"} for model in models]}

    def heard(self, body):
        return [m.get("content") or json.dumps(m.get("tool_calls")) for m in body["messages"]], bool(body.get("tools"))
