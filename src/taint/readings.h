/* Text as those read it for whom it is written: what shells remove from a command, what pages do
 * not show, and signs that a writer put around a dot so that nobody follows a link. */
#ifndef PERIGEE_TAINT_READINGS_H
#define PERIGEE_TAINT_READINGS_H

#include "base/buf.h"

/* Calls fn(context, reading) for each reading of the whole text that joins what its signs part. A
 * reading is borrowed for the call. */
void taint_readings(struct str text, void (*fn)(void *context, struct str reading), void *context);

#endif
