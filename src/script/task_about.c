/* Facts about a task: its name and place, its time, how it ended. */
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "script/budget.h"
#include "script/probe.h"
#include "script/vm_struct.h"

/* --- what it is --------------------------------------------------------------------- */

lua_State *task_lua(struct task *task)
{
    return task->L;
}

bool task_is_loading(lua_State *L)
{
    return task_of(L)->kind == TASK_LOADER;
}

bool task_late(lua_State *L)
{
    return task_of(L)->end.late || task_of(L)->end.life != TASK_LIVES;
}

void *task_mark(lua_State *L)
{
    return task_of(L);
}

void *task_context(lua_State *L)
{
    return task_of(L)->context;
}

struct task *task_current(lua_State *L)
{
    struct task *task = task_of(L);

    return task == &task->vm->main ? NULL : task;
}

void *task_arg(const struct task *task,
               void (*ended)(void *arg, struct task *task, enum task_end end, int nresults))
{
    return task->ended == ended ? task->arg : NULL;
}

const char *task_name(const struct task *task)
{
    return task->name;
}

struct task *task_parent(const struct task *task)
{
    return task->kin.parent;
}

struct task *task_top(struct task *task)
{
    while (task->kin.parent)
        task = task->kin.parent;
    return task;
}

unsigned task_beside(const struct task *task)
{
    while (task->kin.parent)
        task = task->kin.parent;
    return task->kin.beside;
}

bool task_holds_up(const struct task *task, const struct task *other)
{
    while (task && task != other)
        task = task->kin.alongside ? NULL : task->kin.parent;
    return task;
}

void **task_seen(struct task *task)
{
    return &task->watch.seen;
}

struct probe *task_probe(const struct task *task)
{
    return task->watch.probe;
}

bool task_waits(const struct task *task)
{
    return task->op && !task->kin.below;
}

bool task_set_own(struct task *task, bool own)
{
    bool was = task->own;

    task->own = own;
    return was;
}

bool task_is_own(const struct task *task)
{
    while (task && !task->own)
        task = task->kin.parent;
    return task;
}

void task_at_end(struct task *task, struct task_hook *hook)
{
    list_push(&task->at_end, &hook->link);
}

const struct op *task_op(const struct task *task)
{
    return task->op;
}

double task_age(const struct task *task)
{
    return (double)(uv_hrtime() - task->made) / 1e9;
}

void tasks_each(struct vm *vm, void (*each)(void *arg, struct task *task), void *arg)
{
    list_each (link, &vm->tasks)
        each(arg, container_of(link, struct task, all));
}

int64_t task_memory(const struct task *task)
{
    return task->memory.used;
}

double task_remaining(const struct task *task)
{
    uint64_t now = uv_hrtime();

    if (!task->clock.deadline)
        return -1;
    return now >= task->clock.deadline ? 0 : (double)(task->clock.deadline - now) / 1e9;
}

void task_print(lua_State *L, const char *text, size_t len)
{
    struct task *task = task_of(L);

    if (task->print)
        task->print(task->context, text, len);
    else if (task->vm->print && task != &task->vm->main)
        task->vm->print(NULL, text, len);
    else
        log_bytes(LOG_INFO, text, len);
}

/* --- how it ended ------------------------------------------------------------------- */

/* The error handler's description of a value that is not a string: the part of its traceback before
 * the stack, or NULL; free() it. */
static char *described_value(const char *traceback, const char *type)
{
    static const char stack[] = "\nstack traceback:";
    const char *end = traceback ? strstr(traceback, stack) : NULL;

    if (end && strncmp(traceback, "error value is", 14) == 0)
        return mem_strndup(traceback, (size_t)(end - traceback));
    return mem_printf("error value is a %s", type);
}

void task_error(struct task *task, struct error *err, char **traceback)
{
    lua_State *L = task->L;
    char value[64], *described = NULL;
    const char *text = value;

    if (lua_type(L, -1) == LUA_TSTRING)
        text = lua_tostring(L, -1);
    else if (lua_isinteger(L, -1)) /* nothing is allocated here: it may be on the loop */
        snprintf(value, sizeof value, LUA_INTEGER_FMT, lua_tointeger(L, -1));
    else if (lua_type(L, -1) == LUA_TNUMBER)
        snprintf(value, sizeof value, LUA_NUMBER_FMT, lua_tonumber(L, -1));
    else
        text = described = described_value(task->end.traceback, luaL_typename(L, -1));
    if (task->memory.refused && strcmp(text, "not enough memory") == 0)
        error_set(err, "memory", "not enough memory: it may use %.3g MB",
                  (double)task->memory.refused / (1024 * 1024));
    else
        error_set(err, strstr(text, "not enough memory") ? "memory" : "runtime", "%s", text);
    if (traceback) {
        *traceback = task->end.traceback ? task->end.traceback : mem_strdup(err->text);
        task->end.traceback = NULL;
    }
    free(described);
}

void task_note_place(struct task *task)
{
    lua_Debug info = { .currentline = -1 };

    task->end.place[0] = '\0';
    for (int level = 0; info.currentline <= 0 && lua_getstack(task->L, level, &info); level++)
        lua_getinfo(task->L, "Sl", &info); /* C functions have no line */
    if (info.currentline > 0)
        snprintf(task->end.place, sizeof task->end.place, "%s:%d", info.short_src,
                 info.currentline);
}

const char *task_place(const struct task *task)
{
    return task->end.place[0] && !task->end.waited ? task->end.place : NULL;
}

void task_pass_place(const struct task *child, struct task *parent)
{
    if (!child->end.place[0] || parent->end.place[0] || !task_must_end(parent, uv_hrtime()))
        return;
    memcpy(parent->end.place, child->end.place, sizeof parent->end.place);
    parent->end.waited = child->end.waited;
}

void task_end_error(struct task *task, enum task_end end, struct error *err)
{
    const char *where = task->end.waited ? ", while it waited at " : ", at ";

    if (end == TASK_TIMED_OUT)
        error_set(err, "timeout", "%s was stopped after %g s, its time limit%s%s", task->name,
                  (double)task->clock.timeout_ms / 1000, task->end.place[0] ? where : "",
                  task->end.place);
    else
        error_set(err, "cancelled", "%s was cancelled", task->name);
}
