/* Texts of elements. Most applications count characters, as we do; Qt counts UTF-16 units, so a
 * place in its texts is known once all of the text before it was read (platform/units.h). */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_TEXTS_H
#define PERIGEE_PLATFORM_ATSPI_BUS_TEXTS_H

#include "platform/atspi/bus/talk.h"

/* True if it is known how the application counts: it is in atspi->utf16. */
bool texts_knows_unit(const struct atspi *atspi, const char *bus);

/* Asks the application how it counts; NULL: that is known. */
DBusMessage *texts_ask_unit(const struct atspi *atspi, const char *bus);
void texts_take_unit(struct atspi *atspi, const char *bus, DBusMessage *answer);

/* Asks for the text from..to, in the application's units; to < 0: up to the end. */
DBusMessage *texts_ask(const char *bus, const char *path, dbus_int32_t from, dbus_int32_t to);

/* The text of the answer; owned. NULL: it has none. */
char *texts_take(DBusMessage *answer);

/* Reads all of the text of an object that counts UTF-16 units. NULL: it counts characters, or err:
 * as talk_ask(). */
char *texts_read_units(struct atspi *atspi, struct deadline *deadline, const char *bus,
                       const char *path, struct error *err);

#endif
