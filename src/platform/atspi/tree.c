/* The operations that read: a tree, and some elements once more. */
#include <stdio.h>
#include <stdlib.h>

#include "platform/atspi/aging.h"
#include "platform/atspi/apps.h"
#include "platform/atspi/details.h"
#include "platform/atspi/ids.h"
#include "platform/atspi/listen.h"
#include "platform/atspi/listing.h"
#include "platform/atspi/panes.h"
#include "platform/atspi/roles.h"
#include "platform/atspi/shown.h"
#include "platform/atspi/tree.h"
#include "platform/atspi/walk.h"

/* Of the time there is, reading what there is may take so much; and of what is left then, its
 * details. */
#define WALK_SHARE    0.7
#define DETAILS_SHARE 0.8

enum {
    CACHE_MAX = 400 /* elements that an application seems to have, to be asked for its cache */
};

/* --- time ---------------------------------------------------------------------------------- */

static uint64_t share_of(const struct deadline *deadline, double share)
{
    uint64_t left = deadline_left(deadline);

    return left == UINT64_MAX ? 0 : deadline_now() + (uint64_t)((double)left * share);
}

static bool late(const struct error *err)
{
    return strcmp(err->code, "late") == 0;
}

static void cut_short(struct element_tree *out)
{
    out->cut = true;
    snprintf(out->note, sizeof out->note,
             "The application answers slowly: the time was over before all of it was read. Look "
             "again, which goes on from there");
}

/* Whether it is busy or hangs, nobody else can tell; so how long it was waited for is told. */
static bool hung(int pid, uint64_t began, struct error *err)
{
    return error_set(err, "app_hung", "process %d did not respond for %.1f seconds", pid,
                     (double)(deadline_now() - began) / 1000);
}

/* --- details -------------------------------------------------------------------------------- */

/* No place is better than one beside it. */
static void unplace(struct element_tree *out)
{
    for (size_t i = 0; i < out->count; i++)
        out->items[i].placed = false;
}

static bool read_details(struct atspi *atspi, struct deadline *deadline,
                         const struct element_query *query, struct listing *listing,
                         struct error *err)
{
    struct element_tree *out = listing->out;
    bool bounds = query->bounds || !listing->walk->trusted || panes_are_in(out);
    unsigned which = (bounds ? DETAIL_BOUNDS : 0) | (query->values ? DETAIL_VALUES : 0) |
                     (query->actions ? DETAIL_ACTIONS : 0);

    for (size_t i = 0; i < out->count; i++)
        listing->details[i].info = &out->items[i];
    atspi->until = share_of(deadline, DETAILS_SHARE);
    if (!details_read(atspi, deadline, listing->details, out->count, which, err)) {
        if (!late(err))
            return false;
        cut_short(out);
    }
    atspi->until = share_of(deadline, DETAILS_SHARE);
    if (!panes_place(atspi, deadline, out, err)) {
        if (!late(err))
            return false;
        cut_short(out);
        unplace(out);
    }
    atspi->until = 0;
    return true;
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
            info->abilities = 0; /* nothing more is asked of it */
    }
}

/* Of those that do not tell it. */
static void see_again(const struct again *again, struct element_tree *out)
{
    for (size_t i = 0; i < again->count; i++) {
        struct kept_about about = kept_about(again->objects[i].bus);
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

    /* those that nobody knows are asked at the null object, which nobody answers for */
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

struct reading {
    struct walk walk;
    struct known_object root;
    struct kept kept;
    uint64_t began;
    bool whole; /* the application: it is kept */
    bool late;
    struct element_tree *out;
    struct atspi_frames *frames;
};

/* Those that say that they are GTK 3, and are not: they tell less of what happens, and
 * LibreOffice's cache lacks what came after its start. */
static bool is_foreign(const char *name)
{
    static const char *const begins[] = { "soffice", "libreoffice", "openoffice", "eclipse",
                                          "java" };

    for (size_t i = 0; i < countof(begins); i++) {
        if (strncasecmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    }
    return false;
}

/* GTK 4 says of nothing that it is shown. GTK 3 tells what happens. */
static bool ask_about(struct reading *reading, struct kept_about *about, struct error *err)
{
    struct toolkit toolkit;
    bool gtk;

    if (about->known)
        return true;
    if (!apps_toolkit(reading->walk.atspi, reading->walk.deadline, reading->root.bus, &toolkit,
                      err))
        return false;
    gtk = strcasecmp(toolkit.name, "gtk") == 0;
    about->trusted = !(gtk && toolkit.version >= 4);
    about->uncached = is_foreign(toolkit.application);
    about->tells = gtk && toolkit.version == 3 && !about->uncached;
    about->known = true;
    return true;
}

/* An application answers for its whole cache or not at all, and GTK 3 fills it as soon as somebody
 * listens: where that is large it would hang. */
static bool judge_size(struct reading *reading, struct kept_about *about, struct error *err)
{
    struct walk *walk = &reading->walk;
    size_t size = 0;
    bool ok;

    if (about->sized || about->uncached)
        return true;
    walk->root = nodes_add(&walk->nodes, reading->root.bus, reading->root.path);
    ok = walk->root < 0 || walk_sample(walk, &size, err);
    nodes_free(&walk->nodes);
    if (!ok || walk->root < 0)
        return ok;
    about->sized = true;
    about->uncached = size > CACHE_MAX;
    about->tells = about->tells && !about->uncached;
    return true;
}

/* Takes what is kept, with what was told of it until now. */
static bool begin(struct reading *reading, struct error *err)
{
    struct walk *walk = &reading->walk;
    struct kept *kept = &reading->kept;
    struct kept_about about = kept_about(reading->root.bus);
    bool heard = false;

    if (!ask_about(reading, &about, err))
        return false;
    walk->trusted = about.trusted;
    if (!reading->whole)
        return true;
    if (!judge_size(reading, &about, err))
        return false;
    if (about.tells &&
        !listen_until_now(walk->atspi, walk->deadline, reading->root.bus, &heard, err))
        return false;
    kept_take(reading->root.bus, reading->root.pid, kept);
    kept->about = about;
    walk->kept = kept->nodes.count > 0;
    if (walk->kept)
        aging_mark(kept, nodes_add(&kept->nodes, reading->root.bus, reading->root.path), heard);
    walk->nodes = kept->nodes;
    kept->nodes = (struct nodes){ 0 };
    return true;
}

static bool read_nodes(struct reading *reading, struct error *err)
{
    struct walk *walk = &reading->walk;
    const struct known_object *root = &reading->root;

    walk->root = nodes_add(&walk->nodes, root->bus, root->path);
    if (walk->root < 0)
        return error_set(err, "element_gone", "the element is gone");
    if (reading->whole && !walk->kept && !reading->kept.about.uncached &&
        !cache_read(walk, root->bus, err))
        return false;
    if (!walk_on(walk, err))
        return false;
    if (!walk->nodes.odd)
        return true;
    nodes_free(&walk->nodes);
    walk->kept = walk->cut = false;
    return read_nodes(reading, err);
}

/* Three questions for each element that is shown cost as much as the cache tells of about seven. */
static void judge_cache(struct reading *reading)
{
    const struct walk *walk = &reading->walk;

    if (!walk->kept && !reading->late)
        reading->kept.about.quick = walk->cached && walk->nodes.count <= walk->cached + 1 &&
                                    reading->out->count * 7 > walk->nodes.count;
}

/* GTK 3 has a cache of its elements once it knows who listens, and only then its events are heard.
 */
static bool may_have_missed(const struct reading *reading)
{
    return reading->kept.about.tells && !reading->walk.kept && !reading->walk.cached;
}

static void say_route(const struct walk *walk, struct element_tree *out)
{
    snprintf(out->route, sizeof out->route, "at-spi %s",
             walk->kept                              ? "kept"
             : !walk->cached                         ? "walk"
             : walk->nodes.count <= walk->cached + 1 ? "cache"
                                                     : "cache and walk");
}

static bool root_answered(const struct walk *walk)
{
    const struct node *root = &walk->nodes.items[walk->root];

    return walk->nodes.count > 1 && (!walk->kept || (root->age == NODE_NEW && !root->dead));
}

static bool list_nodes(struct reading *reading, struct listing *listing, struct error *err)
{
    struct walk *walk = &reading->walk;
    struct element_tree *out = reading->out;
    bool ok = read_nodes(reading, err);

    reading->late = !ok && late(err);
    if (reading->late) {
        cut_short(out);
        ok = root_answered(walk) || hung(reading->root.pid, reading->began, err);
    }
    if (!ok)
        return false;
    if (walk->nodes.items[walk->root].dead)
        return error_set(err, "element_gone", "the element is gone");
    out->cut = out->cut || walk->cut;
    listing_add(listing, walk->root, 0, reading->root.parent, reading->root.frame);
    judge_cache(reading);
    return true;
}

static bool read_tree(struct reading *reading, struct error *err)
{
    struct walk *walk = &reading->walk;
    struct element_tree *out = reading->out;
    struct listing listing = { .walk = walk, .pid = reading->root.pid, .out = out };
    bool ok;

    listing_room(&listing, 128);
    ok = list_nodes(reading, &listing, err);
    ok = ok && read_details(walk->atspi, walk->deadline, walk->query, &listing, err);
    if (ok && !walk->trusted)
        shown_decide(out, listing.details);
    if (ok && !walk->trusted && !walk->query->hidden)
        shown_keep(out);
    free(listing.details);
    say_route(walk, out);
    for (size_t i = 0; ok && i < out->count; i++) {
        if (out->items[i].id == out->items[i].window)
            add_frame(reading->frames, &out->items[i]);
    }
    if (ok && !reading->frames->count) /* below a window: which is asked by itself */
        ok = read_frames(walk->atspi, walk->deadline, out, reading->frames, err);
    return ok;
}

static size_t count_below(const struct nodes *nodes, int place)
{
    const struct node *node = &nodes->items[place];
    size_t count = 1;

    for (int i = 0; i < node->listed; i++)
        count += count_below(nodes, node->children[i]);
    return count;
}

/* GTK 4 answers for all at once sooner than for each. What is not in the tree any more stays in the
 * set, until it is most of it. Where the time was over the next look goes on. */
static bool is_worth_keeping(const struct reading *reading, bool ok)
{
    const struct nodes *nodes = &reading->walk.nodes;

    return (ok || reading->late) && !reading->kept.about.quick &&
           (reading->walk.trusted || reading->kept.about.uncached) && !may_have_missed(reading) &&
           nodes->count && nodes->count <= 1000 + 2 * count_below(nodes, reading->walk.root);
}

/* From the connection that is known, or (`anew`) looked for. */
static bool read_once(struct reading *reading, bool anew, struct error *err)
{
    struct walk *walk = &reading->walk;
    const struct element_query *query = walk->query;
    bool ok;

    reading->root = (struct known_object){ 0 };
    reading->began = deadline_now();
    if (!query->root && !anew)
        reading->root.bus = kept_bus(query->pid);
    if (reading->root.bus) {
        reading->root.path = mem_strdup(ATSPI_ROOT);
        reading->root.pid = query->pid;
    } else if (!find_root(walk->atspi, walk->deadline, query, &reading->root, err)) {
        return false;
    }
    reading->whole = !query->root;
    ok = begin(reading, err);
    if (!ok && late(err))
        hung(reading->root.pid, reading->began, err);
    ok = ok && read_tree(reading, err);
    reading->kept.nodes = walk->nodes;
    kept_put(reading->root.bus, &reading->kept, is_worth_keeping(reading, ok));
    walk->nodes = (struct nodes){ 0 };
    return ok;
}

bool tree_read(struct atspi *atspi, struct deadline *deadline, const struct element_query *asked,
               struct element_tree *out, struct atspi_frames *frames, struct error *err)
{
    struct element_query query = *asked;
    struct reading reading = { .walk = { .atspi = atspi, .deadline = deadline, .query = &query },
                               .out = out,
                               .frames = frames };
    bool ok;

    *out = (struct element_tree){ 0 };
    *frames = (struct atspi_frames){ 0 };
    query.nodes = query.nodes ? query.nodes : ELEMENT_NODES;
    query.depth = query.depth ? query.depth : ELEMENT_DEPTH;
    query.children = query.children ? query.children : ELEMENT_CHILDREN;
    atspi->until = share_of(deadline, WALK_SHARE);
    if (!talk_begin(atspi, deadline, err))
        return false;
    ok = read_once(&reading, false, err);
    if (!ok && !query.root && strcmp(err->code, "element_gone") == 0) {
        kept_gone(reading.root.bus); /* it has another connection now, or none */
        known_object_free(&reading.root);
        ok = read_once(&reading, true, err);
    }
    known_object_free(&reading.root);
    if (ok)
        return true;
    element_tree_free(out);
    atspi_frames_free(frames);
    return false;
}
