/* Decodes text: percent signs, base64, hexadecimal digits, also with blanks or line ends between
 * them, and hexadecimal ones with colons, commas or "\x". */
#ifndef PERIGEE_TAINT_DECODED_H
#define PERIGEE_TAINT_DECODED_H

#include "base/buf.h"

/* Calls fn(context, decoded) for each part of the text that is encoded, once, and for text with
 * percent signs up to four times; $HOME is an encoding of "~". `decoded` is borrowed for the call.
 */
void taint_decoded(struct str text, void (*fn)(void *context, struct str decoded), void *context);

#endif
