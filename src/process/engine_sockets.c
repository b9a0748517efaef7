/* One that is found listens: it gets its name last, and what refuses is of a dead process. */
#include "process/engine_sockets.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "process/peer.h"
#include "process/runtime_folders.h"

enum { FILES_MAX = 100000 }; /* the most files of a folder that are looked at */

/* --- listening ---------------------------------------------------------------------------- */

/* The first folder that is there or can be made, and is ours. */
static char *choose_folder(struct error *err)
{
    char *folders[RUNTIME_FOLDERS_MAX], *chosen = NULL;
    size_t count = runtime_folders(folders);

    for (size_t i = 0; i < count; i++) {
        if (!chosen && runtime_folder_make(folders[i]))
            chosen = folders[i];
        else
            free(folders[i]);
    }
    if (!chosen)
        error_set(
            err, "no_runtime_folder",
            "no private directory for sockets, so `perigee stop` and `perigee ps` cannot find "
            "this process. Set PERIGEE_RUNTIME_DIR to a directory that only you can enter");
    return chosen;
}

static char *socket_path(const char *suffix, struct error *err)
{
    char *folder = choose_folder(err);
    char *path = folder ? mem_printf("%s/%d.%s", folder, (int)getpid(), suffix) : NULL;

    free(folder);
    if (!path || strlen(path) + sizeof ".new" <= sizeof((struct sockaddr_un *)0)->sun_path)
        return path;
    error_set(err, "path_too_long",
              "%s is too long for the path of a socket. Set PERIGEE_RUNTIME_DIR to a shorter one",
              path);
    free(path);
    return NULL;
}

static int listen_at_path(uv_pipe_t *pipe, const char *path, int backlog,
                          uv_connection_cb on_connection)
{
    char *early = mem_printf("%s.new", path);
    int rc;

    unlink(early);
    rc = uv_pipe_bind(pipe, early);
    if (rc == 0 && chmod(early, 0600) != 0)
        rc = uv_translate_sys_error(errno);
    if (rc == 0)
        rc = uv_listen((uv_stream_t *)pipe, backlog, on_connection);
    if (rc == 0 && rename(early, path) != 0)
        rc = uv_translate_sys_error(errno);
    if (rc != 0)
        unlink(early);
    free(early);
    return rc;
}

char *engine_socket_listen(uv_pipe_t *pipe, const char *suffix, int backlog,
                           uv_connection_cb on_connection, struct error *err)
{
    char *path = socket_path(suffix, err);
    int rc = path ? listen_at_path(pipe, path, backlog, on_connection) : 0;

    if (rc == 0)
        return path;
    error_set(err, "no_socket", "cannot listen at %s: %s", path, uv_strerror(rc));
    free(path);
    return NULL;
}

/* --- finding ------------------------------------------------------------------------------ */

/* False: enough. */
static bool look_into_folder(const char *folder, const char *suffix,
                             bool (*each)(void *arg, int pid, const char *path), void *arg)
{
    DIR *dir = runtime_folder_safe(folder) ? opendir(folder) : NULL;
    struct dirent *entry;
    bool more = true;

    for (int files = 0; dir && more && files < FILES_MAX && (entry = readdir(dir)); files++) {
        char *end, *path;
        long pid = strtol(entry->d_name, &end, 10);

        if (pid <= 0 || pid > INT32_MAX || *end != '.' || strcmp(end + 1, suffix) != 0)
            continue;
        path = mem_printf("%s/%s", folder, entry->d_name);
        more = each(arg, (int)pid, path);
        free(path);
    }
    if (dir)
        closedir(dir);
    return more;
}

void engine_sockets_each(const char *suffix, bool (*each)(void *arg, int pid, const char *path),
                         void *arg)
{
    char *folders[RUNTIME_FOLDERS_MAX];
    size_t count = runtime_folders(folders);
    bool more = true;

    for (size_t i = 0; i < count; i++) {
        more = more && look_into_folder(folders[i], suffix, each, arg);
        free(folders[i]);
    }
}

/* False: errno says why not. */
static bool try_connect(int fd, const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };

    errno = ENAMETOOLONG;
    if (strlen(path) >= sizeof address.sun_path)
        return false;
    memcpy(address.sun_path, path, strlen(path) + 1);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
        return true;
    if (errno == ECONNREFUSED) {
        unlink(path); /* it was killed and could not */
        errno = ECONNREFUSED;
    }
    return false;
}

int engine_socket_connect(const char *path, unsigned patience_s)
{
    struct timeval patience = { .tv_sec = (time_t)patience_s };
    int fd = socket(AF_UNIX, SOCK_STREAM, 0), rc;

    if (fd < 0)
        return ENGINE_SILENT;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (try_connect(fd, path) && peer_is_ours(fd))
        return fd;
    rc = errno == EAGAIN || errno == ETIMEDOUT ? ENGINE_SILENT : ENGINE_GONE;
    close(fd);
    return rc;
}

bool engine_socket_alive(const char *path)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    bool alive;

    if (fd < 0)
        return true;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    alive = try_connect(fd, path) || (errno != ECONNREFUSED && errno != ENOENT);
    close(fd);
    return alive;
}
