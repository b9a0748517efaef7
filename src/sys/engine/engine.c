/* sys.engine -- what the engine can do now, and calling it. */
#include <fcntl.h>
#include <lauxlib.h>
#include <stdlib.h>
#include <strings.h>
#include <uv.h>

#include "base/distance.h"
#include "base/dry_run.h"
#include "files/file.h"
#include "files/file_at.h"
#include "files/grants.h"
#include "files/paths.h"
#include "guest/guest.h"
#include "guest/jail/jail.h"
#include "process/emulation.h"
#include "process/launcher.h"
#include "process/session_bus.h"
#include "registry/call/call.h"
#include "registry/call/record.h"
#include "registry/choice.h"
#include "script/value.h"
#include "sys/engine/pieces.h"
#include "sys/engine/trial.h"
#include "sys/shared/tool_call.h"
#include "sys/sys.h"

const char sys_started_key;

static struct generation *generation_of(lua_State *L)
{
    return registry_current(sys_registry(L));
}

static void set_string(lua_State *L, const char *key, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

/* --- calls ---------------------------------------------------------------------------- */

/* sys.engine.call(name [, arguments [, options]]) */
static int engine_call(lua_State *L)
{
    return tool_call(L, false);
}

/* sys.engine.prompt(name [, arguments]) */
static int engine_prompt(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    struct entry *entry = generation_find(generation_of(L), ENTRY_PROMPT, name);

    lua_settop(L, 2);
    if (!entry)
        return bind_fail(L, "unknown_prompt", "there is no prompt '%s'", name);
    return entry_call(L, entry, 2, 3, true);
}

/* sys.engine.read(uri [, options]) */
static int engine_read(lua_State *L)
{
    const char *uri = luaL_checkstring(L, 1);
    struct uri_values values;
    struct entry *entry = generation_resource(generation_of(L), str_from(uri), &values);

    lua_settop(L, 2);
    if (!entry)
        return bind_fail(L, "not_found", "there is no resource %s", uri);
    return entry_read(L, entry, 1, 2);
}

/* --- lists ---------------------------------------------------------------------------- */

static bool lacks_field(lua_State *L, const char *name)
{
    bool is = lua_getfield(L, -1, name) == LUA_TNIL;

    lua_pop(L, 1);
    return is;
}

/* Called with (t). Adds the fields that another server may leave out, so that scripts need not
 * check them. */
static void fill_definition(lua_State *L, enum entry_kind kind)
{
    if (lacks_field(L, "description"))
        set_string(L, "description", "");
    if (kind == ENTRY_TOOL && lacks_field(L, "inputSchema")) {
        lua_createtable(L, 0, 1);
        set_string(L, "type", "object");
        lua_setfield(L, -2, "inputSchema");
    }
    if (kind == ENTRY_PROMPT && lacks_field(L, "arguments")) {
        lua_newtable(L);
        value_mark_array(L, -1);
        lua_setfield(L, -2, "arguments");
    }
}

/* Pushes an entry's definition with what the wire does not carry. */
static void push_definition(lua_State *L, struct entry *entry)
{
    value_push_json(L, entry_definition(entry)); /* t */
    fill_definition(L, entry->kind);
    set_string(L, "toolset", entry->toolset);
    set_string(L, "file", entry->path);
    if (entry->foreign)
        set_string(L, "trust", "foreign");
    if (entry->common) {
        set_string(L, "common", entry->common);
        lua_pushboolean(L, registry_lists(sys_registry(L), entry));
        lua_setfield(L, -2, "chosen");
    }
    if (entry->alias_count) {
        lua_createtable(L, (int)entry->alias_count, 0);
        for (size_t i = 0; i < entry->alias_count; i++) {
            lua_pushstring(L, entry->aliases[i]);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
        lua_setfield(L, -2, "aliases");
    }
}

static int push_entries(lua_State *L, enum entry_kind kind)
{
    const struct generation *generation = generation_of(L);
    lua_Integer n = 0;

    lua_newtable(L); /* list */
    for (size_t i = 0; i < generation->count; i++) {
        struct entry *entry = generation->entries[i];

        if (entry->kind != kind || !entry->here || entry->console ||
            (kind == ENTRY_RESOURCE && !entry->listed))
            continue;
        push_definition(L, entry);
        lua_rawseti(L, -2, ++n);
    }
    value_mark_array(L, -1);
    return 1;
}

static int engine_tools(lua_State *L)
{
    return push_entries(L, ENTRY_TOOL);
}

/* sys.engine.generation() -> the number of the newest one */
static int engine_generation(lua_State *L)
{
    lua_pushinteger(L, generation_of(L)->number);
    return 1;
}

static int engine_resources(lua_State *L)
{
    return push_entries(L, ENTRY_RESOURCE);
}

/* sys.engine.updated(uri): says that the content of this resource changed */
static int engine_updated(lua_State *L)
{
    registry_say_updated(sys_registry(L), luaL_checkstring(L, 1));
    return 0;
}

/* sys.engine.notice(about, text, tool[, names]): reports something that happened by itself */
static int engine_notice(lua_State *L)
{
    registry_say_notice(sys_registry(L), &(struct notice){ .about = luaL_checkstring(L, 1),
                                                           .text = luaL_checkstring(L, 2),
                                                           .tool = luaL_checkstring(L, 3),
                                                           .names = luaL_optstring(L, 4, NULL) });
    return 0;
}

/* sys.engine.changed(list): says that clients see something else in this list, though no file
 * changed */
static int engine_changed(lua_State *L)
{
    static const char *const names[] = { "tools", "prompts", "resources", NULL };
    static const unsigned what[] = { REGISTRY_TOOLS, REGISTRY_PROMPTS, REGISTRY_RESOURCES };

    registry_say_changed(sys_registry(L), what[luaL_checkoption(L, 1, NULL, names)]);
    return 0;
}

static int engine_prompts(lua_State *L)
{
    return push_entries(L, ENTRY_PROMPT);
}

static int engine_tool(lua_State *L)
{
    struct entry *entry = generation_tool(generation_of(L), luaL_checkstring(L, 1));

    if (!entry || !entry->here)
        return 0;
    push_definition(L, entry);
    return 1;
}

static int push_entry_file(lua_State *L, enum entry_kind kind, const char *folder)
{
    const struct generation *generation = generation_of(L);
    const char *name = luaL_checkstring(L, 1);
    struct entry *entry = generation_find(generation, kind, name);

    if (entry) {
        entry_push_table(entry, L);
        return 1;
    }
    return bind_fail(L, "not_found", "there is no file %s/%s.lua in any root, or it did not load%s",
                     folder, name, generation_nearest(generation, kind, name).text);
}

static int engine_rule(lua_State *L)
{
    return push_entry_file(L, ENTRY_RULE, "prompts");
}

/* sys.engine.text(name) */
static int engine_text(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1), *text = registry_text(sys_registry(L), name);

    if (!text)
        return bind_fail(L, "not_found",
                         "no root has a file prompts/%s.lua with `text` that loads%s", name,
                         generation_nearest(generation_of(L), ENTRY_TEXT, name).text);
    lua_pushstring(L, text);
    return 1;
}

static int engine_provider(lua_State *L)
{
    return push_entry_file(L, ENTRY_PROVIDER, "providers");
}

static int engine_service(lua_State *L)
{
    return push_entry_file(L, ENTRY_SERVICE, "services");
}

/* sys.engine.services() -> { { name =, file = }, ... } */
static int engine_services(lua_State *L)
{
    const struct generation *generation = generation_of(L);
    lua_Integer count = 0;

    lua_newtable(L);
    for (size_t i = 0; i < generation->count; i++) {
        const struct entry *entry = generation->entries[i];

        if (entry->kind != ENTRY_SERVICE || !entry->here)
            continue;
        lua_createtable(L, 0, 2);
        lua_pushstring(L, entry->name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, entry->path);
        lua_setfield(L, -2, "file");
        lua_rawseti(L, -2, ++count);
    }
    return 1;
}

/* sys.engine.script(name) -> absolute path of scripts/NAME */
static int engine_script(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    char *path = registry_script(sys_registry(L), name);

    if (!path)
        return bind_fail(L, "not_found", "there is no scripts/%s in any root", name);
    lua_pushstring(L, path);
    free(path);
    return 1;
}

/* True for folders of the state folder that are perigee's own: no tool may write in them. */
static bool is_engine_folder(const char *name)
{
    static const char *const names[] = { "approvals", "audit", "db", "logs", "mounts", "secrets" };

    for (size_t i = 0; i < countof(names); i++)
        if (strcasecmp(names[i], name) == 0)
            return true;
    return false;
}

/* sys.engine.state_folder(name) -> absolute path of a private folder that outlives the engine, and
 * that sys.fs may write in from now on; screenshots of clients' scripts may not */
static int engine_state_folder(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    char *state, *path;
    struct fs_grants *grants = vm_service(L, &sys_grants_key);
    struct error err;
    bool ok;

    luaL_argcheck(L, *name && *name != '.' && !strchr(name, '/'), 1,
                  "expected a name without a slash or a leading dot");
    luaL_argcheck(L, !is_engine_folder(name), 1,
                  "the engine keeps its own data in the folder of this name");
    state = path_state();
    path = path_join(state, name);
    free(state);
    ok = folder_make(path, &err) && (!grants || fs_grants_add_own(grants, path, &err));
    if (ok) {
        folder_at_sweep(AT_FDCWD, path);
        lua_pushstring(L, path);
    }
    free(path);
    return ok ? 1 : bind_error(L, &err);
}

/* --- status --------------------------------------------------------------------------- */

static void push_problems(lua_State *L, const struct registry *registry)
{
    size_t count;
    const struct problem *problems = registry_problems(registry, &count);

    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_createtable(L, 0, 4);
        set_string(L, "file", problems[i].path);
        set_string(L, "message", problems[i].text);
        if (problems[i].line) {
            lua_pushinteger(L, problems[i].line);
            lua_setfield(L, -2, "line");
        }
        lua_pushboolean(L, problems[i].kept);
        lua_setfield(L, -2, "kept");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    value_mark_array(L, -1);
    lua_setfield(L, -2, "problems");
}

static void push_roots(lua_State *L, const struct registry *registry)
{
    size_t count;
    char *const *roots = registry_roots(registry, &count);

    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushstring(L, roots[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    value_mark_array(L, -1);
    lua_setfield(L, -2, "roots");
}

static void set_integer(lua_State *L, const char *key, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, key);
}

static void push_counts(lua_State *L, const struct generation *generation)
{
    struct call_counts calls = call_counts();
    lua_Integer tools = 0, foreign = 0, prompts = 0, resources = 0;

    for (size_t i = 0; i < generation->count; i++) {
        tools += entry_offered(generation->entries[i]);
        foreign += generation->entries[i]->foreign && generation->entries[i]->here;
        prompts += generation->entries[i]->kind == ENTRY_PROMPT;
        resources += generation->entries[i]->kind == ENTRY_RESOURCE &&
                     generation->entries[i]->here && generation->entries[i]->listed;
    }
    set_integer(L, "tools", tools);
    if (foreign)
        set_integer(L, "foreign", foreign);
    set_integer(L, "prompts", prompts);
    set_integer(L, "resources", resources);
    set_integer(L, "generation", generation->number);
    lua_createtable(L, 0, 3);
    set_integer(L, "total", (lua_Integer)calls.total);
    set_integer(L, "active", (lua_Integer)calls.active);
    set_integer(L, "failed", (lua_Integer)calls.failed);
    lua_setfield(L, -2, "calls");
}

/* Sets display = {name, from?}: the value of DISPLAY, and where it was found if it was not set. */
static void push_display_name(lua_State *L)
{
    const struct session_display *found = session_display_adopted();
    const char *name;

    session_display_adopt();
    name = getenv("DISPLAY");
    if (!name || !*name)
        return;
    lua_createtable(L, 0, 2);
    set_string(L, "name", name);
    if (found->name)
        set_string(L, "from", found->from);
    lua_setfield(L, -2, "display");
}

/* Sets bus_from: where the session's D-Bus was found, if the environment did not name one. */
static void push_bus_from(lua_State *L)
{
    const struct session_bus *found = session_bus_adopted();

    if (found->address)
        set_string(L, "bus_from", found->from);
}

/* sys.engine.launcher() -> the name that the client that started this server gives itself */
static int engine_launcher(lua_State *L)
{
    if (!*launcher_name())
        return 0;
    lua_pushstring(L, launcher_name());
    return 1;
}

/* Sets the reasons of a missing layer that are not the kernel's: `emulator` and `machine`, or
 * `unlisted`. */
static void set_processor(lua_State *L)
{
    struct emulation emulation;

    if (emulation_find(&emulation)) {
        set_string(L, "emulator", emulation.by);
        if (*emulation.machine)
            set_string(L, "machine", emulation.machine);
    }
    if (!jail_has_list()) {
        lua_pushboolean(L, true);
        lua_setfield(L, -2, "unlisted");
    }
}

static void push_jail(lua_State *L)
{
    const struct guests *guests = vm_service(L, &sys_guests_key);
    unsigned layers = 0;
    const struct {
        const char *name;
        unsigned layer;
    } known[] = { { "system_calls", JAIL_CALLS },
                  { "limits", JAIL_LIMITS },
                  { "landlock", JAIL_LANDLOCK },
                  { "namespaces", JAIL_NAMESPACES },
                  { "open", JAIL_OPEN } };

    if (!guests || !guests_layers(guests, &layers))
        return;
    lua_createtable(L, 0, (int)countof(known) + 2);
    for (size_t i = 0; i < countof(known); i++) {
        lua_pushboolean(L, (layers & known[i].layer) != 0);
        lua_setfield(L, -2, known[i].name);
    }
    set_processor(L);
    lua_setfield(L, -2, "jail");
}

/* Sets unrecorded = {lines =, why =} if the audit log lacks lines. */
static void push_unrecorded(lua_State *L)
{
    const char *why;
    uint64_t lines = record_lost(&why);

    if (!lines)
        return;
    lua_createtable(L, 0, 2);
    set_integer(L, "lines", (lua_Integer)lines);
    set_string(L, "why", why);
    lua_setfield(L, -2, "unrecorded");
}

static int engine_status(lua_State *L)
{
    const uint64_t *started = vm_service(L, &sys_started_key);
    struct registry *registry = sys_registry(L);
    const struct generation *generation = generation_of(L);
    size_t resident = 0;

    uv_resident_set_memory(&resident);
    lua_createtable(L, 0, 11);
    set_string(L, "version", PERIGEE_VERSION);
    push_display_name(L);
    push_bus_from(L);
    push_counts(L, generation);
    push_roots(L, registry);
    push_problems(L, registry);
    if (registry_choice(registry))
        set_string(L, "config", registry_choice(registry)->path);
    lua_pushnumber(L, started ? (double)(uv_hrtime() - *started) / 1e9 : 0);
    lua_setfield(L, -2, "uptime");
    lua_createtable(L, 0, 2);
    set_integer(L, "lua", (lua_Integer)vm_memory(vm_of(L)));
    set_integer(L, "resident", (lua_Integer)resident);
    lua_setfield(L, -2, "memory");
    push_jail(L);
    push_unrecorded(L);
    if (dry_run()) {
        lua_pushboolean(L, true);
        lua_setfield(L, -2, "dry_run");
    }
    return 1;
}

static const luaL_Reg engine_funcs[] = { { "call", engine_call },
                                         { "changed", engine_changed },
                                         { "generation", engine_generation },
                                         { "launcher", engine_launcher },
                                         { "notice", engine_notice },
                                         { "parts", engine_parts },
                                         { "desktop", engine_desktop },
                                         { "program", engine_program },
                                         { "prompt", engine_prompt },
                                         { "prompts", engine_prompts },
                                         { "provider", engine_provider },
                                         { "service", engine_service },
                                         { "services", engine_services },
                                         { "read", engine_read },
                                         { "resources", engine_resources },
                                         { "rule", engine_rule },
                                         { "text", engine_text },
                                         { "run_lua", engine_run_lua },
                                         { "script", engine_script },
                                         { "state_folder", engine_state_folder },
                                         { "status", engine_status },
                                         { "tool", engine_tool },
                                         { "tools", engine_tools },
                                         { "try_jail", engine_try_jail },
                                         { "updated", engine_updated },
                                         { NULL, NULL } };

int luaopen_sys_engine(lua_State *L)
{
    luaL_newlib(L, engine_funcs);
    return 1;
}
