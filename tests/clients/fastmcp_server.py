"""A FastMCP server over HTTP, for our own client: prints its port.  fastmcp_server.py"""

import asyncio
import socket

import uvicorn
from fastmcp import Context, FastMCP
from typing_extensions import TypedDict

server = FastMCP("theirs", instructions="Be brief.", version="2")


class Said(TypedDict):
    said: str


@server.tool
def echo(message: str) -> str:
    """Echo"""
    return message


@server.tool
def greet(name: str) -> Said:
    """Greets"""
    return {"said": f"Hello {name}"}


@server.tool
async def count(to: int, ms: float, ctx: Context) -> str:
    """Counts"""
    for i in range(to):
        await asyncio.sleep(ms / 1000)
        await ctx.report_progress(i + 1, to)
    return f"counted to {to}"


@server.prompt
def ask(what: str) -> str:
    """Asks"""
    return f"Explain {what}."


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(server.http_app(), log_level="error")).run(sockets=[listener])
