/* Two indexes on one array: numbers count up, so the array is a ring of the last AX_IDS_MAX;
 * elements are found by a table of hashes with open addressing. CFEqual() and CFHash() compare the
 * objects in the application, not the references to them (AXUIElement.h). */
#include "platform/macos/ax/ids.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ax_known *entries; /* entries[id % capacity] */
static size_t capacity;
static uint64_t first = 1, next = 1; /* numbers in use: first..next - 1 */
static uint64_t *table;              /* 0: empty; else the number */
static size_t slots;                 /* a power of two, or 0; twice the capacity or more */

static struct ax_known *id_entry(uint64_t id)
{
    return &entries[id % capacity];
}

/* Neighbors of a hash that counts up must not all want the same place. */
static size_t hash_place(AXUIElementRef element)
{
    return (size_t)((CFHash(element) * 0x9e3779b97f4a7c15u) >> 16) & (slots - 1);
}

static size_t element_slot(AXUIElementRef element)
{
    size_t slot = hash_place(element);

    while (table[slot] && !CFEqual(id_entry(table[slot])->element, element))
        slot = (slot + 1) & (slots - 1);
    return slot;
}

static void rebuild_table(void)
{
    free(table);
    for (slots = 2048; slots < capacity * 2;)
        slots *= 2;
    table = mem_zero(slots * sizeof *table);
    for (uint64_t id = first; id < next; id++)
        table[element_slot(id_entry(id)->element)] = id;
}

static void grow_entries(void)
{
    size_t old = capacity;
    struct ax_known *moved;

    capacity = old ? old * 2 : 1024;
    if (capacity > AX_IDS_MAX)
        capacity = AX_IDS_MAX;
    moved = mem_zero(capacity * sizeof *moved);
    for (uint64_t id = first; old && id < next; id++)
        moved[id % capacity] = entries[id % old];
    free(entries);
    entries = moved;
    rebuild_table();
}

static void forget_ids(uint64_t until)
{
    for (; first < until; first++)
        CFRelease(id_entry(first)->element);
}

static void make_id_room(void)
{
    if (next - first < capacity)
        return;
    if (capacity < AX_IDS_MAX) {
        grow_entries();
        return;
    }
    forget_ids(first + capacity / 4);
    rebuild_table();
}

static uint64_t add_id(AXUIElementRef element)
{
    make_id_room();
    *id_entry(next) = (struct ax_known){ .element = (AXUIElementRef)CFRetain(element) };
    table[element_slot(element)] = next;
    return next++;
}

uint64_t ax_ids_of(AXUIElementRef element, struct ax_known *as)
{
    struct ax_known *entry;
    uint64_t id;

    pthread_mutex_lock(&lock);
    id = slots ? table[element_slot(element)] : 0;
    if (!id)
        id = add_id(element);
    entry = id_entry(id);
    entry->pid = as->pid;
    entry->parent = as->parent ? as->parent : entry->parent;
    entry->top = as->top ? as->top : entry->top;
    entry->place = as->place ? as->place : entry->place;
    if (as->role != ELEMENT_MENU_ITEM ||
        (entry->role != ELEMENT_CHECK_ITEM && entry->role != ELEMENT_MENU))
        entry->role = as->role;
    as->role = entry->role;
    pthread_mutex_unlock(&lock);
    return id;
}

uint64_t ax_ids_find(AXUIElementRef element, enum element_role *role)
{
    uint64_t id;

    pthread_mutex_lock(&lock);
    id = slots ? table[element_slot(element)] : 0;
    *role = id ? id_entry(id)->role : ELEMENT_OTHER;
    pthread_mutex_unlock(&lock);
    return id;
}

bool ax_ids_look(uint64_t id, struct ax_known *out)
{
    bool known;

    *out = (struct ax_known){ 0 };
    pthread_mutex_lock(&lock);
    known = id >= first && id < next;
    if (known) {
        *out = *id_entry(id);
        CFRetain(out->element);
    }
    pthread_mutex_unlock(&lock);
    return known;
}

void ax_known_free(struct ax_known *known)
{
    cf_release(known->element);
    *known = (struct ax_known){ 0 };
}

void ax_ids_end(void)
{
    pthread_mutex_lock(&lock);
    forget_ids(next);
    free(entries);
    free(table);
    entries = NULL;
    table = NULL;
    capacity = slots = 0;
    pthread_mutex_unlock(&lock);
}
