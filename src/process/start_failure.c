#include "process/start_failure.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_BYTES = 256 }; /* as much of its first line as Linux reads */

/* The files that a name leads to. */
struct lookup {
    char *file;    /* the first candidate; NULL: there is none */
    char *blocked; /* the first directory that this user may not search; NULL: none */
};

/* NULL: it is not set, and the C library has a path of its own. */
static const char *search_path(const struct process_spec *spec)
{
    if (!spec->env)
        return getenv("PATH");
    for (size_t i = 0; spec->env[i]; i++) {
        if (strncmp(spec->env[i], "PATH=", 5) == 0)
            return spec->env[i] + 5;
    }
    return NULL;
}

/* As the child sees it: its working directory may be another. */
static char *path_of_child(const struct process_spec *spec, const char *path)
{
    if (*path == '/' || !spec->cwd)
        return mem_strdup(path);
    return mem_printf("%s/%s", spec->cwd, path);
}

/* A directory is no candidate: nothing of this name can be started there. */
static void look_in_folder(const struct process_spec *spec, const char *folder, size_t len,
                           struct lookup *found)
{
    char *entry = mem_strndup(len ? folder : ".", len ? len : 1);
    char *path = mem_printf("%s/%s", entry, spec->argv[0]);
    char *file = path_of_child(spec, path);
    struct stat info;

    if (stat(file, &info) == 0) {
        if (!S_ISDIR(info.st_mode)) {
            found->file = file;
            file = NULL;
        }
    } else if (errno == EACCES && !found->blocked) {
        found->blocked = entry;
        entry = NULL;
    }
    free(entry);
    free(path);
    free(file);
}

static struct lookup look_on_path(const struct process_spec *spec)
{
    const char *path = search_path(spec);
    struct lookup found = { NULL, NULL };

    for (const char *at = path ? path : "/bin:/usr/bin"; !found.file;) {
        size_t len = strcspn(at, ":");

        look_in_folder(spec, at, len, &found);
        if (!at[len])
            break;
        at += len + 1;
    }
    return found;
}

static void explain_missing(const struct process_spec *spec, const char *blocked, struct error *err)
{
    const char *path = search_path(spec);

    error_set(err, "not_found",
              "cannot start \"%.80s\": no program of this name is on PATH%s%.80s%s. "
              "Install it or give its full path. PATH is %.240s",
              spec->argv[0], blocked ? " (this user may not search " : "", blocked ? blocked : "",
              blocked ? ")" : "", path ? path : "(not set)");
}

/* The interpreter that a first line names goes to `word`. False: it is not such a line. */
static bool read_interpreter(const char *bytes, char word[FIRST_BYTES])
{
    size_t len;

    if (strncmp(bytes, "#!", 2) != 0)
        return false;
    bytes += 2;
    bytes += strspn(bytes, " \t");
    len = strcspn(bytes, " \t\n");
    memcpy(word, bytes, len);
    word[len] = '\0';
    return true;
}

/* The first line of a script. False: it is not one, or cannot be read. */
static bool read_script(const char *file, char word[FIRST_BYTES])
{
    char bytes[FIRST_BYTES + 1] = { 0 };
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = fd >= 0 ? read(fd, bytes, FIRST_BYTES - 1) : -1;

    if (fd >= 0)
        close(fd);
    return got > 0 && read_interpreter(bytes, word);
}

static void explain_script(const char *what, const char *interpreter, struct error *err)
{
    size_t len = strlen(interpreter);

    if (len && interpreter[len - 1] == '\r')
        error_set(err, "not_found",
                  "cannot start %s: its first line ends in CR LF, so the interpreter that it names "
                  "does not exist. Save the file with LF alone",
                  what);
    else if (access(interpreter, F_OK) != 0)
        error_set(err, "not_found",
                  "cannot start %s: its first line names the interpreter \"%.80s\", which does not "
                  "exist. Install it, or correct the line",
                  what, interpreter);
    else
        error_set(err, "permission_denied",
                  "cannot start %s: its first line names the interpreter \"%.80s\", which cannot "
                  "be started. Correct the line",
                  what, interpreter);
}

/* A file that this user may execute was refused for what it needs to run. */
static void explain_needs(int number, const char *what, const char *file, struct error *err)
{
    char interpreter[FIRST_BYTES];

    if (read_script(file, interpreter))
        explain_script(what, interpreter, err);
    else if (number == ENOENT)
        error_set(err, "not_found",
                  "cannot start %s: the loader or interpreter that it needs does not exist. "
                  "Install a build of it for this system and processor",
                  what);
    else
        error_errno(err, number, "cannot start %s", what);
}

static void explain_absence(int number, const char *what, struct error *err)
{
    if (number == EACCES)
        error_set(err, "permission_denied",
                  "cannot start %s: this user may not search a directory of its path. Give a "
                  "program that this user can reach",
                  what);
    else if (number == ENOENT)
        error_set(err, "not_found", "cannot start %s: there is no such file", what);
    else
        error_errno(err, number, "cannot start %s", what);
}

/* `what` names the file in the message. */
static void explain_file(int number, const char *what, const char *file, struct error *err)
{
    struct stat info;

    if (stat(file, &info) != 0)
        explain_absence(errno, what, err);
    else if (S_ISDIR(info.st_mode))
        error_set(err, "permission_denied",
                  "cannot start %s: it is a directory. Give the path of a program", what);
    else if (!(info.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)))
        error_set(err, "permission_denied",
                  "cannot start %s: it is not marked as executable. If it is a program, mark it "
                  "with chmod +x",
                  what);
    else if (access(file, X_OK) != 0)
        error_set(err, "permission_denied",
                  "cannot start %s: its permissions, or a file system without programs (noexec), "
                  "do not let this user execute it. Change them, or run a copy of your own",
                  what);
    else
        explain_needs(number, what, file, err);
}

static void explain_lookup(int number, const struct process_spec *spec, struct error *err)
{
    struct lookup found = look_on_path(spec);
    char *what;

    if (found.file) {
        what = mem_printf("\"%.80s\" (%.160s)", spec->argv[0], found.file);
        explain_file(number, what, found.file, err);
        free(what);
    } else {
        explain_missing(spec, found.blocked, err);
    }
    free(found.file);
    free(found.blocked);
}

static void explain_path(int number, const struct process_spec *spec, struct error *err)
{
    char *what = mem_printf("\"%.240s\"", spec->argv[0]);
    char *file = path_of_child(spec, spec->argv[0]);

    explain_file(number, what, file, err);
    free(file);
    free(what);
}

void start_failure_explain(int number, const struct process_spec *spec, struct error *err)
{
    const char *name = spec->argv[0];

    if (number == E2BIG)
        error_set(err, "arguments_too_long",
                  "cannot start \"%s\": its arguments are longer than the system allows. "
                  "Send the data as its input",
                  name);
    else if (number == EAGAIN)
        error_set(
            err, "too_many_processes",
            "cannot start \"%.240s\": the system's limit of processes is reached. End programs "
            "that are not needed, or raise the limit (see ulimit -u), then try again",
            name);
    else if (strchr(name, '/') && (number == ENOENT || number == EACCES))
        explain_path(number, spec, err);
    else if (!strchr(name, '/') && (number == ENOENT || number == EACCES || number == ENOTDIR))
        explain_lookup(number == ENOTDIR ? ENOENT : number, spec, err);
    else
        error_errno(err, number, "cannot start \"%s\"", name);
}
