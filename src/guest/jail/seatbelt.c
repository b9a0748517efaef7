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
#include <stdio.h>
#include <string.h>

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

enum { PROFILE_MAX = 16384 };

/* Adds `(allow WHAT (subpath "PATH"))`. A path that would end the string is left out. */
static void allow_below(char *profile, const char *what, const char *path, size_t len)
{
    size_t used = strlen(profile);

    if (len > 0 && !memchr(path, '"', len) && !memchr(path, '\\', len))
        snprintf(profile + used, PROFILE_MAX - used, "(allow %s (subpath \"%.*s\"))", what,
                 (int)len, path);
}

/* Files as Landlock leaves them, and what threads and the C library ask the kernel for. No program,
 * no process, no connection and no server of the system. */
bool calls_list_python(enum calls_files files, const char *readable, const char *box)
{
    char profile[PROFILE_MAX] = "(version 1)(deny default)(allow sysctl-read)"
                                "(allow signal (target self))";

    for (const char *at = readable; files && *at; at += *at == '\n') {
        size_t len = strcspn(at, "\n");

        allow_below(profile, "file-read*", at, len);
        at += len;
    }
    if (files)
        allow_below(profile, "file-read* file-write*", box, strlen(box));
    return strlen(profile) < PROFILE_MAX - 1 && enter_profile(profile);
}
#endif
