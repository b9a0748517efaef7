/* The wiring: makes one of each part and joins them. Alone knows every layer. */
#ifndef PERIGEE_ENGINE_ENGINE_H
#define PERIGEE_ENGINE_ENGINE_H

#include <uv.h>

#include "files/granted.h"
#include "mcp/server/server.h"
#include "registry/registry.h"

struct engine;

struct engine_options {
    const char *const *roots; /* --root: after the shipped one and the user's. Borrowed */
    size_t root_count;
    bool no_user_root; /* leave out the user's folder (tests, examples) */
    const char *const *toolsets;
    size_t toolset_count;
    const char *const *grants; /* folders that sys.fs may read and write */
    size_t grant_count;
    const char *const *mounts; /* servers of mount_config, or "all"; their tools become ours */
    size_t mount_count;        /* 0: no gateway */
    const char *mount_config;  /* NULL: mcp.json of the user's folder. Borrowed, as the above,
                                * until engine_free() */
    const char *mount_servers; /* as gateway_options; borrowed until engine_free() as well */
    size_t memory;             /* bytes for Lua; 0: default */
    void (*changed)(void *arg, unsigned what); /* as registry_options */
    void *arg;
};

/* NULL and err: no shipped Lua folder, a root that is not a folder, ... */
struct engine *engine_new(const struct engine_options *options, struct error *err);

/* Ends everything and runs the loop until nothing is left, but leaves the memory of Lua and of the
 * registry to the end of the process. NULL is fine. */
void engine_free(struct engine *engine);

uv_loop_t *engine_loop(struct engine *engine);
struct vm *engine_vm(struct engine *engine);
struct registry *engine_registry(struct engine *engine);
struct fs_grants *engine_grants(struct engine *engine);

/* Runs services/NAME.lua of the roots from now on. False: err. */
bool engine_start_services(struct engine *engine, struct error *err);

/* Calls stop() of each, and waits for 2 s at most. Turns the loop. */
void engine_end_services(struct engine *engine);

/* Does so when engine_settle() has settled. */
void engine_serve_services(struct engine *engine);

/* Loads the files if they are not, and from now on reloads them when they change.
 * Mounts the servers. */
void engine_watch(struct engine *engine);

/* Mounts the servers and waits until their tools are there. False: err says why they cannot be. */
bool engine_mount(struct engine *engine, struct error *err);

/* `perigee stop` and `perigee ps` find this process from now on, by this name (borrowed). */
void engine_listen(struct engine *engine, const char *command);

/* Both, a moment later: what was asked first is answered sooner without them. It listens if command
 * (borrowed) is not NULL, and watches once files are loaded; nothing that changes until then is
 * missed. Call it again when files may have been loaded. */
void engine_settle(struct engine *engine, const char *command);

#endif
