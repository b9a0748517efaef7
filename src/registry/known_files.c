/* list = number of folders (u32), folders, number of files (u32), files, in the order of the list
 *   folder = root (u32), path inside it (string, empty for the root), stamp
 *   file   = kind (u8), root (u32), is it left unseen (u8), path inside the root (string), stamp */
#include "registry/known_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The folders of a root stand behind it. What else changes in the root's own is none of ours: each
 * of its parts is looked at. */
static bool is_root(const struct source_list *list, size_t i)
{
    return i == 0 || list->folders[i].root != list->folders[i - 1].root;
}

bool known_files_may_write(const struct source_list *list)
{
    if (list->linked || list->packed || list->problem_count)
        return false;
    for (size_t i = 0; i < list->folder_count; i++)
        if (!is_root(list, i) && !stamp_settled(&list->folders[i].stamp, list->time))
            return false;
    return true;
}

/* --- writing ---------------------------------------------------------------------------- */

static void write_folders(const struct source_list *list, struct buf *out)
{
    size_t inside = 0; /* where the path inside the root begins */

    bytes_u32(out, (uint32_t)list->folder_count);
    for (size_t i = 0; i < list->folder_count; i++) {
        const struct source_folder *folder = &list->folders[i];

        if (is_root(list, i))
            inside = strlen(folder->path) + 1;
        bytes_u32(out, (uint32_t)folder->root);
        bytes_str(out, str_from(is_root(list, i) ? "" : folder->path + inside));
        stamp_write(&folder->stamp, out);
    }
}

void known_files_write(const struct source_list *list, const struct libs *libs, struct buf *out)
{
    write_folders(list, out);
    bytes_u32(out, (uint32_t)list->count);
    for (size_t i = 0; i < list->count; i++) {
        const struct source *source = &list->items[i];
        bool unseen = source->kind == SOURCE_COMMAND ||
                      (source->kind == SOURCE_LIB && !libs_used(libs, source->path));

        buf_addc(out, (char)source->kind);
        bytes_u32(out, (uint32_t)source->root);
        buf_addc(out, unseen);
        bytes_str(out, str_from(source->label));
        stamp_write(&source->stamp, out);
    }
}

/* --- looking ---------------------------------------------------------------------------- */

struct look {
    struct source_list *list;
    char *const *roots;
    size_t root_count;
    int *fds;        /* the roots; -1: it is not there */
    struct buf path; /* the folder or file that is looked at */
};

static bool is_absence(int error)
{
    return error == ENOENT || error == ENOTDIR;
}

static bool look_at_root(struct look *look, size_t root)
{
    look->fds[root] = open(look->roots[root], O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    return look->fds[root] >= 0 || is_absence(errno);
}

/* The stamp of the folder at this place; zeros: none. */
static bool folder_stamp(int root, const char *name, struct stamp *stamp)
{
    struct stat st;

    *stamp = (struct stamp){ 0 };
    if (root < 0)
        return true;
    if (fstatat(root, name, &st, 0) != 0)
        return is_absence(errno);
    if (S_ISDIR(st.st_mode))
        *stamp = stamp_of(&st);
    return true;
}

/* Writes the path and returns the part of it that is inside the root. */
static const char *set_path(struct look *look, size_t root, struct str inside)
{
    size_t len;

    look->path.len = 0;
    buf_adds(&look->path, look->roots[root]);
    buf_addc(&look->path, '/');
    len = look->path.len;
    buf_add(&look->path, inside.ptr, inside.len);
    return buf_text(&look->path) + len;
}

static bool look_at_folder(struct look *look, struct bytes *from)
{
    size_t root = bytes_get_u32(from);
    struct str inside = bytes_get_str(from);
    struct stamp known = stamp_read(from), now;
    const char *name;

    if (from->bad || root >= look->root_count)
        return false;
    if (!inside.len) {
        sources_add_folder(look->list, look->roots[root], root, &known);
        return look_at_root(look, root);
    }
    name = set_path(look, root, inside);
    sources_add_folder(look->list, buf_text(&look->path), root, &known);
    return folder_stamp(look->fds[root], name, &now) && stamp_same(&now, &known);
}

/* "tools/x.lua", "policy.lua" */
static bool is_name(const char *name, size_t len, int kind)
{
    const char *slash = strchr(name, '/');

    if (kind == SOURCE_POLICY)
        return strcmp(name, "policy.lua") == 0 && strlen(name) == len;

    return slash && strlen(slash) > strlen("/.lua") && strlen(name) == len;
}

static bool look_at_file(struct look *look, struct bytes *from)
{
    int kind = bytes_get_u8(from);
    size_t root = bytes_get_u32(from), root_len;
    bool unseen = bytes_get_u8(from);
    struct str inside = bytes_get_str(from);
    struct source source = { .stamp = stamp_read(from) };
    struct stamp stamp = source.stamp;
    const char *name;
    struct stat st;

    if (from->bad || root >= look->root_count || kind > SOURCE_LIB)
        return false;
    name = set_path(look, root, inside);
    if (!is_name(name, inside.len, kind))
        return false;
    root_len = look->path.len - inside.len;
    if (!unseen) {
        if (fstatat(look->fds[root], name, &st, 0) != 0 || !S_ISREG(st.st_mode))
            return false;
        stamp = stamp_of(&st);
    }
    source = source_at((enum source_kind)kind, buf_text(&look->path), root_len);
    source.root = root;
    source.stamp = stamp;
    source.unseen = unseen;
    sources_add(look->list, source);
    return true;
}

static bool lists_policy(const struct source_list *list, size_t root)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == SOURCE_POLICY && list->items[i].root == root)
            return true;
    return false;
}

/* A root's own folder is not compared, so a policy.lua that is new there is looked for. The list
 * has only the last root's: an earlier one is overridden by it. */
static bool look_at_policies(const struct look *look)
{
    for (size_t i = look->root_count; i-- > 0 && !lists_policy(look->list, i);)
        if (look->fds[i] >= 0 && source_has_policy(look->fds[i]))
            return false;
    return true;
}

static bool look_at_known_files(struct look *look, struct bytes *from)
{
    uint32_t count = bytes_get_u32(from);

    for (uint32_t i = 0; i < count; i++)
        if (!look_at_folder(look, from))
            return false;
    count = bytes_get_u32(from);
    if (count > from->left.len)
        return false;
    sources_reserve(look->list, count);
    for (uint32_t i = 0; i < count; i++)
        if (!look_at_file(look, from))
            return false;
    return !from->bad && !from->left.len && look_at_policies(look);
}

bool known_files_look(struct str known, char *const *roots, size_t root_count,
                      struct source_list *list)
{
    struct bytes from = { .left = known };
    struct look look = { .list = list, .roots = roots, .root_count = root_count };
    bool ok;

    *list = (struct source_list){ .time = (int64_t)time(NULL), .root_count = root_count };
    if (!known.len)
        return false;
    look.fds = mem_alloc((root_count + 1) * sizeof *look.fds);
    for (size_t i = 0; i < root_count; i++)
        look.fds[i] = -1;
    ok = look_at_known_files(&look, &from);
    for (size_t i = 0; i < root_count; i++)
        if (look.fds[i] >= 0)
            close(look.fds[i]);
    free(look.fds);
    buf_free(&look.path);
    if (!ok)
        sources_free(list);
    return ok;
}
