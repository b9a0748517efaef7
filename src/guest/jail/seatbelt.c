/* The list of calls of macOS: a Seatbelt profile that allows nothing (sandbox_init(3), sandbox.h).
 * The page calls it deprecated since macOS 10.8; the browsers rest on it, and programs without a
 * bundle have nothing else. Descriptors that are open stay usable. It can be entered only by a
 * process that has loaded all of its libraries, and has no framework that needs its servers: a
 * guest has none. */
#include "guest/jail/calls.h"

#ifdef __APPLE__
#include <stddef.h>
#include <stdint.h>

int sandbox_init(const char *profile, uint64_t flags, char **error);
void sandbox_free_error(char *error);

bool calls_list(int socket)
{
    char *why = NULL;
    bool ok = sandbox_init("(version 1)(deny default)", 0, &why) == 0;

    (void)socket;
    if (why)
        sandbox_free_error(why);
    return ok;
}
#endif
