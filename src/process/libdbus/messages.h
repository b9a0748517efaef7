/* Messages of D-Bus from JSON objects, and back. */
#ifndef PERIGEE_PROCESS_LIBDBUS_MESSAGES_H
#define PERIGEE_PROCESS_LIBDBUS_MESSAGES_H

#include <cjson/cJSON.h>
#include <dbus/dbus.h>

#include "base/buf.h"
#include "base/error.h"

/* A call as bus_calls() takes it, or one of bus_wire_send(). Given to the caller. NULL: "bad_call",
 * naming what is wrong. */
DBusMessage *message_of_call(const cJSON *call, struct error *err);
/* Makes the message that bus_wire_send() takes. */
DBusMessage *message_of(const cJSON *what, struct error *err);

/* As bus_wire_next() has it, with at most so many of its values. */
void message_write(struct buf *out, DBusMessage *message, int most);

#endif
