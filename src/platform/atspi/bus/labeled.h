/* Names of elements that have none and name their label instead: steps of details_read(). */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_LABELED_H
#define PERIGEE_PLATFORM_ATSPI_BUS_LABELED_H

#include "platform/atspi/bus/details.h"

size_t labeled_make_relations(const struct detailed *item, DBusMessage **calls);
void labeled_take_relations(struct detailed *item, DBusMessage **answers, size_t count);
size_t labeled_make_name(const struct detailed *item, DBusMessage **calls);
void labeled_take_name(struct detailed *item, DBusMessage **answers, size_t count);

#endif
