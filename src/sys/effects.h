/* Effects: every way out of the engine, told to the policy where it is about to be taken.
 *
 * A function of a module that acts is in the list of effects.c. What a script gets in its place
 * first asks the judge of effects (registry/call/gate.h) with its own arguments, in the same task,
 * and then does its work, or returns nil, text, code. So no file reaches an effect but through the
 * gate, at whatever depth. docs/policy-rules.md lists the effects. */
#ifndef PERIGEE_SYS_EFFECTS_H
#define PERIGEE_SYS_EFFECTS_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

/* Puts the functions that ask in the place of those of the list, in the module's table on top of
 * the stack. For vm_on_open(). May raise. */
void effects_wrap(lua_State *L, const char *module);

/* The window that the input was judged for which the calling function is to send; 0: any. Good
 * once. */
uint64_t effects_take_window(void);

/* Is the calling function to read its arguments only, and to return before it acts? Input is read
 * once before the judge is asked, so that nobody is asked about a key that does not exist. */
bool effects_only_check(void);

/* While it is on, each effect is judged, also one of a kind that passed before whatever its facts
 * were: it may change what another one does that goes on. */
void effects_judge_all(bool on);

#endif
