/* Two indexes on one array: numbers count up, so the array is a ring of the last ones; objects are
 * found by a table of hashes. */
#include "platform/element_ids.h"

#include <stdlib.h>

enum { CAPACITY_FIRST = 1024 };

static void *place_of(const struct element_ids *ids, uint64_t id)
{
    return ids->entries + id % ids->capacity * ids->bytes;
}

/* The slot where a search begins. Neighbors of a hash that counts up must not all want the same. */
static size_t first_slot(const struct element_ids *ids, uint64_t hash)
{
    return (size_t)((hash * 0x9e3779b97f4a7c15u) >> 16) & (ids->slots - 1);
}

static size_t next_slot(const struct element_ids *ids, size_t slot)
{
    return (slot + 1) & (ids->slots - 1);
}

static void put_id(struct element_ids *ids, struct id_slot it)
{
    size_t slot = first_slot(ids, it.hash);

    while (ids->table[slot].id)
        slot = next_slot(ids, slot);
    ids->table[slot] = it;
}

/* Makes the table again, so large that half of it stays empty: a search ends at an empty slot. */
static void rebuild_table(struct element_ids *ids)
{
    const struct id_slot *old = ids->table;
    size_t count = ids->slots;

    for (ids->slots = 1; ids->slots < ids->capacity * 2;)
        ids->slots *= 2;
    ids->table = mem_zero(ids->slots * sizeof *ids->table);
    for (size_t i = 0; i < count; i++)
        if (old[i].id > ids->forgotten)
            put_id(ids, old[i]);
    free((void *)(uintptr_t)old);
}

static void grow_ring(struct element_ids *ids)
{
    struct element_ids old = *ids;

    ids->capacity = old.capacity ? old.capacity * 2 : CAPACITY_FIRST;
    if (ids->capacity > ids->most)
        ids->capacity = ids->most;
    ids->entries = mem_zero(ids->capacity * ids->bytes);
    for (uint64_t id = ids->forgotten + 1; old.capacity && id <= ids->last; id++)
        memcpy(place_of(ids, id), place_of(&old, id), ids->bytes);
    free(old.entries);
    rebuild_table(ids);
}

static void forget_until(struct element_ids *ids, uint64_t last)
{
    while (ids->forgotten < last)
        ids->drop(place_of(ids, ++ids->forgotten));
}

static void make_room(struct element_ids *ids)
{
    if (ids->last - ids->forgotten < ids->capacity)
        return;
    if (ids->capacity < ids->most) {
        grow_ring(ids);
        return;
    }
    forget_until(ids, ids->forgotten + (ids->capacity + 3) / 4);
    rebuild_table(ids);
}

uint64_t element_ids_find(const struct element_ids *ids, uint64_t hash, const void *object)
{
    if (!ids->slots)
        return 0;
    for (size_t slot = first_slot(ids, hash);; slot = next_slot(ids, slot)) {
        const struct id_slot *it = &ids->table[slot];

        if (!it->id || (it->hash == hash && ids->is(place_of(ids, it->id), object)))
            return it->id;
    }
}

uint64_t element_ids_add(struct element_ids *ids, uint64_t hash)
{
    make_room(ids);
    memset(place_of(ids, ++ids->last), 0, ids->bytes);
    put_id(ids, (struct id_slot){ ids->last, hash });
    return ids->last;
}

void *element_ids_entry(const struct element_ids *ids, uint64_t id)
{
    return id > ids->forgotten && id <= ids->last ? place_of(ids, id) : NULL;
}

void element_ids_clear(struct element_ids *ids)
{
    forget_until(ids, ids->last);
    free(ids->entries);
    free(ids->table);
    ids->entries = NULL;
    ids->table = NULL;
    ids->capacity = ids->slots = 0;
}
