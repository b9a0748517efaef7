/* The lock is on a file of its own: the secret's is replaced by each change. */
#include "files/secrets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/file.h"
#include "files/file_at.h"

enum { PRIVATE = 0600 };

static char *secret_path(const char *folder, const char *name, const char *ending)
{
    return mem_printf("%s/%s%s", folder, name, ending);
}

/* Ours, and nobody else's to read. */
static bool make_private(int fd, const char *path, struct error *err)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return error_errno(err, errno, "%s", path);
    if (st.st_uid != geteuid())
        return error_set(err, "not_private",
                         "%s belongs to another user and is not read. Remove it", path);
    if (st.st_mode & 022)
        return error_set(err, "not_private",
                         "other users can write %s (mode %o), so it is not read. Remove it, or run "
                         "`chmod 600 %s` if it is as it should be",
                         path, (unsigned)(st.st_mode & 0777), path);
    if ((st.st_mode & 077) && fchmod(fd, PRIVATE) != 0)
        return error_errno(err, errno, "cannot make %s private", path);
    return true;
}

static bool read_secret_bytes(int fd, const char *path, struct buf *out, struct error *err)
{
    size_t before = out->len;

    if (file_read_some(fd, SECRETS_MAX + 1, out) < 0)
        error_errno(err, errno, "cannot read %s", path);
    else if (out->len - before > SECRETS_MAX)
        error_set(err, "too_large", "%s has more than %d bytes", path, SECRETS_MAX);
    else
        return true;
    out->len = before;
    return false;
}

static bool read_secret_file(const char *path, struct buf *out, struct error *err)
{
    int fd = file_at_open(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW, 0, path, err);
    bool ok = fd >= 0 && make_private(fd, path, err) && read_secret_bytes(fd, path, out, err);

    if (fd >= 0)
        close(fd);
    return ok;
}

static bool write_secret_file(const char *path, struct str bytes, struct error *err)
{
    if (bytes.len)
        return file_write_atomic(path, bytes.ptr, bytes.len, PRIVATE, err);
    return unlink(path) == 0 || errno == ENOENT ||
           error_errno(err, errno, "cannot remove %s", path);
}

static _Atomic(const struct keychain *) keychain;

void secrets_use(const struct keychain *chain)
{
    atomic_store(&keychain, chain);
}

bool secrets_read(const char *folder, const char *name, struct buf *out, struct error *err)
{
    const struct keychain *chain = atomic_load(&keychain);
    char *path = secret_path(folder, name, "");
    struct error why = { "not_found", "" };
    bool ok;

    ok = chain && chain->read(path, out, &why);
    if (!ok && strcmp(why.code, "not_found") == 0)
        ok = read_secret_file(path, out, err);
    else if (!ok && err)
        *err = why;
    free(path);
    return ok;
}

bool secrets_write(const char *folder, const char *name, struct str bytes, struct error *err)
{
    const struct keychain *chain = atomic_load(&keychain);
    char *path = secret_path(folder, name, "");
    bool ok = folder_make(folder, err);

    if (ok && chain) /* the file it came from goes */
        ok = chain->write(path, bytes, err) && write_secret_file(path, (struct str){ 0 }, err);
    else if (ok)
        ok = write_secret_file(path, bytes, err);
    free(path);
    return ok;
}

int secrets_lock(const char *folder, const char *name, struct error *err)
{
    char *path = secret_path(folder, name, ".lock");
    int fd = -1;

    if (folder_make(folder, err))
        fd = file_at_open(AT_FDCWD, path, O_RDWR | O_CREAT | O_NOFOLLOW, PRIVATE, path, err);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            error_set(err, "busy", "another program is changing %s/%s", folder, name);
        else
            error_errno(err, errno, "cannot lock %s", path);
        close(fd);
        fd = -1;
    }
    free(path);
    return fd;
}
