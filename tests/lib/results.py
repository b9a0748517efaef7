"""The result of a tool that a test expects to work, or to fail."""

from tap import Failure


def good(server, tool, **arguments):
    """The structured content of a result, or its text if it has none."""
    result = server.call(tool, arguments)["result"]
    if result.get("isError"):
        raise Failure(f"{tool} {arguments}: {result['content']}")
    return result.get("structuredContent", result["content"][0]["text"])


def bad(server, tool, **arguments):
    """The code and the text of a failure."""
    result = server.call(tool, arguments)["result"]
    if not result.get("isError"):
        raise Failure(f"{tool} {arguments} did not fail: {result}")
    return result["_meta"].get("perigee/code"), result["content"][0]["text"]
