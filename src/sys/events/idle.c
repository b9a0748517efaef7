/* sys.events.idle -- for how long keyboard and pointer have rested. */
#include "sys/events/idle.h"

#include "platform/watch.h"
#include "sys/shared/desktop_call.h"

struct idle_call {
    struct desktop_call call;
    uint64_t ms;
};

static bool idle_run(struct desktop_call *call, const struct platform_ops *ops,
                     struct desktop *desktop, struct deadline *deadline, struct error *err)
{
    struct idle_call *self = container_of(call, struct idle_call, call);

    if (!ops->watch || !ops->watch->idle)
        return error_set(err, "not_supported",
                         "this desktop does not tell for how long it has not been used");
    return ops->watch->idle(desktop, deadline, &self->ms, err);
}

static int idle_push(lua_State *L, struct desktop_call *call)
{
    lua_pushnumber(L, (double)container_of(call, struct idle_call, call)->ms / 1000);
    return 1;
}

int events_idle(lua_State *L)
{
    static const char *const options[] = { "timeout", NULL };
    struct idle_call *self;

    desktop_check_options(L, 1, options);
    self = desktop_call_new(L, sizeof *self);
    self->call.queue = QUEUE_QUERY;
    self->call.run = idle_run;
    self->call.push = idle_push;
    return desktop_call_start(L, 1, DESKTOP_TIMEOUT_S);
}
