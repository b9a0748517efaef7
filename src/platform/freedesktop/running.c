#include "platform/freedesktop/running.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/file.h"
#include "platform/freedesktop/proc.h"

enum { ENVIRONMENT_MAX = 2 << 20 };

/* Programs that run others: such a process identifies no application. */
static const char *const hosts[] = { "sh",      "bash", "dash",   "env",     "perl",
                                     "python3", "java", "python", "flatpak", "snap" };

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* True if it belongs to this user, and to this display by its environment. */
static bool is_here(int pid, const char *display)
{
    char path[40];
    struct buf text = { 0 };
    struct stat info;
    bool here = false;

    snprintf(path, sizeof path, "/proc/%d/environ", pid);
    if (stat(path, &info) != 0 || info.st_uid != getuid() ||
        !file_read_all(path, ENVIRONMENT_MAX, &text, NULL))
        return false;
    for (size_t at = 0; at < text.len && !here; at += strnlen(text.data + at, text.len - at) + 1) {
        const char *value = text.data + at;

        if (text.len - at <= 8 || memcmp(value, "DISPLAY=", 8) != 0)
            continue;
        size_t len = strcspn(display, "."), room = text.len - at - 8;

        here = room > len && memcmp(value + 8, display, len) == 0 &&
               (!value[8 + len] || value[8 + len] == '.');
    }
    buf_free(&text);
    return here;
}

static bool has(const struct app_list *list, const char *id)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].id, id) == 0)
            return true;
    }
    return false;
}

static const struct desktop_entry *entry_of(const struct entries *entries, char *const *programs,
                                            const char *program)
{
    const struct desktop_entry *best = NULL;

    for (size_t i = 0; i < entries->count; i++) {
        const struct desktop_entry *entry = &entries->items[i];

        if (!programs[i] || strcmp(programs[i], program) != 0)
            continue;
        if (!best || (strcmp(best->id, program) != 0 && entry_is_plain(entry)))
            best = entry;
        if (strcmp(entry->id, program) == 0)
            best = entry;
    }
    return best;
}

static bool has_process(const struct app_list *list, int pid)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].pid == pid)
            return true;
    }
    return false;
}

static void consider(int pid, const struct desktop_entry *entry, struct app_list *list)
{
    uint64_t started = proc_started(pid, NULL);

    if (!started)
        return;
    list->items = mem_resize(list->items, sizeof *list->items * (list->count + 1));
    list->items[list->count++] = (struct app_info){ .pid = pid,
                                                    .started = started,
                                                    .name = mem_strdup(entry->name),
                                                    .id = mem_strdup(entry->id),
                                                    .path = proc_path(pid),
                                                    .icon = mem_strdup(entry->icon) };
}

/* The programs of the entries that a process may be of, by the entries' places; NULL: none. */
static char **programs_of(const struct entries *entries)
{
    char **programs = mem_zero(sizeof *programs * (entries->count + 1));

    for (size_t i = 0; i < entries->count; i++) {
        const struct desktop_entry *entry = &entries->items[i];
        char *program = entry->exec[0] && !entry->hidden && !entry->terminal ? entry_program(entry)
                                                                             : mem_strdup("");
        bool host = !*program;

        for (size_t j = 0; j < countof(hosts); j++)
            host = host || strcmp(program, hosts[j]) == 0;
        if (host)
            free(program);
        else
            programs[i] = program;
    }
    return programs;
}

static int by_number(const struct dirent **a, const struct dirent **b)
{
    return atoi((*a)->d_name) - atoi((*b)->d_name);
}

static int is_number(const struct dirent *item)
{
    return item->d_name[0] >= '1' && item->d_name[0] <= '9';
}

void running_add(struct entries *entries, const char *display, struct app_list *list)
{
    const struct entries *known = entries_fresh(entries);
    char **programs = programs_of(known);
    struct dirent **items = NULL;
    int count = scandir("/proc", &items, is_number, by_number);

    for (int i = 0; i < count; i++) {
        int pid = atoi(items[i]->d_name);
        char *path = proc_path(pid);
        const struct desktop_entry *entry =
            *path ? entry_of(known, programs, last_part(path)) : NULL;

        if (entry && !has(list, entry->id) && !has_process(list, pid) && is_here(pid, display))
            consider(pid, entry, list);
        free(path);
        free(items[i]);
    }
    free(items);
    for (size_t i = 0; i < known->count; i++)
        free(programs[i]);
    free(programs);
}
