/* Shorthands for cases of tasks: their Lua text, a few turns, an end. */
#ifndef PERIGEE_TESTS_TASK_RUN_H
#define PERIGEE_TESTS_TASK_RUN_H

#include "lua_run.h"

#define T    "local task, time = require 'sys.task', require 'sys.time' "
#define SPIN "while true do end"

/* A function that C calls and that cannot be interrupted by a yield. */
#define IN_C "local function in_c(f) tostring(setmetatable({}, { __tostring = f })) end "

/* `local x <close> = closing(f)` */
#define CLOSING                                                                                    \
    "local function closing(f) return setmetatable({}, { __close = function(_, e) f(e) end }) "    \
    "end "

static inline void turn(struct lua *lua, int times)
{
    for (int i = 0; i < times; i++)
        uv_run(&lua->loop, UV_RUN_NOWAIT);
}

static inline void ends(struct lua *lua, uint64_t timeout_ms, const char *source, enum task_end end,
                        const char *printed)
{
    struct job job;

    job_run(lua, &job, timeout_ms, source);
    assert_int_equal(job.end, end);
    assert_string_equal(buf_text(&job.printed), printed);
    job_free(&job);
}

#endif
