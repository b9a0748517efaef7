/* The list of granted folders, and from a path to an open folder and a name in it.
 *
 * The surprising choice: ".." and links are not handled in the middle of a
 * walk. Each makes a new absolute path out of what is known to be real and
 * what is left, and the walk starts over from the grant that path lies in. So
 * there is one rule to get right, and no way up out of a folder. */
#include "files/grants.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "files/file.h"

enum { FS_PATH_MAX = 4096, RESTARTS_MAX = 100 };

#if defined(O_PATH)
#define O_STEP O_PATH /* also through folders that may be entered but not listed */
#elif defined(O_SEARCH)
#define O_STEP O_SEARCH
#else
#define O_STEP O_RDONLY
#endif

/* --- the list ------------------------------------------------------------------ */

/* path is folder or lies below it; *rest (or NULL) is what follows, "" or "/...". Both tidy. */
static bool path_under(const char *folder, const char *path, const char **rest)
{
    size_t len = strlen(folder);

    if (len == 1) /* "/" */
        len = 0;
    if (strncmp(folder, path, len) != 0 || (path[len] != '/' && path[len] != '\0'))
        return false;
    if (rest)
        *rest = path + len;
    return true;
}

/* The innermost grant that holds a tidy path, by real or by given name. */
static const struct fs_grant *grant_of(const struct fs_grants *grants, unsigned how,
                                       const char *path, bool as_given, const char **rest)
{
    const struct fs_grant *best = NULL;
    size_t best_len = 0;

    for (size_t i = 0; i < grants->count; i++) {
        const struct fs_grant *grant = &grants->items[i];
        const char *folder = as_given ? grant->path : grant->real;
        const char *after;

        if ((how & FS_GIVEN) && grant->own)
            continue;
        if (!path_under(folder, path, &after) || (best && strlen(folder) < best_len))
            continue;
        best = grant;
        best_len = strlen(folder);
        *rest = after;
    }
    return best;
}

bool fs_holds_grant(const struct fs_grants *grants, const char *path)
{
    for (size_t i = 0; i < grants->count; i++) {
        if (path_under(path, grants->items[i].real, NULL))
            return true;
    }
    return false;
}

static char *make_absolute(const char *path)
{
    char here[4096];
    char *joined, *tidy;

    if (*path == '/')
        return path_tidy(path);
    if (!getcwd(here, sizeof here))
        return NULL;
    joined = path_join(here, path);
    tidy = path_tidy(joined);
    free(joined);
    return tidy;
}

const struct fs_grant *fs_grants_first(const struct fs_grants *grants)
{
    for (size_t i = 0; i < grants->count; i++) {
        if (!grants->items[i].own)
            return &grants->items[i];
    }
    return NULL;
}

static bool grants_add(struct fs_grants *grants, const char *folder, bool write, bool own,
                       struct error *err)
{
    char *real = realpath(folder, NULL);
    struct stat info;
    char *path;

    if (!real || stat(real, &info) != 0 || !S_ISDIR(info.st_mode)) {
        error_errno(err, real ? ENOTDIR : errno, "cannot grant directory \"%s\"", folder);
        free(real);
        return false;
    }
    for (size_t i = 0; i < grants->count; i++) {
        struct fs_grant *grant = &grants->items[i];

        if (strcmp(grant->real, real) == 0) {
            if (!own)
                grant->write = write, grant->own = false;
            free(real);
            return true;
        }
    }
    path = make_absolute(folder);
    grants->items = mem_resize(grants->items, (grants->count + 1) * sizeof *grants->items);
    grants->items[grants->count++] = (struct fs_grant){
        .path = path ? path : mem_strdup(real), .real = real, .write = write, .own = own
    };
    return true;
}

bool fs_grants_add(struct fs_grants *grants, const char *folder, bool write, struct error *err)
{
    return grants_add(grants, folder, write, false, err);
}

bool fs_grants_add_own(struct fs_grants *grants, const char *folder, struct error *err)
{
    return grants_add(grants, folder, true, true, err);
}

void fs_grants_copy(struct fs_grants *to, const struct fs_grants *from)
{
    *to = (struct fs_grants){ .items = mem_alloc(from->count * sizeof *from->items),
                              .count = from->count };
    for (size_t i = 0; i < from->count; i++) {
        to->items[i] = (struct fs_grant){ .path = mem_strdup(from->items[i].path),
                                          .real = mem_strdup(from->items[i].real),
                                          .write = from->items[i].write,
                                          .own = from->items[i].own };
    }
}

void fs_grants_free(struct fs_grants *grants)
{
    for (size_t i = 0; i < grants->count; i++) {
        free(grants->items[i].path);
        free(grants->items[i].real);
    }
    free(grants->items);
    *grants = (struct fs_grants){ 0 };
}

enum step { STEP_ON, STEP_AGAIN, STEP_DONE, STEP_FAILED };

struct path_walk {
    const struct fs_grants *grants;
    const char *shown; /* the path as it was asked for */
    unsigned how;
    char *todo;    /* tidy absolute path this round walks */
    struct buf at; /* real path of dir; "" is the root */
    int dir;
    struct error *err;
};

/* --- a walk: what to say --------------------------------------------------------------- */

static void say_nothing_is_granted(struct error *err)
{
    error_set(err, "not_granted",
              "no directory is granted to this script. Start the program with --grant DIR");
}

/* Folders that the engine granted to itself change no word. */
static enum step refuse_outside(struct path_walk *w)
{
    struct buf list = { 0 };

    if (!fs_grants_first(w->grants)) {
        say_nothing_is_granted(w->err);
        return STEP_FAILED;
    }
    for (size_t i = 0; i < w->grants->count; i++) {
        if (!w->grants->items[i].own)
            buf_addf(&list, "%s%s", list.len ? ", " : "", w->grants->items[i].path);
    }
    error_set(w->err, "not_granted",
              "\"%.200s\" is outside the directories that this script may use. Granted: %.200s",
              w->shown, buf_text(&list));
    buf_free(&list);
    return STEP_FAILED;
}

static enum step fail_walk(struct path_walk *w, int number)
{
    error_errno(w->err, number, "cannot reach \"%.300s\"", w->shown);
    return STEP_FAILED;
}

/* --- one round ----------------------------------------------------------------- */

/* Only what is left after the real part decides, so this may look anywhere: it
 * serves paths that name a granted folder by another name (/tmp on a Mac). */
static char *real_name(const char *path)
{
    char *head = mem_strdup(path);
    char *real = NULL, *whole;
    char *cut;

    while (!(real = realpath(head, NULL)) && (cut = strrchr(head, '/')) && cut > head)
        *cut = '\0';
    whole = real ? mem_printf("%s%s", real, path + strlen(head)) : NULL;
    free(head);
    free(real);
    head = whole ? path_tidy(whole) : NULL;
    free(whole);
    return head;
}

/* Opens the grant that holds w->todo and says what is left to walk. */
static bool path_walk_enter(struct path_walk *w, const char **rest)
{
    const struct fs_grant *grant = grant_of(w->grants, w->how, w->todo, false, rest);

    if (!grant)
        grant = grant_of(w->grants, w->how, w->todo, true, rest);
    if (!grant) {
        char *real = real_name(w->todo);

        if (real) {
            free(w->todo);
            w->todo = real;
        }
        grant = grant_of(w->grants, w->how, w->todo, false, rest);
    }
    if (!grant)
        return refuse_outside(w), false;
    w->at.len = 0;
    if (grant->real[1] != '\0')
        buf_adds(&w->at, grant->real);
    w->dir = open(grant->real, O_STEP | O_DIRECTORY | O_CLOEXEC);
    return w->dir >= 0 || (fail_walk(w, errno), false);
}

static enum step walk_start_over(struct path_walk *w, struct buf *path)
{
    free(w->todo);
    w->todo = path->len > FS_PATH_MAX ? NULL : path_tidy(buf_text(path));
    buf_free(path);
    return w->todo ? STEP_AGAIN : fail_walk(w, ENAMETOOLONG);
}

static enum step walk_go_up(struct path_walk *w, const char *rest)
{
    struct buf path = { 0 };

    while (w->at.len > 0 && w->at.data[--w->at.len] != '/')
        ;
    buf_add(&path, w->at.data, w->at.len);
    buf_adds(&path, rest);
    return walk_start_over(w, &path);
}

/* STEP_ON when name is no link. */
static enum step path_walk_follow(struct path_walk *w, const char *name, const char *rest)
{
    struct buf path = { 0 };
    char target[FS_PATH_MAX];
    ssize_t len = readlinkat(w->dir, name, target, sizeof target);

    if (len < 0)
        return STEP_ON;
    if (len == (ssize_t)sizeof target)
        return fail_walk(w, ENAMETOOLONG);
    if (len > 0 && target[0] != '/') {
        buf_add(&path, w->at.data, w->at.len);
        buf_addc(&path, '/');
    }
    buf_add(&path, target, (size_t)len);
    buf_adds(&path, rest);
    return walk_start_over(w, &path);
}

static bool is_writable(struct path_walk *w, const char *name)
{
    struct buf path = { 0 };
    const struct fs_grant *grant;
    const char *rest;

    buf_add(&path, w->at.data, w->at.len);
    buf_addf(&path, "/%s", name);
    grant = grant_of(w->grants, w->how, buf_text(&path), false, &rest);
    buf_free(&path);
    if (grant && grant->write)
        return true;
    return error_set(w->err, "read_only",
                     "\"%.200s\" is in a directory that may be read but not changed: %.200s",
                     w->shown, grant ? grant->path : "?");
}

/* Into the folder `name`. */
static enum step walk_step_into(struct path_walk *w, const char *name, const char *rest)
{
    int flags = O_STEP | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = openat(w->dir, name, flags);

    if (fd < 0 && errno == ENOENT && (w->how & FS_MAKE_PARENTS)) {
        if (!is_writable(w, name))
            return STEP_FAILED;
        if (mkdirat(w->dir, name, 0777) != 0 && errno != EEXIST)
            return fail_walk(w, errno);
        fd = openat(w->dir, name, flags);
    }
    if (fd < 0) {
        int number = errno;
        enum step step = path_walk_follow(w, name, rest);

        return step == STEP_ON ? fail_walk(w, number) : step;
    }
    close(w->dir);
    w->dir = fd;
    buf_addf(&w->at, "/%s", name);
    return STEP_ON;
}

static enum step arrive_at_place(struct path_walk *w, const char *name, struct fs_place *place)
{
    struct buf path = { 0 };

    if ((w->how & FS_WRITE) && !is_writable(w, name))
        return STEP_FAILED;
    buf_add(&path, w->at.data, w->at.len);
    if (strcmp(name, ".") != 0)
        buf_addf(&path, "/%s", name);
    if (path.len == 0)
        buf_addc(&path, '/');
    *place = (struct fs_place){ .dir = w->dir, .name = mem_strdup(name), .path = buf_take(&path) };
    w->dir = -1;
    return STEP_DONE;
}

static enum step one_component(struct path_walk *w, const char *name, const char *rest,
                               struct fs_place *place)
{
    enum step step = STEP_ON;

    if (strcmp(name, "..") == 0)
        return walk_go_up(w, rest);
    if (strlen(name) > NAME_MAX)
        return fail_walk(w, ENAMETOOLONG);
    if (*rest)
        return walk_step_into(w, name, rest);
    if (w->how & FS_FOLLOW)
        step = path_walk_follow(w, name, rest);
    return step == STEP_ON ? arrive_at_place(w, name, place) : step;
}

static enum step one_round(struct path_walk *w, struct fs_place *place)
{
    enum step step = STEP_ON;
    const char *rest;

    if (!path_walk_enter(w, &rest))
        return STEP_FAILED;
    if (!*rest)
        return arrive_at_place(w, ".", place);
    while (step == STEP_ON) {
        size_t len = strcspn(rest + 1, "/");
        char *name = mem_strndup(rest + 1, len);

        rest += 1 + len;
        step = one_component(w, name, rest, place);
        free(name);
    }
    return step;
}

/* --- whole paths --------------------------------------------------------------- */

/* "/..." or "~/...", which no grant changes. */
static bool starts_at_root(struct str path)
{
    return path.ptr[0] == '/' || (path.ptr[0] == '~' && (path.len == 1 || path.ptr[1] == '/'));
}

static bool check_path(const struct fs_grants *grants, unsigned how, struct str path,
                       struct error *err)
{
    if (path.len == 0)
        return error_set(err, "bad_path", "a path must not be empty");
    if (memchr(path.ptr, '\0', path.len))
        return error_set(err, "bad_path", "a path must not contain a NUL byte");
    if (path.len > FS_PATH_MAX)
        return error_set(err, "name_too_long", "a path of %zu bytes is too long (limit %d)",
                         path.len, FS_PATH_MAX);
    if (!fs_grants_first(grants) &&
        (grants->count == 0 || (how & FS_GIVEN) || !starts_at_root(path))) {
        say_nothing_is_granted(err);
        return false;
    }
    return true;
}

/* "x/" means the folder x, also where x is a link to it. */
static bool names_folder(struct str path)
{
    return path.ptr[path.len - 1] == '/' ||
           (path.len >= 2 && memcmp(path.ptr + path.len - 2, "/.", 2) == 0);
}

char *fs_absolute(const struct fs_grants *grants, const char *path)
{
    const struct fs_grant *first = fs_grants_first(grants);
    char *whole = path_expand_home(path), *joined;

    if (*whole == '/')
        return whole;
    joined = path_join(first ? first->real : "/", whole);
    free(whole);
    return joined;
}

bool fs_locate(const struct fs_grants *grants, struct str path, unsigned how,
               struct fs_place *place, struct error *err)
{
    struct path_walk w = { .grants = grants, .how = how, .dir = -1, .err = err };
    enum step step = STEP_AGAIN;
    char *shown, *whole;

    *place = (struct fs_place){ .dir = -1 };
    if (!check_path(grants, how, path, err))
        return false;
    shown = mem_strndup(path.ptr, path.len);
    w.shown = shown;
    whole = fs_absolute(grants, shown);
    w.todo = path_tidy(whole);
    free(whole);
    if (names_folder(path))
        w.how |= FS_FOLLOW;
    for (unsigned round = 0; step == STEP_AGAIN; round++) {
        step = round < RESTARTS_MAX ? one_round(&w, place) : fail_walk(&w, ELOOP);
        if (w.dir >= 0)
            close(w.dir);
        w.dir = -1;
    }
    buf_free(&w.at);
    free(w.todo);
    free(shown);
    return step == STEP_DONE;
}

void fs_place_close(struct fs_place *place)
{
    if (place->dir >= 0)
        close(place->dir);
    free(place->name);
    free(place->path);
    *place = (struct fs_place){ .dir = -1 };
}
