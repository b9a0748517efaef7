/* Modes and owners only: access lists are not looked at, whose mask is in the mode of the group. */
#include "files/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/module.h"
#include "files/file.h"
#include "files/file_at.h"

enum { NAMES_BYTES = 4096, ADMINISTRATORS = 80 };

/* Is it a group that the system made for the user alone? Administrators of a Mac, to whose group
 * Homebrew's directories belong, can become root. */
static bool is_own_group(uid_t user, gid_t group)
{
    char names[NAMES_BYTES], members[NAMES_BYTES];
    struct passwd person, *found;
    struct group all, *known;

#ifdef __APPLE__
    if (group == ADMINISTRATORS)
        return true;
#endif
    return getpwuid_r(user, &person, names, sizeof names, &found) == 0 && found &&
           getgrgid_r(group, &all, members, sizeof members, &known) == 0 && known &&
           strcmp(person.pw_name, all.gr_name) == 0 &&
           (!all.gr_mem[0] || (strcmp(all.gr_mem[0], person.pw_name) == 0 && !all.gr_mem[1]));
}

/* The owner of the program decides anyway what it does. */
static bool is_other_user(uid_t user)
{
    struct stat program;

    return user != geteuid() && user != 0 &&
           (stat(module_executable(), &program) != 0 || program.st_uid != user);
}

static bool others_write(const struct stat *st)
{
    return (st->st_mode & S_IWOTH) ||
           ((st->st_mode & S_IWGRP) && !is_own_group(st->st_uid, st->st_gid));
}

static bool is_strange(uid_t user, enum trust trust)
{
    return trust == TRUST_RULES ? is_other_user(user) : user != geteuid();
}

bool trust_ok(const struct stat *st, enum trust trust)
{
    if (trust == TRUST_SECRET)
        return st->st_uid == geteuid() && !(st->st_mode & 077);
    return !is_strange(st->st_uid, trust) && !others_write(st);
}

static bool refuse_file(const struct stat *st, const char *path, enum trust trust,
                        struct error *err)
{
    unsigned mode = st->st_mode & 07777;

    if (is_strange(st->st_uid, trust))
        return error_set(err, "insecure",
                         "%.300s belongs to another user and is not used. Make it yours with "
                         "chown, or remove it",
                         path);
    return error_set(
        err, "insecure",
        "other users can %s %.250s (mode %o), so it is not used. Run `chmod %s %.250s`",
        st->st_mode & 022 ? "write" : "read", path, mode, trust == TRUST_SECRET ? "600" : "go-w",
        path);
}

/* In a folder with the sticky bit others cannot move the file away. Groups of folders that are
 * root's are the system's choice. */
static bool is_others_folder(const char *folder)
{
    struct stat st;

    return stat(folder, &st) == 0 && !(st.st_mode & S_ISVTX) &&
           (st.st_uid ? others_write(&st) : (st.st_mode & S_IWOTH) != 0);
}

static bool check_folders(const char *path, struct error *err)
{
    char *real = realpath(path, NULL), *slash;
    bool ok = true;

    while (ok && real && (slash = strrchr(real, '/')) && slash != real) {
        *slash = '\0';
        if (is_others_folder(real))
            ok = error_set(err, "insecure",
                           "other users can write in the directory %.200s, so %.200s in it is not "
                           "used. Run `chmod go-w %.200s`",
                           real, path, real);
    }
    free(real);
    return ok;
}

static bool check_stat(const struct stat *st, const char *path, enum trust trust, struct error *err)
{
    return (trust_ok(st, trust) || refuse_file(st, path, trust, err)) && check_folders(path, err);
}

bool trust_check(int fd, const char *path, enum trust trust, struct error *err)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return error_errno(err, errno, "%s", path);
    return check_stat(&st, path, trust, err);
}

bool trust_look(const char *path, enum trust trust, struct error *err)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return error_errno(err, errno, "%s", path);
    return check_stat(&st, path, trust, err);
}

bool trust_read(const char *path, enum trust trust, size_t max, struct buf *out, struct error *err)
{
    int fd = file_at_open(AT_FDCWD, path, O_RDONLY, 0, path, err);
    bool ok =
        fd >= 0 && trust_check(fd, path, trust, err) && file_read_open(fd, path, max, out, err);

    if (fd >= 0)
        close(fd);
    return ok;
}
