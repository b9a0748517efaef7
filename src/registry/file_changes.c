/* Paths and stamps, sorted by path. */
#include "registry/file_changes.h"

#include <stdlib.h>

#include "registry/registry_struct.h"

struct file_state {
    char *path;
    struct stamp stamp;
};

struct file_states {
    struct file_state *items;
    size_t count;
};

static int by_state_path(const void *a, const void *b)
{
    const struct file_state *x = a, *y = b;

    return strcmp(x->path, y->path);
}

struct file_states *file_states_take(const struct registry *registry)
{
    const struct source_list *sources = &registry->sources;
    struct file_states *states = mem_zero(sizeof *states);

    states->items = mem_alloc((sources->count + 1) * sizeof *states->items);
    for (size_t i = 0; i < sources->count; i++)
        states->items[states->count++] =
            (struct file_state){ mem_strdup(sources->items[i].path), sources->items[i].stamp };
    qsort(states->items, states->count, sizeof *states->items, by_state_path);
    return states;
}

void file_states_free(struct file_states *states)
{
    if (!states)
        return;
    for (size_t i = 0; i < states->count; i++)
        free(states->items[i].path);
    free(states->items);
    free(states);
}

static const struct file_state *file_states_find(const struct file_states *states, const char *path)
{
    struct file_state wanted = { .path = (char *)(uintptr_t)path };

    return bsearch(&wanted, states->items, states->count, sizeof wanted, by_state_path);
}

void file_states_compare(const struct file_states *before, const struct registry *registry,
                         void (*each)(void *arg, enum file_change change, const char *path),
                         void *arg)
{
    const struct source_list *sources = &registry->sources;
    struct file_states *now = file_states_take(registry);

    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->items[i];
        const struct file_state *old = file_states_find(before, source->path);

        if (!old || !stamp_same(&old->stamp, &source->stamp))
            each(arg, old ? FILE_CHANGED : FILE_ADDED, source->path);
    }
    for (size_t i = 0; i < before->count; i++)
        if (!file_states_find(now, before->items[i].path))
            each(arg, FILE_REMOVED, before->items[i].path);
    file_states_free(now);
}
