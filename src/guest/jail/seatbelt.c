/* The list of calls of macOS: a Seatbelt profile that allows nothing (sandbox_init(3), sandbox.h).
 * The page calls it deprecated since macOS 10.8; the browsers rest on it, and programs without a
 * bundle have nothing else. Descriptors that are open stay usable. It can be entered only by a
 * process that has loaded all of its libraries, and has no framework that needs its servers: a
 * guest has none. An interpreter must not have loaded one either (_scproxy does) when it forks.
 * None of this was tried on a Mac. */
#include "guest/jail/calls.h"

#ifdef __APPLE__
#include <stddef.h>
#include <stdint.h>

int sandbox_init(const char *profile, uint64_t flags, char **error);
void sandbox_free_error(char *error);

static bool enter_profile(const char *profile)
{
    char *why = NULL;
    bool ok = sandbox_init(profile, 0, &why) == 0;

    if (why)
        sandbox_free_error(why);
    return ok;
}

bool calls_list(int socket)
{
    (void)socket;
    return enter_profile("(version 1)(deny default)");
}

bool calls_list_python(enum calls_files files, const char *seatbelt)
{
    (void)files;
    return enter_profile(seatbelt);
}
#endif
