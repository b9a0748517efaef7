#!/usr/bin/env python3
"""`require "sys.date"` in the time zones of this machine and others: what clocks show, also when they are changed, beside Python's
zoneinfo."""

import datetime
import json
import os
import random
import sys
import zoneinfo

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import FOLDER, done, perigee, same, tap, write      # noqa: E402

BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3"      # needs no table of the system
UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)
SEED = 4711

# Half an hour of daylight saving, changes at midnight, a day that is left out, and offsets of a quarter of an hour.
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kathmandu",
         "Africa/Casablanca", "America/St_Johns", "UTC")


def lua(zone, code):
    answer = perigee("run", "--grant", str(FOLDER), "-e", 'local date = require "sys.date"\n' + code, TZ=zone)
    same((answer.code, answer.err), (0, ""), answer)
    return answer.out.splitlines()


def clocks_are_changed():
    same(lua(BERLIN, """
      local function show(t) return date.format(t, "%F %T %Z %z") end
      local night = date.parse "2026-03-28T02:30"                      -- the next night has no 02:30
      print(show(night))
      print(show(date.add(night, { days = 1 })))
      print(show(date.add(night, { days = 2 })))
      print(show(date.add(night, { hours = 24 })))
      print(show(date.parse "2026-10-25T02:30"))                       -- there are two: the first
      print(show(date.parse "2026-10-25T02:30+01:00"))
      print(show(date.add(date.parse "2026-10-25T02:30+01:00", { days = 0 })))
      print(show(date.add(date.parse "2026-10-24T02:30", { days = 1 })))
      print(show(date.add(date.parse "2026-10-24T12:00", { days = 1 })), date.parse "2026-10-25T12:00" - date.parse "2026-10-24T12:00")
      local autumn = date.of(date.parse "2026-10-25T02:30+01:00")
      print(autumn.hour, autumn.isdst, autumn.offset, autumn.zone, date.iso(date.time(autumn)))
      print(show(date.start_of(date.parse "2026-10-25T18:00", "day")), show(date.start_of(date.parse "2026-10-25T02:30+01:00", "hour")))
      print(date.days_between(date.parse "2026-03-28T23:59", date.parse "2026-03-30T00:00"))
      print(date.iso(date.parse "2026-07-01", "local"), date.iso(date.parse "2026-07-01"))
      print(date.parse("2026-10-25T02:30") == date.time { year = 2026, month = 10, day = 25, hour = 2, min = 30 })
      print(date.iso(date.time { year = 2026, month = 10, day = 25, hour = 2, min = 30, offset = 3600 }))
    """), [
        "2026-03-28 02:30:00 CET +0100", "2026-03-29 03:30:00 CEST +0200", "2026-03-30 02:30:00 CEST +0200",
        "2026-03-29 03:30:00 CEST +0200", "2026-10-25 02:30:00 CEST +0200", "2026-10-25 02:30:00 CET +0100",
        "2026-10-25 02:30:00 CET +0100", "2026-10-25 02:30:00 CEST +0200", "2026-10-25 12:00:00 CET +0100\t90000",
        "2\tfalse\t3600\tCET\t2026-10-25T01:30:00.000Z",
        "2026-10-25 00:00:00 CEST +0200\t2026-10-25 02:00:00 CET +0100", "2",
        "2026-07-01T00:00:00.000+02:00\t2026-06-30T22:00:00.000Z", "true", "2026-10-25T01:30:00.000Z"])


def python_date(seconds, zone):
    at = (EPOCH + datetime.timedelta(seconds=seconds)).astimezone(zone)
    return [at.year, at.month, at.day, at.hour, at.minute, at.second, int(at.utcoffset().total_seconds())]


def python_moments(date, zone):
    """The first and the second time at which clocks show this, or what they would have shown without the change."""
    return [int((datetime.datetime(*date, tzinfo=zone, fold=fold) - EPOCH).total_seconds()) for fold in (0, 1)]


def beside_zoneinfo(name):
    try:
        zone = zoneinfo.ZoneInfo(name)
    except zoneinfo.ZoneInfoNotFoundError:
        raise tap.Skip("this machine has no table of time zones") from None
    chance = random.Random(SEED)
    moments = [chance.randrange(0, 2 ** 31 - 1) for _ in range(300)]
    for before, after in zip(range(0, 2 ** 31 - 86400, 86400), range(86400, 2 ** 31, 86400)):    # around each change of the clocks
        if python_date(before, zone)[6] != python_date(after, zone)[6]:
            moments += [chance.randrange(before - 86400, after + 86400) for _ in range(12)]
    moments = [at for at in moments if at > 172800]
    dates = [python_date(at + chance.randrange(-7200, 7200), zone)[:6] for at in moments]
    path = write("moments.json", json.dumps({"moments": moments, "dates": dates}))
    out = lua(name, f"""
      local given = require "sys.json".decode(require "sys.fs".read {json.dumps(path)})
      for i, moment in ipairs(given.moments) do
        local at, wall = date.of(moment), given.dates[i]
        local back = date.time {{ year = wall[1], month = wall[2], day = wall[3], hour = wall[4], min = wall[5], sec = wall[6] }}
        print(at.year, at.month, at.day, at.hour, at.min, at.sec, at.offset, date.time(at) == moment, back)
      end""")
    same(len(out), len(moments))
    for moment, date, line in zip(moments, dates, out):
        *shown, again, back = line.split("\t")
        same([int(word) for word in shown], python_date(moment, zone), moment)
        same(again, "true", moment)
        same(int(back), python_moments(date, zone)[0], (date, python_moments(date, zone)))
    tap.note(f"{name}: {len(moments)} times")


def a_zone_that_is_not_there():
    same(lua(":" + str(FOLDER / "none"), "print(date.of(0).offset, date.of(0).hour)"), ["0\t0"])


tap.case("clocks are changed", clocks_are_changed)
for each in ZONES:
    tap.case(f"dates of {each} are those of Python", beside_zoneinfo, each)
tap.case("a zone that is not there is UTC", a_zone_that_is_not_there)
sys.exit(done())
