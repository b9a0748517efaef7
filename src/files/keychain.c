/* The way to the keychain. */
#include "files/keychain.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/module.h"

const struct keychain *keychain_get(void)
{
#ifdef __APPLE__
    const char *set = getenv("PERIGEE_KEYCHAIN");
    const struct keychain *keychain = NULL;
    struct error err;

    if (set && strcmp(set, "0") == 0)
        return NULL;
    keychain = module_symbol("macos", "perigee_keychain", &err);
    if (!keychain)
        log_warn("secrets are stored in files, not in the keychain: %s", err.text);
    else if (!(set && strcmp(set, "1") == 0) && !keychain->usable())
        keychain = NULL;
    return keychain;
#else
    return NULL;
#endif
}
