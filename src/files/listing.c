/* Looking at folders and entries, for scripts. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/granted.h"

const char *fs_kind_name(enum fs_kind kind)
{
    static const char *const names[] = { "file", "folder", "link", "other" };

    return names[kind];
}

static struct fs_entry fs_entry_of(const struct stat *info)
{
#ifdef __APPLE__
    struct timespec changed = info->st_mtimespec;
#else
    struct timespec changed = info->st_mtim;
#endif

    return (struct fs_entry){
        .kind = S_ISREG(info->st_mode)   ? FS_FILE
                : S_ISDIR(info->st_mode) ? FS_FOLDER
                : S_ISLNK(info->st_mode) ? FS_LINK
                                         : FS_OTHER,
        .size = S_ISREG(info->st_mode) ? (uint64_t)info->st_size : 0,
        .modified_ms = (int64_t)changed.tv_sec * 1000 + changed.tv_nsec / 1000000,
        .mode = info->st_mode & 07777,
        .uid = info->st_uid,
        .gid = info->st_gid,
    };
}

bool fs_stat(const struct fs_grants *grants, struct str path, struct fs_entry *entry,
             struct error *err)
{
    struct fs_place place;
    struct stat info;
    bool ok = fs_locate(grants, path, FS_FOLLOW, &place, err);

    if (ok && fstatat(place.dir, place.name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        ok = error_errno(err, errno, "cannot inspect \"%s\"", place.path);
    if (ok)
        *entry = fs_entry_of(&info);
    fs_place_close(&place);
    return ok;
}

static int by_entry_name(const void *a, const void *b)
{
    return strcmp(((const struct fs_entry *)a)->name, ((const struct fs_entry *)b)->name);
}

static void add_entry(struct fs_listing *listing, size_t *cap, int dir, const char *name)
{
    struct stat info;

    if (fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return; /* gone since */
    if (listing->count == *cap) {
        *cap = *cap ? *cap * 2 : 32;
        listing->entries = mem_resize(listing->entries, *cap * sizeof *listing->entries);
    }
    listing->entries[listing->count] = fs_entry_of(&info);
    listing->entries[listing->count++].name = mem_strdup(name);
}

static bool list_folder(DIR *folder, size_t max, struct fs_listing *listing)
{
    struct dirent *entry;
    size_t cap = 0;

    for (errno = 0; (entry = readdir(folder)); errno = 0) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        listing->truncated = listing->count == max;
        if (listing->truncated)
            break;
        add_entry(listing, &cap, dirfd(folder), entry->d_name);
    }
    if (!listing->truncated && errno != 0)
        return false;
    if (listing->count > 0)
        qsort(listing->entries, listing->count, sizeof *listing->entries, by_entry_name);
    return true;
}

static bool list_place(const struct fs_place *place, size_t max, struct fs_listing *listing,
                       struct error *err)
{
    int fd = openat(place->dir, place->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    bool ok = folder && list_folder(folder, max, listing);

    if (!ok)
        error_errno(err, errno, "cannot list \"%s\"", place->path);
    if (folder)
        closedir(folder);
    else if (fd >= 0)
        close(fd);
    return ok;
}

bool fs_list(const struct fs_grants *grants, struct str path, size_t max,
             struct fs_listing *listing, struct error *err)
{
    struct fs_place place;
    bool ok;

    *listing = (struct fs_listing){ 0 };
    ok = fs_locate(grants, path, FS_FOLLOW, &place, err) && list_place(&place, max, listing, err);
    fs_place_close(&place);
    return ok;
}

void fs_listing_free(struct fs_listing *listing)
{
    for (size_t i = 0; i < listing->count; i++)
        free(listing->entries[i].name);
    free(listing->entries);
    *listing = (struct fs_listing){ 0 };
}
