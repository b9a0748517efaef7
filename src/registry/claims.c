#include "registry/claims.h"

#include <stdlib.h>
#include <string.h>

struct claim {
    const char *text; /* borrowed from the entry */
    struct entry **entry;
    bool alias;
};

struct claims {
    struct claim *list;
    size_t count;
    void (*refused)(void *arg, const struct entry *entry, char *text);
    void *arg;
};

/* Files, what is mounted, foreign files: the lower one has the claim. */
static int rank_of(const struct entry *entry)
{
    return entry->foreign ? 2 : entry->libs ? 0 : 1;
}

static int by_claim(const void *a, const void *b)
{
    const struct claim *x = a, *y = b;
    int order = (int)(*x->entry)->kind - (int)(*y->entry)->kind;

    if (!order)
        order = strcmp(x->text, y->text);
    if (!order)
        order = rank_of(*x->entry) - rank_of(*y->entry);
    if (!order)
        order = (int)x->alias - (int)y->alias;
    return order ? order : (x->entry > y->entry) - (x->entry < y->entry);
}

static void add_claims(struct claims *claims, struct entry **entry)
{
    const struct entry *it = *entry;
    const char *text = it->kind == ENTRY_RESOURCE ? it->uri : it->name;

    claims->list[claims->count++] = (struct claim){ text, entry, false };
    for (size_t i = 0; it->kind == ENTRY_TOOL && rank_of(it) == 0 && i < it->alias_count; i++)
        claims->list[claims->count++] = (struct claim){ it->aliases[i], entry, true };
}

static void tell_refused(const struct claims *claims, const struct entry *entry,
                         const struct claim *owner)
{
    const struct entry *other = *owner->entry;
    const char *of = owner->alias ? "the alias of " : "";
    char *text = NULL;

    if (entry->foreign)
        text =
            mem_printf("%s: the name '%s' is %s%s, which no foreign tool replaces. Rename the file",
                       entry->label, entry->name, owner->alias ? of : "taken by ", other->label);
    else if (owner->alias)
        text =
            mem_printf("%s: the name is %s%s, which no mounted tool replaces. Rename the alias, or "
                       "give the server another name",
                       entry->label, of, other->label);
    else if (rank_of(other) == 1)
        text = mem_printf("%s: the server %s has '%s' under this name, so '%s' of the server %s is "
                          "left out. Give one of them another name in lib/mounts/%s.lua",
                          entry->label, other->toolset, other->original ? other->original : "it",
                          entry->original ? entry->original : "it", entry->toolset, entry->toolset);
    if (text)
        claims->refused(claims->arg, entry, text);
}

/* Takes those out whose claim is that of one before them, if one of the two is no file of ours: two
 * of these are settled by others (source.c). */
static void settle(struct claims *claims)
{
    const struct claim *owner = NULL;

    for (size_t i = 0; i < claims->count; i++) {
        struct claim *claim = &claims->list[i];

        if (!*claim->entry)
            continue;
        if (!owner || !*owner->entry || (*owner->entry)->kind != (*claim->entry)->kind ||
            strcmp(owner->text, claim->text) != 0) {
            owner = claim;
        } else if (rank_of(*claim->entry) > 0 && claim->entry != owner->entry) {
            tell_refused(claims, *claim->entry, owner);
            entry_unref(*claim->entry);
            *claim->entry = NULL;
        }
    }
}

size_t claims_settle(struct entry **entries, size_t count,
                     void (*refused)(void *arg, const struct entry *entry, char *text), void *arg)
{
    struct claims claims = { .refused = refused, .arg = arg };
    size_t all = count, kept = 0;

    for (size_t i = 0; i < count; i++)
        all += entries[i]->alias_count;
    claims.list = mem_alloc((all + 1) * sizeof *claims.list);
    for (size_t i = 0; i < count; i++)
        add_claims(&claims, &entries[i]);
    qsort(claims.list, claims.count, sizeof *claims.list, by_claim);
    settle(&claims);
    for (size_t i = 0; i < count; i++)
        if (entries[i])
            entries[kept++] = entries[i];
    free(claims.list);
    return kept;
}
