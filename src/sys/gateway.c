/* The gateway's task, and sys.gateway: what its Lua cannot do by itself. */
#include "sys/gateway.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "base/log.h"
#include "files/file.h"
#include "files/paths.h"
#include "json/document.h"
#include "json/writer.h"
#include "registry/call/gate.h"
#include "registry/mount.h"
#include "script/bind.h"
#include "script/event_queue.h"
#include "script/value.h"
#include "sys/shared/script.h"
#include "sys/sys.h"

enum {
    CACHE_MAX = 64 * 1024 * 1024, /* most bytes of what one server told of itself */
    MOUNTED_ITEMS_MAX = 40000,
};

struct gateway {
    struct registry *registry;
    struct script *script;
    struct event_queue *watch; /* is told that lib files changed; NULL: nobody wants it */
    struct event_queue **inboxes;
    size_t inbox_count;
    bool stopped; /* nothing more is put into the inboxes */
    bool begun;   /* gateway_start() has returned: the log tells later failures */
    bool ready;
    bool over;
    struct error why; /* why it failed; without a code: it did not */
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

/* --- sys.gateway.inbox --------------------------------------------------------------- */

/* sys.gateway.inbox(fn) -> number: calls fn(text) for each text that put() leaves there */
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

    luaL_argcheck(L, inbox > 0 && (lua_Unsigned)inbox <= gateway->inbox_count, 1, "inbox expected");
    if (!gateway->stopped)
        event_queue_text(gateway->inboxes[inbox - 1], text, len);
    return 0;
}

/* --- sys.gateway.mount: what a server told of itself, and what Lua made of it, as entries -- */

/* The entries made so far. They are on the stack, so that they are freed when something raises. */
struct making {
    struct entry **entries;
    size_t count;
};

static int making_gc(lua_State *L)
{
    struct making *making = lua_touserdata(L, 1);

    while (making->count > 0)
        entry_unref(making->entries[--making->count]);
    free(making->entries);
    making->entries = NULL;
    return 0;
}

static struct making *push_making(lua_State *L, size_t count)
{
    static const luaL_Reg meta[] = { { "__gc", making_gc }, { NULL, NULL } };
    struct making *making = lua_newuserdatauv(L, sizeof *making, 0);

    *making = (struct making){ 0 };
    bind_metatable(L, "sys.gateway.making", meta, NULL);
    luaL_setmetatable(L, "sys.gateway.making");
    making->entries = mem_zero((count + 1) * sizeof *making->entries);
    return making;
}

static void add_definition_member(struct buf *out, const char *key, struct str json)
{
    if (out->data[out->len - 1] != '{')
        buf_addc(out, ',');
    json_write_string(out, key, strlen(key));
    buf_addc(out, ':');
    buf_add(out, json.ptr, json.len);
}

/* Writes the server's definition (NULL: none), with the fields of the table at `index` in the place
 * of its own. */
static bool write_definition(lua_State *L, int index, const cJSON *definition, struct buf *out,
                             struct error *err)
{
    static const char *const ours[] = { "name",  "uri",         "uriTemplate",
                                        "title", "description", "annotations" };
    struct buf value = { 0 };
    const cJSON *member;
    bool ok = true;

    buf_addc(out, '{');
    for (size_t i = 0; ok && i < countof(ours); i++) {
        if (lua_getfield(L, index, ours[i]) != LUA_TNIL &&
            (ok = value_write_json(L, -1, &value, err)))
            add_definition_member(out, ours[i], buf_str(&value));
        value.len = 0;
        lua_pop(L, 1);
    }
    cJSON_ArrayForEach (member, definition) {
        bool said = false;

        for (size_t i = 0; i < countof(ours); i++) {
            if (strcmp(member->string, ours[i]) == 0)
                said = lua_getfield(L, index, ours[i]) != LUA_TNIL, lua_pop(L, 1);
        }
        if (said || strcmp(member->string, "execution") == 0) /* we say how it runs here */
            continue;
        json_write(&value, member);
        add_definition_member(out, member->string, buf_str(&value));
        value.len = 0;
    }
    buf_addc(out, '}');
    buf_free(&value);
    return ok;
}

/* A tool that may, or must, be called as a task on its server may be called as a task here. */
static enum task_support tasks_of(const cJSON *definition)
{
    const char *support =
        cJSON_GetStringValue(json_get(json_get(definition, "execution"), "taskSupport"));

    return support && strcmp(support, task_support_name(TASKS_FORBIDDEN)) != 0 ? TASKS_OPTIONAL
                                                                               : TASKS_FORBIDDEN;
}

static const struct {
    const char *key;
    enum entry_kind kind;
} lists[] = { { "tools", ENTRY_TOOL },
              { "prompts", ENTRY_PROMPT },
              { "resources", ENTRY_RESOURCE },
              { "templates", ENTRY_RESOURCE } };

/* A place in one of the server's lists. Items are asked for in their order, so each walk goes on
 * from the last place. */
struct list_cursor {
    const cJSON *list;
    const cJSON *item;
    lua_Integer at; /* the number of the item, from 1 */
};

static const cJSON *walk_to_item(struct list_cursor *cursor, const cJSON *list, lua_Integer at)
{
    if (list != cursor->list || at < cursor->at || !cursor->item)
        *cursor = (struct list_cursor){ list, list ? list->child : NULL, 1 };
    for (; cursor->item && cursor->at < at; cursor->at++)
        cursor->item = cursor->item->next;
    return cursor->item;
}

/* Makes an entry of the item on top of the stack. */
static bool add_mounted_item(lua_State *L, struct making *making, struct mounted *mounted,
                             const cJSON *definitions, struct list_cursor *cursor,
                             struct error *err)
{
    int item = lua_gettop(L);
    struct buf *text = bind_buffer(L);
    const cJSON *definition = NULL;
    size_t list = 0;

    lua_getfield(L, item, "list");
    while (list < countof(lists) && strcmp(luaL_checkstring(L, -1), lists[list].key) != 0)
        list++;
    luaL_argcheck(L, list < countof(lists), 3, "list: tools, prompts, resources or templates");
    if (lua_getfield(L, item, "at") != LUA_TNIL) {
        definition =
            walk_to_item(cursor, json_get(definitions, lists[list].key), luaL_checkinteger(L, -1));
        if (!definition)
            return error_set(err, "not_found", "%s has no item %s of %s", mounted->mount,
                             lua_tostring(L, -1), lists[list].key);
    }
    if (!write_definition(L, item, definition, text, err))
        return false;
    mounted->kind = lists[list].kind;
    mounted->tasks = tasks_of(definition);
    mounted->original = cJSON_GetStringValue(json_get(definition, "name"));
    mounted->definition = buf_str(text);
    lua_getfield(L, item, "timeout");
    mounted->timeout_ms = (uint64_t)ceil(luaL_checknumber(L, -1) * 1000);
    lua_getfield(L, item, "listed");
    mounted->listed = lua_isnil(L, -1) || lua_toboolean(L, -1);
    if (lua_getfield(L, item, "run") != LUA_TFUNCTION)
        return error_set(err, "bad_argument", "each item needs a function run");
    mounted->run = luaL_ref(L, LUA_REGISTRYINDEX);
    mounted->named =
        lua_getfield(L, item, "rule") == LUA_TFUNCTION ? luaL_ref(L, LUA_REGISTRYINDEX) : LUA_NOREF;
    lua_pushvalue(L, item);
    mounted->table = luaL_ref(L, LUA_REGISTRYINDEX);
    making->entries[making->count] = entry_mounted(vm_of(L), mounted, err);
    if (!making->entries[making->count])
        return false;
    making->count++;
    lua_settop(L, item - 1);
    return true;
}

static bool has_definition(const struct making *making, struct str definition)
{
    for (size_t i = 0; i < making->count; i++)
        if (str_same(entry_whole(making->entries[i]), definition))
            return true;
    return false;
}

/* Notes definitions that go: a model may have read them, so they stay text from outside. */
static void note_past(const struct registry *registry, const char *mount,
                      const struct making *making)
{
    struct entry *entry;

    for (size_t i = 0; (entry = registry_mounted(registry, i)); i++)
        if (strcmp(entry->toolset, mount) == 0 && !has_definition(making, entry_whole(entry)))
            gate_note_past(entry);
}

/* sys.gateway.mount(name, path, items, definitions) -> true | nil, text, code */
static int gateway_mount(lua_State *L)
{
    struct json_limits limits = { CACHE_MAX, VALUE_DEPTH, 10000000 };
    struct registry *registry = gateway_of(L)->registry;
    struct mounted mounted = { .mount = luaL_checkstring(L, 1), .path = luaL_checkstring(L, 2) };
    struct list_cursor cursor = { 0 };
    size_t len, count;
    const char *text = luaL_checklstring(L, 4, &len);
    struct json_doc **document;
    struct making *making;
    struct error err;

    luaL_checktype(L, 3, LUA_TTABLE);
    count = lua_rawlen(L, 3);
    luaL_argcheck(L, count <= MOUNTED_ITEMS_MAX, 3, "too many items");
    document = bind_document(L);
    *document = json_parse(text, len, &limits, &err);
    if (!*document)
        return bind_error(L, &err);
    making = push_making(L, count);
    for (size_t i = 1; i <= count; i++) {
        if (lua_rawgeti(L, 3, (lua_Integer)i) != LUA_TTABLE)
            return luaL_argerror(L, 3, "list of tables expected");
        if (!add_mounted_item(L, making, &mounted, json_root(*document), &cursor, &err))
            return bind_error(L, &err);
    }
    note_past(registry, mounted.mount, making);
    count = making->count;
    making->count = 0; /* the registry has the references now */
    registry_mount(registry, mounted.mount, making->entries, count);
    lua_pushboolean(L, 1);
    return 1;
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

    luaL_argcheck(L, *name && *name != '.' && !strchr(name, '/'), 1,
                  "expected a name without a slash or a leading dot");
    path = cache_path(name, &err);
    ok = path && (given ? file_write_atomic(path, given, len, 0600, &err)
                        : file_read_all(path, CACHE_MAX, text, &err));
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
    bool ok = registry_require(gateway->registry, HOME_NONE, module, SANDBOX_LOAD_MS, &err);

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

/* sys.gateway.watch(fn): calls fn() after lib files changed */
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

/* sys.gateway.ready(): lets everybody who waits for the tools go on */
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

/* The task returns only if it cannot begin: nil, text, code. */
static void on_gateway_ended(void *arg, struct task *task, enum task_end end, int nresults)
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
        log_error("the gateway stopped, so mounted servers are not updated any more: %s",
                  gateway->why.text);
}

struct given {
    const struct gateway_options *options;
    char *config;
};

/* Called with (given). */
static int push_gateway_options(lua_State *L)
{
    const struct given *given = lua_touserdata(L, 1);
    const struct gateway_options *options = given->options;

    lua_createtable(L, 0, 3); /* options */
    lua_pushstring(L, given->config);
    lua_setfield(L, -2, "config");
    if (options->servers && *options->servers)
        lua_pushstring(L, options->servers), lua_setfield(L, -2, "servers");
    lua_createtable(L, (int)options->count, 0);
    for (size_t i = 0; i < options->count; i++) {
        lua_pushstring(L, options->names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "names");
    return 1;
}

struct gateway *gateway_start(struct registry *registry, const struct gateway_options *options,
                              struct error *err)
{
    static const char text[] = "return require('gateway').run(...)";
    struct gateway *gateway = mem_zero(sizeof *gateway);
    struct vm *vm = registry_vm(registry);
    struct given given = { options, options->config ? path_expand_home(options->config)
                                                    : gateway_config_path() };
    struct script_spec spec = { .name = "gateway",
                                .text = text,
                                .len = sizeof text - 1,
                                .ended = on_gateway_ended,
                                .arg = gateway };

    gateway->registry = registry;
    vm_set_service(vm, &gateway_key, gateway);
    if (vm_push(vm, vm_lua(vm), push_gateway_options, &given, 1, err))
        gateway->script = script_run(registry, vm_lua(vm), 1, &spec, err);
    free(given.config);
    while (gateway->script && !gateway->over && script_turn(gateway->script))
        ; /* until it waits for a server: a list that is asked for now has what is known */
    gateway->begun = true;
    if (gateway->script || gateway->over)
        return gateway;
    vm_set_service(vm, &gateway_key, NULL);
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
