/* GTK 3 reports by events which elements come, go and change, but not which are scrolled into view,
 * nor changes of cells. So all elements in a scrolled part, or in one that makes its children as
 * they are looked at, are always read again, and so are all elements of applications that report
 * less. For the others an event may name the change; of those that are shown the name, the states
 * and the number of children are compared all the same: a status bar does not report its new name.
 * For Qt the kind of the widget decides, not events. */
#include "platform/atspi/walk/aging.h"

#include <stdlib.h>

#include "platform/atspi/bus/hash.h"
#include "platform/atspi/bus/roles.h"

enum { ROLE_VIEWPORT = 68 };

struct aging {
    struct cached_tree *cached;
    const char *bus; /* the application; events of another one are not heard */
    bool *placed;    /* for each of cached->named: it is in the tree */
    size_t placed_count;
};

/* True for elements whose inside changes without events. */
static bool is_silent(const struct node *node)
{
    const char *native;

    if (HAS_STATE(node->states, STATE_MANAGES_DESCENDANTS) || node->role == ROLE_VIEWPORT)
        return true;
    switch (roles_of(node->role, node->states, &native)) {
    case ELEMENT_SCROLL_AREA:
    case ELEMENT_TABLE:
    case ELEMENT_TREE:
    case ELEMENT_LIST:
    case ELEMENT_CANVAS:
    case ELEMENT_TERMINAL:
    case ELEMENT_DOCUMENT:
    case ELEMENT_OTHER:
        return true;
    default:
        return false;
    }
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static bool was_named(struct aging *aging, const struct node *node)
{
    const struct cached_tree *cached = aging->cached;
    uint64_t number = hash_object(node->bus, node->path);
    const uint64_t *found = NULL;

    if (cached->named_count)
        found = bsearch(&number, cached->named, cached->named_count, sizeof *found, by_number);
    if (!found)
        return false;
    aging->placed_count += !aging->placed[found - cached->named];
    aging->placed[found - cached->named] = true;
    return true;
}

static void make_old(struct node *node)
{
    node->age = NODE_OLD;
    node->guessed = node->behind = true;
    node->asked = false;
}

/* Marks the node, and the nodes below it. GTK 3 puts a popover before the others when it shows it,
 * and reports only that it is shown: so the order of its siblings has to be read, too. Returns
 * whether `place` was named. */
static bool mark_node(struct aging *aging, int place, bool silent)
{
    struct node *node = &aging->cached->nodes.items[place];
    bool named = was_named(aging, node), old;

    silent = silent || is_silent(node);
    old = named || silent || node->behind || node->guessed || strcmp(node->bus, aging->bus) != 0;
    for (int i = 0; i < node->listed; i++)
        old = mark_node(aging, node->children[i], silent) || old;
    if (old)
        make_old(node);
    else
        node->age = NODE_CHECK;
    return named;
}

static void make_rest_old(struct nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        if (nodes->items[i].age == NODE_OLD)
            make_old(&nodes->items[i]);
    }
}

static void set_age(struct nodes *nodes, enum node_age age)
{
    for (size_t i = 0; i < nodes->count; i++) {
        nodes->items[i].dead = nodes->items[i].visible_only = nodes->items[i].located = false;
        nodes->items[i].age = age;
    }
}

static bool holds_document(const struct nodes *nodes)
{
    const char *native;

    for (size_t i = 0; i < nodes->count; i++) {
        const struct node *node = &nodes->items[i];

        if (roles_of(node->role, node->states, &native) == ELEMENT_DOCUMENT)
            return true;
    }
    return false;
}

/* A widget of Qt stays what it is, except in a page: for a shown one without children the name and
 * the states decide whether there is more to ask for. */
static void check_leaves(struct nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        struct node *node = &nodes->items[i];

        if (node->known && HAS_STATE(node->states, STATE_SHOWING) && node->count == 0 &&
            !node->description)
            node->age = NODE_CHECK;
    }
}

void aging_mark(struct cached_tree *cached, int root, bool heard)
{
    struct aging aging = { .cached = cached, .bus = cached->nodes.items[root].bus };

    cached->nodes.aged = true;
    cached->nodes.odd = false;
    set_age(&cached->nodes, NODE_OLD);
    if (cached->about.lasting && !holds_document(&cached->nodes))
        check_leaves(&cached->nodes);
    if (heard && !cached->unheard && cached->about.tells) {
        aging.placed = mem_zero((cached->named_count + 1) * sizeof *aging.placed);
        mark_node(&aging, root, false);
        if (aging.placed_count < cached->named_count) /* an event named an unknown element */
            set_age(&cached->nodes, NODE_OLD);
        free(aging.placed);
    }
    make_rest_old(&cached->nodes); /* includes nodes that are not below the root any more */
}
