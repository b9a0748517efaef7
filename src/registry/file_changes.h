/* The files of the roots that changed between two looks at the disk. */
#ifndef PERIGEE_REGISTRY_FILE_CHANGES_H
#define PERIGEE_REGISTRY_FILE_CHANGES_H

#include "registry/registry.h"

struct file_states;

/* The files as the last look found them. Owned by the caller. */
struct file_states *file_states_take(const struct registry *registry);
void file_states_free(struct file_states *states); /* NULL is fine */

enum file_change { FILE_ADDED, FILE_CHANGED, FILE_REMOVED };

/* Calls each() for what differs now: in the order of the files, those that are gone last. The path
 * is borrowed for the call. */
void file_states_compare(const struct file_states *before, const struct registry *registry,
                         void (*each)(void *arg, enum file_change change, const char *path),
                         void *arg);

#endif
