/* Why a program could not be started, in words for the one who wanted it. */
#ifndef PERIGEE_PROCESS_START_FAILURE_H
#define PERIGEE_PROCESS_START_FAILURE_H

#include "process/process.h"

/* After the system refused it with this error number. The number alone does not say why: execvp(3)
 * gives EACCES also for a program that exists nowhere, if one directory of PATH may not be
 * searched, and ENOENT also for a script whose interpreter is missing. Looks at the files again. */
void start_failure_explain(int number, const struct process_spec *spec, struct error *err);

#endif
