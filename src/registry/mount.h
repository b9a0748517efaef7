/* Tools, prompts and resources that are no files of ours: another server's, under names of ours.
 *
 * They stand in each generation beside those of the files. A file of the same name (or URI) wins,
 * so a mounted one can be replaced as a shipped one can; a foreign file does not
 * (registry/claims.h). */
#ifndef PERIGEE_REGISTRY_MOUNT_H
#define PERIGEE_REGISTRY_MOUNT_H

#include "registry/registry.h"

/* One of them. `definition` is the JSON text of its definition, under its new name or URI; `run`
 * and `table` are registry references to its function and to what else a file would return
 * (`watch`, `complete`), `named` to a rule's function around which `run` stands, or LUA_NOREF: the
 * entry owns them from here on, also on failure. A tool's arguments
 * are checked by its inputSchema as far as we can read that, its results by nobody: they are
 * handed on. A resource with a template that we cannot read is listed, and names no URI.
 * NULL: "bad_definition". One reference, owned by the caller. */
struct mounted {
    enum entry_kind kind; /* ENTRY_TOOL, ENTRY_PROMPT or ENTRY_RESOURCE */
    const char *mount;    /* becomes its toolset */
    const char *path;     /* the file that names the server */
    const char *original; /* the name that the server gives it; NULL: it has none */
    struct str definition;
    int run, table, named;
    uint64_t timeout_ms;
    enum task_support tasks;
    bool listed;
};
struct entry *entry_mounted(struct vm *vm, const struct mounted *mounted, struct error *err);

/* Replaces all that this mount has by these (takes the references, not the array) and swaps in
 * a new generation if that changes anything. */
void registry_mount(struct registry *registry, const char *mount, struct entry **entries,
                    size_t count);

/* The entry at this place among those of all mounts; borrowed. NULL: there are no more. */
struct entry *registry_mounted(const struct registry *registry, size_t at);

/* `changed` is called when a reload found lib files changed. */
void registry_watch_libs(struct registry *registry, void (*changed)(void *arg), void *arg);

/* Pushes on the VM's main state what a lib module of the newest files gives to a file of the root
 * `home` (or HOME_NONE); false: err, and "not_found" when there is none. A module that is not
 * loaded yet may work for so long; one that works longer is not tried again until it changes. */
bool registry_require(struct registry *registry, int home, const char *module, uint64_t budget_ms,
                      struct error *err);

#endif
