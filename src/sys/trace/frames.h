/* Keeps where time was spent, as a tree of functions and a table of lines. There is no Lua in
 * here. */
#ifndef PERIGEE_SYS_TRACE_FRAMES_H
#define PERIGEE_SYS_TRACE_FRAMES_H

#include "base/util.h"

/* A function, as the functions above it reached it. */
struct frame {
    struct frame *above, *first, *next; /* next: the next one below the same function */
    const char *name;     /* "run", "sys.time.sleep"; the frames own it, and `source` */
    const char *source;   /* "tools/a/b.lua"; NULL: it is in C */
    int line;             /* where it is defined; 0: the whole file, or C */
    uint64_t runs, waits; /* its own nanoseconds, without those below it */
};

struct line {
    const char *source;
    int line;
    uint64_t runs, waits;
};

struct frames {
    struct frame root;
    struct line **lines; /* a hash table: places that may be NULL */
    size_t line_count, line_room;
    char **texts;
    size_t text_count, text_room;
};

void frames_finish(struct frames *frames); /* zeroed memory is empty */

/* Returns this function below `above`, and makes it if it is new. Copies the texts. Functions of
 * Lua are told apart by source and line, others by their names. */
struct frame *frames_below(struct frames *frames, struct frame *above, const char *name,
                           const char *source, int line);

/* Returns this line, and makes it if it is new. Borrowed: it stays where it is. */
struct line *frames_line(struct frames *frames, const char *source, int line);

#endif
