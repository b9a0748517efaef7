/* /proc/PID/stat, exe and maps. The name in stat may hold anything, so fields count from its last
 * ')'. */
#include "platform/freedesktop/proc.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* The fields of its stat after the name, in text; NULL: no such process. */
static const char *read_stat(int pid, char *text, size_t size)
{
    char path[32], *at;
    ssize_t len;
    int fd;

    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    fd = pid > 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return NULL;
    len = read(fd, text, size - 1);
    close(fd);
    if (len <= 0)
        return NULL;
    text[len] = '\0';
    at = strrchr(text, ')');
    return at ? at + 1 : NULL;
}

char proc_state(int pid)
{
    char text[1024], state;
    const char *fields = read_stat(pid, text, sizeof text);

    return fields && sscanf(fields, " %c", &state) == 1 ? state : '\0';
}

uint64_t proc_started(int pid, int *parent)
{
    char text[1024], state;
    const char *fields = read_stat(pid, text, sizeof text);
    unsigned long long started = 0;
    int above = 0;

    if (!fields ||
        sscanf(fields,
               " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
               &state, &above, &started) != 3)
        return 0;
    if (parent)
        *parent = above;
    return state == 'Z' || state == 'X' ? 0 : started;
}

uint64_t proc_now(void)
{
    struct timespec now = { 0 };
    uint64_t ticks = (uint64_t)sysconf(_SC_CLK_TCK);

    clock_gettime(CLOCK_BOOTTIME, &now);
    return (uint64_t)now.tv_sec * ticks + (uint64_t)now.tv_nsec * ticks / 1000000000u;
}

char *proc_path(int pid)
{
    char link[32], path[PATH_MAX];
    ssize_t len;

    snprintf(link, sizeof link, "/proc/%d/exe", pid);
    len = readlink(link, path, sizeof path - 1);
    return len > 0 ? mem_strndup(path, (size_t)len) : mem_strdup("");
}

bool proc_descends(int pid, int root)
{
    for (int depth = 0; pid > 1 && depth < 64; depth++) {
        int parent = 0;

        if (pid == root)
            return true;
        if (!proc_started(pid, &parent))
            return false;
        pid = parent;
    }
    return false;
}

void proc_has_loaded(int pid, const char *const *names, size_t count, bool *loaded)
{
    char path[32], line[PATH_MAX + 128];
    FILE *maps;

    for (size_t i = 0; i < count; i++)
        loaded[i] = false;
    snprintf(path, sizeof path, "/proc/%d/maps", pid);
    maps = pid > 0 ? fopen(path, "re") : NULL;
    while (maps && fgets(line, sizeof line, maps)) {
        for (size_t i = 0; i < count; i++)
            loaded[i] = loaded[i] || strstr(line, names[i]);
    }
    if (maps)
        fclose(maps);
}
