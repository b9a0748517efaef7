#include "guest/python/server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/module.h"
#include "base/util.h"
#include "files/paths.h"
#include "guest/jail/jail.h"
#include "guest/jail/limits.h"
#include "guest/jail/namespaces.h"
#include "guest/python/root.h"

enum { VARIABLES_MAX = 5, CONTROL_FD = 3 };

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "perigee: python: %s: %s\n", what, why);
    return EXIT_FAILURE;
}

/* The interpreter's whole environment: no token, no key. The runner makes that of its guests. */
static void make_environment(char *env[VARIABLES_MAX], unsigned layers, const char *reads)
{
    const char *zone = getenv("TZ");

    env[0] = mem_strdup("LC_ALL=C.UTF-8");
    env[1] = mem_printf("TZ=%s", zone ? zone : ":/etc/localtime");
    env[2] = mem_printf("PERIGEE_PYTHON_LAYERS=%u", layers);
    env[3] = mem_printf("PERIGEE_PYTHON_READS=%s", reads);
    env[4] = NULL;
}

int python_server_main(char *const *words)
{
    char *env[VARIABLES_MAX], *lua, *module, *runner, *reads;
    unsigned layers;

    if (!words[0] || !words[1])
        return fail("arguments", "the interpreter and the paths that it may read are missing");
    lua = path_shipped_lua();
    module = module_path("python_jail");
    if (!lua || !module)
        return fail("the program is not complete", "its Lua folder or python_jail.so is missing");
    runner = mem_printf("%s/scripts/python/runner.py", lua);
    reads = mem_printf("%s\n%s/scripts/python\n%s", words[1], lua, module);
    limits_close_above(CONTROL_FD);
    layers = namespaces_enter(true) && root_enter(reads) ? JAIL_NAMESPACES : 0;
    make_environment(env, layers, reads);
    char *const arguments[] = { words[0],         (char[]){ "-I" }, (char[]){ "-S" },
                                (char[]){ "-B" }, runner,           (char[]){ "--jail" },
                                module,           words[2],         NULL };
    execve(words[0], arguments, env);
    return fail(words[0], strerror(errno));
}
