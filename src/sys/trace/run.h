/* Runs a function in a task with a probe, for sys.trace. */
#ifndef PERIGEE_SYS_TRACE_RUN_H
#define PERIGEE_SYS_TRACE_RUN_H

#include <lua.h>

#include "script/probe.h"

/* Runs the function at index 1 without arguments in a task of its own. Parks the calling task until
 * that has ended, then goes on with `after` over the same stack. Sets `top`, if any, to the new
 * task, whose memory is counted. */
int trace_run(lua_State *L, struct probe *probe, struct task **top, lua_KFunction after);

/* Called in `after`; `top` is the top of the stack before trace_run(). Pushes { seconds =, results
 * = { n =, ... } }, or after a failure { seconds =, err =, code =, traceback = }. */
void trace_push_report(lua_State *L, int top);

#endif
