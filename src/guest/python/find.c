#include "guest/python/find.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"

/* Paths of the system that an interpreter or its libraries read: the loader's, time zones, fonts,
 * and Debian's packages. */
static const char *const common[] = {
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/usr/share/fonts",
    "/usr/share/matplotlib",
    "/etc/matplotlibrc",
    "/dev/null",
    "/dev/urandom",
};

static void add_path(struct python *python, char *path)
{
    if (python->count < PYTHON_PATHS_MAX)
        python->paths[python->count++] = path;
    else
        free(path);
}

/* Adds what fits the pattern, and returns its number; `first` gets the first of them (or NULL). */
static size_t add_matches(struct python *python, char *pattern, char **first)
{
    glob_t found = { 0 };
    size_t count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;

    for (size_t i = 0; i < count && !first; i++)
        add_path(python, mem_strdup(found.gl_pathv[i]));
    if (first)
        *first = count ? mem_strdup(found.gl_pathv[0]) : NULL;
    globfree(&found);
    free(pattern);
    return count;
}

/* The directory that is so many levels up; "" is the root's. */
static char *parent(const char *path, int levels)
{
    char *up = mem_strdup(path ? path : ""), *slash;

    while (levels-- > 0 && (slash = strrchr(up, '/')))
        *slash = '\0';
    return up;
}

static bool is_script(const char *path)
{
    char head[2] = "";
    FILE *file = fopen(path, "re");
    bool script = file && fread(head, 1, 2, file) == 2 && head[0] == '#' && head[1] == '!';

    if (file)
        fclose(file);
    return script;
}

/* The first program with the name on PATH; scripts such as pyenv's are passed over. */
static char *on_path(const char *name)
{
    const char *at = getenv("PATH");
    char *found = NULL;

    for (at = at ? at : "/usr/local/bin:/usr/bin:/bin"; !found && *at; at += *at == ':') {
        size_t len = strcspn(at, ":");

        found = mem_printf("%.*s/%s", (int)len, at, name);
        if (*found != '/' || access(found, X_OK) != 0 || is_script(found)) {
            free(found);
            found = NULL;
        }
        at += len;
    }
    return found;
}

static bool find_program(const char *interpreter, struct python *out, struct error *err)
{
    out->program = strchr(interpreter, '/') ? mem_strdup(interpreter) : on_path(interpreter);
    if (!out->program)
        return error_set(err, "no_interpreter",
                         "no program \"%s\" is on PATH, or only a script. Install Python 3.9 or "
                         "later",
                         interpreter);
    if (*out->program != '/' || access(out->program, X_OK) != 0)
        return error_set(err, "no_interpreter",
                         "%s is not the absolute path of a program. Configure another interpreter",
                         out->program);
    if (is_script(out->program))
        return error_set(err, "no_interpreter",
                         "%s is a script that starts an interpreter, and only the interpreter "
                         "itself can be shut in. Configure its path, which `pyenv which python3` "
                         "or sys.executable tells",
                         out->program);
    return true;
}

/* The value of `home` in pyvenv.cfg: the directory of the interpreter that it is made from. */
static char *read_home(const char *config)
{
    char line[1100], value[1000], *home = NULL;
    FILE *file = fopen(config, "re");

    while (file && !home && fgets(line, sizeof line, file)) {
        if (sscanf(line, " home = %999[^\n]", value) == 1)
            home = mem_strdup(value);
    }
    if (file)
        fclose(file);
    return home;
}

/* Adds the libraries below a prefix. False: no standard library is there. */
static bool add_prefix(struct python *python, const char *prefix)
{
    char *standard;

    add_path(python, mem_printf("%s/lib", prefix));
    add_path(python, mem_printf("%s/lib64", prefix));
    if (strcmp(prefix, "/usr") == 0)
        add_matches(python, mem_strdup("/usr/local/lib/python3*"), NULL);
    add_matches(python, mem_printf("%s/lib*/python3.*/os.py", prefix), &standard);
    free(standard);
    return standard != NULL;
}

/* Packages in editable mode are links to places that guests do not see. */
static void note_editable(struct python *python, const char *prefix)
{
    char *first, *pattern = mem_printf("%s/lib/python3*/*-packages/__editable__*.pth", prefix);
    size_t count = add_matches(python, pattern, &first);

    if (first)
        snprintf(python->note, sizeof python->note,
                 "%zu packages of %.100s are installed in editable mode (the first: %.80s). Python "
                 "scripts cannot import them: install them without -e",
                 count, prefix, strrchr(first, '/') + 1);
    free(first);
}

/* Adds the prefix of a virtual environment, and that of the interpreter it is made from. A program
 * that is none becomes its real path, since links on the way to it are not there for guests. */
static bool add_prefixes(struct python *python)
{
    char *real = realpath(python->program, NULL), *base = parent(real, 2);
    char *own = parent(python->program, 2), *config = mem_printf("%s/pyvenv.cfg", own);
    char *home = read_home(config), *above = parent(home, 1);
    bool standard = add_prefix(python, base);

    note_editable(python, own);
    if (home) {
        add_path(python, config);
        add_prefix(python, own);
        standard = add_prefix(python, above) || standard;
    } else {
        free(config);
        free(python->program);
        python->program = mem_strdup(real ? real : "");
    }
    add_path(python, mem_strdup(python->program));
    free(own);
    free(real);
    free(base);
    free(home);
    free(above);
    return standard;
}

bool python_find(const char *interpreter, struct python *out, struct error *err)
{
    *out = (struct python){ 0 };
    if (!find_program(interpreter, out, err))
        return false;
    if (!add_prefixes(out))
        return error_set(err, "no_interpreter",
                         "the standard library of %s was not found: there is no "
                         "lib/python3.*/os.py above the program. Configure another interpreter",
                         out->program);
    for (size_t i = 0; i < countof(common); i++)
        add_path(out, mem_strdup(common[i]));
    return true;
}

void python_free(struct python *python)
{
    free(python->program);
    for (size_t i = 0; i < python->count; i++)
        free(python->paths[i]);
    *python = (struct python){ 0 };
}
