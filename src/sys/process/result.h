/* How a process ended, as Lua sees it. */
#ifndef PERIGEE_SYS_PROCESS_RESULT_H
#define PERIGEE_SYS_PROCESS_RESULT_H

#include <lua.h>

#include "base/buf.h"
#include "process/process.h"

/* Pushes a sys.process.Result without stdout and stderr. */
void process_push_result(lua_State *L, const struct process_result *result);

/* The last line of an error stream, for messages: at most 200 bytes of it. Empty if there is
 * none. */
struct str process_last_words(const struct buf *errors);

#endif
