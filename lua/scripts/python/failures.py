"""An error of user code as people want to see it: from the first line of their own, without frames of ours."""
import os

NAME = "<code>"
OURS = os.path.dirname(os.path.abspath(__file__))
MESSAGE, TRACEBACK = 4000, 32000        # characters
# Modules that start processes. In the jail the first failure may be a file or a semaphore that is not there.
STARTERS = ("/multiprocessing/", "/concurrent/futures/process.py", "/subprocess.py")
files = True                            # guest.py: code may open files


class Timeout(KeyboardInterrupt):
    """The deadline. A KeyboardInterrupt, because event loops hand no other exception on that a task did not expect."""
    __module__ = "builtins"


def message_of(error):
    """str() of an exception is user code."""
    try:
        return cut(str(error), MESSAGE)
    except Timeout:
        raise
    except BaseException as second:     # pylint: disable=broad-except
        return f"<str() of this {type(error).__name__} raised {type(second).__name__}>"


def cut(text, size):
    return text if len(text) <= size else f"{text[:size // 2]}\n... {len(text) - size} characters ...\n{text[-size // 2:]}"


def describe(error, driven=None):
    """{"kind", "message", "traceback"}, whatever the exception does. `driven` is the coroutine that was awaited."""
    found = {"kind": type(error).__name__, "message": "", "traceback": None}
    try:
        found["message"] = message_of(error)
        found["traceback"], hint = trace(error, driven)
        if hint:
            found["message"] += hint
    except BaseException:               # pylint: disable=broad-except
        found["message"] = found["message"] or "<no message>"
    return found


def trace(error, driven):
    """The traceback's text, and a hint for the message or ""."""
    import traceback
    made = traceback.TracebackException(type(error), error, error.__traceback__)
    if isinstance(error, Timeout) and not any(frame.filename == NAME for frame in made.stack):
        made.stack[:] = traceback.StackSummary.extract(waiting(driven)) or made.stack
    hint = hint_for(error, made)
    todo, seen = [made], set()
    while todo:
        each = todo.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        shorten(each.stack)
        todo += [each.__cause__, each.__context__, *(getattr(each, "exceptions", None) or ())]
    lines = list(made.format() if made.stack or len(seen) > 1 else made.format_exception_only())
    return cut("".join(lines), TRACEBACK), hint


def waiting(coroutine):
    """The frames, with their lines, in which a coroutine waits: an event loop that waits is in none of them."""
    while frame := getattr(coroutine, "cr_frame", None):
        yield frame, frame.f_lineno
        coroutine = coroutine.cr_await


def shorten(stack):
    """Frames from the first of user code on, and none of ours among them."""
    first = next((at for at, frame in enumerate(stack) if frame.filename == NAME), 0)
    stack[:] = [frame for frame in stack[first:] if os.path.dirname(frame.filename) != OURS]


def hint_for(error, made):
    if isinstance(error, OSError) and any(part in frame.filename for frame in made.stack for part in STARTERS) \
            and "use threads" not in str(error).lower():
        return ". No other process can be started here. Use threads (concurrent.futures.ThreadPoolExecutor)"
    if isinstance(error, (ImportError, OSError)) and not files:
        return ". This system has no Landlock, so that code can open no file, nor import what the server has not imported"
    if isinstance(error, RuntimeError) and "event loop is already running" in str(error):
        return ". The code runs in an event loop: `await` the coroutine"
    return ""
