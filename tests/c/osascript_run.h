/* sys.osascript over a stand-in for the program, a shell script, that PERIGEE_OSASCRIPT names. */
#ifndef PERIGEE_TESTS_OSASCRIPT_RUN_H
#define PERIGEE_TESTS_OSASCRIPT_RUN_H

#include "io_help.h"
#include "lua_run.h"

#include "platform/osascript/osascript.h"

#define O "local osascript = require 'sys.osascript' "

static char *folder;
static struct osa_helper *helper;

static inline char *find_script(void *arg, const char *name)
{
    char *path = mem_printf("%s/%s", folder, name);

    (void)arg;
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* Makes a program at folder/NAME. */
static inline char *make_program(const char *name, const char *text)
{
    char *path = mem_printf("%s/%s", folder, name);
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", text);
    fclose(file);
    assert_int_equal(chmod(path, 0700), 0);
    return path;
}

/* Sets the program that stands in for osascript from now on. */
static inline void stand_in(const char *text)
{
    char *path = make_program("osascript", text);

    setenv("PERIGEE_OSASCRIPT", path, 1);
    free(path);
}

static inline int setup(void **state)
{
    static const struct sys_scripts scripts = { find_script, NULL };
    struct lua *lua;

    lua_setup(state);
    lua = *state;
    folder = temp_make();
    free(make_program("s.applescript", ""));
    vm_set_service(lua->vm, &sys_scripts_key, (void *)(uintptr_t)&scripts);
    unsetenv("PERIGEE_OSA_HELPER");
    helper = osa_helper_new(&lua->loop);
    vm_set_service(lua->vm, &sys_helper_key, helper);
    return 0;
}

static inline int teardown(void **state)
{
    osa_helper_free(helper);
    lua_teardown(state);
    temp_remove(folder);
    free(folder);
    return 0;
}

/* Checks that cancelling ends the process that runs the script, which opens $LINE for writing. */
static inline void cancelling_ends(struct lua *lua, const char *source)
{
    struct lifeline line;
    struct job job;

    lifeline_open(&line);
    setenv("LINE", line.path, 1);
    job_start(lua, &job, 0, source);
    while (!lifeline_alive(&line)) {
        uv_run(&lua->loop, UV_RUN_NOWAIT);
        uv_sleep(1);
    }
    task_cancel(job.task);
    lifeline_await_end(&line);
    lifeline_close(&line);
    job_free(&job);
}

#define OSA_CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
