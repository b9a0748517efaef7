/* The C modules that scripts can require, named in one place. */
#ifndef PERIGEE_ENGINE_MODULES_H
#define PERIGEE_ENGINE_MODULES_H

#include "script/vm.h"

/* Makes every module known to the VM: `require` opens it when it is first asked for. */
bool modules_register(struct vm *vm, struct error *err);

#endif
