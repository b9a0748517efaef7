#include "guest/jail/limits.h"

#include <stddef.h>
#include <sys/resource.h>

#include "base/util.h"

/* macOS has no limit of address space that works (setrlimit(2) there: EINVAL). */
#ifdef __linux__
static const struct {
    int resource;
    rlim_t most;
} limits[] = {
    { RLIMIT_NOFILE, 4 }, /* poll() does not work with less */
    { RLIMIT_NPROC, 0 },
    { RLIMIT_FSIZE, 0 },
    { RLIMIT_CORE, 0 },
    { RLIMIT_MEMLOCK, 0 },
    { RLIMIT_SIGPENDING, 0 },
    { RLIMIT_MSGQUEUE, 0 },
    { RLIMIT_STACK, 8 << 20 },
    { RLIMIT_AS, (rlim_t)2 << 30 }, /* twice the most that a script's VM gets */
};
#else
static const struct {
    int resource;
    rlim_t most;
} limits[] = {
    { RLIMIT_NOFILE, 4 }, { RLIMIT_NPROC, 0 },   { RLIMIT_FSIZE, 0 },
    { RLIMIT_CORE, 0 },   { RLIMIT_MEMLOCK, 0 },
};
#endif

bool limits_set(void)
{
    bool ok = true;

    for (size_t i = 0; i < countof(limits); i++) {
        const struct rlimit both = { limits[i].most, limits[i].most };

        ok = setrlimit(limits[i].resource, &both) == 0 && ok;
    }
    return ok;
}
