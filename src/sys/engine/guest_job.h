/* The parts that a client's script and a foreign tool share: the first frame, and lib files. */
#ifndef PERIGEE_SYS_ENGINE_GUEST_JOB_H
#define PERIGEE_SYS_ENGINE_GUEST_JOB_H

#include <lua.h>

#include "guest/guest.h"

enum {
    GUEST_MEMORY = 64 * 1024 * 1024,
    GUEST_OUTPUT = 64 * 1024,
};

struct guest_job {
    size_t memory, output; /* bytes */
    double seconds;
    bool as_text;
    int root; /* the root of the file; HOME_NONE: a script */
    const char *name;
    const char *tool, *toolset; /* "": a script */
    struct str code;
};

/* Appends the JOB frame, whose argument is the value at this index. Sets err if it fails. May raise
 * (memory). */
bool guest_job_write(lua_State *L, const struct guest_job *job, int argument, struct buf *out,
                     struct error *err);

/* Answers a FIND frame by a SOURCE frame. `find` is like that of sandbox_spec. */
void guest_answer_find(struct guest *guest, struct frame *frame,
                       bool (*find)(void *arg, int *home, const char *name, struct buf *path,
                                    struct buf *source, struct error *err),
                       void *arg);

#endif
