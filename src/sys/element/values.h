/* Turns elements that were read into tables of Lua. */
#ifndef PERIGEE_SYS_ELEMENT_VALUES_H
#define PERIGEE_SYS_ELEMENT_VALUES_H

#include <lua.h>

#include "platform/element.h"

/* Push the lists of names that roles, states and the like have. */
void element_push_roles(lua_State *L);
void element_push_states(lua_State *L);

/* Pushes a list of nodes. */
void element_push_nodes(lua_State *L, const struct element_tree *tree);

/* Returns "focus", "value", ... */
const char *element_kind_name(enum element_event_kind kind);

/* Push one table each. */
void element_push_text(lua_State *L, const struct element_text *text);
void element_push_field(lua_State *L, const struct element_field *field);
void element_push_events(lua_State *L, const struct element_events *events);

#endif
