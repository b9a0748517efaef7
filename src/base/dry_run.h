/* Whether this process only says what it would do.
 *
 * A dry run is decided once and for all: what the process did before it began is real, and nothing
 * is afterwards. Whoever could change something outside of the process asks here first. */
#ifndef PERIGEE_BASE_DRY_RUN_H
#define PERIGEE_BASE_DRY_RUN_H

#include "base/error.h"

/* From now on, to the end of the process. For the main thread. */
void dry_run_begin(void);

bool dry_run(void); /* on any thread */

/* True in a dry run, with the code "dry_run": `what` is what was not done, as "write /tmp/a". */
bool dry_run_refuses(struct error *err, const char *what, ...) PRINTF_LIKE(2, 3);

#endif
