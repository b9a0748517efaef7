/* string.gsub.
 *
 * The function it calls may wait, and a large text is worked on in turns, so what
 * has been made so far cannot be in a luaL_Buffer, which must not outlive its C
 * function's frame: it is in a userdata, and its growing parts in others. */
#include <lauxlib.h>

#include "script/stdlib/strings.h"

/* The stack while it works: the arguments, then its own. */
enum { AT_TEXT = 1, AT_PATTERN, AT_REPLACEMENT, AT_GSUB, AT_GROWN };

struct gsub {
    size_t at;     /* in the text: where the next match is looked for */
    size_t from;   /* where the match began that is being replaced */
    size_t last;   /* where the last match ended, which an empty one cannot do again */
    size_t copied; /* so much of the text is in `out` or has been replaced */
    lua_Integer count, most;
    uint64_t steps; /* steps of the matcher before the last break or call */
    bool started;   /* there has been a try, all that an anchored pattern gets */
    char *out;      /* `first`, or the userdata at AT_GROWN */
    size_t len, room;
    char first[256];
};

/* --- what is made ---------------------------------------------------------------- */

static void gsub_grow(lua_State *L, struct gsub *gsub, size_t more)
{
    size_t need =
        gsub->len + more + lua_rawlen(L, AT_TEXT) - gsub->copied; /* if no more is replaced */
    size_t room = gsub->room * 2 > need ? gsub->room * 2 : need;
    char *out;

    if (more > SIZE_MAX / 8 || room > SIZE_MAX / 2)
        luaL_error(L, "buffer too large");
    out = lua_newuserdatauv(L, room, 0);
    memcpy(out, gsub->out, gsub->len);
    lua_replace(L, AT_GROWN);
    gsub->out = out;
    gsub->room = room;
}

static void gsub_add(lua_State *L, struct gsub *gsub, const char *ptr, size_t len)
{
    if (len > gsub->room - gsub->len)
        gsub_grow(L, gsub, len);
    memcpy(gsub->out + gsub->len, ptr, len);
    gsub->len += len;
}

/* Adds the value on top, a string or a number, and pops it. */
static void add_value(lua_State *L, struct gsub *gsub)
{
    size_t len;
    const char *ptr = lua_tolstring(L, -1, &len);

    gsub_add(L, gsub, ptr, len); /* the value stays on the stack meanwhile */
    lua_pop(L, 1);
}

/* The text between two matches. */
static void add_rest(lua_State *L, struct gsub *gsub, const char *text, size_t to)
{
    gsub_add(L, gsub, text + gsub->copied, to - gsub->copied);
    gsub->copied = to;
}

/* Adds a replacement string: %0 is the match, %1 to %9 are its captures, %% is "%". */
static void add_template(lua_State *L, struct gsub *gsub, struct pattern_match *match)
{
    const char *start = match->text + gsub->from, *end = match->text + gsub->at;
    size_t len;
    const char *rest = lua_tolstring(L, AT_REPLACEMENT, &len), *mark;
    const char *stop = rest + len;

    for (; (mark = memchr(rest, '%', (size_t)(stop - rest))); rest = mark + 2) {
        gsub_add(L, gsub, rest, (size_t)(mark - rest));
        if (mark[1] == '%') {
            gsub_add(L, gsub, mark, 1);
        } else if (mark[1] == '0') {
            gsub_add(L, gsub, start, (size_t)(end - start));
        } else if (mark[1] > '0' && mark[1] <= '9') {
            match_push(match, mark[1] - '1', start, end);
            add_value(L, gsub);
        } else {
            luaL_error(L, "invalid use of '%c' in replacement string", '%');
        }
        budget_step(&match->budget, 1);
    }
    gsub_add(L, gsub, rest, (size_t)(stop - rest));
}

/* --- the work -------------------------------------------------------------------- */

/* Takes the replacement that a function or a table gave, and pops it. */
static void gsub_take(lua_State *L, struct gsub *gsub)
{
    if (!lua_toboolean(L, -1)) { /* the match stays as it is */
        lua_pop(L, 1);
        return;
    }
    if (!lua_isstring(L, -1))
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    add_rest(L, gsub, lua_tostring(L, AT_TEXT), gsub->from);
    add_value(L, gsub);
    gsub->copied = gsub->at;
}

static int after_gsub_call(lua_State *L, int status, lua_KContext context);

/* Replaces the match from gsub->from to gsub->at. */
static void gsub_replace(lua_State *L, struct gsub *gsub, struct pattern_match *match)
{
    const char *start = match->text + gsub->from, *end = match->text + gsub->at;

    switch (lua_type(L, AT_REPLACEMENT)) {
    case LUA_TFUNCTION:
        lua_pushvalue(L, AT_REPLACEMENT);
        gsub->steps = match_steps(match);
        lua_callk(L, match_push_all(match, start, end), 1, 0, after_gsub_call);
        match->before = gsub->steps;
        match->budget = (struct budget){ .L = L }; /* its time is not the matcher's */
        gsub_take(L, gsub);
        break;
    case LUA_TTABLE:
        match_push(match, 0, start, end);
        lua_gettable(L, AT_REPLACEMENT);
        gsub_take(L, gsub);
        break;
    default:
        add_rest(L, gsub, match->text, gsub->from);
        add_template(L, gsub, match);
        gsub->copied = gsub->at;
    }
}

static int gsub_finish(lua_State *L, struct gsub *gsub, const struct pattern_match *match)
{
    if (gsub->copied == 0 && gsub->len == 0) {
        lua_pushvalue(L, AT_TEXT);
    } else {
        add_rest(L, gsub, match->text, (size_t)(match->text_end - match->text));
        lua_pushlstring(L, gsub->out, gsub->len);
    }
    lua_pushinteger(L, gsub->count);
    return 2;
}

static int gsub_go_on(lua_State *L, int status, lua_KContext context)
{
    struct gsub *gsub = lua_touserdata(L, AT_GSUB);
    struct pattern_match match;
    bool anchored = strings_match(L, &match);

    (void)status;
    (void)context;
    match.before = gsub->steps;
    while (gsub->count < gsub->most && !(anchored && gsub->started)) {
        const char *start = match.text + gsub->at, *end;

        if (match.budget.over) {
            gsub->steps = match_steps(&match);
            return lua_yieldk(L, 0, 0, gsub_go_on);
        }
        gsub->started = true;
        end = match_at(&match, start);
        if (end && (size_t)(end - match.text) != gsub->last) {
            gsub->count++;
            gsub->from = gsub->at;
            gsub->at = gsub->last = (size_t)(end - match.text);
            gsub_replace(L, gsub, &match);
        } else if (start++ < match.text_end) {
            gsub->at++;
        } else {
            break;
        }
    }
    return gsub_finish(L, gsub, &match);
}

/* The function has returned after a break. */
static int after_gsub_call(lua_State *L, int status, lua_KContext context)
{
    gsub_take(L, lua_touserdata(L, AT_GSUB));
    return gsub_go_on(L, status, context);
}

/* Looks for the first match, or for as long as its turn lasts: where there is
 * nothing to replace, nothing is to be kept. False: there is none. */
static bool find_first_match(lua_State *L, size_t *at)
{
    struct pattern_match match;
    bool anchored = strings_match(L, &match);

    for (*at = 0; !match_at(&match, match.text + *at) && !match.budget.over; ++*at)
        if (anchored || match.text + *at == match.text_end)
            return false;
    return true;
}

static void push_state(lua_State *L, size_t at, lua_Integer most)
{
    struct gsub *gsub = lua_newuserdatauv(L, sizeof *gsub, 0);

    gsub->at = at;
    gsub->last = SIZE_MAX;
    gsub->copied = gsub->len = 0;
    gsub->count = 0;
    gsub->steps = 0;
    gsub->most = most;
    gsub->started = false;
    gsub->out = gsub->first;
    gsub->room = sizeof gsub->first;
}

int strings_gsub(lua_State *L)
{
    int type = lua_type(L, AT_REPLACEMENT);
    lua_Integer most;
    size_t len, at;

    luaL_checklstring(L, AT_TEXT, &len);
    luaL_checkstring(L, AT_PATTERN);
    most = luaL_optinteger(L, 4, (lua_Integer)len + 1);
    luaL_argexpected(L,
                     type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION ||
                         type == LUA_TTABLE,
                     AT_REPLACEMENT, "string/function/table");
    lua_settop(L, AT_REPLACEMENT);
    if (most <= 0 || !find_first_match(L, &at)) {
        lua_pushvalue(L, AT_TEXT);
        lua_pushinteger(L, 0);
        return 2;
    }
    push_state(L, at, most);
    lua_pushnil(L); /* AT_GROWN */
    return gsub_go_on(L, LUA_OK, 0);
}
