/* Writing a catalog and tidying up. */
#include "registry/catalog_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "files/file.h"
#include "files/file_at.h"

enum { KEPT = 24 }; /* files: one for each program and list of roots */

enum { LEFT_S = 3600 }; /* after which what a killed process began is not under way any more */

struct found {
    int64_t modified; /* seconds */
    char *name;       /* owned */
};

static int newest_first(const void *a, const void *b)
{
    const struct found *x = a, *y = b;

    return (x->modified < y->modified) - (x->modified > y->modified);
}

static bool name_begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* The catalogs; removes the remains of those that were never finished. */
static size_t list_files(DIR *dir, struct found **files)
{
    struct dirent *entry;
    struct stat st;
    size_t count = 0;

    *files = NULL;
    while ((entry = readdir(dir))) {
        bool kept = name_begins(entry->d_name, CATALOG_PREFIX);

        if ((!kept && !name_begins(entry->d_name, FILE_TEMP_PREFIX)) ||
            fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (!kept && st.st_mtime < time(NULL) - LEFT_S)
            unlinkat(dirfd(dir), entry->d_name, 0);
        if (!kept)
            continue;
        *files = mem_resize(*files, (count + 1) * sizeof **files);
        (*files)[count++] = (struct found){ st.st_mtime, mem_strdup(entry->d_name) };
    }
    return count;
}

static void remove_oldest(const char *folder)
{
    DIR *dir = opendir(folder);
    struct found *files;
    size_t count;

    if (!dir)
        return;
    count = list_files(dir, &files);
    if (count)
        qsort(files, count, sizeof *files, newest_first);
    for (size_t i = 0; i < count; i++) {
        if (i >= KEPT)
            unlinkat(dirfd(dir), files[i].name, 0);
        free(files[i].name);
    }
    free(files);
    closedir(dir);
}

bool catalog_folder_write(const char *folder, const char *path, struct str bytes, struct error *err)
{
    struct file_options options = { .loose = true, .set_mode = true, .mode = 0600 };
    struct file_writer writer;

    if (!folder_make(folder, err) ||
        !file_writer_begin(&writer, AT_FDCWD, path, path, &options, err))
        return false;
    if (!file_write_all(writer.fd, bytes.ptr, bytes.len)) {
        error_errno(err, errno, "cannot write \"%s\"", path);
        file_writer_abandon(&writer);
        return false;
    }
    if (!file_writer_commit(&writer, err))
        return false;
    remove_oldest(folder);
    return true;
}
