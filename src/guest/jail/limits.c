#include "guest/jail/limits.h"

#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "base/util.h"

enum { FDS_MAX = 1 << 20 }; /* the most descriptors that Linux allows a process by itself */

struct limit {
    int resource;
    rlim_t most;
};

static const struct limit lua_limits[] = {
    { RLIMIT_NOFILE, 4 }, /* poll() does not work with less */
    { RLIMIT_NPROC, 0 },
    { RLIMIT_FSIZE, 0 },
    { RLIMIT_CORE, 0 },
    { RLIMIT_MEMLOCK, 0 },
#ifdef __linux__ /* macOS has no limit of address space that works (setrlimit(2) there: EINVAL) */
    { RLIMIT_SIGPENDING, 0 },
    { RLIMIT_MSGQUEUE, 0 },
    { RLIMIT_STACK, 8 << 20 },
    { RLIMIT_AS, (rlim_t)2 << 30 }, /* twice the most that a script's VM gets */
#endif
};

/* Threads count as processes of the user, wherever they run: the list of calls has no others. */
static const struct limit python_limits[] = {
    { RLIMIT_NOFILE, 64 },     { RLIMIT_FSIZE, 64 << 20 },
    { RLIMIT_CORE, 0 },        { RLIMIT_MEMLOCK, 0 },
#ifdef __linux__
    { RLIMIT_MSGQUEUE, 0 },    { RLIMIT_SIGPENDING, 64 },
    { RLIMIT_STACK, 8 << 20 }, { RLIMIT_AS, (rlim_t)1 << 30 },
#endif
};

static bool set_all(const struct limit *limits, size_t count)
{
    bool ok = true;

    for (size_t i = 0; i < count; i++) {
        const struct rlimit both = { limits[i].most, limits[i].most };

        ok = setrlimit(limits[i].resource, &both) == 0 && ok;
    }
    return ok;
}

bool limits_set(void)
{
    return set_all(lua_limits, countof(lua_limits));
}

bool limits_set_python(void)
{
    return set_all(python_limits, countof(python_limits));
}

void limits_close_above(int fd)
{
    long most = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
    if (syscall(SYS_close_range, fd + 1, ~0U, 0) == 0)
        return;
#endif
    for (int each = fd + 1; each < (most > 0 ? most : FDS_MAX) && each < FDS_MAX; each++)
        close(each);
}
