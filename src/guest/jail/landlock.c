#include "guest/jail/landlock.h"

#if defined __linux__
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_restrict_self  446
#endif

/* The structure as the newest kernel's header has it; the header of the building system may know
 * less than the kernel that runs. */
struct ruleset {
    uint64_t files, net, scoped;
};

/* The bits and the size for each version (abi): a kernel refuses bits that it does not know, and
 * bytes behind its own structure. */
static const struct step {
    uint64_t files, net, scoped;
    int abi;
    uint32_t size;
} steps[] = {
    { (1u << 13) - 1, 0, 0, 1, 8 },  { (1u << 14) - 1, 0, 0, 2, 8 },
    { (1u << 15) - 1, 0, 0, 3, 8 },  { (1u << 15) - 1, 3, 0, 4, 16 },
    { (1u << 16) - 1, 3, 0, 5, 16 }, { (1u << 16) - 1, 3, 3, 6, 24 },
};

bool landlock_close(void)
{
    const uint32_t ask_version = 1;
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, ask_version);
    const struct step *step = steps;
    struct ruleset rules;
    bool ok;
    int fd;

    if (abi < 1)
        return false;
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i].abi <= abi)
            step = &steps[i];
    rules = (struct ruleset){ step->files, step->net, step->scoped };
    fd = (int)syscall(SYS_landlock_create_ruleset, &rules, step->size, 0);
    if (fd < 0)
        return false;
    ok = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_landlock_restrict_self, fd, 0) == 0;
    close(fd);
    return ok;
}
#else
bool landlock_close(void)
{
    return false;
}
#endif
