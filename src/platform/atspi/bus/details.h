/* What is asked of elements that are listed: where they are, what they hold, what they can do. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_DETAILS_H
#define PERIGEE_PLATFORM_ATSPI_BUS_DETAILS_H

#include "platform/atspi/bus/talk.h"
#include "platform/element.h"

/* An element that is being filled, and where it is on the bus (borrowed). */
struct detailed {
    struct element_info *info;
    const char *bus, *path;
    bool visible;       /* it says so; that alone does not show it */
    bool located;       /* it is known where it is */
    int length;         /* the rest is ours, zero at first: characters of its text, */
    int actions, named; /* how many actions it has, and how many of their names were read; */
    char *option;       /* path of its list, then of the option chosen there, */
    char *label;        /* and of the label that names it */
};

enum detail { DETAIL_BOUNDS = 1, DETAIL_VALUES = 2, DETAIL_ACTIONS = 4, DETAIL_NAMES = 8 };

/* Names are always read. False: as talk_ask(); what came until then is there. */
bool details_read(struct atspi *atspi, struct deadline *deadline, struct detailed *items,
                  size_t count, unsigned which, struct error *err);

#endif
