#!/usr/bin/env python3
"""`require "sys.db"`: what outlives processes, two of which write at once and are killed; damaged and newer files; dry runs."""

import contextlib
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import FOLDER, PERIGEE, done, environment, folder, has, perigee, same, tap      # noqa: E402

DB = FOLDER / "state/perigee/db"
ROUNDS = int(os.environ.get("PERIGEE_KILLS", "60")) // 2       # with two processes each

HEAD = """local db = require "sys.db"
local database = assert(db.open("%s", { schema = { { { "CREATE TABLE notes (id INTEGER PRIMARY KEY, who TEXT, n INTEGER)" } } } }))
"""
# Numbers its notes from the last one on, and tells of each that is kept.
WRITER = """local who = ...
local n = database:row("SELECT coalesce(max(n), 0) AS n FROM notes WHERE who = ?", who).n
print(n)
while true do
  n = n + 1
  assert(database:write { { "INSERT INTO notes (who, n) VALUES (?, ?)", who, n } })
  print(n)
end
"""


def lua(code, name="notes", *flags):
    answer = perigee("run", *flags, "-e", HEAD % name + code)
    same((answer.code, answer.err), (0, ""), answer)
    return answer.out


def writer(who, name="killed", code=WRITER):
    return subprocess.Popen([PERIGEE, "run", "-e", HEAD % name + code, who], env=environment(), cwd=folder("here"),
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def what_is_written_is_there_for_the_next():
    same(lua('print(database:run("INSERT INTO notes (who, n) VALUES (?, ?)", "ann", 7).id)'), "1\n")
    same(lua('local row = database:row "SELECT * FROM notes" print(row.id, row.who, row.n, database.note)'), "1\tann\t7\tnil\n")
    same(sorted(each.name for each in DB.iterdir()), ["notes.sqlite"])      # closed: no log beside it
    same(oct(DB.stat().st_mode & 0o777), "0o700")
    same(oct((DB / "notes.sqlite").stat().st_mode & 0o777), "0o600")


def nothing_acknowledged_is_lost_by_kill_9():
    kept = {"one": 0, "two": 0}
    for _ in range(ROUNDS):
        running = {who: writer(who) for who in kept}
        for who, process in running.items():
            first = process.stdout.readline().strip()
            assert first.isdigit(), first + process.stdout.read()
            same(int(first) >= kept[who], True, f"{who}: {first} of at least {kept[who]}")
        for _ in range(random.randint(0, 300)):
            random.choice(list(running.values())).stdout.readline()
        for who, process in sorted(running.items(), key=lambda _: random.random()):
            process.send_signal(signal.SIGKILL)
            rest = process.stdout.read().split("\n")[:-1]       # a number whose line is whole was acknowledged
            kept[who] = max([kept[who]] + [int(n) for n in rest if n.isdigit()])
            process.wait()
    code = 'for _, row in ipairs(database:rows "SELECT who, max(n) AS n, count(*) AS rows FROM notes GROUP BY who ORDER BY who") do ' \
           'print(row.who, row.n, row.rows) end'
    for line in lua(code, "killed").splitlines():
        who, n, rows = line.split("\t")
        same(rows, n, "without gaps")
        same(int(n) >= kept[who], True, f"{who}: {n} of {kept[who]}")


def a_damaged_file_is_set_aside_and_said_so():
    lua('assert(database:run "INSERT INTO notes (n) VALUES (1)")', "broken")
    file = DB / "broken.sqlite"
    whole = file.read_bytes()
    for damaged in (b"not a database" * 100, whole[:100] + b"\xff" * (len(whole) - 100)):
        for old in DB.glob("broken.sqlite*"):
            old.unlink()
        file.write_bytes(damaged)
        answer = perigee("run", "-e", HEAD % "broken" + 'print(database:row("SELECT count(*) AS n FROM notes").n, database.note)')
        has(answer.out, "0\tthe database \"broken\" was damaged. It is now ", "broken.sqlite.damaged-")
        has(answer.err, "was damaged")
        same([each.read_bytes() for each in DB.glob("broken.sqlite.damaged-*") if each.name[-4:] not in ("-wal", "-shm")], [damaged])


def harm(name):
    """Fills a database, and damages a page that opening it does not read. Returns what is in the file then."""
    lua('for i = 1, 200 do assert(database:run("INSERT INTO notes (who) VALUES (?)", ("word "):rep(200))) end', name)
    file = DB / f"{name}.sqlite"
    content = file.read_bytes()
    file.write_bytes(content[:4096 * 30] + b"\xff" * 4096 + content[4096 * 31:])
    return file.read_bytes()


SUM = 'database:row("SELECT sum(length(who)) AS n FROM notes")'


def a_file_is_read_through_after_an_unclean_end_only():
    harm("clean")
    same(lua("print(database.note)", "clean"), "nil\n", "it was closed as it should be")
    with writer("one", "clean", "local who = ... assert(database:run('INSERT INTO notes (who) VALUES (?)', who)) print 'kept' "
                "require 'sys.task'.await 'never'") as process:
        same(process.stdout.readline(), "kept\n", "in the log beside the file")
        process.kill()
    answer = perigee("run", "-e", HEAD % "clean" + f"print(database.note) print({SUM}.n)")
    has(answer.out, 'the database "clean" was damaged. It is now ', "clean.sqlite.damaged-", "\nnil\n")


def damage_that_a_statement_meets_is_set_aside_with_the_next_opening():
    content = harm("met")
    answer = perigee("run", "-e", HEAD % "met" + f"""print(select(3, {SUM})) print(database:row("SELECT 1 AS one").one)
database = assert(db.open("met", {{ schema = {{ {{ {{ "CREATE TABLE notes (who)" }} }} }} }})) print(database.note) print({SUM}.n)
print(rawequal(database, db.open "met"))""")
    has(answer.out, "damaged\n1\n", 'the database "met" was damaged. It is now ', "\nnil\ntrue\n")
    same([each.read_bytes() for each in DB.glob("met.sqlite.damaged-*") if each.name[-4:] not in ("-wal", "-shm")], [content])


def an_engine_that_opens_none_has_nothing_of_it():
    """Neither SQLite in its memory nor a file."""
    bare = {"XDG_STATE_HOME": str(FOLDER / "bare")}
    seen = []
    for opens in ("", HEAD % "bare"):
        with subprocess.Popen([PERIGEE, "run", "-e", opens + "print 'ready' require 'sys.task'.await 'never'"], env=environment(**bare),
                              cwd=folder("here"), stdout=subprocess.PIPE, text=True) as process:
            same(process.stdout.readline(), "ready\n")
            of = pathlib.Path(f"/proc/{process.pid}")
            seen.append(("sqlite" in (of / "maps").read_text(), [each.name for each in (FOLDER / "bare").rglob("db/*.sqlite")]))
            process.kill()
    same(seen, [(False, []), (True, ["bare.sqlite"])])


def a_damaged_file_that_cannot_be_set_aside_stays_and_is_told():
    """Folders have the names that it could get: no user may rename a file to one, not even root."""
    file = DB / "stuck.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as other:      # its log stays beside the file while somebody has that open
        other.executescript("PRAGMA journal_mode = WAL; CREATE TABLE notes (n); PRAGMA wal_checkpoint(TRUNCATE)")
        # By other processes: a process that closes a file that it has twice loses its locks on it, and with them the log.
        subprocess.run(["dd", "if=/dev/zero", f"of={file}", "bs=100", "seek=1", "count=9", "conv=notrunc", "status=none"], check=True)
        damaged = subprocess.check_output(["sha256sum", file])
        begun = int(time.time())
        for part in ("-wal", ""):
            for second in range(begun, begun + 600):
                (DB / f"stuck.sqlite.damaged-{second}{part}").mkdir()
            answer = perigee("run", "-e", HEAD % "stuck")
            same(answer.code != 0, True, answer)
            has(answer.err, f"the damaged {file}{part} cannot be renamed: Is a directory. Move it away, or let this program change "
                "its directory", '(database "stuck")')
            same("It is now" in answer.err, False, answer.err)
            same(sorted(each.name for each in DB.glob("stuck.sqlite*") if not each.is_dir()),
                 ["stuck.sqlite", "stuck.sqlite-shm", "stuck.sqlite-wal"])
            same(subprocess.check_output(["sha256sum", file]), damaged)


def a_file_of_a_newer_version_is_read_only():
    newer = '{ { { "CREATE TABLE notes (id INTEGER PRIMARY KEY, n INTEGER)" } }, { { "ALTER TABLE notes ADD COLUMN more" } } }'
    same(perigee("run", "-e", f'local d = require "sys.db".open("newer", {{ schema = {newer} }}) d:run "INSERT INTO notes (n) VALUES (5)"').code, 0)
    answer = perigee("run", "-e", HEAD % "newer" + 'print(database:row("SELECT n FROM notes").n, database:run "DELETE FROM notes")')
    has(answer.out, "5\tnil\ta newer version of this program wrote the database \"newer\"", "read_only")
    same(lua('print(database.readonly, database:row("SELECT count(*) AS n FROM notes").n)', "newer", "--quiet"), "true\t1\n")


def older_tables_are_brought_up_to_date_once():
    steps = '{ { "CREATE TABLE t (a)" }, { "INSERT INTO t VALUES (1)" } }'
    for schema, rows in ((f"{{ {steps} }}", 1), (f'{{ {steps}, {{ {{ "INSERT INTO t VALUES (2)" }} }} }}', 2)) * 2:
        both = [subprocess.Popen([PERIGEE, "run", "--quiet", "-e", f'local d = assert(require "sys.db".open("steps", {{ schema = {schema} }})) '
                                  'print(d:row("SELECT count(*) AS n FROM t").n)'], env=environment(), cwd=folder("here"),
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(3)]
        for process in both:
            same(int(process.communicate()[0]) >= rows, True)
    answer = perigee("run", "-e", 'print(require "sys.db".open("steps_broken", { schema = { { { "CREATE TABLE t (a)" } }, { { "CREATE TABL" } } } }))')
    has(answer.out, "nil\tstep 2 of its schema: ", "syntax error", "bad_sql")
    answer = perigee("run", "-e", 'print(require "sys.db".open("steps_broken", { schema = { { { "CREATE TABLE t (a)" } } } }))')
    same((answer.code, answer.err, answer.out.count("steps_broken")), (0, "", 1))


def a_file_of_somebody_else_is_refused():
    target = FOLDER / "elsewhere.sqlite"
    target.write_bytes(b"")
    (DB / "linked.sqlite").symlink_to(target)
    answer = perigee("run", "-e", 'print(require "sys.db".open "linked")')
    has(answer.out, "nil\t", "linked.sqlite", "\tio")
    same(target.read_bytes(), b"")


def a_dry_run_writes_nothing():
    before = (DB / "notes.sqlite").read_bytes()
    answer = perigee("run", "--dry-run", "-e", HEAD % "notes" + 'print(database:row("SELECT n FROM notes").n, database:run "DELETE FROM notes")')
    has(answer.out, "7\tnil\t", "read_only")
    same((DB / "notes.sqlite").read_bytes(), before)


for case in (what_is_written_is_there_for_the_next, nothing_acknowledged_is_lost_by_kill_9, a_damaged_file_is_set_aside_and_said_so,
             a_file_is_read_through_after_an_unclean_end_only, damage_that_a_statement_meets_is_set_aside_with_the_next_opening,
             an_engine_that_opens_none_has_nothing_of_it, a_damaged_file_that_cannot_be_set_aside_stays_and_is_told, a_file_of_a_newer_version_is_read_only, older_tables_are_brought_up_to_date_once,
             a_file_of_somebody_else_is_refused, a_dry_run_writes_nothing):
    tap.case(case.__name__.replace("_", " "), case)
done()
