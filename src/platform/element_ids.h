/* The numbers of elements: one for each object of an application, for the life of the process, and
 * an entry with what a backend knows of the object. Only one thread at a time may use a table: its
 * owner has a lock for it. */
#ifndef PERIGEE_PLATFORM_ELEMENT_IDS_H
#define PERIGEE_PLATFORM_ELEMENT_IDS_H

#include "base/util.h"

struct element_ids {
    size_t bytes; /* size of an entry */
    size_t most;  /* entries; more make the oldest ones forgotten, as if their objects were gone */
    bool (*is)(const void *entry, const void *object); /* the entry is that of the object */
    void (*drop)(void *entry);                         /* ends a forgotten entry */

    /* Zero at the beginning. */
    char *entries; /* the ring: a number's place is its remainder by `capacity` */
    size_t capacity;
    uint64_t forgotten, last; /* numbers in use: forgotten + 1 to last */
    struct id_slot {
        uint64_t id, hash; /* id 0: empty */
    } * table;             /* by the hashes, with open addressing */
    size_t slots;          /* a power of two, or 0; at least twice the capacity */
};

/* The number of the object, whose hash this is; 0: it has none. */
uint64_t element_ids_find(const struct element_ids *ids, uint64_t hash, const void *object);
/* Makes a number, which is greater than all before. The caller fills the entry, which is zeroed. */
uint64_t element_ids_add(struct element_ids *ids, uint64_t hash);
/* The entry, valid until the next number is made; NULL: there was none, or it is forgotten. */
void *element_ids_entry(const struct element_ids *ids, uint64_t id);
/* Forgets all entries. Their numbers are not given again. */
void element_ids_clear(struct element_ids *ids);

#endif
