/* The set and its index of tool names. */
#include "registry/generation.h"

#include <stdlib.h>

struct name {
    const char *text; /* borrowed from the entry */
    struct entry *entry;
    bool alias;
};

static int by_kind(const void *a, const void *b)
{
    const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
    int order = (int)x->kind - (int)y->kind;

    if (!order)
        order = (int)x->packed - (int)y->packed;
    if (!order)
        order = strcmp(x->toolset, y->toolset);
    return order ? order : strcmp(x->name, y->name);
}

/* A tool's own name comes before an alias of the same text; a pack's names come after those of
 * others, and a foreign tool's after all. Names of mounted and foreign tools that others have are
 * gone by now (registry/claims.h). */
static int by_text(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    int order = strcmp(x->text, y->text);

    if (!order)
        order = (int)x->entry->foreign - (int)y->entry->foreign;
    if (!order)
        order = (int)x->entry->packed - (int)y->entry->packed;
    return order ? order : (int)x->alias - (int)y->alias;
}

static void index_names(struct generation *generation,
                        void (*clash)(void *, struct entry *, const char *, struct entry *),
                        void *arg)
{
    struct name *names;
    size_t total = 0, count = 0, kept = 0;

    for (size_t i = 0; i < generation->count; i++)
        total += 1 + generation->entries[i]->alias_count;
    names = mem_alloc((total + 1) * sizeof *names);
    for (size_t i = 0; i < generation->count; i++) {
        struct entry *entry = generation->entries[i];

        if (entry->kind != ENTRY_TOOL)
            continue;
        names[count++] = (struct name){ entry->name, entry, false };
        for (size_t a = 0; a < entry->alias_count; a++)
            names[count++] = (struct name){ entry->aliases[a], entry, true };
    }
    qsort(names, count, sizeof *names, by_text);
    for (size_t i = 0; i < count; i++) {
        if (kept && strcmp(names[kept - 1].text, names[i].text) == 0) {
            if (clash)
                clash(arg, names[i].entry, names[i].text, names[kept - 1].entry);
            continue;
        }
        names[kept++] = names[i];
    }
    generation->names = names;
    generation->name_count = kept;
}

struct generation *generation_new(unsigned number, struct entry **entries, size_t count,
                                  void (*clash)(void *arg, struct entry *entry, const char *alias,
                                                struct entry *other),
                                  void *arg)
{
    struct generation *generation = mem_zero(sizeof *generation);

    generation->number = number;
    generation->entries = entries;
    generation->count = count;
    if (count)
        qsort(entries, count, sizeof *entries, by_kind);
    index_names(generation, clash, arg);
    return generation;
}

void generation_free(struct generation *generation)
{
    if (!generation)
        return;
    for (size_t i = 0; i < generation->count; i++)
        entry_unref(generation->entries[i]);
    free(generation->entries);
    free(generation->names);
    free(generation);
}

struct entry *generation_any_tool(const struct generation *generation, const char *name)
{
    size_t low = 0, high = generation->name_count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(name, generation->names[middle].text);

        if (order == 0)
            return generation->names[middle].entry;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

struct entry *generation_tool(const struct generation *generation, const char *name)
{
    struct entry *entry = generation_any_tool(generation, name);

    return entry && entry->console ? NULL : entry;
}

struct entry *generation_find(const struct generation *generation, enum entry_kind kind,
                              const char *name)
{
    for (size_t i = 0; i < generation->count; i++)
        if (generation->entries[i]->kind == kind && strcmp(generation->entries[i]->name, name) == 0)
            return generation->entries[i];
    return NULL;
}

struct nearest_text generation_nearest(const struct generation *generation, enum entry_kind kind,
                                       const char *name)
{
    struct nearest_name nearest = { .typed = name };

    for (size_t i = 0; i < generation->count; i++)
        if (generation->entries[i]->kind == kind && generation->entries[i]->here &&
            !generation->entries[i]->console)
            nearest_name_try(&nearest, generation->entries[i]->name);
    return nearest_name_text(&nearest);
}

struct entry *generation_resource(const struct generation *generation, struct str uri,
                                  struct uri_values *values)
{
    struct uri_values tried;
    struct entry *found = NULL;

    for (size_t i = 0; i < generation->count; i++) {
        struct entry *entry = generation->entries[i];

        if (entry->kind != ENTRY_RESOURCE || !entry->here)
            continue;
        if (!entry->templated && str_same(str_from(entry->uri), uri))
            return entry;
        if (!found && entry->template && uri_template_match(entry->template, uri, &tried)) {
            found = entry;
            *values = tried;
        }
    }
    return found;
}
