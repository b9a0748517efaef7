#include "guest/launch.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/module.h"
#include "base/util.h"
#include "guest/control.h"
#include "process/process.h"

enum { PASSED_ENV_MAX = 10, WORDS_MAX = 8 };

/* The variables that the server needs, and no others: no token, no key. */
static void make_environment(char *env[PASSED_ENV_MAX])
{
    static const char *const kept[] = { "PERIGEE_MODULES", "PERIGEE_LUA",   "PATH",
                                        "ASAN_OPTIONS",    "UBSAN_OPTIONS", "LSAN_OPTIONS" };
    const char *zone = getenv("TZ");
    size_t n = 0;

    env[n++] = mem_strdup("LC_ALL=C");
    env[n++] = mem_strdup("LD_BIND_NOW=1"); /* else each guest would resolve the symbols again */
    /* A time zone that is named is not looked for again (tzset(3)). */
    env[n++] = mem_printf("TZ=%s", zone ? zone : ":/etc/localtime");
    for (size_t i = 0; i < countof(kept); i++) {
        if (getenv(kept[i]))
            env[n++] = mem_printf("%s=%s", kept[i], getenv(kept[i]));
    }
    env[n] = NULL;
}

int launch_server(uv_loop_t *loop, uv_process_t *process, const char *const *words, int socket,
                  uv_exit_cb ended)
{
    uv_stdio_container_t io[CONTROL_FD + 1] = {
        { .flags = UV_IGNORE },
        { .flags = UV_IGNORE },
        { .flags = UV_INHERIT_FD, .data.fd = STDERR_FILENO },
        { .flags = UV_INHERIT_FD, .data.fd = socket },
    };
    char *args[WORDS_MAX + 2] = { (char *)(uintptr_t)module_executable() };
    char *env[PASSED_ENV_MAX];
    uv_process_options_t options = { .exit_cb = ended,
                                     .file = args[0],
                                     .args = args,
                                     .env = env,
                                     .cwd = "/",
                                     .flags = UV_PROCESS_DETACHED,
                                     .stdio_count = countof(io),
                                     .stdio = io };
    int rc;

    for (size_t i = 0; i < WORDS_MAX && words[i]; i++)
        args[i + 1] = (char *)(uintptr_t)words[i];
    make_environment(env);
    process_prepare_signals();
    rc = uv_spawn(loop, process, &options);
    for (size_t i = 0; env[i]; i++)
        free(env[i]);
    return rc;
}
