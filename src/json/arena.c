/* Bump allocation in blocks. Where addresses are checked (AddressSanitizer)
 * no block is kept for reuse, so that a node used after its document was freed
 * is found. */
#include "json/arena.h"

#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_CHECKED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_CHECKED 1
#endif

#define ALIGNMENT                                                                                  \
    sizeof(union {                                                                                 \
        void *p;                                                                                   \
        double d;                                                                                  \
        uint64_t n;                                                                                \
    })

struct arena_block {
    struct arena_block *before;
    size_t size; /* bytes in `data` */
    char data[];
};

enum { DATA_SIZE = ARENA_BLOCK - sizeof(struct arena_block), LASTING_SIZE = 1000 };

static struct arena_block *store;
static size_t stored;

static struct arena_block *block_new(size_t size)
{
    struct arena_block *block = mem_alloc(sizeof *block + size);

    block->size = size;
    return block;
}

static struct arena_block *block_take(size_t size)
{
    struct arena_block *block = store;

    if (size > DATA_SIZE)
        return block_new(size);
    if (!block)
        return block_new(DATA_SIZE);
    store = block->before;
    stored--;
    return block;
}

static void block_free(struct arena_block *block)
{
#ifndef ARENA_CHECKED
    if (block->size == DATA_SIZE && stored < ARENA_KEPT_MAX) {
        block->before = store;
        store = block;
        stored++;
        return;
    }
#endif
    free(block);
}

static void arena_grow(struct arena *arena, size_t size)
{
    struct arena_block *block = arena->lasting ? block_new(size) : block_take(size);

    block->before = arena->block;
    arena->block = block;
    arena->at = block->data;
    arena->end = block->data + block->size;
}

void arena_init(struct arena *arena, size_t size)
{
    arena->block = NULL;
    arena->lasting = false;
    arena_grow(arena, size);
}

void arena_init_lasting(struct arena *arena, size_t size)
{
    arena->block = NULL;
    arena->lasting = true;
    arena_grow(arena, size);
}

void arena_finish(struct arena *arena)
{
    struct arena_block *block = arena->block;

    while (block) {
        struct arena_block *before = block->before;

        block_free(block);
        block = before;
    }
}

void *arena_alloc(struct arena *arena, size_t size)
{
    char *piece;

    size = (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    if (UNLIKELY((size_t)(arena->end - arena->at) < size))
        arena_grow(arena, arena->lasting && size < LASTING_SIZE ? LASTING_SIZE : size);
    piece = arena->at;
    arena->at += size;
    return piece;
}

bool arena_holds(const struct arena *arena, const void *ptr)
{
    for (const struct arena_block *block = arena->block; block; block = block->before) {
        if ((uintptr_t)ptr - (uintptr_t)block->data < block->size)
            return true;
    }
    return false;
}

size_t arena_kept(void)
{
    return stored;
}
