"""User code as people and models write it, with its right answer: (name, code, job's members, expected).

Expected: `out`, `err` (whole), `out_has`, `err_has`, `result`, `shown` (result_repr), `error` (kind), `says` (in the error's
message), `message` (in DONE's), `trace` (in the traceback), `calls` (function_called), `timeout`, `killed` (signal), `files`.
A member that is not named is: no error, no function called, result null, and nothing on either stream. `quiet: False`
leaves the streams alone. `since` is a version of Python. `jail` is for the real jail only, `outside` for none; `needs` are
layers without which the answer is another.
"""

ARGS = {"args": [1], "kwargs": {"b": 5}}
GFN = "generated_function_name"
LANDLOCK, NAMESPACES = 4, 8     # layers of src/guest/jail/jail.h
SOON = {"seconds": 0.5}     # for code that goes on until the deadline

PROBES = [
    # --- errors
    ("traceback has the user's lines", "x = 1\ndef f(a):\n    return 1/a\n\nf(0)\n", {},
     {"error": "ZeroDivisionError", "says": "division by zero",
      "trace": ['Traceback (most recent call last):\n  File "<code>", line 5, in <module>\n    f(0)', 'line 3, in f\n    return 1/a']}),
    ("syntax error", "a = 1\nif a\n  print(2)\n", {}, {"error": "SyntaxError", "trace": ['File "<code>", line 2', "if a"]}),
    ("exception in the function", f"print(1)\ndef {GFN}():\n  raise ValueError('bad')\n", {},
     {"error": "ValueError", "says": "bad", "calls": True, "out": "1\n", "trace": ["line 3, in " + GFN]}),
    ("chained", "try:\n  1/0\nexcept Exception as e:\n  raise ValueError('v') from e\n", {},
     {"error": "ValueError", "trace": ["ZeroDivisionError: division by zero", "direct cause", "line 4"]}),
    ("exception group", "raise ExceptionGroup('g', [ValueError(1), TypeError(2)])\n", {},
     {"error": "ExceptionGroup", "trace": ["ValueError: 1", "TypeError: 2"], "since": (3, 11)}),
    ("str of the error raises", "class E(Exception):\n  def __str__(s): raise ValueError\nraise E\n", {},
     {"error": "E", "says": "<str() of this E raised ValueError>", "trace": ["line 3"]}),
    ("str of the error exits", "class E(Exception):\n  def __str__(s): raise SystemExit(0)\nraise E\n", {},
     {"error": "E", "says": "<str() of this E raised SystemExit>"}),
    ("BaseException", "raise BaseException('b')\n", {}, {"error": "BaseException", "says": "b"}),
    ("GeneratorExit", "raise GeneratorExit\n", {}, {"error": "GeneratorExit"}),
    ("KeyboardInterrupt", "raise KeyboardInterrupt\n", {}, {"error": "KeyboardInterrupt", "trace": ["line 1"]}),
    ("recursion", "def f(): return f()\nf()\n", {}, {"error": "RecursionError", "trace": ["line 1, in f", "times"]}),
    ("await inside def", "def f():\n  await x()\n", {}, {"error": "SyntaxError", "trace": ["line 2"]}),
    ("args do not fit", f"def {GFN}(): pass\n", {"args": [1]},
     {"error": "TypeError", "calls": True, "says": "takes 0 positional arguments but 1 was given"}),
    ("null byte", 'a = "\0"\n', {}, {"error": ("ValueError", "SyntaxError"), "says": "null bytes"}),
    ("integer of too many digits", "print(len(str(10**5000)))\n", {}, {"error": "ValueError", "says": "4300", "since": (3, 11)}),

    # --- source text
    ("byte order mark", "\ufeffprint(1)\n", {}, {"out": "1\n"}),
    ("crlf", "def f():\r\n  return 1\r\nprint(f())\r\n1/0\r\n", {},
     {"out": "1\n", "error": "ZeroDivisionError", "trace": ["line 4"]}),
    ("coding cookie", "# -*- coding: latin-1 -*-\nprint('é')\n", {}, {"out": "é\n"}),
    ("main guard", 'if __name__ == "__main__":\n  print("main")\n', {}, {"out": "main\n"}),
    ("dataclass and pickle", "import pickle, dataclasses\n@dataclasses.dataclass\nclass A:\n  x: int\n"
     "print(pickle.loads(pickle.dumps(A(3))))\n", {}, {"out": "A(x=3)\n"}),
    ("inspect source", "import inspect\ndef f():\n  return 1\nprint(inspect.getsource(f))\n", {},
     {"out": "def f():\n  return 1\n\n"}),
    ("from __future__", "from __future__ import annotations\ndef f(x: Undefined): return x\nprint(f.__annotations__)\n", {},
     {"out": "{'x': 'Undefined'}\n"}),
    ("globals and closures", "import math\ndef area(r): return round(math.pi*r*r)\nprint([area(i) for i in range(2)])\n", {},
     {"out": "[0, 3]\n"}),
    ("empty", "", {}, {}),
    ("comment alone", "# nothing\n", {}, {}),

    # --- the function
    ("function", f"def {GFN}(a, b=2):\n  return a+b\n", ARGS, {"calls": True, "result": 6}),
    ("function by name", f'def add(a, b=2):\n  return a+b\n{GFN} = "add"\n', ARGS, {"calls": True, "result": 6}),
    ("async function", f"import asyncio\nasync def {GFN}(a, b=2):\n  await asyncio.sleep(0.001)\n  return [a, b]\n", ARGS,
     {"calls": True, "result": [1, 5]}),
    ("class as the function", f"class {GFN}:\n  def __init__(s, a, b=2): s.a = a\n  def __repr__(s): return f'X{{s.a}}'\n", ARGS,
     {"calls": True, "shown": "X1"}),
    ("lambda", f"{GFN} = lambda a, b: a * b\n", ARGS, {"calls": True, "result": 5}),
    ("name of nothing", f'{GFN} = "nope"\n', ARGS, {"error": "NameError", "says": "'nope'"}),
    ("args without a function", 'print("no function")\n', ARGS, {"out": "no function\n", "message": f"no {GFN}"}),
    ("args without a callable", f"{GFN} = 5\n", ARGS, {"message": f"{GFN} is no function", "shown": "5"}),
    ("function that returns a coroutine of another", f"async def g(): return 3\ndef {GFN}(): return g()\n", {},
     {"calls": True, "result": 3}),

    # --- results
    ("nan", f"def {GFN}(a, b=1): return float('nan')\n", ARGS, {"calls": True, "shown": "nan"}),
    ("set", f"def {GFN}(a, b=1): return {{1, 2}}\n", ARGS, {"calls": True, "shown": "{1, 2}"}),
    ("int keys", f"def {GFN}(a, b=1): return {{1: 2}}\n", ARGS, {"calls": True, "result": {"1": 2}}),
    ("integers of 64 bits", f"def {GFN}(): return [2**63 - 1, -2**63, '9' * 30, 1.5]\n", {},
     {"calls": True, "result": [2**63 - 1, -2**63, "9" * 30, 1.5]}),
    ("integer of more", f"def {GFN}(): return {{'a': 2**63}}\n", {}, {"calls": True, "shown": "{'a': 9223372036854775808}"}),
    ("recursive list", f"def {GFN}(a, b=1):\n  l = []; l.append(l); return l\n", ARGS, {"calls": True, "shown": "[[...]]"}),
    ("repr raises", f"class X:\n  def __repr__(s): raise SystemExit(3)\ndef {GFN}(a, b=1): return X()\n", ARGS,
     {"calls": True, "shown": "<repr failed>"}),
    ("generator", f"def {GFN}(a, b=1):\n  yield a\n  yield b\n", ARGS, {"calls": True, "result": [1, 5]}),
    ("endless generator", f"import itertools\ndef {GFN}(): return (i for i in itertools.count())\n", {},
     {"calls": True, "result": list(range(10000)), "message": "first 10,000 items"}),
    ("map", f"def {GFN}(): return map(abs, [-1, 2])\n", {}, {"calls": True, "result": [1, 2]}),
    ("async generator", f"async def {GFN}(a, b=1):\n  yield 1\n", ARGS, {"calls": True, "result": [1]}),
    ("half a surrogate pair", f"def {GFN}(): return 'a\\udcff'\n", {}, {"calls": True, "result": "a\ufffd"}),
    ("result too large", f"def {GFN}(): return 'x' * 9_000_000\n", {},
     {"calls": True, "error": "ValueError", "says": "8 MB"}),
    ("last expression", "x = 20\nx * 2 + 2\n", {}, {"shown": "42", "message": "the last expression is 42"}),
    ("last assignment", "x = {'a': 1}\n", {}, {"shown": "{'a': 1}", "message": "x is {'a': 1}"}),
    ("last expression awaits", "async def f(): return 5\nawait f()\n", {}, {"shown": "5"}),
    ("last expression None", "print(1)\n", {}, {"out": "1\n"}),
    ("last repr raises", "class X:\n  def __repr__(s): raise ValueError\nX()\n", {}, {"shown": "<repr failed>"}),

    # --- ends
    ("sys.exit()", "import sys; print('a'); sys.exit()\n", {}, {"out": "a\n"}),
    ("sys.exit(3)", "import sys; sys.exit(3)\n", {}, {"error": "SystemExit", "says": "3"}),
    ("sys.exit(text)", "import sys; sys.exit('bad thing')\n", {}, {"error": "SystemExit", "says": "bad thing"}),
    ("exit()", "print('a'); exit()\n", {}, {"out": "a\n"}),
    ("os._exit(0)", "print('before'); import os; os._exit(0)\n", {}, {"out": "before\n"}),
    ("os._exit(4) with much output", "print('x'*20000); print('tail'); import os; os._exit(4)\n", {},
     {"out": "x" * 20000 + "\ntail\n", "error": "SystemExit", "says": "4"}),
    ("atexit", "import atexit, sys\natexit.register(lambda: print('bye'))\natexit.register(lambda: sys.exit(5))\nprint('main')\n",
     {}, {"out": "main\nbye\n", "quiet": False}),
    ("atexit prints of an error", "import atexit\natexit.register(lambda: print('bye'))\n1/0\n", {},
     {"out": "bye\n", "error": "ZeroDivisionError"}),
    ("crash of C code", "import ctypes; print('before'); ctypes.string_at(0)\n", {},
     {"out": "before\n", "err_has": ["Segmentation fault", 'File "<code>", line 1'], "killed": 11}),
    ("own signal handler", "import signal, os\nsignal.signal(signal.SIGTERM, lambda *a: print('got'))\n"
     "os.kill(os.getpid(), signal.SIGTERM)\nfor _ in range(3): pass\n", {}, {"out": "got\n"}),
    ("own alarm", "import signal\ndef h(*a): raise TimeoutError('alarm')\nsignal.signal(signal.SIGALRM, h)\n"
     "signal.setitimer(signal.ITIMER_REAL, 0.01)\nwhile True: pass\n", {}, {"error": "TimeoutError", "says": "alarm"}),

    # --- memory, recursion
    ("MemoryError at once", "a = bytearray(1 << 50)\n", {}, {"error": "MemoryError", "trace": ["line 1"]}),
    ("memory in small objects", "import resource\nused = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
     "resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20),) * 2)\nl = []\nwhile True: l.append([1])\n", {},
     {"error": "MemoryError", "outside": True}),
    ("memory in small objects, in the jail", "blocks = []\ntry:\n  while True: blocks.append(bytearray(1 << 20))\n"
     "except MemoryError: pass\nl = []\nwhile True: l.append([1])\n", {}, {"error": "MemoryError", "jail": True}),
    ("memory in large objects", "import resource\nused = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
     "resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20),) * 2)\nl = []\nwhile True: l.append('x' * 1000000)\n", {},
     {"error": "MemoryError", "trace": ["line 5"], "outside": True}),

    # --- threads
    ("thread that prints late", "import threading\ngo = threading.Event()\ndef w():\n  go.wait(); print('late')\n"
     "threading.Thread(target=w).start(); print('main'); go.set()\n", {}, {"out": "main\nlate\n"}),
    ("thread left behind", "import threading\nthreading.Thread(target=threading.Event().wait).start(); print('main')\n", SOON,
     {"out": "main\n", "error": "Timeout", "timeout": True}),
    ("exception in a thread", "import threading\ndef w(): 1/0\nt = threading.Thread(target=w); t.start(); t.join(); print('ok')\n",
     {}, {"out": "ok\n", "err_has": ["ZeroDivisionError"]}),
    ("thread pool", "from concurrent.futures import ThreadPoolExecutor as E\nwith E(4) as e: print(list(e.map(lambda x: x*x, "
     "range(5))))\n", {}, {"out": "[0, 1, 4, 9, 16]\n"}),

    # --- output
    ("many lines", "for i in range(30000): print('line', i)\n", {}, {"out": "".join(f"line {i}\n" for i in range(30000))}),
    ("output over the limit", "for i in range(30000): print('line', i)\n", {"output": 1000},
     {"out": "".join(f"line {i}\n" for i in range(30000))[:1000], "message": "bytes of output over the limit"}),
    ("one huge write", "print('x' * 50_000_000)\n", {"output": 1000},
     {"out": "x" * 1000, "message": "49,999,001 bytes of output over the limit"}),
    ("cut between characters", "print('é' * 100)\n", {"output": 101}, {"out": "é" * 50, "message": "over the limit"}),
    ("bytes and surrogates", "import sys; sys.stdout.buffer.write(b'\\xff\\xfe a\\n'); print('\\udcff', '\\ud800')\n", {},
     {"out": "\ufffd\ufffd a\n\\udcff \\ud800\n", "shown": None}),
    ("os.write", "import os; os.write(1, b'raw\\n'); os.write(2, b'raw2\\n'); print('text')\n", {}, {"out": "text\nraw\n", "err": "raw2\n"}),
    ("stdout closed", "import sys; sys.stdout.close(); print(1)\n", {}, {"out": "1\n"}),
    ("stdout None", "import sys; sys.stdout = None; print(1)\n", {}, {}),
    ("stdout deleted", "import sys; del sys.stdout; print(1)\n", {}, {"error": "RuntimeError", "says": "sys.stdout"}),
    ("redirect", "import io, contextlib\nb = io.StringIO()\nwith contextlib.redirect_stdout(b): print('hid')\n"
     "print(b.getvalue().upper())\n", {}, {"out": "HID\n\n"}),
    ("warning", "import warnings; warnings.warn('careful')\n", {}, {"err_has": ["UserWarning: careful"]}),
    ("logging", "import logging; logging.warning('w')\n", {}, {"err": "WARNING:root:w\n"}),
    ("write of bytes", "import sys; sys.stdout.write(b'x')\n", {}, {"error": "TypeError", "says": "must be str"}),
    ("print to stderr", "import sys; print('e', file=sys.stderr)\n", {}, {"err": "e\n"}),

    # --- input
    ("input()", "x = input('name? ')\n", {}, {"out": "name? ", "error": "EOFError", "says": "Take values as arguments"}),
    ("stdin", "import sys; print(repr(sys.stdin.read()))\n", {}, {"out": "''\n"}),

    # --- event loops
    ("top-level await", "import asyncio\nawait asyncio.sleep(0)\n"
     "print(await asyncio.gather(asyncio.sleep(0, 1), asyncio.sleep(0, 2)))\n", {}, {"out": "[1, 2]\n"}),
    ("asyncio.run", "import asyncio\nasync def m(): return 1\nprint(asyncio.run(m()))\n", {}, {"out": "1\n"}),
    ("asyncio.run under top-level await", "import asyncio\nawait asyncio.sleep(0)\nasync def m(): return 1\n"
     "print(asyncio.run(m()))\n", {}, {"out": "1\n"}),
    ("run_until_complete under await", "import asyncio\nawait asyncio.sleep(0)\nasync def m(): return 1\nc = m()\n"
     "try: asyncio.get_event_loop().run_until_complete(c)\nfinally: c.close()\n", {},
     {"error": "RuntimeError", "says": "`await` the coroutine"}),
    ("queue of top level in the function", f"import asyncio\nq = asyncio.Queue()\nawait q.put(1)\nasync def {GFN}(): return "
     "await q.get()\n", {}, {"calls": True, "result": 1}),
    ("task left behind", "import asyncio\nasync def w():\n  try: await asyncio.sleep(100)\n  finally: print('cleaned')\n"
     "t = asyncio.create_task(w())\nawait asyncio.sleep(0)\nprint('main')\n", {}, {"out": "main\ncleaned\n"}),
    ("forgotten await", "async def f(): pass\nf()\nprint(1)\n", {}, {"out": "1\n", "err_has": ["was never awaited"]}),

    # --- the deadline
    ("endless loop", "print('before')\nwhile True:\n    pass\n", SOON,
     {"out": "before\n", "error": "Timeout", "timeout": True, "says": "timeout: the code ran longer than 0.5 s", "trace": ["line"]}),
    ("sleep", "import time\ntime.sleep(1000)\n", SOON, {"error": "Timeout", "timeout": True, "trace": ["line 2"]}),
    ("except Exception in a loop", "while True:\n  try:\n    while True: pass\n  except Exception: pass\n", SOON,
     {"error": "Timeout", "timeout": True}),
    ("large integer", "x = 3**(10**7)\nwhile True: x = x * x % (10**7)\n", SOON, {"error": "Timeout", "timeout": True}),
    ("regular expression", "import re\nre.match('(a+)+$', 'a'*40 + 'b')\n", SOON, {"error": "Timeout", "timeout": True}),
    ("await for ever", "import asyncio\nasync def f():\n  await asyncio.sleep(1000)\nawait f()\n", SOON,
     {"error": "Timeout", "timeout": True, "trace": ["<code>\", line 4, in", "<code>\", line 3, in f"]}),
    ("task that loops", "import asyncio\nasync def w():\n  while True: pass\nasyncio.create_task(w())\nawait asyncio.sleep(1000)\n",
     SOON, {"error": "Timeout", "timeout": True, "trace": ["line 3, in w"]}),
    ("lock for ever", "import threading\nl = threading.Lock(); l.acquire(); l.acquire()\n", SOON,
     {"error": "Timeout", "timeout": True, "trace": ["line 2"]}),
    ("sort with a slow key",
     "while True: sorted(range(10**4), key=lambda x: -x)\n", SOON, {"error": "Timeout", "timeout": True}),
    ("deadline in a destructor", "class X:\n  def __del__(s):\n    while True: pass\nx = X(); del x\n", SOON,
     {"error": "Timeout", "timeout": True, "quiet": False}),
    ("atexit for ever", "import atexit\ndef f():\n  while True: pass\natexit.register(f)\nprint('main')\n", SOON,
     {"out": "main\n", "error": "Timeout", "timeout": True, "quiet": False}),
    ("deadline in the function", f"def {GFN}():\n  while True: pass\n", SOON,
     {"calls": True, "error": "Timeout", "timeout": True, "trace": ["line 2, in " + GFN]}),

    # --- other processes
    ("multiprocessing", "import multiprocessing as mp\ndef f(x): return x*x\nwith mp.Pool(2) as p: print(p.map(f, [1, 2, 3]))\n", {},
     {"error": ("PermissionError", "FileNotFoundError", "OSError"), "says": "se threads"}),
    ("process pool", "from concurrent.futures import ProcessPoolExecutor as E\nwith E(2) as e: print(list(e.map(abs, range(5))))\n",
     {}, {"error": ("PermissionError", "FileNotFoundError", "OSError"), "says": "se threads"}),
    ("subprocess", "import subprocess; print(subprocess.run(['ls'], capture_output=True))\n", {},
     {"error": "PermissionError", "says": "Use threads"}),
    ("os.system", "import os; print(os.system('ls'))\n", {}, {"error": "PermissionError", "says": "Use threads"}),
    ("os.fork", "import os; os.fork()\n", {}, {"error": "PermissionError", "says": "Use threads"}),

    # --- files
    ("file", "open('a.csv', 'w').write('x,y')\n", {}, {"files": {"a.csv": b"x,y"}, "shown": "3", "needs": LANDLOCK}),
    ("file of a run that failed", "open('b.txt', 'w').write('partial'); 1/0\n", {},
     {"files": {"b.txt": b"partial"}, "error": "ZeroDivisionError", "needs": LANDLOCK}),
    ("file and os._exit", "f = open('b.txt', 'w'); f.write('all'); f.close(); import os; os._exit(0)\n", {},
     {"files": {"b.txt": b"all"}, "needs": LANDLOCK}),
    ("sqlite file", "import sqlite3; c = sqlite3.connect('a.db'); c.execute('create table t(x)'); c.commit()\n"
     "print(c.execute('select count(*) from t').fetchall()); c.close()\n", {}, {"out": "[(0,)]\n", "quiet": False, "needs": LANDLOCK}),
    ("temporary file", "import tempfile, os\nwith tempfile.NamedTemporaryFile() as f: print(os.path.dirname(f.name) == "
     "os.getcwd() == os.path.expanduser('~'))\n", {}, {"out": "True\n", "needs": LANDLOCK}),
    ("own module in a file", "open('mine.py', 'w').write('x = 5'); import mine; print(mine.x)\n", {},
     {"out": "5\n", "files": {"mine.py": b"x = 5"}, "needs": LANDLOCK}),

    # --- the system
    ("time zone", "import zoneinfo, datetime\nd = datetime.datetime(2024, 1, 1, tzinfo=zoneinfo.ZoneInfo('Europe/Berlin'))\n"
     "print(d.tzname())\n", {}, {"out": "CET\n", "needs": LANDLOCK}),
    ("ctypes", "import ctypes; print(ctypes.CDLL(None).abs(-3))\n", {}, {"out": "3\n"}),
    ("getpass", "import getpass; print(getpass.getuser())\n", {}, {"out": "user\n"}),
    ("platform", "import platform; print(bool(platform.platform()))\n", {}, {"out": "True\n"}),
    ("environment", "import os; print(sorted(k for k in os.environ if 'TOKEN' in k or 'KEY' in k))\n", {}, {"out": "[]\n"}),
    ("network", "import socket\ntry: socket.create_connection(('127.0.0.1', 80), 1)\nexcept OSError as e: print('no')\n", {},
     {"out": "no\n", "jail": True}),
    ("full disk", "f = open('big', 'wb')\nfor i in range(200): f.write(b'x' * 1000000)\n", {},
     {"error": "OSError", "jail": True, "quiet": False, "needs": LANDLOCK}),
    ("too many files", "for i in range(5000): open(str(i), 'w').close()\n", {}, {"error": "OSError", "jail": True, "quiet": False, "needs": NAMESPACES | LANDLOCK}),
    ("files of the system", "import os; print(os.path.exists('/etc/passwd'), os.path.exists('/usr/bin/ls'), "
     "os.path.exists('/proc/self'))\n", {}, {"out": "False False False\n", "jail": True, "needs": NAMESPACES | LANDLOCK}),
    ("kill the server", "import os\nos.kill(os.getppid(), 9)\n", {}, {"error": "PermissionError", "jail": True}),
]
