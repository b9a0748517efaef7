/* The matcher: it backtracks, so a few characters of pattern can ask for more
 * steps than there are atoms. Each is counted.
 *
 * It calls itself once for each repetition or capture that is open, at most
 * MATCH_DEPTH_MAX deep, so the C stack is safe whatever the pattern. */
#include "script/stdlib/pattern.h"

#include <ctype.h>
#include <lauxlib.h>

enum { ESCAPE = '%', MATCH_DEPTH_MAX = 200, TOO_LONG_MS = 100 };
enum { CALL_STEPS = 20000000, CALL_STEPS_A_BYTE = 64 }; /* limits of a whole call */

static const char *match_rest(struct pattern_match *m, const char *s, const char *p);

static void check_budget(struct pattern_match *m)
{
    size_t len = (size_t)(m->text_end - m->text);

    budget_look(&m->budget);
    if (budget_exceeds(&m->budget, TOO_LONG_MS) ||
        match_steps(m) > CALL_STEPS + (uint64_t)CALL_STEPS_A_BYTE * len)
        luaL_error(m->budget.L,
                   "pattern took too long on this text (%I bytes). Anchor it or make it simpler",
                   (LUAI_UACINT)len);
}

uint64_t match_steps(const struct pattern_match *match)
{
    return match->before + match->budget.steps + (uint64_t)match->budget.done;
}

static inline void match_step(struct pattern_match *m, ptrdiff_t steps)
{
    m->budget.done += steps;
    if (UNLIKELY(m->budget.done >= BUDGET_STEPS))
        check_budget(m);
}

/* --- one character ----------------------------------------------------------------- */

static bool class_has(int class, int c)
{
    bool has;

    switch (tolower(class)) {
    case 'a':
        has = isalpha(c);
        break;
    case 'c':
        has = iscntrl(c);
        break;
    case 'd':
        has = isdigit(c);
        break;
    case 'g':
        has = isgraph(c);
        break;
    case 'l':
        has = islower(c);
        break;
    case 'p':
        has = ispunct(c);
        break;
    case 's':
        has = isspace(c);
        break;
    case 'u':
        has = isupper(c);
        break;
    case 'w':
        has = isalnum(c);
        break;
    case 'x':
        has = isxdigit(c);
        break;
    case 'z': /* from Lua 5.1, still understood */
        has = c == 0;
        break;
    default:
        return class == c;
    }
    return has != !!isupper(class);
}

/* p is at the "[" of a set, `last` at its "]". */
static bool set_has(const char *p, const char *last, int c)
{
    bool found = true;

    if (*++p == '^') {
        found = false;
        p++;
    }
    for (; p < last; p++) {
        if (*p == ESCAPE) {
            if (class_has((unsigned char)*++p, c))
                return found;
        } else if (p[1] == '-' && p + 2 < last) {
            if ((unsigned char)p[0] <= c && c <= (unsigned char)p[2])
                return found;
            p += 2;
        } else if ((unsigned char)*p == c) {
            return found;
        }
    }
    return !found;
}

/* Where the single item at p ends: x, %x or [set]. */
static const char *item_end(struct pattern_match *m, const char *p)
{
    const char *start = p;

    if (*p != ESCAPE && *p != '[')
        return p + 1;
    if (*p == ESCAPE) {
        if (p + 1 == m->pattern_end)
            luaL_error(m->budget.L, "malformed pattern (ends with '%%')");
        return p + 2;
    }
    if (*++p == '^')
        p++;
    do { /* the first character stands for itself even if it is "]" */
        if (p == m->pattern_end)
            luaL_error(m->budget.L, "malformed pattern (missing ']')");
        if (*p++ == ESCAPE && p < m->pattern_end)
            p++;
    } while (*p != ']');
    match_step(m, p - start);
    return p + 1;
}

/* Does the character at s match the item from p to `end`? */
static inline bool item_fits(struct pattern_match *m, const char *s, const char *p, const char *end)
{
    if (s >= m->text_end)
        return false;
    switch (*p) {
    case '.':
        return true;
    case ESCAPE:
        return class_has((unsigned char)p[1], (unsigned char)*s);
    case '[':
        match_step(m, end - p);
        return set_has(p, end - 1, (unsigned char)*s);
    default:
        return *p == *s;
    }
}

/* --- repetitions ------------------------------------------------------------------- */

/* As many as fit, then fewer until the rest of the pattern matches. */
static const char *match_most(struct pattern_match *m, const char *s, const char *p,
                              const char *end)
{
    const char *start = s, *found;

    if (*p == '.') {
        s = m->text_end;
    } else {
        for (; item_fits(m, s, p, end); s++)
            match_step(m, 1);
    }
    for (;; s--) {
        found = match_rest(m, s, end + 1);
        if (found || s == start)
            return found;
    }
}

/* As few as let the rest of the pattern match. */
static const char *match_least(struct pattern_match *m, const char *s, const char *p,
                               const char *end)
{
    for (;; s++) {
        const char *found = match_rest(m, s, end + 1);

        if (found || !item_fits(m, s, p, end))
            return found;
    }
}

/* --- captures ------------------------------------------------------------------------ */

static const char *open_capture(struct pattern_match *m, const char *s, const char *p)
{
    bool position = p[1] == ')';
    const char *found;

    if (m->count >= CAPTURES_MAX)
        luaL_error(m->budget.L, "too many captures");
    m->captures[m->count++] =
        (struct pattern_capture){ s, position ? CAPTURE_POSITION : CAPTURE_OPEN };
    found = match_rest(m, s, position ? p + 2 : p + 1);
    if (!found)
        m->count--;
    return found;
}

static const char *close_capture(struct pattern_match *m, const char *s, const char *p)
{
    struct pattern_capture *capture = &m->captures[m->count];
    const char *found;

    do {
        if (capture == m->captures)
            luaL_error(m->budget.L, "invalid pattern capture");
        capture--;
    } while (capture->len != CAPTURE_OPEN);
    capture->len = s - capture->start;
    found = match_rest(m, s, p + 1);
    if (!found)
        capture->len = CAPTURE_OPEN;
    return found;
}

/* %1 to %9: the text of a capture once more. */
static const char *match_capture_again(struct pattern_match *m, const char *s, int digit)
{
    int index = digit - '1';
    const struct pattern_capture *capture = &m->captures[index < 0 ? 0 : index];

    if (index < 0 || index >= m->count || capture->len == CAPTURE_OPEN)
        luaL_error(m->budget.L, "invalid capture index %%%d", index + 1);
    if (capture->len < 0 || capture->len > m->text_end - s)
        return NULL; /* a position is no text */
    match_step(m, 1 + capture->len / 16);
    return memcmp(capture->start, s, (size_t)capture->len) == 0 ? s + capture->len : NULL;
}

/* --- the rest ------------------------------------------------------------------------ */

/* %bxy, p behind the "b": from an x to the y that balances it. */
static const char *match_balance(struct pattern_match *m, const char *s, const char *p)
{
    size_t open = 1;

    if (m->pattern_end - p < 2)
        luaL_error(m->budget.L, "malformed pattern (missing arguments to '%%b')");
    if (*s != p[0])
        return NULL;
    while (++s < m->text_end) {
        match_step(m, 1);
        if (*s == p[1]) {
            if (--open == 0)
                return s + 1;
        } else if (*s == p[0]) {
            open++;
        }
    }
    return NULL;
}

/* %f[set]: between a character outside of the set and one inside; p at "[". */
static bool at_frontier(struct pattern_match *m, const char *s, const char *p, const char *end)
{
    int before = s == m->text ? '\0' : (unsigned char)s[-1];

    match_step(m, end - p);
    return !set_has(p, end - 1, before) && set_has(p, end - 1, (unsigned char)*s);
}

/* An item that is more than one character, at a "%"; moves p behind it. */
static const char *match_special(struct pattern_match *m, const char *s, const char **p)
{
    const char *item = *p, *end;

    if (item[1] == 'b') {
        *p = item + 4;
        return match_balance(m, s, item + 2);
    }
    if (item[1] != 'f') {
        *p = item + 2;
        return match_capture_again(m, s, (unsigned char)item[1]);
    }
    if (item[2] != '[')
        luaL_error(m->budget.L, "missing '[' after '%%f' in pattern");
    end = item_end(m, item + 2);
    *p = end;
    return at_frontier(m, s, item + 2, end) ? s : NULL;
}

static inline bool is_special(const char *p)
{
    return *p == ESCAPE && (p[1] == 'b' || p[1] == 'f' || (p[1] >= '0' && p[1] <= '9'));
}

/* Matches what is left of the pattern: items in a row in a loop, and by a call
 * whatever may have to come back for another try. */
static const char *match_items(struct pattern_match *m, const char *s, const char *p)
{
    while (p != m->pattern_end) {
        const char *end;

        match_step(m, 1);
        if (*p == '(')
            return open_capture(m, s, p);
        if (*p == ')')
            return close_capture(m, s, p);
        if (*p == '$' && p + 1 == m->pattern_end)
            return s == m->text_end ? s : NULL;
        if (is_special(p)) {
            const char *next = p;

            s = match_special(m, s, &next);
            if (!s)
                return NULL;
            p = next;
            continue;
        }
        end = item_end(m, p);
        if (!item_fits(m, s, p, end)) {
            if (*end != '*' && *end != '?' && *end != '-')
                return NULL;
            p = end + 1; /* none of it is fine */
        } else if (*end == '*' || *end == '+') {
            return match_most(m, *end == '+' ? s + 1 : s, p, end);
        } else if (*end == '-') {
            return match_least(m, s, p, end);
        } else if (*end == '?') {
            const char *found = match_rest(m, s + 1, end + 1);

            if (found)
                return found;
            p = end + 1;
        } else {
            s++;
            p = end;
        }
    }
    return s;
}

static const char *match_rest(struct pattern_match *m, const char *s, const char *p)
{
    if (m->depth-- == 0)
        luaL_error(m->budget.L, "pattern too complex");
    s = match_items(m, s, p);
    m->depth++;
    return s;
}

/* --- the way in ------------------------------------------------------------------------ */

void match_init(struct pattern_match *match, lua_State *L, struct str text, struct str pattern)
{
    match->budget = (struct budget){ .L = L };
    match->before = 0;
    match->text = text.ptr;
    match->text_end = text.ptr + text.len;
    match->pattern = pattern.ptr;
    match->pattern_end = pattern.ptr + pattern.len;
    match->count = 0;
}

const char *match_at(struct pattern_match *match, const char *at)
{
    match->count = 0;
    match->depth = MATCH_DEPTH_MAX;
    return match_rest(match, at, match->pattern);
}

void match_push(struct pattern_match *match, int index, const char *start, const char *end)
{
    const struct pattern_capture *capture = &match->captures[index];
    lua_State *L = match->budget.L;

    if (index >= match->count) {
        if (index != 0)
            luaL_error(L, "invalid capture index %%%d", index + 1);
        lua_pushlstring(L, start, (size_t)(end - start));
    } else if (capture->len == CAPTURE_OPEN) {
        luaL_error(L, "unfinished capture");
    } else if (capture->len == CAPTURE_POSITION) {
        lua_pushinteger(L, capture->start - match->text + 1);
    } else {
        lua_pushlstring(L, capture->start, (size_t)capture->len);
    }
}

int match_push_all(struct pattern_match *match, const char *start, const char *end)
{
    int count = match->count == 0 && start ? 1 : match->count;

    luaL_checkstack(match->budget.L, count, "too many captures");
    for (int i = 0; i < count; i++)
        match_push(match, i, start, end);
    return count;
}

const char *match_plain(struct pattern_match *match, const char *at)
{
    size_t len = (size_t)(match->pattern_end - match->pattern);

    if (len == 0)
        return at;
    while ((size_t)(match->text_end - at) >= len) {
        const char *last = match->text_end - len;
        const char *found = memchr(at, match->pattern[0], (size_t)(last - at) + 1);

        if (!found || memcmp(found, match->pattern, len) == 0)
            return found;
        budget_step(&match->budget, 1 + (ptrdiff_t)(len + (size_t)(found - at)) / 64);
        at = found + 1;
        if (match->budget.over)
            return at;
    }
    return NULL;
}

bool pattern_is_plain(struct str pattern)
{
    const char *end = pattern.ptr + pattern.len;

    for (const char *p = pattern.ptr; p <= end; p += strlen(p) + 1) /* a NUL may be in it */
        if (strpbrk(p, "^$*+?.([%-"))
            return false;
    return true;
}
