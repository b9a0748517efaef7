/* The desktop service: which desktop, its worker, and the stop. */
#include "sys/shared/desktop_service.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "platform/backends.h"
#include "script/vm.h"

const char desktop_service_key;

struct desktop_service {
    uv_loop_t *loop;
    struct worker *worker;
    const struct platform_ops *ops; /* with the worker */
    void *shared;
    struct gate *gate; /* owned until there is a worker, which owns it then */
};

struct desktop_service *desktop_service_new(uv_loop_t *loop)
{
    struct desktop_service *service = mem_zero(sizeof *service);

    service->loop = loop;
    service->gate = gate_new();
    return service;
}

void desktop_service_free(struct desktop_service *service)
{
    if (!service)
        return;
    if (service->worker)
        worker_free(service->worker);
    else
        gate_free(service->gate);
    if (service->shared)
        service->ops->share_free(service->shared);
    free(service);
}

/* Once there is a worker its threads have the gate: the desktop stays what it is. */
static struct gate *gate_here(struct desktop_service *service)
{
    char *place;

    if (service->worker)
        return service->gate;
    place = platform_place();
    gate_at(service->gate, place);
    free(place);
    return service->gate;
}

/* Stops the desktop for every process. */
static bool mark_stop(struct desktop_service *service, const char *who, struct error *err)
{
    struct gate *gate = gate_here(service);
    char by[96];
    bool ok;

    snprintf(by, sizeof by, "%s (process %d)", who, (int)getpid());
    ok = stop_mark_set(gate_files(gate), by, err);
    gate_stop(gate);
    return ok;
}

static void on_stopped(void *owner)
{
    struct error err;

    log_warn("input was stopped at the keyboard (Ctrl+Alt+Esc). It is refused until you allow it "
             "again with `perigee stop --allow`");
    if (!mark_stop(owner, "Ctrl+Alt+Esc", &err))
        log_error("processes that are started later do not know of the stop: %s", err.text);
}

struct worker *desktop_worker(lua_State *L, struct error *err)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);
    struct worker_options options = { .stopped = on_stopped };

    if (!service) {
        error_set(err, "not_supported", "no desktop is reachable from here");
        return NULL;
    }
    if (service->worker)
        return service->worker;
    service->ops = platform_native(err);
    if (!service->ops)
        return NULL;
    if (service->ops->share_new)
        service->shared = service->ops->share_new();
    options.ops = service->ops;
    options.shared = service->shared;
    options.owner = service;
    options.gate = gate_here(service);
    service->worker = worker_new(service->loop, &options);
    return service->worker;
}

int desktop_service_stop(struct desktop_service *service)
{
    if (service->worker)
        return worker_stop_input(service->worker);
    gate_stop(gate_here(service));
    return 0;
}

void desktop_service_allow(struct desktop_service *service)
{
    gate_allow(service->gate);
}

bool desktop_service_stopped(struct desktop_service *service, struct error *err)
{
    return gate_stopped(gate_here(service), err);
}

/* --- for bindings ------------------------------------------------------------------------- */

bool desktop_input_stop(lua_State *L, struct error *err)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);
    bool ok = !service || mark_stop(service, "a script", err);

    if (service)
        desktop_service_stop(service);
    return ok;
}

bool desktop_input_allow(lua_State *L, struct error *err)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);

    if (!service)
        return true;
    desktop_service_allow(service);
    return stop_mark_clear(gate_files(gate_here(service)), err);
}

bool desktop_input_stopped(lua_State *L, struct error *err)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);

    return service && desktop_service_stopped(service, err);
}

const struct place_files *desktop_files(lua_State *L)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);

    return service ? gate_files(gate_here(service)) : NULL;
}
