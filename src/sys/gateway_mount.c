/* sys.gateway.mount: what a server told of itself, and what Lua made of it, as entries of the
 * registry. */
#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "registry/mount.h"
#include "script/bind.h"
#include "script/value.h"
#include "sys/gateway_impl.h"
#include "json/document.h"
#include "json/writer.h"

enum { ITEMS_MAX = 40000 };

/* Entries as they are made; on the stack, so that they go when something raises. */
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

static void add_member(struct buf *out, const char *key, struct str json)
{
    if (out->data[out->len - 1] != '{')
        buf_addc(out, ',');
    json_write_string(out, key, strlen(key));
    buf_addc(out, ':');
    buf_add(out, json.ptr, json.len);
}

/* The server's definition (NULL: none), but for what the table at `index` says otherwise. */
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
            add_member(out, ours[i], buf_str(&value));
        value.len = 0;
        lua_pop(L, 1);
    }
    cJSON_ArrayForEach (member, definition) {
        bool said = false;

        for (size_t i = 0; i < countof(ours); i++) {
            if (strcmp(member->string, ours[i]) == 0)
                said = lua_getfield(L, index, ours[i]) != LUA_TNIL, lua_pop(L, 1);
        }
        if (said || strcmp(member->string, "execution") == 0) /* how it runs here is ours to say */
            continue;
        json_write(&value, member);
        add_member(out, member->string, buf_str(&value));
        value.len = 0;
    }
    buf_addc(out, '}');
    buf_free(&value);
    return ok;
}

/* What may, or has to, be a task there may be one here. */
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

/* A place in one of the server's lists. Items come in their order, so that a walk goes on. */
struct place {
    const cJSON *list;
    const cJSON *item;
    lua_Integer at; /* of the item, from 1 */
};

static const cJSON *walk_to(struct place *place, const cJSON *list, lua_Integer at)
{
    if (list != place->list || at < place->at || !place->item)
        *place = (struct place){ list, list ? list->child : NULL, 1 };
    for (; place->item && place->at < at; place->at++)
        place->item = place->item->next;
    return place->item;
}

/* One item, on top of the stack. */
static bool add_item(lua_State *L, struct making *making, struct mounted *mounted,
                     const cJSON *definitions, struct place *place, struct error *err)
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
            walk_to(place, json_get(definitions, lists[list].key), luaL_checkinteger(L, -1));
        if (!definition)
            return error_set(err, "not_found", "%s has no item %s of %s", mounted->mount,
                             lua_tostring(L, -1), lists[list].key);
    }
    if (!write_definition(L, item, definition, text, err))
        return false;
    mounted->kind = lists[list].kind;
    mounted->tasks = tasks_of(definition);
    mounted->definition = buf_str(text);
    lua_getfield(L, item, "timeout");
    mounted->timeout_ms = (uint64_t)ceil(luaL_checknumber(L, -1) * 1000);
    lua_getfield(L, item, "listed");
    mounted->listed = lua_isnil(L, -1) || lua_toboolean(L, -1);
    if (lua_getfield(L, item, "run") != LUA_TFUNCTION)
        return error_set(err, "bad_argument", "each item needs a function run");
    mounted->run = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pushvalue(L, item);
    mounted->table = luaL_ref(L, LUA_REGISTRYINDEX);
    making->entries[making->count] = entry_mounted(vm_of(L), mounted, err);
    if (!making->entries[making->count])
        return false;
    making->count++;
    lua_settop(L, item - 1);
    return true;
}

struct document {
    struct json_doc *doc;
};

static int document_gc(lua_State *L)
{
    struct document *document = lua_touserdata(L, 1);

    json_doc_free(document->doc);
    document->doc = NULL;
    return 0;
}

static struct document *push_document(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", document_gc }, { NULL, NULL } };
    struct document *document = lua_newuserdatauv(L, sizeof *document, 0);

    document->doc = NULL;
    bind_metatable(L, "sys.gateway.document", meta, NULL);
    luaL_setmetatable(L, "sys.gateway.document");
    return document;
}

/* sys.gateway.mount(name, path, items, definitions) -> true | nil, text, code */
int gateway_mount(lua_State *L)
{
    struct json_limits limits = { GATEWAY_CACHE_MAX, VALUE_DEPTH, 10000000 };
    struct registry *registry = gateway_registry(L);
    struct mounted mounted = { .mount = luaL_checkstring(L, 1), .path = luaL_checkstring(L, 2) };
    struct place place = { 0 };
    size_t len, count;
    const char *text = luaL_checklstring(L, 4, &len);
    struct document *document;
    struct making *making;
    struct error err;

    luaL_checktype(L, 3, LUA_TTABLE);
    count = lua_rawlen(L, 3);
    luaL_argcheck(L, count <= ITEMS_MAX, 3, "too many items");
    document = push_document(L);
    document->doc = json_parse(text, len, &limits, &err);
    if (!document->doc)
        return bind_error(L, &err);
    making = push_making(L, count);
    for (size_t i = 1; i <= count; i++) {
        if (lua_rawgeti(L, 3, (lua_Integer)i) != LUA_TTABLE)
            return luaL_argerror(L, 3, "a list of tables expected");
        if (!add_item(L, making, &mounted, json_root(document->doc), &place, &err))
            return bind_error(L, &err);
    }
    count = making->count;
    making->count = 0; /* the registry has the references now */
    registry_mount(registry, mounted.mount, making->entries, count);
    lua_pushboolean(L, 1);
    return 1;
}
