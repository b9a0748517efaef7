/* What a text says when it is decoded: percent signs, base64, hexadecimal digits. */
#ifndef PERIGEE_SEEN_READINGS_H
#define PERIGEE_SEEN_READINGS_H

#include "base/buf.h"

/* fn(context, reading) for what is encoded in the text, each once; nothing where nothing is. The
 * reading is borrowed for the call. */
void seen_readings(struct str text, void (*fn)(void *context, struct str reading), void *context);

#endif
