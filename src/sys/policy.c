/* sys.policy -- what the gate's Lua code (lua/lib/policy) needs of the system: where a path leads,
 * a clock that stands still while a person thinks, what a call did. */
#include <errno.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/arguments.h"
#include "base/dry_run.h"
#include "files/file.h"
#include "files/grants.h"
#include "files/paths.h"
#include "files/stamp.h"
#include "process/terminal_of.h"
#include "registry/call/call_struct.h"
#include "registry/call/elicitation.h"
#include "registry/call/gate.h"
#include "registry/call/handle.h"
#include "registry/call/record.h"
#include "script/bind.h"
#include "script/value.h"
#include "sys/effects.h"
#include "sys/policy_approvals.h"
#include "sys/shared/policy_runs.h"
#include "sys/shared/thread_call.h"
#include "sys/shared/tool_call.h"
#include "sys/sys.h"

/* --- the target of a path ----------------------------------------------------------------- */

struct path_work {
    struct thread_call call;
    char *path; /* absolute; later the path it leads to */
};

static void path_clear(struct thread_call *call)
{
    struct path_work *work = container_of(call, struct path_work, call);

    free(work->path);
}

/* True if the part of a path that does not exist says plainly where it will be. A link that leads
 * nowhere may be written through, and ".." behind a missing folder means something else once the
 * folder is there. */
static bool is_plain_rest(const char *real, const char *rest)
{
    size_t first;
    struct stat st;
    char *path;
    bool link;

    for (const char *part = rest; *part; part += first) {
        part += strspn(part, "/");
        first = strcspn(part, "/");
        if (first == 2 && memcmp(part, "..", 2) == 0)
            return false;
    }
    rest += strspn(rest, "/");
    first = strcspn(rest, "/");
    if (!first)
        return true;
    path = mem_printf("%s/%.*s", real, (int)first, rest);
    link = lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
    free(path);
    return !link;
}

static bool path_run(struct thread_call *call, struct error *err)
{
    struct path_work *work = container_of(call, struct path_work, call);
    char *head = mem_strdup(work->path), *real, *cut, *whole;
    bool plain;

    while (!(real = realpath(head, NULL)) && (errno == ENOENT || errno == ENOTDIR) && head[1]) {
        cut = strrchr(head, '/');
        cut[cut == head] = '\0';
    }
    if (!real) {
        free(head);
        return error_errno(err, errno, "cannot tell where \"%s\" leads", work->path);
    }
    plain = is_plain_rest(real, work->path + strlen(head));
    whole = mem_printf("%s/%s", real, work->path + strlen(head));
    free(head);
    free(real);
    if (!plain)
        error_set(err, "not_plain", "\"%s\" leads through something that is not there", work->path);
    free(work->path);
    work->path = path_tidy(whole);
    free(whole);
    return plain;
}

static int path_push(lua_State *L, struct thread_call *call)
{
    lua_pushstring(L, container_of(call, struct path_work, call)->path);
    return 1;
}

/* In this directory, or, for NULL, as sys.fs reads the path. */
static char *absolute_target(lua_State *L, const char *path, const char *directory)
{
    const struct fs_grants *grants = vm_service(L, &sys_grants_key);
    char *cwd, *base, *joined;

    if (!directory && grants && fs_grants_first(grants))
        return fs_absolute(grants, path);
    if (!directory && *path == '~')
        return path_expand_home(path);
    cwd = getcwd(NULL, 0);
    base = path_join(cwd ? cwd : "/", directory ? directory : ".");
    joined = path_join(base, path);
    free(cwd);
    free(base);
    return joined;
}

/* A path is argument 1; with argument 2 it is one in that directory, as the system reads it. */
static int path_start(lua_State *L, bool (*run)(struct thread_call *, struct error *))
{
    size_t len;
    const char *path = luaL_checklstring(L, 1, &len), *directory = luaL_optstring(L, 2, NULL);
    struct path_work *work;

    if (strlen(path) != len || !len)
        return bind_fail(L, "bad_path", "the path is empty or holds a NUL");
    work = thread_call_new(L, sizeof *work, path_clear);
    work->path = absolute_target(L, path, directory);
    work->call.run = run;
    work->call.push = path_push;
    return thread_call_in_pool(L, &work->call);
}

/* sys.policy.real(path) */
static int policy_real(lua_State *L)
{
    return path_start(L, path_run);
}

static bool stamp_run(struct thread_call *call, struct error *err)
{
    struct path_work *work = container_of(call, struct path_work, call);
    struct stamp stamp;

    if (!stamp_look(work->path, &stamp))
        return error_errno(err, errno, "cannot look at \"%s\"", work->path);
    free(work->path);
    work->path = mem_printf("%lld/%lld/%lld/%lld", (long long)stamp.device, (long long)stamp.inode,
                            (long long)stamp.size, (long long)stamp.changed);
    return true;
}

/* sys.policy.stamp(path) -> text: another one once the file was written, or replaced */
static int policy_stamp(lua_State *L)
{
    return path_start(L, stamp_run);
}

enum { CODE_BYTES = 1 << 20 };

/* The file's text takes the place of its path. */
static bool code_run(struct thread_call *call, struct error *err)
{
    struct path_work *work = container_of(call, struct path_work, call);
    struct buf text = { 0 };

    if (!file_read_all(work->path, CODE_BYTES, &text, err)) {
        buf_free(&text);
        return false;
    }
    free(work->path);
    work->path = mem_strndup(text.data ? text.data : "", text.len);
    buf_free(&text);
    return true;
}

/* sys.policy.code(path) -> the text of a Lua file, wherever it is */
static int policy_code(lua_State *L)
{
    return path_start(L, code_run);
}

/* sys.policy.grants([own]) -> the real paths of the folders that the user granted for writing; with
 * `own`, of those that the engine keeps its own files in */
static int policy_grants(lua_State *L)
{
    const struct fs_grants *grants = vm_service(L, &sys_grants_key);
    lua_Integer count = 0;
    bool own = lua_toboolean(L, 1);

    lua_newtable(L);
    for (size_t i = 0; grants && i < grants->count; i++) {
        if (!grants->items[i].write || grants->items[i].own != own)
            continue;
        lua_pushstring(L, grants->items[i].real);
        lua_rawseti(L, -2, ++count);
    }
    return 1;
}

/* sys.policy.on_path(name) -> true if a program of this name, or with this path, is there */
static int policy_on_path(lua_State *L)
{
    lua_pushboolean(L, file_on_path(luaL_checkstring(L, 1)));
    return 1;
}

/* --- time --------------------------------------------------------------------------------- */

#define PAUSE "sys.policy.Pause"

struct pause {
    struct task *task; /* NULL: it is over */
};

static int pause_close(lua_State *L)
{
    struct pause *pause = luaL_checkudata(L, 1, PAUSE);

    if (pause->task && pause->task == task_current(L)) /* a task that has ended has no clock */
        task_resume_clock(pause->task);
    pause->task = NULL;
    return 0;
}

/* sys.policy.pause() -> a value to be closed */
static int policy_pause(lua_State *L)
{
    struct task *task = task_here(L);
    struct pause *pause = lua_newuserdatauv(L, sizeof *pause, 0);

    pause->task = task;
    luaL_setmetatable(L, PAUSE);
    task_pause_clock(task);
    return 1;
}

/* sys.policy.away(call) -> boolean */
static int policy_away(lua_State *L)
{
    struct call *call = call_check(L);

    call = call ? call_with_client(call) : NULL;
    lua_pushboolean(L, call && call->spec.can && call->spec.can(call->spec.arg, ASK_AWAY));
    return 1;
}

/* --- decisions ------------------------------------------------------------------------------ */

/* sys.policy.decider() -> function | nil, text, code */
static int policy_decider(lua_State *L)
{
    gate_push_decider(L);
    if (lua_isfunction(L, -1))
        return 1;
    return bind_fail(L, "policy_broken", "%s", lua_tostring(L, -1));
}

/* sys.policy.memory() -> the table in which the policy keeps what it knows from call to call: no
 * other file reaches it, unlike those of sys.state */
static int policy_memory(lua_State *L)
{
    static const char key;

    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key) == LUA_TTABLE)
        return 1;
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
    return 1;
}

/* sys.policy.confined() -> boolean: may only the granted directories be written? */
static int policy_confined(lua_State *L)
{
    struct task *task = task_current(L);

    lua_pushboolean(L, task && task_confined(task));
    return 1;
}

/* sys.policy.done(call) -> names, times, count: the effects that the call has had, the first of
 * them
 */
static int policy_done(lua_State *L)
{
    struct call *call = call_check(L);
    unsigned count = call ? call->effects.count : 0;

    lua_newtable(L);
    lua_newtable(L);
    for (unsigned i = 0; count && i < CALL_EFFECTS && call->effects.first[i]; i++) {
        lua_pushstring(L, call->effects.first[i]);
        lua_rawseti(L, -3, i + 1);
        lua_pushinteger(L, call->effects.times[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_pushinteger(L, count);
    return 3;
}

/* sys.policy.holds_terminal(pid) -> boolean */
static int policy_holds_terminal(lua_State *L)
{
    lua_pushboolean(L, process_holds_terminal((int)luaL_checkinteger(L, 1)));
    return 1;
}

/* sys.policy.children(pid) -> process IDs */
static int policy_children(lua_State *L)
{
    int children[256];
    int count = process_children((int)luaL_checkinteger(L, 1), children, countof(children));

    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushinteger(L, children[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* sys.policy.decided(call, decision, rule[, marked]) -> true | nil, text, code */
static int policy_decided(lua_State *L)
{
    struct call *call = call_check(L);
    const char *decision = luaL_checkstring(L, 2);
    lua_Integer rule = luaL_checkinteger(L, 3);
    struct error err;

    if (call)
        call->begun = true;
    if (call && !record_decided(call, decision, (int)rule, lua_toboolean(L, 4), &err))
        return bind_error(L, &err);
    if (call && record_waits())
        return record_park(L);
    lua_pushboolean(L, 1);
    return 1;
}

/* sys.policy.record(kind, members) -> true | nil, text, code */
static int policy_record(lua_State *L)
{
    static const char *const kinds[] = { "approval", "effect", NULL }; /* others are the engine's */
    const char *kind = kinds[luaL_checkoption(L, 1, NULL, kinds)];
    struct buf *text;
    struct json_doc **document;
    struct error err;
    bool ok;

    luaL_checktype(L, 2, LUA_TTABLE);
    text = bind_buffer(L);
    document = bind_document(L);
    ok = value_write_json(L, 2, text, &err) &&
         (*document = json_parse(text->data, text->len, NULL, &err));
    if (ok) {
        text->len = 0;
        audit_value(text, json_root(*document));
        ok = record_line(kind, (struct str){ text->data + 1, text->len - 2 }, &err);
    }
    buf_free(text);
    lua_pushboolean(L, ok);
    return ok ? 1 : bind_error(L, &err);
}

/* The tool, prompt or resource that two arguments name: its kind and its name or URI. */
static struct entry *check_entry(lua_State *L)
{
    static const char *const kinds[] = { "tool", "prompt", "resource", NULL };
    int kind = luaL_checkoption(L, 1, NULL, kinds);
    const char *name = luaL_checkstring(L, 2);
    const struct generation *generation = registry_current(sys_registry(L));
    struct uri_values values;

    return kind == 0   ? generation_tool(generation, name)
           : kind == 1 ? generation_find(generation, ENTRY_PROMPT, name)
                       : generation_resource(generation, str_from(name), &values);
}

/* sys.policy.subject(kind, name) -> subject | nil */
static int policy_subject(lua_State *L)
{
    struct entry *entry = check_entry(L);

    if (!entry)
        return 0;
    gate_push_subject(L, entry);
    return 1;
}

/* sys.policy.definition(kind, name) -> JSON text | nil */
static int policy_definition(lua_State *L)
{
    struct entry *entry = check_entry(L);
    struct str text;

    if (!entry)
        return 0;
    text = entry_whole(entry);
    lua_pushlstring(L, text.len ? text.ptr : "", text.len);
    return 1;
}

/* sys.policy.file(call) -> the path of the file whose code the call runs | nil */
static int policy_file(lua_State *L)
{
    struct call *call = call_check(L);

    lua_pushstring(L, call && call->spec.entry->libs ? call->spec.entry->path : NULL);
    return 1;
}

/* sys.policy.required(tool) -> a set of modules */
static int policy_required(lua_State *L)
{
    const struct generation *generation = registry_current(sys_registry(L));
    struct entry *entry = generation_tool(generation, luaL_checkstring(L, 1));

    if (entry && entry->libs)
        libs_push_required(entry->libs, L, (int)entry->root, entry->label);
    else
        lua_newtable(L);
    return 1;
}

/* sys.policy.libs_state() -> text */
static int policy_libs_state(lua_State *L)
{
    struct buf *text = bind_buffer(L);

    registry_add_libs_state(sys_registry(L), text);
    lua_pushlstring(L, buf_text(text), text->len);
    return 1;
}

/* Adds the load errors of foreign files to the list on top, behind the first n. */
static void add_foreign_problems(lua_State *L, lua_Integer n)
{
    size_t count;
    const struct problem *problems = registry_problems(sys_registry(L), &count);

    for (size_t i = 0; i < count; i++) {
        if (!problems[i].foreign)
            continue;
        lua_createtable(L, 0, 1);
        lua_pushstring(L, problems[i].text);
        lua_setfield(L, -2, "definition");
        lua_rawseti(L, -2, ++n);
    }
}

/* sys.policy.others() -> {definition: table|string, server?: string}[]: what others wrote in the
 * lists of tools, prompts and resources, and load errors of their files. Each definition is taken
 * from the entry, whose code is not loaded for it. */
static int policy_others(lua_State *L)
{
    const struct generation *generation = registry_current(sys_registry(L));
    lua_Integer n = 0;

    lua_newtable(L); /* list */
    for (size_t i = 0; i < generation->count; i++) {
        struct entry *entry = generation->entries[i];
        bool mounted = !entry->libs;

        if (!(mounted || entry->foreign) || (entry->kind == ENTRY_TOOL && !entry_offered(entry)))
            continue;
        lua_createtable(L, 0, 2); /* list t */
        value_push_json(L, entry_definition(entry));
        lua_setfield(L, -2, "definition");
        if (mounted) {
            lua_pushstring(L, entry->toolset);
            lua_setfield(L, -2, "server");
        }
        lua_rawseti(L, -2, ++n);
    }
    add_foreign_problems(L, n);
    return 1;
}

/* sys.policy.begin_dry_run() */
static int policy_begin_dry_run(lua_State *L)
{
    (void)L;
    dry_run_begin();
    return 0;
}

/* sys.policy.heed_dry_run() -> boolean */
static int policy_heed_dry_run(lua_State *L)
{
    gate_heed_dry_run(L);
    lua_pushboolean(L, dry_run());
    return 1;
}

/* sys.policy.dry_run() -> boolean */
static int policy_dry_run(lua_State *L)
{
    lua_pushboolean(L, dry_run());
    return 1;
}

/* sys.policy.judge_all(on) */
static int policy_judge_all(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TBOOLEAN);
    effects_judge_all(lua_toboolean(L, 1));
    return 0;
}

/* sys.policy.sent(call[, ref]) -> the text of its client's request, the cap of a text */
static int policy_sent(lua_State *L)
{
    struct call *call = call_check(L);

    if (!call)
        return 0;
    call->ref = (unsigned)luaL_optinteger(L, 2, call->ref);
    lua_pushlstring(L, call->spec.source.ptr, call->spec.source.len);
    lua_pushinteger(L, (lua_Integer)call->spec.cap);
    return 2;
}

static const luaL_Reg policy_funcs[] = { { "children", policy_children },
                                         { "done", policy_done },
                                         { "holds_terminal", policy_holds_terminal },
                                         { "away", policy_away },
                                         { "begin_dry_run", policy_begin_dry_run },
                                         { "code", policy_code },
                                         { "confined", policy_confined },
                                         { "decided", policy_decided },
                                         { "decider", policy_decider },
                                         { "definition", policy_definition },
                                         { "dry_run", policy_dry_run },
                                         { "heed_dry_run", policy_heed_dry_run },
                                         { "file", policy_file },
                                         { "grants", policy_grants },
                                         { "judge_all", policy_judge_all },
                                         { "memory", policy_memory },
                                         { "on_path", policy_on_path },
                                         { "others", policy_others },
                                         { "pause", policy_pause },
                                         { "real", policy_real },
                                         { "record", policy_record },
                                         { "libs_state", policy_libs_state },
                                         { "required", policy_required },
                                         { "sent", policy_sent },
                                         { "stamp", policy_stamp },
                                         { "subject", policy_subject },
                                         { NULL, NULL } };

int luaopen_sys_policy(lua_State *L)
{
    luaL_newmetatable(L, PAUSE);
    lua_pushcfunction(L, pause_close);
    lua_setfield(L, -2, "__close");
    lua_pop(L, 1);
    luaL_newlib(L, policy_funcs);
    policy_add_approvals(L);
    policy_add_runs(L);
    return 1;
}
