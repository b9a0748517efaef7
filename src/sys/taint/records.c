/* A result is looked through after its call was answered, or before, when a call needs it. Each
 * function here is one step for Lua: a task that is paused half way would lose what another one
 * keeps. */
#include "sys/taint/records.h"

#include <lauxlib.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/log.h"
#include "script/bind.h"
#include "script/vm.h"
#include "sys/taint/history.h"
#include "sys/taint/texts.h"

#define RECORD "sys.taint.Record"

enum {
    TEXTS_MAX = 200000, /* strings of one result; everything counts as found if it has more */
    OWNERS_MAX = 64,    /* records, of half a megabyte and more each */
    WAITING = TAINT_RESULTS,
};

struct waiting {
    unsigned source;
    char *mount; /* owned, or NULL */
    bool beside; /* a short text that was told beside a result */
};

/* The value of the userdata. */
struct owned_record {
    struct taint_record record;
    struct buf who; /* its owner; empty for everyone's, and for one without owner */
    int values; /* reference to the list of values that wait: the value of waiting[i] is at i + 1 */
    struct waiting waiting[WAITING];
    uint64_t first, last; /* those from first to before last wait, modulo WAITING */
    uint64_t used;        /* the value of `uses` at its last use */
    struct link due;      /* in the list of records that are looked through soon */
};

static const char owners_key; /* key in the registry: a table from owners to their records */
static uint64_t uses;         /* a count of all uses */
static struct link due = { &due, &due };
static struct timer *planned; /* it looks through the records of `due`; NULL: nothing is planned */

/* Everyone's record, and the last used one of an owner. NULL: not known. */
static struct owned_record *recent[2];

/* --- values that wait ------------------------------------------------------------------------ */

struct keeping {
    struct taint_result *result;
    struct probes *probes; /* or NULL */
};

static void keep_record_text(void *context, struct str text)
{
    struct keeping *keeping = context;

    taint_record_add(keeping->result, text);
    if (!keeping->probes)
        return;
    probes_add(keeping->probes, text);
    keeping->result->whole |= !probes_add_hosts(keeping->probes, text);
}

/* `probes`: where the texts are added as well, or NULL. */
static void put_texts(lua_State *L, struct taint_record *record, int index,
                      const struct waiting *of, struct probes *probes)
{
    struct taint_result *result = of->beside
                                      ? taint_record_begin_beside(record, of->source, of->mount)
                                      : taint_record_begin(record, of->source, of->mount);
    struct keeping keeping = { result, probes };
    struct texts texts = { keep_record_text, &keeping, TEXTS_MAX, false };

    texts_of(L, index, &texts);
    result->whole |= texts.more;
    taint_record_end(record, result);
}

/* Takes the oldest value off the list, which is on top of the stack, and pushes it. */
static struct waiting take_oldest(lua_State *L, struct owned_record *owned)
{
    int slot = (int)(owned->first++ % WAITING);

    lua_rawgeti(L, -1, slot + 1);
    lua_pushnil(L);
    lua_rawseti(L, -3, slot + 1);
    return owned->waiting[slot];
}

static void settle_record(lua_State *L, struct owned_record *owned)
{
    struct probes probes = { 0 };

    list_remove(&owned->due);
    if (owned->first == owned->last)
        return;
    luaL_checkstack(L, 4, NULL);
    lua_rawgeti(L, LUA_REGISTRYINDEX, owned->values);
    while (owned->first < owned->last) {
        struct waiting waiting = take_oldest(L, owned);

        probes_clear(&probes, &owned->record.own, STR(""));
        put_texts(L, &owned->record, -1, &waiting, owned->who.len ? &probes : NULL);
        probes_end_kept(&probes);
        history_add(buf_str(&owned->who), &probes, waiting.source, waiting.mount);
        free(waiting.mount);
        lua_pop(L, 1);
    }
    probes_free(&probes);
    lua_pop(L, 1);
}

static int settle_due(lua_State *L)
{
    while (!list_empty(&due))
        settle_record(L, container_of(due.next, struct owned_record, due));
    return 0;
}

static void run_planned(void *vm)
{
    struct error err;

    planned = NULL;
    if (!vm_run(vm, settle_due, NULL, &err))
        log_warn("what results brought is looked through when it is asked for: %s", err.text);
}

static void plan_record(lua_State *L, struct owned_record *owned)
{
    struct vm *vm = vm_of(L);

    list_push(&due, &owned->due);
    if (!planned)
        planned = timer_after(vm_loop(vm), 0, run_planned, vm);
}

/* --- owners ----------------------------------------------------------------------------------- */

static struct owned_record *push_new_record(lua_State *L)
{
    struct owned_record *owned = lua_newuserdatauv(L, sizeof *owned, 0);

    *owned = (struct owned_record){ .values = LUA_NOREF };
    list_init(&owned->due);
    luaL_setmetatable(L, RECORD);
    return owned;
}

void records_push_new(lua_State *L)
{
    push_new_record(L);
}

/* At the end of the engine, and where another owner takes its place, what was to be looked through
 * soon is looked through now: later sessions find it in the history. */
static int record_gc(lua_State *L)
{
    struct owned_record *owned = lua_touserdata(L, 1);

    if (!list_empty(&owned->due))
        settle_record(L, owned);
    for (size_t i = 0; i < countof(recent); i++)
        if (recent[i] == owned)
            recent[i] = NULL;
    list_remove(&owned->due);
    if (list_empty(&due)) {
        timer_forget(planned);
        planned = NULL;
    }
    for (; owned->first < owned->last; owned->first++)
        free(owned->waiting[owned->first % WAITING].mount);
    luaL_unref(L, LUA_REGISTRYINDEX, owned->values);
    buf_free(&owned->who);
    taint_record_free(&owned->record);
    return 0;
}

/* Removes the least recently used record from the table of owners, on top of the stack, if it is
 * full. */
static void make_record_room(lua_State *L)
{
    const struct owned_record *oldest = NULL;
    size_t count = 0;

    lua_pushnil(L);
    while (lua_next(L, -2)) {
        const struct owned_record *owned = lua_touserdata(L, -1);

        if (!oldest || owned->used < oldest->used)
            oldest = owned;
        count++;
        lua_pop(L, 1);
    }
    if (count < OWNERS_MAX)
        return;
    lua_pushlstring(L, oldest->who.data, oldest->who.len);
    lua_pushnil(L);
    lua_rawset(L, -3);
}

/* Makes a record for an owner that has none; the table of owners is on top of the stack. */
static struct owned_record *make_record(lua_State *L, struct str who)
{
    struct owned_record *owned;

    make_record_room(L);
    owned = push_new_record(L);
    lua_createtable(L, WAITING, 0);
    owned->values = luaL_ref(L, LUA_REGISTRYINDEX);
    buf_add(&owned->who, who.ptr, who.len);
    lua_pushlstring(L, who.ptr, who.len);
    lua_pushvalue(L, -2); /* owners, record, who, record */
    lua_rawset(L, -4);
    lua_pop(L, 1);
    return owned;
}

static struct owned_record *look_up_record(lua_State *L, struct str who)
{
    struct owned_record *owned;

    luaL_checkstack(L, 8, NULL);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &owners_key);
    lua_pushlstring(L, who.ptr, who.len);
    lua_rawget(L, -2);
    owned = lua_touserdata(L, -1);
    lua_pop(L, 1);
    if (!owned)
        owned = make_record(L, who);
    lua_pop(L, 1);
    return owned;
}

static struct owned_record *find_record(lua_State *L, struct str who)
{
    struct owned_record **known = &recent[who.len > 0];

    if (!*known || !str_same(buf_str(&(*known)->who), who))
        *known = look_up_record(L, who);
    (*known)->used = ++uses;
    return *known;
}

struct taint_record *records_of(lua_State *L, struct str who)
{
    struct owned_record *owned = find_record(L, who);

    settle_record(L, owned);
    return &owned->record;
}

struct taint_record *records_check(lua_State *L, int arg)
{
    struct owned_record *owned = luaL_checkudata(L, arg, RECORD);

    return &owned->record;
}

void records_keep(lua_State *L, struct str who, int index, const struct kept *kept)
{
    struct owned_record *owned = find_record(L, who);
    const char *mount = kept->mount;
    int slot;

    index = lua_absindex(L, index);
    if (kept->soon && owned->last - owned->first == WAITING)
        settle_record(L, owned); /* more came at once than can wait */
    slot = (int)(owned->last % WAITING);
    lua_pushvalue(L, index);
    lua_rawgeti(L, LUA_REGISTRYINDEX, owned->values);
    if (owned->last - owned->first == WAITING) {
        free(take_oldest(L, owned).mount);
        lua_pop(L, 1);
    }
    lua_insert(L, -2); /* list, value */
    lua_rawseti(L, -2, slot + 1);
    lua_pop(L, 1);
    owned->waiting[slot] =
        (struct waiting){ kept->source, mount ? mem_strdup(mount) : NULL, kept->beside };
    owned->last++;
    if (kept->soon && list_empty(&owned->due))
        plan_record(L, owned);
}

/* --- the module's part ------------------------------------------------------------------------ */

/* sys.taint.Record:put(source, value[, mount]) */
static int record_put(lua_State *L)
{
    struct taint_record *record = records_check(L, 1);
    lua_Integer source = luaL_checkinteger(L, 2);
    const char *mount = luaL_optstring(L, 4, NULL);

    luaL_argcheck(L, source > 0 && source < 1 << TAINT_SOURCES && !(source & (source - 1)), 2,
                  "one bit expected");
    luaL_checkany(L, 3);
    put_texts(L, record, 3, &(struct waiting){ (unsigned)source, (char *)mount, false }, NULL);
    return 0;
}

void records_init(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", record_gc }, { NULL, NULL } };
    static const luaL_Reg record_methods[] = { { "put", record_put }, { NULL, NULL } };

    bind_metatable(L, RECORD, meta, record_methods);
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &owners_key);
}
