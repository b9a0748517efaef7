/* One uv_fs_event_t a folder (inotify, kqueue and FSEvents all watch folders). A
 * folder that is not there is watched for by its nearest parent that is. */
#include "registry/watcher.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#endif

#include "base/log.h"
#include "registry/choice.h"

struct watched_folder {
    uv_fs_event_t handle;
    struct watcher *watcher; /* NULL: closing */
    char *path;
    dev_t device;
    ino_t inode;
    bool seen;
};

struct watcher {
    struct registry *registry;
    uv_loop_t *loop;
    uv_timer_t timer;
    struct watched_folder **watches;
    size_t count;
    uint64_t first; /* loop time of the first event not looked at; 0: none */
};

static void on_reload_due(uv_timer_t *timer);

static void look_soon(struct watcher *watcher)
{
    uint64_t now = uv_now(watcher->loop);
    uint64_t latest;

    if (!watcher->first)
        watcher->first = now;
    latest = watcher->first + WATCHER_LATEST_MS;
    uv_timer_start(&watcher->timer, on_reload_due,
                   now + WATCHER_QUIET_MS < latest ? WATCHER_QUIET_MS
                   : latest > now                  ? latest - now
                                                   : 0,
                   0);
}

static void on_folder_event(uv_fs_event_t *handle, const char *name, int events, int status)
{
    struct watched_folder *watch = handle->data;

    (void)name;
    (void)events;
    if (status < 0)
        log_warn("watching %s: %s", watch->path, uv_strerror(status));
    if (watch->watcher)
        look_soon(watch->watcher);
}

static void on_folder_watch_closed(uv_handle_t *handle)
{
    struct watched_folder *watch = handle->data;

    free(watch->path);
    free(watch);
}

static void unwatch_folder(struct watched_folder *watch)
{
    watch->watcher = NULL;
    uv_close((uv_handle_t *)&watch->handle, on_folder_watch_closed);
}

/* The path itself, or its nearest parent that exists; free() it. */
static char *existing_folder(const char *path, struct stat *st)
{
    char *found = mem_strdup(path);

    while (stat(found, st) != 0 || !S_ISDIR(st->st_mode)) {
        char *slash = strrchr(found, '/');

        if (!slash || slash == found) {
            free(found);
            return NULL;
        }
        *slash = '\0';
    }
    return found;
}

/* Returns whether a new watch was started: its folder may have changed before that. */
static bool watch_folder(struct watcher *watcher, const char *folder)
{
    struct stat st;
    char *path = existing_folder(folder, &st);
    struct watched_folder *watch;
    int status;

    if (!path)
        return false;
    for (size_t i = 0; i < watcher->count; i++) {
        watch = watcher->watches[i];
        if (watch->device == st.st_dev && watch->inode == st.st_ino &&
            strcmp(watch->path, path) == 0) {
            watch->seen = true;
            free(path);
            return false;
        }
    }
    watch = mem_zero(sizeof *watch);
    *watch = (struct watched_folder){
        .watcher = watcher, .path = path, .device = st.st_dev, .inode = st.st_ino, .seen = true
    };
    uv_fs_event_init(watcher->loop, &watch->handle);
    uv_unref((uv_handle_t *)&watch->handle);
    watch->handle.data = watch;
    status = uv_fs_event_start(&watch->handle, on_folder_event, path, 0);
    if (status != 0) {
        log_warn("cannot watch %s for changes: %s", path, uv_strerror(status));
        unwatch_folder(watch);
        return false;
    }
    watcher->watches =
        mem_resize(watcher->watches, (watcher->count + 1) * sizeof *watcher->watches);
    watcher->watches[watcher->count++] = watch;
    return true;
}

static bool sync_watches(struct watcher *watcher)
{
    size_t count, kept = 0;
    const struct source_folder *folders = registry_folders(watcher->registry, &count);
    bool added = false;

    const struct choice *choice = registry_choice(watcher->registry);

    for (size_t i = 0; i < watcher->count; i++)
        watcher->watches[i]->seen = false;
    for (size_t i = 0; i < count; i++)
        added |= watch_folder(watcher, folders[i].path);
    if (choice)
        added |= watch_folder(watcher, choice->path); /* its nearest folder */
    for (size_t i = 0; i < watcher->count; i++) {
        if (watcher->watches[i]->seen)
            watcher->watches[kept++] = watcher->watches[i];
        else
            unwatch_folder(watcher->watches[i]);
    }
    watcher->count = kept;
    return added;
}

static void on_reloaded(void *arg)
{
    struct watcher *watcher = arg;

    if (sync_watches(watcher))
        look_soon(watcher); /* files may have been saved before the watch began */
}

static void on_reload_due(uv_timer_t *timer)
{
    struct watcher *watcher = timer->data;

    watcher->first = 0;
    registry_reload_in_turns(watcher->registry, NULL);
}

struct watcher *watcher_new(uv_loop_t *loop, struct registry *registry)
{
    struct watcher *watcher = mem_zero(sizeof *watcher);

    watcher->registry = registry;
    watcher->loop = loop;
    uv_timer_init(loop, &watcher->timer);
    uv_unref((uv_handle_t *)&watcher->timer);
    watcher->timer.data = watcher;
    registry_on_reloaded(registry, on_reloaded, watcher);
    if (sync_watches(watcher))
        look_soon(watcher);
    return watcher;
}

/* The last close of an inotify descriptor waits in the kernel for a grace period, 5
 * to 15 ms, and a client waits for our end. So a child holds a copy until we are
 * gone, and does the waiting. It has no other descriptor open. It runs in our memory,
 * since a copy of that takes longer than all else at the end, and so does giving it
 * back, which is then left to the child. A sanitizer takes its stack for a mistake. */
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
enum { DESCRIPTORS = 4096 };

struct closing {
    int inotify, end;
};

static int wait_for_inotify_end(void *arg)
{
    const struct closing *closing = arg;
    char byte;

    dup2(closing->inotify, 0);
    dup2(closing->end, 1);
    if (syscall(SYS_close_range, 2u, ~0u, 0) != 0) /* before Linux 5.9; it would wait for itself */
        for (int fd = 2; fd < DESCRIPTORS; fd++)
            close(fd);
    while (read(1, &byte, 1) > 0)
        ;
    return 0;
}

static void close_later(uv_loop_t *loop)
{
    static struct closing closing; /* as long as the memory */
    static _Alignas(16) char stack[16384];
    int fds[2];

    if (loop->inotify_fd < 0 || pipe(fds) != 0)
        return;
    closing = (struct closing){ loop->inotify_fd, fds[0] };
    clone(wait_for_inotify_end, stack + sizeof stack, CLONE_VM | SIGCHLD, &closing);
    close(fds[0]);
    /* the write end stays open for the rest of our life: its end is the signal */
    fcntl(fds[1], F_SETFD, FD_CLOEXEC);
}
#else
static void close_later(uv_loop_t *loop)
{
    (void)loop;
}
#endif

static void on_watcher_timer_closed(uv_handle_t *handle)
{
    struct watcher *watcher = handle->data;

    free(watcher->watches);
    free(watcher);
}

void watcher_free(struct watcher *watcher)
{
    if (!watcher)
        return;
    registry_on_reloaded(watcher->registry, NULL, NULL);
    close_later(watcher->loop);
    for (size_t i = 0; i < watcher->count; i++)
        unwatch_folder(watcher->watches[i]);
    watcher->count = 0;
    uv_close((uv_handle_t *)&watcher->timer, on_watcher_timer_closed);
}
