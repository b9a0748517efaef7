/* sys.events.idle -- for how long keyboard and pointer have rested. */
#include "sys/events/idle.h"

#include "platform/watch.h"
#include "sys/shared/thread_call.h"

struct idle_call {
    struct thread_call call;
    uint64_t ms;
};

static bool idle_run(struct thread_call *call, struct error *err)
{
    struct idle_call *self = container_of(call, struct idle_call, call);

    if (!call->ops->watch || !call->ops->watch->idle)
        return error_set(err, "not_supported",
                         "this desktop does not tell for how long it has not been used");
    return call->ops->watch->idle(call->desktop, call->deadline, &self->ms, err);
}

static int idle_push(lua_State *L, struct thread_call *call)
{
    lua_pushnumber(L, (double)container_of(call, struct idle_call, call)->ms / 1000);
    return 1;
}

int events_idle(lua_State *L)
{
    static const char *const options[] = { "timeout", NULL };
    struct idle_call *self;

    desktop_check_options(L, 1, options);
    self = thread_call_new(L, sizeof *self, NULL);
    self->call.queue = QUEUE_QUERY;
    self->call.run = idle_run;
    self->call.push = idle_push;
    return thread_call_on_desktop(L, &self->call, 1, DESKTOP_TIMEOUT_S);
}
