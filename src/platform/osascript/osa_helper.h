/* A process that keeps AppleScript ready: `perigee --osa-helper`, where it is wanted.
 *
 * One osascript for each script costs its start and its compilation, about a tenth of a second. The
 * helper compiles a text once. It runs one script at a time, and is killed with it when that takes
 * too long; the next script gets another. A helper that dies before it is ready, or three times in
 * a row, is given up: scripts then go to osascript again.
 *
 * The protocol, one JSON object a line, text in UTF-8:
 *
 *     < {"perigee_osa":1}                                                     it is ready
 *     > {"id":7,"text":"on run argv ...","args":["a"],"timeout":10}           seconds
 *     < {"id":7,"output":"..."}
 *     < {"id":8,"error":{"number":-1728,"message":"...","range":[12,5],"compiling":false}} */
#ifndef PERIGEE_PLATFORM_OSASCRIPT_OSA_HELPER_H
#define PERIGEE_PLATFORM_OSASCRIPT_OSA_HELPER_H

#include <uv.h>

#include "base/error.h"

struct osa_helper;
struct osa_run;

/* An answer. Strings are borrowed for the call that passes it. */
struct osa_answer {
    enum {
        OSA_DONE,   /* output */
        OSA_FAILED, /* the script failed: number, message, from, to, compiling */
        OSA_LOST,   /* the helper ended while the script ran: err */
        OSA_NEVER,  /* the helper ended before it took the script: let osascript run it */
    } kind;
    struct str output;  /* without a newline at its end */
    int number;         /* 0: none was given */
    struct str message; /* in the user's language */
    int from, to;       /* characters of the script; both 0: not reported */
    bool compiling;
    struct error err; /* "timeout", "too_large", "helper_lost" */
};

/* Starts nothing: the first script does. The environment variable PERIGEE_OSA_HELPER says whether
 * there is one at all: absent, empty or "0" is no; "1" is this program; else the path of another
 * that is started as PATH --osa-helper. */
struct osa_helper *osa_helper_new(uv_loop_t *loop);

/* Kills the helper. The run that is under way gets no answer. The loop has to turn afterwards. NULL
 * is fine. */
void osa_helper_free(struct osa_helper *helper);

/* True if the helper is wanted, not given up, and runs no script: a script need not wait for
 * another. False for NULL. */
bool osa_helper_is_free(const struct osa_helper *helper);

/* Runs a script; only while the helper is free. `done` comes once, from the loop, and may call
 * osa_run_free(). NULL: the helper cannot be started. text and args (NULL-terminated, or NULL) are
 * valid UTF-8, copied; timeout_ms 0: no limit. The caller owns the result. */
struct osa_run *osa_helper_run(struct osa_helper *helper, struct str text, const char *const *args,
                               uint64_t timeout_ms,
                               void (*done)(void *arg, const struct osa_answer *answer), void *arg);

/* Before `done`: kills the helper, because nothing else ends its script. NULL is fine. */
void osa_run_free(struct osa_run *run);

#endif
