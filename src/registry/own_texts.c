#include "registry/own_texts.h"

#include <stdlib.h>
#include <string.h>

#include "registry/entry_load.h"
#include "script/sandbox/sandbox.h"

static struct entry *entry_at(struct entry **entries, size_t count, const char *path)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(entries[i]->path, path) == 0)
            return entries[i];
    return NULL;
}

/* The text at this place in the engine's own folder, as it was loaded before or now. */
static struct entry *load_own(const struct registry *registry, struct libs *libs,
                              struct source *source)
{
    const struct generation *current = registry->current;
    struct entry *entry = current ? entry_at(current->entries, current->count, source->path) : NULL;
    struct error err;

    if (entry && entry->libs == libs && !entry->outdated &&
        stamp_same(&entry->stamp, &source->stamp))
        return entry_ref(entry);
    return entry_load_source(registry->vm, libs, source, SANDBOX_LOAD_MS, &err);
}

/* The text of the engine's own whose place this file has; NULL: it has none's. One reference, owned
 * by the caller. */
static struct entry *own_text(const struct registry *registry, struct libs *libs,
                              const struct source *source)
{
    struct source own;
    struct entry *entry = NULL;
    char *path;

    if (source->kind != SOURCE_PROMPT || source->packed || source_is_shipped(source))
        return NULL; /* a pack's file has nobody's place */
    path = mem_printf("%s/prompts/%s.lua", registry->roots[0], source->name);
    own = source_at(SOURCE_PROMPT, path, strlen(registry->roots[0]) + 1);
    if (stamp_look(path, &own.stamp))
        entry = load_own(registry, libs, &own);
    source_clear(&own);
    free(path);
    if (!entry || entry->kind == ENTRY_TEXT)
        return entry;
    entry_unref(entry);
    return NULL;
}

bool own_text_lost(const struct registry *registry, struct libs *libs, const struct source *source,
                   const struct entry *entry, struct error *err)
{
    struct entry *own = entry->kind == ENTRY_TEXT ? NULL : own_text(registry, libs, source);

    if (!own)
        return false;
    error_set(err, "bad_file",
              "%s: it is a %s, and Perigee needs the words of this file. Return `text` in place of "
              "`%s`, or rename the file",
              source->label, entry->kind == ENTRY_RULE ? "rule" : "prompt",
              entry->kind == ENTRY_RULE ? "parse" : "render");
    entry_unref(own);
    return true;
}

bool own_texts_add(const struct registry *registry, struct libs *libs,
                   const struct source_list *sources, struct entry **entries, size_t *count)
{
    const struct generation *current = registry->current;
    bool news = false;

    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->items[i];
        struct entry *own = NULL;

        if (source->kind == SOURCE_PROMPT && !source_is_shipped(source) &&
            !entry_at(entries, *count, source->path))
            own = own_text(registry, libs, source);
        if (!own)
            continue;
        entries[(*count)++] = own;
        news |= !current || generation_find(current, ENTRY_TEXT, own->name) != own;
    }
    return news;
}
