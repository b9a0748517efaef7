/* sys.time -- clocks, the time zone, the load of the machine, and waiting without holding up the
 * loop. */
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/timer.h"
#include "sys/sys.h"

#define YEAR_0     (-62167219200)
#define YEAR_1     (-62135596800)
#define YEAR_10000 253402300800

struct sleep {
    struct op op;
    struct timer *timer; /* borrowed: the loop owns it until it fires */
    char length[32];     /* "of 5 s" */
};

static void sleep_done(void *arg)
{
    struct sleep *sleep = arg;

    sleep->timer = NULL;
    task_wake(&sleep->op, 0);
}

static void sleep_cancel(struct op *op)
{
    struct sleep *sleep = container_of(op, struct sleep, op);

    timer_forget(sleep->timer);
    sleep->timer = NULL;
}

/* sys.time.sleep(seconds): parks the calling task. */
static int time_sleep(lua_State *L)
{
    lua_Number seconds = luaL_checknumber(L, 1);
    struct task *task = task_here(L);
    struct sleep *sleep;

    luaL_argcheck(L, seconds >= 0 && seconds <= 86400, 1, "expected 0 to 86400 seconds");
    sleep = lua_newuserdatauv(L, sizeof *sleep, 0); /* seconds, sleep */
    snprintf(sleep->length, sizeof sleep->length, "of %.6g s", seconds);
    sleep->op = (struct op){ task, sleep_cancel, "a timer", sleep->length };
    sleep->timer =
        timer_after(vm_loop(vm_of(L)), (uint64_t)ceil(seconds * 1000), sleep_done, sleep);
    return task_park(L, &sleep->op);
}

static double wall_clock(void)
{
    struct timeval now;

    gettimeofday(&now, NULL);
    return (double)now.tv_sec + (double)now.tv_usec / 1e6;
}

static int time_now(lua_State *L)
{
    lua_pushnumber(L, wall_clock());
    return 1;
}

static int time_monotonic(lua_State *L)
{
    lua_pushnumber(L, (lua_Number)uv_hrtime() / 1e9);
    return 1;
}

static int time_iso(lua_State *L)
{
    double seconds = luaL_optnumber(L, 1, wall_clock());
    char text[80];
    struct tm utc;
    time_t t;

    seconds = floor(seconds * 1000 + 0.5) / 1000;
    luaL_argcheck(L, seconds >= YEAR_1 && seconds < YEAR_10000, 1,
                  "expected a time in the years 1 to 9999");
    t = (time_t)floor(seconds);
    gmtime_r(&t, &utc);
    snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", utc.tm_year + 1900,
             utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
             (int)((seconds - floor(seconds)) * 1000 + 0.5));
    lua_pushstring(L, text);
    return 1;
}

/* sys.time.next_local(hour, minute, second) -> the next time when a clock on the wall shows that */
static int time_next_local(lua_State *L)
{
    int hour = (int)luaL_checkinteger(L, 1), minute = (int)luaL_checkinteger(L, 2);
    int second = (int)luaL_checkinteger(L, 3);
    double now = wall_clock();
    time_t today = (time_t)floor(now), next;
    struct tm at;

    luaL_argcheck(L, hour >= 0 && hour < 24, 1, "expected 0 to 23");
    luaL_argcheck(L, minute >= 0 && minute < 60, 2, "expected 0 to 59");
    luaL_argcheck(L, second >= 0 && second < 60, 3, "expected 0 to 59");
    tzset();
    localtime_r(&today, &at);
    for (int day = 0; day < 2; day++) { /* mktime() moves a time that summer time leaves out */
        struct tm then = at;

        then.tm_mday += day;
        then.tm_hour = hour;
        then.tm_min = minute;
        then.tm_sec = second;
        then.tm_isdst = -1;
        next = mktime(&then);
        if ((double)next > now)
            break;
    }
    lua_pushinteger(L, (lua_Integer)next);
    return 1;
}

/* Calls tzset(), which looks if the system's zone was changed. */
static int time_offset(lua_State *L)
{
    lua_Integer seconds = luaL_checkinteger(L, 1);
    time_t t = (time_t)seconds;
    struct tm local;

    luaL_argcheck(L, seconds >= YEAR_0 && seconds < YEAR_10000, 1,
                  "expected a time in the years 0 to 9999");
    tzset();
    localtime_r(&t, &local);
    lua_pushinteger(L, local.tm_gmtoff);
    lua_pushstring(L, local.tm_zone);
    lua_pushboolean(L, local.tm_isdst > 0);
    return 3;
}

/* sys.time.load() -> number; 0 where the system does not tell it */
static int time_load(lua_State *L)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    double average;

    lua_pushnumber(L, processors > 0 && getloadavg(&average, 1) == 1 ? average / processors : 0);
    return 1;
}

static const luaL_Reg time_funcs[] = { { "iso", time_iso },
                                       { "load", time_load },
                                       { "monotonic", time_monotonic },
                                       { "next_local", time_next_local },
                                       { "now", time_now },
                                       { "offset", time_offset },
                                       { "sleep", time_sleep },
                                       { "sleep_until", sys_time_until },
                                       { NULL, NULL } };

int luaopen_sys_time(lua_State *L)
{
    luaL_newlib(L, time_funcs);
    return 1;
}
