/* /proc/PID/stat, task, exe and maps. The name in stat may have any characters, so fields are
 * counted from its last ')'. */
#include "platform/freedesktop/proc.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* The fields of a stat after the name, in text; NULL: no such process or thread. */
static const char *read_fields(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t len;
    char *at;

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

static const char *read_stat(int pid, char *text, size_t size)
{
    char path[32];

    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    return pid > 0 ? read_fields(path, text, size) : NULL;
}

static char state_in(const char *fields)
{
    char state;

    return fields && sscanf(fields, " %c", &state) == 1 ? state : '\0';
}

char proc_state(int pid)
{
    char text[1024];

    return state_in(read_stat(pid, text, sizeof text));
}

static bool thread_works(int pid, const char *id)
{
    char path[64], text[1024], state;

    snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", pid, id);
    state = state_in(read_fields(path, text, sizeof text));
    return state == 'R' || state == 'D';
}

bool proc_at_work(int pid)
{
    const struct dirent *entry;
    bool works = false;
    char path[32];
    DIR *threads;

    snprintf(path, sizeof path, "/proc/%d/task", pid);
    threads = pid > 0 ? opendir(path) : NULL;
    while (threads && !works && (entry = readdir(threads)))
        works = entry->d_name[0] != '.' && thread_works(pid, entry->d_name);
    if (threads)
        closedir(threads);
    return works;
}

uint64_t proc_cpu_ms(int pid)
{
    char text[1024];
    const char *fields = read_stat(pid, text, sizeof text);
    unsigned long long user = 0, system = 0;

    if (!fields || sscanf(fields, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user,
                          &system) != 2)
        return 0;
    return (user + system) * 1000u / (uint64_t)sysconf(_SC_CLK_TCK);
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
