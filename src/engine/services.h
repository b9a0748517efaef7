/* Runs services beside the calls: services/NAME.lua of the roots, by
 * lua/lib/services/manager.lua. */
#ifndef PERIGEE_ENGINE_SERVICES_H
#define PERIGEE_ENGINE_SERVICES_H

#include <stdint.h>

#include "base/error.h"

struct registry;

/* Starts the manager, once for an engine. False: err. */
bool services_start(struct registry *registry, struct error *err);

/* The manager, if there is one, looks at the files again: they were loaded anew. */
void services_reloaded(struct registry *registry);

/* Calls stop() of each service that runs, for the end of the engine, and waits for them, `ms` at
 * most. Turns the loop. */
void services_end(struct registry *registry, uint64_t ms);

#endif
