/* The jail of Python guests, as a module that their interpreter opens (ctypes): plain functions of
 * numbers and strings; -1 and errno say that one failed. It is no part of the program, and has no
 * sanitizers, which an interpreter could not load.
 *
 * Who starts the interpreter (guest/python/server.c) says in the environment what is prepared:
 *
 *   PERIGEE_PYTHON_LAYERS  the layers that hold already (guest/jail/jail.h), in decimal digits
 *   PERIGEE_PYTHON_READS   what guests may read: a path on each line
 *
 * Layers by what a system lets us have:
 *
 *   namespaces, Landlock, calls   guests read these paths, and write in a tmpfs of their own, /box
 *   Landlock, calls               the same, and the server makes a folder for each guest
 *   calls only                    guests open no file
 *   no list of calls              no guest may run */
#ifndef PERIGEE_GUEST_JAIL_PYTHON_JAIL_PYTHON_JAIL_H
#define PERIGEE_GUEST_JAIL_PYTHON_JAIL_PYTHON_JAIL_H

/* In the server, first: gives up what making guests does not need. Returns the layers that a
 * process got which tried them as a guest would (enum jail_layer). */
int perigee_python_begin(void);

/* In the server, before each fork: makes a tmpfs for a guest, and returns the descriptor of its
 * mount, by which the server reads it later. -1: there are no namespaces to mount it in. */
int perigee_python_box(void);

/* In the guest: mounts that tmpfs at /box and gives up every capability; with Landlock only files
 * below `box` can be changed from now on. `mount` -1 and `box` a folder: there are no namespaces.
 * Returns the layers that hold now; -1: the guest has to end. */
int perigee_python_enter(int mount, const char *box);

/* In the guest, last before its job: sets limits, closes every descriptor above that of its socket
 * (3), and forbids system calls. Without `opens` it opens no file, as where no layer but this one
 * keeps it from any. `seatbelt`: macOS's profile. Returns 0, or -1: the guest has to end. */
int perigee_python_lock(int opens, const char *seatbelt);

#endif
