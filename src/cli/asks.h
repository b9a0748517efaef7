/* Questions of tools to the user (call:ask) while a command runs them. lua/lib/cli/form.lua asks
 * them on the terminal. For call_reports. */
#ifndef PERIGEE_CLI_ASKS_H
#define PERIGEE_CLI_ASKS_H

#include "registry/call/elicitation.h"
#include "registry/registry.h"

/* Forms and pages, where there is a terminal: `kind` is an enum ask_kind. */
bool asks_can(int kind);

/* As call_spec.ask and unask. False: err says what to do ("missing_capability"). */
bool asks_put(struct registry *registry, struct elicitation *elicitation, struct error *err);
void asks_drop(struct elicitation *elicitation);

#endif
