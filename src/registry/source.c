/* Walks the roots. Nothing here reads a file's content or knows Lua. */
#include "registry/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

enum { NAME_MAX_LEN = 128, FOLDERS_DEEP_MAX = 4, FILES_MAX = 20000 };

struct root_scan {
    struct source_list *list;
    size_t root;
    enum source_kind kind;
};

static void add_problem(struct source_list *list, const char *path, const char *text)
{
    list->problems = mem_resize(list->problems, (list->problem_count + 1) * sizeof *list->problems);
    list->problems[list->problem_count++] =
        (struct source_problem){ mem_strdup(path), mem_strdup(text) };
}

static void add_folder(struct source_list *list, const char *path)
{
    list->folders = mem_resize(list->folders, (list->folder_count + 1) * sizeof *list->folders);
    list->folders[list->folder_count++] = mem_strdup(path);
}

static void source_clear(struct source *source)
{
    free(source->name);
    free(source->toolset);
    free(source->path);
    free(source->label);
}

static bool name_allowed(const char *name)
{
    size_t len = strlen(name);

    return len > 0 && len <= NAME_MAX_LEN &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") == len;
}

static void add_source(struct source_list *list, struct source source)
{
    if (list->count == list->cap) {
        list->cap = list->cap ? list->cap * 2 : 64;
        list->items = mem_resize(list->items, list->cap * sizeof *list->items);
    }
    list->items[list->count++] = source;
}

/* `within` is the path below ROOT/tools (or lib ...): "", "keynote", "a/b". */
static void add_file(struct root_scan *scan, const char *within, const char *file, const char *path,
                     const struct stat *st)
{
    static const char *const folders[] = { "tools",     "prompts",  "providers",
                                           "resources", "commands", "lib" };
    char *stem = mem_strndup(file, strlen(file) - 4);
    const char *slash = *within ? "/" : "";
    struct source source = { .kind = scan->kind, .stamp = stamp_of(st), .root = scan->root };

    if (!name_allowed(stem)) {
        add_problem(scan->list, path,
                    "the file's name is the tool's name. Use 1 to 128 of A-Z a-z 0-9 _ . -");
        free(stem);
        return;
    }
    if (scan->kind == SOURCE_LIB) {
        source.name = mem_printf("%s%s%s", within, *within ? "." : "", stem);
        for (char *c = source.name; *c; c++)
            if (*c == '/')
                *c = '.';
    } else {
        source.name = mem_strdup(stem);
    }
    if (scan->kind == SOURCE_TOOL)
        source.toolset = mem_strdup(*within ? within : "user");
    else
        source.toolset = mem_strdup(scan->kind == SOURCE_RESOURCE ? within : "");
    source.path = mem_strdup(path);
    source.label = mem_printf("%s/%s%s%s", folders[scan->kind], within, slash, file);
    free(stem);
    add_source(scan->list, source);
}

static bool ends_in_lua(const char *name)
{
    size_t len = strlen(name);

    return len > 4 && strcmp(name + len - 4, ".lua") == 0;
}

/* A change of a link's target does not show in the link's folder. */
static void watch_target(struct source_list *list, const char *path)
{
    char *real = realpath(path, NULL), *slash;

    if (!real)
        return;
    slash = strrchr(real, '/');
    *(slash == real ? slash + 1 : slash) = '\0';
    add_folder(list, real);
    free(real);
}

/* What the entry is. Kinds that readdir() told need no look, but a file's stamp does. */
static mode_t look_at(int folder, const struct dirent *entry, struct stat *st)
{
    if (entry->d_type == DT_DIR)
        return S_IFDIR;
    if (entry->d_type != DT_REG && entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN)
        return 0;
    if (entry->d_type == DT_REG && !ends_in_lua(entry->d_name))
        return 0;
    return fstatat(folder, entry->d_name, st, AT_SYMLINK_NOFOLLOW) == 0 ? st->st_mode & S_IFMT : 0;
}

static void scan_folder(struct root_scan *scan, int parent, const char *name, const char *folder,
                        const char *within, int depth);

static void scan_entry(struct root_scan *scan, int within_fd, const struct dirent *entry,
                       const char *folder, const char *within, int depth)
{
    struct stat st;
    mode_t kind = look_at(within_fd, entry, &st);
    bool is_link = kind == S_IFLNK;
    char *path;

    if (is_link) /* one that leads nowhere is nothing */
        kind = fstatat(within_fd, entry->d_name, &st, 0) == 0 ? st.st_mode & S_IFMT : 0;
    if (!(kind == S_IFDIR && depth > 1) && !(kind == S_IFREG && ends_in_lua(entry->d_name)))
        return;
    path = mem_printf("%s/%s", folder, entry->d_name);
    if (kind == S_IFDIR) {
        char *deeper = mem_printf("%s%s%s", within, *within ? "/" : "", entry->d_name);

        scan_folder(scan, within_fd, entry->d_name, path, deeper, depth - 1);
        free(deeper);
    } else {
        if (is_link)
            watch_target(scan->list, path);
        add_file(scan, within, entry->d_name, path, &st);
    }
    free(path);
}

/* The folder `name` of the folder `parent`, whose path is `folder`: the short way to what is in it
 * is much the quicker one. */
static void scan_folder(struct root_scan *scan, int parent, const char *name, const char *folder,
                        const char *within, int depth)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;

    add_folder(scan->list, folder);
    if (!dir) {
        if (errno != ENOENT && errno != ENOTDIR)
            add_problem(scan->list, folder, strerror(errno));
        if (fd >= 0)
            close(fd);
        return;
    }
    while ((entry = readdir(dir)) && scan->list->count < FILES_MAX)
        if (entry->d_name[0] != '.')
            scan_entry(scan, fd, entry, folder, within, depth);
    closedir(dir);
}

static int by_place(const void *a, const void *b)
{
    const struct source *x = a, *y = b;
    int order = (int)x->kind - (int)y->kind;

    if (!order)
        order = strcmp(x->toolset, y->toolset);
    if (!order)
        order = strcmp(x->name, y->name);
    return order ? order : (x->root < y->root) - (x->root > y->root);
}

/* Equal names stand together, the last root's first. */
static int by_name(const void *a, const void *b)
{
    const struct source *x = a, *y = b;
    int order = (int)x->kind - (int)y->kind;

    if (!order)
        order = strcmp(x->name, y->name);
    if (!order)
        order = (x->root < y->root) - (x->root > y->root);
    return order ? order : strcmp(x->path, y->path);
}

/* Keeps one source a name: the last root's. Two of one root are a mistake. */
static void drop_overridden(struct source_list *list)
{
    size_t kept = 0;

    qsort(list->items, list->count, sizeof *list->items, by_name);
    for (size_t i = 0; i < list->count; i++) {
        struct source *source = &list->items[i];
        struct source *last = kept ? &list->items[kept - 1] : NULL;

        if (!last || last->kind != source->kind || strcmp(last->name, source->name) != 0 ||
            (source->kind == SOURCE_LIB && last->root != source->root)) {
            list->items[kept++] = *source;
            continue;
        }
        if (last->root == source->root) {
            char *text = mem_printf("the name '%s' is taken by %s in the same root", source->name,
                                    last->label);
            add_problem(list, source->path, text);
            free(text);
        }
        source_clear(source);
    }
    list->count = kept;
}

void sources_scan(struct source_list *list, char *const *roots, size_t root_count)
{
    static const struct {
        const char *folder;
        enum source_kind kind;
        int depth;
    } parts[] = { { "tools", SOURCE_TOOL, 2 },         { "prompts", SOURCE_PROMPT, 1 },
                  { "providers", SOURCE_PROVIDER, 1 }, { "resources", SOURCE_RESOURCE, 2 },
                  { "commands", SOURCE_COMMAND, 1 },   { "lib", SOURCE_LIB, FOLDERS_DEEP_MAX } };

    *list = (struct source_list){ 0 };
    for (size_t r = 0; r < root_count; r++) {
        struct root_scan scan = { .list = list, .root = r };

        int root = open(roots[r], O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);

        add_folder(list, roots[r]);
        for (size_t p = 0; p < countof(parts); p++) {
            char *folder = mem_printf("%s/%s", roots[r], parts[p].folder);

            scan.kind = parts[p].kind;
            scan_folder(&scan, root, root >= 0 ? parts[p].folder : folder, folder, "",
                        parts[p].depth);
            free(folder);
        }
        if (root >= 0)
            close(root);
    }
    if (!list->count)
        return;
    drop_overridden(list);
    qsort(list->items, list->count, sizeof *list->items, by_place);
}

const struct source *sources_find(const struct source_list *list, enum source_kind kind,
                                  const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == kind && strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

void sources_free(struct source_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        source_clear(&list->items[i]);
    for (size_t i = 0; i < list->problem_count; i++) {
        free(list->problems[i].path);
        free(list->problems[i].text);
    }
    for (size_t i = 0; i < list->folder_count; i++)
        free(list->folders[i]);
    free(list->items);
    free(list->problems);
    free(list->folders);
    *list = (struct source_list){ 0 };
}
