/* The Child object of sys.process: child.c is its life, talk.c its methods that wait. */
#ifndef PERIGEE_SYS_PROCESS_CHILD_OBJECT_H
#define PERIGEE_SYS_PROCESS_CHILD_OBJECT_H

#include <lua.h>

#include "process/process.h"
#include "script/bind.h"
#include "sys/process/lines.h"

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

/* The object at CHILD_AT; raises when it is not one. */
struct child_object *child_check(lua_State *L);

/* Unread bytes of its stdout. */
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

/* The metatable, when the module is opened. */
void process_child_init(lua_State *L);

#endif
