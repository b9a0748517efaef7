/* The other end of platform/osascript/osa_helper.h: takes its lines, runs scripts, and keeps
 * compiled scripts.
 *
 * A table has the functions that compile and run: OSAKit on a Mac (macos/osa.m), a double in the
 * tests. One thread. */
#ifndef PERIGEE_PLATFORM_OSASCRIPT_OSA_SERVER_H
#define PERIGEE_PLATFORM_OSASCRIPT_OSA_SERVER_H

#include "base/buf.h"

struct osa_server;

/* The reason why a script did not compile or run. */
struct osa_failure {
    int number;       /* 0: none was given */
    char *message;    /* owned; NULL: it gave none */
    int from, length; /* characters of the script */
};

struct osa_engine {
    /* A compiled script, or NULL and a failure. */
    void *(*compile)(struct str text, struct osa_failure *failure);
    /* Runs the script with its properties as they were compiled, `on run argv` with these
     * (NULL-terminated), and appends the result as UTF-8; or false and a failure. */
    bool (*run)(void *script, char *const *args, struct buf *output, struct osa_failure *failure);
    void (*end)(void *script);
};

enum {
    OSA_SCRIPTS_MAX = 32,              /* kept compiled; the least recently used one is dropped */
    OSA_TEXT_MAX = 256 * 1024,         /* bytes; a longer script is compiled each time */
    OSA_REQUEST_MAX = 8 * 1024 * 1024, /* bytes of a line */
};

struct osa_server *osa_server_new(const struct osa_engine *engine);
void osa_server_free(struct osa_server *server); /* NULL is fine */

/* Appends the line that reports that it is ready. */
void osa_server_greet(struct buf *out);

/* Runs the request in a line and appends the answer. False: it is not a request, and its sender is
 * not to be served. SIGALRM ends the process when a script runs a second longer than its time,
 * which only happens if no helper's owner is left to kill it sooner. */
bool osa_server_line(struct osa_server *server, const char *line, size_t len, struct buf *out);

#endif
