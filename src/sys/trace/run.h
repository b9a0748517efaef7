/* Runs a function in a task with a probe, for sys.trace. */
#ifndef PERIGEE_SYS_TRACE_RUN_H
#define PERIGEE_SYS_TRACE_RUN_H

#include <lua.h>

#include "script/probe.h"

/* Runs the function at index 1, which takes nothing, in a task of its own, and parks the calling
 * one until that has ended; then goes on with `after` over the same stack. `top`, if any, is that
 * task from then on; its memory is counted. */
int trace_run(lua_State *L, struct probe *probe, struct task **top, lua_KFunction after);

/* In `after`; `top` is where the stack was before trace_run(). Pushes { seconds =, results = { n =,
 * ... } }, or of a failure { seconds =, err =, code =, traceback = }. */
void trace_push_report(lua_State *L, int top);

#endif
