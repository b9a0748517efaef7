/* The manager is Lua that runs until the engine ends. */
#include "engine/services.h"

#include <uv.h>

#include "base/log.h"
#include "base/timer.h"
#include "registry/registry.h"
#include "sys/shared/script.h"
#include "sys/task/signal.h"

#define RELOADED "engine.reloaded" /* lua/lib/services/manager.lua awaits it */

static void on_services_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct error err;

    (void)arg;
    (void)nresults;
    if (end != TASK_FAILED)
        return;
    task_error(task, &err, NULL);
    log_error("services are not looked after any more: %s", err.text);
}

bool services_start(struct registry *registry, struct error *err)
{
    static const char text[] = "require('services.manager').run()";
    struct script_spec spec = {
        .name = "services", .text = text, .len = sizeof text - 1, .ended = on_services_ended
    };

    return script_run(registry, vm_lua(registry_vm(registry)), 0, &spec, err) || !err->code[0];
}

static int signal_reloaded(lua_State *L)
{
    lua_settop(L, 0);
    lua_pushliteral(L, RELOADED);
    return task_signal(L);
}

void services_reloaded(struct registry *registry)
{
    struct error err;

    if (!vm_run(registry_vm(registry), signal_reloaded, NULL, &err))
        log_warn("services do not know of the change: %s", err.text);
}

/* --- the end ----------------------------------------------------------------------------- */

struct ending {
    bool done, late;
};

static void on_finished(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct ending *ending = arg;
    struct error err;

    (void)nresults;
    ending->done = true;
    if (end == TASK_FAILED) {
        task_error(task, &err, NULL);
        log_error("services are not stopped: %s", err.text);
    }
}

static void on_ending_late(void *arg)
{
    ((struct ending *)arg)->late = true;
}

void services_end(struct registry *registry, uint64_t ms)
{
    static const char text[] = "require('services.manager').finish()";
    struct ending ending = { .done = false };
    struct script_spec spec = { .name = "the end of the services",
                                .text = text,
                                .len = sizeof text - 1,
                                .ended = on_finished,
                                .arg = &ending };
    uv_loop_t *loop = vm_loop(registry_vm(registry));
    struct timer *timer = timer_after(loop, ms, on_ending_late, &ending);
    struct error err;
    struct script *script = script_run(registry, vm_lua(registry_vm(registry)), 0, &spec, &err);

    while (script && !ending.done && !ending.late)
        uv_run(loop, UV_RUN_ONCE);
    if (script && !ending.done) {
        log_warn("stop() of services was given %d ms, and is ended now", (int)ms);
        script_cancel(script);
    }
    if (!ending.late)
        timer_forget(timer);
}
