/* Lua's patterns, with an end: matching that takes too long raises.
 *
 * The language is that of Lua 5.4 to the letter, its error texts included. What
 * differs is that the matcher looks at the clock (see budget.h): it ends with its
 * task, and gives up after 100 ms at one place of the text, or when a whole call
 * took far more steps than its text has bytes ("%s+$" on a line of blanks takes
 * the square of their number). */
#ifndef PERIGEE_SCRIPT_STDLIB_PATTERN_H
#define PERIGEE_SCRIPT_STDLIB_PATTERN_H

#include <lua.h>

#include "base/util.h"
#include "script/budget.h"

struct pattern_capture {
    const char *start;
    ptrdiff_t len; /* or one of these */
};
enum { CAPTURE_OPEN = -1, CAPTURE_POSITION = -2, CAPTURES_MAX = 32 };

/* Borrows text and pattern, which must end in NUL as Lua's strings do. */
struct pattern_match {
    struct budget budget;
    uint64_t before; /* steps of this call before the last break */
    const char *text, *text_end;
    const char *pattern, *pattern_end;
    int depth; /* how much deeper the matcher may call itself */
    int count; /* number of captures */
    struct pattern_capture captures[CAPTURES_MAX];
};

/* The pattern comes without the "^" that anchors it, which is the caller's business. `before` is 0.
 */
void match_init(struct pattern_match *match, lua_State *L, struct str text, struct str pattern);

/* Matches at this place of the text: the end of the match, or NULL. Raises what is
 * wrong with the pattern. */
const char *match_at(struct pattern_match *match, const char *at);

/* The steps of this call so far: what `before` is to be after a break. */
uint64_t match_steps(const struct pattern_match *match);

/* Pushes a capture of the match from `start` to `end`, after match_at(): a string, or an integer
 * for a position. Captures count from 0; without captures, capture 0 is the whole match. */
void match_push(struct pattern_match *match, int index, const char *start, const char *end);

/* Pushes all, and returns how many; nothing when there are none and `start` is NULL. */
int match_push_all(struct pattern_match *match, const char *start, const char *end);

/* The first place at or after `at` where the pattern stands literally, or NULL; or,
 * with match->budget.over set, the place to go on from after a break. */
const char *match_plain(struct pattern_match *match, const char *at);

/* Has a pattern no character with a meaning? */
bool pattern_is_plain(struct str pattern);

#endif
