/* Files by path for the engine itself, over the same code that serves scripts. */
#include "files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/file_at.h"

bool file_read_open(int fd, const char *path, size_t max, struct buf *out, struct error *err)
{
    size_t before = out->len;
    ssize_t n = file_read_some(fd, max < SIZE_MAX ? max + 1 : max, out);
    bool ok = n >= 0 && (size_t)n <= max;

    if (n < 0)
        error_errno(err, errno, "cannot read \"%s\"", path);
    else if (!ok)
        error_set(err, "too_large", "\"%s\" has more than %zu bytes", path, max);
    if (!ok)
        out->len = before;
    return ok;
}

bool file_read_all(const char *path, size_t max, struct buf *out, struct error *err)
{
    int fd = file_at_open(AT_FDCWD, path, O_RDONLY, 0, path, err);
    bool ok = fd >= 0 && file_read_open(fd, path, max, out, err);

    if (fd >= 0)
        close(fd);
    return ok;
}

static bool write_file_at(const char *path, const char *data, size_t len, mode_t mode,
                          struct error *err)
{
    struct file_options options = { .set_mode = mode != 0, .mode = mode };
    struct file_writer writer;

    if (!file_writer_begin(&writer, AT_FDCWD, path, path, &options, err))
        return false;
    if (!file_write_all(writer.fd, data, len)) {
        error_errno(err, errno, "cannot write \"%s\"", path);
        file_writer_abandon(&writer);
        return false;
    }
    return file_writer_commit(&writer, err);
}

bool file_write_atomic(const char *path, const char *data, size_t len, mode_t mode,
                       struct error *err)
{
    char *real = realpath(path, NULL); /* so that a link stays and its target changes */
    bool ok = write_file_at(real ? real : path, data, len, mode, err);

    free(real);
    return ok;
}

void file_tighten(int fd, mode_t mode)
{
    struct stat info;

    if (fstat(fd, &info) == 0 && info.st_uid == geteuid() &&
        (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) && (info.st_mode & 0777 & ~mode))
        fchmod(fd, info.st_mode & mode); /* where it cannot be, it stays as the user has it */
}

bool folder_make(const char *path, struct error *err)
{
    char *copy = mem_strdup(path);
    struct stat info;
    bool ok = true;

    for (char *end = copy + 1; ok && *copy; end++) {
        char kept = *end;

        if (kept != '/' && kept != '\0')
            continue;
        *end = '\0';
        if (mkdir(copy, 0700) != 0 && (stat(copy, &info) != 0 || !S_ISDIR(info.st_mode)))
            ok = error_errno(err, errno == EEXIST ? ENOTDIR : errno,
                             "cannot create directory \"%s\"", copy);
        *end = kept;
        if (!kept)
            break;
    }
    free(copy);
    return ok;
}

char *folder_make_temp(struct error *err)
{
    const char *base = getenv("TMPDIR");
    char *path = path_join(base && *base ? base : "/tmp", "perigee-XXXXXX");

    if (mkdtemp(path))
        return path;
    error_errno(err, errno, "cannot create a temporary directory \"%s\"", path);
    free(path);
    return NULL;
}

bool folder_remove_all(const char *path, struct error *err)
{
    return folder_at_remove_all(AT_FDCWD, path, path, err);
}

char *path_join(const char *base, const char *name)
{
    size_t len = strlen(base);

    if (*name == '/' || len == 0)
        return mem_strdup(name);
    if (!*name)
        return mem_strdup(base);
    return mem_printf("%s%s%s", base, base[len - 1] == '/' ? "" : "/", name);
}

char *path_tidy(const char *path)
{
    struct buf out = { 0 };

    while (*path) {
        size_t len = strcspn(path, "/");

        if (len > 0 && !(len == 1 && *path == '.')) {
            buf_addc(&out, '/');
            buf_add(&out, path, len);
        }
        path += len + (path[len] == '/');
    }
    if (out.len == 0)
        buf_addc(&out, '/');
    return buf_take(&out);
}

/* $HOME first, as shells do; without it, what the user database says. */
static char *home_folder(void)
{
    const char *env = getenv("HOME");
    struct passwd entry, *found = NULL;
    char space[4096];

    if (env && *env)
        return mem_strdup(env);
    if (getpwuid_r(getuid(), &entry, space, sizeof space, &found) == 0 && found)
        return mem_strdup(entry.pw_dir);
    return NULL;
}

char *path_expand_home(const char *path)
{
    char *folder, *whole;

    if (path[0] != '~' || (path[1] != '\0' && path[1] != '/'))
        return mem_strdup(path);
    folder = home_folder();
    if (!folder)
        return mem_strdup(path);
    whole = path_join(folder, path + 1 + strspn(path + 1, "/"));
    free(folder);
    return whole;
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool is_program(const char *file)
{
    struct stat st;

    return stat(file, &st) == 0 && S_ISREG(st.st_mode) && access(file, X_OK) == 0;
}

char *file_of_program(const char *name)
{
    const char *path = getenv("PATH");

    if (strchr(name, '/'))
        return is_program(name) ? mem_strdup(name) : NULL;
    for (const char *at = path ? path : ""; *at;) {
        size_t len = strcspn(at, ":");
        char *file = mem_printf("%.*s/%s", (int)len, at, name);

        if (len && is_program(file))
            return file;
        free(file);
        at += len + (at[len] == ':');
    }
    return NULL;
}

bool file_on_path(const char *name)
{
    char *file = file_of_program(name);

    free(file);
    return file != NULL;
}
