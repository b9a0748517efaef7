"""A guest: the process that runs user code, one job or, in a session, one after another.

The code is a module `__main__` of its own, compiled as "<code>" with `await` at top level. Then the function that is, or is
named by, `generated_function_name` is called. The deadline comes as an exception by SIGALRM, so that the traceback says
where the code was, and output and variables stay; the engine kills a guest that goes on. The end of a run waits for
threads and runs atexit functions, as python does, within the deadline.

Nothing here is a wall. User code may change all of it, and then harms its own run: the jail and the engine count again.
"""
import _ast
import builtins
import faulthandler
import io
import json
import linecache
import os
import re
import signal
import struct
import sys
import threading
import types
from time import monotonic

from perigee_python import failures
from perigee_python.channel import DONE, PICTURE, Channel, ToolError, json_bytes, string
from perigee_python.failures import NAME, Timeout, cut, describe
from perigee_python.output import Budget, Output, read_raw
from perigee_python.toolbox import Tools

ONLY_TREE, TOP_AWAIT = 0x400, 0x2000            # flags of ast, which takes 2 ms to import
COROUTINE = 0x80                                # a flag of inspect
LAST = "__last_expression__"
BALLAST = 8 << 20                               # freed when memory ran out, so that the error can be told
ITEMS = 10000                                   # most items of a generator
SHOWN = 4000                                    # characters of the last expression
RESULT = 8 << 20                                # bytes of JSON
RINGS = 2                                       # the deadline comes again, for code that swallowed it
AGAIN = 0.05                                    # seconds between them; the engine kills a second after the first
QUESTIONS = 20                                  # about the time, in a job
SOON = 20                                       # milliseconds in which the engine answers one
LONG = re.compile(rb"\d{19}")
LAZY = (types.GeneratorType, map, filter, zip, enumerate, reversed)
LARGE = {"numpy", "pandas", "matplotlib"}       # packages that a server of their own has in memory
FUNCTION = "generated_function_name"
leave = os._exit


class Clock:
    """The soft deadline: an exception in the main thread.

    The engine's time, by which it kills, stands still while one of its calls waits for a person or for a model. So while
    calls are under way the engine is asked what is left before the exception is raised; it says null if the time stands.
    """

    def __init__(self, channel, flush):
        self.channel, self.flush = channel, flush
        self.seconds = self.rung = self.questions = self.asked_at = 0
        self.on = self.over = self.asked = self.stands = self.doubt = False
        channel.overdue, channel.answered = self.fire, self.look_again

    def start(self, seconds):
        self.seconds, self.rung, self.questions, self.on = seconds, 0, 0, seconds > 0
        self.over = self.asked = self.stands = self.doubt = self.channel.late = False
        if self.on:
            signal.signal(signal.SIGALRM, self.ring)
            self.set(seconds)

    def stop(self):
        self.on = False
        signal.setitimer(signal.ITIMER_REAL, 0)

    def set(self, seconds):
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001), AGAIN)

    def ring(self, *_signal):
        if self.channel.inside:
            self.channel.late = True            # the channel calls fire() when nothing is half done
        else:
            self.fire()

    def fire(self):
        if not self.on or self.rung >= RINGS:
            return
        if self.asked:
            self.channel.peek()
        elif not self.over and (self.doubt or self.channel.waiting):
            self.ask()
        else:
            self.over = True
            self.rung += 1
            self.flush()                        # the engine may kill before the end
            raise self.error()

    def ask(self):
        self.questions += 1
        if self.questions > QUESTIONS:
            signal.setitimer(signal.ITIMER_REAL, 0)     # the engine kills, at the right time
        else:
            self.asked, self.doubt, self.asked_at = True, False, monotonic()
            self.channel.question(string("time"), self)
            self.channel.peek(SOON)

    def put(self, payload):
        """The answer: the seconds that are left, or null. With the channel's lock, in any thread."""
        if not self.on:
            return
        left = json.loads(payload[4:])
        if left is not None:
            left -= monotonic() - self.asked_at     # at most: code that computes reads it late
        self.asked, self.stands, self.over = False, left is None, left is not None and left <= 0
        if self.stands:
            signal.setitimer(signal.ITIMER_REAL, 0)
        else:
            self.set(left)

    def look_again(self):
        """A call was answered: perhaps it is the one for which the time stood."""
        if self.stands and self.on:
            self.stands, self.doubt = False, True
            self.set(0)

    def error(self):
        return Timeout(f"timeout: the code ran longer than {self.seconds:g} s")


class OwnRunner:
    """asyncio.Runner, which Python 3.9 and 3.10 have not."""

    def __init__(self):
        import asyncio
        self.asyncio = asyncio
        self.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self.loop)

    def get_loop(self):
        return self.loop

    def run(self, coroutine):
        return self.loop.run_until_complete(coroutine)

    def close(self):
        try:
            left = self.asyncio.all_tasks(self.loop)
            for task in left:
                task.cancel()
            self.run(self.asyncio.gather(*left, return_exceptions=True)) if left else None
            self.run(self.loop.shutdown_asyncgens())
            self.run(self.loop.shutdown_default_executor())
        finally:
            self.asyncio.set_event_loop(None)
            self.loop.close()


def own_asyncio():
    """asyncio, with a run() that works where code is in a loop already, as code at top level with `await` is."""
    import asyncio
    if hasattr(asyncio.run, "plain"):
        return asyncio

    def run(main, **named):
        if asyncio._get_running_loop() is None:
            return run.plain(main, **named)
        import concurrent.futures
        with concurrent.futures.ThreadPoolExecutor(1) as executor:
            return executor.submit(run.plain, main, **named).result()

    run.plain = asyncio.run
    run.__doc__ = asyncio.run.__doc__
    asyncio.run = run
    return asyncio


class Guest:
    def __init__(self, fd, folder, tails):
        self.channel = Channel(fd)
        self.folder = folder
        self.budget = Budget()
        self.outputs = [Output(self.channel, stream, self.budget, half) for stream, half in enumerate(halves(tails), 1)]
        self.clock = Clock(self.channel, self.flush)
        self.channel.before_call = self.flush
        self.main = None
        self.runner = None
        self.driven = None                      # what the runner awaits
        self.ballast = None
        self.session = False
        self.done = None                        # DONE of the job that is going on
        faulthandler.enable(2)                  # a crash of C code says where

    def live(self):
        self.patch()
        self.rehearse()
        seeded = False
        while True:
            job = self.channel.next_job()
            if not seeded:
                seed(job.get("seed"))
                seeded = True
            self.session = bool(job.get("session"))
            done = self.run(job)
            self.report(done)
            if done["lost"] or not self.session:
                leave(0)

    def rehearse(self):
        """Runs an empty job, because the first costs more: pages are copied, and modules do late work."""
        self.channel.muted = True
        done = self.run({"code": "def generated_function_name(a):\n  return a\nprint(1)\n", "args": [1], "seconds": 60,
                         "output": 100, "tools": []})
        self.encode(done)
        self.channel.muted = False
        self.main = None

    def patch(self):
        """Replaces calls of Python that cannot do here what they do elsewhere."""
        def no_input(prompt="", /):
            self.outputs[0].write(str(prompt))
            raise EOFError("input() has nothing to read here. Take values as arguments of generated_function_name")

        builtins.input = no_input
        os._exit = self.left
        sys.modules["perigee_python"].hand_over = lambda mime, name, data: self.channel.send(   # for pictures.py
            PICTURE, 0, string(mime) + string(name) + string(data))
        if "asyncio" in sys.modules:
            own_asyncio()
        sys.argv = [NAME]
        failures.files = self.folder is not None
        if self.folder:
            sys.path.insert(0, self.folder)

    def left(self, code=0):
        """os._exit(): the end comes at once, and what was printed is not lost."""
        done = self.done
        if done is not None and threading.current_thread() is threading.main_thread():
            done["lost"] = self.session
            if code != 0:
                self.fail(done, SystemExit(code))
            self.end(done)
            self.report(done)
        leave(code)

    def flush(self):
        for output in self.outputs:
            output.push()

    # --- a job

    def run(self, job):
        """All of a job; what DONE says."""
        done = self.done = {"function_called": False, "ok": True, "error": None, "timeout": False, "lost": False,
                            "message": ""}
        self.begin(job)
        steps = [lambda: self.execute(job, done), self.finish_pictures]
        if not job.get("session") and not self.channel.muted:
            steps += [self.finish_loop, self.finish_threads, self.finish_pictures, finish_atexit]
        try:
            self.clock.start(job.get("seconds") or 0)
            for step in steps:
                if not self.attempt(step, done):
                    break
        except Timeout as error:                # it came again, while the first was looked at
            self.fail(done, error)
        self.clock.stop()
        if self.clock.rung and not done["error"]:
            self.fail(done, self.clock.error()) # the code swallowed it; in a destructor even Python does
        self.end(done)
        return done

    def begin(self, job):
        self.load_ballast()
        self.channel.open = True
        self.budget.left, self.budget.lost = int(job.get("output") or 0), 0
        sys.stdin = sys.__stdin__ = io.StringIO()
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__ = self.outputs
        for output in self.outputs:
            output.pushed = 0.0
        self.outputs[0].tell_begun()
        if self.main is None:
            self.main = types.ModuleType("__main__")
            self.main.__dict__.update(
                __builtins__=builtins, __file__=NAME, ToolError=ToolError, _call_mcp_tool=self.channel.call_async,
                ask_model=self.ask_model)
        sys.modules["__main__"] = self.main
        if isinstance(self.main.__dict__.get("tools", self.main), (Tools, types.ModuleType)):   # else it is a session's own
            self.main.tools = Tools(self.channel, job.get("tools"))

    def end(self, done):
        self.driven = None
        self.flush()
        read_raw(self.outputs)
        if self.budget.lost:
            say(done, f"{self.budget.lost:,} bytes of output over the limit were left out")
        self.channel.end_calls()
        self.done = None

    def report(self, done):
        done["packages"] = not LARGE.isdisjoint(sys.modules)
        self.channel.send(DONE, 0, self.encode(done))

    @staticmethod
    def encode(done):
        result = done.pop("json", b"null")
        return string(json_bytes(done)[:-1] + b', "result": ' + result + b"}")

    def attempt(self, step, done):
        """Takes one step. False: the time is over, and there are no others."""
        try:
            step()
            return True
        except BaseException as error:          # pylint: disable=broad-except
            if isinstance(error, Timeout):
                self.clock.stop()
                self.runner = None              # a loop that was interrupted would go on with what it did
            self.fail(done, error)
            return not isinstance(error, Timeout)

    def fail(self, done, error):
        """Notes the first error."""
        if isinstance(error, SystemExit) and error.code in (None, 0):
            return
        found = self.out_of_memory(error, done) if isinstance(error, MemoryError) else describe(error, self.driven)
        if isinstance(error, SystemExit):
            found["traceback"] = None
        if not done["error"]:
            done.update(ok=False, error=found, timeout=isinstance(error, Timeout))

    def out_of_memory(self, error, done):
        """The ballast gives room to tell it; without it, the variables of the code do, and a session is over."""
        spare, self.ballast = self.ballast is not None, None
        found = describe(error) if spare else {"traceback": None}
        if not found["traceback"]:
            self.main.__dict__.clear()
            done["lost"] = self.session
            found = describe(error)
        error.__traceback__ = None              # its frames hold variables, too
        found["message"] = found["message"] or "the memory of this run is used up"
        return found

    def load_ballast(self):
        if self.ballast is None:
            try:
                self.ballast = bytes(BALLAST)   # untouched pages: bytearray() would write to them
            except MemoryError:
                pass                            # a session that is full may still be emptied

    # --- the code

    def execute(self, job, done):
        code = job["code"].lstrip("\ufeff")
        linecache.cache[NAME] = (len(code), None, code.splitlines(True), NAME)
        names = self.main.__dict__
        names.pop(FUNCTION, None)               # a session's earlier one is not this job's
        tree = compile(code, NAME, "exec", ONLY_TREE | TOP_AWAIT, True)
        last = keep_last(tree)
        made = compile(tree, NAME, "exec", TOP_AWAIT, True)
        coroutine = eval(made, names)           # pylint: disable=eval-used
        if made.co_flags & COROUTINE:
            self.drive(coroutine)
        function = self.function(names)
        if function:
            done["function_called"] = True
            self.give_result(self.whole(function(*(job.get("args") or ()), **(job.get("kwargs") or {}))), done)
            return
        if job.get("args") or job.get("kwargs"):
            say(done, f"{FUNCTION} is no function" if FUNCTION in names else f"the code defines no {FUNCTION}",
                ", so that its arguments were not used")
        self.show(last, names.pop(LAST, None) if last == LAST else names.get(last), done)

    @staticmethod
    def function(names):
        found = names.get(FUNCTION)
        if isinstance(found, str):
            named = names.get(found)
            if not callable(named):
                raise NameError(f"{FUNCTION} names {found!r}, and the code defines no such function")
            return named
        return found if callable(found) else None

    def drive(self, coroutine):
        """Awaits in the loop that all of a run, or a session, has: queues and locks belong to a loop."""
        asyncio = own_asyncio()
        if self.runner is None:
            self.runner = getattr(asyncio, "Runner", OwnRunner)()
        self.driven = coroutine
        return self.runner.run(coroutine)

    def whole(self, value):
        """The value that a function's value stands for: an awaitable's, or a list of a generator's items."""
        if hasattr(type(value), "__await__"):
            async def wait():
                return await value
            value = self.drive(wait())
        if isinstance(value, types.AsyncGeneratorType):
            async def gather():
                found = []
                async for item in value:
                    found.append(item)
                    if len(found) > ITEMS:
                        break
                return found
            value = self.drive(gather())
        elif isinstance(value, LAZY):
            value = [item for item, _ in zip(value, range(ITEMS + 1))]
        else:
            return value
        if len(value) > ITEMS:
            say(self.done, f"the result is the first {ITEMS:,} items, and there are more")
        return value[:ITEMS]

    def give_result(self, value, done):
        try:
            data = json_bytes(value)
            if LONG.search(data):
                json.loads(data, parse_int=small)
        except (TypeError, ValueError, RecursionError):
            done["result_repr"] = cut(safe_repr(value), RESULT)
            return
        if len(data) > RESULT:
            raise ValueError(f"the result is {len(data):,} bytes of JSON, and {RESULT >> 20} MB are handed over at most. "
                             "Return less, or write a file")
        done["json"] = data

    def show(self, name, value, done):
        """The last statement's value, as a notebook shows it."""
        if name and value is not None:
            done["result_repr"] = cut(safe_repr(value), SHOWN)
            say(done, "the last expression is " if name == LAST else f"{name} is ", done["result_repr"])

    async def ask_model(self, prompt, system=None, model=None):
        """The model's answer to the prompt: text."""
        given = {"prompt": prompt, "system": system, "model": model}
        found = await self.channel.call_async("ask_model", {key: value for key, value in given.items() if value is not None})
        return found["text"] if isinstance(found, dict) and set(found) == {"text"} else found

    # --- the end of a run

    def finish_loop(self):
        if self.runner:
            runner, self.runner = self.runner, None
            runner.close()

    def finish_threads(self):
        """Does the work of threading._shutdown(), which in 3.13 is C: it prints the deadline and goes on."""
        for ending in reversed(threading._threading_atexits):     # thread pools' own
            ending()
        try:
            while left := [each for each in threading.enumerate() if not each.daemon and each is not threading.main_thread()]:
                left[0].join()
        except Timeout:
            say(self.done, "threads of the code still ran: ", ", ".join(each.name for each in left))
            raise

    def finish_pictures(self):
        """Figures that are open, as if show() was the last line."""
        if "matplotlib.pyplot" in sys.modules:
            from perigee_python.pictures import show
            show()


def halves(tails):
    view = memoryview(tails)
    return view[:len(view) // 2], view[len(view) // 2:]


def finish_atexit():
    import atexit
    try:
        atexit._run_exitfuncs()
    except SystemExit:
        pass                                    # 3.9 hands it on


def keep_last(tree):
    """The name that will hold the value of the last statement; None if it has none. A last expression gets one."""
    last = tree.body[-1] if tree.body else None
    if isinstance(last, _ast.Expr):
        place = {key: getattr(last, key) for key in ("lineno", "col_offset", "end_lineno", "end_col_offset")}
        tree.body[-1] = _ast.Assign(targets=[_ast.Name(id=LAST, ctx=_ast.Store(), **place)], value=last.value, **place)
        return LAST
    if isinstance(last, _ast.Assign) and len(last.targets) == 1 and isinstance(last.targets[0], _ast.Name):
        return last.targets[0].id
    if isinstance(last, (_ast.AnnAssign, _ast.AugAssign)) and last.value and isinstance(last.target, _ast.Name):
        return last.target.id
    return None


def say(done, *parts):
    done["message"] += ("; " if done["message"] else "") + "".join(parts)


def small(digits):
    """Others in the engine would become floating-point numbers, and lose digits."""
    if not -1 << 63 <= int(digits) < 1 << 63:
        raise ValueError("more than 64 bits")


def safe_repr(value):
    try:
        return repr(value)
    except (Timeout, MemoryError):
        raise
    except BaseException:                       # pylint: disable=broad-except
        return "<repr failed>"


def seed(number):
    """Generators that were imported before the fork would give each run the same numbers."""
    if number is None:
        number = struct.unpack("=Q", os.urandom(8))[0]
    if "random" in sys.modules:
        sys.modules["random"].seed(number)
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed(number % 2**32)
