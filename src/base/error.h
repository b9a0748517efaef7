/* An error: a code for programs and a message for people.
 *
 * The caller owns the struct; there is nothing to free and it can always be printed. A function
 * that can fail takes one, returns false (or NULL) and fills it; on success it leaves it alone.
 * `err` may be NULL everywhere. */
#ifndef PERIGEE_BASE_ERROR_H
#define PERIGEE_BASE_ERROR_H

#include <stdbool.h>

#include "base/util.h"

struct error {
    char code[48];  /* stable, machine readable: "not_found", "timeout", ... */
    char text[480]; /* one or two sentences: what failed, on what, why, what next */
};

/* Fills err (cut to fit, never inside a UTF-8 sequence) and returns false, so
 * that a failing function can `return error_set(err, ...)`. */
bool error_set(struct error *err, const char *code, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool error_vset(struct error *err, const char *code, const char *fmt, va_list args);

/* "WHAT: reason" of a system error number, with its code: "not_found", "permission_denied",
 * "exists", "no_space", "timeout", "io_error", ... Returns false. */
bool error_errno(struct error *err, int number, const char *fmt, ...) PRINTF_LIKE(3, 4);

#endif
