/* The details of listed elements: where they are, what they hold, what they can do. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_DETAILS_H
#define PERIGEE_PLATFORM_ATSPI_BUS_DETAILS_H

#include "platform/atspi/bus/talk.h"
#include "platform/element.h"

/* An element that is being filled in, and its place on the bus (borrowed). */
struct detailed {
    struct element_info *info;
    const char *bus, *path;
    bool visible;       /* the application says so; that alone does not mean that it is shown */
    bool located;       /* its bounds have been read */
    int length;         /* the rest is ours, zero at first: the number of its text's characters */
    int actions, named; /* the numbers of its actions, and of their names that were read */
    char *option;       /* path of its list, then of the option chosen there */
    char *label;        /* path of the label that names it */
};

enum detail { DETAIL_BOUNDS = 1, DETAIL_VALUES = 2, DETAIL_ACTIONS = 4, DETAIL_NAMES = 8 };

/* Reads the details in `which`, and always names. False: as talk_ask(); the details that came until
 * then are filled in. */
bool details_read(struct atspi *atspi, struct deadline *deadline, struct detailed *items,
                  size_t count, unsigned which, struct error *err);

#endif
