/* sys.dbus.connect: a connection of its own to a bus, as an object that tasks wait for. */
#ifndef PERIGEE_SYS_DBUS_WIRE_H
#define PERIGEE_SYS_DBUS_WIRE_H

#include <cjson/cJSON.h>
#include <lua.h>

#include "base/error.h"

/* Makes the metatables of wires. Called by luaopen_sys_dbus(). */
void dbus_wire_init(lua_State *L);

/* sys.dbus.connect(bus [, { timeout =, capacity = }]) -> wire | nil, text, code */
int dbus_connect(lua_State *L);

/* True in a dry run with the code "dry_run", unless the call only reads: it asks the bus about
 * names, listens, or reads properties or descriptions of a service that runs. */
bool dbus_refuses(const cJSON *call, struct error *err);

#endif
