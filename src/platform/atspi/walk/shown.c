#include "platform/atspi/walk/shown.h"

#include <stdlib.h>

/* The state of an element, beside the tree. */
struct place {
    int parent;   /* the parent's place; -1 */
    bool visible; /* it is visible, and so are all elements around it */
    bool shown;
    bool clipped;
    struct rect clip; /* the visible part of the scroll areas around it */
};

bool shown_alone(const struct element_info *info, bool visible)
{
    return visible && info->placed && info->bounds.width > 1 && info->bounds.height > 1;
}

static bool is_top(const struct element_info *info)
{
    return info->role == ELEMENT_APPLICATION || info->id == info->window;
}

static struct rect common(struct rect a, struct rect b)
{
    double left = a.x > b.x ? a.x : b.x, top = a.y > b.y ? a.y : b.y;
    double right = a.x + a.width < b.x + b.width ? a.x + a.width : b.x + b.width;
    double bottom = a.y + a.height < b.y + b.height ? a.y + a.height : b.y + b.height;

    return (struct rect){ left, top, right - left, bottom - top };
}

static bool is_in_clip(const struct place *place, struct rect bounds)
{
    struct rect seen = common(place->clip, bounds);

    return !place->clipped || (seen.width >= 1 && seen.height >= 1);
}

/* Goes through the list once: parents come before their children. */
static struct place *find_places(const struct element_tree *tree, const struct detailed *details)
{
    struct place *places = mem_zero((tree->count + 1) * sizeof *places);
    int at = -1; /* the last one that may have more children */

    for (size_t i = 0; i < tree->count; i++) {
        const struct element_info *info = &tree->items[i];
        struct place *place = &places[i];

        while (at >= 0 && tree->items[at].depth >= info->depth)
            at = places[at].parent;
        *place = (struct place){ .parent = at, .visible = details[i].visible || is_top(info) };
        if (at >= 0) {
            place->visible = place->visible && places[at].visible;
            place->clipped = places[at].clipped;
            place->clip = places[at].clip;
        }
        if (at >= 0 && tree->items[at].role == ELEMENT_SCROLL_AREA && tree->items[at].placed) {
            struct rect bounds = tree->items[at].bounds;

            place->clip = place->clipped ? common(place->clip, bounds) : bounds;
            place->clipped = true;
        }
        at = (int)i;
    }
    return places;
}

void shown_decide(struct element_tree *tree, const struct detailed *details)
{
    struct place *places = find_places(tree, details);

    for (size_t i = tree->count; i-- > 0;) { /* children before parents */
        struct element_info *info = &tree->items[i];
        struct place *place = &places[i];

        place->shown = place->shown || is_top(info) ||
                       (shown_alone(info, place->visible) && is_in_clip(place, info->bounds));
        info->states &= ~(unsigned)ELEMENT_SHOWN;
        info->states |= place->shown ? ELEMENT_SHOWN : 0;
        if (place->shown && place->parent >= 0)
            places[place->parent].shown = true;
    }
    free(places);
}

/* Takes out hidden elements. All elements in one go with it. */
void shown_keep(struct element_tree *tree)
{
    size_t kept = 0;

    for (size_t i = 0; i < tree->count; i++) {
        struct element_info info = tree->items[i];

        if (info.states & ELEMENT_SHOWN) {
            tree->items[kept++] = info;
            continue;
        }
        for (size_t n = kept; n-- > 0;) {
            if (tree->items[n].id == info.parent) {
                tree->items[n].listed--;
                break;
            }
        }
        element_info_free(&info);
    }
    tree->count = kept;
}
