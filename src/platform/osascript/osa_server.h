/* The other end of platform/osascript/osa_helper.h: takes its lines, runs scripts, and keeps what
 * it compiled.
 *
 * What compiles and runs is behind a table: OSAKit on a Mac (macos/osa.m), a double in the tests.
 * One thread. */
#ifndef PERIGEE_PLATFORM_OSASCRIPT_OSA_SERVER_H
#define PERIGEE_PLATFORM_OSASCRIPT_OSA_SERVER_H

#include "base/buf.h"

struct osa_server;

/* Why a script did not compile or run. */
struct osa_failure {
    int number;       /* 0: none was given */
    char *message;    /* owned; NULL: it did not say */
    int from, length; /* characters of the script */
};

struct osa_engine {
    /* A compiled script, or NULL and a failure. */
    void *(*compile)(struct str text, struct osa_failure *failure);
    /* Runs it with its properties as they were compiled, `on run argv` with these
     * (NULL-terminated), and appends what it returns as UTF-8; or false and a failure. */
    bool (*run)(void *script, char *const *args, struct buf *output, struct osa_failure *failure);
    void (*end)(void *script);
};

enum {
    OSA_SCRIPTS_MAX = 32,              /* that are kept compiled; the one not used longest goes */
    OSA_TEXT_MAX = 256 * 1024,         /* bytes; a longer text is compiled each time */
    OSA_REQUEST_MAX = 8 * 1024 * 1024, /* bytes of a line */
};

struct osa_server *osa_server_new(const struct osa_engine *engine);
void osa_server_free(struct osa_server *server); /* NULL is fine */

/* Appends the line that says it is ready. */
void osa_server_greet(struct buf *out);

/* Runs what a line asks for and appends the answer. False: it is no request, and whoever sends such
 * is not to be served. The process is ended by SIGALRM when a script runs a second longer than its
 * time, which only happens when nobody is left to kill it sooner. */
bool osa_server_line(struct osa_server *server, const char *line, size_t len, struct buf *out);

#endif
