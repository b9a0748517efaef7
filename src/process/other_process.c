#include "process/other_process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENVIRON_BYTES = 256 * 1024 };

void other_process_read(const char *proc, int pid, const char *name, struct buf *out)
{
    char *path = mem_printf("%s/%d/%s", proc, pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    ssize_t n = 1;

    while (fd >= 0 && n > 0 && out->len < ENVIRON_BYTES) {
        n = read(fd, buf_reserve(out, 4096), 4096);
        out->len += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0)
        close(fd);
    free(path);
}

const char *other_process_variable(struct buf *vars, const char *name)
{
    size_t len = strlen(name);
    const char *text = buf_text(vars), *end = text + vars->len;

    for (; text < end; text += strlen(text) + 1)
        if (strncmp(text, name, len) == 0 && text[len] == '=')
            return text + len + 1;
    return NULL;
}

/* The fourth field of stat, behind a name that may hold anything. */
int other_process_parent(const char *proc, int pid)
{
    struct buf stat = { 0 };
    const char *behind;
    int parent = 0;

    other_process_read(proc, pid, "stat", &stat);
    behind = strrchr(buf_text(&stat), ')');
    if (!behind || sscanf(behind, ") %*c %d", &parent) != 1)
        parent = 0;
    buf_free(&stat);
    return parent;
}

char *other_process_describe(const char *proc, int pid)
{
    struct buf name = { 0 };
    char *text;

    other_process_read(proc, pid, "comm", &name);
    while (name.len && name.data[name.len - 1] == '\n')
        name.len--;
    text = mem_printf("process %d (%s)", pid, buf_text(&name));
    buf_free(&name);
    return text;
}

bool other_process_is_ours(const char *proc, const char *name)
{
    char *path = mem_printf("%s/%s", proc, name);
    struct stat st;
    bool ours = stat(path, &st) == 0 && st.st_uid == geteuid();

    free(path);
    return ours;
}
