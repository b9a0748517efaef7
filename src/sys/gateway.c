/* The gateway's task, and sys.gateway: what its Lua cannot do by itself. */
#include "sys/gateway.h"
#include "sys/sys.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "base/log.h"
#include "files/file.h"
#include "files/paths.h"
#include "registry/mount.h"
#include "script/bind.h"
#include "script/event_queue.h"
#include "sys/gateway_impl.h"
#include "sys/shared/script.h"
#include "sys/shared/tool_call.h"

struct gateway {
    struct registry *registry;
    struct script *script;
    struct event_queue *watch; /* told that lib files changed; NULL: nobody wants it */
    struct event_queue **inboxes;
    size_t inbox_count;
    bool stopped; /* nothing is put into them any more */
    bool begun;   /* gateway_start() is over: failures after it are told by the log */
    bool ready;
    bool over;
    struct error why; /* it failed: code not "" */
};

static const char gateway_key;

char *gateway_config_path(void)
{
    char *home = path_user_home();
    char *path = path_join(home, "mcp.json");

    free(home);
    return path;
}

static struct gateway *gateway_of(lua_State *L)
{
    struct gateway *gateway = vm_service(L, &gateway_key);

    if (!gateway)
        luaL_error(L, "no servers are mounted: this is for lua/lib/gateway.lua");
    return gateway;
}

struct registry *gateway_registry(lua_State *L)
{
    return gateway_of(L)->registry;
}

/* --- sys.gateway.inbox --------------------------------------------------------------- */

/* sys.gateway.inbox(fn) -> number: fn(text) is called for each text that put() leaves there */
static int gateway_inbox(lua_State *L)
{
    struct gateway *gateway = gateway_of(L);

    luaL_checktype(L, 1, LUA_TFUNCTION);
    gateway->inboxes =
        mem_resize(gateway->inboxes, (gateway->inbox_count + 1) * sizeof *gateway->inboxes);
    gateway->inboxes[gateway->inbox_count++] = event_queue_new(L, 1, "gateway", NULL);
    lua_pushinteger(L, (lua_Integer)gateway->inbox_count);
    return 1;
}

/* sys.gateway.put(inbox, text) */
static int gateway_put(lua_State *L)
{
    struct gateway *gateway = gateway_of(L);
    lua_Integer inbox = luaL_checkinteger(L, 1);
    size_t len;
    const char *text = luaL_checklstring(L, 2, &len);

    luaL_argcheck(L, inbox > 0 && (lua_Unsigned)inbox <= gateway->inbox_count, 1,
                  "an inbox expected");
    if (!gateway->stopped)
        event_queue_text(gateway->inboxes[inbox - 1], text, len);
    return 0;
}

/* --- the rest of sys.gateway ------------------------------------------------------ */

static char *cache_path(const char *name, struct error *err)
{
    char *state = path_state();
    char *folder = path_join(state, "mounts");
    char *file = mem_printf("%s.json", name);
    char *path = folder_make(folder, err) ? path_join(folder, file) : NULL;

    free(state);
    free(folder);
    free(file);
    return path;
}

/* sys.gateway.cache(name [, text]) -> text | nil, text, code */
static int gateway_cache(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    size_t len;
    const char *given = luaL_optlstring(L, 2, NULL, &len);
    struct buf *text = bind_buffer(L);
    struct error err;
    char *path;
    bool ok;

    luaL_argcheck(L, *name && *name != '.' && !strchr(name, '/'), 1, "a plain name expected");
    path = cache_path(name, &err);
    ok = path && (given ? file_write_atomic(path, given, len, 0600, &err)
                        : file_read_all(path, GATEWAY_CACHE_MAX, text, &err));
    free(path);
    if (!ok)
        return bind_error(L, &err);
    if (given)
        lua_pushvalue(L, 2);
    else
        lua_pushlstring(L, text->len ? text->data : "", text->len);
    return 1;
}

/* sys.gateway.rules(name) -> what lib/mounts/NAME.lua returns | nil, text, code */
static int gateway_rules(lua_State *L)
{
    struct gateway *gateway = gateway_of(L);
    const char *name = luaL_checkstring(L, 1);
    char *module = mem_printf("mounts.%s", name);
    lua_State *main = vm_lua(registry_vm(gateway->registry));
    struct error err;
    bool ok = registry_require(gateway->registry, module, &err);

    free(module);
    if (!ok)
        return bind_error(L, &err);
    if (main != L)
        lua_xmove(main, L, 1);
    return 1;
}

static void on_libs_changed(void *arg)
{
    struct gateway *gateway = arg;

    if (gateway->watch)
        event_queue_text(gateway->watch, "", 0);
}

/* sys.gateway.watch(fn): fn() after lib files changed */
static int gateway_watch(lua_State *L)
{
    struct gateway *gateway = gateway_of(L);

    luaL_checktype(L, 1, LUA_TFUNCTION);
    event_queue_free(gateway->watch);
    gateway->watch = NULL;
    gateway->watch = event_queue_new(L, 1, "gateway", NULL);
    registry_watch_libs(gateway->registry, on_libs_changed, gateway);
    return 0;
}

/* sys.gateway.ready(): whoever waits for the tools need wait no more */
static int gateway_ready(lua_State *L)
{
    gateway_of(L)->ready = true;
    return 0;
}

static const luaL_Reg gateway_funcs[] = {
    { "cache", gateway_cache }, { "inbox", gateway_inbox },
    { "mount", gateway_mount }, { "put", gateway_put },
    { "ready", gateway_ready }, { "rules", gateway_rules },
    { "watch", gateway_watch }, { NULL, NULL },
};

int luaopen_sys_gateway(lua_State *L)
{
    luaL_newlib(L, gateway_funcs);
    return 1;
}

/* --- the task --------------------------------------------------------------------- */

/* It returns only when it cannot begin: nil, text, code. */
static void on_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct gateway *gateway = arg;
    lua_State *L = task_lua(task);

    gateway->script = NULL;
    gateway->over = true;
    if (end == TASK_FAILED)
        task_error(task, &gateway->why, NULL);
    else if (end == TASK_DONE && nresults >= 2 && lua_type(L, -nresults + 1) == LUA_TSTRING)
        error_set(&gateway->why, "mount", "%s", lua_tostring(L, -nresults + 1));
    if (gateway->why.code[0] && gateway->begun)
        log_error("mounted servers are looked after no more: %s", gateway->why.text);
}

static void push_options(lua_State *L, const struct gateway_options *options)
{
    char *config = options->config ? path_expand_home(options->config) : gateway_config_path();

    lua_createtable(L, 0, 2); /* options */
    lua_pushstring(L, config);
    free(config);
    lua_setfield(L, -2, "config");
    lua_createtable(L, (int)options->count, 0);
    for (size_t i = 0; i < options->count; i++) {
        lua_pushstring(L, options->names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "names");
}

struct gateway *gateway_start(struct registry *registry, const struct gateway_options *options,
                              struct error *err)
{
    static const char text[] = "return require('gateway').run(...)";
    struct gateway *gateway = mem_zero(sizeof *gateway);
    lua_State *L = vm_lua(registry_vm(registry));
    struct script_spec spec = {
        .name = "gateway", .text = text, .len = sizeof text - 1, .ended = on_ended, .arg = gateway
    };

    gateway->registry = registry;
    vm_set_service(registry_vm(registry), &gateway_key, gateway);
    push_options(L, options);
    gateway->script = script_run(registry, L, 1, &spec, err);
    while (gateway->script && !gateway->over && script_turn(gateway->script))
        ; /* until it waits for a server: whoever asks for a list now gets what is known */
    gateway->begun = true;
    if (gateway->script || gateway->over)
        return gateway;
    vm_set_service(registry_vm(registry), &gateway_key, NULL);
    free(gateway);
    return NULL;
}

bool gateway_failed(const struct gateway *gateway, struct error *err)
{
    if (gateway->why.code[0])
        *err = gateway->why;
    return gateway->why.code[0] != '\0';
}

bool gateway_wait(struct gateway *gateway, struct error *err)
{
    while (!gateway->ready && !gateway->over)
        uv_run(vm_loop(registry_vm(gateway->registry)), UV_RUN_ONCE);
    return !gateway_failed(gateway, err);
}

void gateway_stop(struct gateway *gateway)
{
    if (!gateway)
        return;
    registry_watch_libs(gateway->registry, NULL, NULL);
    gateway->stopped = true;
    event_queue_free(gateway->watch);
    gateway->watch = NULL;
    for (size_t i = 0; i < gateway->inbox_count; i++)
        event_queue_free(gateway->inboxes[i]);
    gateway->inbox_count = 0;
}

void gateway_free(struct gateway *gateway)
{
    if (gateway)
        free(gateway->inboxes);
    free(gateway);
}
