/* Reading desktop entries from the data folders, the user's first: the first of an id wins. */
#include "platform/freedesktop/entries.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/file.h"
#include "json/utf8.h"
#include "platform/deadline.h"

enum { FRESH_MS = 3000, ENTRY_FILE_MAX = 256 << 10, FOLDER_DEPTH_MAX = 6, ENTRIES_MAX = 8192 };

static void entry_free(struct desktop_entry *entry)
{
    free(entry->id);
    free(entry->file);
    free(entry->name);
    free(entry->plain);
    free(entry->exec);
    free(entry->icon);
    free(entry->wm_class);
    free(entry->folder);
    free(entry->try_exec);
}

static void entries_clear(struct entries *entries)
{
    for (size_t i = 0; i < entries->count; i++)
        entry_free(&entries->items[i]);
    free(entries->items);
    *entries = (struct entries){ 0 };
}

struct entries *entries_new(void)
{
    return mem_zero(sizeof(struct entries));
}

void entries_free(struct entries *entries)
{
    if (entries)
        entries_clear(entries);
    free(entries);
}

/* --- one file --------------------------------------------------------------------- */

/* A value with \s \n \t \r \\ undone, as valid UTF-8. The caller frees. */
static char *unescape(struct str value)
{
    struct buf raw = { 0 }, out = { 0 };

    for (size_t i = 0; i < value.len; i++) {
        static const char from[] = "sntr\\", to[] = " \n\t\r\\";
        const char *at = value.ptr[i] == '\\' && i + 1 < value.len
                             ? memchr(from, value.ptr[i + 1], sizeof from - 1)
                             : NULL;

        buf_addc(&raw, at ? to[at - from] : value.ptr[i]);
        i += at != NULL;
    }
    utf8_clean(&out, raw.data, raw.len);
    buf_free(&raw);
    return buf_take(&out);
}

/* How well the language "de_DE.UTF-8@euro" fits the tag [de_DE] (2) or [de] (1); 0: it does not. */
static int language_fits(struct str tag)
{
    const char *names[] = { getenv("LC_ALL"), getenv("LC_MESSAGES"), getenv("LANG") };
    const char *locale = "";

    for (size_t i = 0; i < countof(names) && !*locale; i++)
        locale = names[i] ? names[i] : "";
    size_t whole = strcspn(locale, ".@"), language = strcspn(locale, "_.@");

    if (!*locale || !tag.len)
        return 0;
    if (tag.len == whole && memcmp(tag.ptr, locale, whole) == 0)
        return 2;
    return tag.len == language && memcmp(tag.ptr, locale, language) == 0;
}

struct entry_parse {
    struct desktop_entry *entry;
    int name_fits;
    bool application, deleted;
};

static bool is_true(struct str value)
{
    return str_same(value, STR("true"));
}

static void set(char **field, struct str value)
{
    free(*field);
    *field = unescape(value);
}

static void read_pair(struct entry_parse *parse, struct str key, struct str value)
{
    struct desktop_entry *entry = parse->entry;
    const struct {
        struct str key;
        char **field;
    } texts[] = {
        { STR("Name"), &entry->plain },  { STR("Exec"), &entry->exec },
        { STR("Icon"), &entry->icon },   { STR("StartupWMClass"), &entry->wm_class },
        { STR("Path"), &entry->folder }, { STR("TryExec"), &entry->try_exec },
    };

    for (size_t i = 0; i < countof(texts); i++) {
        if (str_same(key, texts[i].key))
            set(texts[i].field, value);
    }
    if (str_same(key, STR("Type")))
        parse->application = str_same(value, STR("Application"));
    else if (str_same(key, STR("Hidden")))
        parse->deleted = is_true(value);
    else if (str_same(key, STR("NoDisplay")))
        entry->hidden = is_true(value);
    else if (str_same(key, STR("Terminal")))
        entry->terminal = is_true(value);
    else if (key.len > 6 && memcmp(key.ptr, "Name[", 5) == 0) {
        int fits = language_fits((struct str){ key.ptr + 5, key.len - 6 });

        if (fits > parse->name_fits) {
            parse->name_fits = fits;
            set(&entry->name, value);
        }
    }
}

static struct str trim(const char *ptr, size_t len)
{
    while (len && (*ptr == ' ' || *ptr == '\t')) {
        ptr++;
        len--;
    }
    while (len && (ptr[len - 1] == ' ' || ptr[len - 1] == '\t' || ptr[len - 1] == '\r'))
        len--;
    return (struct str){ ptr, len };
}

/* Reads the lines. Only the group [Desktop Entry] is used. */
static void read_lines(struct entry_parse *parse, struct str text)
{
    const char *at = text.ptr, *end = text.ptr + text.len;
    bool ours = false;

    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t len = (size_t)((stop ? stop : end) - at);
        const char *equal = memchr(at, '=', len);

        if (len && *at == '[')
            ours = str_same(trim(at, len), STR("[Desktop Entry]"));
        else if (ours && len && *at != '#' && equal)
            read_pair(parse, trim(at, (size_t)(equal - at)),
                      trim(equal + 1, len - (size_t)(equal + 1 - at)));
        at = stop ? stop + 1 : end;
    }
}

char *entry_text(const struct desktop_entry *entry)
{
    struct buf text = { 0 }, kept = { 0 }, out = { 0 };
    const char *at, *end;

    if (file_read_all(entry->file, ENTRY_FILE_MAX, &text, NULL)) {
        for (at = text.data, end = at + text.len; at < end;) {
            const char *stop = memchr(at, '\n', (size_t)(end - at));
            size_t len = (size_t)((stop ? stop : end) - at);
            const char *equal = memchr(at, '=', len), *tag = memchr(at, '[', len);

            if (len && *at != '#' &&
                (*at == '[' || !tag || !equal || tag > equal ||
                 language_fits((struct str){ tag + 1, strcspn(tag + 1, "]=") })))
                buf_addf(&kept, "%.*s\n", (int)len, at);
            at = stop ? stop + 1 : end;
        }
    }
    utf8_clean(&out, kept.data, kept.len);
    buf_free(&text);
    buf_free(&kept);
    return buf_take(&out);
}

static void entry_complete(struct desktop_entry *entry)
{
    char **const fields[] = { &entry->plain,    &entry->exec,   &entry->icon,
                              &entry->wm_class, &entry->folder, &entry->try_exec };

    for (size_t i = 0; i < countof(fields); i++) {
        if (!*fields[i])
            *fields[i] = mem_strdup("");
    }
    if (!entry->name)
        entry->name = mem_strdup(entry->plain);
}

/* A file that is not an application, or is deleted, still hides one of the same id further down. */
static void read_file(struct entries *entries, const char *path, const char *id)
{
    struct desktop_entry *entry;
    struct buf text = { 0 };

    for (size_t i = 0; i < entries->count; i++) {
        if (strcmp(entries->items[i].id, id) == 0)
            return;
    }
    if (entries->count >= ENTRIES_MAX || !file_read_all(path, ENTRY_FILE_MAX, &text, NULL))
        return;
    entries->items = mem_resize(entries->items, sizeof *entries->items * (entries->count + 1));
    entry = &entries->items[entries->count++];
    *entry = (struct desktop_entry){ .id = mem_strdup(id), .file = mem_strdup(path) };
    struct entry_parse parse = { .entry = entry };
    read_lines(&parse, buf_str(&text));
    entry_complete(entry);
    if (!parse.application || parse.deleted)
        entry->exec[0] = '\0';
    buf_free(&text);
}

/* "folder/x.desktop" has the id "folder-x". */
static void read_folder(struct entries *entries, const char *path, const char *prefix, int depth)
{
    DIR *folder = opendir(path);
    struct dirent *item;

    while (folder && (item = readdir(folder))) {
        size_t len = strlen(item->d_name);
        char *inner;
        struct stat info;

        if (item->d_name[0] == '.')
            continue;
        inner = path_join(path, item->d_name);
        if (len > 8 && strcmp(item->d_name + len - 8, ".desktop") == 0) {
            char *id = mem_printf("%s%.*s", prefix, (int)(len - 8), item->d_name);

            read_file(entries, inner, id);
            free(id);
        } else if (depth < FOLDER_DEPTH_MAX && stat(inner, &info) == 0 && S_ISDIR(info.st_mode)) {
            char *below = mem_printf("%s%s-", prefix, item->d_name);

            read_folder(entries, inner, below, depth + 1);
            free(below);
        }
        free(inner);
    }
    if (folder)
        closedir(folder);
}

static void read_data_folder(struct entries *entries, const char *folder, size_t len)
{
    char *path;

    if (!len || *folder != '/')
        return;
    path = mem_printf("%.*s/applications", (int)len, folder);
    read_folder(entries, path, "", 0);
    free(path);
}

static void read_all(struct entries *entries)
{
    const char *home = getenv("XDG_DATA_HOME"), *dirs = getenv("XDG_DATA_DIRS");
    char *own = home && *home ? mem_strdup(home) : path_expand_home("~/.local/share");

    read_data_folder(entries, own, strlen(own));
    free(own);
    for (const char *at = dirs && *dirs ? dirs : "/usr/local/share:/usr/share"; *at;) {
        size_t len = strcspn(at, ":");

        read_data_folder(entries, at, len);
        at += len + (at[len] == ':');
    }
    entries->read_at = deadline_now();
}

const struct entries *entries_fresh(struct entries *entries)
{
    bool fresh = entries->read_at && deadline_now() < entries->read_at + FRESH_MS;

    if (!fresh && !entries->pinned) {
        entries_clear(entries);
        read_all(entries);
    }
    return entries;
}

/* --- finding ---------------------------------------------------------------------- */

static bool same(const char *a, const char *b)
{
    return *a && strcasecmp(a, b) == 0;
}

static bool by_id(const struct desktop_entry *entry, const char *name)
{
    size_t len = strlen(name);

    if (len > 8 && strcasecmp(name + len - 8, ".desktop") == 0)
        return strncasecmp(entry->id, name, len - 8) == 0 && !entry->id[len - 8];
    return same(entry->id, name);
}

static bool by_file(const struct desktop_entry *entry, const char *name)
{
    return *name == '/' && strcmp(entry->file, name) == 0;
}

static bool by_name(const struct desktop_entry *entry, const char *name)
{
    return same(entry->name, name) || same(entry->plain, name);
}

static bool by_program(const struct desktop_entry *entry, const char *name)
{
    char *program = entry_program(entry);
    bool is = same(program, name);

    free(program);
    return is;
}

static bool by_class(const struct desktop_entry *entry, const char *name)
{
    const char *dot = strrchr(entry->id, '.');

    return same(entry->wm_class, name) || (dot && same(dot + 1, name));
}

static bool ambiguous(const struct entries *entries, const char *name,
                      bool (*is)(const struct desktop_entry *entry, const char *name),
                      struct error *err)
{
    char list[300] = "";
    size_t used = 0;

    for (size_t i = 0; i < entries->count; i++) {
        const struct desktop_entry *entry = &entries->items[i];

        if (entry->exec[0] && is(entry, name) && used < sizeof list - 1)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s (%s)", used ? ", " : "",
                                     entry->id, entry->name);
    }
    return error_set(err, "app_ambiguous",
                     "\"%.60s\" matches several applications: %s. Use one of these ids", name,
                     list);
}

const struct desktop_entry *entries_find(struct entries *entries, const char *name,
                                         struct error *err)
{
    static bool (*const ways[])(const struct desktop_entry *entry,
                                const char *name) = { by_id, by_file, by_name, by_program,
                                                      by_class };

    entries_fresh(entries);
    for (size_t way = 0; way < countof(ways); way++) {
        const struct desktop_entry *found = NULL;
        size_t shown = 0, all = 0;

        for (size_t i = 0; i < entries->count; i++) {
            const struct desktop_entry *entry = &entries->items[i];

            if (!entry->exec[0] || !ways[way](entry, name))
                continue;
            all++;
            if (!entry->hidden || !found) /* an entry in the menus comes before one that is not */
                found = shown && !entry->hidden ? found : entry;
            shown += !entry->hidden;
        }
        if (shown > 1 || (!shown && all > 1)) {
            ambiguous(entries, name, ways[way], err);
            return NULL;
        }
        if (found)
            return found;
    }
    return NULL;
}

bool entry_owns(const struct desktop_entry *entry, const struct window_info *window)
{
    const char *const names[] = { window->app, window->instance };

    for (size_t i = 0; i < countof(names); i++) {
        if (*names[i] && (same(entry->wm_class, names[i]) || same(entry->id, names[i]) ||
                          by_class(entry, names[i]) || by_program(entry, names[i])))
            return true;
    }
    return false;
}

bool entry_declares(const struct desktop_entry *entry, const struct window_info *window)
{
    return same(entry->wm_class, window->app) || same(entry->wm_class, window->instance);
}

bool entry_is_plain(const struct desktop_entry *entry)
{
    const char *at = strchr(entry->exec, ' ');

    for (; at; at = strchr(at, ' ')) {
        at += strspn(at, " ");
        if (*at && *at != '%')
            return false;
    }
    return true;
}

/* How surely a window belongs to an entry; 0: it does not. One program may have several entries and
 * name its windows by each (an office), so a window's own word counts more than the program that
 * shows it. */
static int entry_fit(const struct desktop_entry *entry, const struct window_info *window,
                     const char *program)
{
    const char *const names[] = { window->app, window->instance };
    int best = 0;

    for (size_t i = 0; i < countof(names); i++) {
        const char *name = names[i];
        bool foreign = *entry->wm_class && !same(entry->wm_class, name);
        int rank = 0;

        if (!*name)
            continue;
        if (strcmp(entry->wm_class, name) == 0)
            rank = 6;
        else if (same(entry->wm_class, name))
            rank = 5;
        else if (same(entry->id, name))
            rank = 4;
        else if (by_class(entry, name))
            rank = 3;
        else if (by_program(entry, name))
            rank = foreign ? 1 : 2;
        best = rank > best ? rank : best;
    }
    return !best && *program && by_program(entry, program) ? 1 : best;
}

const struct desktop_entry *entries_of_window(struct entries *entries,
                                              const struct window_info *window, const char *program)
{
    enum { BY_PROGRAM = 2 };
    const struct desktop_entry *best = NULL;
    bool several = false;
    int most = 0;

    entries_fresh(entries);
    for (size_t i = 0; i < entries->count; i++) {
        const struct desktop_entry *entry = &entries->items[i];
        int rank = entry->exec[0] ? entry_fit(entry, window, program) * 4 : 0;

        if (!rank)
            continue;
        rank += (entry->hidden ? 0 : 2) + entry_is_plain(entry);
        several = rank == most || (several && rank < most);
        if (rank > most) {
            best = entry;
            most = rank;
        }
    }
    return several && most / 4 <= BY_PROGRAM ? NULL : best;
}
