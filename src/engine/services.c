/* The manager is Lua that runs until the engine ends. */
#include "engine/services.h"

#include "base/log.h"
#include "registry/registry.h"
#include "sys/shared/script.h"
#include "sys/task/signal.h"

#define RELOADED "engine.reloaded" /* lua/lib/services/manager.lua awaits it */

static void on_ended(void *arg, struct task *task, enum task_end end, int nresults)
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
        .name = "services", .text = text, .len = sizeof text - 1, .ended = on_ended
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
