/* The functions that C lends to commands that are Lua files. lua/lib/cli/main.lua hands them on as
 * `io`. */
#ifndef PERIGEE_CLI_HOST_H
#define PERIGEE_CLI_HOST_H

#include <lua.h>

#include "cli/command.h"
#include "sys/shared/tool_call.h"

/* Pushes a table; by vm_call(), since it may raise:
 *   write(text)                     to stdout
 *   complain(text, plain)           to stderr; plain: without "perigee NAME: "
 *   progress(done, total, message)  a line on stderr that is written over; no arguments: clears it
 *   read(path, max) -> bytes        a file that the user named; "-" is stdin
 *   save(path, bytes) -> true       the same; "-" is stdout
 *   grant(folder, write) -> path    sys.fs may use it from now on; it is made if it is missing and
 *                                   is to be written. Its real path
 *   listen()                        `perigee stop` reaches this process
 *   serve()                         this is an engine that stays from now on: calls that its files
 *                                   make are the engine's, files that change are reloaded, and
 *                                   `perigee ps` and the console reach it
 *   log_level(name), role(name)     of log lines
 *   hide(text)                      never show this in a message
 *   native()                        the commands that are C, as declarations; their names' order
 * and the fields common (the options of every command), program, config (the file with mcpServers),
 * color, terminal, width (of stdout), stderr_terminal, interactive (a person is there to be asked).
 * What fails gives nil, text, code. */
void host_push(lua_State *L, struct engine *engine, const char *command,
               const struct common *common);

/* Shows progress, log lines and printed lines of the tools that a command calls. */
extern const struct call_reports host_reports;

#endif
