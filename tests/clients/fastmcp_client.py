"""FastMCP's client.

    python fastmcp_client.py legacy|auto HOT_ROOT SERVER|URL [ARGUMENT ...]
"""

import asyncio
import os
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from fastmcp.exceptions import McpError
from mcp.client.subscriptions import listen

import checks


class Adapter:
    """What checks.py needs of a client."""

    error = McpError
    cancels = True

    def __init__(self, client, mode, logs, changes):
        self.client, self.mode, self.logs, self.changes = client, mode, logs, changes
        self.watching = None

    async def tools(self):
        return await self.client.list_tools()

    async def call(self, name, arguments=None, progress=None, meta=None):
        return await self.client.call_tool_mcp(name, arguments or {}, progress_handler=progress, meta=meta)

    async def prompts(self):
        return await self.client.list_prompts()

    async def prompt(self, name, arguments=None):
        return await self.client.get_prompt(name, arguments)

    async def loud(self, level):
        if self.mode == "legacy":
            await self.client.set_logging_level(level)
            return None
        return {"io.modelcontextprotocol/logLevel": level}

    async def listen(self):
        if self.mode == "legacy":
            return
        ready = asyncio.Event()

        async def watch():
            async with listen(self.client.session, tools_list_changed=True) as subscription:
                ready.set()
                async for _ in subscription:
                    self.changes.put_nowait(True)
        self.watching = asyncio.create_task(watch())
        await ready.wait()

    @staticmethod
    def failed(result):
        return getattr(result, "is_error", getattr(result, "isError", None))

    @staticmethod
    def structured(result):
        return getattr(result, "structured_content", getattr(result, "structuredContent", None))


def connect(command, arguments):
    if command.startswith("http"):
        return StreamableHttpTransport(command, {"Authorization": "Bearer " + os.environ["PERIGEE_TOKEN"]})
    return StdioTransport(command=command, args=list(arguments), env=dict(os.environ), keep_alive=False)


async def main(mode, hot_root, command, *arguments):
    logs, changes = [], asyncio.Queue()

    async def logged(params):
        logs.append(params.level)

    async def heard(message):
        if mode == "legacy" and "ToolListChanged" in type(getattr(message, "root", message)).__name__:
            changes.put_nowait(True)

    async with Client(connect(command, arguments), mode=mode, log_handler=logged,
                      message_handler=heard) as client:
        checks.point("connects", client.is_connected())
        at = Adapter(client, mode, logs, changes)
        await checks.run(at, hot_root)
        if at.watching:
            at.watching.cancel()
    checks.done()


asyncio.run(main(*sys.argv[1:]))
