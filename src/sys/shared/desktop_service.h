/* The one worker of the desktop that the engine has, and the user's stop. All functions are for the
 * loop's thread. */
#ifndef PERIGEE_SYS_SHARED_DESKTOP_SERVICE_H
#define PERIGEE_SYS_SHARED_DESKTOP_SERVICE_H

#include <lua.h>
#include <uv.h>

#include "platform/worker/desktop_watcher.h"
#include "platform/worker/worker.h"

struct desktop_service;

/* vm_set_service() with its address lends a struct desktop_service to the bindings. */
extern const char desktop_service_key;

/* Opens nothing yet: the first call does. The environment variable PERIGEE_DESKTOP says which
 * desktop: absent, empty or "native" is this system's, "fake" the one in memory (fake_world()).
 * The loop is kept alive only while calls run. */
struct desktop_service *desktop_service_new(uv_loop_t *loop);

/* Is called after the VM, whose tasks have calls under way. The loop has to turn once more. NULL is
 * fine. */
void desktop_service_free(struct desktop_service *service);

/* Returns the worker, and makes it if there is none. NULL: the module is missing, the variable
 * names no desktop, or this VM has no service. Borrowed. */
struct worker *desktop_worker(lua_State *L, struct error *err);

/* Makes a thread that watches the same desktop, or listens to its elements; the caller owns it.
 * NULL: the same reasons, "not_supported", or that of element_ops.ready(). */
struct desktop_watcher *desktop_watcher(lua_State *L, bool elements,
                                        const struct desktop_watcher_hooks *hooks,
                                        struct error *err);

/* The user's stop in this process: ends actions, running and waiting, and says how many there were.
 * New ones are refused until the stop is lifted. The stop counts also before there is a worker. The
 * stop of the desktop, which all processes heed, is a file (stop_mark.h). The caller for `perigee
 * stop` makes that file. */
int desktop_service_stop(struct desktop_service *service);
void desktop_service_allow(struct desktop_service *service);
/* True if this process is stopped, or its desktop. err: "stopped", by whom and when. */
bool desktop_service_stopped(struct desktop_service *service, struct error *err);

/* These are for bindings and see to the file, too. */
bool desktop_input_stop(lua_State *L, struct error *err);
bool desktop_input_allow(lua_State *L, struct error *err);
bool desktop_input_stopped(lua_State *L, struct error *err);

/* Returns the files of the desktop that this VM acts on. NULL: it has none. Borrowed. */
const struct place_files *desktop_files(lua_State *L);

#endif
