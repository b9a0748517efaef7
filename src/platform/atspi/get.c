/* Elements that are known by their ids, read once more. */
#include "platform/atspi/get.h"

#include <stdlib.h>

#include "platform/atspi/bus/details.h"
#include "platform/atspi/bus/extents.h"
#include "platform/atspi/bus/ids.h"
#include "platform/atspi/bus/roles.h"
#include "platform/atspi/bus/tree_cache.h"
#include "platform/atspi/walk/listing.h"
#include "platform/atspi/walk/panes.h"
#include "platform/atspi/walk/shown.h"
#include "platform/atspi/walk/walk.h"

/* Reads each element anew; those that do not answer are marked as dead. */
static bool look_again(struct atspi *atspi, struct deadline *deadline,
                       const struct known_object *objects, size_t count, struct node *nodes,
                       struct error *err)
{
    DBusMessage **calls = mem_zero((count * NODE_CALLS + 1) * sizeof *calls);
    DBusMessage **answers = mem_zero((count * NODE_CALLS + 1) * sizeof *answers);
    bool ok;

    for (size_t i = 0; i < count; i++) {
        nodes[i] = (struct node){
            .bus = objects[i].bus, .path = objects[i].path, .index = -1, .count = -1
        };
        walk_calls_for(&nodes[i], calls + i * NODE_CALLS);
    }
    ok = talk_ask(atspi, deadline, calls, count * NODE_CALLS, answers, err);
    for (size_t i = 0; i < count; i++)
        walk_take_answers(&nodes[i], answers + i * NODE_CALLS);
    talk_unref(answers, count * NODE_CALLS);
    free(calls);
    free(answers);
    return ok;
}

struct again {
    struct known_object *objects;
    struct node *nodes;
    struct detailed *details;
    size_t count;
};

static void fill_again(const struct again *again, const uint64_t *ids, struct element_tree *out)
{
    out->items = mem_zero((again->count + 1) * sizeof *out->items);
    out->count = again->count;
    for (size_t i = 0; i < again->count; i++) {
        struct element_info *info = &out->items[i];

        listing_fill(&again->nodes[i], info);
        info->id = ids[i];
        info->pid = again->objects[i].pid;
        info->parent = again->objects[i].parent;
        info->window = again->objects[i].frame;
        info->gone = again->nodes[i].dead;
        again->details[i] = (struct detailed){ .info = info,
                                               .bus = again->nodes[i].bus,
                                               .path = again->nodes[i].path };
        if (info->gone)
            info->abilities = 0; /* no more is asked of it */
    }
}

/* Sets the state ELEMENT_SHOWN of elements whose applications do not report it. */
static void see_again(const struct again *again, struct element_tree *out)
{
    for (size_t i = 0; i < again->count; i++) {
        struct tree_about about = tree_cache_about(again->objects[i].bus);
        struct element_info *info = &out->items[i];

        if (!about.known || about.trusted || info->gone)
            continue;
        info->states &= ~(unsigned)ELEMENT_SHOWN;
        if (shown_alone(info, HAS_STATE(again->nodes[i].states, STATE_VISIBLE)))
            info->states |= ELEMENT_SHOWN;
    }
}

static bool read_again(struct atspi *atspi, struct deadline *deadline, const uint64_t *ids,
                       struct again *again, struct element_tree *out, struct error *err)
{
    bool ok;

    /* An unknown id is asked for at the null object, which never answers. */
    for (size_t i = 0; i < again->count; i++) {
        if (!ids_look(ids[i], &again->objects[i]))
            again->objects[i] = (struct known_object){ .bus = mem_strdup(ATSPI_REGISTRY),
                                                       .path = mem_strdup(ATSPI_NULL) };
    }
    ok = look_again(atspi, deadline, again->objects, again->count, again->nodes, err);
    if (ok)
        fill_again(again, ids, out);
    ok = ok &&
         details_read(atspi, deadline, again->details, again->count,
                      DETAIL_BOUNDS | DETAIL_VALUES | DETAIL_ACTIONS, err) &&
         panes_place_again(atspi, deadline, out, err);
    if (ok)
        see_again(again, out);
    for (size_t i = 0; i < again->count; i++) {
        free(again->nodes[i].name);
        free(again->nodes[i].description);
        known_object_free(&again->objects[i]);
    }
    return ok;
}

static bool read_ids(struct atspi *atspi, struct deadline *deadline, const uint64_t *ids,
                     size_t count, struct element_tree *out, struct error *err)
{
    struct again again = { mem_zero((count + 1) * sizeof *again.objects),
                           mem_zero((count + 1) * sizeof *again.nodes),
                           mem_zero((count + 1) * sizeof *again.details), count };
    bool ok = read_again(atspi, deadline, ids, &again, out, err);

    free(again.objects);
    free(again.nodes);
    free(again.details);
    if (!ok)
        element_tree_free(out);
    return ok;
}

/* Corrects the place of a window: GTK 4 reports where its border begins, seen from its content, and
 * adds that once more to the places of all elements in it. */
static void settle_frame(struct element_info *info)
{
    struct known_object object;

    if (!info->placed || !ids_look(info->id, &object))
        return;
    if (extents_within(object.bus)) {
        info->bounds.x *= 2;
        info->bounds.y *= 2;
    }
    known_object_free(&object);
}

void get_add_frame(struct atspi_frames *frames, struct element_info *info)
{
    settle_frame(info);
    frames->items = mem_resize(frames->items, (frames->count + 1) * sizeof *frames->items);
    frames->items[frames->count++] = (struct atspi_frame){ info->id, info->pid, info->placed,
                                                           info->bounds, mem_strdup(info->name) };
}

bool get_frames(struct atspi *atspi, struct deadline *deadline, const struct element_tree *of,
                struct atspi_frames *frames, struct error *err)
{
    uint64_t *ids = mem_zero((of->count + 1) * sizeof *ids);
    struct element_tree tree = { 0 };
    size_t count = 0;
    bool ok;

    for (size_t i = 0; i < of->count; i++) {
        size_t known = 0;

        while (known < count && ids[known] != of->items[i].window)
            known++;
        if (known == count && of->items[i].window && !of->items[i].gone)
            ids[count++] = of->items[i].window;
    }
    ok = read_ids(atspi, deadline, ids, count, &tree, err);
    for (size_t i = 0; i < tree.count; i++) {
        if (!tree.items[i].gone)
            get_add_frame(frames, &tree.items[i]);
    }
    element_tree_free(&tree);
    free(ids);
    return ok;
}

/* Adds the top-level elements of these elements, once each. */
static size_t add_frame_ids(uint64_t *ids, size_t count)
{
    size_t all = count;

    for (size_t i = 0; i < count; i++) {
        struct known_object object = { 0 };
        size_t known = count;

        if (!ids_look(ids[i], &object))
            continue;
        while (known < all && ids[known] != object.frame)
            known++;
        if (known == all && object.frame)
            ids[all++] = object.frame;
        known_object_free(&object);
    }
    return all;
}

/* Moves the elements behind the first `count`, which were added, into the frames. */
static void split_frames(struct element_tree *out, size_t count, struct atspi_frames *frames)
{
    for (size_t i = count; i < out->count; i++) {
        if (!out->items[i].gone)
            get_add_frame(frames, &out->items[i]);
        element_info_free(&out->items[i]);
    }
    out->count = count;
}

bool get_elements(struct atspi *atspi, struct deadline *deadline, const uint64_t *ids, size_t count,
                  struct element_tree *out, struct atspi_frames *frames, struct error *err)
{
    uint64_t *all = mem_zero((count * 2 + 1) * sizeof *all);
    bool ok;

    *out = (struct element_tree){ 0 };
    *frames = (struct atspi_frames){ 0 };
    atspi->until = 0;
    if (count)
        memcpy(all, ids, count * sizeof *all);
    ok = talk_begin(atspi, deadline, err) &&
         read_ids(atspi, deadline, all, add_frame_ids(all, count), out, err);
    if (ok)
        split_frames(out, count, frames);
    free(all);
    return ok;
}
