#include "platform/atspi/walk/listing.h"

#include <stdlib.h>

#include "platform/atspi/bus/ids.h"
#include "platform/atspi/bus/roles.h"

void listing_fill(const struct node *node, struct element_info *info)
{
    const char *native;

    info->role = roles_of(node->role, node->states, &native);
    info->native = mem_strdup(native);
    info->states = roles_states(node->states);
    info->abilities = node->abilities;
    info->index = node->index;
    info->children = node->count;
    info->name = element_label(node->name ? node->name : "", ELEMENT_NAME_MAX, &info->name_cut);
    info->description =
        element_label(node->description ? node->description : "", ELEMENT_NAME_MAX, NULL);
    info->value = mem_strdup("");
}

void listing_room(struct listing *listing, size_t room)
{
    listing->room = room;
    listing->out->items = mem_resize(listing->out->items, room * sizeof *listing->out->items);
    listing->details = mem_resize(listing->details, room * sizeof *listing->details);
}

static struct element_info *add_element(struct listing *listing, const struct node *node)
{
    struct element_tree *out = listing->out;

    if (out->count == listing->room)
        listing_room(listing, listing->room * 2);
    listing->details[out->count] =
        (struct detailed){ .bus = node->bus,
                           .path = node->path,
                           .visible = HAS_STATE(node->states, STATE_VISIBLE),
                           .located = node->located };
    out->items[out->count] = (struct element_info){ .pid = listing->pid,
                                                    .placed = node->located && node->placed,
                                                    .bounds = node->bounds };
    listing_fill(node, &out->items[out->count]);
    return &out->items[out->count++];
}

void listing_add(struct listing *listing, int place, int depth, uint64_t parent, uint64_t frame)
{
    const struct walk *walk = listing->walk;
    const struct node *node = &walk->nodes.items[place];
    struct element_info *info;
    size_t mine;
    uint64_t id;
    int own;

    if (!node->known || node->dead || node->age != NODE_NEW || !walk_wants(walk, place, depth))
        return;
    if (listing->out->count >= walk->query->nodes) {
        listing->out->cut = true;
        return;
    }
    mine = listing->out->count;
    info = add_element(listing, node);
    id = ids_of(node->bus, node->path, listing->pid, parent, frame);
    info->id = id;
    info->parent = parent;
    info->depth = depth;
    if (!frame && info->role != ELEMENT_APPLICATION)
        frame = id;
    info->window = frame;
    for (int i = 0; i < node->listed; i++) {
        size_t before = listing->out->count;

        if (depth < walk->query->depth && i < walk->query->children)
            listing_add(listing, node->children[i], depth + 1, id, frame);
        else if (i >= walk->query->children)
            listing->out->cut = listing->out->cut || walk_wants(walk, node->children[i], depth + 1);
        listing->out->items[mine].listed += listing->out->count > before;
    }
    /* GTK 3 lists a popover in its window, and in the button that it belongs to. */
    own = node->count - node->elsewhere;
    if (own > node->listed || depth == walk->query->depth)
        listing->out->cut = listing->out->cut || own > listing->out->items[mine].listed;
}
