/* The applications on the accessibility bus. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_APPS_H
#define PERIGEE_PLATFORM_ATSPI_BUS_APPS_H

#include "platform/atspi/bus/talk.h"

/* The unique name of the connection of this process; free() it. NULL: "no_tree" (the process is not
 * on the bus; the message says what to do), else as talk_ask(). */
char *apps_find(struct atspi *atspi, struct deadline *deadline, int pid, struct error *err);

/* The same, of a registry that runs, and without waiting for applications to come: NULL and *asked:
 * the process is not on the bus; NULL and err: as talk_ask_one(). */
char *apps_ask(struct atspi *atspi, struct deadline *deadline, int pid, bool *asked,
               struct error *err);

struct toolkit {
    char name[32];        /* "GTK"; empty: not reported */
    int version, minor;   /* the first two numbers of the version */
    char application[64]; /* the application's name */
};

bool apps_toolkit(struct atspi *atspi, struct deadline *deadline, const char *bus,
                  struct toolkit *out, struct error *err);

#endif
