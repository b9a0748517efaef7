/* The system's store of secrets, where there is one: the keychain on macOS.
 *
 * What the module `macos` exports as `perigee_keychain`. The functions work on any thread. */
#ifndef PERIGEE_FILES_KEYCHAIN_H
#define PERIGEE_FILES_KEYCHAIN_H

#include "base/buf.h"
#include "base/error.h"

struct keychain {
    /* Whether what this program keeps there is still its own after the next build. */
    bool (*usable)(void);
    /* Appends what is kept for the account. "not_found", "keychain_locked" (the user is not there
     * to open it, or has refused), "keychain_failed". */
    bool (*read)(const char *account, struct buf *out, struct error *err);
    /* Replaces it whole; empty bytes: nothing is kept any more. */
    bool (*write)(const char *account, struct str bytes, struct error *err);
};

/* NULL: this system has none, this program is signed ad hoc, or PERIGEE_KEYCHAIN=0 says to use
 * files (1: the keychain in any case). Main thread only. */
const struct keychain *keychain_get(void);

#endif
