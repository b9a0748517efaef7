/* sys.process, shared by its files: what to start, and the Child object. */
#ifndef PERIGEE_SYS_PROCESS_CHILD_OBJECT_H
#define PERIGEE_SYS_PROCESS_CHILD_OBJECT_H

#include <lua.h>

#include "base/buf.h"
#include "process/process.h"
#include "script/bind.h"
#include "sys/process/lines.h"

enum {
    LAUNCH_GRACE_MS = 500,                /* from SIGTERM to SIGKILL when the time is up */
    LAUNCH_TIMEOUT_MAX = 3600,            /* seconds */
    LAUNCH_OUTPUT = 1024 * 1024,          /* bytes kept of a stream */
    LAUNCH_OUTPUT_MAX = 64 * 1024 * 1024, /* at most */
};

/* A checked `sys.process.Spec`. */
struct launch {
    struct process_spec spec;
    struct buf words;   /* argv, then the environment; each ends in NUL */
    const char **lists; /* argv, NULL, environment, NULL: pointers into words */
};

/* Pushes one made from the table at `arg`, which must stay where it is until
 * the process was started. Raises on what is no such spec. */
struct launch *launch_push(lua_State *L, int arg, double timeout);

/* When it was started; frees what the collector would. */
void launch_done(struct launch *launch);

/* Pushes a sys.process.Result without stdout and stderr. */
void process_push_result(lua_State *L, const struct process_result *result);

/* The last line of an error stream, for messages: at most 200 bytes of it, or none. */
struct str process_last_words(const struct buf *errors);

/* --- children ----------------------------------------------------------------- */

#define CHILD "sys.process.Child"

enum { CHILD_AT = 1 }; /* where the object is on the stack of its methods */

struct child_object {
    struct process *process;      /* NULL: it ended or was closed */
    struct process_result result; /* once it ended */
    struct lines out;
    struct buf errors;
    size_t max;                 /* bytes of out */
    struct waiting_task reader; /* in read_line() or wait() */
    struct waiting_task writer;
    uint64_t closed_at;
    int pid;
    bool ended, closed;
    bool out_closed; /* its stdout is at its end, since closed_at */
    bool paused;
    bool waiting; /* the reader is in wait(): output beyond max is dropped */
    char name[80];
};

/* The object at CHILD_AT; raises when it is none. */
struct child_object *child_check(lua_State *L);

/* Bytes of its stdout that nobody has read. */
static inline size_t child_unread(const struct child_object *child)
{
    return lines_rest(&child->out).len;
}

void child_push_errors(lua_State *L, const struct child_object *child);

/* talk.c: its methods that wait. */
int child_read_line(lua_State *L);
int child_wait(lua_State *L);
int child_write(lua_State *L);

/* sys.process.start */
int process_start_child(lua_State *L);

/* The metatables, when the module is opened. */
void launch_init(lua_State *L);
void process_child_init(lua_State *L);

#endif
