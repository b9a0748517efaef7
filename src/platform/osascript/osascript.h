/* AppleScript by the program `osascript` of macOS, and the meaning of its errors.
 *
 * A program of its own, because it can be stopped and its crash is not ours. Values go in as
 * arguments (`on run argv`), never inside the text of a script. PERIGEE_OSASCRIPT names another
 * program to run instead (for tests). */
#ifndef PERIGEE_PLATFORM_OSASCRIPT_OSASCRIPT_H
#define PERIGEE_PLATFORM_OSASCRIPT_OSASCRIPT_H

#include <uv.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/util.h"
#include "platform/osascript/osa_helper.h"

struct osascript;

/* Borrowed until osascript_start() returns. */
struct osascript_spec {
    const char *file;        /* absolute path of a script; NULL: its text is given */
    struct str text;         /* goes to stdin; copied */
    const char *const *args; /* NULL-terminated; NULL: none */
    const char *terms;   /* a bundle id for osascript_set_terms(); the text then goes to stdin */
    uint64_t timeout_ms; /* 0: none; then the group is killed: "timeout" */
    /* Runs the script if it is free and the script is UTF-8, else osascript does; lent until the
     * script is freed. NULL: always osascript. */
    struct osa_helper *helper;
};

struct osascript_result {
    bool ok;
    struct str output; /* its output, without the last newline; borrowed for the call */
    struct error err;  /* when not ok: what failed and what to do next */
    int number;        /* osascript's own error number; 0: none was given */
};

/* NULL and err ("no_osascript", ...) when it cannot be started; else `done` comes
 * once, from the loop, and may call osascript_free(). Owned by the caller. */
struct osascript *osascript_start(uv_loop_t *loop, const struct osascript_spec *spec,
                                  void (*done)(void *arg, const struct osascript_result *result),
                                  void *arg, struct error *err);

/* Kills the script if it runs; `done` does not come then. Accepts NULL. */
void osascript_free(struct osascript *script);

/* Turns osascript's stderr into an error with one of the stable codes and the next step for the
 * user; returns its number, 0 if it gave none. `errors` may be empty. */
int osascript_explain(struct str errors, struct error *err);

/* Appends the text to out with another id in its lines `using terms from
 * application id "..."`. The caller has checked that `terms` holds no quote. */
void osascript_set_terms(struct str text, const char *terms, struct buf *out);

#endif
