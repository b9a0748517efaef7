/* Reading the catalog at the start, and writing it once all files were loaded. */
#include "registry/kept.h"

#include "registry/declared.h"

static struct catalog_key key_of(const struct registry *registry)
{
    return (struct catalog_key){ registry->cache, registry->roots, registry->root_count };
}

struct libs *kept_libs(struct registry *registry, const struct source_list *sources)
{
    struct catalog_key key = key_of(registry);

    catalog_unref(registry->catalog);
    registry->catalog = registry->current ? NULL : catalog_open(&key, sources);
    return libs_new(registry->vm, sources, registry->catalog);
}

struct entry *kept_entry(struct registry *registry, struct libs *libs, const struct source *source)
{
    struct str declaration;
    struct kept_text text;

    if (registry->current || !catalog_find(registry->catalog, source, &declaration, &text))
        return NULL;
    return declared_entry(registry->vm, libs, source, declaration, &text);
}

/* Appends what the file declares, if that may be kept: as it was loaded, or, in a process that
 * serves only some toolsets, as the last catalog has it. */
static bool write_declaration(const struct registry *registry, const struct source *source,
                              struct buf *out)
{
    const struct generation *generation = registry->current;
    struct kept_text text;
    struct str known;

    for (size_t i = 0; i < generation->count; i++) {
        const struct entry *entry = generation->entries[i];

        if (strcmp(entry->path, source->path) != 0)
            continue;
        if (entry->keepable)
            declared_write(entry, out);
        return entry->keepable;
    }
    if (!catalog_find(registry->catalog, source, &known, &text))
        return false;
    buf_add(out, known.ptr, known.len);
    return true;
}

static bool add_files(const struct registry *registry, struct catalog_draft *draft)
{
    struct buf declaration = { 0 };
    bool whole = true;

    for (size_t i = 0; whole && i < registry->sources.count; i++) {
        const struct source *source = &registry->sources.items[i];

        declaration.len = 0;
        if (source->kind == SOURCE_LIB) /* without one of these the others say nothing */
            whole = catalog_add(draft, source, (struct str){ 0 });
        else if (write_declaration(registry, source, &declaration))
            catalog_add(draft, source, buf_str(&declaration));
    }
    buf_free(&declaration);
    return whole;
}

void kept_save(struct registry *registry, bool more)
{
    struct catalog_key key = key_of(registry);
    struct catalog_draft draft = { 0 };

    if (key.folder && more && add_files(registry, &draft))
        catalog_save(&draft, &key);
    else
        catalog_draft_free(&draft);
    catalog_drop_index(registry->catalog);
    catalog_unref(registry->catalog);
    registry->catalog = NULL;
}
