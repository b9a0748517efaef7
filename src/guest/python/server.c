#include "guest/python/server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/module.h"
#include "base/util.h"
#include "files/paths.h"
#include "guest/jail/jail.h"
#include "guest/jail/limits.h"
#include "guest/jail/namespaces.h"
#include "guest/python/find.h"
#include "guest/python/root.h"

enum { VARIABLES_MAX = 16, CONTROL_FD = 3 };

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "perigee: python: %s: %s\n", what, why);
    return EXIT_FAILURE;
}

static void add_path(struct python *python, const char *path)
{
    if (python->count < PYTHON_PATHS_MAX)
        python->paths[python->count++] = mem_strdup(path);
}

/* A path on each line. */
static char *list_reads(const struct python *python)
{
    struct buf list = { 0 };

    for (size_t i = 0; i < python->count; i++)
        buf_addf(&list, "%s%s", i ? "\n" : "", python->paths[i]);
    return buf_take(&list);
}

/* The interpreter's whole environment: no token, no key. Libraries of numbers would start threads,
 * which a fork does not have. The runner sets the folders for each guest. */
static void make_environment(char *env[VARIABLES_MAX], unsigned layers, const char *reads)
{
    const char *zone = getenv("TZ");
    const char *box = layers & JAIL_NAMESPACES ? "/box" : "/tmp";
    size_t n = 0;

    env[n++] = mem_strdup("LC_ALL=C.UTF-8");
    env[n++] = mem_strdup("LOGNAME=user"); /* else getpass asks for the user's entry */
    env[n++] = mem_strdup("OPENBLAS_NUM_THREADS=1");
    env[n++] = mem_strdup("OMP_NUM_THREADS=1");
    env[n++] = mem_strdup("MKL_NUM_THREADS=1");
    env[n++] = mem_strdup("MPLBACKEND=agg");
    env[n++] = mem_printf("MPLCONFIGDIR=%s/.mpl", box);
    env[n++] = mem_printf("HOME=%s", box);
    env[n++] = mem_printf("TMPDIR=%s", box);
    env[n++] = mem_printf("TZ=%s", zone ? zone : ":/etc/localtime");
    env[n++] = mem_printf("PERIGEE_PYTHON_LAYERS=%u", layers);
    env[n++] = mem_printf("PERIGEE_PYTHON_READS=%s", reads);
    env[n] = NULL;
}

/* Enters the layers that the interpreter inherits. */
static unsigned enter_layers(const struct python *python)
{
    if (!namespaces_enter(true))
        return 0;
    return root_enter(python->paths, python->count) ? JAIL_NAMESPACES : 0;
}

int python_server_main(char *const *words)
{
    char *lua = path_shipped_lua(), *module = module_path("python_jail");
    char *env[VARIABLES_MAX], *runner, *scripts, *reads;
    struct python python;
    unsigned layers;
    struct error err;

    if (!words[0] || !python_find(words[0], &python, &err))
        return fail(words[0] ? words[0] : "no interpreter", words[0] ? err.text : "name one");
    if (!lua || !module)
        return fail("the program is not complete", "its Lua folder or python_jail.so is missing");
    scripts = mem_printf("%s/scripts/python", lua);
    runner = mem_printf("%s/runner.py", scripts);
    add_path(&python, scripts);
    add_path(&python, module);
    if (*python.note)
        fail(python.program, python.note);
    limits_close_above(CONTROL_FD);
    reads = list_reads(&python);
    layers = enter_layers(&python);
    make_environment(env, layers, reads);
    char *const arguments[] = { python.program,   (char[]){ "-I" }, (char[]){ "-S" },
                                (char[]){ "-B" }, runner,           (char[]){ "--jail" },
                                module,           words[1],         NULL };
    execve(python.program, arguments, env);
    return fail(python.program, strerror(errno));
}
