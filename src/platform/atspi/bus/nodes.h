/* The objects of one application while they are read. */
#ifndef PERIGEE_PLATFORM_ATSPI_BUS_NODES_H
#define PERIGEE_PLATFORM_ATSPI_BUS_NODES_H

#include "base/util.h"
#include "platform/geometry.h"

/* How much of an earlier look at a node is still true. */
enum node_age {
    NODE_NEW,   /* nothing is left: all was read in this look */
    NODE_CHECK, /* no event named it since: all is true, unless a sign says otherwise */
    NODE_OLD,   /* all is a guess */
};

struct node {
    const char *bus, *path;   /* kept by the set */
    char *name, *description; /* NULL: none, or not read */
    int parent;               /* place of the parent in the set; -1: none, or not known */
    int index;                /* number among its siblings; -1: not reported */
    int count;                /* number of children that it claims; -1: not known */
    int *children;            /* their places */
    int listed, room;
    int elsewhere; /* children that are listed in another node, which has them as well */
    uint32_t role;
    uint64_t states;
    unsigned abilities; /* enum element_ability */
    bool known;         /* all of the above but the children was reported */
    bool unordered;     /* the cache did not report the order of all children */
    bool asked;         /* its children were asked for */
    bool dead;          /* it did not answer */
    bool guessed;       /* its children are from an earlier look */
    bool visible_only;  /* its children are those that can be seen now */
    bool behind;        /* its own facts are from an earlier look, too, or may be */
    bool located;       /* its bounds were asked for in this look */
    bool placed;        /* it reported bounds */
    bool named;         /* it is around the element at a point: hit.c */
    struct rect bounds;
    enum node_age age;
};

struct nodes {
    struct node *items;
    size_t count, room;
    int *table; /* place + 1; open addressing */
    size_t slots;
    bool aged; /* some nodes are from an earlier look */
    bool odd;  /* the earlier look does not fit this one: all has to be read anew */
};

/* The place of the object, which is added if it is new; -1 for the null object. */
int nodes_add(struct nodes *nodes, const char *bus, const char *path);

/* Makes `child` the last child of `parent`, unless it has another parent, which is not a guess.
 * False: `child` is above `parent`, so it cannot be its child. */
bool nodes_adopt(struct nodes *nodes, int parent, int child);

/* Takes `child` from its parent. */
void nodes_take_away(struct nodes *nodes, int parent, int child);

/* Forgets the children, which will be read anew. */
void nodes_disown(struct nodes *nodes, int parent);

void nodes_free(struct nodes *nodes);

#endif
