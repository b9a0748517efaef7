/* Open addressing; at most half of the slots are taken. */
#include "taint/names.h"

#include <stdlib.h>

#include "base/bytes.h"

enum { ROOM_FIRST = 64 };

/* FNV-1a. A word that collides is still compared, so a collision is of no use to an attacker. */
static uint32_t hash_of(struct str word)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < word.len; i++)
        hash = (hash ^ (unsigned char)word.ptr[i]) * 16777619u;
    return hash;
}

static struct str word_at(const struct names *names, uint32_t slot)
{
    struct bytes from = { { names->text.data + (slot - 1), names->text.len - (slot - 1) }, false };

    return bytes_get_str(&from);
}

/* The slot of the word, or the free one for it. */
static uint32_t *names_find(const struct names *names, struct str word)
{
    size_t mask = names->room - 1;

    for (size_t i = hash_of(word);; i++) {
        uint32_t *slot = &names->slots[i & mask];

        if (!*slot || str_same(word_at(names, *slot), word))
            return slot;
    }
}

static void names_grow(struct names *names)
{
    struct names wider = { .text = names->text,
                           .room = names->room ? names->room * 2 : ROOM_FIRST };

    wider.slots = mem_zero(wider.room * sizeof *wider.slots);
    for (size_t i = 0; i < names->room; i++)
        if (names->slots[i])
            *names_find(&wider, word_at(names, names->slots[i])) = names->slots[i];
    wider.count = names->count;
    free(names->slots);
    *names = wider;
}

void names_free(struct names *names)
{
    buf_free(&names->text);
    free(names->slots);
    *names = (struct names){ 0 };
}

void names_add(struct names *names, struct str word)
{
    uint32_t *slot;

    if (names->count * 2 >= names->room)
        names_grow(names);
    slot = names_find(names, word);
    if (*slot)
        return;
    *slot = (uint32_t)names->text.len + 1;
    bytes_str(&names->text, word);
    names->count++;
}

bool names_has(const struct names *names, struct str word)
{
    return names->count && *names_find(names, word) != 0;
}
