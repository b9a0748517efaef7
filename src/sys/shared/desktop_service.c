/* The desktop service: which desktop, its worker, and the stop. */
#include "sys/shared/desktop_service.h"

#include <stdlib.h>

#include "base/log.h"
#include "platform/backends.h"
#include "script/vm.h"

const char desktop_service_key;

struct desktop_service {
    uv_loop_t *loop;
    struct worker *worker;
    const struct platform_ops *ops; /* with the worker */
    void *shared;
    bool stopped; /* before there was a worker to be told */
};

struct desktop_service *desktop_service_new(uv_loop_t *loop)
{
    struct desktop_service *service = mem_zero(sizeof *service);

    service->loop = loop;
    return service;
}

void desktop_service_free(struct desktop_service *service)
{
    if (!service)
        return;
    worker_free(service->worker);
    if (service->shared)
        service->ops->share_free(service->shared);
    free(service);
}

static void on_stopped(void *owner)
{
    (void)owner;
    log_warn(
        "input was stopped at the keyboard (Ctrl+Alt+Esc). It is refused until you allow it again");
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
    service->worker = worker_new(service->loop, &options);
    if (service->stopped)
        worker_stop_input(service->worker);
    return service->worker;
}

int desktop_service_stop(struct desktop_service *service)
{
    service->stopped = true;
    return service->worker ? worker_stop_input(service->worker) : 0;
}

void desktop_service_allow(struct desktop_service *service)
{
    service->stopped = false;
    if (service->worker)
        worker_allow_input(service->worker);
}

bool desktop_service_stopped(const struct desktop_service *service)
{
    return service->worker ? worker_input_stopped(service->worker) : service->stopped;
}

void desktop_input_stop(lua_State *L)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);

    if (service)
        desktop_service_stop(service);
}

void desktop_input_allow(lua_State *L)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);

    if (service)
        desktop_service_allow(service);
}

bool desktop_input_stopped(lua_State *L)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);

    return service && desktop_service_stopped(service);
}
