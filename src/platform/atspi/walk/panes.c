#include "platform/atspi/walk/panes.h"

#include <math.h>
#include <stdlib.h>

#include "platform/atspi/bus/details.h"
#include "platform/atspi/bus/ids.h"

struct pane {
    uint64_t id;
    struct point by; /* offset by which it and all elements in it have to move */
    bool page;
    bool known;   /* its place has been compared */
    double scale; /* and it is so many times too large; 0: it has the right size */
};

/* The panes of one list. */
struct panes {
    struct pane *items;
    size_t count;
    uint64_t *within; /* for each of the list: the pane that it is in; 0: none */
};

static bool is_pane(const struct element_info *info)
{
    return info->native && strcmp(info->native, "root pane") == 0;
}

/* True for a page, even for that of a frame in another page. */
static bool is_page(const struct element_info *info)
{
    return info->role == ELEMENT_DOCUMENT && info->native &&
           strcmp(info->native, "document web") == 0;
}

bool panes_are_in(const struct element_tree *tree)
{
    if (tree->count && ids_pane(tree->items[0].id))
        return true;
    for (size_t i = 0; i < tree->count; i++) {
        if (is_pane(&tree->items[i]))
            return true;
    }
    return false;
}

/* --- by how much a pane is off -------------------------------------------------------------- */

static bool is_same_size(struct rect a, struct rect b)
{
    return fabs(a.width - b.width) <= 1 && fabs(a.height - b.height) <= 1;
}

/* The factor by which a page is larger than the element that holds it, and farther from the origin;
 * 0: it is not larger in proportion. */
static double scale_of(struct rect page, struct rect holder)
{
    double scale = holder.width > 0 ? page.width / holder.width : 0;
    bool alike = fabs(page.height - holder.height * scale) <= 2 * scale &&
                 fabs(page.x - holder.x * scale) <= 2 * scale &&
                 fabs(page.y - holder.y * scale) <= 2 * scale;

    return scale >= 1.1 && alike ? scale : 0;
}

static void pane_fit(struct pane *pane, struct rect told, struct rect holder)
{
    pane->known = true;
    if (!is_same_size(told, holder))
        pane->scale = scale_of(told, holder);
    else if (!pane->page)
        pane->by = (struct point){ holder.x - told.x, holder.y - told.y };
}

/* Reads the offset of a pane. Swing has a pane of this role, too, which is smaller than the element
 * that holds it or lies right. */
static bool read_offset(struct atspi *atspi, struct deadline *deadline, struct pane *pane,
                        struct error *err)
{
    struct element_info infos[2] = { { .abilities = ELEMENT_CAN_FOCUS },
                                     { .abilities = ELEMENT_CAN_FOCUS } };
    struct known_object objects[2] = { 0 };
    struct detailed details[2];
    bool ok = true;

    if (ids_look(pane->id, &objects[0]) && ids_look(objects[0].parent, &objects[1])) {
        for (int i = 0; i < 2; i++)
            details[i] = (struct detailed){ .info = &infos[i],
                                            .bus = objects[i].bus,
                                            .path = objects[i].path };
        ok = details_read(atspi, deadline, details, 2, DETAIL_BOUNDS, err);
    }
    if (ok && infos[0].placed && infos[1].placed)
        pane_fit(pane, infos[0].bounds, infos[1].bounds);
    known_object_free(&objects[0]);
    known_object_free(&objects[1]);
    return ok;
}

static struct pane *panes_find(const struct panes *panes, uint64_t id)
{
    for (size_t i = 0; i < panes->count; i++) {
        if (panes->items[i].id == id)
            return &panes->items[i];
    }
    return NULL;
}

static bool read_offsets(struct atspi *atspi, struct deadline *deadline, struct panes *panes,
                         size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!panes->within[i] || panes_find(panes, panes->within[i]))
            continue;
        panes->items = mem_resize(panes->items, (panes->count + 1) * sizeof *panes->items);
        panes->items[panes->count] = (struct pane){ .id = panes->within[i] };
        if (!read_offset(atspi, deadline, &panes->items[panes->count++], err))
            return false;
    }
    return true;
}

/* --- the pane of each element --------------------------------------------------------------- */

static struct panes panes_begin(const struct element_tree *tree)
{
    return (struct panes){ .within = mem_zero((tree->count + 1) * sizeof(uint64_t)) };
}

/* The place of each element's parent, -1: none. Parents come before their children. */
static int *find_parents(const struct element_tree *tree)
{
    int *parents = mem_zero((tree->count + 1) * sizeof *parents), at = -1;

    for (size_t i = 0; i < tree->count; i++) {
        while (at >= 0 && tree->items[at].depth >= tree->items[i].depth)
            at = parents[at];
        parents[i] = at;
        at = (int)i;
    }
    return parents;
}

static void find_within(struct panes *panes, const struct element_tree *tree, const int *parents)
{
    for (size_t i = 0; i < tree->count; i++) {
        const struct element_info *info = &tree->items[i];

        panes->within[i] = parents[i] < 0 ? ids_pane(info->id) : panes->within[parents[i]];
        if (is_pane(info) || (is_page(info) && !panes->within[i]))
            panes->within[i] = info->id;
    }
}

/* True for a widget of GTK, which fills the element of LibreOffice that holds it, and lies where
 * that will be. */
static bool is_right(const struct element_info *info, const struct element_info *above,
                     struct point by)
{
    return (by.x != 0 || by.y != 0) && info->placed && above->placed &&
           is_same_size(info->bounds, above->bounds) && info->bounds.x == above->bounds.x + by.x &&
           info->bounds.y == above->bounds.y + by.y;
}

static void take_out_right_ones(struct panes *panes, const struct element_tree *tree,
                                const int *parents)
{
    for (size_t i = 0; i < tree->count; i++) {
        const struct element_info *info = &tree->items[i];
        int above = parents[i];

        if (above < 0 || !panes->within[i] || panes->within[i] == info->id)
            continue;
        if (!panes->within[above] ||
            is_right(info, &tree->items[above], panes_find(panes, panes->within[i])->by))
            panes->within[i] = 0;
    }
}

/* Fits pages to the elements that hold them: both are in the tree, mostly. */
static void fit_pages(struct panes *panes, const struct element_tree *tree, const int *parents)
{
    for (size_t i = 0; i < tree->count; i++) {
        const struct element_info *page = &tree->items[i], *holder;

        if (parents[i] < 0 || !is_page(page) || panes->within[i] != page->id)
            continue;
        holder = &tree->items[parents[i]];
        panes->items = mem_resize(panes->items, (panes->count + 1) * sizeof *panes->items);
        panes->items[panes->count] = (struct pane){ .id = page->id, .page = true };
        if (page->placed && holder->placed)
            pane_fit(&panes->items[panes->count], page->bounds, holder->bounds);
        panes->count++;
    }
}

/* --- moving --------------------------------------------------------------------------------- */

static void rect_shrink(struct rect *bounds, double scale)
{
    *bounds = (struct rect){ bounds->x / scale, bounds->y / scale, bounds->width / scale,
                             bounds->height / scale };
}

static void move(const struct panes *panes, struct element_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        const struct pane *pane = panes->within[i] ? panes_find(panes, panes->within[i]) : NULL;

        if (!pane || !tree->items[i].placed)
            continue;
        tree->items[i].bounds.x += pane->by.x;
        tree->items[i].bounds.y += pane->by.y;
        if (pane->scale > 0)
            rect_shrink(&tree->items[i].bounds, pane->scale);
    }
}

/* Notes each element's pane. Pages that lie right, as most do, need not be asked for again with
 * each element. */
static void panes_note(const struct panes *panes, const struct element_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        const struct pane *pane = panes->within[i] ? panes_find(panes, panes->within[i]) : NULL;

        if (pane && pane->page && !pane->known)
            continue;
        ids_set_pane(tree->items[i].id, pane && pane->page && !pane->scale ? 0 : panes->within[i]);
    }
}

bool panes_place(struct atspi *atspi, struct deadline *deadline, struct element_tree *tree,
                 struct error *err)
{
    struct panes panes;
    int *parents;
    bool ok;

    panes = panes_begin(tree);
    parents = find_parents(tree);
    find_within(&panes, tree, parents);
    fit_pages(&panes, tree, parents);
    ok = read_offsets(atspi, deadline, &panes, tree->count, err);
    if (ok) {
        take_out_right_ones(&panes, tree, parents);
        move(&panes, tree);
        panes_note(&panes, tree);
    }
    free(parents);
    free(panes.within);
    free(panes.items);
    return ok;
}

bool panes_place_again(struct atspi *atspi, struct deadline *deadline, struct element_tree *tree,
                       struct error *err)
{
    struct panes panes = panes_begin(tree);
    bool ok;

    for (size_t i = 0; i < tree->count; i++)
        panes.within[i] = tree->items[i].gone ? 0 : ids_pane(tree->items[i].id);
    ok = read_offsets(atspi, deadline, &panes, tree->count, err);
    if (ok)
        move(&panes, tree);
    free(panes.within);
    free(panes.items);
    return ok;
}
