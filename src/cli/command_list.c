/* Lists the commands without running a file: so `perigee help` also lists broken ones, needs no
 * Lua, and runs no user's code. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/nearest.h"
#include "cli/output.h"
#include "files/file.h"
#include "files/paths.h"
#include "registry/packs.h"

enum { ROOTS_MAX = TEXTS_MAX + 2, FILE_BYTES = 64 * 1024 };

/* The folders of all roots that have commands, in the order of engine.c; the last one wins. */
struct folders {
    char *paths[ROOTS_MAX];
    size_t count;
    struct packs *packs; /* NULL: there can be none; looked at when something asks */
};

struct listed {
    char *name, *summary; /* owned */
    char *folder; /* owned: NULL for a native one, and for one that comes with the program */
    bool native;
};

struct listing {
    struct listed *items;
    size_t count;
};

static void add_commands_folder(struct folders *folders, const char *root)
{
    if (root)
        folders->paths[folders->count++] = mem_printf("%s/commands", root);
}

static void find_folders(struct folders *folders, const struct common *common)
{
    char *shipped = path_shipped_lua(), *home = path_user_home();

    *folders = (struct folders){ .count = 0 };
    add_commands_folder(folders, shipped);
    add_commands_folder(folders, common->no_user_root ? NULL : home);
    folders->packs = home && !common->no_user_root ? packs_new(home) : NULL;
    for (size_t i = 0; i < common->roots.count; i++)
        add_commands_folder(folders, common->roots.items[i]);
    free(shipped);
    free(home);
}

static void free_folders(struct folders *folders)
{
    while (folders->count)
        free(folders->paths[--folders->count]);
    packs_free(folders->packs);
}

/* --- files ----------------------------------------------------------------------------- */

/* Hidden files are none, and a name that begins with two underscores is no command for people. */
static char *command_name(const char *file)
{
    size_t len = strlen(file);

    if (len <= 4 || strcmp(file + len - 4, ".lua") != 0 || *file == '.' ||
        strncmp(file, "__", 2) == 0)
        return NULL;
    return mem_strndup(file, len - 4);
}

/* The text behind `summary = "` at `at`; NULL: nothing of the kind is there. */
static char *value_at(const char *text, char *at)
{
    char *value = at + strlen("summary");

    if (at > text && !strchr(" \t\n{,", at[-1]))
        return NULL;
    value += strspn(value, " \t");
    if (*value++ != '=')
        return NULL;
    value += strspn(value, " \t");
    return *value == '"' ? value + 1 : NULL;
}

static size_t indent_of(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n')
        at--;
    return strspn(at, " \t");
}

/* A copy of the string that begins here, up to its quote. */
static char *unquoted_text(const char *text)
{
    char *copy = mem_strndup(text, strcspn(text, "\n")), *to = copy;

    for (const char *at = copy; *at && *at != '"'; at++) {
        if (*at == '\\' && at[1])
            at++;
        *to++ = *at;
    }
    *to = '\0';
    return copy;
}

/* The field `summary` of a file's text, which is not run: of several the one that is least indented
 * (others are of subcommands). "" if there is none. perigee check looks whether that is right. */
static char *summary_in(char *text)
{
    const char *found = "\"";
    size_t least = SIZE_MAX;

    for (char *at = text; (at = strstr(at, "summary")); at++) {
        const char *value = value_at(text, at);

        if (value && indent_of(text, at) < least) {
            least = indent_of(text, at);
            found = value;
        }
    }
    return unquoted_text(found);
}

static char *read_summary(int folder, const char *file)
{
    static char text[FILE_BYTES + 1]; /* pages that no file reaches cost nothing */
    int fd = openat(folder, file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = fd < 0 ? 0 : read(fd, text, FILE_BYTES);

    text[got > 0 ? got : 0] = '\0';
    if (fd >= 0)
        close(fd);
    return summary_in(text);
}

/* --- the list ---------------------------------------------------------------------------- */

static struct listed *find_listed(struct listing *listing, const char *name)
{
    for (size_t i = 0; i < listing->count; i++)
        if (strcmp(listing->items[i].name, name) == 0)
            return &listing->items[i];
    return NULL;
}

static struct listed *add_command(struct listing *listing, char *name)
{
    if (listing->count % 32 == 0)
        listing->items = mem_resize(listing->items, (listing->count + 32) * sizeof *listing->items);
    listing->items[listing->count] = (struct listed){ .name = name };
    return &listing->items[listing->count++];
}

/* A later file overrides an earlier one, and a native command every file. Takes the name. */
static void add_command_file(struct listing *listing, char *name, int folder, const char *file,
                             const char *path)
{
    struct listed *listed = find_listed(listing, name);

    if (listed && listed->native) {
        free(name);
        return;
    }
    if (listed) {
        free(listed->name);
        free(listed->summary);
        free(listed->folder);
    } else {
        listed = add_command(listing, NULL);
    }
    *listed = (struct listed){ .name = name, .summary = read_summary(folder, file) };
    listed->folder = path ? mem_strdup(path) : NULL;
}

static void add_command_files(struct listing *listing, const char *path, bool shipped)
{
    DIR *dir = opendir(path);
    struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        char *name = command_name(entry->d_name);

        if (name)
            add_command_file(listing, name, dirfd(dir), entry->d_name, shipped ? NULL : path);
    }
    if (dir)
        closedir(dir);
}

/* They override nothing, and the first pack by name has what two have. */
static void add_pack_commands(struct listing *listing, struct packs *packs)
{
    size_t count = 0;
    const struct pack *all;

    if (packs)
        packs_look(packs);
    all = packs ? packs_all(packs, &count) : NULL;
    while (count-- > 0) {
        char *folder = mem_printf("%s/commands", all[count].path);

        if (all[count].approved)
            add_command_files(listing, folder, false);
        free(folder);
    }
}

static int by_command_name(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;

    return strcmp(x->name, y->name);
}

static void gather_commands(struct listing *listing, const struct common *common)
{
    struct folders folders;

    *listing = (struct listing){ 0 };
    for (const struct command *const *native = native_commands; *native; native++) {
        struct listed *listed = add_command(listing, mem_strdup((*native)->name));

        listed->summary = mem_strdup((*native)->summary);
        listed->native = true;
    }
    find_folders(&folders, common);
    add_pack_commands(listing, folders.packs);
    for (size_t i = 0; i < folders.count; i++)
        add_command_files(listing, folders.paths[i], i == 0);
    free_folders(&folders);
    if (listing->count)
        qsort(listing->items, listing->count, sizeof *listing->items, by_command_name);
}

static void listing_clear(struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++) {
        free(listing->items[i].name);
        free(listing->items[i].summary);
        free(listing->items[i].folder);
    }
    free(listing->items);
}

static bool has_command(const char *folder, const char *name)
{
    char *path = mem_printf("%s/%s.lua", folder, name);
    bool has = access(path, F_OK) == 0;

    free(path);
    return has;
}

static bool packs_have_command(struct packs *packs, const char *name)
{
    size_t count = 0;
    const struct pack *all;
    bool has = false;

    if (packs)
        packs_look(packs);
    all = packs ? packs_all(packs, &count) : NULL;
    for (size_t i = 0; i < count && !has; i++) {
        char *folder = mem_printf("%s/commands", all[i].path);

        has = all[i].approved && has_command(folder, name);
        free(folder);
    }
    return has;
}

bool command_is_file(const char *name, const struct common *common)
{
    struct folders folders;
    bool is = false;

    if (strchr(name, '/') || *name == '.')
        return false;
    find_folders(&folders, common);
    for (size_t i = 0; i < folders.count && !is; i++)
        is = has_command(folders.paths[i], name);
    is = is || packs_have_command(folders.packs, name);
    free_folders(&folders);
    return is;
}

bool command_is_shipped(const char *name, const struct common *common)
{
    struct folders folders;
    bool is;

    find_folders(&folders, common);
    is = has_command(folders.paths[0], name) && !packs_have_command(folders.packs, name);
    for (size_t i = 1; i < folders.count; i++)
        is = is && !has_command(folders.paths[i], name);
    free_folders(&folders);
    return is;
}

int command_unknown(const char *name, const struct common *common)
{
    struct nearest nearest = { .count = 0 };
    struct listing listing;

    gather_commands(&listing, common);
    for (size_t i = 0; i < listing.count; i++)
        nearest_add(&nearest, name, listing.items[i].name);
    output_message(NULL, "%s \"%.100s\"%s",
                   *name == '-' ? "no command is given with" : "unknown command", name,
                   nearest_text(&nearest, ": ", ""));
    output_hint("Run `perigee help` for the list.");
    listing_clear(&listing);
    return EXIT_USAGE;
}

void command_print_list(void)
{
    struct common common = { .help = false };
    struct listing listing;

    gather_commands(&listing, &common);
    fputs("usage: perigee COMMAND [arguments]\n\n"
          "A scriptable desktop-automation engine: an MCP server and client whose tools are\n"
          "Lua files that can be edited while it runs.\n\n",
          stdout);
    for (size_t i = 0; i < listing.count; i++) {
        const struct listed *listed = &listing.items[i];

        printf("  %-12s %s", listed->name, listed->summary);
        printf(listed->folder ? " (%s)\n" : "\n", listed->folder);
    }
    fputs("\nRun `perigee help COMMAND` for its options, `perigee help WORD` to search.\n\n"
          "Exit status: 0 success, 1 failure, 2 usage error, 3 tool error, 124 timeout,\n"
          "130 interrupted\n",
          stdout);
    listing_clear(&listing);
}
