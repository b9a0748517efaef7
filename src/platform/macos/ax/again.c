/* Single elements: read again, and found at a point. The elements around one show whether it is
 * shown: they are read, up to the window. */
#include <stdlib.h>

#include "platform/macos/ax/children.h"
#include "platform/macos/ax/ids.h"
#include "platform/macos/ax/node.h"
#include "platform/macos/ax/roles.h"
#include "platform/macos/ax/walk.h"

enum { ABOVE_MAX = 100 };

/* --- whether it is shown -------------------------------------------------------------------- */

static enum answer read_flag(const struct ask *ask, AXUIElementRef element, CFStringRef attribute,
                             bool *set, struct error *err)
{
    CFTypeRef value;
    double number = 0;
    enum answer answer = ask_one(ask, element, attribute, &value, err);

    if (answer == ANSWER_GIVEN && node_number(value, &number))
        *set = number != 0;
    cf_release(value);
    return answer;
}

/* Finds out whether an element at `frame` can be seen inside of `above`. */
static enum answer ancestor_shows(const struct ask *ask, const struct ax_known *above, CGRect frame,
                                  bool *shown, struct error *err)
{
    struct node_wish wish = { .bounds = true };
    struct node node;
    enum answer answer;

    if (above->role == ELEMENT_MENU) /* a menu itself is not selected, but the item that opens it */
        return read_flag(ask, above->element, kAXSelectedAttribute, shown, err);
    if (above->role != ELEMENT_SCROLL_AREA && above->role != ELEMENT_WINDOW)
        return ANSWER_GIVEN;
    answer = node_read(ask, above->element, &wish, &node, err);
    if (answer != ANSWER_GIVEN)
        return answer;
    *shown = (node.info.states & ELEMENT_SHOWN) &&
             (above->role == ELEMENT_WINDOW || !node.info.placed || frame.size.width <= 0 ||
              !CGRectIsNull(CGRectIntersection(frame, node.frame)));
    node_free(&node);
    return answer;
}

static bool shown_in_parent(const struct ask *ask, uint64_t parent, CGRect frame, bool *shown,
                            bool *in_menu, struct error *err)
{
    struct ax_known above;

    for (int i = 0; parent && *shown && i < ABOVE_MAX && ax_ids_look(parent, &above); i++) {
        enum answer answer = ancestor_shows(ask, &above, frame, shown, err);

        *in_menu = above.role == ELEMENT_MENU;
        parent = above.parent;
        ax_known_free(&above);
        if (answer == ANSWER_FAILED)
            return false;
        if (answer == ANSWER_GONE)
            *shown = false;
    }
    return true;
}

/* --- facts from its window ------------------------------------------------------------------ */

static bool is_told_by(const struct ask *ask, AXUIElementRef whom, CFStringRef attribute,
                       AXUIElementRef element)
{
    CFTypeRef told;
    bool same = ask_one(ask, whom, attribute, &told, NULL) == ANSWER_GIVEN &&
                CFGetTypeID(told) == AXUIElementGetTypeID() && CFEqual(told, element);

    cf_release(told);
    return same;
}

static bool is_active(const struct ask *ask, AXUIElementRef window)
{
    AXUIElementRef app = ask_app(ask->pid, NULL);
    bool front = false,
         active = app && read_flag(ask, app, kAXFrontmostAttribute, &front, NULL) == ANSWER_GIVEN &&
                  front && is_told_by(ask, app, kAXFocusedWindowAttribute, window);

    cf_release(app);
    return active;
}

static void note_window(const struct ask *ask, const struct ax_known *known,
                        struct element_info *info)
{
    struct ax_known top;

    if (info->window == info->id && is_active(ask, known->element))
        info->states |= ELEMENT_ACTIVE;
    if (info->role != ELEMENT_BUTTON || !ax_ids_look(known->top, &top))
        return;
    if (is_told_by(ask, top.element, kAXDefaultButtonAttribute, known->element))
        info->states |= ELEMENT_DEFAULT;
    ax_known_free(&top);
}

/* --- one element, read again -------------------------------------------------------------- */

static bool count_children(const struct ask *ask, const struct ax_known *known,
                           const struct node *node, struct element_info *info, struct error *err)
{
    bool rows = info->role == ELEMENT_TABLE || info->role == ELEMENT_TREE;
    CFIndex count;

    info->children = 0;
    if (ax_role_is_leaf(node->role))
        return true;
    if (ask_count(ask, known->element, rows ? kAXRowsAttribute : kAXChildrenAttribute, &count,
                  err) == ANSWER_FAILED)
        return false;
    info->children = count < INT32_MAX ? (int)count : INT32_MAX;
    return true;
}

/* Keeps the role of a menu item that was seen to have a menu or a check mark. */
static void keep_role(const struct ax_known *known, const struct node *node,
                      struct element_info *info)
{
    if (strcmp(node->role, "AXMenuItem") != 0)
        return;
    if (known->role == ELEMENT_MENU)
        info->states |= ELEMENT_EXPANDABLE | ELEMENT_HAS_POPUP |
                        (node->selected ? (unsigned)ELEMENT_EXPANDED : 0u);
    if (known->role == ELEMENT_CHECK_ITEM)
        info->states |= ELEMENT_CHECKABLE;
    if (known->role == ELEMENT_MENU || known->role == ELEMENT_CHECK_ITEM)
        info->role = known->role;
}

static void name_row_again(const struct ask *ask, const struct ax_known *known,
                           struct element_info *info)
{
    char *name = children_give_name(info->role) && !*info->name
                     ? children_ask_name(ask, known->element)
                     : NULL;

    if (!name)
        return;
    free(info->name);
    info->name = name;
}

static bool complete_node(const struct ask *ask, const struct ax_known *known, uint64_t id,
                          struct node *node, struct error *err)
{
    struct element_info *info = &node->info;
    bool shown = (info->states & ELEMENT_SHOWN) != 0, in_menu = false;

    info->id = id;
    info->parent = known->parent;
    info->window = known->top;
    if (info->index < 0)
        info->index = known->place - 1;
    keep_role(known, node, info);
    name_row_again(ask, known, info);
    if (!count_children(ask, known, node, info, err) ||
        !shown_in_parent(ask, known->parent, node->frame, &shown, &in_menu, err))
        return false;
    note_window(ask, known, info);
    if (!shown)
        info->states &= ~(unsigned)ELEMENT_SHOWN;
    info->placed = info->placed && (shown || !in_menu);
    return true;
}

static bool read_known(struct ask *ask, const struct ax_known *known, uint64_t id,
                       struct element_info *out, struct error *err)
{
    struct node_wish wish = { .bounds = true, .values = true, .actions = true };
    struct ax_known parent;
    struct node node;
    enum answer answer;
    bool ok;

    ask->pid = known->pid;
    if (ax_ids_look(known->parent, &parent))
        wish.inside = parent.role;
    ax_known_free(&parent);
    answer = node_read(ask, known->element, &wish, &node, err);
    if (answer != ANSWER_GIVEN) {
        *out = (struct element_info){ .id = id, .pid = known->pid, .gone = true };
        return answer != ANSWER_FAILED || strcmp(err->code, "app_not_found") == 0;
    }
    ok = complete_node(ask, known, id, &node, err);
    *out = node.info;
    node.info = (struct element_info){ 0 };
    node_free(&node);
    return ok;
}

bool walk_get(struct ask *ask, const uint64_t *ids, size_t count, struct element_tree *out,
              struct error *err)
{
    bool ok = true;

    *out =
        (struct element_tree){ .route = "ax", .items = mem_zero((count + 1) * sizeof *out->items) };
    for (size_t i = 0; i < count && ok; i++) {
        struct ax_known known;

        if (ax_ids_look(ids[i], &known))
            ok = read_known(ask, &known, ids[i], &out->items[i], err);
        else
            out->items[i] = (struct element_info){ .id = ids[i], .gone = true };
        ax_known_free(&known);
        out->count++;
    }
    if (!ok)
        element_tree_free(out);
    return ok;
}

/* --- at a point --------------------------------------------------------------------------- */

/* The elements from a point up to their window, or up to one that has a number already. */
struct chain {
    AXUIElementRef elements[ABOVE_MAX]; /* owned */
    char natives[ABOVE_MAX][2][40];
    size_t count;
    uint64_t base; /* the number of the element above them; or 0 */
};

static void copy_native_name(CFTypeRef text, char out[40])
{
    char *clean = node_clean(text, 39, NULL);

    memcpy(out, clean, strlen(clean) + 1);
    free(clean);
}

/* Climbs from the element, which is taken, to its window. */
static void climb_parents(const struct ask *ask, AXUIElementRef element ENDS_REF,
                          struct chain *chain)
{
    const CFStringRef names[] = { kAXRoleAttribute, kAXSubroleAttribute, kAXParentAttribute };
    enum element_role role;

    while (element && chain->count < ABOVE_MAX) {
        CFTypeRef values[3];
        CFArrayRef read;
        AXUIElementRef above = NULL;
        char(*native)[40] = chain->natives[chain->count];

        chain->base = ax_ids_find(element, &role);
        if (chain->base || ask_many(ask, element, names, values, 3, &read, NULL) != ANSWER_GIVEN)
            break;
        copy_native_name(values[0], native[0]);
        copy_native_name(values[1], native[1]);
        if (CFGetTypeID(values[2]) == AXUIElementGetTypeID())
            above = (AXUIElementRef)CFRetain(values[2]);
        CFRelease(read);
        if (strcmp(native[0], "AXApplication") == 0) {
            cf_release(above);
            break;
        }
        chain->elements[chain->count++] = element;
        element = above;
    }
    cf_release(element);
}

/* Numbers the elements from the top down; returns the last number; 0: there are none. */
static uint64_t number_chain(const struct ask *ask, struct chain *chain)
{
    struct ax_known above;
    struct ax_known as = { .pid = ask->pid, .parent = chain->base };
    uint64_t id = chain->base;

    if (ax_ids_look(chain->base, &above)) {
        as.top = above.top;
        as.role = above.role;
    }
    ax_known_free(&above);
    while (chain->count-- > 0) {
        char(*native)[40] = chain->natives[chain->count];

        as.role = ax_role_of(native[0], native[1], as.role);
        id = ax_ids_of(chain->elements[chain->count], &as);
        if (!as.top) {
            as.top = id;
            ax_ids_of(chain->elements[chain->count], &as);
        }
        as.parent = id;
        CFRelease(chain->elements[chain->count]);
    }
    return id;
}

bool walk_at(struct ask *ask, struct point at, uint64_t *id, struct error *err)
{
    AXUIElementRef app = ask_app(ask->pid, err), found = NULL;
    struct chain *chain = mem_zero(sizeof *chain);
    enum answer answer = ANSWER_FAILED;

    *id = 0;
    if (app)
        answer = ask_at(ask, app, CGPointMake(at.x, at.y), &found, err);
    cf_release(app);
    climb_parents(ask, found, chain);
    *id = number_chain(ask, chain);
    free(chain);
    return answer != ANSWER_FAILED;
}
