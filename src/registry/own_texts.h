/* The texts that come with the engine, for itself (ENTRY_TEXT), while a user's file has the place
 * of one and is none: it never loaded, or it is a prompt or a rule. */
#ifndef PERIGEE_REGISTRY_OWN_TEXTS_H
#define PERIGEE_REGISTRY_OWN_TEXTS_H

#include "registry/entry.h"
#include "registry/registry_struct.h"

/* Would this file, which loaded, take the place of such a text without being one? Then err says
 * what to do. */
bool own_text_lost(const struct registry *registry, struct libs *libs, const struct source *source,
                   const struct entry *entry, struct error *err);

/* Appends to the entries, where there is room for one of each source, the texts whose place is a
 * file's that has no entry among them. Is one of these new? */
bool own_texts_add(const struct registry *registry, struct libs *libs,
                   const struct source_list *sources, struct entry **entries, size_t *count);

#endif
