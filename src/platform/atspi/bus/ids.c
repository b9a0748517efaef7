/* An object is known by its application's connection and its path there. */
#include "platform/atspi/bus/ids.h"

#include <pthread.h>
#include <stdlib.h>

#include "platform/atspi/bus/hash.h"
#include "platform/element_ids.h"

struct entry {
    char *key; /* bus, NUL, path */
    const char *path;
    int pid;
    uint64_t parent, frame, pane;
};

struct object {
    const char *bus, *path;
};

static bool is_entry_of(const void *known, const void *wanted)
{
    const struct entry *entry = known;
    const struct object *object = wanted;

    return strcmp(entry->key, object->bus) == 0 && strcmp(entry->path, object->path) == 0;
}

static void drop_entry(void *entry)
{
    free(((struct entry *)entry)->key);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct element_ids ids = {
    .bytes = sizeof(struct entry), .most = IDS_MAX, .is = is_entry_of, .drop = drop_entry
};

static uint64_t ids_add(const char *bus, const char *path)
{
    size_t bus_len = strlen(bus), path_len = strlen(path);
    uint64_t id = element_ids_add(&ids, hash_object(bus, path));
    struct entry *entry = element_ids_entry(&ids, id);

    entry->key = mem_alloc(bus_len + path_len + 2);
    memcpy(entry->key, bus, bus_len + 1);
    memcpy(entry->key + bus_len + 1, path, path_len + 1);
    entry->path = entry->key + bus_len + 1;
    return id;
}

/* Called with the lock held. */
static uint64_t find_id(const char *bus, const char *path)
{
    return element_ids_find(&ids, hash_object(bus, path), &(struct object){ bus, path });
}

uint64_t ids_of(const char *bus, const char *path, int pid, uint64_t parent, uint64_t frame)
{
    struct entry *entry;
    uint64_t id;

    pthread_mutex_lock(&lock);
    id = find_id(bus, path);
    if (!id)
        id = ids_add(bus, path);
    entry = element_ids_entry(&ids, id);
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
    id = find_id(bus, path);
    pthread_mutex_unlock(&lock);
    return id;
}

bool ids_look(uint64_t id, struct known_object *out)
{
    const struct entry *entry;

    *out = (struct known_object){ 0 };
    pthread_mutex_lock(&lock);
    entry = element_ids_entry(&ids, id);
    if (entry)
        *out = (struct known_object){ mem_strdup(entry->key), mem_strdup(entry->path), entry->pid,
                                      entry->parent, entry->frame };
    pthread_mutex_unlock(&lock);
    return out->bus != NULL;
}

uint64_t ids_pane(uint64_t id)
{
    const struct entry *entry;
    uint64_t pane;

    pthread_mutex_lock(&lock);
    entry = element_ids_entry(&ids, id);
    pane = entry ? entry->pane : 0;
    pthread_mutex_unlock(&lock);
    return pane;
}

void ids_set_pane(uint64_t id, uint64_t pane)
{
    struct entry *entry;

    pthread_mutex_lock(&lock);
    entry = element_ids_entry(&ids, id);
    if (entry)
        entry->pane = pane;
    pthread_mutex_unlock(&lock);
}

void known_object_free(struct known_object *object)
{
    free(object->bus);
    free(object->path);
    *object = (struct known_object){ 0 };
}
