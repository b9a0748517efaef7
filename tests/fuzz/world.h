/* An engine with the tools of tests/wire/root and tests/conformance/lua, for targets that speak to
 * a server. */
#ifndef PERIGEE_TESTS_FUZZ_WORLD_H
#define PERIGEE_TESTS_FUZZ_WORLD_H

#include "engine/engine.h"
#include "mcp/server/server.h"

/* Both are made by the first call. */
struct engine *world_engine(void);
struct server *world_server(void);

/* Runs the loop for a while, without waiting, so that work that was begun goes on. */
void world_turn(void);

/* Fails unless the text is one message of the server: JSON, on one line, and whole. */
void world_check_message(struct str text);

#endif
