"""Rules for every task that a server writes: 2025-11-25 and the extension of 2026-07-28 differ."""

import re

STATUSES = ("working", "input_required", "completed", "failed", "cancelled")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
METHODS = {False: {"tasks/get", "tasks/cancel", "tasks/list", "tasks/result"},
           True: {"tasks/get", "tasks/cancel", "tasks/update"}}
INLINE = {"completed": "result", "failed": "error", "input_required": "inputRequests"}


def whole(number):
    return isinstance(number, int) and not isinstance(number, bool) and number > 0


def bad_task(task, modern):
    """The first thing wrong with a task's own members, or None."""
    unit, other = ("Ms", "") if modern else ("", "Ms")
    if not isinstance(task, dict) or not isinstance(task.get("taskId"), str) or len(task["taskId"]) < 32:
        return "a task without an id that nobody can guess"
    if task.get("status") not in STATUSES:
        return f"a task's status is {task.get('status')!r}"
    if not isinstance(task.get("statusMessage", ""), str):
        return "a task's statusMessage is no text"
    for key in ("createdAt", "lastUpdatedAt"):
        if not isinstance(task.get(key), str) or not TIME.fullmatch(task[key]):
            return f"a task's {key} is {task.get(key)!r}"
    for key in ("ttl", "pollInterval"):
        if not whole(task.get(key + unit)) or key + other in task:
            return f"a task's {key}: {task}"
    return None


def bad_detailed(task):
    """The same for what tasks/get answers since 2026-07-28."""
    want = INLINE.get(task.get("status"))
    wrong = [key for key in INLINE.values() if (key in task) != (key == want)]
    if wrong:
        return f"a task that is {task.get('status')}, and {wrong[0]}"
    return bad_task(task, True)


def bad_created(result, modern):
    if modern:
        strange = set(INLINE.values()) & set(result)
        return f"a new task has {strange}" if strange else bad_task(result, True)
    return bad_task(result.get("task"), False)


def bad_answer(method, result, modern):
    """Returns what is wrong with the answer to a method tasks/...; None if it is good."""
    if method not in METHODS[modern]:
        return f"{method} is not of this revision"
    if method == "tasks/list":
        if not isinstance(result.get("tasks"), list):
            return "tasks/list without a tasks array"
        return next(filter(None, (bad_task(task, False) for task in result["tasks"])), None)
    if method == "tasks/result":
        related = result.get("_meta", {}).get("io.modelcontextprotocol/related-task", {})
        return None if isinstance(related.get("taskId"), str) else "tasks/result without its related task"
    if modern and method != "tasks/get":
        return "an acknowledgement with a task in it" if "taskId" in result else None
    return bad_detailed(result) if modern else bad_task(result, False)
