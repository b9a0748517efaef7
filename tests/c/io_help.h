/* Helpers of many tests: a loop that must close cleanly, temporary folders, and a way to see that a
 * process is really gone. */
#ifndef PERIGEE_TESTS_IO_HELP_H
#define PERIGEE_TESTS_IO_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "base/util.h"

enum { HANG_SECONDS = 240 }; /* only ends a test that would never end */

static uv_loop_t loop;

static inline int loop_setup(void **state)
{
    (void)state;
    return uv_loop_init(&loop);
}

static inline int loop_teardown(void **state)
{
    (void)state;
    uv_run(&loop, UV_RUN_DEFAULT);
    return uv_loop_close(&loop);
}

/* Turns the loop until the flag is set. */
static inline void run_until(const bool *flag)
{
    while (!*flag)
        uv_run(&loop, UV_RUN_ONCE);
}

/* Makes a temporary folder. The caller frees the name; temp_remove() empties and removes the
 * folder. */
static inline char *temp_make(void)
{
    char *path = mem_strdup("/tmp/perigee-test-XXXXXX");

    assert_non_null(mkdtemp(path));
    return path;
}

static inline void temp_remove(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;

    while (folder && (entry = readdir(folder))) {
        char *inner = mem_printf("%s/%s", path, entry->d_name);
        struct stat info;

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            ;
        else if (lstat(inner, &info) == 0 && S_ISDIR(info.st_mode))
            temp_remove(inner);
        else
            unlink(inner);
        free(inner);
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}

static inline int open_files(void)
{
    DIR *folder = opendir("/dev/fd");
    int count = 0;

    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* A named pipe that a child and its children open for writing. It reports its end when the last of
 * them is dead, zombies included, which a check of process ids would not show. */
struct lifeline {
    char *folder, *path;
    int fd;
};

static inline void lifeline_open(struct lifeline *line)
{
    line->folder = temp_make();
    line->path = mem_printf("%s/lifeline", line->folder);
    assert_int_equal(mkfifo(line->path, 0600), 0);
    line->fd = open(line->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(line->fd >= 0);
}

static inline void lifeline_await_end(struct lifeline *line)
{
    struct pollfd poller = { .fd = line->fd, .events = POLLIN };
    char byte;
    int rc;

    do
        rc = poll(&poller, 1, 20000);
    while (rc < 0 && errno == EINTR);
    assert_int_equal(rc, 1);
    assert_int_equal(read(line->fd, &byte, 1), 0);
}

static inline bool lifeline_alive(struct lifeline *line)
{
    char byte;

    return read(line->fd, &byte, 1) < 0 && errno == EAGAIN;
}

static inline void lifeline_close(struct lifeline *line)
{
    close(line->fd);
    temp_remove(line->folder);
    free(line->path);
    free(line->folder);
}

#endif
