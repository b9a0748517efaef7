/* The variables of our environment that other programs get. */
#include "process/environment.h"

#include <stdlib.h>

#include "base/module.h"

extern char **environ;

bool environment_passes(const char *name)
{
    static const char *const whole[] = { "DBUS_SESSION_BUS_ADDRESS",
                                         "DISPLAY",
                                         "HOME",
                                         "LANG",
                                         "LANGUAGE",
                                         "LOGNAME",
                                         "PATH",
                                         "SHELL",
                                         "TERM",
                                         "TMPDIR",
                                         "TZ",
                                         "USER",
                                         "WAYLAND_DISPLAY",
                                         "XAUTHORITY" };
    static const char *const begins[] = { "LC_", "XDG_" };

    for (size_t i = 0; i < countof(whole); i++) {
        if (strcmp(whole[i], name) == 0)
            return true;
    }
    for (size_t i = 0; i < countof(begins); i++) {
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    }
    return false;
}

/* Bytes of "NAME" in "NAME=..."; 0: there is no name. */
static size_t name_length(const char *variable)
{
    const char *equals = strchr(variable, '=');

    return equals ? (size_t)(equals - variable) : 0;
}

static bool list_has_variable(const char *const *list, const char *variable, size_t name)
{
    for (; list && *list; list++) {
        if (strncmp(*list, variable, name + 1) == 0)
            return true;
    }
    return false;
}

/* Old shells exported functions as "() {...": no program wants those. */
static bool variable_passes(const char *variable, const char *const *added, bool ourselves)
{
    size_t len = name_length(variable);
    char *name = mem_strndup(variable, len);
    bool ok = len && (ourselves || environment_passes(name)) &&
              strncmp(variable + len, "=()", 3) != 0 && !list_has_variable(added, variable, len);

    free(name);
    return ok;
}

bool environment_variable_passes(const char *variable)
{
    return variable_passes(variable, NULL, false);
}

/* By its path: one that is looked for on PATH may be another. */
static bool is_own_program(const char *program)
{
    char *path = realpath(program, NULL);
    bool same = path && strcmp(path, module_executable()) == 0;

    free(path);
    return same;
}

char **environment_passed(const char *program, const char *const *added)
{
    bool ourselves = is_own_program(program);
    size_t count = 0, ours = 0, more = 0;
    char **env;

    while (environ[ours])
        ours++;
    while (added && added[more])
        more++;
    env = mem_alloc((ours + more + 1) * sizeof *env);
    for (size_t i = 0; i < ours; i++) {
        if (variable_passes(environ[i], added, ourselves))
            env[count++] = mem_strdup(environ[i]);
    }
    for (size_t i = 0; i < more; i++)
        env[count++] = mem_strdup(added[i]);
    env[count] = NULL;
    return env;
}
