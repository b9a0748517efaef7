/* An engine with the tools of tests/wire/root and tests/conformance/lua, for targets that speak to
 * a server. */
#ifndef PERIGEE_TESTS_FUZZ_WORLD_H
#define PERIGEE_TESTS_FUZZ_WORLD_H

#include "engine/engine.h"
#include "mcp/server/server.h"

/* Made with the first call. */
struct engine *world_engine(void);
struct server *world_server(void);

/* Lets what was begun go on for a while; nothing is waited for. */
void world_turn(void);

/* One message of ours: JSON, on one line, and whole. */
void world_check_message(struct str text);

#endif
