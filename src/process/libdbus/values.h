/* JSON to the arguments of a message, and a message's values to JSON (process/bus.h has how). */
#ifndef PERIGEE_PROCESS_LIBDBUS_VALUES_H
#define PERIGEE_PROCESS_LIBDBUS_VALUES_H

#include <cjson/cJSON.h>
#include <dbus/dbus.h>

#include "base/buf.h"
#include "base/error.h"

/* Appends args, an array, as the signature says; both NULL: none. False: "bad_call". */
bool bus_values_append(DBusMessage *message, const char *signature, const cJSON *args,
                       struct error *err);

/* All values, as one array. */
void bus_values_write(struct buf *out, DBusMessage *message);
/* The first ones. */
void bus_values_write_some(struct buf *out, DBusMessage *message, int most);

#endif
