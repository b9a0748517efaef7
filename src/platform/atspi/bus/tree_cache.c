#include "platform/atspi/bus/tree_cache.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "platform/atspi/bus/direct.h"
#include "platform/atspi/bus/hash.h"
#include "platform/deadline.h"

struct entry {
    char bus[32]; /* "": free */
    int pid;
    bool lent, listened; /* listened: events were gathered without a gap since it was lent last */
    bool overflow;
    uint64_t turn; /* number of the lending: a bus that was restarted gives the same names again */
    uint64_t used; /* deadline_now() */
    struct nodes nodes;
    struct tree_about about;
    DBusConnection *direct;
    uint64_t *named;
    size_t named_count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry entries[TREE_CACHE_APPS];
static uint64_t turns;
static bool listening;

/* --- entries, with the lock held ---------------------------------------------------------- */

static struct entry *entry_find(const char *bus)
{
    for (size_t i = 0; i < TREE_CACHE_APPS; i++) {
        if (*entries[i].bus && strcmp(entries[i].bus, bus) == 0)
            return &entries[i];
    }
    return NULL;
}

static void entry_drop(struct entry *entry)
{
    nodes_free(&entry->nodes);
    direct_close(entry->direct);
    free(entry->named);
    *entry = (struct entry){ 0 };
}

/* Makes an entry, in place of the one that was not used for longest. NULL: all are lent. */
static struct entry *entry_make(const char *bus, int pid)
{
    struct entry *oldest = NULL;

    for (size_t i = 0; i < TREE_CACHE_APPS; i++) {
        if (!entries[i].lent && (!oldest || entries[i].used < oldest->used))
            oldest = &entries[i];
    }
    if (!oldest || strlen(bus) >= sizeof oldest->bus)
        return NULL;
    entry_drop(oldest);
    snprintf(oldest->bus, sizeof oldest->bus, "%s", bus);
    oldest->pid = pid;
    return oldest;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Sorts the named objects, and keeps each once. */
static void sort_out(struct entry *entry)
{
    size_t kept = 0;

    if (entry->named_count)
        qsort(entry->named, entry->named_count, sizeof *entry->named, by_number);
    for (size_t i = 0; i < entry->named_count; i++) {
        if (!kept || entry->named[i] != entry->named[kept - 1])
            entry->named[kept++] = entry->named[i];
    }
    entry->named_count = kept;
}

/* --- readers ------------------------------------------------------------------------------- */

char *tree_cache_bus(int pid)
{
    char *bus = NULL;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < TREE_CACHE_APPS && !bus; i++) {
        if (*entries[i].bus && entries[i].pid == pid)
            bus = mem_strdup(entries[i].bus);
    }
    pthread_mutex_unlock(&lock);
    return bus;
}

struct tree_about tree_cache_about(const char *bus)
{
    struct tree_about about = { 0 };
    struct entry *entry;

    pthread_mutex_lock(&lock);
    entry = entry_find(bus);
    if (entry)
        about = entry->about;
    pthread_mutex_unlock(&lock);
    return about;
}

void tree_cache_take(const char *bus, int pid, struct cached_tree *out)
{
    struct entry *entry;

    *out = (struct cached_tree){ 0 };
    tree_cache_expire();
    pthread_mutex_lock(&lock);
    entry = entry_find(bus);
    if (!entry)
        entry = entry_make(bus, pid);
    if (entry && !entry->lent) {
        sort_out(entry);
        out->lent = entry->lent = true;
        out->turn = entry->turn = ++turns;
        out->nodes = entry->nodes;
        out->named = entry->named;
        out->named_count = entry->named_count;
        out->unheard = entry->overflow || !entry->listened;
        out->direct = entry->direct;
        entry->direct = NULL;
        entry->nodes = (struct nodes){ 0 };
        entry->named = NULL;
        entry->named_count = 0;
        entry->overflow = false;
        entry->listened = listening;
        entry->used = deadline_now();
    }
    pthread_mutex_unlock(&lock);
}

void tree_cache_put(const char *bus, struct cached_tree *cached, bool worth)
{
    struct entry *entry;

    pthread_mutex_lock(&lock);
    entry = cached->lent ? entry_find(bus) : NULL;
    if (entry && entry->lent && entry->turn == cached->turn) {
        entry->lent = false;
        entry->about = cached->about;
        entry->direct = cached->direct;
        cached->direct = NULL;
        entry->used = deadline_now();
        if (worth && cached->nodes.count <= TREE_CACHE_NODES) {
            entry->nodes = cached->nodes;
            cached->nodes = (struct nodes){ 0 };
        }
    }
    pthread_mutex_unlock(&lock);
    nodes_free(&cached->nodes);
    direct_close(cached->direct);
    free(cached->named);
    *cached = (struct cached_tree){ 0 };
}

/* --- the listener ---------------------------------------------------------------------------- */

static void name(struct entry *entry, uint64_t object)
{
    if (entry->overflow)
        return;
    if (!entry->named)
        entry->named = mem_alloc(TREE_CACHE_NAMED * sizeof *entry->named);
    if (entry->named_count == TREE_CACHE_NAMED) {
        sort_out(entry);
        entry->overflow = entry->named_count > TREE_CACHE_NAMED / 2; /* else each would sort them */
    }
    if (!entry->overflow)
        entry->named[entry->named_count++] = object;
}

void tree_cache_named(const char *bus, const char *path)
{
    struct entry *entry;

    pthread_mutex_lock(&lock);
    entry = entry_find(bus);
    if (entry)
        name(entry, hash_object(bus, path));
    pthread_mutex_unlock(&lock);
}

void tree_cache_gone(const char *bus)
{
    struct entry *entry;

    pthread_mutex_lock(&lock);
    entry = entry_find(bus);
    if (entry)
        entry_drop(entry); /* a reader that has it will find no entry to return it to */
    pthread_mutex_unlock(&lock);
}

void tree_cache_listening(bool on)
{
    pthread_mutex_lock(&lock);
    listening = on;
    for (size_t i = 0; i < TREE_CACHE_APPS; i++) {
        entries[i].listened = false;
        if (!on)
            entry_drop(&entries[i]); /* the bus is gone, and all names on it */
    }
    pthread_mutex_unlock(&lock);
}

int tree_cache_expire(void)
{
    uint64_t now = deadline_now(), next = UINT64_MAX;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < TREE_CACHE_APPS; i++) {
        if (!*entries[i].bus || entries[i].lent)
            continue;
        if (entries[i].used + TREE_CACHE_MS <= now)
            entry_drop(&entries[i]);
        else if (entries[i].used + TREE_CACHE_MS - now < next)
            next = entries[i].used + TREE_CACHE_MS - now;
    }
    pthread_mutex_unlock(&lock);
    return next == UINT64_MAX ? -1 : (int)next;
}
