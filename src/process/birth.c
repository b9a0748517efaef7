/* proc(5); libproc.h and sysctl(3) on a Mac. */
#include "process/birth.h"

#include <stdio.h>

#ifdef __APPLE__
#include <libproc.h>
#include <sys/sysctl.h>
#else
#include <fcntl.h>
#include <unistd.h>
#endif

#ifdef __APPLE__
uint64_t process_birth(int pid)
{
    struct proc_bsdinfo info;
    enum { ZOMBIE = 5 }; /* SZOMB of sys/proc.h */

    if (pid <= 0 || proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, &info, sizeof info) != sizeof info ||
        info.pbi_status == ZOMBIE)
        return 0;
    return (uint64_t)info.pbi_start_tvsec * 1000000 + info.pbi_start_tvusec;
}

void system_boot(char out[BOOT_NAME])
{
    size_t size = BOOT_NAME;

    if (sysctlbyname("kern.bootsessionuuid", out, &size, NULL, 0) != 0 || size < 2)
        snprintf(out, BOOT_NAME, "-");
}
#else
/* Its first bytes; false: there are none. */
static bool read_small_file(int folder, const char *path, char *text, size_t size)
{
    int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd >= 0 ? read(fd, text, size - 1) : -1;

    if (fd >= 0)
        close(fd);
    text[len > 0 ? len : 0] = '\0';
    return len > 0;
}

/* By way of its folder: qemu's user emulation makes up what a process reads of itself by the whole
 * name, with another time, and no other process reads that. */
static bool read_stat(int pid, char *text, size_t size)
{
    char path[32];
    int folder;
    bool got;

    snprintf(path, sizeof path, "/proc/%d", pid);
    folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    got = folder >= 0 && read_small_file(folder, "stat", text, size);
    if (folder >= 0)
        close(folder);
    return got;
}

uint64_t process_birth(int pid)
{
    unsigned long long started;
    const char *behind;
    char state, text[1024];

    if (pid <= 0 || !read_stat(pid, text, sizeof text))
        return 0;
    behind = strrchr(text, ')'); /* the end of the name, which may have any characters */
    /* fields 3 (state) and 22 (starttime) */
    if (!behind || sscanf(behind,
                          ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                          "%*s %*s %llu",
                          &state, &started) != 2)
        return 0;
    return state == 'Z' || state == 'X' ? 0 : started;
}

void system_boot(char out[BOOT_NAME])
{
    char text[BOOT_NAME];

    if (!read_small_file(AT_FDCWD, "/proc/sys/kernel/random/boot_id", text, sizeof text) ||
        sscanf(text, "%63s", out) != 1)
        snprintf(out, BOOT_NAME, "-");
}
#endif
