/* The objects of one application while they are read. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_NODES_H
#define PERIGEE_PLATFORM_ATSPI_BUS_NODES_H

#include "base/util.h"
#include "platform/geometry.h"

/* What is known of it from a look before this one. */
enum node_age {
    NODE_NEW,   /* nothing: what it has is of this look */
    NODE_CHECK, /* no event named it since: it has what it had, unless a sign tells otherwise */
    NODE_OLD,   /* a guess */
};

struct node {
    const char *bus, *path;   /* kept by the set */
    char *name, *description; /* NULL: none, or not read */
    int parent;               /* place in the set; -1: none, or not known */
    int index;                /* among its siblings; -1: not told */
    int count;                /* of children, as it claims; -1: not known */
    int *children;            /* places */
    int listed, room;
    int elsewhere; /* children that are listed in another one, which has them, too */
    uint32_t role;
    uint64_t states;
    unsigned abilities; /* enum element_ability */
    bool known;         /* all of the above but children was told */
    bool unordered;     /* the cache did not tell the places of all children */
    bool asked;         /* for its children */
    bool dead;          /* it did not answer */
    bool guessed;       /* its children are of a look before this one, */
    bool sighted;       /* its children are those that can be seen now */
    bool behind;        /* ... and so is what it says of itself, or may be */
    bool located;       /* it was asked where it is, in this look: */
    bool placed;        /* it said so */
    struct rect bounds;
    enum node_age age;
};

struct nodes {
    struct node *items;
    size_t count, room;
    int *table; /* place + 1; open addressing */
    size_t slots;
    bool aged; /* some are of a look before this one */
    bool odd;  /* what is known from before does not fit: read all anew */
};

/* The place of the object, which is added if it is new; -1: it is the null object. */
int nodes_add(struct nodes *nodes, const char *bus, const char *path);

/* Makes `child` the last one of `parent`, unless it is another one's, as far as that is no guess.
 * False: it is above it, so it cannot be. */
bool nodes_adopt(struct nodes *nodes, int parent, int child);

/* Forgets its children: they come anew. */
void nodes_disown(struct nodes *nodes, int parent);

void nodes_free(struct nodes *nodes);

#endif
