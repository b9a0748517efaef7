/* Loading a file of a root. */
#ifndef PERIGEE_REGISTRY_ENTRY_LOAD_H
#define PERIGEE_REGISTRY_ENTRY_LOAD_H

#include "registry/entry.h"

/* Runs the source's text in the sandbox, for at most so long (of work), and checks what it returns.
 * NULL: err says "label:line: what" or names the key; its code is "timeout" if it took too long.
 * One reference, owned by the caller. */
struct entry *entry_load(struct vm *vm, struct libs *libs, const struct source *source,
                         const char *text, size_t len, uint64_t budget_ms, struct error *err);

/* The same of the file as it is on the disk. */
struct entry *entry_load_source(struct vm *vm, struct libs *libs, const struct source *source,
                                uint64_t budget_ms, struct error *err);

/* The same of code out of a catalog, which loaded before. */
struct entry *entry_load_code(struct vm *vm, struct libs *libs, const struct source *source,
                              struct str code, uint64_t budget_ms, struct error *err);

/* The same in parts, for a caller that runs the file itself. Compiles: leaves the file's function
 * on the main state. */
bool entry_compile(struct libs *libs, const struct source *source, const char *text, size_t len,
                   struct error *err);

/* Checks what the file returned, which is on the main state and is popped. */
struct entry *entry_made(struct vm *vm, struct libs *libs, const struct source *source,
                         const char *text, size_t len, struct error *err);

/* An error of its function as entry_load() tells it. */
void entry_name_failure(const struct source *source, const struct error *inner, struct error *err);

#endif
