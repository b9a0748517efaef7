/* The text of an element, with AX's UTF-16 units and our characters. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_UNITS_H
#define PERIGEE_PLATFORM_MACOS_AX_UNITS_H

#include "platform/macos/ax/ask.h"

struct units {
    char *text; /* UTF-8; owned */
    int characters;
    CFRange selected; /* UTF-16 units; location -1: not reported */
};

/* Reads the selection and the text, which is cut at UNITS_MAX, by two questions. ANSWER_GIVEN:
 * units_free() it. */
enum answer units_read(const struct ask *ask, AXUIElementRef element, struct units *out,
                       struct error *err);
void units_free(struct units *units);

enum { UNITS_MAX = 1 << 20 };

#endif
