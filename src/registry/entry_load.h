/* Loading a file of a root. */
#ifndef PERIGEE_REGISTRY_ENTRY_LOAD_H
#define PERIGEE_REGISTRY_ENTRY_LOAD_H

#include "registry/entry.h"

/* Runs the source's text in the sandbox and checks what it returns. NULL: err
 * says "label:line: what" or names the key. One reference, owned by the caller. */
struct entry *entry_load(struct vm *vm, struct libs *libs, const struct source *source,
                         const char *text, size_t len, struct error *err);

#endif
