/* Looks for folders; a relative path is never tried, so nothing is loaded from
 * the working directory by accident. */
#include "files/paths.h"

#include <ctype.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/module.h"
#include "files/file.h"
#include "files/trust.h"

enum { DOTENV_BYTES = 64 * 1024 };

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static char *set_folder(const char *variable)
{
    const char *value = getenv(variable);

    return value && *value == '/' ? mem_strdup(value) : NULL;
}

static char *home_folder(void)
{
    const char *home = getenv("HOME");
    struct passwd *user;

    if (home && *home == '/')
        return mem_strdup(home);
    user = getpwuid(getuid());
    return mem_strdup(user && user->pw_dir ? user->pw_dir : "/");
}

/* base[/..]*N/tail, if it holds tools/; NULL otherwise. */
static char *try_lua(const char *folder, int up, const char *tail)
{
    char *base = mem_strdup(folder);
    char *lua, *tools;
    bool there;

    while (up-- > 0) {
        char *slash = strrchr(base, '/');

        if (slash)
            *slash = '\0';
    }
    lua = mem_printf("%s/%s", base, tail);
    tools = mem_printf("%s/tools", lua);
    there = is_folder(tools);
    free(tools);
    free(base);
    if (there)
        return lua;
    free(lua);
    return NULL;
}

char *path_shipped_lua(void)
{
    char *lua = set_folder("PERIGEE_LUA");
    const char *program = module_executable();

    if (!lua)
        lua = try_lua(program, 2, "share/perigee/lua"); /* PREFIX/bin/perigee */
    if (!lua)
        lua = try_lua(program, 2, "Resources/lua"); /* Perigee.app/Contents/MacOS/perigee */
    for (int up = 2; !lua && up <= 5; up++)         /* build/perigee, build/asan/tests/c/x_test */
        lua = try_lua(program, up, "lua");
    return lua;
}

/* BASE/perigee with the base that the variable names, else HOME/within/perigee. */
static char *base_folder(const char *variable, const char *within)
{
    char *base = set_folder(variable), *home, *path;

    if (base) {
        path = mem_printf("%s/perigee", base);
        free(base);
        return path;
    }
    home = home_folder();
    path = mem_printf("%s/%s/perigee", home, within);
    free(home);
    return path;
}

#ifdef __APPLE__
#define STATE "Library/Application Support"
#define CACHE "Library/Caches"
#else
#define STATE ".local/state"
#define CACHE ".cache"
#endif

char *path_user_home(void)
{
    char *path = set_folder("PERIGEE_HOME");

    return path ? path : base_folder("XDG_CONFIG_HOME", ".config");
}

char *path_state(void)
{
    return base_folder("XDG_STATE_HOME", STATE);
}

char *path_cache(void)
{
    return base_folder("XDG_CACHE_HOME", CACHE);
}

/* --- .env ---------------------------------------------------------------------- */

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

static void take_env_line(char *line)
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
    if (!*name || !*value)
        return;
    log_add_secret(value);
    setenv(name, value, 0); /* a variable that is set already wins */
}

void path_load_dotenv(void)
{
    char *home = path_user_home();
    char *path = mem_printf("%s/.env", home);
    struct buf text = { 0 };
    char *next, *save = NULL;
    struct error err;

    if (trust_read(path, TRUST_RULES, DOTENV_BYTES, &text, &err)) {
        char *copy = buf_take(&text);
        size_t mark = strncmp(copy, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* some editors add it */

        for (next = strtok_r(copy + mark, "\n", &save); next; next = strtok_r(NULL, "\n", &save))
            take_env_line(next);
        free(copy);
    } else if (strcmp(err.code, "insecure") == 0) {
        log_line(LOG_ERROR, "%s", err.text);
    }
    buf_free(&text);
    free(path);
    free(home);
}
