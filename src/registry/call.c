/* Starts a task for an entry and tells how it ended.
 *
 * The Lua side sees a userdata `call` that names its struct by address and serial
 * number. The structs are used again but never freed, and get a new number when a
 * call ends, so a script that keeps the object can do no harm, and the object
 * needs no finalizer (those are dear, and most calls are short). */
#include "registry/call.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "base/base64.h"
#include "base/log.h"
#include "script/value.h"
#include "json/utf8.h"
#include "json/writer.h"

struct call {
    struct call_spec spec;
    struct task *task;
    double last_progress;
    uint64_t serial;
    struct buf args; /* JSON text, for the log; empty unless calls are logged */
    uint64_t started;
    bool *gone; /* set when it ends inside call_start(); else NULL */
    struct call *next_free;
};

struct handle {
    struct call *call;
    uint64_t serial; /* as the call had it when this was made */
};

static struct call *free_calls;
static bool log_all;

enum { LOGGED_BYTES = 500 }; /* of the arguments, and of the answer */

static const char handle_key, result_key;
static struct call_counts counts;

/* --- the `call` object ------------------------------------------------------------ */

static struct handle *check_handle(lua_State *L)
{
    struct handle *handle = lua_touserdata(L, 1);
    bool ok = handle && lua_getmetatable(L, 1);

    if (ok) {
        lua_rawgetp(L, LUA_REGISTRYINDEX, &handle_key);
        ok = lua_rawequal(L, -1, -2);
        lua_pop(L, 2);
    }
    if (!ok)
        luaL_argerror(L, 1, "call expected; write call:name(...), with a colon");
    return handle;
}

/* The running call of the object at index 1; NULL after its end. */
static struct call *check_call(lua_State *L)
{
    struct handle *handle = check_handle(L);

    return handle->call->serial == handle->serial ? handle->call : NULL;
}

static int call_progress(lua_State *L)
{
    struct call *call = check_call(L);
    double done = luaL_checknumber(L, 2);
    double total = luaL_optnumber(L, 3, NAN);
    const char *message = luaL_optstring(L, 4, NULL);

    if (!call || !call->spec.progress || !(done > call->last_progress))
        return 0; /* the protocol wants it to grow */
    call->last_progress = done;
    call->spec.progress(call->spec.arg, done, total, message);
    return 0;
}

static int call_log(lua_State *L)
{
    static const char *const levels[] = { "debug",    "info",  "notice",    "warning", "error",
                                          "critical", "alert", "emergency", NULL };
    struct call *call = check_call(L);
    const char *level = levels[luaL_checkoption(L, 2, NULL, levels)];
    const char *logger = luaL_optstring(L, 4, NULL);

    luaL_checkany(L, 3);
    if (call && call->spec.log)
        call->spec.log(call->spec.arg, level, logger, L, 3);
    return 0;
}

/* call:result{content = {...}, ...} -> the same table, marked */
static int call_result(lua_State *L)
{
    check_handle(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &result_key);
    lua_setmetatable(L, 2);
    return 1;
}

static int media_block(lua_State *L, const char *type)
{
    size_t len;
    const char *bytes = luaL_checklstring(L, 2, &len);
    const char *mime = luaL_checkstring(L, 3);
    luaL_Buffer text;

    check_handle(L);
    lua_createtable(L, 0, 3); /* block */
    lua_pushstring(L, type);
    lua_setfield(L, -2, "type");
    lua_pushstring(L, mime);
    lua_setfield(L, -2, "mimeType");
    base64_encode(luaL_buffinitsize(L, &text, base64_length(len)), bytes, len);
    luaL_pushresultsize(&text, base64_length(len));
    lua_setfield(L, -2, "data");
    return 1;
}

static int call_image(lua_State *L)
{
    return media_block(L, "image");
}

static int call_audio(lua_State *L)
{
    return media_block(L, "audio");
}

static int handle_index(lua_State *L)
{
    struct call *call = check_call(L);
    const char *key = luaL_checkstring(L, 2);
    struct entry *entry = call ? call->spec.entry : NULL;

    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
        return 1;
    if (entry && strcmp(key, "tool") == 0)
        lua_pushstring(L, entry->name);
    else if (entry && strcmp(key, "toolset") == 0)
        lua_pushstring(L, entry->toolset);
    return 1;
}

static const luaL_Reg call_methods[] = { { "audio", call_audio },   { "image", call_image },
                                         { "log", call_log },       { "progress", call_progress },
                                         { "result", call_result }, { NULL, NULL } };

void call_init(struct vm *vm)
{
    lua_State *L = vm_lua(vm);

    lua_createtable(L, 0, 4);             /* mt */
    luaL_newlib(L, call_methods);         /* mt, methods */
    lua_pushcclosure(L, handle_index, 1); /* mt, index */
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &handle_key);

    lua_createtable(L, 0, 1);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &result_key);
}

bool call_is_result(lua_State *L, int index)
{
    bool same;

    if (!lua_istable(L, index) || !lua_getmetatable(L, index))
        return false;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &result_key);
    same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same;
}

/* --- how it ends --------------------------------------------------------------------- */

/* run() returned: value, or nil, message, code, meta. */
static void read_results(struct outcome *outcome, int nresults)
{
    lua_State *L = outcome->L;
    int first = lua_gettop(L) - nresults + 1;
    const char *code;

    if (nresults >= 2 && lua_isnil(L, first) && lua_isstring(L, first + 1)) {
        code = nresults >= 3 && lua_type(L, first + 2) == LUA_TSTRING ? lua_tostring(L, first + 2)
                                                                      : "failed";
        outcome->failed = true;
        outcome->value = first + 1;
        if (nresults >= 4 && lua_istable(L, first + 3))
            outcome->meta = first + 3;
        error_set(&outcome->err, code, "%s", lua_tostring(L, first + 1));
        return;
    }
    outcome->value = nresults > 0 && !lua_isnil(L, first) ? first : 0;
}

static void read_failure(struct outcome *outcome, struct task *task)
{
    char *traceback = NULL;
    struct error inner;

    outcome->failed = true;
    task_error(task, &inner, &traceback);
    log_error("%s: %s", outcome->entry->label, traceback ? traceback : inner.text);
    free(traceback);
    error_set(&outcome->err, inner.code, "%s failed: %s", outcome->entry->name, inner.text);
}

/* --- the log ---------------------------------------------------------------------------- */

void call_log_all(void)
{
    log_all = true;
}

static void log_start(struct call *call, const cJSON *args)
{
    call->started = uv_hrtime();
    if (args)
        json_write(&call->args, args);
    else
        buf_lit(&call->args, "{}");
}

/* As the wire has it, cut: the text blocks of a result are told apart by nobody here. */
static void add_answer(struct buf *line, const struct outcome *outcome)
{
    size_t len;
    const char *text;

    if (outcome->value && lua_type(outcome->L, outcome->value) == LUA_TSTRING) {
        text = lua_tolstring(outcome->L, outcome->value, &len);
        buf_add(line, text, utf8_cut(text, len, LOGGED_BYTES));
    } else if (outcome->failed) {
        buf_adds(line, outcome->err.text);
    } else if (outcome->value) {
        buf_addf(line, "(%s)", luaL_typename(outcome->L, outcome->value));
    } else {
        buf_lit(line, "(nothing)");
    }
}

static void log_end(struct call *call, const struct outcome *outcome)
{
    struct buf line = { 0 };
    char tag[160];

    snprintf(tag, sizeof tag, "tool=%s", outcome->entry->name);
    buf_lit(&line, "args=");
    buf_add(&line, call->args.data, utf8_cut(call->args.data, call->args.len, LOGGED_BYTES));
    buf_lit(&line, " -> ");
    add_answer(&line, outcome);
    buf_addf(&line, " (%.1f ms)", (double)(uv_hrtime() - call->started) / 1e6);
    log_tagged(tag, line.data, line.len);
    buf_free(&line);
    buf_free(&call->args);
}

static void on_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct call *call = arg;
    struct outcome outcome = { .entry = call->spec.entry, .end = end, .L = task_lua(task) };

    call->serial++; /* what Lua holds is void from here on */
    if (end == TASK_DONE) {
        read_results(&outcome, nresults);
    } else if (end == TASK_FAILED) {
        read_failure(&outcome, task);
    } else {
        outcome.failed = true;
        task_end_error(task, end, &outcome.err);
    }
    counts.active--;
    counts.total++;
    counts.failed += outcome.failed;
    if (call->args.len)
        log_end(call, &outcome);
    if (call->gone)
        *call->gone = true;
    call->spec.done(call->spec.arg, &outcome);
    entry_unref(call->spec.entry);
    call->next_free = free_calls;
    free_calls = call;
}

static struct call *take_call(void)
{
    struct call *call = free_calls;

    if (!call)
        return mem_zero(sizeof *call);
    free_calls = call->next_free;
    return call;
}

static void push_handle(lua_State *L, struct call *call)
{
    struct handle *handle = lua_newuserdatauv(L, sizeof *handle, 0);

    *handle = (struct handle){ call, call->serial };
    lua_rawgetp(L, LUA_REGISTRYINDEX, &handle_key);
    lua_setmetatable(L, -2);
}

struct call *call_start(lua_State *from, const struct call_spec *spec)
{
    struct call *call = take_call();
    struct entry *entry = entry_ref(spec->entry);
    struct task_spec task = { .name = entry->name,
                              .timeout_ms = spec->timeout_ms    ? spec->timeout_ms
                                            : entry->timeout_ms ? entry->timeout_ms
                                                                : CALL_TIMEOUT_MS,
                              .memory = spec->memory,
                              .parent = spec->parent,
                              .ended = on_ended,
                              .arg = call };
    bool gone = false;

    call->spec = *spec;
    call->gone = &gone;
    call->last_progress = -HUGE_VAL;
    entry_push_run(entry, from);
    if (spec->args)
        value_push_json(from, spec->args);
    else
        lua_newtable(from);
    if (entry->takes_call)
        push_handle(from, call); /* run, args, call */
    if (log_all)
        log_start(call, spec->args);
    counts.active++;
    call->task = task_new(from, 1 + entry->takes_call, &task);
    task_go(call->task);
    if (gone)
        return NULL;
    call->gone = NULL;
    return call;
}

void call_cancel(struct call *call)
{
    task_cancel(call->task);
}

struct call_counts call_counts(void)
{
    return counts;
}
