/* sys.regex, the part that is C: compiled patterns, and matchers that search one text with one
 * pattern, in turns. */
#include <lauxlib.h>

#include "json/pattern/perl.h"
#include "json/utf8.h"
#include "script/bind.h"
#include "script/budget.h"
#include "sys/sys.h"

#define PATTERN "sys.regex.Pattern"
#define MATCHER "sys.regex.Matcher"

enum {
    TURN_MS = 2,       /* then others have their turn, before the next place of the text */
    PLACE_MS = 100,    /* work at one place of the text */
    TOTAL_MS = 2000,   /* work of one matcher, and as much for each 2 MB of its text */
    SUBSTITUTE = 0x1A, /* stands for a byte that is not UTF-8 */
};

#define NS_PER_MS ((uint64_t)1000000)

/* --- patterns ------------------------------------------------------------------------------- */

static struct perl_pattern *check_pattern(lua_State *L, int arg)
{
    return *(struct perl_pattern **)luaL_checkudata(L, arg, PATTERN);
}

static unsigned check_options(lua_State *L, int arg)
{
    static const char letters[] = "imsxu"; /* in the order of the bits of enum perl_option */
    const char *given = luaL_optstring(L, arg, "");
    unsigned options = 0;

    for (; *given; given++) {
        const char *letter = strchr(letters, *given);

        luaL_argcheck(L, letter, arg, "expected letters of \"imsxu\"");
        options |= 1U << (letter - letters);
    }
    return options;
}

static int regex_pattern(lua_State *L)
{
    unsigned options = check_options(L, 2);
    struct perl_pattern **pattern;
    struct error err;
    struct str text;

    text.ptr = luaL_checklstring(L, 1, &text.len);
    pattern = lua_newuserdatauv(L, sizeof *pattern, 0);
    *pattern = NULL;
    luaL_setmetatable(L, PATTERN);
    *pattern = perl_compile(text, options, &err);
    return *pattern ? 1 : bind_error(L, &err);
}

static int pattern_gc(lua_State *L)
{
    struct perl_pattern **pattern = luaL_checkudata(L, 1, PATTERN);

    perl_free(*pattern);
    *pattern = NULL;
    return 0;
}

static int pattern_groups(lua_State *L)
{
    lua_pushinteger(L, perl_groups(check_pattern(L, 1)));
    return 1;
}

/* Gives the groups by their names. If groups share a name, gives the first one. */
static int pattern_names(lua_State *L)
{
    const struct perl_pattern *pattern = check_pattern(L, 1);
    struct perl_name name;

    lua_newtable(L); /* names */
    for (unsigned i = 0; perl_name(pattern, i, &name); i++) {
        if (lua_getfield(L, -1, name.name) == LUA_TNIL) {
            lua_pushinteger(L, name.group);
            lua_setfield(L, -3, name.name);
        }
        lua_pop(L, 1);
    }
    return 1;
}

/* --- matchers ------------------------------------------------------------------------------- */

enum { ITS_PATTERN = 1, ITS_TEXT, ITS_CLEAN_TEXT, ITS_VALUES = 3 };

struct matcher {
    struct perl_pattern *pattern; /* borrowed, as the texts are, from its user values */
    struct str text, clean;       /* clean: what is searched, valid UTF-8, as long as the text */
    uint64_t spent;               /* nanoseconds of work so far */
    bool found;                   /* offsets are those of a match */
    size_t offsets[];
};

static struct matcher *check_matcher(lua_State *L)
{
    return luaL_checkudata(L, 1, MATCHER);
}

/* Pushes the text with every byte that is not UTF-8 replaced. */
static void push_clean(lua_State *L, struct str text)
{
    const char *at = text.ptr, *end = text.ptr + text.len;
    luaL_Buffer out;
    char *to = luaL_buffinitsize(L, &out, text.len);

    while (at < end) {
        int size = utf8_sequence(at, end);
        size_t len = (size_t)(size < 0 ? -size : size);

        if (size < 0)
            memset(to, SUBSTITUTE, len);
        else
            memcpy(to, at, len);
        at += len;
        to += len;
    }
    luaL_pushresultsize(&out, text.len);
}

/* sys.regex.matcher(pattern, text) */
static int regex_matcher(lua_State *L)
{
    struct perl_pattern *pattern = check_pattern(L, 1);
    size_t offsets = 2 * ((size_t)perl_groups(pattern) + 1) * sizeof(size_t);
    struct matcher *matcher;
    struct str text;

    text.ptr = luaL_checklstring(L, 2, &text.len);
    lua_settop(L, 2);
    matcher = lua_newuserdatauv(L, sizeof *matcher + offsets, ITS_VALUES); /* ..., matcher */
    *matcher = (struct matcher){ .pattern = pattern, .text = text, .clean = text };
    luaL_setmetatable(L, MATCHER);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, ITS_PATTERN);
    lua_pushvalue(L, 2);
    lua_setiuservalue(L, -2, ITS_TEXT);
    if (!utf8_valid(text.ptr, text.len, NULL)) {
        push_clean(L, text);
        matcher->clean.ptr = lua_tostring(L, -1);
        lua_setiuservalue(L, -2, ITS_CLEAN_TEXT);
    }
    return 1;
}

/* A stretch of a search without a break. Its first TURN_MS count as work, and from then on only
 * what the thread worked: it may be kept from the processor. */
struct stretch {
    const struct matcher *matcher;
    uint64_t begun;
    uint64_t turn_over; /* value of processor_time() when TURN_MS were over; 0: they are not */
};

static uint64_t stretch_worked(const struct stretch *stretch)
{
    if (!stretch->turn_over)
        return uv_hrtime() - stretch->begun;
    return TURN_MS * NS_PER_MS + processor_time() - stretch->turn_over;
}

static enum perl_look stretch_look(void *arg)
{
    struct stretch *stretch = arg;
    size_t len = stretch->matcher->text.len;
    uint64_t most = (TOTAL_MS + (uint64_t)(len >> 21) * TOTAL_MS) * NS_PER_MS, so_far;

    if (!stretch->turn_over) {
        if (uv_hrtime() - stretch->begun < TURN_MS * NS_PER_MS)
            return PERL_GO_ON;
        stretch->turn_over = processor_time();
    }
    so_far = stretch_worked(stretch);
    if (so_far > PLACE_MS * NS_PER_MS || stretch->matcher->spent + so_far > most)
        return PERL_GIVE_UP;
    return PERL_PAUSE;
}

static enum perl_result matcher_search(struct matcher *matcher, struct perl_search *what,
                                       struct error *err)
{
    struct stretch stretch = { matcher, uv_hrtime(), 0 };
    enum perl_result result;

    what->text = matcher->clean;
    what->offsets = matcher->offsets;
    what->look = stretch_look;
    what->arg = &stretch; /* taken back below; cppcheck-suppress autoVariables */
    result = perl_search(matcher->pattern, what, err);
    what->arg = NULL;
    matcher->spent += stretch_worked(&stretch);
    matcher->found = result == PERL_YES;
    return result;
}

static int push_place(lua_State *L, const struct matcher *matcher)
{
    lua_pushinteger(L, (lua_Integer)matcher->offsets[0] + 1);
    lua_pushinteger(L, (lua_Integer)matcher->offsets[1]);
    return 2;
}

/* Searches on. The stack: matcher, at, not_empty; `from` is the place after a break. */
static int matcher_find_go_on(lua_State *L, int status, lua_KContext from)
{
    struct matcher *matcher = check_matcher(L);
    bool not_empty = lua_toboolean(L, 3) && from == lua_tointeger(L, 2) - 1;
    struct perl_search what = { .at = (size_t)from, .not_empty = not_empty };
    struct budget budget = { .L = L };
    struct error err;

    (void)status;
    for (;;) {
        uint64_t before = matcher->spent;

        switch (matcher_search(matcher, &what, &err)) {
        case PERL_YES:
            return push_place(L, matcher);
        case PERL_NO:
            luaL_pushfail(L);
            return 1;
        case PERL_FAILED:
            return bind_error(L, &err);
        case PERL_GAVE_UP:
            budget_look(&budget);
            return bind_fail(L, "pattern_too_costly",
                             "the pattern takes too much time or memory on this text (%zu "
                             "bytes). Make it simpler, above all repetitions inside repetitions",
                             matcher->text.len);
        case PERL_PAUSED:
            budget_step(&budget, (ptrdiff_t)(matcher->spent - before));
            if (budget.over)
                return lua_yieldk(L, 0, (lua_KContext)what.resume, matcher_find_go_on);
            what.at = what.resume;
            what.not_empty = false;
        }
    }
}

/* matcher:find(at, not_empty) */
static int matcher_find(lua_State *L)
{
    struct matcher *matcher = check_matcher(L);
    lua_Integer at = luaL_checkinteger(L, 2);
    size_t from = (size_t)at - 1;

    luaL_argcheck(L, at >= 1 && (size_t)at <= matcher->text.len + 1, 2, "not a place in the text");
    while (from < matcher->clean.len && (matcher->clean.ptr[from] & 0xC0) == 0x80)
        from++; /* does not begin inside a character */
    lua_settop(L, 3);
    lua_pushinteger(L, (lua_Integer)from + 1);
    lua_replace(L, 2);
    return matcher_find_go_on(L, LUA_OK, (lua_KContext)from);
}

/* Pushes a group of the match, or nil. */
static void push_group(lua_State *L, const struct matcher *matcher, unsigned group)
{
    const size_t *pair = matcher->offsets + 2 * (size_t)group;
    size_t begin = pair[0], end = pair[1];

    if (begin == (size_t)PERL_UNSET)
        lua_pushnil(L);
    else
        lua_pushlstring(L, matcher->text.ptr + begin, end - begin);
}

/* matcher:captures() */
static int matcher_captures(lua_State *L)
{
    struct matcher *matcher = check_matcher(L);
    unsigned groups = perl_groups(matcher->pattern);
    struct perl_name name;

    luaL_argcheck(L, matcher->found, 1, "no match was found");
    lua_createtable(L, (int)groups, 1); /* captures */
    for (unsigned i = 0; i <= groups; i++) {
        push_group(L, matcher, i);
        lua_rawseti(L, -2, i);
    }
    for (unsigned i = 0; perl_name(matcher->pattern, i, &name); i++) {
        push_group(L, matcher, name.group);
        if (lua_isnil(L, -1)) /* if groups share a name, one is set */
            lua_pop(L, 1);
        else
            lua_setfield(L, -2, name.name);
    }
    return 1;
}

static const luaL_Reg pattern_methods[] = { { "groups", pattern_groups },
                                            { "names", pattern_names },
                                            { NULL, NULL } };

static const luaL_Reg matcher_methods[] = { { "captures", matcher_captures },
                                            { "find", matcher_find },
                                            { NULL, NULL } };

static const luaL_Reg regex_funcs[] = { { "pattern", regex_pattern },
                                        { "matcher", regex_matcher },
                                        { NULL, NULL } };

int luaopen_sys_regex(lua_State *L)
{
    static const luaL_Reg pattern_meta[] = { { "__gc", pattern_gc }, { NULL, NULL } };
    static const luaL_Reg matcher_meta[] = { { NULL, NULL } };

    bind_metatable(L, PATTERN, pattern_meta, pattern_methods);
    bind_metatable(L, MATCHER, matcher_meta, matcher_methods);
    luaL_newlib(L, regex_funcs);
    return 1;
}
