/* A mark is PLACE.stop, with a few lines of NAME VALUE. A file that cannot be read, or is empty
 * because the disk is full, stops all the same. */
#include "platform/worker/stop_mark.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "files/file.h"
#include "process/birth.h"

#define KIND "stop"

enum { MARK_BYTES = 2048, SERVER_NAME = 64 };

/* --- the X server of a mark --------------------------------------------------------------- */

/* The X server of the place, by its socket; "-" if none is seen. */
static void server_of(const char *place, char out[SERVER_NAME])
{
    struct stat st;
    char path[64];
    int number, end = 0;

    snprintf(out, SERVER_NAME, "-");
    if (sscanf(place, "x11:%5d%n", &number, &end) != 1 || place[end])
        return;
    snprintf(path, sizeof path, "/tmp/.X11-unix/X%d", number);
    if (lstat(path, &st) == 0 && S_ISSOCK(st.st_mode))
        snprintf(out, SERVER_NAME, "%llu.%lld", (unsigned long long)st.st_ino,
                 (long long)st.st_mtime);
}

/* True if both are known, and not the same. */
static bool differ(const char *then, const char *now)
{
    return *then && strcmp(then, "-") != 0 && strcmp(now, "-") != 0 && strcmp(then, now) != 0;
}

/* --- reading ------------------------------------------------------------------------------- */

static void value_of(const char *text, const char *name, char *out, size_t size)
{
    size_t len = strlen(name);

    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, len) == 0 && line[len] == ' ') {
            snprintf(out, size, "%.*s", (int)strcspn(line + len + 1, "\n"), line + len + 1);
            return;
        }
    }
}

/* Fills the mark from its file; false: the desktop that it was for is gone. */
static bool read_mark(const char *path, const char *place, const struct stat *st,
                      struct stop_mark *mark)
{
    char since[24] = "", boot[BOOT_NAME] = "", server[SERVER_NAME] = "", now[SERVER_NAME];
    char boot_now[BOOT_NAME];
    struct buf text = { 0 };

    *mark = (struct stop_mark){ .by = "`perigee stop`", .since = (int64_t)st->st_mtime };
    snprintf(mark->place, sizeof mark->place, "%s", place);
    if (file_read_all(path, MARK_BYTES, &text, NULL)) {
        value_of(buf_text(&text), "by", mark->by, sizeof mark->by);
        value_of(buf_text(&text), "place", mark->place, sizeof mark->place);
        value_of(buf_text(&text), "since", since, sizeof since);
        value_of(buf_text(&text), "boot", boot, sizeof boot);
        value_of(buf_text(&text), "server", server, sizeof server);
    }
    buf_free(&text);
    if (*since)
        mark->since = strtoll(since, NULL, 10);
    system_boot(boot_now);
    server_of(mark->place, now);
    return !differ(boot, boot_now) && !differ(server, now);
}

/* Finds a valid mark: a file of ours in a folder of ours. */
static bool find_mark(const char *folder, const char *place, struct stop_mark *mark)
{
    char *path = place_file(folder, place, KIND);
    struct stat st;
    bool found = lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
                 runtime_folder_safe(folder) && read_mark(path, place, &st, mark);

    free(path);
    return found;
}

bool stop_mark_find(const struct place_files *files, struct stop_mark *mark)
{
    struct stop_mark unused;

    for (size_t i = 0; i < files->count; i++) {
        if (find_mark(files->folders[i], files->place, mark ? mark : &unused) ||
            find_mark(files->folders[i], PLACE_ALL, mark ? mark : &unused))
            return true;
    }
    return false;
}

/* --- writing ------------------------------------------------------------------------------- */

/* Makes an empty file, which needs no room on the disk. */
static bool touch(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Writes the mark. The sticky bit keeps it from programs that remove old files (XDG Base Directory,
 * tmpfiles.d); if it cannot be set, the mark has the mode of other files. */
static bool write_mark(const char *folder, const char *place, const struct buf *text,
                       struct error *err)
{
    char *path = place_file(folder, place, KIND);
    bool ok;

    if (!runtime_folder_make(folder)) {
        ok = error_set(err, "no_runtime_folder",
                       "%s cannot be created, or is not a directory that only you can enter",
                       folder);
    } else {
        ok = file_write_atomic(path, text->data, text->len, 0600, err) || touch(path);
        if (ok)
            (void)!chmod(path, S_ISVTX | 0600);
    }
    free(path);
    return ok;
}

bool stop_mark_set(const struct place_files *files, const char *by, struct error *err)
{
    char boot[BOOT_NAME], server[SERVER_NAME];
    struct buf text = { 0 };
    struct error first, other;
    size_t done = 0;

    system_boot(boot);
    server_of(files->place, server);
    buf_addf(&text, "by %s\nsince %lld\nplace %s\nboot %s\nserver %s\n", by, (long long)time(NULL),
             files->place, boot, server);
    for (size_t i = 0; i < files->count; i++)
        done += write_mark(files->folders[i], files->place, &text, i ? &other : &first);
    buf_free(&text);
    if (!done && files->count)
        *err = first;
    return done > 0;
}

static bool remove_mark(const char *path, struct error *err)
{
    return unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR ||
           error_errno(err, errno, "cannot remove %s, so input stays stopped", path);
}

/* --- all of them --------------------------------------------------------------------------- */

struct walk {
    bool (*each)(struct walk *walk, const char *path, const char *name);
    struct stop_mark *marks;
    size_t count;
    struct error *err;
};

static bool walk_folder(struct walk *walk, const char *folder)
{
    DIR *dir = runtime_folder_safe(folder) ? opendir(folder) : NULL;
    struct dirent *entry;
    bool ok = true;

    while (dir && (entry = readdir(dir))) {
        const char *dot = strrchr(entry->d_name, '.');
        char *path;

        if (!dot || strcmp(dot + 1, KIND) != 0)
            continue;
        path = mem_printf("%s/%s", folder, entry->d_name);
        ok = walk->each(walk, path, entry->d_name) && ok;
        free(path);
    }
    if (dir)
        closedir(dir);
    return ok;
}

static bool remove_each(struct walk *walk, const char *path, const char *name)
{
    (void)name;
    return remove_mark(path, walk->err);
}

bool stop_mark_clear(const struct place_files *files, struct error *err)
{
    bool all = strcmp(files->place, PLACE_ALL) == 0, ok = true;
    struct walk walk = { .each = remove_each, .err = err };

    for (size_t i = 0; i < files->count; i++) {
        char *path = place_file(files->folders[i], files->place, KIND);

        ok = (all ? walk_folder(&walk, files->folders[i]) : remove_mark(path, err)) && ok;
        free(path);
    }
    if (ok && stop_mark_find(files, NULL))
        ok = error_set(err, "all_stopped",
                       "input is stopped on all displays, so it stays stopped on this one. Run "
                       "`perigee stop --allow --all` to allow it on all of them");
    return ok;
}

static bool list_each_mark(struct walk *walk, const char *path, const char *name)
{
    struct stop_mark *mark = &walk->marks[walk->count];
    char place[128];
    struct stat st;

    if (walk->count == STOP_MARKS_MAX || lstat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
        st.st_uid != geteuid())
        return true;
    snprintf(place, sizeof place, "%.*s", (int)(strlen(name) - sizeof KIND), name);
    if (!read_mark(path, place, &st, mark)) {
        unlink(path);
        return true;
    }
    for (size_t i = 0; i < walk->count; i++) {
        if (strcmp(walk->marks[i].place, mark->place) == 0)
            return true;
    }
    walk->count++;
    return true;
}

size_t stop_mark_list(const struct place_files *files, struct stop_mark marks[STOP_MARKS_MAX])
{
    struct walk walk = { .each = list_each_mark, .marks = marks };

    for (size_t i = 0; i < files->count; i++)
        walk_folder(&walk, files->folders[i]);
    return walk.count;
}

/* --- in words ------------------------------------------------------------------------------ */

void stop_mark_when(const struct stop_mark *mark, char out[STOP_WHEN])
{
    time_t since = (time_t)mark->since;
    struct tm local;

    if (!localtime_r(&since, &local) || !strftime(out, STOP_WHEN, "%Y-%m-%d %H:%M:%S", &local))
        snprintf(out, STOP_WHEN, "an unknown time");
}

bool stop_mark_refuse(const struct stop_mark *mark, struct error *err)
{
    bool all = strcmp(mark->place, PLACE_ALL) == 0;
    char when[STOP_WHEN];

    stop_mark_when(mark, when);
    return error_set(err, "stopped",
                     "the user stopped input with %s, %s. Ask the user to allow it again with "
                     "`perigee stop --allow%s`",
                     mark->by, when, all ? " --all" : "");
}
