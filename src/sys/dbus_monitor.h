/* sys.dbus.monitor: what others call on a bus, as an object that tasks wait for. */
#ifndef PERIGEE_SYS_DBUS_MONITOR_H
#define PERIGEE_SYS_DBUS_MONITOR_H

#include <lua.h>

/* Makes the metatable of monitors. Called by luaopen_sys_dbus(). */
void dbus_monitor_init(lua_State *L);

/* sys.dbus.monitor(bus, { interface =, member =, values = }) -> monitor | nil, text, code */
int dbus_monitor(lua_State *L);

#endif
