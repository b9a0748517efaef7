/* The operations that read: a tree, and some elements once more. */
#include <stdio.h>
#include <stdlib.h>

#include "platform/atspi/apps.h"
#include "platform/atspi/details.h"
#include "platform/atspi/ids.h"
#include "platform/atspi/roles.h"
#include "platform/atspi/tree.h"
#include "platform/atspi/walk.h"

/* Of the time there is, reading what there is may take so much; the rest is for its details. */
#define WALK_SHARE 0.7

/* --- from nodes to a list ------------------------------------------------------------------- */

struct listing {
    const struct walk *walk;
    int pid;
    struct element_tree *out;
    struct detailed *details; /* beside out->items */
    size_t room;
};

static void fill(const struct node *node, struct element_info *info)
{
    const char *native;

    info->role = roles_of(node->role, node->states, &native);
    info->native = mem_strdup(native);
    info->states = roles_states(node->states);
    info->abilities = node->abilities;
    info->index = node->index;
    info->children = node->count;
    info->name = element_clean(node->name ? node->name : "", ELEMENT_NAME_MAX, &info->name_cut);
    info->description =
        element_clean(node->description ? node->description : "", ELEMENT_NAME_MAX, NULL);
    info->value = mem_strdup("");
}

static void make_room(struct listing *listing, size_t room)
{
    listing->room = room;
    listing->out->items = mem_resize(listing->out->items, room * sizeof *listing->out->items);
    listing->details = mem_resize(listing->details, room * sizeof *listing->details);
}

static struct element_info *add(struct listing *listing, const struct node *node)
{
    struct element_tree *out = listing->out;

    if (out->count == listing->room)
        make_room(listing, listing->room * 2);
    listing->details[out->count] = (struct detailed){ .bus = node->bus, .path = node->path };
    out->items[out->count] = (struct element_info){ .pid = listing->pid };
    fill(node, &out->items[out->count]);
    return &out->items[out->count++];
}

/* The application itself is listed as the root of all, so that its windows stand at depth 1. */
static void list(struct listing *listing, int place, int depth, uint64_t parent, uint64_t frame)
{
    const struct walk *walk = listing->walk;
    const struct node *node = &walk->nodes.items[place];
    struct element_info *info;
    size_t mine;
    uint64_t id;
    int own;

    if (!node->known || node->dead || !walk_wants(walk, place, depth))
        return;
    if (listing->out->count >= walk->query->nodes) {
        listing->out->cut = true;
        return;
    }
    mine = listing->out->count;
    info = add(listing, node);
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
            list(listing, node->children[i], depth + 1, id, frame);
        listing->out->items[mine].listed += listing->out->count > before;
    }
    /* GTK 3 has a popover in its window, and in the button that it belongs to */
    own = node->count - node->elsewhere;
    if (own > node->listed || depth == walk->query->depth)
        listing->out->cut = listing->out->cut || own > listing->out->items[mine].listed;
}

static bool read_details(struct atspi *atspi, struct deadline *deadline,
                         const struct element_query *query, struct listing *listing,
                         struct error *err)
{
    struct element_tree *out = listing->out;
    unsigned which = (query->bounds ? DETAIL_BOUNDS : 0) | (query->values ? DETAIL_VALUES : 0) |
                     (query->actions ? DETAIL_ACTIONS : 0);

    for (size_t i = 0; i < out->count; i++)
        listing->details[i].info = &out->items[i];
    return details_read(atspi, deadline, listing->details, out->count, which, err);
}

/* --- windows -------------------------------------------------------------------------------- */

static void add_frame(struct atspi_frames *frames, const struct element_info *info)
{
    frames->items = mem_resize(frames->items, (frames->count + 1) * sizeof *frames->items);
    frames->items[frames->count++] = (struct atspi_frame){ info->id, info->pid, info->placed,
                                                           info->bounds, mem_strdup(info->name) };
}

/* --- one or more objects by their ids -------------------------------------------------------- */

/* Reads each anew; those that do not answer are marked. */
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

        fill(&again->nodes[i], info);
        info->id = ids[i];
        info->pid = again->objects[i].pid;
        info->parent = again->objects[i].parent;
        info->window = again->objects[i].frame;
        info->gone = again->nodes[i].dead;
        again->details[i] = (struct detailed){ .info = info,
                                               .bus = again->nodes[i].bus,
                                               .path = again->nodes[i].path };
        if (info->gone)
            info->abilities = 0; /* nothing more is asked of it */
    }
}

static bool read_again(struct atspi *atspi, struct deadline *deadline, const uint64_t *ids,
                       struct again *again, struct element_tree *out, struct error *err)
{
    bool ok;

    /* those that nobody knows are asked at the null object, which nobody answers for */
    for (size_t i = 0; i < again->count; i++) {
        if (!ids_look(ids[i], &again->objects[i]))
            again->objects[i] = (struct known_object){ .bus = mem_strdup(ATSPI_REGISTRY),
                                                       .path = mem_strdup(ATSPI_NULL) };
    }
    ok = look_again(atspi, deadline, again->objects, again->count, again->nodes, err);
    if (ok)
        fill_again(again, ids, out);
    ok = ok && details_read(atspi, deadline, again->details, again->count,
                            DETAIL_BOUNDS | DETAIL_VALUES | DETAIL_ACTIONS, err);
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

/* The top-level elements of those: once each, where they are now. */
static bool read_frames(struct atspi *atspi, struct deadline *deadline,
                        const struct element_tree *of, struct atspi_frames *frames,
                        struct error *err)
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
            add_frame(frames, &tree.items[i]);
    }
    element_tree_free(&tree);
    free(ids);
    return ok;
}

bool tree_get(struct atspi *atspi, struct deadline *deadline, const uint64_t *ids, size_t count,
              struct element_tree *out, struct atspi_frames *frames, struct error *err)
{
    *out = (struct element_tree){ 0 };
    *frames = (struct atspi_frames){ 0 };
    atspi->until = 0;
    if (!talk_begin(atspi, deadline, err) || !read_ids(atspi, deadline, ids, count, out, err))
        return false;
    if (read_frames(atspi, deadline, out, frames, err))
        return true;
    element_tree_free(out);
    atspi_frames_free(frames);
    return false;
}

/* --- a tree -------------------------------------------------------------------------------- */

static bool late(const struct error *err)
{
    return strcmp(err->code, "late") == 0;
}

/* Where to begin: the application, or an element of it. */
static bool find_root(struct atspi *atspi, struct deadline *deadline,
                      const struct element_query *query, struct known_object *root,
                      struct error *err)
{
    *root = (struct known_object){ 0 };
    if (query->root) {
        if (ids_look(query->root, root))
            return true;
        return error_set(err, "element_gone", "the element is not known any more. Look again");
    }
    root->bus = apps_find(atspi, deadline, query->pid, err);
    root->path = root->bus ? mem_strdup(ATSPI_ROOT) : NULL;
    root->pid = query->pid;
    return root->bus != NULL;
}

/* Whether its application says truly what is shown: GTK 4 says it of nothing. */
static bool ask_trust(struct walk *walk, const char *bus, struct error *err)
{
    char toolkit[32];
    int version;
    bool ok =
        apps_toolkit(walk->atspi, walk->deadline, bus, toolkit, sizeof toolkit, &version, err);

    walk->trusted = !(strcasecmp(toolkit, "gtk") == 0 && version >= 4);
    return ok;
}

static bool read_nodes(struct walk *walk, const struct known_object *root, struct error *err)
{
    bool whole = strcmp(root->path, ATSPI_ROOT) == 0;

    if (whole && !cache_read(walk, root->bus, err))
        return false;
    walk->root = nodes_add(&walk->nodes, root->bus, root->path);
    if (walk->root < 0)
        return error_set(err, "element_gone", "the element is gone");
    return walk_on(walk, err);
}

static void say_route(const struct walk *walk, struct element_tree *out)
{
    snprintf(out->route, sizeof out->route, "at-spi %s",
             !walk->cached                           ? "walk"
             : walk->nodes.count <= walk->cached + 1 ? "cache"
                                                     : "cache and walk");
}

static bool read_tree(struct walk *walk, const struct known_object *root, struct element_tree *out,
                      struct atspi_frames *frames, struct error *err)
{
    struct listing listing = { .walk = walk, .pid = root->pid, .out = out };
    bool ok = read_nodes(walk, root, err);

    if (!ok && late(err)) {
        out->cut = true;
        ok = walk->nodes.count > 1 ||
             error_set(err, "app_hung", "process %d does not respond", root->pid);
    }
    if (!ok)
        return false;
    if (walk->nodes.items[walk->root].dead)
        return error_set(err, "element_gone", "the element is gone");
    out->cut = out->cut || walk->cut;
    make_room(&listing, 128);
    list(&listing, walk->root, 0, root->parent, root->frame);
    walk->atspi->until = 0;
    ok = read_details(walk->atspi, walk->deadline, walk->query, &listing, err);
    free(listing.details);
    say_route(walk, out);
    for (size_t i = 0; ok && i < out->count; i++) {
        if (out->items[i].id == out->items[i].window)
            add_frame(frames, &out->items[i]);
    }
    if (ok && !frames->count) /* below a window: which is asked by itself */
        ok = read_frames(walk->atspi, walk->deadline, out, frames, err);
    return ok;
}

static uint64_t share_of(const struct deadline *deadline)
{
    uint64_t left = deadline_left(deadline);

    return left == UINT64_MAX ? 0 : deadline_now() + (uint64_t)((double)left * WALK_SHARE);
}

bool tree_read(struct atspi *atspi, struct deadline *deadline, const struct element_query *asked,
               struct element_tree *out, struct atspi_frames *frames, struct error *err)
{
    struct element_query query = *asked;
    struct walk walk = { .atspi = atspi, .deadline = deadline, .query = &query };
    struct known_object root;
    bool ok;

    *out = (struct element_tree){ 0 };
    *frames = (struct atspi_frames){ 0 };
    query.nodes = query.nodes ? query.nodes : ELEMENT_NODES;
    query.depth = query.depth ? query.depth : ELEMENT_DEPTH;
    query.children = query.children ? query.children : ELEMENT_CHILDREN;
    atspi->until = share_of(deadline);
    ok = talk_begin(atspi, deadline, err) && find_root(atspi, deadline, &query, &root, err);
    if (!ok)
        return false;
    ok = ask_trust(&walk, root.bus, err);
    if (!ok && late(err))
        error_set(err, "app_hung", "process %d does not respond", root.pid);
    ok = ok && read_tree(&walk, &root, out, frames, err);
    nodes_free(&walk.nodes);
    known_object_free(&root);
    if (ok)
        return true;
    element_tree_free(out);
    atspi_frames_free(frames);
    return false;
}
