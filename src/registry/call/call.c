/* Starts a task for an entry and tells how it ended.
 *
 * The structs are used again but never freed: see object.c. */
#include "registry/call/call.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/log.h"
#include "json/utf8.h"
#include "json/writer.h"
#include "registry/call/call_struct.h"
#include "registry/call/caller.h"
#include "registry/call/defaults.h"
#include "registry/call/gate.h"
#include "registry/call/handle.h"
#include "registry/call/outcome.h"
#include "registry/call/record.h"
#include "script/value.h"
#include "script/vm.h"

static struct call *free_calls;
static bool log_all;
static int log_watchers;

enum { LOGGED_BYTES = 500 }; /* arguments, and answer, in the log */

static struct call_counts counts;

/* --- how it ends --------------------------------------------------------------------- */

/* Names the function: "tools/user/x.lua:12: run()", its first line. */
static void add_function(lua_State *L, const struct call_spec *spec, struct buf *out)
{
    lua_Debug info = { .linedefined = -1 };

    if (!spec->push && lua_checkstack(L, 4)) {
        if (spec->entry->named == LUA_NOREF)
            entry_push_run(spec->entry, L);
        else
            lua_rawgeti(L, LUA_REGISTRYINDEX, spec->entry->named);
        if (lua_isfunction(L, -1) && !lua_iscfunction(L, -1))
            lua_getinfo(L, ">S", &info);
        else
            lua_pop(L, 1);
    }
    if (info.linedefined > 0)
        buf_addf(out, "%s:%d: its function", info.short_src, info.linedefined);
    else
        buf_addf(out, "%s: its function", spec->entry->label);
}

/* Results that look like a failure and are none: `return nil, {...}`, `return false, "message"`.
 * Taken as they are, they would pass for success. */
static bool is_misread(lua_State *L, int first, int nresults)
{
    bool said = nresults >= 2 && !lua_isnil(L, first + 1);

    if (!said || lua_toboolean(L, first))
        return false;
    if (!lua_isnil(L, first) || !lua_isstring(L, first + 1))
        return true;
    return (nresults >= 3 && !lua_isnil(L, first + 2) && lua_type(L, first + 2) != LUA_TSTRING) ||
           (nresults >= 4 && !lua_isnil(L, first + 3) && !lua_istable(L, first + 3));
}

static void refuse_results(struct outcome *outcome, const struct call_spec *spec, int nresults)
{
    lua_State *L = outcome->L;
    int first = lua_gettop(L) - nresults + 1;
    struct buf said = { 0 };

    add_function(L, spec, &said);
    buf_adds(&said, " returned ");
    for (int i = first; i < first + nresults && i < first + 4; i++) {
        buf_adds(&said, i > first ? ", " : "");
        if (lua_type(L, i) == LUA_TSTRING)
            buf_addf(&said, "\"%.200s\"", lua_tostring(L, i));
        else if (lua_isnil(L, i) || lua_isboolean(L, i))
            buf_adds(&said, lua_isnil(L, i) ? "nil" : lua_toboolean(L, i) ? "true" : "false");
        else
            buf_addf(&said, "a %s", luaL_typename(L, i));
    }
    buf_lit(&said, ". Report a failure with `return nil, message, code`: message and code are "
                   "strings, and a table for _meta may follow");
    outcome->failed = true;
    error_set(&outcome->err, "bad_result", "%s", buf_text(&said));
    log_error("%s", said.data);
    buf_free(&said);
}

/* run() returned: value, or nil, message, code, meta. */
static void read_call_results(struct outcome *outcome, const struct call_spec *spec, int nresults)
{
    lua_State *L = outcome->L;
    int first = lua_gettop(L) - nresults + 1;
    const char *code;

    if (is_misread(L, first, nresults)) {
        refuse_results(outcome, spec, nresults);
        return;
    }
    if (nresults >= 2 && lua_isnil(L, first) && lua_isstring(L, first + 1)) {
        code = nresults >= 3 && lua_type(L, first + 2) == LUA_TSTRING ? lua_tostring(L, first + 2)
                                                                      : "failed";
        outcome->failed = true;
        if (lua_type(L, first + 1) == LUA_TSTRING) /* a number is not: it would need memory */
            outcome->value = first + 1;
        if (nresults >= 4 && lua_istable(L, first + 3))
            outcome->meta = first + 3;
        if (outcome->value)
            error_set(&outcome->err, code, "%s", lua_tostring(L, first + 1));
        else
            error_set(&outcome->err, code, LUA_NUMBER_FMT, lua_tonumber(L, first + 1));
        return;
    }
    outcome->value = nresults > 0 && !lua_isnil(L, first) ? first : 0;
}

/* The failure of a file's code, with no secret in it. */
static void fail_with(struct outcome *outcome, const struct error *err)
{
    struct buf shown = { 0 };

    log_hide_secrets(&shown, err->text, strlen(err->text));
    error_set(&outcome->err, err->code, "%s failed: %.*s", outcome->entry->name, (int)shown.len,
              shown.data ? shown.data : "");
    buf_free(&shown);
}

static void read_failure(struct outcome *outcome, struct task *task)
{
    char *traceback = NULL;
    struct error inner;

    outcome->failed = true;
    task_error(task, &inner, &traceback);
    log_error("%s: %s", outcome->entry->label, traceback ? traceback : inner.text);
    free(traceback);
    fail_with(outcome, &inner);
}

/* Did somebody ask for it? To those who read the counts, the engine's own work is not a call. */
static bool is_counted(const struct call_spec *spec)
{
    return !spec->entry->console && !spec->own;
}

static void count_time(double seconds)
{
    double limit = 0.001;

    counts.seconds += seconds;
    for (int i = 0; i < CALL_BUCKETS; i++, limit *= 4)
        counts.took[i] += seconds <= limit;
}

/* --- the log ---------------------------------------------------------------------------- */

void call_log_all(void)
{
    log_all = true;
}

void call_log_watched(bool on)
{
    log_watchers += on ? 1 : -1;
}

static void log_start(struct call *call, const cJSON *args)
{
    if (args)
        json_write(&call->args, args);
    else
        buf_lit(&call->args, "{}");
}

static void add_log_text(struct buf *line, const char *text, size_t len)
{
    buf_add(line, text, utf8_cut(text, len, LOGGED_BYTES));
}

/* The texts of the blocks at `content`; a block without one by its type. */
static void add_blocks(struct buf *line, lua_State *L, int content)
{
    lua_Integer count = (lua_Integer)lua_rawlen(L, content);

    for (lua_Integer i = 1; i <= count; i++) {
        size_t len;
        const char *text = NULL;

        if (i > 1)
            buf_lit(line, " | ");
        if (lua_rawgeti(L, content, i) == LUA_TTABLE) {
            if (lua_getfield(L, -1, "text") != LUA_TSTRING) {
                lua_pop(L, 1);
                lua_getfield(L, -1, "type");
            }
            text = lua_tolstring(L, -1, &len);
            lua_pop(L, 1);
        }
        if (text)
            add_log_text(line, text, len);
        lua_pop(L, 1);
    }
}

/* (job, value): what run() returned, which is no string. */
static int log_value(lua_State *L)
{
    struct buf *line = lua_touserdata(L, 1);
    size_t from = line->len;

    if (lua_istable(L, 2) && lua_getfield(L, 2, "content") == LUA_TTABLE && lua_rawlen(L, -1)) {
        add_blocks(line, L, lua_absindex(L, -1));
    } else if (value_write_json(L, 2, line, NULL)) {
        line->len = from + utf8_cut(line->data + from, line->len - from, LOGGED_BYTES);
    } else {
        line->len = from;
        buf_addf(line, "(%s)", luaL_typename(L, 2));
    }
    return 0;
}

/* As a client may show it: the texts of a result, or its JSON, cut. */
static void add_answer(struct buf *line, const struct outcome *outcome)
{
    size_t len;
    const char *text;

    if (outcome->value && lua_type(outcome->L, outcome->value) == LUA_TSTRING) {
        text = lua_tolstring(outcome->L, outcome->value, &len);
        add_log_text(line, text, len);
    } else if (outcome->failed) {
        buf_adds(line, outcome->err.text);
    } else if (outcome->value) {
        if (!outcome_read(outcome, outcome->value, log_value, line, NULL))
            buf_lit(line, "(not enough memory to show it)");
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
    (log_all ? log_tagged : log_watched)(tag, line.data, line.len);
    buf_free(&line);
    buf_free(&call->args);
}

static void log_refused(const struct call_refused *refused)
{
    struct buf line = { 0 }, text = { 0 };
    char tag[160];

    snprintf(tag, sizeof tag, "tool=%.128s", refused->tool);
    if (refused->args)
        json_write(&text, refused->args);
    else
        buf_lit(&text, "{}");
    buf_lit(&line, "args=");
    buf_add(&line, text.data, utf8_cut(text.data, text.len, LOGGED_BYTES));
    buf_addf(&line, " -> refused: %s", refused->why);
    (log_all ? log_tagged : log_watched)(tag, line.data, line.len);
    buf_free(&line);
    buf_free(&text);
}

void call_refused(const struct call_refused *refused)
{
    if (log_all || log_watchers)
        log_refused(refused);
    record_refused(refused->tool, refused->caller, refused->args, refused->code);
}

static void finish_call(struct call *call, const struct outcome *outcome)
{
    struct outcome_written written = { 0 };
    struct outcome told = *outcome;
    struct call *parent = call_parent(call);

    if (parent)
        parent->from |= call->from;
    told.from = call->from;
    told.ref = call->ref;
    call->serial++; /* the objects that Lua holds are void from here on */
    if (is_counted(&call->spec)) {
        counts.active--;
        count_time((double)(uv_hrtime() - call->started) / 1e9);
        counts.total++;
        counts.failed += outcome->failed;
    }
    if (call->args.len)
        log_end(call, outcome);
    if (call->gone)
        *call->gone = true;
    call_drop_asks(call);
    told.written = &written;
    call->spec.done(call->spec.arg, &told);
    record_end(call, outcome, &written);
    entry_unref(call->spec.entry);
    caller_unref(call->spec.caller);
    call_effects_free(&call->effects);
    free(call->read.by);
    free(call->read.site);
    free(call->given.by);
    free(call->given.site);
    call->next_free = free_calls;
    free_calls = call;
}

static void on_call_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct call *call = arg;
    struct outcome outcome = { .entry = call->spec.entry, .end = end, .L = task_lua(task) };

    if (end == TASK_DONE) {
        read_call_results(&outcome, &call->spec, nresults);
    } else if (end == TASK_FAILED) {
        read_failure(&outcome, task);
        gate_note_text(call, outcome.err.text);
    } else {
        outcome.failed = true;
        task_end_error(task, end, &outcome.err);
    }
    call_effects_settle(&call->effects, &outcome);
    finish_call(call, &outcome);
}

/* It could not be started. */
static void give_up_call(struct call *call, lua_State *L, const struct error *err)
{
    struct outcome outcome = {
        .entry = call->spec.entry, .end = TASK_FAILED, .failed = true, .L = L
    };

    fail_with(&outcome, err);
    finish_call(call, &outcome);
}

static struct call *take_free_call(void)
{
    struct call *call = free_calls;

    if (!call)
        return mem_zero(sizeof *call);
    free_calls = call->next_free;
    return call;
}

/* (call) -> the gate, the function and its arguments */
static int push_gated_function(lua_State *L)
{
    struct call *call = lua_touserdata(L, 1);
    const struct call_spec *spec = &call->spec;
    int gate = gate_push(L, call), n = 2;

    if (spec->push) {
        n = spec->push(L, spec->pushed);
    } else {
        entry_push_run(spec->entry, L);
        if (spec->args)
            value_push_json(L, spec->args);
        else
            lua_newtable(L);
        if (spec->entry->defaults)
            defaults_fill(L, lua_gettop(L), json_get(entry_definition(spec->entry), "inputSchema"));
    }
    if (spec->push ? spec->with_call : spec->entry->takes_call) {
        call_push_handle(L, call); /* run, args..., call */
        n++;
    }
    return gate + n;
}

static uint64_t time_limit(const struct call_spec *spec)
{
    if (spec->unlimited)
        return 0;
    if (spec->timeout_ms)
        return spec->timeout_ms;
    return spec->entry->timeout_ms ? spec->entry->timeout_ms : CALL_TIMEOUT_MS;
}

/* False and err: there is no memory. */
static bool make_call_task(struct call *call, struct vm *vm, const struct task_spec *task,
                           struct error *err)
{
    lua_State *L = vm_lua(vm);
    int top = lua_gettop(L);

    if (vm_push(vm, L, push_gated_function, call, LUA_MULTRET, err))
        call->task = task_new(L, lua_gettop(L) - top - 1, task, err);
    return call->task;
}

struct call *call_start(struct vm *vm, const struct call_spec *spec)
{
    struct call *call = take_free_call();
    struct task_spec task = { .name = spec->entry->name,
                              .timeout_ms = time_limit(spec),
                              .memory = spec->memory,
                              .parent = spec->parent,
                              .print = spec->print,
                              .ended = on_call_ended,
                              .arg = call };
    bool gone = false;
    struct error err;

    entry_ref(spec->entry);
    call->spec = *spec;
    if (spec->caller)
        caller_ref(spec->caller);
    call->task = NULL;
    call->from = call->ref = 0;
    call->read = call->given = (struct call_mark){ 0 };
    call->runs = call->begun = false;
    call->effects = (struct call_effects){ 0 };
    call->gone = &gone;
    call->own_progress = call->last_progress = -HUGE_VAL;
    call->last_total = call->base_progress = NAN;
    list_init(&call->asks);
    call->started = uv_hrtime();
    if (log_all || (log_watchers && !spec->entry->console))
        log_start(call, spec->args);
    record_begin(call);
    counts.active += is_counted(spec);
    if (!make_call_task(call, vm, &task, &err))
        give_up_call(call, vm_lua(vm), &err);
    else if (spec->parent)
        task_go_later(call->task);
    else
        task_go(call->task);
    if (gone)
        return NULL;
    call->gone = NULL;
    return call;
}

struct call *call_of_task(const struct task *task)
{
    return task_arg(task, on_call_ended);
}

struct call *call_above(const struct task *task)
{
    struct call *call = NULL;

    for (; task && !call; task = task_parent(task))
        call = call_of_task(task);
    return call;
}

unsigned call_depth(const struct call *call)
{
    unsigned depth = 0;

    for (; call; call = call_parent(call))
        depth++;
    return depth;
}

const char *call_name(const struct call *call)
{
    return call->spec.entry->name;
}

bool call_of_console(const struct call *call)
{
    return call->spec.entry->console;
}

struct call *call_parent(const struct call *call)
{
    return call_above(call->spec.parent);
}

struct caller *call_caller_of(const struct task *task)
{
    return call_caller(call_above(task));
}

struct call *call_with_client(struct call *call)
{
    while (call && !call->spec.ask)
        call = call_parent(call);
    return call;
}

struct caller *call_caller(struct call *call)
{
    while (call && !call->spec.caller)
        call = call_parent(call);
    return call ? call->spec.caller : NULL;
}

void call_cancel(struct call *call)
{
    task_cancel(call->task);
}

struct call_counts call_counts(void)
{
    return counts;
}
