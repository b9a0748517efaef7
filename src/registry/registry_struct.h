/* The parts of a registry, for registry.c and reload.c. */
#ifndef PERIGEE_REGISTRY_REGISTRY_STRUCT_H
#define PERIGEE_REGISTRY_REGISTRY_STRUCT_H

#include "base/list.h"
#include "registry/problems.h"
#include "registry/registry.h"

struct reload;

struct registry {
    struct vm *vm;
    char **roots;
    size_t root_count;
    char **toolsets;
    size_t toolset_count;
    bool all_toolsets;
    char *cache;
    struct packs *packs;   /* NULL: there can be none */
    struct choice *choice; /* NULL: there can be none */
    void (*changed)(void *arg, unsigned what);
    void *arg;
    void (*updated)(void *arg, const char *uri);
    void *updated_arg;
    void (*notice)(void *arg, const struct notice *notice);
    void *notice_arg;

    void (*failed)(void *arg, const struct problem *problem);
    void *failed_arg;

    void (*loaded)(void *arg);
    void *loaded_arg;
    void (*libs_changed)(void *arg);
    void *libs_arg;
    struct entry **mounted; /* references */
    size_t mounted_count;
    bool remounted; /* since the last reload */
    bool libs_news; /* the next reload that ends tells libs_changed of a change */

    uint64_t patience_ms;  /* see registry_set_patience() */
    struct reload *reload; /* in turns, under way; NULL: none is */
    bool again;            /* another is to follow it */
    struct link waits;     /* struct wakeup: for the end of the next reload */
    void (*reloaded)(void *arg);
    void *reloaded_arg;

    struct generation *current;
    struct libs *libs;
    struct libs *alone;      /* libs of an entry that was loaded alone, which goes on with them; a
                                reference, or NULL */
    struct catalog *catalog; /* until the files have been loaded for the first time */
    bool short_look;         /* the first look was the catalog's */
    bool unsaved;            /* cached_save() has something to do */
    struct catalog_draft *draft; /* its work so far, or NULL */
    size_t drafted;              /* files in it */
    size_t draft_roots;          /* roots whose files go into it */
    struct catalog *before;      /* a reference: what the draft need not compile, or NULL */
    struct source_list sources;  /* found by the last look */
    uint64_t looked; /* when registry_find_files() did; 0: another look was taken since */
    struct problems problems;
    struct entry *own_text; /* registry_text() gave its words; a reference, or NULL */
};

/* Looks where the files are, if nobody has; loads none. */
void registry_find_files(struct registry *registry);

/* Libs for the files of the list: its own if none changed, or if it can take the change, with the
 * entries marked that have to be loaded again. One reference, owned by the caller. */
struct libs *registry_libs_for(struct registry *registry, const struct source_list *sources);

/* Would this file, which loaded as a prompt or a rule, take the place of a text that comes with the
 * engine? Then err says what to do. */
bool registry_text_lost(const struct registry *registry, struct libs *libs,
                        const struct source *source, const struct entry *entry, struct error *err);

/* Gives up the reload that is under way, if one is. */
void registry_drop_reload(struct registry *registry);

#endif
