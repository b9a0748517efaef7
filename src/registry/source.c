/* Walks the roots. Nothing here knows Lua. */
#include "registry/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "script/sandbox/module_name.h"
#include "script/sandbox/sandbox.h"

enum { NAME_MAX_LEN = 128, FOLDERS_DEEP_MAX = 4, FILES_MAX = 20000 };

static const char policy_file[] = "policy.lua";
static const char foreign_folder[] = "foreign";

/* Where a walk is. */
struct root_scan {
    struct source_list *list;
    size_t root;
    enum source_kind kind;
    struct buf path; /* the folder or file that is looked at */
    size_t root_len; /* so much of it is the root with its slash */
};

static void add_source_problem(struct source_list *list, const char *path, const char *text)
{
    list->problems = mem_resize(list->problems, (list->problem_count + 1) * sizeof *list->problems);
    list->problems[list->problem_count++] =
        (struct source_problem){ mem_strdup(path), mem_strdup(text) };
}

void sources_add_folder(struct source_list *list, const char *path, size_t root,
                        const struct stamp *stamp)
{
    list->folders = mem_resize(list->folders, (list->folder_count + 1) * sizeof *list->folders);
    list->folders[list->folder_count++] = (struct source_folder){ mem_strdup(path), *stamp, root };
}

/* fd: of the folder; -1: it cannot be opened. */
static void add_scanned_folder(struct root_scan *scan, const char *path, int fd)
{
    struct stamp stamp = { 0 };
    struct stat st;

    if (fd >= 0 && fstat(fd, &st) == 0)
        stamp = stamp_of(&st);
    sources_add_folder(scan->list, path, scan->root, &stamp);
}

bool source_is_shipped(const struct source *source)
{
    return source->root == HOME_SHIPPED;
}

void source_clear(struct source *source)
{
    free(source->name);
    free(source->toolset);
    free(source->path);
    free(source->label);
}

static bool name_allowed(const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char c = name[i];

        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_' || c == '.' || c == '-'))
            return false;
    }
    return len > 0 && len <= NAME_MAX_LEN;
}

void sources_reserve(struct source_list *list, size_t more)
{
    if (more <= list->cap - list->count)
        return;
    list->cap = list->count + more;
    list->items = mem_resize(list->items, list->cap * sizeof *list->items);
}

void sources_add(struct source_list *list, struct source source)
{
    if (list->count == list->cap)
        sources_reserve(list, list->cap ? list->cap : 64);
    list->items[list->count++] = source;
}

/* "agent.log" of "agent/log". */
static char *dotted_name(const char *path, size_t len)
{
    char *name = mem_strndup(path, len);

    for (char *c = name; *c; c++)
        if (*c == '/')
            *c = '.';
    return name;
}

/* The toolset by the folder: "keynote" of "keynote/draw.lua", "a/b" of "a/b/x.lua". Foreign tools
 * have toolsets of their own, so that no rule or option for others means them. */
static char *toolset_of(const struct source *source, const char *inside, size_t len)
{
    if (source->foreign)
        return mem_printf("%s%s%.*s", foreign_folder, len ? "/" : "", (int)len, inside);
    if (source->kind == SOURCE_TOOL && !len)
        return mem_strdup("user");
    return mem_strndup(inside,
                       source->kind == SOURCE_TOOL || source->kind == SOURCE_RESOURCE ? len : 0);
}

static bool is_in_folder(const char *label, const char *folder)
{
    size_t len = strlen(folder);

    return strncmp(label, folder, len) == 0 && label[len] == '/';
}

/* "agent.log" of "lib/agent/log.lua"; "testing.windows" of "testing/windows.lua", and so on */
static char *module_of(const char *label, const char *inside)
{
    const char *path = is_in_folder(label, "lib") ? inside : label;

    return dotted_name(path, strlen(path) - strlen(".lua"));
}

struct source source_at(enum source_kind kind, const char *path, size_t root_len)
{
    const char *inside =
        path + root_len + (kind == SOURCE_POLICY ? 0 : strcspn(path + root_len, "/") + 1);
    const char *slash = strrchr(inside, '/'), *stem = slash ? slash + 1 : inside;
    const char *end = inside + strlen(inside) - strlen(".lua");
    struct source source = { .kind = kind };

    source.name = kind == SOURCE_LIB ? module_of(path + root_len, inside)
                                     : mem_strndup(stem, (size_t)(end - stem));
    source.foreign = is_in_folder(path + root_len, foreign_folder);
    source.toolset = toolset_of(&source, inside, slash ? (size_t)(slash - inside) : 0);
    source.path = mem_strdup(path);
    source.label = mem_strdup(path + root_len);
    return source;
}

/* A lib file that no `require` finds does no harm, but its author waits for it. */
static void check_lib(struct root_scan *scan, const struct source *source)
{
    char *text;

    if (source->kind != SOURCE_LIB || source->root == 0 || !module_name_taken(source->name))
        return;
    text = mem_printf("%s: it is never loaded: require \"%s\" gives a module of Perigee. Rename it",
                      source->label, source->name);
    add_source_problem(scan->list, source->path, text);
    free(text);
}

/* The file that the walk is at. */
static void add_scanned_file(struct root_scan *scan, const struct stat *st)
{
    const char *path = buf_text(&scan->path), *stem = strrchr(path, '/') + 1;
    const char *end = path + scan->path.len - strlen(".lua");
    struct source source;

    if (!name_allowed(stem, (size_t)(end - stem))) {
        add_source_problem(scan->list, path,
                           "the file's name is the tool's name. Use 1 to 128 of A-Z a-z 0-9 _ . -");
        return;
    }
    source = source_at(scan->kind, path, scan->root_len);
    source.stamp = stamp_of(st);
    source.root = scan->root;
    check_lib(scan, &source);
    sources_add(scan->list, source);
}

static bool ends_in_lua(const char *name)
{
    size_t len = strlen(name);

    return len > 4 && strcmp(name + len - 4, ".lua") == 0;
}

/* A change of a link's target does not show in the link's folder. */
static void watch_target(struct root_scan *scan, const char *path)
{
    char *real = realpath(path, NULL), *slash;

    if (!real)
        return;
    slash = strrchr(real, '/');
    *(slash == real ? slash + 1 : slash) = '\0';
    add_scanned_folder(scan, real, -1);
    free(real);
}

/* The mode of the entry. Kinds that readdir() told need no look, but a file's stamp does. */
static mode_t entry_mode(int folder, const struct dirent *entry, struct stat *st)
{
    if (entry->d_type == DT_DIR)
        return S_IFDIR;
    if (entry->d_type != DT_REG && entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN)
        return 0;
    if (entry->d_type == DT_REG && !ends_in_lua(entry->d_name))
        return 0;
    return fstatat(folder, entry->d_name, st, AT_SYMLINK_NOFOLLOW) == 0 ? st->st_mode & S_IFMT : 0;
}

static void scan_folder(struct root_scan *scan, int parent, const char *name, int depth);

/* Scans the entry at the end of the walk's path, to which it adds the name. */
static void scan_entry(struct root_scan *scan, int folder, const struct dirent *entry, int depth)
{
    size_t folder_len = scan->path.len;
    struct stat st;
    mode_t kind = entry_mode(folder, entry, &st);
    bool is_link = kind == S_IFLNK;

    scan->list->linked |= is_link;
    if (is_link) /* one that leads nowhere is nothing */
        kind = fstatat(folder, entry->d_name, &st, 0) == 0 ? st.st_mode & S_IFMT : 0;
    if (!(kind == S_IFDIR && depth > 1) && !(kind == S_IFREG && ends_in_lua(entry->d_name)))
        return;
    buf_addc(&scan->path, '/');
    buf_adds(&scan->path, entry->d_name);
    if (kind == S_IFDIR) {
        scan_folder(scan, folder, entry->d_name, depth - 1);
    } else {
        if (is_link)
            watch_target(scan, buf_text(&scan->path));
        add_scanned_file(scan, &st);
    }
    scan->path.len = folder_len;
}

/* The walk's folder, which is `name` in the folder `parent`: the short way to what is in it is much
 * the quicker one. */
static void scan_folder(struct root_scan *scan, int parent, const char *name, int depth)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;

    if (!dir && errno != ENOENT && errno != ENOTDIR)
        add_source_problem(scan->list, buf_text(&scan->path), strerror(errno));
    add_scanned_folder(scan, buf_text(&scan->path), fd);
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return;
    }
    while ((entry = readdir(dir)) && scan->list->count < FILES_MAX)
        if (entry->d_name[0] != '.')
            scan_entry(scan, fd, entry, depth);
    closedir(dir);
}

static int by_source_place(const void *a, const void *b)
{
    const struct source *x = a, *y = b;
    int order = (int)x->kind - (int)y->kind;

    if (!order)
        order = strcmp(x->toolset, y->toolset);
    if (!order)
        order = strcmp(x->name, y->name);
    return order ? order : (x->root < y->root) - (x->root > y->root);
}

/* "NAME/tools/x.lua" of "packs/NAME/tools/x.lua" */
static const char *inside_packs(const struct source *source)
{
    return strchr(source->label, '/') + 1;
}

/* Labels of packs: one that is the beginning of another name comes first, as names do. */
static int by_pack(const struct source *x, const struct source *y)
{
    const char *a = inside_packs(x), *b = inside_packs(y);
    size_t len = strcspn(a, "/"), other = strcspn(b, "/");
    int order = memcmp(a, b, len < other ? len : other);

    return order ? order : (len > other) - (len < other);
}

/* The last root's first, then packs by name, and foreign ones last. */
static int by_source_claim(const struct source *x, const struct source *y)
{
    int order = (int)x->foreign - (int)y->foreign;

    if (!order)
        order = (int)x->packed - (int)y->packed;
    if (!order)
        order = x->packed ? by_pack(x, y) : (x->root < y->root) - (x->root > y->root);
    return order ? order : strcmp(x->path, y->path);
}

bool source_precedes(const struct source *a, const struct source *b)
{
    return by_source_claim(a, b) < 0;
}

/* Equal names stand together. */
static int by_source_name(const void *a, const void *b)
{
    const struct source *x = a, *y = b;
    int order = (int)x->kind - (int)y->kind;

    if (!order)
        order = strcmp(x->name, y->name);
    return order ? order : by_source_claim(x, y);
}

/* Why the file does not count, if that is a mistake; NULL: it is overridden, as its user wants. */
static char *why_dropped(const struct source *source, const struct source *last)
{
    const char *how = " in the same root";

    if (last->foreign != source->foreign)
        how = ", which no foreign tool replaces. Rename the file";
    else if (source->packed && last->packed)
        how = ", and of two packs the first by name has it. Remove one of them";
    else if (source->packed)
        how = ", which no pack replaces. Rename that file, or remove the pack";
    else if (last->root != source->root)
        return NULL;
    return mem_printf("the name '%s' is taken by %s%s", source->name, last->label, how);
}

/* Keeps one source a name: the last root's. Two of one root are a mistake. */
static void drop_overridden(struct source_list *list)
{
    size_t kept = 0;

    qsort(list->items, list->count, sizeof *list->items, by_source_name);
    for (size_t i = 0; i < list->count; i++) {
        struct source *source = &list->items[i];
        struct source *last = kept ? &list->items[kept - 1] : NULL;
        char *text;

        if (!last || last->kind != source->kind || strcmp(last->name, source->name) != 0 ||
            (source->kind == SOURCE_LIB && last->root != source->root)) {
            list->items[kept++] = *source;
            continue;
        }
        text = why_dropped(source, last);
        if (text)
            add_source_problem(list, source->path, text);
        free(text);
        source_clear(source);
    }
    list->count = kept;
}

bool source_has_policy(int root)
{
    struct stat st;

    return fstatat(root, policy_file, &st, AT_SYMLINK_NOFOLLOW) == 0 ||
           (errno != ENOENT && errno != ENOTDIR);
}

/* The walk's path is the root with its slash. */
static void scan_policy(struct root_scan *scan, int root)
{
    struct stat st = { 0 };

    if (root < 0 || !source_has_policy(root))
        return;
    buf_adds(&scan->path, policy_file);
    if (fstatat(root, policy_file, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode)) {
        scan->list->linked = true;
        watch_target(scan, buf_text(&scan->path));
        fstatat(root, policy_file, &st, 0);
    }
    scan->kind = SOURCE_POLICY;
    add_scanned_file(scan, &st);
    scan->path.len = scan->root_len;
}

/* The folders that a root and a pack have. */
static const struct part {
    const char *folder;
    enum source_kind kind;
    int depth;
} parts[] = { { "tools", SOURCE_TOOL, 2 },
              { foreign_folder, SOURCE_TOOL, 2 },
              { "prompts", SOURCE_PROMPT, 1 },
              { "providers", SOURCE_PROVIDER, 1 },
              { "resources", SOURCE_RESOURCE, 2 },
              { "commands", SOURCE_COMMAND, 1 },
              { "services", SOURCE_SERVICE, 1 },
              { "lib", SOURCE_LIB, FOLDERS_DEEP_MAX },
              { "testing", SOURCE_LIB, FOLDERS_DEEP_MAX },
              { "dictionary", SOURCE_LIB, 1 } };

/* The walk's path is the root with its slash, and is left so. */
static void scan_part(struct root_scan *scan, int root, const struct part *part)
{
    buf_adds(&scan->path, part->folder);
    scan->kind = part->kind;
    scan_folder(scan, root, root >= 0 ? part->folder : buf_text(&scan->path), part->depth);
    scan->path.len = scan->root_len;
}

static int open_root(struct root_scan *scan, const char *path)
{
    int root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);

    buf_adds(&scan->path, path);
    buf_addc(&scan->path, '/');
    scan->root_len = scan->path.len;
    return root;
}

static void scan_root(struct root_scan *scan, const char *path)
{
    int root = open_root(scan, path);

    add_scanned_folder(scan, path, root);
    for (size_t p = 0; p < countof(parts); p++)
        scan_part(scan, root, &parts[p]);
    scan_policy(scan, root);
    if (root >= 0)
        close(root);
}

/* --- packs -------------------------------------------------------------------------------- */

/* Makes what was found for a root a file of the pack. */
static void adopt_source(struct source *source, const struct pack *pack)
{
    char *label = mem_printf("packs/%s/%s", pack->name, source->label);
    const struct pack_file *file = pack_files_find(&pack->files, source->label);

    source->packed = true;
    source->foreign |= !pack->approved;
    source->pack_state = pack->state;
    if (source->kind == SOURCE_TOOL || source->kind == SOURCE_RESOURCE) {
        free(source->toolset);
        source->toolset = mem_printf("%s%spacks/%s", source->foreign ? foreign_folder : "",
                                     source->foreign ? "/" : "", pack->name);
    }
    if (pack->approved) {
        source->bound = true; /* to nothing, if the file came after the look */
        if (file)
            memcpy(source->sum, pack->sums[file - pack->files.items], sizeof source->sum);
    }
    free(source->label);
    source->label = label;
}

/* Until a pack is approved only foreign tools are loaded, and the lib files that they require. */
static bool is_jailed(enum source_kind kind)
{
    return kind == SOURCE_TOOL || kind == SOURCE_LIB;
}

/* Drops what was found since there were so many; how many that is. */
static size_t drop_since(struct source_list *list, size_t count)
{
    size_t dropped = list->count - count;

    while (list->count > count)
        source_clear(&list->items[--list->count]);
    return dropped;
}

static void scan_pack(struct root_scan *scan, const struct pack *pack, struct buf *waiting)
{
    int root = open_root(scan, pack->path);

    for (size_t p = 0; p < countof(parts); p++) {
        size_t before = scan->list->count, dropped;

        scan_part(scan, root, &parts[p]);
        if (pack->approved || is_jailed(parts[p].kind)) {
            for (size_t i = before; i < scan->list->count; i++)
                adopt_source(&scan->list->items[i], pack);
            continue;
        }
        dropped = drop_since(scan->list, before);
        if (dropped)
            buf_addf(waiting, "%s%zu in %s/", waiting->len ? ", " : "", dropped, parts[p].folder);
    }
    if (root >= 0)
        close(root);
}

/* The problem to report about a pack that is not approved; NULL: none. Takes the buffer's
 * content. */
static char *pack_problem(const struct pack *pack, struct buf *waiting)
{
    char *text = NULL;

    if (pack->problem)
        text = mem_printf("%s%s%s%s", pack->problem, waiting->len ? ". Not loaded: " : "",
                          buf_text(waiting), waiting->len ? ". Its tools are foreign" : "");
    else if (waiting->len)
        text = mem_printf("the pack needs your approval before all of it is loaded (not loaded: "
                          "%s). Run `perigee pack approve %s`",
                          buf_text(waiting), pack->name);
    buf_free(waiting);
    return text;
}

void sources_scan_pack(struct source_list *list, const struct pack *pack, size_t root)
{
    struct root_scan scan = { .list = list, .root = root };
    struct buf waiting = { 0 };
    char *problem;

    for (size_t i = 0; i < pack->files.folder_count; i++)
        sources_add_folder(list, pack->files.folders[i], root, &pack->files.stamps[i]);
    if (pack->usable)
        scan_pack(&scan, pack, &waiting);
    problem = pack_problem(pack, &waiting);
    if (problem)
        add_source_problem(list, pack->path, problem);
    free(problem);
    buf_free(&scan.path);
}

/* The folder of the packs, looked into or not there. */
static void add_packs_folder(struct source_list *list, const struct packs *packs, size_t root)
{
    struct stamp stamp = { 0 };

    stamp_look(packs_folder(packs), &stamp);
    sources_add_folder(list, packs_folder(packs), root, &stamp);
}

static void scan_packs(struct source_list *list, const struct packs *packs)
{
    size_t count;
    const struct pack *all = packs_all(packs, &count);

    list->packed = count > 0;
    if (packs_record_problem(packs))
        add_source_problem(list, packs_record(packs), packs_record_problem(packs));
    for (size_t i = 0; i < count; i++)
        sources_scan_pack(list, &all[i], list->root_count + all[i].place);
}

void sources_scan(struct source_list *list, char *const *roots, size_t root_count,
                  struct packs *packs)
{
    *list = (struct source_list){ .time = (int64_t)time(NULL), .root_count = root_count };
    for (size_t r = 0; r < root_count; r++) {
        struct root_scan scan = { .list = list, .root = r };

        scan_root(&scan, roots[r]);
        buf_free(&scan.path);
        if (packs && strcmp(roots[r], packs_home(packs)) == 0)
            add_packs_folder(list, packs, r);
    }
    if (packs) {
        packs_look(packs);
        scan_packs(list, packs);
    }
    if (!list->count)
        return;
    drop_overridden(list);
    qsort(list->items, list->count, sizeof *list->items, by_source_place);
}

struct source *sources_find(const struct source_list *list, enum source_kind kind, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind == kind && strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

void source_see(struct source *source)
{
    if (source->unseen)
        source->unseen = !stamp_look(source->path, &source->stamp);
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
        free(list->folders[i].path);
    free(list->items);
    free(list->problems);
    free(list->folders);
    *list = (struct source_list){ 0 };
}
