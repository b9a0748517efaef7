/* Holds are PLACE.holds/PID.BEGAN.NUMBER, empty files whose names say all, so that none can be half
 * written; the folder exists only while a hold does. PLACE.acts is locked with flock(2), which the
 * system undoes when a process ends. */
#include "platform/worker/hold_mark.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process/birth.h"

enum { ATTEMPTS = 20 }; /* to make a file in a folder that other processes may remove */

/* --- holding ------------------------------------------------------------------------------- */

/* Makes the file of a hold. The folder goes when the last hold does, even between our making it and
 * the file. */
static bool make_mark(const char *folder, const char *holds, const char *path, struct error *err)
{
    int fd = -1;

    if (!runtime_folder_make(folder))
        return error_set(err, "no_runtime_folder",
                         "%s cannot be created, or is not a directory that only you can enter, so "
                         "other processes cannot be told to wait. Mend it, and try again",
                         folder);
    for (int i = 0; i < ATTEMPTS && fd < 0; i++) {
        if (mkdir(holds, 0700) != 0 && errno != EEXIST)
            break;
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0 && errno != ENOENT)
            break;
    }
    if (fd < 0)
        return error_errno(err, errno, "cannot create %s", path);
    close(fd);
    return true;
}

static void remove_mark(const char *path)
{
    char *holds = mem_strndup(path, (size_t)(strrchr(path, '/') - path));

    unlink(path);
    rmdir(holds); /* fails if there are others */
    free(holds);
}

bool hold_mark_set(const struct place_files *files, struct hold_mark *mark, struct error *err)
{
    static _Atomic unsigned last;
    unsigned number = atomic_fetch_add(&last, 1);
    struct error first = { .code = "no_runtime_folder" }, other;

    *mark = (struct hold_mark){ .count = 0 };
    for (size_t i = 0; i < files->count; i++) {
        char *holds = place_file(files->folders[i], files->place, "holds");
        char *path = mem_printf("%s/%d.%" PRIu64 ".%u", holds, (int)getpid(),
                                process_birth(getpid()), number);

        if (make_mark(files->folders[i], holds, path, i ? &other : &first))
            mark->paths[mark->count++] = path;
        else
            free(path);
        free(holds);
    }
    if (!mark->count)
        *err = first;
    return mark->count > 0;
}

void hold_mark_clear(struct hold_mark *mark)
{
    for (size_t i = 0; i < mark->count; i++) {
        remove_mark(mark->paths[i]);
        free(mark->paths[i]);
    }
    *mark = (struct hold_mark){ .count = 0 };
}

/* True if a process of that id exists, and its birth or ours cannot be read, so that it may be that
 * one. Then the hold is believed, rather than a program allowed to answer for a person. */
static bool may_be_that_one(int pid, uint64_t began)
{
    return (began == 0 || process_birth(getpid()) == 0) && (kill(pid, 0) == 0 || errno == EPERM);
}

/* The process of a mark, if it is still the same one. A mark of an ended process is removed. */
static int living(const char *holds, const char *name)
{
    uint64_t began;
    char *path;
    int pid;

    if (sscanf(name, "%d.%" SCNu64, &pid, &began) != 2)
        return 0;
    if (pid > 0 && ((began && process_birth(pid) == began) || may_be_that_one(pid, began)))
        return pid;
    path = mem_printf("%s/%s", holds, name);
    remove_mark(path);
    free(path);
    return 0;
}

static int find_in(const char *folder, const char *place)
{
    char *holds = place_file(folder, place, "holds");
    DIR *dir = opendir(holds);
    struct dirent *entry;
    int pid = 0;

    while (dir && pid == 0 && runtime_folder_safe(folder) && (entry = readdir(dir)))
        pid = living(holds, entry->d_name);
    if (dir)
        closedir(dir);
    free(holds);
    return pid;
}

int hold_mark_find(const struct place_files *files)
{
    int pid = 0;

    for (size_t i = 0; i < files->count && pid == 0; i++)
        pid = find_in(files->folders[i], files->place);
    return pid;
}

/* --- acting -------------------------------------------------------------------------------- */

/* Opens the file that is locked; -1: it cannot exist here, and neither can a hold. */
static int open_acts(const char *folder, const char *place)
{
    char *path = place_file(folder, place, "acts");
    int fd = -1;

    if (runtime_folder_make(folder))
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 && runtime_folder_safe(folder)) /* the file system may be read-only now */
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    free(path);
    return fd;
}

/* Locks the files. False: another process has a lock that excludes this one. */
static bool lock_acts(const struct place_files *files, struct acting *acting, int how)
{
    *acting = (struct acting){ .count = 0 };
    for (size_t i = 0; i < files->count; i++) {
        int fd = open_acts(files->folders[i], files->place);

        if (fd < 0)
            continue;
        acting->fds[acting->count++] = fd;
        if (flock(fd, how | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            acting_end(acting);
            return false;
        }
    }
    return true;
}

void acting_end(struct acting *acting)
{
    for (size_t i = 0; i < acting->count; i++)
        close(acting->fds[i]);
    acting->count = 0;
}

/* Locks, then looks for holds: a hold sets its mark, then tries the lock. */
bool acting_begin(const struct place_files *files, struct acting *acting)
{
    if (!lock_acts(files, acting, LOCK_SH))
        return false;
    if (hold_mark_find(files) == 0)
        return true;
    acting_end(acting);
    return false;
}

bool hold_mark_quiet(const struct place_files *files)
{
    struct acting acting;
    bool quiet = lock_acts(files, &acting, LOCK_EX);

    acting_end(&acting);
    return quiet;
}
