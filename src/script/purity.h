/* Does what a file returns follow from its text and its lib modules alone?
 *
 * A declaration that was made from the environment, the clock or a file must not be kept for
 * another process. While the main state is watched, calls of functions that ask the world are
 * noted: all functions of sys modules but those of the pure ones, `print` and random numbers. */
#ifndef PERIGEE_SCRIPT_PURITY_H
#define PERIGEE_SCRIPT_PURITY_H

#include <lua.h>
#include <stdbool.h>

struct vm;

/* From now on; nothing is noted yet. */
void purity_watch(struct vm *vm);

/* Ends it. True: nothing was noted. */
bool purity_end(struct vm *vm);

/* Is this the watched state? */
bool purity_watched(lua_State *L);

/* Notes that what is loaded now asked the world. */
void purity_spoil(lua_State *L);

/* A part of what is loaded, a lib module, judged for itself: gives what was noted before, which
 * purity_leave() takes. That tells whether the part is pure; if not, the whole is not. */
bool purity_enter(lua_State *L);
bool purity_leave(lua_State *L, bool before);

/* The functions of the module whose table is on top ask the world, unless it is a pure one. May
 * raise (memory). */
void purity_add_module(lua_State *L, const char *name);

/* The function on top asks the world; pops it. May raise (memory). */
void purity_add(lua_State *L);

/* A function is called: for the hook. */
void purity_on_call(lua_State *L, lua_Debug *ar);

#endif
