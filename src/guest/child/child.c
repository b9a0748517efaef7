/* A guest's life: a job, its loop, and one DONE.
 *
 * It has the engine's own VM, so that a script has the same as a tool: tasks, bounded patterns, the
 * memory limit of a call. It keeps no deadline: the engine ends the process. */
#include "guest/child/child.h"

#include <fcntl.h>
#include <lauxlib.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "base/digest.h"
#include "base/log.h"
#include "base/module.h"
#include "base/packed_tags.h"
#include "base/timer.h"
#include "base/unicode.h"
#include "guest/child/forbidden.h"
#include "guest/child/process.h"
#include "guest/child/remote.h"
#include "guest/child/tool.h"
#include "guest/ending.h"
#include "guest/jail/jail.h"
#include "json/document.h"
#include "json/pattern/perl.h"
#include "json/utf8.h"
#include "script/bind.h"
#include "script/packed.h"
#include "script/sandbox/sandbox.h"
#include "script/show.h"
#include "script/task.h"
#include "script/tools_table.h"
#include "script/value.h"
#include "sys/sys.h"
#include "xml/xml.h"

static struct guest_process *const self = &guest_process;

/* --- in the server ------------------------------------------------------------------------ */

static const luaL_Reg modules[] = {
    { "sys.crypto", luaopen_sys_crypto }, { "perigee", luaopen_guest_perigee },
    { "sys.json", luaopen_sys_json },     { "sys.log", luaopen_guest_log },
    { "sys.task", luaopen_guest_task },   { "sys.regex", luaopen_sys_regex },
    { "sys.text", luaopen_sys_text },     { "sys.time", luaopen_guest_time },
    { "tools", luaopen_guest_tools },     { "sys.xml", luaopen_sys_xml },
};

static int open_modules(lua_State *L)
{
    for (size_t i = 0; i < countof(modules); i++) {
        vm_push_module(L, modules[i].name);
        lua_pop(L, 1);
    }
    lua_gc(L, LUA_GCCOLLECT);
    return 0;
}

static int by_byte(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

/* Makes the C library ask the system now for what it asks once, before a guest is shut in: glibc
 * before 2.37 asks for the size of memory (sysinfo(2)) when qsort() has 1024 bytes to sort. */
static void warm_up(void)
{
    char bytes[4096] = { 0 };

    qsort(bytes, sizeof bytes, 1, by_byte);
    tzset(); /* later there is no time zone file to read */
}

/* Opens libraries. If one is missing, the functions that need it fail later. */
static void open_libraries(void)
{
    struct error err;

    unicode_ready(&err);
    perl_ready(&err);
    digest_ready(&err);
    xml_get(&err);
}

void guest_prepare(void)
{
    struct error err;

    json_init();
    warm_up();
    open_libraries();
    list_init(&self->calls);
    self->vm = vm_new(NULL, NULL, &err);
    if (!self->vm || !vm_run(self->vm, bind_init, NULL, &err))
        _exit(EXIT_FAILURE); /* no memory: the engine hears that its server is gone */
    for (size_t i = 0; i < countof(modules); i++)
        vm_add_module(self->vm, modules[i].name, modules[i].func);
    if (!vm_run(self->vm, open_modules, NULL, &err))
        _exit(EXIT_FAILURE);
}

/* --- DONE ----------------------------------------------------------------------------------- */

static _Noreturn void leave_done(void)
{
    channel_send(&self->channel, &self->out);
    _exit(EXIT_SUCCESS);
}

enum { MESSAGE_MAX = 64 * 1024, QUICK_US = 60 };
enum { RESULTS = 3 }; /* a script returns a value, or nil, a message and a code */

static _Noreturn void fail_job(const char *text, const char *code)
{
    size_t len = strlen(text), kept = utf8_cut(text, len, MESSAGE_MAX), begun;
    struct buf message = { 0 };

    buf_add(&message, text, kept);
    if (kept < len)
        buf_addf(&message, "\n[truncated: %zu more bytes]", len - kept);
    begun = frame_begin(&self->out, FRAME_DONE, 0);
    buf_addc(&self->out, 1);
    bytes_str(&self->out, buf_str(&message));
    bytes_str(&self->out, str_from(code));
    frame_end(&self->out, begun);
    leave_done();
}

/* Writes the value as JSON text: the engine then makes no table of it, and writes none, which would
 * take its time. */
static bool write_result_text(lua_State *L, struct error *err)
{
    struct buf json = { 0 };
    bool ok = value_write_json_within(L, 1, FRAME_GUEST_MAX, &json, err);

    if (ok)
        packed_add_text(&self->out, buf_str(&json));
    buf_free(&json);
    return ok;
}

/* (value, error): packs the value; the error says why it cannot be packed. Called by vm_call(),
 * because memory may run out. */
static int pack_result(lua_State *L)
{
    bool text = self->as_text && lua_type(L, 1) != LUA_TSTRING && !lua_isnil(L, 1);
    size_t before = self->out.len;
    struct error *err = lua_touserdata(L, 2);

    if (text ? !write_result_text(L, err) : !packed_write(L, 1, &self->out, err))
        return luaL_error(L, "the returned value: %s", err->text);
    error_set(err, "not_plain", "too long");
    if (self->out.len - before >= FRAME_GUEST_MAX)
        return luaL_error(L, "the returned value takes %d MB (limit: %d). Return less",
                          (int)((self->out.len - before) >> 20), FRAME_GUEST_MAX >> 20);
    return 0;
}

/* Did the script end with nil or false and a message? `perigee run` judges in the same way. */
static bool is_failure(lua_State *L)
{
    return !lua_toboolean(L, 1) && !lua_isnoneornil(L, 2);
}

/* (results...) -> value, or the text of one that has its own: that of `tools` is their names, which
 * may have to be asked for. Of a failure: nil, message, code. */
static int as_it_shows(lua_State *L)
{
    lua_settop(L, RESULTS);
    if (is_failure(L)) {
        const char *code = lua_type(L, 3) == LUA_TSTRING ? lua_tostring(L, 3) : "failed";

        lua_pushnil(L);
        show_push(L, 2, NULL);
        lua_pushstring(L, code);
        return RESULTS;
    }
    if (tools_table_has_text(L, 1)) {
        luaL_tolstring(L, 1, NULL);
        lua_replace(L, 1);
    }
    lua_settop(L, 1);
    lua_settop(L, RESULTS); /* the others are nil */
    return RESULTS;
}

static _Noreturn void succeed_job(struct task *task, int nresults)
{
    lua_State *from = task_lua(task), *L = vm_lua(self->vm);
    struct error err, why = { 0 };
    size_t begun;

    lua_pushcfunction(L, as_it_shows);
    if (nresults > RESULTS)
        lua_settop(from, lua_gettop(from) - nresults + RESULTS);
    nresults = nresults < RESULTS ? nresults : RESULTS;
    lua_xmove(from, L, nresults);
    if (!vm_call(self->vm, nresults, RESULTS, 0, &err))
        fail_job(err.text, err.code);
    if (!lua_isnil(L, -2))
        fail_job(lua_tostring(L, -2), lua_tostring(L, -1));
    lua_pop(L, RESULTS - 1); /* value */
    begun = frame_begin(&self->out, FRAME_DONE, 0);
    buf_addc(&self->out, 0);
    lua_pushcfunction(L, pack_result);
    lua_insert(L, -2); /* pack_result, value */
    lua_pushlightuserdata(L, &why);
    if (!vm_call(self->vm, 2, 0, 0, &err)) {
        self->out.len = begun;
        fail_job(err.text, strcmp(err.code, "memory") == 0 ? "memory" : why.code);
    }
    frame_end(&self->out, begun);
    leave_done();
}

static void on_job_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    char *traceback = NULL;
    struct error err;

    (void)arg;
    if (end == TASK_DONE)
        succeed_job(task, nresults);
    if (end == TASK_FAILED)
        task_error(task, &err, &traceback);
    else
        task_end_error(task, end, &err);
    fail_job(traceback && strcmp(err.code, "runtime") == 0 ? traceback : err.text, err.code);
}

/* --- the loop --------------------------------------------------------------------------------- */

static void on_print(void *context, const char *text, size_t len)
{
    size_t begun;

    (void)context;
    if (self->output_left == 0)
        return; /* the engine gets no more than it keeps */
    if (len >= self->output_left)
        len = self->output_left - 1;
    self->output_left -= len + 1;
    begun = frame_begin(&self->out, FRAME_PRINT, 0);
    bytes_str(&self->out, (struct str){ text, len });
    remote_said(begun);
}

static void take_frames(void)
{
    struct frame frame;

    while (channel_next(&self->channel, &frame)) {
        if (frame.kind == FRAME_ANSWER)
            remote_answer(&frame);
    }
}

/* Looks for answers for a moment: a quick tool answers sooner than this process could fall asleep
 * and be woken. */
static void look_for_answers(void)
{
    uint64_t end = uv_hrtime() + (uint64_t)QUICK_US * 1000;

    while (!channel_fill(&self->channel, 0) && uv_hrtime() < end)
        sched_yield();
}

/* Takes the frames that were kept while another was awaited, then sends the output. */
static void speak_and_hear(void)
{
    bool sends;

    take_frames();
    sends = self->out.len > 0;
    channel_send(&self->channel, &self->out);
    if (sends)
        look_for_answers();
    take_frames();
}

/* Runs the loop. The jail lets a guest wait by poll(2) only, and the calls by which libuv's loop
 * waits differ from version to version (epoll, and io_uring in 1.50). */
static _Noreturn void run_guest_loop(void)
{
    for (;;) {
        timers_run();
        vm_turn(self->vm);
        speak_and_hear();
        channel_fill(&self->channel, vm_wants_turn(self->vm) ? 0 : timers_wait());
        take_frames();
    }
}

/* --- the job -------------------------------------------------------------------- */

struct job {
    size_t memory;
    int root;
    char *name, *tool, *toolset; /* tool "": a script */
    struct str code;
};

static bool allows_module(void *arg, const char *module)
{
    (void)arg;
    static const char *const names[] = {
        "sys.crypto", "sys.csv",   "sys.date", "sys.duration", "sys.ics",  "sys.json", "sys.log",
        "sys.path",   "sys.regex", "sys.task", "sys.text",     "sys.time", "sys.url",  "sys.xml",
    };

    for (size_t i = 0; i < countof(names); i++)
        if (strcmp(module, names[i]) == 0)
            return true;
    return false;
}

static const char script_lacks[] =
    ". A script reaches files, programs and the network only through tools: tools.NAME{...}";
static const char tool_lacks[] =
    ": this tool is foreign, and runs in a jail. It reaches files, programs and the network only "
    "through other tools: require \"perigee\".call(NAME, ARGUMENTS). If you trust the file, read "
    "it, "
    "then take `trust = \"foreign\"` out of it, move it from foreign/ to tools/, or approve its "
    "pack (perigee pack approve)";

/* Seeds math.random: a fork has its parent's state. */
static int seed_random(lua_State *L)
{
    lua_Integer seeds[2];

    if (uv_random(NULL, NULL, seeds, sizeof seeds, 0, NULL) != 0)
        seeds[0] = (lua_Integer)uv_hrtime(), seeds[1] = getpid();
    lua_getglobal(L, "math");
    lua_getfield(L, -1, "randomseed");
    lua_pushinteger(L, seeds[0]);
    lua_pushinteger(L, seeds[1]);
    lua_call(L, 2, 0);
    return 0;
}

/* (f, argument's bytes) -> f, which has the global `tools` now; the argument */
static int push_argument(lua_State *L)
{
    struct str *bytes = lua_touserdata(L, 2);
    struct error err;

    remote_push_tools(L, true); /* f, bytes, tools */
    lua_pushvalue(L, 1);
    sandbox_set_global(L, "tools");
    if (!packed_push(L, bytes, &err))
        return luaL_error(L, "%s", err.text);
    return 2;
}

/* f, and the argument's bytes -> the task's function and its arguments, on the main state. */
static int push_job(lua_State *L, const struct job *job, struct str *argument)
{
    struct error err;

    lua_pushcfunction(L, *job->tool ? guest_tool_push : push_argument);
    lua_insert(L, -2);
    lua_pushlightuserdata(L, argument);
    if (!vm_call(self->vm, 2, *job->tool ? 5 : 2, 0, &err))
        fail_job(err.text, err.code);
    return *job->tool ? 4 : 1;
}

static void start_task(const struct job *job, int nargs)
{
    struct task_spec spec = {
        .name = job->name, .memory = job->memory, .print = on_print, .ended = on_job_ended
    };
    struct error err;
    struct task *task = task_new(vm_lua(self->vm), nargs, &spec, &err);

    if (task)
        task_go(task);
    else
        fail_job(err.text, err.code);
}

static char *get_text(struct bytes *from)
{
    struct str text = bytes_get_str(from);

    return mem_strndup(text.ptr ? text.ptr : "", text.len);
}

static struct job read_job(struct bytes *from)
{
    struct job job = { .memory = (size_t)bytes_get_u64(from) };
    double seconds;

    self->output_left = (size_t)bytes_get_u64(from) + 1;
    seconds = bytes_get_double(from);
    self->deadline = seconds > 0 ? (double)uv_hrtime() / 1e9 + seconds : 0;
    self->as_text = bytes_get_u8(from);
    job.root = (int)bytes_get_u32(from);
    job.name = get_text(from);
    job.tool = get_text(from);
    job.toolset = get_text(from);
    job.code = bytes_get_str(from);
    return job;
}

static void start_job(struct frame *frame)
{
    static struct job job; /* it lives as long as the process */
    struct sandbox_spec spec = { .find = remote_find, .allow = allows_module };
    struct error err;

    job = read_job(&frame->payload);
    spec.open_globals = !*job.tool;
    spec.why_not = *job.tool ? tool_lacks : script_lacks;
    self->sandbox = sandbox_new(self->vm, &spec);
    if (!vm_run(self->vm, seed_random, NULL, &err))
        fail_job(err.text, err.code);
    if (*job.tool)
        guest_tool_prepare(self->vm, job.tool, job.toolset);
    if (!sandbox_load_file(self->sandbox, job.root, job.name, job.code.ptr ? job.code.ptr : "",
                           job.code.len, &err))
        fail_job(err.text, err.code); /* f */
    start_task(&job, push_job(vm_lua(self->vm), &job, &frame->payload.left));
}

static void on_exhausted(void)
{
    _exit(ENDING_NO_MEMORY); /* abort() would be a forbidden call */
}

static int on_lua_panic(lua_State *L)
{
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";

    _exit(strstr(text, "not enough memory") ? ENDING_NO_MEMORY : EXIT_FAILURE);
}

/* Replaces the functions that would write to stderr or send the process a signal, which it may not
 * do. */
static void end_and_speak_otherwise(void)
{
    mem_on_exhausted(on_exhausted);
    lua_atpanic(vm_lua(self->vm), on_lua_panic);
    vm_print_to(self->vm, on_print);
    log_set_sink(remote_log_line);
}

_Noreturn void guest_main(int socket)
{
    struct frame job;

    end_and_speak_otherwise();
    forbidden_watch();
    fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
    self->channel.fd = socket;
    module_seal();
    if (!jail_lock(socket))
        _exit(EXIT_FAILURE);
    while (!channel_next(&self->channel, &job))
        channel_fill(&self->channel, -1);
    if (job.kind != FRAME_JOB)
        _exit(EXIT_FAILURE);
    start_job(&job);
    run_guest_loop();
}
