/* sys.taint -- whether the arguments of a call contain text that results brought from outside. It
 * is asked at every call that types. */
#include <lauxlib.h>
#include <stdlib.h>

#include "files/file.h"
#include "http/client/request.h"
#include "script/bind.h"
#include "sys/sys.h"
#include "sys/taint/history.h"
#include "sys/taint/records.h"
#include "sys/taint/texts.h"
#include "taint/clean.h"
#include "taint/host.h"

#define STATE "sys.taint.State"

enum {
    TEXTS_MAX = 200000, /* strings of the arguments; everything counts as found if they have more */
    OWN_MAX = 2000,     /* words of paths that are kept for one owner */
    PATH_BYTES = 4096,
    HOST_BYTES = 4096,     /* and of an address with a host */
    HOSTS_BYTES = 1 << 20, /* all hosts of the arguments, with their domains */
};

/* The state of a VM, an upvalue of every function. */
struct state {
    struct probes probes; /* room that one call uses after the other */
    struct buf hosts;     /* the same of the lines of probes_list_hosts() */
    struct buf last;      /* the argument before, if it may be a part of a host; else empty */
    struct buf home;      /* the user's folder, cleaned */
};

static struct state *taint_state(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

static int state_gc(lua_State *L)
{
    struct state *state = lua_touserdata(L, 1);

    probes_free(&state->probes);
    buf_free(&state->hosts);
    buf_free(&state->last);
    buf_free(&state->home);
    return 0;
}

/* sys.taint.record() */
static int taint_record(lua_State *L)
{
    records_push_new(L);
    return 1;
}

/* sys.taint.keep(who, source, value, mount | nil, soon[, beside]) */
static int taint_keep(lua_State *L)
{
    struct str who = { NULL, 0 };
    struct kept kept = { .mount = luaL_optstring(L, 4, NULL) };
    lua_Integer source = luaL_checkinteger(L, 2);

    luaL_argcheck(L, source > 0 && source < 1 << TAINT_SOURCES && !(source & (source - 1)), 2,
                  "one bit expected");
    luaL_checkany(L, 3);
    who.ptr = luaL_checklstring(L, 1, &who.len);
    kept.source = (unsigned)source;
    kept.soon = lua_toboolean(L, 5);
    kept.beside = lua_toboolean(L, 6);
    records_keep(L, who, 3, &kept);
    return 0;
}

/* --- looking --------------------------------------------------------------------------------- */

enum { LOOKED_AT = 3 };

/* Returns the caller, and takes its record, that of everyone, and of what others said about their
 * tools: `who` is the argument `arg`, and the last record the argument behind it. */
static struct str take_records(lua_State *L, int arg, struct taint_record *records[LOOKED_AT])
{
    struct str who = { NULL, 0 };

    who.ptr = luaL_checklstring(L, arg, &who.len);
    records[2] = records_check(L, arg + 1);
    records[1] = records_of(L, STR(""));
    records[0] = records_of(L, who);
    return who;
}

enum { PART_BYTES = 128 /* the most of one argument that is half of a host */ };

static bool may_be_part_of_host(struct str text)
{
    bool name = false;

    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];

        if (c <= ' ' || c == '"' || c == '(' || c == ',')
            return false;
        name |= c > '9' || c == '.';
    }
    return name && text.len <= PART_BYTES;
}

/* Lists the hosts of two texts in a row, with a dot between them where neither has one. */
static bool list_row_hosts(struct buf *lines, struct str first, struct str second)
{
    bool dot = first.ptr[first.len - 1] != '.' && second.ptr[0] != '.';
    struct buf row = { 0 };
    bool all = true;

    for (int i = 0; i < (dot ? 2 : 1); i++) {
        row.len = 0;
        buf_add(&row, first.ptr, first.len);
        if (i)
            buf_addc(&row, '.');
        buf_add(&row, second.ptr, second.len);
        all &= !memchr(row.data, '.', row.len) || probes_list_hosts(lines, buf_str(&row));
    }
    buf_free(&row);
    return all;
}

/* Lists the hosts of an argument, and those that it makes with the one before. */
static bool list_hosts(struct state *state, struct str text)
{
    bool all = probes_list_hosts(&state->hosts, text), part = may_be_part_of_host(text);

    if (part && state->last.len)
        all &= list_row_hosts(&state->hosts, buf_str(&state->last), text) &&
               list_row_hosts(&state->hosts, text, buf_str(&state->last));
    state->last.len = 0;
    if (part)
        buf_add(&state->last, text.ptr, text.len);
    return all;
}

static void probe_text(void *context, struct str text)
{
    struct state *state = context;

    probes_add(&state->probes, text);
    state->probes.more |= !list_hosts(state, text);
}

static void probe_orders(void *context, const struct orders *orders)
{
    probes_add_orders(&((struct state *)context)->probes, orders);
}

/* Is this a host that the caller named by itself? The table of such hosts is the argument `arg`. */
static bool is_known_host(lua_State *L, int arg, struct str host)
{
    bool known;

    if (!lua_istable(L, arg))
        return false;
    lua_pushlstring(L, host.ptr, host.len);
    lua_rawget(L, arg);
    known = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return known;
}

/* Takes the next line of probes_list_hosts(). */
static struct str next_host(struct str *lines, enum host_use *use)
{
    size_t line = (size_t)((const char *)memchr(lines->ptr, '\n', lines->len) - lines->ptr);
    struct str host = { lines->ptr + 1, line - 1 };

    *use = (enum host_use)(*lines->ptr - '0');
    *lines = (struct str){ lines->ptr + line + 1, lines->len - line - 1 };
    return host;
}

/* Did the caller name the host, or a domain that it is in, by itself? */
static bool is_in_known(lua_State *L, int known, struct str host)
{
    while (host.len && !is_known_host(L, known, host))
        host = host_parent(host);
    return host.len != 0;
}

/* Looks for a host, those that its name leads to, and the domains that it is in, up to one that the
 * caller named by itself. Everything counts as found if these are too many. */
static void seek_host(lua_State *L, struct state *state, struct str host, enum host_use use,
                      int known)
{
    if (use != HOST_MAIL && is_in_known(L, known, host))
        return;
    if (use != HOST_MAIL)
        probes_seek_inner_hosts(&state->probes, host);
    while (host.len && !is_known_host(L, known, host)) {
        probes_seek_host(&state->probes, host, use);
        state->probes.more |= state->probes.hosts.len > HOSTS_BYTES;
        host = use == HOST_MAIL ? (struct str){ NULL, 0 } : host_parent(host);
    }
}

/* Looks for the hosts that the arguments name. */
static void seek_hosts(lua_State *L, struct state *state, int known)
{
    struct str lines = buf_str(&state->hosts), host;
    enum host_use use;

    while (lines.len && !state->probes.more) {
        host = next_host(&lines, &use);
        seek_host(L, state, host, use, known);
    }
}

static unsigned find_probes(const struct state *state, struct str who,
                            const struct taint_home *home)
{
    unsigned found = 0;

    for (size_t i = 0; i < home->count; i++)
        found |= taint_record_find(home->records[i], &state->probes, ~found, home);
    return found | history_find(who, &state->probes, ~found, home->name);
}

/* sys.taint.find(args, who, told, own, mount | nil, known | nil, opens) -> sources */
static int taint_find(lua_State *L)
{
    struct state *state = taint_state(L);
    struct probes *probes = &state->probes;
    bool own = lua_toboolean(L, 4);
    struct texts texts = { probe_text, state, TEXTS_MAX, false };
    struct taint_record *records[LOOKED_AT];
    struct taint_home home = { luaL_optstring(L, 5, NULL), records, LOOKED_AT };
    struct str who;

    luaL_checktype(L, 1, LUA_TTABLE);
    who = take_records(L, 2, records);
    probes_clear(probes, own ? &records[0]->own : NULL, buf_str(&state->home));
    probes->slash = !lua_toboolean(L, 7);
    state->hosts.len = state->last.len = 0;
    texts_of(L, 1, &texts);
    texts_orders(L, 1, TEXTS_MAX, probe_orders, state);
    seek_hosts(L, state, 6);
    probes_end(probes);
    probes->more |= texts.more;
    lua_pushinteger(L, (lua_Integer)find_probes(state, who, &home));
    return 1;
}

/* Texts of which a line may be made: those of the line itself come first. */
struct editing {
    struct edited edited;
    lua_Integer own; /* number of these that are still to come */
};

static void edit_text(void *context, struct str text)
{
    struct editing *editing = context;

    edited_add(&editing->edited, text, editing->own-- <= 0);
}

/* sys.taint.edited(texts, own, steps, apart, who, told[, mount]) -> sources */
static int taint_edited(lua_State *L)
{
    struct editing *editing = lua_newuserdatauv(L, sizeof *editing, 0);
    struct texts texts = { edit_text, editing, TEXTS_MAX, false };
    struct taint_record *records[LOOKED_AT];
    lua_Integer steps = luaL_checkinteger(L, 3);
    const char *mount = luaL_optstring(L, 7, NULL);
    unsigned found = 0;

    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argcheck(L, steps >= 0, 3, "a number of steps expected");
    take_records(L, 5, records);
    editing->own = luaL_checkinteger(L, 2);
    edited_begin(&editing->edited, steps > UINT8_MAX ? UINT8_MAX : (unsigned)steps,
                 lua_toboolean(L, 4));
    texts_of(L, 1, &texts);
    editing->edited.more |= texts.more;
    for (int i = 0; i < LOOKED_AT; i++)
        found |= taint_record_edited(records[i], &editing->edited, mount);
    lua_pushinteger(L, (lua_Integer)found);
    return 1;
}

/* --- hosts ----------------------------------------------------------------------------------- */

/* sys.taint.host(text) -> host, plain | nil */
static int taint_host(lua_State *L)
{
    struct buf *host = bind_buffer(L);
    struct str text = { NULL, 0 };
    enum host_reading reading;

    text.ptr = luaL_checklstring(L, 1, &text.len);
    reading = host_spell(host, text);
    if (reading == HOST_NONE)
        return 0;
    lua_pushlstring(L, host->data, host->len);
    lua_pushboolean(L, reading == HOST_PLAIN);
    return 2;
}

static void list_text_hosts(void *context, struct str text)
{
    list_hosts(context, text);
}

enum { HOSTS_MAX = 64 /* hosts of one call that are looked for one by one */ };

/* sys.taint.hosts(args, who, told, mount | nil, known | nil) -> list */
static int taint_hosts_in(lua_State *L)
{
    struct state *state = taint_state(L);
    struct texts texts = { list_text_hosts, state, TEXTS_MAX, false };
    struct taint_record *records[LOOKED_AT];
    struct taint_home home = { luaL_optstring(L, 4, NULL), records, LOOKED_AT };
    struct str who, lines, host;
    enum host_use use;

    luaL_checktype(L, 1, LUA_TTABLE);
    who = take_records(L, 2, records);
    state->hosts.len = state->last.len = 0;
    texts_of(L, 1, &texts);
    lines = buf_str(&state->hosts);
    lua_newtable(L);
    for (int i = 0; lines.len && i < HOSTS_MAX; i++) {
        host = next_host(&lines, &use);
        probes_clear(&state->probes, NULL, buf_str(&state->home));
        seek_host(L, state, host, use, 5);
        probes_end(&state->probes);
        if (!find_probes(state, who, &home))
            continue;
        lua_pushlstring(L, host.ptr, host.len);
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    return 1;
}

/* sys.taint.has_host(host, who, told) -> boolean */
static int taint_has_host(lua_State *L)
{
    struct taint_record *records[LOOKED_AT];
    struct buf *mark = bind_buffer(L);
    struct str host = { NULL, 0 }, who;
    bool has;

    host.ptr = luaL_checklstring(L, 1, &host.len);
    who = take_records(L, 2, records);
    taint_host_mark(mark, host, false);
    has = history_has(who, buf_str(mark));
    for (int i = 0; i < LOOKED_AT; i++)
        has = has || records[i]->wholes || taint_record_has(records[i], buf_str(mark));
    lua_pushboolean(L, has);
    return 1;
}

/* --- paths that a caller gave first --------------------------------------------------------- */

static bool is_path(struct str text)
{
    size_t slash = text.len && text.ptr[0] == '~';

    if (text.len <= slash || text.ptr[slash] != '/' || text.len > PATH_BYTES)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] < ' ' || text.ptr[i] == 0x7f)
            return false;
    return true;
}

/* Names in the arguments of a call. Nearly none have any. */
struct naming {
    bool path, host;
};

/* True for text that may be an address or a host, which Lua then reads. */
static bool may_have_host(struct str text)
{
    bool sign = false;

    for (size_t i = 0; i < text.len; i++) {
        if ((unsigned char)text.ptr[i] <= ' ')
            return false;
        sign |= text.ptr[i] == '.' || text.ptr[i] == ':';
    }
    return sign && text.len <= HOST_BYTES;
}

static void look_for_names(void *context, struct str text)
{
    struct naming *naming = context;

    naming->path |= is_path(text);
    naming->host |= may_have_host(text);
}

/* sys.taint.names(args) -> path, host: has an argument a path; is one an address or a host? */
static int taint_names(lua_State *L)
{
    struct naming naming = { false, false };
    struct texts texts = { look_for_names, &naming, TEXTS_MAX, false };

    luaL_checktype(L, 1, LUA_TTABLE);
    texts_of(L, 1, &texts);
    lua_pushboolean(L, naming.path);
    lua_pushboolean(L, naming.host);
    return 2;
}

struct saying {
    struct probes *probes;
    struct str home;
    struct taint_record *records[LOOKED_AT];
    struct str who;
};

static bool was_brought(const struct saying *saying, struct str word)
{
    for (int i = 0; i < LOOKED_AT; i++)
        if (taint_record_has(saying->records[i], word))
            return true;
    return history_has(saying->who, word);
}

static void say_text(void *context, struct str text)
{
    struct saying *saying = context;
    struct probes *probes = saying->probes;
    struct names *own = &saying->records[0]->own;

    if (!is_path(text))
        return;
    probes_clear(probes, NULL, saying->home);
    probes_of_path(probes, text);
    if (own->count > OWN_MAX)
        names_free(own);
    for (size_t i = 0; i < probes->count; i++) {
        struct str word = probe_str(probes, &probes->items[i]);

        if (!was_brought(saying, word))
            names_add(own, word);
    }
}

/* sys.taint.said(args, who, told) */
static int taint_said(lua_State *L)
{
    struct state *state = taint_state(L);
    struct saying saying = { &state->probes, buf_str(&state->home), { NULL }, { NULL, 0 } };
    struct texts texts = { say_text, &saying, TEXTS_MAX, false };

    luaL_checktype(L, 1, LUA_TTABLE);
    saying.who = take_records(L, 2, saying.records);
    texts_of(L, 1, &texts);
    return 0;
}

/* --- the module ----------------------------------------------------------------------------- */

static const luaL_Reg taint_funcs[] = { { "edited", taint_edited },     { "find", taint_find },
                                        { "has_host", taint_has_host }, { "host", taint_host },
                                        { "hosts", taint_hosts_in },    { "keep", taint_keep },
                                        { "names", taint_names },       { "record", taint_record },
                                        { "said", taint_said },         { NULL, NULL } };

/* Finds the home folder: "~" and the folder that it leads to are the same. It is found at once,
 * because a call that waited for it would be overtaken by the next one. */
static void find_home(struct state *state)
{
    char *home = path_expand_home("~"), *real = home ? realpath(home, NULL) : NULL;

    if (home)
        taint_clean(&state->home, str_from(real ? real : home));
    free(real);
    free(home);
}

int luaopen_sys_taint(lua_State *L)
{
    static const luaL_Reg meta[] = { { "__gc", state_gc }, { NULL, NULL } };
    struct state *state;

    records_init(L);
    host_use_idn(http_host_ascii);
    bind_metatable(L, STATE, meta, NULL);
    luaL_newlibtable(L, taint_funcs);
    state = lua_newuserdatauv(L, sizeof *state, 0);
    *state = (struct state){ 0 };
    luaL_setmetatable(L, STATE);
    find_home(state);
    history_use(vm_service(L, &sys_secrets_key));
    luaL_setfuncs(L, taint_funcs, 1);
    return 1;
}
