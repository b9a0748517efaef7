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
    "/usr/local/share/fonts",
    "/usr/share/matplotlib",
    "/etc/matplotlibrc",
    "/dev/null",
    "/dev/urandom",
};

static bool refuse(struct error *err, const char *text, const char *path)
{
    return error_set(err, "no_interpreter", text, path);
}

static void add_path(struct python *python, char *path)
{
    if (python->count < PYTHON_PATHS_MAX)
        python->paths[python->count++] = path;
    else
        free(path);
}

static void add_matches(struct python *python, const char *pattern)
{
    glob_t found;

    if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            add_path(python, mem_strdup(found.gl_pathv[i]));
        globfree(&found);
    }
}

/* The directory of the path, or of that directory; "" is the root's. */
static char *parent(const char *path, int levels)
{
    char *up = mem_strdup(path), *slash;

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

/* ROOT/shims/NAME -> ROOT/versions/VERSION/bin/NAME, with the version that ROOT/version names. */
static char *of_shim(const char *shim)
{
    char *shims = parent(shim, 1), *root = parent(shim, 2), *found = NULL;
    char *path = mem_printf("%s/version", root), version[64] = "";
    FILE *file = strcmp(shims + strlen(root), "/shims") == 0 ? fopen(path, "re") : NULL;

    if (file && fscanf(file, "%63s", version) == 1)
        found = mem_printf("%s/versions/%s/bin/%s", root, version, strrchr(shim, '/') + 1);
    if (file)
        fclose(file);
    if (found && (access(found, X_OK) != 0 || is_script(found))) {
        free(found);
        found = NULL;
    }
    free(path);
    free(shims);
    free(root);
    return found;
}

/* The first program with the name on PATH. */
static char *on_path(const char *name)
{
    const char *at = getenv("PATH");
    char *found = NULL;

    for (at = at ? at : "/usr/local/bin:/usr/bin:/bin"; !found && *at; at += *at == ':') {
        size_t len = strcspn(at, ":");

        found = mem_printf("%.*s/%s", (int)len, at, name);
        if (*found != '/' || access(found, X_OK) != 0) {
            free(found);
            found = NULL;
        }
        at += len;
    }
    return found;
}

static bool find_program(const char *interpreter, struct python *out, struct error *err)
{
    char *shim;

    out->program = strchr(interpreter, '/') ? mem_strdup(interpreter) : on_path(interpreter);
    if (!out->program)
        return refuse(err, "no program \"%s\" is on PATH. Install Python 3.9 or later",
                      interpreter);
    if (*out->program != '/')
        return refuse(err, "the interpreter \"%s\" is not an absolute path", interpreter);
    if (access(out->program, X_OK) != 0)
        return refuse(err, "%s is not there, or is not a program. Configure another interpreter",
                      out->program);
    if (!is_script(out->program))
        return true;
    shim = of_shim(out->program);
    if (!shim)
        return refuse(err,
                      "%s is a script that starts an interpreter, and only the interpreter itself "
                      "can be shut in. Configure the path that it prints for `import sys; "
                      "print(sys.executable)`",
                      out->program);
    free(out->program);
    out->program = shim;
    return true;
}

/* The value of `home` in pyvenv.cfg: the directory of the interpreter that it is made from. */
static char *read_home(const char *config)
{
    char line[PATH_MAX + 64], value[PATH_MAX], *home = NULL;
    FILE *file = fopen(config, "re");

    while (file && !home && fgets(line, sizeof line, file)) {
        if (sscanf(line, " home = %4095[^\n]", value) == 1)
            home = mem_strdup(value);
    }
    if (file)
        fclose(file);
    return home;
}

/* Adds the libraries below a prefix. False: no standard library is there. */
static bool add_prefix(struct python *python, const char *prefix)
{
    static const char *const below[] = { "lib", "lib64" };
    bool standard = false;
    char *pattern;
    glob_t found;

    for (size_t i = 0; i < countof(below); i++) {
        pattern = mem_printf("%s/%s/python3.*/os.py", prefix, below[i]);
        if (glob(pattern, 0, NULL, &found) == 0) {
            standard = true;
            globfree(&found);
        }
        free(pattern);
        add_path(python, mem_printf("%s/%s", prefix, below[i]));
    }
    if (strcmp(prefix, "/usr") == 0)
        add_matches(python, "/usr/local/lib/python3*");
    return standard;
}

/* Packages in editable mode are links to places that guests do not see. */
static void note_editable(struct python *python, const char *prefix)
{
    char *pattern = mem_printf("%s/lib/python3*/*-packages/{__editable__*.pth,*.egg-link}", prefix);
    glob_t found;

#ifdef GLOB_BRACE
    if (glob(pattern, GLOB_BRACE, NULL, &found) == 0) {
        snprintf(python->note, sizeof python->note,
                 "%zu packages of %.100s are installed in editable mode (the first: %.80s). Python "
                 "scripts cannot import them: install them without -e",
                 found.gl_pathc, prefix, strrchr(found.gl_pathv[0], '/') + 1);
        globfree(&found);
    }
#endif
    free(pattern);
}

/* The prefix of a virtual environment, and that of the interpreter it is made from. */
static bool add_prefixes(struct python *python)
{
    char *own = parent(python->program, 2), *config = mem_printf("%s/pyvenv.cfg", own);
    char *real = realpath(python->program, NULL), *base = parent(real ? real : "", 2);
    char *home = read_home(config), *above = parent(home ? home : "", 1);
    bool standard = add_prefix(python, base);

    if (home) {
        add_path(python, mem_strdup(config));
        add_prefix(python, own);
        standard = (strcmp(above, base) != 0 && add_prefix(python, above)) || standard;
    }
    note_editable(python, own);
    add_path(python, mem_strdup(python->program));
    free(own);
    free(config);
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
        return refuse(err,
                      "the standard library of %s was not found: there is no lib/python3.*/os.py "
                      "above the program. Configure another interpreter",
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
