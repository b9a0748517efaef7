/* Memory that is given out piece by piece and given back all at once. */
#ifndef PERIGEE_JSON_ARENA_H
#define PERIGEE_JSON_ARENA_H

#include "base/util.h"

struct arena_block;

struct arena {
    struct arena_block *block; /* the newest; owns it and those before it */
    char *at, *end;            /* its free part */
    bool lasting;
};

/* Room for `size` bytes in one block; asking for more than that adds blocks.
 * Blocks of the usual size come from and go back to a small store, so that a
 * steady stream of short-lived arenas allocates nothing. Main thread only. */
void arena_init(struct arena *arena, size_t size);

/* For what stays for long: blocks are as small as they can be. */
void arena_init_lasting(struct arena *arena, size_t size);

void arena_finish(struct arena *arena);

/* Never NULL; aligned for a pointer or a double. */
void *arena_alloc(struct arena *arena, size_t size);

/* Does this address lie in the arena? */
bool arena_holds(const struct arena *arena, const void *ptr);

/* How many blocks the store keeps now, and the most it ever keeps. */
size_t arena_kept(void);
enum { ARENA_BLOCK = 8 * 1024, ARENA_KEPT_MAX = 32 };

#endif
