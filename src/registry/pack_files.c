/* Walks a pack, opening each folder in its parent and following no link. */
#include "registry/pack_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hidden.h"
#include "json/utf8.h"

struct pack_walk {
    struct pack_files *files;
    struct error *err;
    struct buf path; /* the folder or file that is looked at, absolute */
    size_t inside;   /* where its path inside the pack begins */
};

static bool refuse_pack(struct pack_walk *walk, const char *code, const char *what)
{
    return error_set(walk->err, code, "%s %s", buf_text(&walk->path) + walk->inside, what);
}

/* Names are shown, kept as JSON and compared: each has one spelling that can be read. */
static bool check_file_name(struct pack_walk *walk, const char *name)
{
    size_t len = strlen(name);
    const char *end = name + len;
    bool ok = utf8_valid(name, len, NULL) && !strchr(name, '\\');

    for (const char *at = name; ok && at < end;) {
        int size = utf8_sequence(at, end);

        ok = !hidden_is(utf8_decode(at, size));
        at += size;
    }
    if (!ok)
        return error_set(walk->err, "bad_name",
                         "a name in it is not UTF-8, or has hidden characters or \\. Rename the "
                         "file in the pack");
    if (walk->path.len - walk->inside > PACK_PATH_MAX)
        return error_set(walk->err, "bad_name", "%.60s... has a path of more than %d bytes",
                         buf_text(&walk->path) + walk->inside, PACK_PATH_MAX);
    return true;
}

static bool add_pack_file(struct pack_walk *walk, const struct stat *st)
{
    struct pack_files *files = walk->files;

    if (st->st_size > PACK_FILE_BYTES)
        return error_set(
            walk->err, "too_large", "%s has %lld bytes; a file of a pack has at most %d",
            buf_text(&walk->path) + walk->inside, (long long)st->st_size, PACK_FILE_BYTES);
    if (files->count == PACK_FILES_MAX)
        return error_set(walk->err, "too_many", "it has more than %d files", PACK_FILES_MAX);
    files->bytes += (uint64_t)st->st_size;
    if (files->bytes > PACK_ALL_BYTES)
        return error_set(walk->err, "too_large", "its files have more than %d bytes in all",
                         PACK_ALL_BYTES);
    if (files->count % 64 == 0)
        files->items = mem_resize(files->items, (files->count + 64) * sizeof *files->items);
    files->items[files->count++] =
        (struct pack_file){ mem_strdup(buf_text(&walk->path) + walk->inside), stamp_of(st) };
    return true;
}

static bool walk_pack_folder(struct pack_walk *walk, int parent, const char *name, int depth);

static bool is_left_out(const char *name, int depth)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, ".DS_Store") == 0 ||
           (depth == 0 && strcmp(name, ".git") == 0);
}

/* Takes the entry at the walk's path, `name` in the folder. */
static bool walk_entry(struct pack_walk *walk, int folder, const char *name, int depth)
{
    struct stat st;

    if (!check_file_name(walk, name))
        return false;
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT || error_errno(walk->err, errno, "%s", buf_text(&walk->path));
    if (S_ISDIR(st.st_mode))
        return walk_pack_folder(walk, folder, name, depth + 1);
    if (S_ISLNK(st.st_mode))
        return refuse_pack(walk, "link", "is a symbolic link, and a pack has plain files only");
    if (!S_ISREG(st.st_mode))
        return refuse_pack(walk, "not_a_file",
                           S_ISFIFO(st.st_mode)   ? "is not a file but a named pipe"
                           : S_ISSOCK(st.st_mode) ? "is not a file but a socket"
                                                  : "is not a file but a device");
    return add_pack_file(walk, &st);
}

static void add_pack_folder(struct pack_files *files, const char *path, int fd)
{
    struct stat st;

    if (files->folder_count % 32 == 0) {
        files->folders =
            mem_resize(files->folders, (files->folder_count + 32) * sizeof *files->folders);
        files->stamps =
            mem_resize(files->stamps, (files->folder_count + 32) * sizeof *files->stamps);
    }
    files->stamps[files->folder_count] = fstat(fd, &st) == 0 ? stamp_of(&st) : (struct stamp){ 0 };
    files->folders[files->folder_count++] = mem_strdup(path);
}

static bool walk_entries(struct pack_walk *walk, DIR *dir, int depth)
{
    size_t len = walk->path.len;
    struct dirent *entry;
    bool ok = true;

    while (ok && (entry = readdir(dir))) {
        if (is_left_out(entry->d_name, depth))
            continue;
        buf_addc(&walk->path, '/');
        buf_adds(&walk->path, entry->d_name);
        ok = walk_entry(walk, dirfd(dir), entry->d_name, depth);
        walk->path.len = len;
    }
    return ok;
}

/* The folder at the walk's path. */
static bool walk_pack_folder(struct pack_walk *walk, int parent, const char *name, int depth)
{
    int fd;
    DIR *dir;
    bool ok;

    if (depth > PACK_DEPTH_MAX)
        return error_set(walk->err, "too_deep", "it has more than %d folders in one another",
                         PACK_DEPTH_MAX);
    if (walk->files->folder_count == PACK_FOLDERS_MAX)
        return error_set(walk->err, "too_many", "it has more than %d folders", PACK_FOLDERS_MAX);
    fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (!dir) {
        error_errno(walk->err, errno, "%s", buf_text(&walk->path));
        if (fd >= 0)
            close(fd);
        return false;
    }
    add_pack_folder(walk->files, buf_text(&walk->path), fd);
    ok = walk_entries(walk, dir, depth);
    closedir(dir);
    return ok;
}

static int by_file_path(const void *a, const void *b)
{
    const struct pack_file *x = a, *y = b;

    return strcmp(x->path, y->path);
}

bool pack_files_look(struct pack_files *files, const char *path, struct error *err)
{
    struct pack_walk walk = { .files = files, .err = err };
    struct stat st;
    bool ok;

    *files = (struct pack_files){ 0 };
    if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
        return error_set(err, "link",
                         "it is a link. To try a folder that is elsewhere, use --root");
    buf_adds(&walk.path, path);
    walk.inside = walk.path.len + 1;
    ok = walk_pack_folder(&walk, AT_FDCWD, path, 0);
    buf_free(&walk.path);
    if (files->count)
        qsort(files->items, files->count, sizeof *files->items, by_file_path);
    return ok;
}

const struct pack_file *pack_files_find(const struct pack_files *files, const char *path)
{
    struct pack_file wanted = { .path = (char *)path };

    return files->count
               ? bsearch(&wanted, files->items, files->count, sizeof *files->items, by_file_path)
               : NULL;
}

void pack_stamp_text(const struct stamp *stamp, char text[PACK_STAMP_TEXT])
{
    snprintf(text, PACK_STAMP_TEXT, "%llu.%lld.%lld.%lld", (unsigned long long)stamp->inode,
             (long long)stamp->size, (long long)stamp->modified, (long long)stamp->changed);
}

void pack_files_free(struct pack_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->items[i].path);
    for (size_t i = 0; i < files->folder_count; i++)
        free(files->folders[i]);
    free(files->items);
    free(files->folders);
    free(files->stamps);
    *files = (struct pack_files){ 0 };
}
