/* Files in ROOT/tests, which hold further examples of what the root has. They belong to no
 * generation and no reload looks at them: one is run when `perigee test` or `perigee check` asks
 * for it. */
#ifndef PERIGEE_REGISTRY_TEST_FILE_H
#define PERIGEE_REGISTRY_TEST_FILE_H

#include "registry/registry.h"

/* Runs the file at this absolute path as one of its root, and leaves what it returned on the main
 * state. The path is below tests/ of a root or of an approved pack; the files of the first root may
 * also have theirs in tests/ beside it, as in the source tree. False: err ("not_found",
 * "not_approved", "syntax", ... with "LABEL:LINE: what"), and nothing is pushed. */
bool test_file_run(struct registry *registry, const char *path, struct error *err);

#endif
