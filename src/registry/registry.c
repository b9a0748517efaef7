/* The entries that are served: the current generation, and the owners that are told when it
 * changes. */
#include "registry/registry.h"

#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "base/leave.h"
#include "files/file.h"
#include "registry/cached.h"
#include "registry/choice.h"
#include "registry/declared.h"
#include "registry/entry_load.h"
#include "registry/mount.h"
#include "registry/registry_struct.h"
#include "script/sandbox/sandbox.h"
#include "script/vm.h"

static char **copy_list(const char *const *items, size_t count)
{
    char **copy = mem_alloc((count + 1) * sizeof *copy);

    for (size_t i = 0; items && i < count; i++)
        copy[i] = mem_strdup(items[i]);
    copy[count] = NULL;
    return copy;
}

static void free_list(char **items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(items[i]);
    free(items);
}

static bool wants_all_toolsets(const struct registry_options *options)
{
    for (size_t i = 0; i < options->toolset_count; i++)
        if (strcmp(options->toolsets[i], TOOLSETS_ALL) == 0)
            return true;
    return !options->toolsets;
}

struct registry *registry_new(struct vm *vm, const struct registry_options *options)
{
    struct registry *registry = mem_zero(sizeof *registry);

    registry->vm = vm;
    registry->patience_ms = SANDBOX_LOAD_MS;
    list_init(&registry->waits);
    registry->roots = copy_list(options->roots, options->root_count);
    registry->root_count = options->root_count;
    registry->all_toolsets = wants_all_toolsets(options);
    registry->toolsets = copy_list(options->toolsets, options->toolset_count);
    registry->toolset_count = options->toolset_count;
    registry->cache = options->cache ? mem_strdup(options->cache) : NULL;
    registry->packs = options->packs ? packs_new(options->packs) : NULL;
    registry->choice = options->config ? choice_new(options->config) : NULL;
    registry->changed = options->changed;
    registry->arg = options->arg;
    return registry;
}

void registry_free(struct registry *registry)
{
    if (!registry)
        return;
    registry_drop_reload(registry);
    while (list_pop(&registry->waits)) /* their tasks end with the VM */
        ;
    generation_free(registry->current);
    entry_unref(registry->own_text);
    for (size_t i = 0; i < registry->mounted_count; i++)
        entry_unref(registry->mounted[i]);
    free(registry->mounted);
    libs_unref(registry->libs);
    libs_unref(registry->alone);
    catalog_unref(registry->catalog);
    free(registry->cache);
    packs_free(registry->packs);
    choice_free(registry->choice);
    sources_free(&registry->sources);
    problems_free(&registry->problems);
    free_list(registry->roots, registry->root_count);
    free_list(registry->toolsets, registry->toolset_count);
    free(registry);
}

void registry_end(struct registry *registry)
{
    if (registry)
        cached_save(registry);
    if (!LEAVE_MEMORY)
        registry_free(registry);
    else if (registry)
        registry_drop_reload(registry);
}

bool registry_save_some(struct registry *registry)
{
    enum { PIECE_MS = 2 };

    return cached_save_some(registry, PIECE_MS);
}

void registry_find_files(struct registry *registry)
{
    if (registry->libs)
        return;
    cached_look(registry, &registry->sources);
    registry->looked = uv_hrtime();
    registry->libs = cached_libs(registry, &registry->sources);
    registry->alone = libs_ref(registry->libs);
}

/* Loads what a catalog declares while the libs are as they were: it serves on if it does not load
 * on the new ones. */
static void wake_entries(const struct registry *registry)
{
    const struct generation *current = registry->current;
    struct error err; /* its users hear of it */

    for (size_t i = 0; current && i < current->count; i++)
        if (current->entries[i]->asleep.catalog && !entry_shipped(current->entries[i]))
            entry_wake(current->entries[i], &err);
}

/* Marks the files that the change of libs reaches. */
static void outdate_entries(struct registry *registry)
{
    const struct generation *current = registry->current;

    for (size_t i = 0; current && i < current->count; i++) {
        struct entry *entry = current->entries[i];
        bool known = !entry->foreign && !entry->asleep.catalog;

        if (entry->libs == registry->libs &&
            libs_touched(registry->libs, (int)entry->root, known ? entry->label : NULL))
            entry->outdated = true;
    }
    for (size_t i = 0; i < registry->problems.count; i++)
        registry->problems.items[i].libs = NULL; /* they are tried again */
}

struct libs *registry_libs_for(struct registry *registry, const struct source_list *sources)
{
    if (registry->libs && libs_current(registry->libs, sources))
        return libs_ref(registry->libs);
    registry->libs_news = registry->libs != NULL;
    wake_entries(registry);
    if (!registry->libs || !libs_change(registry->libs, sources))
        return cached_libs(registry, sources);
    outdate_entries(registry);
    return libs_ref(registry->libs);
}

/* --- mounted servers --------------------------------------------------------------- */

/* They stand in the order of the mounts' names, whichever of them answered first. */
void registry_mount(struct registry *registry, const char *mount, struct entry **entries,
                    size_t count)
{
    struct entry **old = registry->mounted;
    size_t old_count = registry->mounted_count, from = 0, kept = 0;
    struct entry **next = mem_zero((old_count + count + 1) * sizeof *next);

    for (; from < old_count && strcmp(old[from]->toolset, mount) < 0; from++)
        next[kept++] = old[from];
    for (size_t i = 0; i < count; i++)
        next[kept++] = entries[i];
    for (; from < old_count && strcmp(old[from]->toolset, mount) == 0; from++)
        entry_unref(old[from]);
    for (; from < old_count; from++)
        next[kept++] = old[from];
    free(old);
    registry->mounted = next;
    registry->mounted_count = kept;
    registry->remounted = true; /* their functions are others, whatever they say of themselves */
    if (registry->current && !registry->reload) /* else it takes them along */
        registry_reload(registry);
}

struct entry *registry_mounted(const struct registry *registry, size_t at)
{
    return at < registry->mounted_count ? registry->mounted[at] : NULL;
}

void registry_watch_libs(struct registry *registry, void (*changed)(void *arg), void *arg)
{
    registry->libs_changed = changed;
    registry->libs_arg = arg;
}

/* Without the place in the line that requires the module, which no file has. */
static void drop_place(struct error *err, const char *chunk)
{
    size_t len = strlen(chunk);
    struct error inner = *err;

    if (strncmp(inner.text, chunk, len) == 0 && strncmp(inner.text + len, ":1: ", 4) == 0)
        error_set(err, inner.code, "%s", inner.text + len + 4);
}

bool registry_require(struct registry *registry, int home, const char *module, uint64_t budget_ms,
                      struct error *err)
{
    struct sandbox *sandbox;
    char *text;
    bool ok;

    registry_find_files(registry);
    sandbox = libs_sandbox(registry->libs);
    if (!libs_find(registry->libs, &home, module, NULL, NULL, NULL))
        return error_set(err, "not_found", "there is no lib file %s", module);
    if (!registry->reload)
        sandbox_remember(sandbox, true);
    sandbox_give_up(sandbox, true);
    text = mem_printf("return require %c%s%c", '"', module, '"');
    ok = sandbox_load_file(sandbox, home, "require", text, strlen(text), err) &&
         vm_call(registry->vm, 0, 1, budget_ms, err);
    free(text);
    if (!ok)
        drop_place(err, "require");
    if (!registry->reload)
        sandbox_remember(sandbox, false);
    return ok;
}

/* --- texts ------------------------------------------------------------------------- */

/* The file that comes with the engine where this one is a user's; NULL: none that loads. One
 * reference, owned by the caller. */
static struct entry *load_shipped(const struct registry *registry, struct libs *libs,
                                  const struct source *source)
{
    struct source own = *source;
    struct error err;
    struct entry *entry;

    own.root = HOME_SHIPPED;
    own.path = mem_printf("%s/%s", registry->roots[0], source->label);
    entry = entry_load_source(registry->vm, libs, &own, SANDBOX_LOAD_MS, &err);
    free(own.path);
    return entry;
}

bool registry_text_lost(const struct registry *registry, struct libs *libs,
                        const struct source *source, const struct entry *entry, struct error *err)
{
    bool rule = entry->kind == ENTRY_RULE;
    struct entry *own = (rule || entry->kind == ENTRY_PROMPT) && !entry_shipped(entry)
                            ? load_shipped(registry, libs, source)
                            : NULL;
    bool lost = own && own->kind == ENTRY_TEXT;

    entry_unref(own);
    return lost && !error_set(err, "bad_file",
                              "%s: it is a %s, and Perigee needs the words of this file. Return "
                              "`text` in place of `%s`, or rename the file",
                              source->label, rule ? "rule" : "prompt", rule ? "parse" : "render");
}

const char *registry_text(struct registry *registry, const char *name)
{
    struct entry *entry = generation_find(registry_current(registry), ENTRY_TEXT, name);
    const struct source *source = sources_find(&registry->sources, SOURCE_PROMPT, name);

    if (!entry && source) {
        entry_unref(registry->own_text);
        entry = registry->own_text = load_shipped(registry, registry->libs, source);
    }
    return cJSON_GetStringValue(json_get(entry ? entry_definition(entry) : NULL, "text"));
}

/* --- questions ---------------------------------------------------------------------- */

struct generation *registry_current(struct registry *registry)
{
    if (registry->current)
        return registry->current;
    registry_reload(registry);
    if (registry->loaded)
        registry->loaded(registry->loaded_arg);
    return registry->current;
}

bool registry_loaded(const struct registry *registry)
{
    return registry->current != NULL;
}

bool registry_find_lib(void *arg, int *home, const char *name, struct buf *path, struct buf *source,
                       struct error *err)
{
    struct registry *registry = arg;

    registry_find_files(registry);
    return libs_find(registry->libs, home, name, path, source, err);
}

const struct problem *registry_problems(const struct registry *registry, size_t *count)
{
    *count = registry->problems.count;
    return registry->problems.items;
}

char *const *registry_roots(const struct registry *registry, size_t *count)
{
    *count = registry->root_count;
    return registry->roots;
}

void registry_scan(struct registry *registry, struct source_list *sources)
{
    sources_scan(sources, registry->roots, registry->root_count, registry->packs);
}

struct libs *registry_libs_apart(const struct registry *registry, const struct source_list *sources)
{
    return libs_apart(registry->libs, sources);
}

struct packs *registry_packs(const struct registry *registry)
{
    return registry->packs;
}

/* A list of some toolsets is a choice, too: it has them whole. */
bool registry_lists(const struct registry *registry, const struct entry *entry)
{
    return entry->listed && (!entry->common || !registry->all_toolsets ||
                             (registry->choice && choice_takes(registry->choice, entry->common)));
}

const struct choice *registry_choice(const struct registry *registry)
{
    return registry->choice;
}

int registry_home(const struct registry *registry, const char *folder)
{
    size_t count = 0;
    const struct pack *packs = registry->packs ? packs_all(registry->packs, &count) : NULL;

    for (size_t i = 0; i < registry->root_count; i++)
        if (strcmp(registry->roots[i], folder) == 0)
            return (int)i;
    for (size_t i = 0; i < count; i++)
        if (strcmp(packs[i].path, folder) == 0)
            return (int)(registry->root_count + packs[i].place);
    return HOME_NONE;
}

const struct source_folder *registry_folders(const struct registry *registry, size_t *count)
{
    *count = registry->sources.folder_count;
    return registry->sources.folders;
}

static char *script_in(const char *root, const char *name)
{
    char *path = mem_printf("%s/scripts/%s", root, name);

    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* "NAME/SCRIPT". A root of that name is a pack in the making. */
static char *script_of_pack(const struct registry *registry, const char *name)
{
    const char *slash = strchr(name, '/');
    char *of = slash ? mem_strndup(name, (size_t)(slash - name)) : NULL, *path = NULL;
    const struct pack *pack = of && registry->packs ? packs_find(registry->packs, of) : NULL;

    for (size_t i = registry->root_count; of && i-- > 0 && !path;)
        if (strcmp(path_name(registry->roots[i]), of) == 0)
            path = script_in(registry->roots[i], slash + 1);
    if (!path && pack && pack->approved)
        path = script_in(pack->path, slash + 1);
    free(of);
    return path;
}

char *registry_script(const struct registry *registry, const char *name)
{
    static const char packs[] = "packs/";
    char *path = NULL;

    if (!*name || *name == '/' || strstr(name, ".."))
        return NULL;
    if (strncmp(name, packs, strlen(packs)) == 0)
        return script_of_pack(registry, name + strlen(packs));
    for (size_t i = registry->root_count; i-- > 0 && !path;)
        path = script_in(registry->roots[i], name);
    return path;
}

void registry_set_patience(struct registry *registry, uint64_t ms)
{
    registry->patience_ms = ms;
}

struct vm *registry_vm(const struct registry *registry)
{
    return registry->vm;
}

void registry_on_loaded(struct registry *registry, void (*loaded)(void *arg), void *arg)
{
    registry->loaded = loaded;
    registry->loaded_arg = arg;
}

void registry_on_reloaded(struct registry *registry, void (*reloaded)(void *arg), void *arg)
{
    registry->reloaded = reloaded;
    registry->reloaded_arg = arg;
}

void registry_on_failed(struct registry *registry,
                        void (*failed)(void *arg, const struct problem *problem), void *arg)
{
    registry->failed = failed;
    registry->failed_arg = arg;
}

void registry_on_updated(struct registry *registry, void (*updated)(void *arg, const char *uri),
                         void *arg)
{
    registry->updated = updated;
    registry->updated_arg = arg;
}

void registry_on_notice(struct registry *registry,
                        void (*notice)(void *arg, const struct notice *notice), void *arg)
{
    registry->notice = notice;
    registry->notice_arg = arg;
}

void registry_say_changed(struct registry *registry, unsigned what)
{
    if (registry->changed)
        registry->changed(registry->arg, what);
}

void registry_say_updated(struct registry *registry, const char *uri)
{
    if (registry->updated)
        registry->updated(registry->updated_arg, uri);
}

void registry_say_notice(struct registry *registry, const struct notice *notice)
{
    if (registry->notice)
        registry->notice(registry->notice_arg, notice);
}

void registry_add_libs_state(const struct registry *registry, struct buf *out)
{
    for (size_t i = 0; i < registry->sources.count; i++) {
        const struct source *source = &registry->sources.items[i];
        struct stamp now = { 0 };

        if (source->kind != SOURCE_LIB || source_is_shipped(source) || source->packed)
            continue;
        stamp_look(source->path, &now);
        buf_adds(out, source->path);
        buf_addf(out, " %llu/%lld/%lld\n", (unsigned long long)now.inode, (long long)now.size,
                 (long long)now.changed);
    }
}
