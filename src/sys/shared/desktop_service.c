/* The desktop service: which desktop, its worker, and the stop. */
#include "sys/shared/desktop_service.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/dry_run.h"
#include "base/log.h"
#include "platform/backends.h"
#include "platform/fake/fake.h"
#include "platform/worker/watch_elements.h"
#include "script/vm.h"

const char desktop_service_key;

struct desktop_service {
    uv_loop_t *loop;
    struct worker *worker;
    const struct platform_ops *ops; /* with the worker */
    void *shared;
    struct acting_right *right; /* owned until there is a worker, which owns it then */

    /* The worker of a dry run. Another one may have begun before the dry run. */
    struct worker *dry_worker;
    struct fake *copy;
};

struct desktop_service *desktop_service_new(uv_loop_t *loop)
{
    struct desktop_service *service = mem_zero(sizeof *service);

    service->loop = loop;
    service->right = acting_right_new();
    return service;
}

void desktop_service_free(struct desktop_service *service)
{
    if (!service)
        return;
    if (service->worker)
        worker_free(service->worker);
    else
        acting_right_free(service->right);
    worker_free(service->dry_worker);
    fake_free(service->copy);
    if (service->shared)
        service->ops->share_free(service->shared);
    free(service);
}

/* Returns the right to act. The threads of a worker use it, so the desktop stays the same once
 * there is a worker. */
static struct acting_right *acting_right_here(struct desktop_service *service)
{
    char *place;

    if (service->worker)
        return service->right;
    place = platform_place();
    acting_right_at(service->right, place);
    free(place);
    return service->right;
}

/* Stops the desktop for every process. */
static bool mark_stop(struct desktop_service *service, const char *who, struct error *err)
{
    struct acting_right *right = acting_right_here(service);
    char by[96];
    bool ok;

    snprintf(by, sizeof by, "%s (process %d)", who, (int)getpid());
    ok = stop_mark_set(acting_right_files(right), by, err);
    acting_right_stop(right);
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

/* A worker for a copy of the desktop. Neither the user's stop nor a hold is about a copy. */
static struct worker *dry_worker(struct desktop_service *service, struct error *err)
{
    const struct platform_ops *real = service->dry_worker ? NULL : platform_native(err);
    struct worker_options options = { .owner = service };
    struct error ignored;

    if (!real)
        return service->dry_worker;
    if (real->elements && real->elements->ready)
        real->elements->ready(&ignored); /* the copy also reads elements for input */
    service->copy = fake_mirror_new(real);
    options.ops = fake_mirror_ops(service->copy);
    options.shared = service->copy;
    service->dry_worker = worker_new(service->loop, &options);
    return service->dry_worker;
}

struct worker *desktop_worker(lua_State *L, struct error *err)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);
    struct worker_options options = { .stopped = on_stopped };

    if (!service) {
        error_set(err, "not_supported", "no desktop is reachable from here");
        return NULL;
    }
    if (dry_run())
        return dry_worker(service, err);
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
    options.right = acting_right_here(service);
    service->worker = worker_new(service->loop, &options);
    return service->worker;
}

struct desktop_watcher *desktop_watcher(lua_State *L, bool elements,
                                        const struct desktop_watcher_hooks *hooks,
                                        struct error *err)
{
    struct worker *worker = NULL;
    const struct desktop_service *service;

    if (dry_run())
        error_set(err, "not_supported", "a dry run does not wait for what happens on the desktop");
    else
        worker = desktop_worker(L, err);
    if (!worker || (elements && !worker_elements(worker, err)))
        return NULL;
    service = vm_service(L, &desktop_service_key);
    if (service->ops->watch)
        return desktop_watcher_new(service->loop, service->ops, service->shared,
                                   elements ? watch_elements : watch_desktop, hooks, err);
    error_set(err, "not_supported", "events of this desktop cannot be watched");
    return NULL;
}

int desktop_service_stop(struct desktop_service *service)
{
    if (service->worker)
        return worker_stop_input(service->worker);
    acting_right_stop(acting_right_here(service));
    return 0;
}

void desktop_service_allow(struct desktop_service *service)
{
    acting_right_allow(service->right);
}

bool desktop_service_stopped(struct desktop_service *service, struct error *err)
{
    return acting_right_stopped(acting_right_here(service), err);
}

/* --- for bindings ------------------------------------------------------------------------- */

bool desktop_input_stop(lua_State *L, struct error *err)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);

    if (dry_run_refuses(err, "stop input"))
        return false;
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
    if (dry_run_refuses(err, "allow input"))
        return false;
    desktop_service_allow(service);
    return stop_mark_clear(acting_right_files(acting_right_here(service)), err);
}

bool desktop_input_stopped(lua_State *L, struct error *err)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);

    return service && desktop_service_stopped(service, err);
}

const struct place_files *desktop_files(lua_State *L)
{
    struct desktop_service *service = vm_service(L, &desktop_service_key);

    return service ? acting_right_files(acting_right_here(service)) : NULL;
}
