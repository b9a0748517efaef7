/* A question out of a table of options. */
#ifndef PERIGEE_REGISTRY_CALL_QUESTION_H
#define PERIGEE_REGISTRY_CALL_QUESTION_H

#include <lua.h>

#include "registry/call/elicitation.h"

/* Each fills kind and params from the table at this index (params is empty before). They raise on
 * what is no such question; what they made by then belongs to `question`. */
void question_read_ask(lua_State *L, int table, struct question *question);
void question_read_sample(lua_State *L, int table, struct question *question);
void question_read_roots(lua_State *L, int table, struct question *question);

/* `key` and `timeout`, which any question may have. */
void question_read_options(lua_State *L, int table, struct elicitation *elicitation,
                           struct question *question);

#endif
