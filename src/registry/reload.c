/* Reloading: scan, load what changed, keep what broke, swap.
 *
 * Files that take too long share one budget of work: the first may use it up, each further one gets
 * little. A server loads in turns, each file in a task of its own, so that it answers meanwhile. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "base/log.h"
#include "registry/cached.h"
#include "registry/choice.h"
#include "registry/claims.h"
#include "registry/entry_load.h"
#include "registry/foreign.h"
#include "registry/programs.h"
#include "registry/registry_struct.h"
#include "registry/source_text.h"
#include "script/task.h"
#include "script/vm.h"

enum {
    FRESH_NS =
        20 * 1000 * 1000, /* so long a look at the disk counts for what is loaded behind it */
    LEAST_MS = 50,        /* work for a file after others took too long */
    LEAST_TURNS_MS = 500, /* time, in turns */
    STUCK_MS = 150,       /* after which a new look does not wait for the file under way */
};

/* --- problems ------------------------------------------------------------------- */

/* Adds to `next`; says it in the log unless the last look found the same. */
static struct problem *add_problem(struct registry *registry, struct problems *next,
                                   const char *path, const char *text, bool kept, bool foreign)
{
    bool news = !problems_have(&registry->problems, path, text);
    struct problem *problem = problems_add(next, path, text, kept);

    problem->foreign = foreign;
    if (news)
        problem_log(problem);
    if (news && registry->current && registry->failed)
        registry->failed(registry->failed_arg, problem);
    return problem;
}

/* --- one reload ------------------------------------------------------------------- */

struct reload {
    struct registry *registry;
    struct source_list sources;
    struct libs *libs;
    struct entry **entries;
    size_t count;
    struct problems problems;
    struct programs programs;
    bool changed;
    bool rechosen; /* the user's choice of tools is another one */
    uint64_t patience_ms;
    uint64_t spent_ms; /* by files that took too long */
    bool full;         /* the file under way may take all that a file can get */

    /* in turns */
    size_t next;       /* the source under way, or to come */
    struct task *task; /* runs it; NULL: none runs */
    struct buf text;   /* its text */
    uint64_t since;    /* when it was started, uv_hrtime() */
    bool inside;       /* reload_go_on() is under way */
    struct link waits; /* struct wakeup: for its end */
};

static bool source_is_wanted(const struct registry *registry, const struct source *source)
{
    if (source->kind == SOURCE_LIB || source->kind == SOURCE_COMMAND)
        return false;
    if (!*source->toolset || registry->all_toolsets || strcmp(source->toolset, "engine") == 0 ||
        strcmp(source->toolset, TOOLSET_CONSOLE) == 0)
        return true;
    for (size_t i = 0; i < registry->toolset_count; i++)
        if (strcmp(registry->toolsets[i], source->toolset) == 0 ||
            (strcmp(registry->toolsets[i], TOOLSET_CODE) == 0 &&
             strcmp(source->toolset, "python") == 0))
            return true;
    return false;
}

/* The file's entry so far, unless it ran in the engine and its pack is no longer approved. */
static struct entry *previous_entry(const struct registry *registry, const struct source *source)
{
    const struct generation *current = registry->current;

    for (size_t i = 0; current && i < current->count; i++)
        if (strcmp(current->entries[i]->path, source->path) == 0)
            return current->entries[i]->from_foreign == source->foreign ? current->entries[i]
                                                                        : NULL;
    return NULL;
}

/* The time that the next file may take. */
static uint64_t take_budget(struct reload *reload, uint64_t least_ms)
{
    uint64_t left =
        reload->spent_ms < reload->patience_ms ? reload->patience_ms - reload->spent_ms : 0;

    reload->full = left >= SANDBOX_LOAD_MS;
    sandbox_give_up(libs_sandbox(reload->libs), reload->full);
    return left > least_ms ? left : least_ms;
}

static const struct problem *known_problem(const struct reload *reload, const struct source *source)
{
    const struct problems *problems = &reload->registry->problems;

    for (size_t i = 0; i < problems->count; i++)
        if (problems->items[i].libs == reload->libs &&
            strcmp(problems->items[i].path, source->path) == 0 &&
            stamp_same(&problems->items[i].stamp, &source->stamp))
            return &problems->items[i];
    return NULL;
}

/* Notes that the file takes too long, so that it is tried no more as it is. */
static void note_spinning(struct reload *reload, const struct source *source,
                          struct problem *problem)
{
    problem->libs = reload->libs;
    problem->stamp = source->stamp;
}

static bool is_current(const struct entry *entry, const struct libs *libs,
                       const struct source *source)
{
    return entry->libs == libs && !entry->outdated && entry->root == source->root &&
           stamp_same(&entry->stamp, &source->stamp) && entry->pack_state == source->pack_state;
}

/* Takes a file that need not be loaded. */
static bool take_known(struct reload *reload, const struct source *source)
{
    struct registry *registry = reload->registry;
    struct entry *old = previous_entry(registry, source);
    const struct problem *known;

    if (old && is_current(old, reload->libs, source)) {
        entry_set_stale(old, NULL);
        reload->entries[reload->count++] = entry_ref(old);
        return true;
    }
    known = known_problem(reload, source);
    if (!known)
        return false;
    note_spinning(reload, source,
                  add_problem(registry, &reload->problems, source->path, known->text, old != NULL,
                              known->foreign));
    if (old)
        reload->entries[reload->count++] = entry_ref(old);
    return true;
}

/* Takes a file that another process loaded. */
static bool take_kept(struct reload *reload, const struct source *source)
{
    struct entry *entry = cached_entry(reload->registry, reload->libs, source);

    if (!entry)
        return false;
    programs_check(&reload->programs, entry);
    reload->changed = true;
    reload->entries[reload->count++] = entry;
    return true;
}

/* The file was loaded, or err says why not. */
static void take_loaded(struct reload *reload, const struct source *source, struct entry *entry,
                        uint64_t took_ms, struct error *err)
{
    struct registry *registry = reload->registry;
    struct entry *old = previous_entry(registry, source);
    bool spun = !entry && strcmp(err->code, "timeout") == 0;
    struct problem *problem;

    if (entry && registry_text_lost(registry, reload->libs, source, entry, err)) {
        entry_unref(entry);
        entry = NULL;
    }
    if (!entry && access(source->path, F_OK) != 0 && errno == ENOENT)
        return; /* gone between the scan and now */
    if (!entry) {
        problem = add_problem(registry, &reload->problems, source->path, err->text, old != NULL,
                              foreign_is_file(source));
        if (spun)
            reload->spent_ms += took_ms;
        if (spun && reload->full)
            note_spinning(reload, source, problem);
    }
    if (entry && registry->current)
        log_info("%s %s", old ? "reloaded" : "loaded", source->path);
    if (!entry && old) {
        entry = entry_ref(old);
        entry_set_stale(old, err->text);
    } else {
        reload->changed = true;
        if (entry)
            programs_check(&reload->programs, entry);
    }
    if (entry)
        reload->entries[reload->count++] = entry;
}

/* Takes the text. */
static void add_between(struct reload *reload, const struct entry *entry, char *text)
{
    add_problem(reload->registry, &reload->problems, entry->path, text, false, entry->foreign)
        ->between = true;
    free(text);
}

static void on_clash(void *arg, struct entry *entry, const char *alias, struct entry *other)
{
    struct reload *reload = arg;

    add_between(reload, entry,
                mem_printf("%s: duplicate alias '%s': %s already has it", entry->label, alias,
                           other->label));
}

/* Do two generations list the same things of this kind? */
static bool same_list(const struct generation *a, const struct generation *b, enum entry_kind kind)
{
    size_t i = 0, j = 0;

    for (;;) {
        while (a && i < a->count && a->entries[i]->kind != kind)
            i++;
        while (j < b->count && b->entries[j]->kind != kind)
            j++;
        const struct entry *x = a && i < a->count ? a->entries[i++] : NULL;
        const struct entry *y = j < b->count ? b->entries[j++] : NULL;
        if (!x || !y)
            return !x && !y;
        if (x != y && (x->wire_len != y->wire_len || x->here != y->here || x->listed != y->listed ||
                       memcmp(x->wire, y->wire, x->wire_len) != 0))
            return false;
    }
}

/* The first of two files with one URI serves; the other is told of. */
static void find_same_uris(struct reload *reload, const struct generation *next)
{
    for (size_t i = 0; i < next->count; i++) {
        const struct entry *entry = next->entries[i];

        for (size_t j = 0; entry->kind == ENTRY_RESOURCE && entry->libs && j < i; j++) {
            const struct entry *other = next->entries[j];

            if (other->kind != ENTRY_RESOURCE || !other->libs ||
                strcmp(entry->uri, other->uri) != 0)
                continue;
            add_between(reload, entry,
                        mem_printf("%s: the URI %s already belongs to %s", entry->label, entry->uri,
                                   other->label));
        }
    }
}

static void swap_generations(struct reload *reload)
{
    struct registry *registry = reload->registry;
    struct generation *old = registry->current;
    struct generation *next =
        generation_new(old ? old->number + 1 : 1, reload->entries, reload->count, on_clash, reload);
    unsigned what = REGISTRY_FILES;

    find_same_uris(reload, next);
    if (reload->rechosen || !same_list(old, next, ENTRY_TOOL))
        what |= REGISTRY_TOOLS;
    if (!same_list(old, next, ENTRY_PROMPT))
        what |= REGISTRY_PROMPTS;
    if (!same_list(old, next, ENTRY_RESOURCE))
        what |= REGISTRY_RESOURCES;
    registry->current = next;
    if (old && registry->changed)
        registry->changed(registry->arg, what);
    if (old)
        log_debug("generation %u: %zu files", next->number, next->count);
    generation_free(old);
}

static void take_sources(struct source_list *to, struct source_list *from)
{
    *to = *from;
    *from = (struct source_list){ 0 };
}

static void scan_sources(struct reload *reload)
{
    struct registry *registry = reload->registry;

    if (registry->looked && uv_hrtime() - registry->looked < FRESH_NS)
        take_sources(&reload->sources, &registry->sources);
    else
        cached_look(registry, &reload->sources);
    registry->looked = 0;
    for (size_t i = 0; i < reload->sources.problem_count; i++)
        add_problem(registry, &reload->problems, reload->sources.problems[i].path,
                    reload->sources.problems[i].text, false, false);
    reload->libs = registry_libs_for(registry, &reload->sources);
    reload->changed = reload->libs != registry->libs || registry->libs_news;
    reload->entries = mem_zero((reload->sources.count + 1) * sizeof *reload->entries);
    sandbox_remember(libs_sandbox(reload->libs), true);
}

/* Takes the text. */
static void on_refused(void *arg, const struct entry *entry, char *text)
{
    add_between(arg, entry, text);
}

static void take_mounted(struct reload *reload)
{
    struct registry *registry = reload->registry;
    size_t all = reload->count + registry->mounted_count;

    reload->changed |= registry->remounted;
    reload->entries = mem_resize(reload->entries, (all + 1) * sizeof *reload->entries);
    for (size_t i = 0; i < registry->mounted_count; i++)
        reload->entries[reload->count + i] = entry_ref(registry->mounted[i]);
    reload->count = claims_settle(reload->entries, all, on_refused, reload);
    registry->remounted = false;
}

static bool has_source(const struct source_list *sources, size_t near, const char *path)
{
    if (near < sources->count && strcmp(sources->items[near].path, path) == 0)
        return true;
    for (size_t i = 0; i < sources->count; i++)
        if (strcmp(sources->items[i].path, path) == 0)
            return true;
    return false;
}

/* Also of files that did not load: that they are gone is the news that their error waits for. */
static void log_removed(const struct source_list *before, const struct source_list *now)
{
    for (size_t i = 0; i < before->count; i++)
        if (!has_source(now, i, before->items[i].path))
            log_info("removed %s", before->items[i].path);
}

/* All files were looked at. */
static void reload_complete(struct reload *reload)
{
    struct registry *registry = reload->registry;

    sandbox_remember(libs_sandbox(reload->libs), false);
    programs_clear(&reload->programs);
    take_mounted(reload);
    libs_unref(registry->libs);
    registry->libs = reload->libs;
    reload->rechosen =
        registry->choice && choice_look(registry->choice, registry, reload->entries, reload->count);
    reload->changed |= reload->rechosen;
    if (!registry->current || reload->changed || reload->count != registry->current->count) {
        swap_generations(reload);
        reload->changed = true;
    } else {
        for (size_t i = 0; i < reload->count; i++)
            entry_unref(reload->entries[i]);
        free(reload->entries);
        problems_carry(&reload->problems, &registry->problems);
    }
    log_removed(&registry->sources, &reload->sources);
    sources_free(&registry->sources);
    registry->sources = reload->sources;
    problems_free(&registry->problems);
    registry->problems = reload->problems;
    if (registry->libs_news && registry->libs_changed)
        registry->libs_changed(registry->libs_arg);
    registry->libs_news = false;
}

bool registry_reload(struct registry *registry)
{
    struct reload reload = { .registry = registry, .patience_ms = registry->patience_ms };
    bool first = !registry->current;
    size_t fresh = 0;

    registry_drop_reload(registry);
    scan_sources(&reload);
    for (size_t i = 0; i < reload.sources.count; i++) {
        const struct source *source = &reload.sources.items[i];
        uint64_t budget_ms;
        struct entry *entry;
        struct error err;

        if (!source_is_wanted(registry, source) || take_known(&reload, source) ||
            take_kept(&reload, source))
            continue;
        budget_ms = take_budget(&reload, LEAST_MS);
        entry = entry_load_source(registry->vm, reload.libs, source, budget_ms, &err);
        fresh += entry && entry->keepable && stamp_settled(&source->stamp, reload.sources.time);
        take_loaded(&reload, source, entry, budget_ms, &err);
    }
    reload_complete(&reload);
    if (first)
        cached_loaded(registry, fresh > 0);
    wakeups_tell(&registry->waits);
    return reload.changed;
}

/* --- in turns ------------------------------------------------------------------------ */

static void reload_go_on(struct reload *reload);

static void end_file(struct reload *reload, struct entry *entry, uint64_t took_ms,
                     struct error *err)
{
    take_loaded(reload, &reload->sources.items[reload->next], entry, took_ms, err);
    buf_free(&reload->text);
    reload->next++;
}

static void on_ran(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct reload *reload = arg;
    struct vm *vm = reload->registry->vm;
    const struct source *source = &reload->sources.items[reload->next];
    uint64_t took_ms = (uint64_t)(uv_hrtime() - reload->since) / 1000000;
    struct entry *entry = NULL;
    struct buf modules = { 0 };
    struct error inner, err;

    reload->task = NULL;
    if (end == TASK_CANCELLED) { /* the reload is given up */
        sandbox_abandon(libs_sandbox(reload->libs), task, NULL);
        return;
    }
    if (end == TASK_DONE) {
        lua_settop(task_lua(task), lua_gettop(task_lua(task)) - nresults + 1); /* one value */
        lua_xmove(task_lua(task), vm_lua(vm), 1);
        entry = entry_made(vm, reload->libs, source, reload->text.data, reload->text.len, &err);
    } else if (end == TASK_FAILED) {
        task_error(task, &inner, NULL);
        entry_name_failure(source, &inner, &err);
    } else {
        sandbox_abandon(libs_sandbox(reload->libs), task, &modules);
        error_set(&err, "timeout", "%s: took longer than %d ms%s%s", source->label, (int)took_ms,
                  modules.len ? ", loading the lib module " : "", buf_text(&modules));
        buf_free(&modules);
    }
    end_file(reload, entry, took_ms, &err);
    if (!reload->inside)
        reload_go_on(reload);
}

static void start_file(struct reload *reload)
{
    struct vm *vm = reload->registry->vm;
    const struct source *source = &reload->sources.items[reload->next];
    struct task_spec spec = { .name = source->label,
                              .timeout_ms = take_budget(reload, LEAST_TURNS_MS),
                              .loading = true,
                              .ended = on_ran,
                              .arg = reload };
    struct error err;

    if (!source_text(source, LUA_FILE_MAX, &reload->text, &err) ||
        !entry_compile(reload->libs, source, reload->text.data, reload->text.len, &err)) {
        end_file(reload, NULL, 0, &err);
        return;
    }
    reload->since = uv_hrtime();
    reload->task = task_new(vm_lua(vm), 0, &spec, &err);
    if (reload->task)
        task_go(reload->task);
    else
        end_file(reload, NULL, 0, &err);
}

static void end_reload(struct reload *reload)
{
    struct registry *registry = reload->registry;
    bool again = registry->again;

    registry->reload = NULL;
    registry->again = false;
    reload_complete(reload);
    if (registry->reloaded)
        registry->reloaded(registry->reloaded_arg);
    wakeups_tell(&reload->waits);
    free(reload);
    if (again && !registry->reload)
        registry_reload_in_turns(registry, NULL);
}

static void reload_go_on(struct reload *reload)
{
    reload->inside = true;
    while (!reload->task && reload->next < reload->sources.count) {
        const struct source *source = &reload->sources.items[reload->next];

        if (!source_is_wanted(reload->registry, source) || take_known(reload, source))
            reload->next++;
        else
            start_file(reload);
    }
    reload->inside = false;
    if (!reload->task)
        end_reload(reload);
}

void registry_drop_reload(struct registry *registry)
{
    struct reload *reload = registry->reload;

    if (!reload)
        return;
    registry->reload = NULL;
    registry->again = false;
    while (!list_empty(&reload->waits)) /* for the next */
        list_push(&registry->waits, list_pop(&reload->waits));
    if (reload->task)
        task_cancel(reload->task);
    sandbox_remember(libs_sandbox(reload->libs), false);
    for (size_t i = 0; i < reload->count; i++)
        entry_unref(reload->entries[i]);
    free(reload->entries);
    libs_unref(reload->libs);
    sources_free(&reload->sources);
    problems_free(&reload->problems);
    programs_clear(&reload->programs);
    buf_free(&reload->text);
    free(reload);
}

void registry_reload_in_turns(struct registry *registry, struct wakeup *over)
{
    struct reload *reload = registry->reload;

    if (over)
        list_push(&registry->waits, &over->link);

    if (reload && reload->task && uv_hrtime() - reload->since > (uint64_t)STUCK_MS * 1000 * 1000)
        registry_drop_reload(registry);
    if (registry->reload) {
        registry->again = true;
        return;
    }
    reload = mem_zero(sizeof *reload);
    reload->registry = registry;
    reload->patience_ms = SANDBOX_LOAD_MS;
    list_init(&reload->waits);
    while (!list_empty(&registry->waits))
        list_push(&reload->waits, list_pop(&registry->waits));
    registry->reload = reload;
    scan_sources(reload);
    reload_go_on(reload);
}

struct entry *registry_load_alone(struct registry *registry, enum source_kind kind,
                                  const char *name, struct error *err)
{
    struct source *source;
    struct entry *entry;

    registry_find_files(registry);
    source = sources_find(&registry->sources, kind, name);
    entry = source ? cached_load(registry, source) : NULL;
    if (entry)
        return entry;
    if (source)
        return entry_load_source(registry->vm, registry->libs, source, SANDBOX_LOAD_MS, err);
    error_set(err, "not_found", "no root has a file '%s' of this kind", name);
    return NULL;
}
