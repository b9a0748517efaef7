"""The Python SDK v2 (`mcp` 2), which speaks both eras.

    python python2.py legacy|auto|modern HOT_ROOT SERVER|URL [ARGUMENT ...]
"""

import asyncio
import os
import sys

import mcp_types as types
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.exceptions import MCPError

import checks

LEVEL = "io.modelcontextprotocol/logLevel"


class Adapter:
    """What checks.py needs of a client."""

    error = MCPError
    cancels = True

    def __init__(self, client, mode, logs, changes):
        self.client, self.mode, self.logs, self.changes = client, mode, logs, changes
        self.watching = None

    async def tools(self):
        return (await self.client.list_tools()).tools

    async def call(self, name, arguments=None, progress=None, meta=None):
        return await self.client.call_tool(name, arguments or {}, progress_callback=progress, meta=meta)

    async def prompts(self):
        return (await self.client.list_prompts()).prompts

    async def prompt(self, name, arguments=None):
        return await self.client.get_prompt(name, arguments)

    async def loud(self, level):
        if self.mode != "legacy":
            return {LEVEL: level}
        await self.client.set_logging_level(level)
        return None

    async def listen(self):
        if self.mode == "legacy":
            return
        ready = asyncio.Event()

        async def watch():
            async with self.client.listen(tools_list_changed=True) as subscription:
                ready.set()
                async for _ in subscription:
                    self.changes.put_nowait(True)
        self.watching = asyncio.create_task(watch())
        await ready.wait()

    @staticmethod
    def failed(result):
        return result.is_error

    @staticmethod
    def structured(result):
        return result.structured_content


def connect(command, arguments):
    if command.startswith("http"):
        headers = {"Authorization": "Bearer " + os.environ["PERIGEE_TOKEN"]}
        return streamable_http_client(command, http_client=create_mcp_http_client(headers))
    return StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ))


async def main(mode, hot_root, command, *arguments):
    logs, changes = [], asyncio.Queue()

    async def logged(params):
        logs.append(params.level)

    async def heard(message):
        if mode == "legacy" and isinstance(getattr(message, "root", message), types.ToolListChangedNotification):
            changes.put_nowait(True)

    era = "2026-07-28" if mode == "modern" else mode
    async with Client(connect(command, arguments), mode=era, logging_callback=logged, message_handler=heard) as client:
        wanted = "2025-11-25" if mode == "legacy" else "2026-07-28"
        checks.point(f"connects, {wanted}", client.protocol_version == wanted, client.protocol_version)
        at = Adapter(client, mode, logs, changes)
        await checks.run(at, hot_root)
        if at.watching:
            at.watching.cancel()
    checks.done()


asyncio.run(main(*sys.argv[1:]))
