#include "guest/jail/landlock.h"

#include <stddef.h>

#if defined __linux__
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
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

/* The rights of a rule: linux/landlock.h may be missing, or older. */
enum {
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    CHANGE = 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 12, /* removing; folders, files and links */
    OF_FILES = WRITE_FILE | READ_FILE | 1 << 14 /* TRUNCATE */,
    REFER_AND_TRUNCATE = 1 << 13 | 1 << 14,
};

/* Allows what lies below the path; a path that is not there needs no rule. */
static bool add_rule(int ruleset, uint64_t known, const char *path, uint64_t access)
{
    struct {
        uint64_t access;
        int32_t parent;
    } __attribute__((packed)) rule;
    int fd = open(path, O_PATH | O_CLOEXEC);
    struct stat st;
    bool ok;

    if (fd < 0)
        return true;
    if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
        access &= OF_FILES;
    rule.access = access & known;
    rule.parent = fd;
    ok = syscall(SYS_landlock_add_rule, ruleset, 1 /* PATH_BENEATH */, &rule, 0) == 0;
    close(fd);
    return ok;
}

static bool add_rules(int ruleset, uint64_t known, const char *readable, const char *box)
{
    const uint64_t all = READ_FILE | READ_DIR | WRITE_FILE | CHANGE | REFER_AND_TRUNCATE;
    char path[PATH_MAX];
    bool ok = true;

    for (const char *at = readable; *at; at += *at == '\n') {
        size_t len = strcspn(at, "\n");

        snprintf(path, sizeof path, "%.*s", (int)len, at);
        ok = add_rule(ruleset, known, path, READ_FILE | READ_DIR) && ok;
        at += len;
    }
    ok = add_rule(ruleset, known, "/dev/null", READ_FILE | WRITE_FILE) && ok;
    return (!*box || add_rule(ruleset, known, box, all)) && ok;
}

bool landlock_close_but(const char *readable, const char *box)
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
    ok = (!readable || add_rules(fd, step->files, readable, box)) &&
         prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_landlock_restrict_self, fd, 0) == 0;
    close(fd);
    return ok;
}
#else
bool landlock_close_but(const char *readable, const char *box)
{
    (void)readable;
    (void)box;
    return false;
}
#endif

bool landlock_close(void)
{
    return landlock_close_but(NULL, NULL);
}
