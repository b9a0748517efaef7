/* The display of the user's graphical session, for a program that was started without DISPLAY: MCP
 * clients hand few variables on to the servers that they start. Main thread only. */
#ifndef PERIGEE_PROCESS_SESSION_DISPLAY_H
#define PERIGEE_PROCESS_SESSION_DISPLAY_H

#include "base/util.h"

/* Where to look. */
struct session_places {
    const char *proc;    /* "/proc" */
    const char *sockets; /* "/tmp/.X11-unix" */
    const char *runtime; /* "/run/user/1000" */
    int parent;          /* the first process asked: the one that started this program */
};

struct session_display {
    char *name;     /* ":0"; NULL: none was found, or several */
    char *from;     /* in words, for people: "process 4711 (gnome-shell)"; NULL as name */
    char *several;  /* ":0, :1" where the user has more than one, and nothing says which; or NULL */
    char *settings; /* NAME=value of the session, each ended by NUL, the last by two; or NULL */
};

/* Finds it. The nearest process above this one that has DISPLAY decides, also by an empty one. Else
 * the user's processes do where all that have one agree, else the one X server that belongs to the
 * user. A display whose server does not answer counts for nothing. session_display_clear() it. */
void session_display_find(const struct session_places *places, struct session_display *found);
void session_display_clear(struct session_display *found);

/* If DISPLAY is not set (an empty one is: it means none), finds it and sets it, and of XAUTHORITY,
 * DBUS_SESSION_BUS_ADDRESS and XDG_RUNTIME_DIR those that are not set. Then, if no session bus is
 * known (session_bus.h), does the same for the bus of the display's session: a client's entry may
 * set DISPLAY alone. Looks once. Before any thread that reads the environment runs. */
void session_display_adopt(void);

/* The display that session_display_adopt() found; all NULL if it did not have to look. Any thread
 * may read it afterwards. */
const struct session_display *session_display_adopted(void);

#endif
