/* proc(5), elf(5). */
#include "process/emulation.h"

#ifdef __linux__
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/util.h"

#if defined __x86_64__
#define MACHINE EM_X86_64
#elif defined __aarch64__
#define MACHINE EM_AARCH64
#elif defined __riscv
#define MACHINE EM_RISCV
#elif defined __arm__
#define MACHINE EM_ARM
#else
#define MACHINE EM_NONE /* its files are not told from others' */
#endif

static const struct {
    int machine;
    const char *name;
} machines[] = {
    { EM_X86_64, "x86_64" }, { EM_AARCH64, "arm64" }, { EM_RISCV, "riscv64" },
    { EM_ARM, "arm" },       { EM_386, "i386" },
};

/* The file of a process, without the kernel's word that it was removed since. */
static bool read_link(int folder, const char *name, char path[PATH_MAX])
{
    static const char removed[] = " (deleted)";
    ssize_t len = readlinkat(folder, name, path, PATH_MAX - 1);

    if (len <= 0)
        return false;
    path[len] = '\0';
    if ((size_t)len >= sizeof removed && strcmp(path + len + 1 - sizeof removed, removed) == 0)
        path[len + 1 - (ssize_t)sizeof removed] = '\0';
    return true;
}

/* EM_NONE: it cannot be read. */
static int read_machine(int folder)
{
    unsigned char head[20];
    int fd = openat(folder, "exe", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, head, sizeof head) : -1;

    if (fd >= 0)
        close(fd);
    if (got != sizeof head || memcmp(head, ELFMAG, SELFMAG) != 0)
        return EM_NONE;
    return head[EI_DATA] == ELFDATA2MSB ? head[18] << 8 | head[19] : head[19] << 8 | head[18];
}

static void describe_emulator(const char *path, int machine, struct emulation *found)
{
    const char *slash = strrchr(path, '/');

    *found = (struct emulation){ .machine = "" };
    snprintf(found->by, sizeof found->by, "%.63s", slash ? slash + 1 : path);
    for (size_t i = 0; i < countof(machines); i++) {
        if (machines[i].machine == machine)
            snprintf(found->machine, sizeof found->machine, "%s", machines[i].name);
    }
}

bool emulation_find(struct emulation *found)
{
    char kernels[PATH_MAX], usual[PATH_MAX];
    int folder = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int machine = folder >= 0 ? read_machine(folder) : EM_NONE;
    bool known = folder >= 0 && read_link(folder, "exe", kernels) &&
                 read_link(AT_FDCWD, "/proc/self/exe", usual);

    if (folder >= 0)
        close(folder);
    if (!known || (strcmp(kernels, usual) == 0 &&
                   (machine == EM_NONE || MACHINE == EM_NONE || machine == MACHINE)))
        return false;
    describe_emulator(kernels, machine, found);
    return true;
}
#else
bool emulation_find(struct emulation *found)
{
    (void)found; /* Rosetta on a Mac lacks nothing that is used here */
    return false;
}
#endif
