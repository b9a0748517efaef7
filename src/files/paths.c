/* Looks for folders; a relative path is never tried, so nothing is loaded from
 * the working directory by accident. */
#include "files/paths.h"

#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/module.h"

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
