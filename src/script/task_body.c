/* What each coroutine runs, and how it tells what went wrong.
 *
 * The traceback is taken by a message handler, where the error is raised: by the
 * time the task has ended its stack is unwound. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "script/vm_private.h"

/* A copy without the last line, which is task_body() below. */
static char *copy_trace(const char *trace)
{
    static const char last[] = "\n\t[C]: in ?";
    size_t len = strlen(trace);

    if (len > sizeof last - 1 && strcmp(trace + len - (sizeof last - 1), last) == 0)
        len -= sizeof last - 1;
    return mem_strndup(trace, len);
}

/* Message handler: keeps where the error came from, before the stack is unwound. */
static int on_error(lua_State *L)
{
    struct task *task = task_of(L);
    const char *text;

    if (task->dying)
        task_unwind(task);
    task->spare = true;
    lua_pushvalue(L, 1); /* a number stays a number */
    text = lua_tostring(L, -1);
    if (!text)
        text = lua_pushfstring(L, "error value is a %s", luaL_typename(L, 1));
    luaL_traceback(L, L, text, 1);
    task->spare = false;
    free(task->traceback);
    task->traceback = copy_trace(lua_tostring(L, -1));
    lua_settop(L, 1);
    return 1;
}

static int body_ended(lua_State *L, int status, lua_KContext context)
{
    (void)context;
    if (status == LUA_OK || status == LUA_YIELD)
        return lua_gettop(L) - 1;
    return lua_error(L);
}

/* What each coroutine runs: its function under a pcall. An error that the hook
 * raises leaves hooks switched off in a coroutine until a pcall has caught it,
 * and then nothing could stop its `<close>` variables, nor its next user. */
int task_body(lua_State *L)
{
    lua_pushcfunction(L, on_error);
    lua_insert(L, 1); /* handler, function, args... */
    return body_ended(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 1, 0, body_ended), 0);
}

void task_error(struct task *task, struct error *err, char **traceback)
{
    lua_State *L = task->L;
    const char *text = lua_isstring(L, -1) ? lua_tostring(L, -1) : NULL;
    char value[64];

    if (!text) {
        snprintf(value, sizeof value, "error value is a %s", luaL_typename(L, -1));
        text = value;
    }
    if (task->memory_short && strcmp(text, "not enough memory") == 0)
        error_set(err, "memory", "not enough memory: it may use %.3g MB",
                  (double)task->memory_short / (1024 * 1024));
    else
        error_set(err, strstr(text, "not enough memory") ? "memory" : "runtime", "%s", text);
    if (traceback) {
        *traceback = task->traceback ? task->traceback : mem_strdup(err->text);
        task->traceback = NULL;
    }
}

void task_end_error(struct task *task, enum task_end end, struct error *err)
{
    if (end == TASK_TIMED_OUT)
        error_set(err, "timeout", "%s was stopped after %g s, its time limit", task->name,
                  (double)task->timeout_ms / 1000);
    else
        error_set(err, "cancelled", "%s was cancelled", task->name);
}
