/* A temporary file is known by its name alone, which nobody else gives by accident: so any later
 * run can take away what an earlier one left. */
#include "files/picture_file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "files/file.h"

#define PREFIX "perigee_"

enum { UUID_LENGTH = 36 };

const char *path_kind_name(enum path_kind kind)
{
    static const char *const names[] = { "free", "folder", "picture", "other" };

    return names[kind];
}

/* --- what is there ------------------------------------------------------------------ */

static bool begins_as_picture(int fd)
{
    static const unsigned char png[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
    static const unsigned char jpeg[] = { 0xff, 0xd8, 0xff };
    unsigned char head[sizeof png];
    ssize_t n = read(fd, head, sizeof head);

    return n == 0 || (n == (ssize_t)sizeof png && memcmp(head, png, sizeof png) == 0) ||
           (n >= (ssize_t)sizeof jpeg && memcmp(head, jpeg, sizeof jpeg) == 0);
}

enum path_kind path_look(const char *path)
{
    struct stat info;
    bool picture;
    int fd;

    if (stat(path, &info) != 0)
        return errno == ENOENT || errno == ENOTDIR ? PATH_FREE : PATH_OTHER;
    if (S_ISDIR(info.st_mode))
        return PATH_FOLDER;
    if (!S_ISREG(info.st_mode))
        return PATH_OTHER;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return PATH_OTHER;
    picture = begins_as_picture(fd);
    close(fd);
    return picture ? PATH_PICTURE : PATH_OTHER;
}

char *path_absolute(const char *path, struct error *err)
{
    char here[4096], *home, *joined, *tidy;

    if (!*path) {
        error_set(err, "bad_path", "the path is empty");
        return NULL;
    }
    home = path_expand_home(path);
    if (*home == '~') {
        error_set(err, "bad_path",
                  "\"%s\": home directories of other users are not looked up. Give the full path "
                  "(or \"./%s\" for a file of that name)",
                  path, path);
        free(home);
        return NULL;
    }
    if (*home != '/' && !getcwd(here, sizeof here)) {
        error_errno(err, errno, "cannot determine the current directory, where \"%s\" starts",
                    path);
        free(home);
        return NULL;
    }
    joined = *home == '/' ? mem_strdup(home) : path_join(here, home);
    tidy = path_tidy(joined);
    free(joined);
    free(home);
    return tidy;
}

/* --- temporary files ------------------------------------------------------------------ */

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");

    return folder && *folder == '/' ? folder : "/tmp";
}

/* Version 4 of RFC 9562. */
static bool make_uuid(char out[UUID_LENGTH + 1], struct error *err)
{
    static const char hex[] = "0123456789abcdef";
    unsigned char bytes[16];
    char *at = out;
    int status = uv_random(NULL, NULL, bytes, sizeof bytes, 0, NULL);

    if (status != 0)
        return error_set(err, "io_error", "no random bytes are available: %s", uv_strerror(status));
    bytes[6] = (unsigned char)((bytes[6] & 0x0f) | 0x40);
    bytes[8] = (unsigned char)((bytes[8] & 0x3f) | 0x80);
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *at++ = '-';
        *at++ = hex[bytes[i] >> 4];
        *at++ = hex[bytes[i] & 15];
    }
    *at = '\0';
    return true;
}

static bool is_uuid(const char *text)
{
    for (int i = 0; i < UUID_LENGTH; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;

        if (dash ? text[i] != '-' : !isxdigit((unsigned char)text[i]))
            return false;
    }
    return true;
}

static bool is_temporary_name(const char *name)
{
    size_t prefix = sizeof PREFIX - 1;

    return strncmp(name, PREFIX, prefix) == 0 && is_uuid(name + prefix) &&
           name[prefix + UUID_LENGTH] == '_';
}

char *temporary_make(const char *info, const char *extension, struct error *err)
{
    char uuid[UUID_LENGTH + 1], *name, *path;
    int fd;

    if (!make_uuid(uuid, err))
        return NULL;
    name = mem_printf(PREFIX "%s_%s.%s", uuid, info, extension);
    path = path_join(temporary_folder(), name);
    free(name);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0) {
        close(fd);
        return path;
    }
    error_errno(err, errno, "cannot make the temporary file \"%s\"", path);
    free(path);
    return NULL;
}

bool temporary_remove(const char *path, struct error *err)
{
    const char *folder = temporary_folder(), *name = path_name(path);
    char *expected;
    bool ours;

    expected = path_join(folder, name);
    ours = is_temporary_name(name) && strcmp(expected, path) == 0;
    free(expected);
    if (!ours)
        return error_set(err, "not_ours", "\"%s\" is not a temporary file of this program", path);
    if (unlink(path) == 0 || errno == ENOENT)
        return true;
    return error_errno(err, errno, "cannot remove \"%s\"", path);
}

static bool is_stale(int folder, const char *name, time_t before)
{
    struct stat info;

    return is_temporary_name(name) && fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISREG(info.st_mode) && info.st_uid == getuid() && info.st_mtime < before;
}

size_t temporary_sweep(unsigned seconds, size_t most)
{
    DIR *folder = opendir(temporary_folder());
    time_t before = time(NULL) - (time_t)seconds;
    struct dirent *entry;
    size_t count = 0;

    while (folder && count < most && (entry = readdir(folder)))
        if (is_stale(dirfd(folder), entry->d_name, before))
            count += unlinkat(dirfd(folder), entry->d_name, 0) == 0;
    if (folder)
        closedir(folder);
    return count;
}
