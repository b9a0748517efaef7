/* Helpers that the bindings share: options out of a table, memory that dies with the stack, and a
 * wait with a time limit.
 *
 * Tables of options are read raw: no metamethod can run between a check and the use of what was
 * checked, so texts may be borrowed from them. */
#ifndef PERIGEE_SCRIPT_BIND_H
#define PERIGEE_SCRIPT_BIND_H

#include <lauxlib.h>
#include <lua.h>

#include "base/buf.h"
#include "base/timer.h"
#include "json/document.h"
#include "script/task.h"

/* Once per VM, by vm_run(). */
int bind_init(lua_State *L);

/* Makes the metatable `name` of a kind of userdata: `meta` has __gc and the like,
 * `methods` (or NULL) becomes its __index. For luaopen functions: when it raises
 * half way, the next opening completes it. */
void bind_metatable(lua_State *L, const char *name, const luaL_Reg *meta, const luaL_Reg *methods);

/* Pushes an empty buffer that is freed with its place on the stack, also when
 * Lua raises while it is filled. */
struct buf *bind_buffer(lua_State *L);

/* The same for a document; it is NULL, to be filled in. */
struct json_doc **bind_document(lua_State *L);

/* Raises unless the argument is a table whose texts among the keys are all in
 * `names`, a list that ends in NULL. */
void bind_check_fields(lua_State *L, int arg, const char *const *names);

/* The same of an argument that need be no table: anything else has no options. */
void bind_check_options(lua_State *L, int arg, const char *const *names);

/* The same of the table on top of the stack, which is that field of the argument. */
void bind_check_inner(lua_State *L, int arg, const char *field, const char *const *names);

/* These raise with the field's name when its value is no such thing. */
bool bind_flag(lua_State *L, int arg, const char *name);
double bind_number(lua_State *L, int arg, const char *name, double absent, double min, double max);

/* NULL when absent; borrowed as long as the table holds it. A NUL inside raises if len is NULL. */
const char *bind_text(lua_State *L, int arg, const char *name, size_t *len);

/* Raises "bad argument #ARG to 'F' (field 'NAME': WHAT)". */
int bind_field_error(lua_State *L, int arg, const char *name, const char *what) NORETURN;

/* Copies the text or number on top of the stack, with a NUL, and pops it. False:
 * it is something else, or has a NUL inside. */
bool bind_word(lua_State *L, struct buf *words);

/* Copies so the items of the list at `index`, and gives their number. Raises
 * naming the argument and the field (NULL: the argument itself is the list). */
size_t bind_words(lua_State *L, int arg, int index, const char *field, struct buf *words);

/* An argument in seconds, above 0 and at most max, as milliseconds. */
uint64_t bind_milliseconds(lua_State *L, int arg, double absent, double max);

/* The clock of deadlines: milliseconds since some start. */
uint64_t bind_now(void);

#endif
