#!/usr/bin/env python3
"""Long lists come in pages, the same in both eras."""

import os
import shutil
import tempfile

from wire import must, perigee, tap


def pages():
    root = tempfile.mkdtemp(prefix="perigee-pages-")
    try:
        for folder in ("tools/many", "prompts"):
            os.makedirs(os.path.join(root, folder))
        for number in range(1200):
            with open(f"{root}/tools/many/t{number:04}.lua", "w", encoding="utf-8") as file:
                file.write('return { description = "x", inputSchema = { type = "object" }, '
                           f'run = function() return "{number}" end }}')
            with open(f"{root}/prompts/p{number:04}.lua", "w", encoding="utf-8") as file:
                file.write('return { description = "x", render = function() return "x" end }')
        for version in (None, "2025-06-18"):
            with perigee("--root", root, "--toolset", "many") as server:
                meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                  "io.modelcontextprotocol/clientCapabilities": {}}}
                if version:
                    server.initialize(version)
                    meta = {}
                for kind, letter in (("tools", "t"), ("prompts", "p")):
                    walk(server, kind, letter, meta)
    finally:
        shutil.rmtree(root)


def walk(server, kind, letter, meta):
    names, cursor, count, scopes = [], None, 0, set()
    while True:
        params = {**meta, **({"cursor": cursor} if cursor is not None else {})}
        result = server.ask(f"{kind}/list", params)["result"]
        names += [item["name"] for item in result[kind]]
        scopes.add(result.get("cacheScope"))
        count += 1
        must(count < 2000, "pages without end")
        if "nextCursor" not in result:
            break
        must(isinstance(result["nextCursor"], str), "the cursor is no text")
        cursor = result["nextCursor"]
    tap.note(f"1200 {kind} on {count} pages")
    must(count > 1, "one page for 1200")
    must(len(names) == len(set(names)), "a name on two pages")
    wanted = {f"{letter}{n:04}" for n in range(1200)}
    must(wanted <= set(names), f"{len(wanted - set(names))} names are on no page")
    must(len(scopes) == 1, f"several cacheScopes: {scopes}")
    for bad in ("no such cursor", "-1", "9" * 40, "\u00e9", 7):
        answer = server.ask(f"{kind}/list", {**meta, "cursor": bad})
        must(answer.get("error", {}).get("code") == -32602, f"cursor {bad!r}: {str(answer)[:200]}")


tap.case("twelve hundred tools and prompts come in pages, bad cursors are refused", pages)
tap.done()
