/* Secrets by their names: one private file each (0600, in a folder 0700).
 *
 * With a keychain (macOS) they are kept there instead, under the file's path as the account; what a
 * file still holds is found, and moved with the next change. Thread-safe. */
#ifndef PERIGEE_FILES_SECRETS_H
#define PERIGEE_FILES_SECRETS_H

#include "base/buf.h"
#include "base/error.h"
#include "files/keychain.h"

enum { SECRETS_MAX = 4 << 20 }; /* bytes of one */

/* From now on; NULL: files. Borrows. */
void secrets_use(const struct keychain *keychain);

/* Appends what is kept under the name: a single file name. "not_found" when there is
 * nothing, "not_private" when the file belongs to somebody else. One that others may
 * read is made private first. */
bool secrets_read(const char *folder, const char *name, struct buf *out, struct error *err);

/* The whole new contents or the old ones. Empty bytes: nothing is kept any more. */
bool secrets_write(const char *folder, const char *name, struct str bytes, struct error *err);

/* The right to change it, among all programs: a descriptor to close(), which gives it
 * back. -1: "busy" (another holds it) or a failure. Never waits. */
int secrets_lock(const char *folder, const char *name, struct error *err);

#endif
