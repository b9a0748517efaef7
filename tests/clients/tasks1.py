"""Tasks of 2025-11-25, as the Python SDK v1 drives them (`session.experimental`).

    python tasks1.py HOT_ROOT SERVER|URL [ARGUMENT ...]     a URL wants the token in PERIGEE_TOKEN
"""

import asyncio
import sys

from mcp import ClientSession, McpError, types

import checks
from python1 import connect

RELATED = "io.modelcontextprotocol/related-task"


async def main(_hot_root, command, *arguments):
    asked = []

    async def elicit(_context, params):
        asked.append(params)
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async with connect(command, arguments) as (read, write, *_):
        async with ClientSession(read, write, elicitation_callback=elicit) as session:
            opened = await session.initialize()
            checks.point("the server offers tasks", opened.capabilities.tasks.requests.tools.call is not None)
            await run(session, session.experimental, asked)
    checks.done()


async def run(session, tasks, asked):
    async def begin(ttl=60000, **arguments):
        return (await tasks.call_tool_as_task("work", arguments, ttl=ttl)).task

    async def result(task):
        return await tasks.get_task_result(task.taskId, types.CallToolResult)

    tools = {tool.name: tool for tool in (await session.list_tools()).tools}
    checks.point("tools say how they run", tools["work"].execution.taskSupport == "optional")

    task = await begin(seconds=0.3)
    checks.point("a call is answered with a task", (task.status, task.ttl) == ("working", 60000), task)
    async for status in tasks.poll_task(task.taskId):
        last = status.status
    whole = await result(task)
    checks.point("polled to its end, it has the result",
                 (last, whole.content[0].text) == ("completed", "worked"), whole)

    task = await begin(ends="asking")
    whole = await result(task)
    checks.point("a question comes while the result is waited for",
                 whole.content[0].text == "worked for Ada" and len(asked) == 1, whole)

    task = await begin(seconds=3000)
    listed = (await tasks.list_tasks()).tasks
    checks.point("listed", any(each.taskId == task.taskId for each in listed), listed)
    ended = await tasks.cancel_task(task.taskId)
    checks.point("cancelled", ended.status == "cancelled", ended)
    try:
        await result(task)
        checks.point("it has no result then", False)
    except McpError as error:
        checks.point("it has no result then", "cancelled" in error.error.message, error)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
