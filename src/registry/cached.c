/* Reading the catalog at the start, and writing it once all files were loaded. */
#include "registry/cached.h"

#include <stdlib.h>
#include <uv.h>

#include "registry/declared.h"
#include "registry/entry_load.h"
#include "registry/known_files.h"

enum { NS_PER_MS = 1000000 };

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

    catalog_unref(registry->catalog); /* an earlier look, whose reload was given up, left it */
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

/* False: without this file the others say nothing. */
static bool add_known_source(const struct registry *registry, struct catalog_draft *draft,
                             const struct source *source)
{
    struct str used = { 0 };

    if (source->kind == SOURCE_LIB) {
        if (libs_used(registry->libs, source->path))
            used = CACHED_USED_LIB;
        return source->foreign || catalog_add(draft, source, used, (struct str){ 0 });
    }
    if (source->foreign)
        return true;
    if (source->kind == SOURCE_COMMAND)
        catalog_add(draft, source, CACHED_COMMAND, (struct str){ 0 });
    else
        add_loaded_file(registry, draft, source);
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

/* Takes the files of so many roots: all, or those that come with the engine. What an earlier
 * catalog has is not compiled again. */
static void begin_draft(struct registry *registry, size_t roots)
{
    struct source_list *sources = &registry->sources;
    struct catalog_key shipped = shipped_key_of(registry);

    registry->draft = mem_zero(sizeof *registry->draft);
    registry->draft_roots = roots;
    registry->drafted = 0;
    registry->before = registry->catalog ? catalog_ref(registry->catalog) : catalog_open(&shipped);
    registry->draft->before = registry->before;
    registry->draft->now = sources->time;
    if (roots == registry->root_count && known_files_may_write(sources))
        known_files_write(sources, registry->libs, &registry->draft->list);
}

static void end_draft(struct registry *registry, bool whole)
{
    struct catalog_key key = catalog_key_of(registry);

    key.root_count = registry->draft_roots;
    if (whole)
        catalog_save(registry->draft, &key);
    else
        catalog_draft_free(registry->draft);
    free(registry->draft);
    registry->draft = NULL;
    catalog_unref(registry->before);
    registry->before = NULL;
}

static void begin_first_draft(struct registry *registry)
{
    look_at_unseen(&registry->sources);
    if (registry->root_count > 1 && !shipped_is_saved(registry))
        begin_draft(registry, 1);
    else if (libs_settled(&registry->sources))
        begin_draft(registry, registry->root_count);
}

/* The next one, if this one was not the last. */
static void begin_next_draft(struct registry *registry)
{
    if (registry->draft_roots < registry->root_count && libs_settled(&registry->sources))
        begin_draft(registry, registry->root_count);
}

/* Adds the next file. False: the draft is of no use. */
static bool draft_next_source(struct registry *registry)
{
    const struct source *source = &registry->sources.items[registry->drafted++];

    if (registry->draft_roots < registry->root_count && !source_is_shipped(source))
        return true;
    return add_known_source(registry, registry->draft, source);
}

bool cached_save_some(struct registry *registry, unsigned ms)
{
    uint64_t until = uv_hrtime() + (uint64_t)ms * NS_PER_MS;

    if (!registry->unsaved)
        return false;
    if (!registry->draft)
        begin_first_draft(registry);
    while (registry->draft) {
        bool ok = true;

        if (registry->drafted < registry->sources.count)
            ok = draft_next_source(registry);
        if (!ok || registry->drafted == registry->sources.count) {
            end_draft(registry, ok);
            begin_next_draft(registry);
        }
        if (registry->draft && ms && uv_hrtime() > until)
            return true;
    }
    registry->unsaved = false;
    drop_catalog(registry);
    return false;
}

void cached_save(struct registry *registry)
{
    cached_save_some(registry, 0);
}
