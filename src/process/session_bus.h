/* The D-Bus of the session that a display belongs to, for a program that knows the display alone.
 * Main thread only, but for session_bus_answers() and session_bus_adopted(). */
#ifndef PERIGEE_PROCESS_SESSION_BUS_H
#define PERIGEE_PROCESS_SESSION_BUS_H

#include "base/buf.h"
#include "process/session_display.h"

struct session_bus {
    char *address;  /* "unix:path=/run/user/1000/bus"; NULL: none was found */
    char *from;     /* in words, for people: "process 4711 (gnome-shell)"; NULL as address */
    char *settings; /* as those of struct session_display; or NULL */
};

/* Whether the environment names a bus. An empty DBUS_SESSION_BUS_ADDRESS means that there is none;
 * without one, and with "autolaunch:", there is one if a bus answers in XDG_RUNTIME_DIR. */
bool session_bus_known(void);

/* Finds the bus of this display. The nearest process above this one that has the display and a bus
 * that answers decides. Else the bus does that most processes of the user on this display have, and
 * else the one in `runtime` if it answers. Programs that start a bus have that of the session
 * around it, so they are not asked. session_bus_clear() it. */
void session_bus_find(const struct session_places *places, const char *display,
                      struct session_bus *found);
void session_bus_clear(struct session_bus *found);

/* Whether a process of this user, or root's, listens at "unix:path=..." or "unix:abstract=...". No
 * other kind of address is tried: some start programs. */
bool session_bus_answers(const char *address);

/* The variables of this environment that a program of the session needs besides DISPLAY, each as
 * NAME=value and a NUL, the last with two. The caller frees. */
char *session_settings(struct buf *vars);

/* The number in ":0", ":0.1" or "unix:0"; -1: it is on another machine, or nothing. */
int session_display_number(const char *display);

/* The bus that session_display_adopt() found; all NULL if it did not have to look. Any thread may
 * read it afterwards. */
const struct session_bus *session_bus_adopted(void);

#endif
