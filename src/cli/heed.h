/* The policy's `dry_run`, for a person's own code that runs in an engine of a command. */
#ifndef PERIGEE_CLI_HEED_H
#define PERIGEE_CLI_HEED_H

#include "script/vm.h"

/* Asks the policy when the code first requires a module that can act: what does nothing need not
 * wait for that. */
void heed_before_acting(struct vm *vm);

#endif
