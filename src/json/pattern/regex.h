/* Regular expressions of ECMA-262, matched by PCRE2, which sits in the module
 * "pcre2" and is opened when the first pattern is compiled. Main thread only. */
#ifndef PERIGEE_JSON_PATTERN_REGEX_H
#define PERIGEE_JSON_PATTERN_REGEX_H

#include "base/error.h"

struct regex;

/* Is this a pattern? Needs no module. False with "invalid_pattern" and the place. */
bool regex_check(const char *pattern, size_t len, struct error *err);

/* NULL with "invalid_pattern" or an error of module_symbol(). */
struct regex *regex_compile(const char *pattern, size_t len, struct error *err);
void regex_free(struct regex *regex); /* accepts NULL */

enum regex_result { REGEX_ERROR = -1, REGEX_NO, REGEX_YES };

/* Does it match somewhere in the text? REGEX_ERROR with "pattern_too_costly" when
 * the search was given up after REGEX_STEPS steps. Text that is not UTF-8
 * matches nothing. */
enum regex_result regex_match(const struct regex *regex, const char *text, size_t len,
                              struct error *err);

enum { REGEX_STEPS = 500000 };

/* The operations that the module exports as `perigee_regex`. Patterns are in PCRE2's dialect. */
struct regex_ops {
    void *(*compile)(const char *pattern, size_t len, struct error *err);
    enum regex_result (*match)(const void *code, const char *text, size_t len, struct error *err);
    void (*free)(void *code);
};

#endif
