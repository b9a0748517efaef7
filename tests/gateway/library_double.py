#!/usr/bin/env python3
"""A double of a server with prompts, resources and templates, in both eras; the options of mcp_server_double.py.

Its tools change what it has: `touch {uri}` tells subscribers, `publish {list}` adds to a list and says so, `link` hands
out addresses, `takes {...}` says which arguments arrived."""

import base64
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))

import mcp_server_double as double                  # noqa: E402

LISTENER = "io.modelcontextprotocol/subscriptionId"
WORDS = ["moon", "moonlight", "sun"]


class Library(double.Server):
    def __init__(self, options):
        super().__init__(options)
        self.subscribed = set()
        self.listener = None    # id of subscriptions/listen
        self.prompts = [{"name": "hello there", "title": "Greets", "x-of-theirs": 1,
                         "arguments": [{"name": "whom", "required": True}, {"name": "book"}]}]
        self.resources = [{"uri": "book://moon", "name": "Moon", "mimeType": "text/plain", "x-of-theirs": [1],
                           "_meta": {"id": 2 ** 64 - 1}},
                          {"uri": "book://cover", "name": "Cover", "mimeType": "image/png"},
                          {"uri": "ui://library/page", "name": "Page", "mimeType": "text/html"}]
        self.templates = [{"uriTemplate": "book://{title}/{page}", "name": "A page", "description": "One."},
                          {"uriTemplate": "shelf://{path*}", "name": "A shelf"}]

    CAPABILITIES = {"tools": {"listChanged": True}, "prompts": {"listChanged": True}, "completions": {},
                    "resources": {"listChanged": True, "subscribe": True}}

    def result(self, rid, result, modern=False):
        if "capabilities" in result:
            result = {**result, "capabilities": self.CAPABILITIES}
        super().result(rid, result, modern)

    def request(self, message):
        method, rid, params = message["method"], message["id"], message.get("params") or {}
        modern = "io.modelcontextprotocol/protocolVersion" in params.get("_meta", {})
        answer = getattr(self, "answer_" + method.replace("/", "_"), None)
        if answer:
            answer(rid, params, modern)
        else:
            super().request(message)

    # --- what it has ----------------------------------------------------------

    def answer_prompts_list(self, rid, params, modern):
        self.result(rid, {"prompts": self.prompts}, modern)

    def answer_resources_list(self, rid, params, modern):
        self.result(rid, {"resources": self.resources}, modern)

    def answer_resources_templates_list(self, rid, params, modern):
        self.result(rid, {"resourceTemplates": self.templates}, modern)

    def answer_prompts_get(self, rid, params, modern):
        args = params.get("arguments") or {}
        if params["name"] != "hello there" or args.get("whom") == "nobody":
            self.error(rid, -32602, "there is nobody")
            return
        self.result(rid, {"description": "For " + args["whom"], "messages": [
            {"role": "user", "content": {"type": "text", "text": json.dumps(args, sort_keys=True)}},
            {"role": "assistant", "content": {"type": "resource", "resource": {
                "uri": "book://moon", "text": "It shines.", "x-of-theirs": []}}}]}, modern)

    def answer_resources_read(self, rid, params, modern):
        uri = params["uri"]
        if uri.startswith("book://nothing"):
            self.error(rid, -32602 if modern else -32002, "no such book", {"uri": uri})
        elif uri.startswith("book://burnt"):
            self.error(rid, -32603, "it burnt")
        elif uri == "book://cover":
            self.result(rid, {"contents": [{"uri": uri, "mimeType": "image/png",
                                            "blob": base64.b64encode(bytes(range(256))).decode()}]}, modern)
        else:
            self.result(rid, {"contents": [{"uri": uri, "text": f"read {uri}", "x-of-theirs": {}, "_meta": {"id": 10 ** 30}}]}, modern)

    def answer_completion_complete(self, rid, params, modern):
        begin = params["argument"]["value"]
        found = [word for word in WORDS if word.startswith(begin)]
        if "uri" in params["ref"]:
            found = [params["ref"]["uri"], *found]
        self.result(rid, {"completion": {"values": found, "total": 7 + len(found), "hasMore": True}}, modern)

    def answer_resources_subscribe(self, rid, params, modern):
        self.journal("subscribed " + params["uri"])
        self.subscribed.add(params["uri"])
        self.result(rid, {}, modern)

    def answer_resources_unsubscribe(self, rid, params, modern):
        self.journal("unsubscribed " + params["uri"])
        self.subscribed.discard(params["uri"])
        self.result(rid, {}, modern)

    def answer_subscriptions_listen(self, rid, params, modern):
        wanted = params["notifications"]
        self.listener, self.subscribed = rid, set(wanted.get("resourceSubscriptions", []))
        self.journal("subscribed " + " ".join(sorted(self.subscribed)))
        self.tell("notifications/subscriptions/acknowledged", {"notifications": wanted})

    def tell(self, method, params):
        meta = {"_meta": {LISTENER: self.listener}} if self.listener is not None else {}
        self.notify(method, {**params, **meta})

    # --- tools ----------------------------------------------------------------

    def tool_touch(self, rid, args, meta, modern, params):
        if args["uri"] in self.subscribed:
            self.tell("notifications/resources/updated", {"uri": args["uri"]})
        self.text(rid, "touched", modern)

    def tool_publish(self, rid, args, meta, modern, params):
        if args["list"] == "prompts":
            self.prompts.append({"name": "new"})
        else:
            self.resources.append({"uri": "book://new", "name": "New"})
        self.tell(f"notifications/{args['list']}/list_changed", {})
        self.text(rid, "published", modern)

    def tool_link(self, rid, args, meta, modern, params):
        self.result(rid, {"content": [
            {"type": "resource_link", "uri": "book://moon/3", "name": "3"},
            {"type": "resource", "resource": {"uri": "book://moon", "text": "It shines."}},
            {"type": "resource_link", "uri": "ui://library/page", "name": "page"}]}, modern)

    def tool_takes(self, rid, args, meta, modern, params):
        self.text(rid, json.dumps(args, sort_keys=True), modern)


if __name__ == "__main__":
    double.Server = Library
    double.main()
