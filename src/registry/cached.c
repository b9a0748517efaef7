/* Reading the catalog at the start, and writing it once all files were loaded. */
#include "registry/cached.h"

#include "registry/declared.h"
#include "registry/entry_load.h"
#include "registry/known_files.h"

static struct catalog_key catalog_key_of(const struct registry *registry)
{
    return (struct catalog_key){ registry->cache, registry->roots, registry->root_count };
}

/* The key for the files that come with the engine. They see no others, and every list of roots
 * begins with theirs. */
static struct catalog_key shipped_key_of(const struct registry *registry)
{
    return (struct catalog_key){ registry->cache, registry->roots, 1 };
}

/* Was it the short way? */
static bool look_short(struct registry *registry, struct source_list *sources)
{
    struct catalog_key key = catalog_key_of(registry);

    registry->catalog = catalog_open(&key);
    if (!registry->catalog && registry->root_count > 1) {
        key = shipped_key_of(registry);
        registry->catalog = catalog_open(&key);
        return false;
    }
    return registry->catalog && known_files_look(catalog_list(registry->catalog), registry->roots,
                                                 registry->root_count, sources);
}

void cached_look(struct registry *registry, struct source_list *sources)
{
    bool first = !registry->libs;

    cached_save(registry);
    if (first)
        registry->short_look = look_short(registry, sources);
    if (!first || !registry->short_look)
        registry_scan(registry, sources);
}

struct libs *cached_libs(struct registry *registry, const struct source_list *sources)
{
    if (registry->catalog && !catalog_fits(registry->catalog, sources)) {
        catalog_unref(registry->catalog);
        registry->catalog = NULL;
    }
    return libs_new(registry->vm, sources, registry->catalog);
}

struct entry *cached_entry(struct registry *registry, struct libs *libs,
                           const struct source *source)
{
    const struct cached_file *kept =
        registry->current ? NULL : catalog_find(registry->catalog, source);

    return kept ? declared_entry(registry->vm, libs, source, kept) : NULL;
}

struct entry *cached_load(struct registry *registry, struct source *source)
{
    const struct cached_file *kept;
    struct buf code = { 0 };
    struct entry *entry = NULL;
    struct error err;

    source_see(source);
    kept = catalog_find(registry->catalog, source);
    if (kept && kept->code.len && catalog_read(&kept->code, &code, NULL))
        entry = entry_load_code(registry->vm, registry->libs, source, buf_str(&code),
                                SANDBOX_LOAD_MS, &err);
    buf_free(&code);
    return entry;
}

/* As the last catalog has it: this process serves only some toolsets. */
static void add_known_file(struct catalog_draft *draft, const struct source *source,
                           const struct cached_file *known)
{
    struct buf whole = { 0 };

    if (!known->whole.len || catalog_read(&known->whole, &whole, NULL))
        catalog_add(draft, source, known->declaration, buf_str(&whole));
    buf_free(&whole);
}

/* Adds the file, if what it declares may be kept. */
static void add_loaded_file(const struct registry *registry, struct catalog_draft *draft,
                            const struct source *source)
{
    const struct generation *generation = registry->current;
    struct buf declaration = { 0 };
    const struct cached_file *known;

    for (size_t i = 0; i < generation->count; i++) {
        struct entry *entry = generation->entries[i];
        struct str whole;

        if (strcmp(entry->path, source->path) != 0)
            continue;
        if (!entry->keepable)
            return;
        declared_write(entry, &declaration);
        whole = entry_whole(entry);
        catalog_add(draft, source, buf_str(&declaration), entry->whole ? whole : (struct str){ 0 });
        buf_free(&declaration);
        return;
    }
    known = catalog_find(registry->catalog, source);
    if (known)
        add_known_file(draft, source, known);
}

static bool add_loaded_files(const struct registry *registry, struct catalog_draft *draft,
                             bool shipped_only)
{
    for (size_t i = 0; i < registry->sources.count; i++) {
        const struct source *source = &registry->sources.items[i];

        if (source->foreign || (shipped_only && !source_is_shipped(source)))
            continue;
        if (source->kind == SOURCE_COMMAND)
            catalog_add(draft, source, CACHED_COMMAND, (struct str){ 0 });
        else if (source->kind != SOURCE_LIB)
            add_loaded_file(registry, draft, source);
        else if (!catalog_add(draft, source,
                              libs_used(registry->libs, source->path) ? CACHED_USED_LIB
                                                                      : (struct str){ 0 },
                              (struct str){ 0 }))
            return false; /* without one of these the others say nothing */
    }
    return true;
}

/* The index must have the files as they are on the disk. */
static void look_at_unseen(struct source_list *sources)
{
    for (size_t i = 0; i < sources->count; i++)
        source_see(&sources->items[i]);
}

static void drop_catalog(struct registry *registry)
{
    catalog_drop_index(registry->catalog);
    catalog_unref(registry->catalog);
    registry->catalog = NULL;
}

/* A catalog whose folders are not as they were costs every process a full look. */
void cached_loaded(struct registry *registry, bool more)
{
    registry->unsaved = registry->cache && (more || (registry->catalog && !registry->short_look &&
                                                     known_files_may_write(&registry->sources)));
    if (!registry->unsaved)
        drop_catalog(registry);
}

/* Can a process with other roots take the files that come with the engine from a catalog? */
static bool shipped_is_saved(const struct registry *registry)
{
    struct catalog_key key = shipped_key_of(registry);
    struct catalog *catalog = catalog_open(&key);
    bool fits = catalog && catalog_fits(catalog, &registry->sources);

    catalog_unref(catalog);
    return fits;
}

/* Files in `before`, or else in the registry's catalog, are not compiled again. */
static void save(const struct registry *registry, const struct catalog_key *key,
                 struct catalog *before)
{
    const struct source_list *sources = &registry->sources;
    struct catalog_draft draft = { .before = before ? before : registry->catalog,
                                   .now = sources->time };
    bool all = key->root_count == registry->root_count;

    if (all && known_files_may_write(sources))
        known_files_write(sources, registry->libs, &draft.list);
    if (add_loaded_files(registry, &draft, !all))
        catalog_save(&draft, key);
    else
        catalog_draft_free(&draft);
}

/* Without one of them that was changed just now the others say nothing. */
static bool libs_settled(const struct source_list *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->items[i];

        if (source->kind == SOURCE_LIB && !source->foreign &&
            !stamp_settled(&source->stamp, sources->time))
            return false;
    }
    return true;
}

void cached_save(struct registry *registry)
{
    struct catalog_key key = catalog_key_of(registry), shipped = shipped_key_of(registry);
    struct catalog *before = NULL;

    if (!registry->unsaved)
        return;
    registry->unsaved = false;
    look_at_unseen(&registry->sources);
    if (registry->root_count > 1 && !shipped_is_saved(registry))
        save(registry, &shipped, NULL);
    if (libs_settled(&registry->sources)) {
        if (!registry->catalog)
            before = catalog_open(&shipped);
        save(registry, &key, before);
        catalog_unref(before);
    }
    drop_catalog(registry);
}
