#include "platform/atspi/bus/nodes.h"

#include <stdlib.h>

#include "platform/atspi/bus/hash.h"
#include "platform/atspi/bus/talk.h"

static size_t slot_of(const struct nodes *nodes, const char *bus, const char *path)
{
    size_t slot = hash_object(bus, path) & (nodes->slots - 1);

    for (; nodes->table[slot]; slot = (slot + 1) & (nodes->slots - 1)) {
        const struct node *node = &nodes->items[nodes->table[slot] - 1];

        if (strcmp(node->path, path) == 0 && strcmp(node->bus, bus) == 0)
            break;
    }
    return slot;
}

static void nodes_grow(struct nodes *nodes)
{
    nodes->room = nodes->room ? nodes->room * 2 : 256;
    nodes->items = mem_resize(nodes->items, nodes->room * sizeof *nodes->items);
    free(nodes->table);
    nodes->slots = nodes->room * 2;
    nodes->table = mem_zero(nodes->slots * sizeof *nodes->table);
    for (size_t i = 0; i < nodes->count; i++)
        nodes->table[slot_of(nodes, nodes->items[i].bus, nodes->items[i].path)] = (int)i + 1;
}

int nodes_add(struct nodes *nodes, const char *bus, const char *path)
{
    size_t slot;

    if (!*bus || strcmp(path, ATSPI_NULL) == 0)
        return -1;
    if (nodes->count == nodes->room)
        nodes_grow(nodes);
    slot = slot_of(nodes, bus, path);
    if (!nodes->table[slot]) {
        nodes->items[nodes->count++] = (struct node){
            .bus = mem_strdup(bus), .path = mem_strdup(path), .parent = -1, .index = -1, .count = -1
        };
        nodes->table[slot] = (int)nodes->count;
    }
    return nodes->table[slot] - 1;
}

/* Takes a child from a parent that has it by a guess, because another one has reported it. */
void nodes_take_away(struct nodes *nodes, int parent, int child)
{
    struct node *above = &nodes->items[parent];
    int kept = 0;

    for (int i = 0; i < above->listed; i++) {
        if (above->children[i] != child)
            above->children[kept++] = above->children[i];
    }
    above->listed = kept;
    nodes->items[child].parent = -1;
}

static bool is_above(const struct nodes *nodes, int node, int of)
{
    while (of >= 0 && of != node)
        of = nodes->items[of].parent;
    return of >= 0;
}

bool nodes_adopt(struct nodes *nodes, int parent, int child)
{
    struct node *above = &nodes->items[parent];
    int old = nodes->items[child].parent;

    if (is_above(nodes, child, parent)) {
        nodes->odd = nodes->aged;
        return false;
    }
    if (old >= 0 && old != parent && nodes->items[old].guessed)
        nodes_take_away(nodes, old, child);
    if (nodes->items[child].parent >= 0)
        return nodes->items[child].parent == parent;
    if (above->listed == above->room) {
        above->room = above->room ? above->room * 2 : 4;
        above->children =
            mem_resize(above->children, (size_t)above->room * sizeof *above->children);
    }
    above->children[above->listed++] = child;
    nodes->items[child].parent = parent;
    return true;
}

void nodes_disown(struct nodes *nodes, int parent)
{
    struct node *above = &nodes->items[parent];

    for (int i = 0; i < above->listed; i++)
        nodes->items[above->children[i]].parent = -1;
    above->listed = above->elsewhere = 0;
}

void nodes_free(struct nodes *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        free((char *)nodes->items[i].bus);
        free((char *)nodes->items[i].path);
        free(nodes->items[i].name);
        free(nodes->items[i].description);
        free(nodes->items[i].children);
    }
    free(nodes->items);
    free(nodes->table);
    *nodes = (struct nodes){ 0 };
}
