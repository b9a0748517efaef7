/* Running a script for a command. */
#include "cli/running.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/args.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "script/value.h"

static void on_print(void *arg, const char *text, size_t len)
{
    (void)arg;
    fwrite(text, 1, len, stdout);
    putchar('\n');
}

/* --- what it returned --------------------------------------------------------------- */

static int failed_with(const struct running *running, lua_State *L, int index)
{
    size_t len;
    const char *text;

    if (lua_isnoneornil(L, index))
        return EXIT_FAILED;
    text = luaL_tolstring(L, index, &len);
    output_message(running->command, "%s", text);
    return EXIT_FAILED;
}

static int print_value(const struct running *running, lua_State *L, int index)
{
    struct buf json = { 0 };
    struct error err;
    size_t len;
    const char *text;
    int status = EXIT_OK;

    if (!lua_istable(L, index)) {
        text = luaL_tolstring(L, index, &len);
        on_print(NULL, text, len);
    } else if (value_write_json(L, index, &json, &err)) {
        on_print(NULL, json.data, json.len);
    } else {
        output_message(running->command, "the script returned a table that is no JSON: %s",
                       err.text);
        status = EXIT_FAILED;
    }
    buf_free(&json);
    return status;
}

static int read_value(const struct running *running, lua_State *L)
{
    lua_Integer status;

    if (!lua_toboolean(L, 1))
        return lua_gettop(L) == 0 || (lua_isnil(L, 1) && lua_isnoneornil(L, 2))
                   ? EXIT_OK
                   : failed_with(running, L, 2);
    if (lua_isboolean(L, 1))
        return EXIT_OK;
    if (!lua_isinteger(L, 1))
        return print_value(running, L, 1);
    status = lua_tointeger(L, 1);
    if (status >= 0 && status <= 255)
        return (int)status;
    output_message(running->command, "the script returned %lld; an exit status is 0 to 255",
                   (long long)status);
    return EXIT_FAILED;
}

struct reading {
    const struct running *running;
    int status;
};

/* Upvalue: none; 1: the reading, then the results. Protected, since it may allocate. */
static int read_results(lua_State *L)
{
    struct reading *reading = lua_touserdata(L, 1);

    lua_remove(L, 1);
    reading->status = read_value(reading->running, L);
    return 0;
}

static int usual_results(struct running *running, struct task *task, int nresults)
{
    struct reading reading = { running, EXIT_FAILED };
    struct vm *vm = engine_vm(running->job.engine);
    lua_State *L = vm_lua(vm), *from = task_lua(task);
    struct error err;

    if (!lua_checkstack(L, nresults + 8))
        nresults = 0;
    lua_pushcfunction(L, read_results);
    lua_pushlightuserdata(L, &reading);
    lua_xmove(from, L, nresults);
    if (!vm_call(vm, nresults + 1, 0, 0, &err))
        return report_error(running->command, &err);
    return reading.status;
}

/* --- how it ended ----------------------------------------------------------------------- */

static void print_failure(const struct running *running, struct task *task)
{
    char *traceback = NULL;
    struct error err;

    task_error(task, &err, &traceback);
    output_flush(); /* what it printed comes first where both go to one place */
    if (traceback && strcmp(err.code, "memory") != 0)
        output_message(running->command, "%s", traceback);
    else
        report_error(running->command, &err);
    free(traceback);
}

static void on_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct running *running = arg;
    struct error err;

    job_done(&running->job);
    if (end == TASK_DONE) {
        running->status = running->results ? running->results(running->arg, task, nresults)
                                           : usual_results(running, task, nresults);
        return;
    }
    running->status = end == TASK_FAILED ? EXIT_FAILED : job_status(end);
    if (end == TASK_FAILED) {
        print_failure(running, task);
    } else if (end == TASK_TIMED_OUT) {
        task_end_error(task, end, &err);
        output_flush();
        report_error(running->command, &err);
    }
}

static void cancel(struct job *job)
{
    script_cancel(container_of(job, struct running, job)->script);
}

void running_init(struct running *running, struct engine *engine, const char *command)
{
    *running = (struct running){ .command = command };
    job_begin(&running->job, engine, cancel);
}

/* require("perigee").args = { [0] = name, ... } */
void running_push_args(struct running *running, const char *name, int count, char **values)
{
    lua_State *L = vm_lua(engine_vm(running->job.engine));

    vm_push_module(L, "perigee"); /* perigee */
    lua_createtable(L, count, 1); /* perigee, args */
    lua_pushstring(L, name);
    lua_rawseti(L, -2, 0);
    for (int i = 0; i < count; i++) {
        lua_pushstring(L, values[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "args");
    lua_pop(L, 1);
    luaL_checkstack(L, count + 16, "too many arguments");
    for (int i = 0; i < count; i++)
        lua_pushstring(L, values[i]);
    running->nargs += count;
}

int running_run(struct running *running, const struct script_spec *given)
{
    struct engine *engine = running->job.engine;
    struct script_spec spec = { .name = given->name,
                                .text = given->text,
                                .len = given->len,
                                .timeout_ms = given->timeout_ms,
                                .print = on_print,
                                .ended = on_ended,
                                .arg = running };
    struct error err;

    running->script =
        script_run(engine_registry(engine), vm_lua(engine_vm(engine)), running->nargs, &spec, &err);
    if (!running->script && !running->job.done) {
        job_done(&running->job);
        running->status = report_error(running->command, &err);
    }
    job_wait(&running->job);
    return running->status;
}
