/* The Unix sockets by which a user's running engines are reached: FOLDER/PID.SUFFIX, in one of the
 * folders of runtime_folders.h. "sock" is for `perigee stop` (engine/control.h), "console" for all
 * else (engine/console.h). */
#ifndef PERIGEE_PROCESS_ENGINE_SOCKETS_H
#define PERIGEE_PROCESS_ENGINE_SOCKETS_H

#include <uv.h>

#include "base/error.h"

/* Listens there as this process, on a handle that uv_pipe_init() made; mode 0600. Gives the path,
 * which the caller unlinks and frees. NULL and err: no folder of ours can be made, the path is too
 * long. */
char *engine_socket_listen(uv_pipe_t *pipe, const char *suffix, int backlog,
                           uv_connection_cb on_connection, struct error *err);

/* Calls each() with the process and the path (borrowed for the call) of every socket of this kind,
 * also of processes that are gone, until it returns false. */
void engine_sockets_each(const char *suffix, bool (*each)(void *arg, int pid, const char *path),
                         void *arg);

/* Does somebody listen there? At once; what a dead process left is removed. */
bool engine_socket_alive(const char *path);

enum { ENGINE_GONE = -1, ENGINE_SILENT = -2 };

/* Connects, and checks that the other end is this user's; reads and writes give up after so many
 * seconds. ENGINE_GONE: nobody listens there (what a dead process left is removed) or it is not
 * ours. ENGINE_SILENT: it does not take connections. */
int engine_socket_connect(const char *path, unsigned patience_s);

#endif
