/* Finds the text field of an application that has the keyboard focus, as the application reports
 * it. */
#ifndef PERIGEE_PLATFORM_ATSPI_FOCUS_H
#define PERIGEE_PLATFORM_ATSPI_FOCUS_H

#include "platform/atspi/bus/talk.h"
#include "platform/element.h"

struct focus {
    enum element_field_finding finding; /* all but FIELD_ABSENT */
    char *bus, *path;                   /* owned; that of FIELD_FOUND */
};

/* `app` is the name of the application's connection. False: as talk_ask(). */
bool focus_find(struct atspi *atspi, struct deadline *deadline, const char *app, struct focus *out,
                struct error *err);
void focus_free(struct focus *focus);

/* True for an element with these states to which typed text goes. Qt reports that even a tab has
 * the focus. */
bool focus_is_field(uint64_t states);

#endif
