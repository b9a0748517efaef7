"""Google's generateContent, v1beta."""

import json
import re

from model_apis.shape import a_list, a_name, a_schema, an_image, key_in, keys, need, sees


TYPES = ("image/png", "image/jpeg", "image/webp")


def check_image(part, scenario):
    blob = part["inlineData"]
    keys(blob, (), ("mimeType", "data"), "inlineData")
    need(blob["mimeType"] in TYPES, f"Unsupported MIME type: {blob['mimeType']}")
    sees(scenario, "Image input modality is not enabled for this model.")
    an_image(blob["data"], blob["mimeType"], TYPES, "inlineData.data", most=20 * 1024 * 1024)


class Gemini:
    name = "gemini"
    statuses = {401: 400}  # a wrong key is a bad argument here
    named = ("gemini-2.5-flash-preview-05-20", "gemini-2.5-pro-preview-05-06", "gemini-2.0-flash")
    models = ("gemini-2.0-flash", "gemini-3.8-flash", "gemini-flash-latest", *named[:2])
    path = re.compile(r"/v1beta/models/([^/:]+):generateContent")

    def model(self, path, _body):
        return self.path.fullmatch(path).group(1)

    def check(self, path, headers, body, scenario):
        key_in(headers.get("x-goog-api-key"), self.name)
        model = self.model(path, body)
        gone = scenario == "404" or (scenario == "retired" and model in ("gemini-2.0-flash", *self.named))
        need(model in self.models and not gone, f"models/{model} is not found for API version v1beta", status=404)
        keys(body, ("systemInstruction", "tools", "toolConfig", "generationConfig", "safetySettings"), ("contents",),
             "request")
        if "systemInstruction" in body:
            for part in a_list(body["systemInstruction"].get("parts"), "systemInstruction.parts"):
                keys(part, (), ("text",), "systemInstruction.parts[]")
        keys(body.get("generationConfig", {}), ("temperature", "maxOutputTokens", "topP", "topK", "stopSequences"), (),
             "generationConfig")
        for tool in body.get("tools", []):
            keys(tool, (), ("functionDeclarations",), "tools[]")
            for function in a_list(tool["functionDeclarations"], "functionDeclarations"):
                keys(function, ("description", "parameters", "parametersJsonSchema"), ("name",),
                     "functionDeclarations[]")
                a_name(function["name"], "name", r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")
                if "parametersJsonSchema" in function:
                    a_schema(function["parametersJsonSchema"], "parametersJsonSchema")
        self.check_contents(a_list(body["contents"], "contents"), signed=not model.startswith("gemini-2"), scenario=scenario)

    @staticmethod
    def check_contents(contents, signed, scenario):
        need(contents[0].get("role") == "user", "The first content must have the role user")
        open_calls = []
        for content in contents:
            keys(content, (), ("role", "parts"), "contents[]")
            need(content["role"] in ("user", "model"), "Please use a valid role: user, model.")
            parts = a_list(content["parts"], "parts")
            for part in parts:
                keys(part, ("text", "inlineData", "functionCall", "functionResponse", "thoughtSignature", "thought"), (), "parts[]")
                kinds = [kind for kind in ("text", "inlineData", "functionCall", "functionResponse") if kind in part]
                need(len(kinds) == 1, "contents.parts must not be empty: exactly one kind of data")
                if "inlineData" in part:
                    check_image(part, scenario)
            answers = [p["functionResponse"] for p in parts if "functionResponse" in p]
            need(len(answers) == len(open_calls), "Please ensure that the number of function response parts is equal "
                 "to the number of function call parts of the function call turn.")
            for answer, call in zip(answers, open_calls):
                keys(answer, ("id", "parts") if signed else ("id",), ("name", "response"), "functionResponse")
                for part in answer.get("parts", []):
                    keys(part, (), ("inlineData",), "functionResponse.parts[]")
                    check_image(part, scenario)
                need(isinstance(answer["response"], dict), "functionResponse.response must be an object")
                need(answer["name"] == call["name"], "the function response is for another function")
                need(answer.get("id") == call.get("id"), "the function response has another id than its call")
            calls = [p for p in parts if "functionCall" in p]
            need(not calls or content["role"] == "model", "functionCall belongs to the role model")
            need(not signed or not calls or "thoughtSignature" in calls[0],
                 "Function call is missing a thought_signature in functionCall parts.")
            open_calls = [p["functionCall"] for p in calls]
        need(not open_calls, "a function call was not answered")

    def answer(self, model, reply):
        parts = [{"text": reply["text"]}] if reply.get("text") else []
        for i, call in enumerate(reply.get("tool_calls", [])):
            part = {"functionCall": {"name": call["name"], "args": call.get("arguments", {})}}
            if not model.startswith("gemini-2"):
                part["functionCall"]["id"] = f"fc-{i}"
                part["thoughtSignature"] = "c2lnbmF0dXJl"
            parts.append(part)
        stop = "MAX_TOKENS" if reply.get("stop") == "length" else "STOP"
        return {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": stop, "index": 0}],
                "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 5, "totalTokenCount": 16},
                "modelVersion": model, "responseId": "r1"}

    def empty(self):
        return {"candidates": [], "usageMetadata": {"promptTokenCount": 11, "totalTokenCount": 11}}

    def blocked(self):
        return {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": "m"}

    def error(self, status, message, param=None):
        names = {400: "INVALID_ARGUMENT", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED",
                 500: "INTERNAL", 503: "UNAVAILABLE"}
        fault = {"code": status, "message": message, "status": names.get(status, "UNKNOWN")}
        if status == 401:
            fault = {"code": 400, "message": "API key not valid. Please pass a valid API key.",
                     "status": "INVALID_ARGUMENT", "details": [
                         {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]}
        return {"error": fault}

    def listing(self, _scenario):
        return {"models": [{"name": "models/" + model} for model in self.models]}

    def heard(self, body):
        """The transcript as texts, for the scripted drawing."""
        texts = [part.get("text") or json.dumps(part.get("functionResponse") or part.get("functionCall"))
                 for content in body["contents"] for part in content["parts"]]
        return texts, bool(body.get("tools"))
