/* Reading .env: the user's, and that of the working directory. */
#include "files/dotenv.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "files/file.h"
#include "files/paths.h"
#include "files/trust.h"

enum { DOTENV_BYTES = 64 * 1024, NAMES_SHOWN = 400 };

/* May it be set by a file of the working directory, and is its value a secret? */
struct setting {
    const char *name;
    bool secret;
};

static const struct setting settings[] = {
    { "GEMINI_API_KEY", true },         { "OPENAI_API_KEY", true },
    { "ANTHROPIC_API_KEY", true },      { "LOG_LEVEL", false },
    { "SCREENSHOT_PATH", false },       { "KEYNOTE_THEME", false },
    { "KEYNOTE_DOCUMENT_MODE", false },
};

/* Names that look as if they were meant for this program. */
static const char *const prefixes[] = { "PERIGEE_", "PEEKABOO_",  "KEYNOTE_", "GEMINI_",
                                        "OPENAI_",  "ANTHROPIC_", "OLLAMA_" };

static struct dotenv here;
static struct buf taken, ignored; /* its names */

static const struct setting *find_setting(const char *name)
{
    for (size_t i = 0; i < countof(settings); i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

static bool looks_ours(const char *name)
{
    if (name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")])
        return false; /* it may be anything, and the name will be shown */
    for (size_t i = 0; i < countof(prefixes); i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/* --- one line ----------------------------------------------------------------------- */

static char *trim_text(char *text)
{
    char *end;

    while (isspace((unsigned char)*text))
        text++;
    end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return text;
}

/* The value without its quotes, or up to a comment. */
static char *unquote_value(char *value)
{
    size_t len = strlen(value);
    char *comment;

    if (len >= 2 && (*value == '"' || *value == '\'')) {
        char *end = strchr(value + 1, *value);

        if (end) {
            *end = '\0';
            return value + 1;
        }
    }
    comment = strstr(value, " #");
    if (comment)
        *comment = '\0';
    return trim_text(value);
}

typedef void take_fn(const char *name, const char *value);

static void take_line(char *line, take_fn *take)
{
    char *equals, *name, *value;

    line = trim_text(line);
    if (strncmp(line, "export ", 7) == 0)
        line = trim_text(line + 7);
    equals = strchr(line, '=');
    if (!*line || *line == '#' || !equals)
        return;
    *equals = '\0';
    name = trim_text(line);
    value = unquote_value(trim_text(equals + 1));
    if (*name && *value)
        take(name, value);
}

static bool take_file(const char *path, enum trust trust, take_fn *take, struct error *err)
{
    struct buf text = { 0 };
    char *next, *save = NULL;
    bool ok = trust_read(path, trust, DOTENV_BYTES, &text, err);

    if (ok) {
        char *copy = buf_take(&text);
        size_t mark = strncmp(copy, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* some editors add it */

        for (next = strtok_r(copy + mark, "\n", &save); next; next = strtok_r(NULL, "\n", &save))
            take_line(next, take);
        free(copy);
    }
    buf_free(&text);
    return ok;
}

/* --- the user's file ------------------------------------------------------------------ */

static void take_users(const char *name, const char *value)
{
    const struct setting *setting = find_setting(name);

    if (!setting || setting->secret)
        log_add_secret(value);
    setenv(name, value, 0); /* a variable that is set already wins */
}

static void load_users(const char *path)
{
    struct error err;

    if (!take_file(path, TRUST_RULES, take_users, &err) && strcmp(err.code, "insecure") == 0)
        log_line(LOG_ERROR, "%s", err.text);
}

/* --- the working directory's ------------------------------------------------------------ */

/* Names, each behind a comma, for the engines that this program starts: they get the values as
 * variables, and perhaps another working directory. */
#define OF_DIRECTORY "PERIGEE_OF_DIRECTORY"

static void note_of_directory(const char *name)
{
    const char *before = getenv(OF_DIRECTORY);
    char *names = mem_printf("%s,%s", before ? before : "", name);

    setenv(OF_DIRECTORY, names, 1);
    free(names);
}

bool dotenv_of_directory(const char *name)
{
    const char *at = getenv(OF_DIRECTORY);
    size_t len = strlen(name);

    while (at && (at = strchr(at, ',')))
        if (strncmp(++at, name, len) == 0 && strchr(",", at[len]))
            return true;
    return false;
}

static void add_name(struct buf *list, const char *name)
{
    if (list->len < NAMES_SHOWN)
        buf_addf(list, "%s%.60s", list->len ? ", " : "", name);
}

static void take_here(const char *name, const char *value)
{
    const struct setting *setting = find_setting(name);

    if (!setting) {
        if (looks_ours(name))
            add_name(&ignored, name);
        return;
    }
    if (getenv(name))
        return;
    if (setting->secret)
        log_add_secret(value);
    setenv(name, value, 0);
    note_of_directory(name);
    add_name(&taken, name);
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;

    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static void load_here(const char *users)
{
    char *folder = access(".env", F_OK) == 0 && !same_file(".env", users) ? getcwd(NULL, 0) : NULL;
    struct error err;

    if (!folder)
        return;
    here.path = mem_printf("%s/.env", strcmp(folder, "/") == 0 ? "" : folder);
    if (!take_file(here.path, TRUST_OWN, take_here, &err))
        here.refused = mem_strdup(err.text);
    here.taken = taken.len ? buf_text(&taken) : NULL;
    here.ignored = ignored.len ? buf_text(&ignored) : NULL;
    free(folder);
}

void dotenv_load(void)
{
    char *home = path_user_home();
    char *path = mem_printf("%s/.env", home);

    load_users(path);
    load_here(path);
    free(path);
    free(home);
}

struct dotenv dotenv_here(void)
{
    return here;
}
