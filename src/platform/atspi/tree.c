/* Reading a tree. */
#include <stdio.h>
#include <stdlib.h>

#include "platform/atspi/bus/apps.h"
#include "platform/atspi/bus/details.h"
#include "platform/atspi/bus/direct.h"
#include "platform/atspi/bus/ids.h"
#include "platform/atspi/bus/roles.h"
#include "platform/atspi/get.h"
#include "platform/atspi/listen.h"
#include "platform/atspi/tree.h"
#include "platform/atspi/walk/about.h"
#include "platform/atspi/walk/aging.h"
#include "platform/atspi/walk/listing.h"
#include "platform/atspi/walk/panes.h"
#include "platform/atspi/walk/shown.h"
#include "platform/atspi/walk/walk.h"

/* Shares of the time: reading the nodes may take the first, and reading their details the second of
 * the rest. */
#define WALK_SHARE    0.7
#define DETAILS_SHARE 0.8

enum { DIRECT_TRIES = 5, DIRECT_AGAIN_MS = 2000 };

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
    out->cut = out->late = true;
    snprintf(out->note, sizeof out->note,
             "The application answers slowly: the time was over before all of it was read. Look "
             "again, which goes on from there");
}

/* Reports how long the application was waited for: only it can tell whether it is busy or hangs. */
static bool hung(int pid, uint64_t began, struct error *err)
{
    return error_set(err, "app_hung", "process %d did not respond for %.1f seconds", pid,
                     (double)(deadline_now() - began) / 1000);
}

/* --- details -------------------------------------------------------------------------------- */

/* Takes the bounds away: no place is better than a wrong one. */
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

/* --- a tree -------------------------------------------------------------------------------- */

/* Finds the node to begin with: the application, or an element of it. */
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
    struct cached_tree cached;
    uint64_t began;
    bool whole; /* the query is for the application, so the tree is kept */
    bool late;
    struct element_tree *out;
    struct atspi_frames *frames;
};

static void open_direct(struct reading *reading)
{
    struct cached_tree *cached = &reading->cached;
    bool offered;

    cached->direct = direct_open(reading->walk.atspi, reading->walk.deadline, reading->root.bus,
                                 reading->root.pid, &offered);
    if (cached->direct)
        return;
    cached->about.untaken++;
    cached->about.undirect = !offered || cached->about.untaken == DIRECT_TRIES;
    cached->about.direct_at = deadline_now() + DIRECT_AGAIN_MS;
}

/* Talks to the application by its own connection, if it has one. Opening it takes as long as a look
 * by which much is saved, so only a large application gets it with its first look. */
static void go_direct(struct reading *reading)
{
    struct atspi *atspi = reading->walk.atspi;
    struct cached_tree *cached = &reading->cached;
    bool worth = cached->lent && (cached->nodes.count || cached->about.uncached);

    if (cached->direct && !dbus_connection_get_is_connected(cached->direct)) {
        direct_close(cached->direct);
        cached->direct = NULL;
    }
    if (worth && !cached->direct && !cached->about.undirect &&
        cached->about.direct_at <= deadline_now())
        open_direct(reading);
    atspi->direct = cached->direct;
    atspi->direct_to = reading->root.bus;
}

/* Takes the kept tree, with all events about it until now. */
static bool reading_begin(struct reading *reading, struct error *err)
{
    struct walk *walk = &reading->walk;
    struct cached_tree *cached = &reading->cached;
    struct tree_about about = tree_cache_about(reading->root.bus);
    bool heard = false;

    if (!about_ask(walk, reading->root.bus, &about, err))
        return false;
    walk->trusted = about.trusted;
    if (!reading->whole)
        return true;
    if (!about_judge_size(walk, reading->root.bus, &about, err))
        return false;
    if (about.tells &&
        !listen_until_now(walk->atspi, walk->deadline, reading->root.bus, &heard, err))
        return false;
    tree_cache_take(reading->root.bus, reading->root.pid, cached);
    cached->about = about;
    go_direct(reading);
    walk->reused = cached->nodes.count > 0;
    if (walk->reused)
        aging_mark(cached, nodes_add(&cached->nodes, reading->root.bus, reading->root.path), heard);
    walk->nodes = cached->nodes;
    cached->nodes = (struct nodes){ 0 };
    return true;
}

static bool has_cache(const struct tree_about *about)
{
    return !about->uncached && !about->stale;
}

static bool read_nodes(struct reading *reading, struct error *err)
{
    struct walk *walk = &reading->walk;
    const struct known_object *root = &reading->root;

    walk->root = nodes_add(&walk->nodes, root->bus, root->path);
    if (walk->root < 0)
        return error_set(err, "element_gone", "the element is gone");
    if (reading->whole && !walk->reused && has_cache(&reading->cached.about) &&
        !cache_read(walk, root->bus, err))
        return false;
    if (!(!reading->whole && walk->query->aim.x > 0 ? hit_read(walk, err) : walk_on(walk, err)))
        return false;
    if (!walk->nodes.odd)
        return true;
    nodes_free(&walk->nodes);
    walk->reused = walk->cut = walk->late = false;
    return read_nodes(reading, err);
}

/* Judges whether the cache is quicker than a kept tree: three questions for each shown element cost
 * as much as about seven elements of the cache. */
static void judge_cache(struct reading *reading)
{
    const struct walk *walk = &reading->walk;

    if (!walk->reused && !reading->late)
        reading->cached.about.quick = walk->cached && walk->nodes.count <= walk->cached + 1 &&
                                      reading->out->count * 7 > walk->nodes.count;
}

/* True if events may be missing: GTK 3 has a cache of its elements once it knows of a listener, and
 * only then its events come. */
static bool may_have_missed(const struct reading *reading)
{
    return reading->cached.about.tells && !reading->walk.reused && !reading->walk.cached;
}

static void say_route(const struct walk *walk, struct element_tree *out)
{
    snprintf(out->route, sizeof out->route, "at-spi %s",
             walk->reused                            ? "kept"
             : !walk->cached                         ? "walk"
             : walk->nodes.count <= walk->cached + 1 ? "cache"
                                                     : "cache and walk");
}

static bool root_answered(const struct walk *walk)
{
    const struct node *root = &walk->nodes.items[walk->root];

    return walk->nodes.count > 1 && (!walk->reused || (root->age == NODE_NEW && !root->dead));
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
    out->late = out->late || walk->late;
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
            get_add_frame(reading->frames, &out->items[i]);
    }
    if (ok && !reading->frames->count) /* below a window, which is asked by itself */
        ok = get_frames(walk->atspi, walk->deadline, out, reading->frames, err);
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

/* True if the tree is kept. GTK 4 answers for all elements at once sooner than for each. Elements
 * that are not in the tree any more stay in the set, until they are most of it. If the time was
 * over, the next look goes on. */
static bool is_worth_keeping(const struct reading *reading, bool ok)
{
    const struct nodes *nodes = &reading->walk.nodes;

    return (ok || reading->late) && !reading->cached.about.quick &&
           (reading->walk.trusted || reading->cached.about.uncached) && !may_have_missed(reading) &&
           nodes->count && nodes->count <= 1000 + 2 * count_below(nodes, reading->walk.root);
}

/* Goes back to the bus. If nothing was answered, the application's own connection is not used
 * again. */
static void end_direct(struct reading *reading)
{
    const struct walk *walk = &reading->walk;

    walk->atspi->direct = NULL;
    if (!reading->late || root_answered(walk))
        return;
    direct_close(reading->cached.direct);
    reading->cached.direct = NULL;
}

/* Reads the tree, from the known connection, or (`anew`) from one that is looked for. */
static bool read_once(struct reading *reading, bool anew, struct error *err)
{
    struct walk *walk = &reading->walk;
    const struct element_query *query = walk->query;
    bool ok;

    reading->root = (struct known_object){ 0 };
    reading->began = deadline_now();
    if (!query->root && !anew)
        reading->root.bus = tree_cache_bus(query->pid);
    if (reading->root.bus) {
        reading->root.path = mem_strdup(ATSPI_ROOT);
        reading->root.pid = query->pid;
    } else if (!find_root(walk->atspi, walk->deadline, query, &reading->root, err)) {
        return false;
    }
    reading->whole = !query->root;
    ok = reading_begin(reading, err);
    if (!ok && late(err))
        hung(reading->root.pid, reading->began, err);
    ok = ok && read_tree(reading, err);
    end_direct(reading);
    reading->cached.nodes = walk->nodes;
    tree_cache_put(reading->root.bus, &reading->cached, is_worth_keeping(reading, ok));
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
        tree_cache_gone(reading.root.bus); /* the application has another connection now, or none */
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
