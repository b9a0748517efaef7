/* An immutable set of tools, prompts, texts, rules and providers.
 *
 * A reload builds a new one and swaps a pointer; nothing in one ever changes. */
#ifndef PERIGEE_REGISTRY_GENERATION_H
#define PERIGEE_REGISTRY_GENERATION_H

#include "base/buf.h"
#include "base/distance.h"
#include "registry/entry.h"
#include "registry/uri_template.h"

struct generation {
    unsigned number;        /* 1, 2, ... */
    struct entry **entries; /* owned references, by kind, toolset and name, packs' behind others' */
    size_t count;
    struct name *names; /* tools by name and alias, sorted */
    size_t name_count;
};

/* Takes the references in `entries` (an array it also takes); `clash` is called
 * for an alias that another tool has: that alias is left out. */
struct generation *generation_new(unsigned number, struct entry **entries, size_t count,
                                  void (*clash)(void *arg, struct entry *entry, const char *alias,
                                                struct entry *other),
                                  void *arg);
void generation_free(struct generation *generation); /* NULL is fine */

/* By name or alias. Borrowed. */
struct entry *generation_tool(const struct generation *generation, const char *name);

/* The same, also of the console's tools. */
struct entry *generation_any_tool(const struct generation *generation, const char *name);
struct entry *generation_find(const struct generation *generation, enum entry_kind kind,
                              const char *name);

/* " (did you mean 'NAME'?)" of what this platform has of the kind, or nothing. */
struct nearest_text generation_nearest(const struct generation *generation, enum entry_kind kind,
                                       const char *name);

/* The resource that a URI names: one with this very URI, else the first whose template it comes
 * from; then `values` has what stands in its variables' places. Borrowed. */
struct entry *generation_resource(const struct generation *generation, struct str uri,
                                  struct uri_values *values);

#endif
