"""The Python SDK v1 (`mcp` 1), which knows the revisions with `initialize`.

    python python1.py HOT_ROOT SERVER|URL [ARGUMENT ...]     a URL wants the token in PERIGEE_TOKEN
"""

import asyncio
import os
import sys

from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

import checks


class Adapter:
    """What checks.py needs of a client."""

    error = McpError
    cancels = False     # a cancelled task just stops listening

    def __init__(self, session, logs, changes):
        self.session, self.logs, self.changes = session, logs, changes

    async def tools(self):
        return (await self.session.list_tools()).tools

    async def call(self, name, arguments=None, progress=None, meta=None):
        return await self.session.call_tool(name, arguments or {}, progress_callback=progress, meta=meta)

    async def prompts(self):
        return (await self.session.list_prompts()).prompts

    async def prompt(self, name, arguments=None):
        return await self.session.get_prompt(name, arguments)

    async def loud(self, level):
        await self.session.set_logging_level(level)

    async def listen(self):
        """Nothing to ask for: an old session is always told."""

    @staticmethod
    def failed(result):
        return result.isError

    @staticmethod
    def structured(result):
        return result.structuredContent


def connect(command, arguments):
    if command.startswith("http"):
        return streamablehttp_client(command, {"Authorization": "Bearer " + os.environ["PERIGEE_TOKEN"]})
    return stdio_client(StdioServerParameters(command=command, args=list(arguments), env=dict(os.environ)))


async def main(hot_root, command, *arguments):
    logs, changes = [], asyncio.Queue()

    async def logged(params):
        logs.append(params.level)

    async def heard(message):
        if isinstance(getattr(message, "root", message), types.ToolListChangedNotification):
            changes.put_nowait(True)

    async with connect(command, arguments) as (read, write, *_):
        async with ClientSession(read, write, logging_callback=logged, message_handler=heard) as session:
            opened = await session.initialize()
            checks.point("connects, 2025-11-25", opened.protocolVersion == "2025-11-25",
                         opened.protocolVersion)
            await checks.run(Adapter(session, logs, changes), hot_root)
    checks.done()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
