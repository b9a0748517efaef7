/* Two indexes on one array: numbers count up, so the array is a ring of the last IDS_MAX; objects
 * are found by a table of hashes with open addressing. */
#include "platform/atspi/bus/ids.h"

#include <pthread.h>
#include <stdlib.h>

#include "platform/atspi/bus/hash.h"

struct entry {
    char *key; /* bus, NUL, path */
    const char *path;
    int pid;
    uint64_t parent, frame, pane, hash;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries; /* entries[id % capacity] */
static size_t capacity;
static uint64_t first = 1, next = 1; /* numbers in use: first..next - 1 */
static uint64_t *table;              /* 0: empty; else the number */
static size_t slots;                 /* a power of two, or 0 */

static struct entry *entry_of(uint64_t id)
{
    return &entries[id % capacity];
}

static size_t slot_of(uint64_t hash, const char *bus, const char *path)
{
    size_t slot = hash & (slots - 1);

    for (; table[slot]; slot = (slot + 1) & (slots - 1)) {
        const struct entry *entry = entry_of(table[slot]);

        if (entry->hash == hash && strcmp(entry->key, bus) == 0 && strcmp(entry->path, path) == 0)
            break;
    }
    return slot;
}

static void ids_put(uint64_t id)
{
    size_t slot = entry_of(id)->hash & (slots - 1);

    while (table[slot])
        slot = (slot + 1) & (slots - 1);
    table[slot] = id;
}

static void rebuild(size_t wanted)
{
    free(table);
    slots = wanted;
    table = mem_zero(slots * sizeof *table);
    for (uint64_t id = first; id < next; id++)
        ids_put(id);
}

static void forget_oldest(void)
{
    uint64_t until = first + capacity / 4;

    for (; first < until; first++)
        free(entry_of(first)->key);
    rebuild(slots);
}

/* The number of slots: at least half of them stay empty, because a search ends at an empty one. */
static size_t slots_for(size_t count)
{
    size_t wanted = 4096;

    while (wanted < count * 2)
        wanted *= 2;
    return wanted;
}

static void ids_grow(void)
{
    size_t old = capacity;
    struct entry *moved;

    capacity = old ? old * 2 : 1024;
    if (capacity > IDS_MAX)
        capacity = IDS_MAX;
    moved = mem_zero(capacity * sizeof *moved);
    for (uint64_t id = first; old && id < next; id++)
        moved[id % capacity] = entries[id % old];
    free(entries);
    entries = moved;
    rebuild(slots_for(capacity));
}

static void make_room(void)
{
    if (next - first < capacity)
        return;
    if (capacity < IDS_MAX)
        ids_grow();
    else
        forget_oldest();
}

static uint64_t ids_add(const char *bus, const char *path, uint64_t hash)
{
    size_t bus_len = strlen(bus), path_len = strlen(path);
    struct entry *entry;

    make_room();
    entry = entry_of(next);
    *entry = (struct entry){ .key = mem_alloc(bus_len + path_len + 2), .hash = hash };
    memcpy(entry->key, bus, bus_len + 1);
    memcpy(entry->key + bus_len + 1, path, path_len + 1);
    entry->path = entry->key + bus_len + 1;
    ids_put(next);
    return next++;
}

uint64_t ids_of(const char *bus, const char *path, int pid, uint64_t parent, uint64_t frame)
{
    uint64_t hash = hash_object(bus, path), id;
    struct entry *entry;

    pthread_mutex_lock(&lock);
    id = slots ? table[slot_of(hash, bus, path)] : 0;
    if (!id)
        id = ids_add(bus, path, hash);
    entry = entry_of(id);
    entry->pid = pid ? pid : entry->pid;
    entry->parent = parent ? parent : entry->parent;
    entry->frame = frame ? frame : entry->frame;
    pthread_mutex_unlock(&lock);
    return id;
}

uint64_t ids_find(const char *bus, const char *path)
{
    uint64_t id;

    pthread_mutex_lock(&lock);
    id = slots ? table[slot_of(hash_object(bus, path), bus, path)] : 0;
    pthread_mutex_unlock(&lock);
    return id;
}

bool ids_look(uint64_t id, struct known_object *out)
{
    bool known;

    *out = (struct known_object){ 0 };
    pthread_mutex_lock(&lock);
    known = id >= first && id < next;
    if (known) {
        const struct entry *entry = entry_of(id);

        *out = (struct known_object){ mem_strdup(entry->key), mem_strdup(entry->path), entry->pid,
                                      entry->parent, entry->frame };
    }
    pthread_mutex_unlock(&lock);
    return known;
}

uint64_t ids_pane(uint64_t id)
{
    uint64_t pane;

    pthread_mutex_lock(&lock);
    pane = id >= first && id < next ? entry_of(id)->pane : 0;
    pthread_mutex_unlock(&lock);
    return pane;
}

void ids_set_pane(uint64_t id, uint64_t pane)
{
    pthread_mutex_lock(&lock);
    if (id >= first && id < next)
        entry_of(id)->pane = pane;
    pthread_mutex_unlock(&lock);
}

void known_object_free(struct known_object *object)
{
    free(object->bus);
    free(object->path);
    *object = (struct known_object){ 0 };
}
