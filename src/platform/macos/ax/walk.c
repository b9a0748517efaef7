/* Reads depth first, in the application's order: one question for an element, one for its
 * children. */
#include "platform/macos/ax/walk.h"

#include <stdio.h>
#include <stdlib.h>

#include "platform/macos/ax/children.h"
#include "platform/macos/ax/ids.h"
#include "platform/macos/ax/node.h"
#include "platform/macos/ax/roles.h"
#include "platform/macos/ax/wake.h"
#include "platform/macos/system/ax_windows.h"

#define WALK_SHARE 0.85 /* part of the call's time; the rest is for the windows' numbers */

struct walk {
    struct ask *ask;
    struct element_query query;
    struct element_tree *out;
    size_t room;
    bool ended;              /* the time is over, or the application does not answer any more */
    uint64_t default_button; /* that of the window that is being read */
    CFTypeRef active;        /* the window with the keyboard; borrowed; or NULL */
};

/* The place of an element in the tree. */
struct spot {
    uint64_t parent, top;
    enum element_role inside;
    int index, depth;
    bool shown, clipped;
    CGRect clip; /* the visible part of the scroll areas around it */
};

static bool must_end(const struct error *err)
{
    return strcmp(err->code, "late") != 0 && strcmp(err->code, "app_hung") != 0 &&
           strcmp(err->code, "timeout") != 0 && strcmp(err->code, "app_not_found") != 0;
}

/* Ends the walk with the elements that were read. False if they are of no use, or the call is
 * over. */
static bool end_early(struct walk *walk, const struct error *err)
{
    if (!walk->out->count || must_end(err))
        return false;
    walk->ended = walk->out->cut = walk->out->late = true;
    if (strcmp(err->code, "late") != 0 && strcmp(err->code, "timeout") != 0)
        snprintf(walk->out->note, sizeof walk->out->note, "the rest is missing: %.180s", err->text);
    return true;
}

static struct element_info *add_node(struct walk *walk)
{
    if (walk->out->count == walk->room) {
        walk->room = walk->room ? walk->room * 2 : 128;
        walk->out->items = mem_resize(walk->out->items, walk->room * sizeof *walk->out->items);
    }
    return &walk->out->items[walk->out->count++];
}

/* --- the children of an element ----------------------------------------------------------- */

static bool visit_element(struct walk *walk, AXUIElementRef element, const struct spot *spot,
                          bool *listed, struct error *err);

/* Visits the children of one list. `at` is the place of their parent in the tree. */
static bool visit_list(struct walk *walk, CFArrayRef list, size_t at, struct spot *spot,
                       struct error *err)
{
    bool some = (walk->out->items[at].states & ELEMENT_VIRTUAL) != 0;

    for (CFIndex i = 0; list && i < CFArrayGetCount(list) && !walk->ended; i++) {
        bool listed = false;

        if (walk->out->count >= walk->query.nodes || spot->depth > walk->query.depth ||
            walk->out->items[at].listed >= walk->query.children) {
            walk->out->cut = true;
            return true;
        }
        spot->index = some ? -1 : (int)i;
        if (!visit_element(walk, CFArrayGetValueAtIndex(list, i), spot, &listed, err))
            return false;
        walk->out->items[at].listed += listed;
    }
    return true;
}

static bool is_menu_item(const struct node *node)
{
    return strcmp(node->role, "AXMenuItem") == 0;
}

/* Notes the children. A menu item that has a menu is a menu, as in other systems. */
static void note_children(const struct children *children, const struct node *node,
                          struct element_info *info)
{
    info->children = children->total < 0           ? -1
                     : children->total < INT32_MAX ? (int)children->total
                                                   : INT32_MAX;
    if (children->some)
        info->states |= ELEMENT_VIRTUAL;
    if (is_menu_item(node) && children->list && CFArrayGetCount(children->list) > 0) {
        info->role = ELEMENT_MENU;
        info->states |= ELEMENT_EXPANDABLE | ELEMENT_HAS_POPUP;
        info->states |= node->selected ? (unsigned)ELEMENT_EXPANDED : 0;
    }
}

static bool is_closed_menu(const struct element_info *info)
{
    return info->role == ELEMENT_MENU && (info->states & ELEMENT_EXPANDABLE) &&
           !(info->states & ELEMENT_EXPANDED);
}

static struct spot spot_within(const struct spot *spot, const struct node *node,
                               const struct element_info *info)
{
    struct spot within = { .parent = info->id,
                           .top = info->window,
                           .inside = info->role,
                           .depth = info->depth + 1,
                           .shown = spot->shown && !is_closed_menu(info),
                           .clipped = spot->clipped,
                           .clip = spot->clip };

    if (info->role == ELEMENT_SCROLL_AREA && node->framed && node->frame.size.width > 0 &&
        node->frame.size.height > 0) {
        within.clip = within.clipped ? CGRectIntersection(within.clip, node->frame) : node->frame;
        within.clipped = true;
    }
    return within;
}

static bool visit_children(struct walk *walk, AXUIElementRef element, const struct node *node,
                           const struct spot *spot, size_t at, struct error *err)
{
    struct children children;
    struct spot within;
    enum answer answer;
    bool ok = true;

    if (!walk->query.hidden && is_closed_menu(&walk->out->items[at]))
        return true;
    answer = children_read(walk->ask, element, node, walk->query.children, &children, err);
    if (answer == ANSWER_FAILED) {
        children_free(&children);
        return end_early(walk, err);
    }
    if (answer != ANSWER_GIVEN)
        walk->out->items[at].children = 0;
    else
        note_children(&children, node, &walk->out->items[at]);
    if (is_menu_item(node)) /* only now it is known whether it is a menu */
        ax_ids_of(element,
                  &(struct ax_known){ .pid = walk->ask->pid, .role = walk->out->items[at].role });
    within = spot_within(spot, node, &walk->out->items[at]);
    if (walk->query.hidden || !is_closed_menu(&walk->out->items[at]))
        ok = visit_list(walk, children.header, at, &within, err) &&
             visit_list(walk, children.list, at, &within, err);
    children_free(&children);
    return ok;
}

/* --- one element -------------------------------------------------------------------------- */

/* False if it is outside of the scroll areas around it, or has no size and cannot hold others. */
static bool is_seen(const struct node *node, const struct spot *spot)
{
    if (!spot->shown || !(node->info.states & ELEMENT_SHOWN))
        return false;
    if (!node->framed)
        return true;
    if (node->frame.size.width <= 0 || node->frame.size.height <= 0)
        return !ax_role_is_leaf(node->role);
    return !spot->clipped || !CGRectIsNull(CGRectIntersection(node->frame, spot->clip));
}

static void fill_node(struct walk *walk, AXUIElementRef element, const struct spot *spot,
                      struct node *node)
{
    struct element_info *info = &node->info;
    struct ax_known as = {
        .pid = walk->ask->pid, .parent = spot->parent, .top = spot->top, .role = info->role
    };

    if (spot->index >= 0)
        info->index = spot->index;
    as.place = info->index + 1;
    info->id = ax_ids_of(element, &as);
    info->role = as.role;
    if (info->role == ELEMENT_CHECK_ITEM)
        info->states |= ELEMENT_CHECKABLE;
    info->parent = spot->parent;
    info->window = spot->top ? spot->top : info->id;
    info->depth = spot->depth;
    if (!spot->top)
        ax_ids_of(element, &(struct ax_known){ .pid = as.pid, .top = info->id, .role = as.role });
    if (!is_seen(node, spot))
        info->states &= ~(unsigned)ELEMENT_SHOWN;
    if (!spot->shown)
        info->placed = false; /* the places in a closed menu are of no use */
    if (walk->active && CFEqual(walk->active, element))
        info->states |= ELEMENT_ACTIVE;
    if (node->default_button)
        walk->default_button = ax_ids_of(
            (AXUIElementRef)node->default_button,
            &(struct ax_known){ .pid = as.pid, .top = info->window, .role = ELEMENT_BUTTON });
    if (info->id == walk->default_button)
        info->states |= ELEMENT_DEFAULT;
}

static void name_row(struct element_tree *tree, size_t at)
{
    struct element_info *info = &tree->items[at];
    char *name;

    if (!children_give_name(info->role) || *info->name)
        return;
    name = children_name(tree, at);
    if (!name)
        return;
    free(info->name);
    info->name = name;
}

/* NOLINTBEGIN(misc-no-recursion): at most as deep as the query says */
static bool visit_element(struct walk *walk, AXUIElementRef element, const struct spot *spot,
                          bool *listed, struct error *err)
{
    struct node_wish wish = { walk->query.bounds, walk->query.values, walk->query.actions,
                              spot->inside };
    struct node node;
    size_t at = walk->out->count;
    bool ok = true;

    switch (node_read(walk->ask, element, &wish, &node, err)) {
    case ANSWER_GIVEN:
        break;
    case ANSWER_FAILED:
        return end_early(walk, err);
    default:
        return true; /* the element went meanwhile */
    }
    fill_node(walk, element, spot, &node);
    *listed = walk->query.hidden || (node.info.states & ELEMENT_SHOWN);
    if (*listed) {
        *add_node(walk) = node.info;
        node.info = (struct element_info){ 0 };
        node.info.role = walk->out->items[at].role;
        ok = visit_children(walk, element, &node, spot, at, err);
        name_row(walk->out, at);
    }
    node_free(&node);
    return ok;
}
/* NOLINTEND(misc-no-recursion) */

/* --- an application -------------------------------------------------------------------------- */

static bool list_holds(CFArrayRef list, CFTypeRef element)
{
    for (CFIndex i = 0; i < CFArrayGetCount(list); i++) {
        if (CFEqual(CFArrayGetValueAtIndex(list, i), element))
            return true;
    }
    return false;
}

static bool visit_top(struct walk *walk, CFTypeRef element, struct error *err)
{
    struct spot spot = { .inside = ELEMENT_APPLICATION, .index = -1, .shown = true };
    uint32_t number;
    bool listed;

    if (walk->ended || CFGetTypeID(element) != AXUIElementGetTypeID())
        return true;
    number = walk->query.window ? ax_number(element) : 0;
    if (number && number != walk->query.window)
        return true;
    if (walk->out->count >= walk->query.nodes) {
        walk->out->cut = true;
        return true;
    }
    walk->default_button = 0;
    return visit_element(walk, element, &spot, &listed, err);
}

enum { WINDOWS, CHILDREN, MENU_BAR, EXTRAS, FOCUSED_WINDOW, FRONTMOST, TOPS };

static CFArrayRef list_of(CFTypeRef value)
{
    return CFGetTypeID(value) == CFArrayGetTypeID() ? value : NULL;
}

/* Visits the windows first; then the other elements at the top, for example its menu bar. */
static bool visit_tops(struct walk *walk, const CFTypeRef *values, struct error *err)
{
    CFArrayRef windows = list_of(values[WINDOWS]), others = list_of(values[CHILDREN]);

    for (CFIndex i = 0; windows && i < CFArrayGetCount(windows); i++) {
        if (!visit_top(walk, CFArrayGetValueAtIndex(windows, i), err))
            return false;
    }
    for (CFIndex i = 0; others && i < CFArrayGetCount(others); i++) {
        CFTypeRef each = CFArrayGetValueAtIndex(others, i);

        if ((!windows || !list_holds(windows, each)) && !visit_top(walk, each, err))
            return false;
    }
    for (int bar = MENU_BAR; bar <= EXTRAS; bar++) {
        if ((!others || !list_holds(others, values[bar])) && !visit_top(walk, values[bar], err))
            return false;
    }
    return true;
}

static bool no_tree(int pid, struct error *err)
{
    return error_set(
        err, "no_tree",
        "process %d tells nothing of its interface to accessibility. Take a screenshot "
        "and click by pixel",
        pid);
}

static bool visit_app(struct walk *walk, AXUIElementRef app, struct error *err)
{
    const CFStringRef names[TOPS] = { kAXWindowsAttribute,       kAXChildrenAttribute,
                                      kAXMenuBarAttribute,       kAXExtrasMenuBarAttribute,
                                      kAXFocusedWindowAttribute, kAXFrontmostAttribute };
    CFTypeRef values[TOPS];
    CFArrayRef read;
    double front = 0;
    bool ok;

    switch (ask_many(walk->ask, app, names, values, TOPS, &read, err)) {
    case ANSWER_FAILED:
        return false;
    case ANSWER_GIVEN:
        break;
    default:
        return no_tree(walk->ask->pid, err);
    }
    if (node_number(values[FRONTMOST], &front) && front != 0 &&
        CFGetTypeID(values[FOCUSED_WINDOW]) == AXUIElementGetTypeID())
        walk->active = values[FOCUSED_WINDOW];
    ok = (list_of(values[WINDOWS]) || list_of(values[CHILDREN]) || no_tree(walk->ask->pid, err)) &&
         visit_tops(walk, values, err);
    cf_release(read);
    walk->active = NULL;
    return ok;
}

/* --- reading an application ------------------------------------------------------------------- */

static void empty_tree(struct walk *walk)
{
    element_tree_free(walk->out);
    walk->room = 0;
    walk->ended = false;
    snprintf(walk->out->route, sizeof walk->out->route, "ax walk");
}

/* Reads an application, again until its pages are there: those of Chromium's family come a moment
 * after they were asked for. */
static bool read_app_tree(struct walk *walk, struct error *err)
{
    AXUIElementRef app = ask_app(walk->ask->pid, err);
    uint64_t until = 0;
    bool ok = app && wake(walk->ask, app, &until, err);

    while (ok) {
        empty_tree(walk);
        ok = visit_app(walk, app, err);
        if (!ok || !until || walk->ended || wake_has_page(walk->out) || deadline_now() >= until)
            break;
        ok = deadline_wait(walk->ask->deadline, -1, deadline_now() + WAKE_LOOK_MS, err);
    }
    cf_release(app);
    if (ok && !walk->out->count)
        snprintf(walk->out->note, sizeof walk->out->note, "no window of it is shown");
    else if (ok && !walk->query.window && !walk->out->cut)
        ok = wake_judge(walk->out, walk->ask->pid, err);
    return ok;
}

static bool read_below(struct walk *walk, struct error *err)
{
    struct spot spot = { .shown = true };
    struct ax_known root, parent;
    bool listed, ok;

    if (!ax_ids_look(walk->query.root, &root))
        return error_set(err, "element_gone", "the element is not known any more. Look again");
    walk->ask->pid = root.pid;
    empty_tree(walk);
    spot.parent = root.parent;
    spot.top = root.top == walk->query.root ? 0 : root.top;
    spot.index = -1;
    if (ax_ids_look(root.parent, &parent))
        spot.inside = parent.role;
    ax_known_free(&parent);
    ok = visit_element(walk, root.element, &spot, &listed, err);
    ax_known_free(&root);
    if (!ok || walk->out->count)
        return ok;
    return error_set(err, "element_gone", "the element is gone, or is not shown. Look again");
}

static uint64_t walk_share(const struct deadline *deadline)
{
    uint64_t left = deadline_left(deadline);

    return left == UINT64_MAX ? 0 : deadline_now() + (uint64_t)((double)left * WALK_SHARE);
}

bool walk_tree(struct ask *ask, const struct element_query *query, struct element_tree *out,
               struct error *err)
{
    struct walk walk = { .ask = ask, .query = *query, .out = out };
    bool ok;

    *out = (struct element_tree){ 0 };
    walk.query.nodes = query->nodes ? query->nodes : ELEMENT_NODES;
    walk.query.depth = query->depth ? query->depth : ELEMENT_DEPTH;
    walk.query.children = query->children ? query->children : ELEMENT_CHILDREN;
    ask->pid = query->pid;
    ask->until = walk_share(ask->deadline);
    ok = query->root ? read_below(&walk, err) : read_app_tree(&walk, err);
    ask->until = 0;
    if (!ok && strcmp(err->code, "late") == 0)
        error_set(err, "app_hung", "process %d did not tell of any element in time", ask->pid);
    if (!ok)
        element_tree_free(out);
    return ok;
}
