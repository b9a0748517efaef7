#!/usr/bin/env python3
"""Saves what an office without a window holds, before its guard ends it: keep.py SCRATCH

SCRATCH/keep.json names the office's pipe and the documents to save, where by RuntimeUID. The helper
that drew them is gone by then. An office that does not answer is given up after LIMIT seconds.
"""

from __future__ import annotations

import json
import os
import pathlib
import signal
import sys
from typing import Any

LIMIT = 20  # seconds

sys.dont_write_bytecode = True

import files  # noqa: E402
from unokit import components, module, properties  # noqa: E402


def connect(pipe: str) -> Any:
    local = module().getComponentContext()
    resolver = local.ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")
    context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
    return context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)


def main() -> None:
    wanted = json.loads((pathlib.Path(sys.argv[1]) / "keep.json").read_text(encoding="utf-8"))
    for model in components(connect(wanted["pipe"])):
        path = wanted["documents"].get(model.RuntimeUID)
        if path:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)

            def store(beside: str, model: Any = model) -> None:
                model.storeToURL(files.url(beside), properties(FilterName="impress8"))
                os.chmod(beside, 0o600)

            files.write_whole(path, ".odp", store)


if __name__ == "__main__":
    signal.alarm(LIMIT)  # ends us wherever a hung office holds us
    main()
    sys.stdout.flush()
    os._exit(0)  # taking down a bridge crashes pyuno now and then
