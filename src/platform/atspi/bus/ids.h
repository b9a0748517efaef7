/* The numbers that elements have: one for each object of each application, for the life of the
 * process. All connections share them. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_IDS_H
#define PERIGEE_PLATFORM_ATSPI_BUS_IDS_H

#include "base/util.h"

enum { IDS_MAX = 400000 }; /* in all; the oldest are forgotten, as if they were gone */

struct known_object {
    char *bus;  /* the unique name of its application's connection */
    char *path; /* the object's path there */
    int pid;
    uint64_t parent, frame; /* ids; 0: not known */
};

/* The object's number, which is made if it has none. Parent and frame are noted, unless they are 0.
 * On any thread. */
uint64_t ids_of(const char *bus, const char *path, int pid, uint64_t parent, uint64_t frame);

/* The root pane whose offset is in the element's bounds (panes.h); 0: none, or not known. */
uint64_t ids_pane(uint64_t id);
void ids_set_pane(uint64_t id, uint64_t pane);

/* The object's number, if it has one; else 0. */
uint64_t ids_find(const char *bus, const char *path);

/* Copies the object; false: it never had this number, or was forgotten. known_object_free() it. */
bool ids_look(uint64_t id, struct known_object *out);
void known_object_free(struct known_object *object);

#endif
