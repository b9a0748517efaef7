/* Copies the elements of an application into the fake, with the effect of a press on each.
 *
 * That is only what any toolkit does: a check box changes, a menu opens, an item is selected. The
 * reaction of the application itself, for example a dialog, is not known, and nothing is made
 * up. */
#include <stdatomic.h>
#include <stdlib.h>

#include "platform/fake/elements.h"
#include "platform/fake/mirror.h"

enum {
    TREE_MS = 3000,
    MENUS_MS = 1500, /* for the items of all closed menus together */
    TREE_NODES = 4000,
    MENU_NODES = 300, /* for one menu */
    DEPTH = 128
};

static bool in_combo(const struct fake_element *element)
{
    for (element = element->parent; element; element = element->parent) {
        if (element->role == ELEMENT_COMBO)
            return true;
    }
    return false;
}

static enum fake_reaction reaction_of(const struct fake_element *element)
{
    switch (element->role) {
    case ELEMENT_CHECK:
    case ELEMENT_CHECK_ITEM:
        return REACT_TOGGLE;
    case ELEMENT_RADIO:
    case ELEMENT_RADIO_ITEM:
        return REACT_CHOOSE_RADIO;
    case ELEMENT_MENU:
    case ELEMENT_COMBO:
        return REACT_POP_UP;
    case ELEMENT_MENU_ITEM:
    case ELEMENT_LIST_ITEM:
        if (in_combo(element))
            return REACT_CHOOSE_OPTION;
        break;
    default:
        if (element->states & ELEMENT_CHECKABLE)
            return REACT_TOGGLE;
    }
    return (element->states & ELEMENT_SELECTABLE) ? REACT_SELECT : REACT_SWALLOW;
}

static void place_element(struct fake_element *element, const struct element_info *info)
{
    const struct fake_window *window = element->window;

    element->unplaced = !info->placed;
    element->place = info->bounds;
    element->place.x -= window->place.x + window->inset.x;
    element->place.y -= window->place.y + window->inset.y;
}

static struct fake_element *add_element(struct fake *fake, struct fake_window *window,
                                        struct fake_element *parent,
                                        const struct element_info *info)
{
    struct fake_element *element = fake_new_element(fake, window, parent, info->role, info->name);
    unsigned now = ELEMENT_FOCUSED | (parent ? 0 : ELEMENT_ACTIVE); /* the fake sets these itself */

    element->id = info->id;
    element->states = info->states & ~now;
    element->abilities = info->abilities;
    element->number = info->number;
    element->least = info->least;
    element->most = info->most;
    element->step = info->step;
    element->native = mem_strdup(info->native);
    element->description = mem_strdup(info->description);
    element->actions = mem_strdup(info->actions ? info->actions : "");
    element->reaction = reaction_of(element);
    if (!(element->abilities & ELEMENT_CAN_COUNT))
        buf_adds(&element->text, info->value);
    place_element(element, info);
    if (info->states & ELEMENT_FOCUSED)
        window->keys = element;
    return element;
}

static struct fake_window *window_of(struct fake *fake, const struct fake_app *app,
                                     const struct element_info *info)
{
    struct fake_window *titled = NULL;

    list_each (link, &fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);

        if (window->ref.pid != app->pid || window->top)
            continue;
        if (window->ref.id == info->window)
            return window;
        if (!titled && !info->window && strcmp(window->title, info->name) == 0)
            titled = window;
    }
    return titled;
}

/* Returns NULL if its window is not listed. */
static struct fake_element *add_top(struct fake *fake, struct fake_window *window,
                                    const struct element_info *info)
{
    if (window)
        window->top = add_element(fake, window, NULL, info);
    return window ? window->top : NULL;
}

/* Adds the elements below `under`, or (NULL) those of whole windows. Elements that are deeper than
 * DEPTH, or in a window that is not listed, are left out. */
static void add_tree(struct fake *fake, struct fake_app *app, struct fake_element *under,
                     const struct element_tree *tree)
{
    struct fake_element *at[DEPTH] = { under };
    int base = !under && tree->count && tree->items[0].role == ELEMENT_APPLICATION;

    for (size_t i = (size_t)base; i < tree->count; i++) {
        const struct element_info *info = &tree->items[i];
        int depth = info->depth - base;
        struct fake_element *parent = depth > 0 && depth < DEPTH ? at[depth - 1] : NULL;

        if (parent)
            at[depth] = add_element(fake, parent->window, parent, info);
        else if (depth == 0 && !under)
            at[0] = add_top(fake, window_of(fake, app, info), info);
        else if (depth > 0 && depth < DEPTH)
            at[depth] = NULL;
    }
}

/* --- reading ------------------------------------------------------------------------ */

static bool read_tree(struct fake_mirror *mirror, struct deadline *deadline,
                      const struct element_query *query, struct element_tree *out,
                      struct error *err)
{
    *out = (struct element_tree){ 0 };
    return mirror->real->elements->tree(mirror->desktop, deadline, query, out, err);
}

enum { ITEM_WIDTH = 220, ITEM_HEIGHT = 24 };

/* Lays out the items of a closed menu, whose real place is not known: below it, or beside it if it
 * is in another menu. */
static void lay_out(struct fake_element *menu)
{
    bool inner = menu->parent && menu->parent->role == ELEMENT_MENU;
    double x = menu->place.x + (inner ? menu->place.width : 0);
    double y = menu->place.y + (inner ? 0 : menu->place.height);

    list_each (link, &menu->children) {
        struct fake_element *item = container_of(link, struct fake_element, link);

        if (item->states & ELEMENT_SHOWN)
            continue;
        item->place = (struct rect){ x, y, ITEM_WIDTH, ITEM_HEIGHT };
        item->unplaced = false;
        y += ITEM_HEIGHT;
    }
}

/* Adds the items of a closed menu, which can be chosen by their path. */
static void add_closed(struct fake *fake, struct fake_app *app, struct fake_element *menu,
                       struct deadline *deadline)
{
    struct element_query query = { .root = menu->id,
                                   .nodes = MENU_NODES,
                                   .hidden = true,
                                   .bounds = true,
                                   .values = true,
                                   .actions = true };
    struct element_tree tree;
    struct error err;

    if (read_tree(fake->mirror, deadline, &query, &tree, &err))
        add_tree(fake, app, menu, &tree);
    element_tree_free(&tree);
}

static void add_menus(struct fake *fake, struct fake_app *app, struct fake_element *top)
{
    struct deadline deadline = deadline_of(MENUS_MS);

    for (struct fake_element *at = top; at; at = fake_next_element(top, at)) {
        if (at->role != ELEMENT_MENU && at->role != ELEMENT_COMBO)
            continue;
        if (list_empty(&at->children) && deadline_left(&deadline))
            add_closed(fake, app, at, &deadline);
        lay_out(at);
    }
}

/* Reads all text of the element that gets keys, and the caret where they would go. */
static void read_text(struct fake_mirror *mirror, struct fake_element *element,
                      struct deadline *deadline)
{
    struct element_text text;
    struct error err;

    if (!(element->abilities & ELEMENT_CAN_READ) || (element->abilities & ELEMENT_CAN_COUNT) ||
        element->role == ELEMENT_PASSWORD ||
        !mirror->real->elements->text(mirror->desktop, deadline, element->id, 0, -1, &text, &err))
        return;
    fake_set_element_text(element, str_from(text.text));
    element->caret = text.caret < 0 ? text.length : text.caret;
    if (text.selected_to > text.selected_from) {
        element->selected_from = text.selected_from;
        element->selected_to = text.selected_to;
    }
    element_text_free(&text);
}

static void complete_app(struct fake *fake, struct fake_app *app, struct deadline *deadline)
{
    list_each (link, &fake->windows) {
        struct fake_window *window = container_of(link, struct fake_window, link);

        if (window->ref.pid != app->pid || !window->top)
            continue;
        for (struct fake_element *at = window->top; at; at = fake_next_element(window->top, at)) {
            if ((at->abilities & ELEMENT_CAN_WRITE) && deadline_left(deadline))
                read_text(fake->mirror, at, deadline);
        }
        add_menus(fake, app, window->top);
    }
}

static bool read_app(struct fake *fake, struct fake_app *app, struct deadline *deadline)
{
    struct fake_mirror *mirror = fake->mirror;
    struct element_query query = { .pid = app->pid,
                                   .started = app->started,
                                   .nodes = TREE_NODES,
                                   .bounds = true,
                                   .values = true,
                                   .actions = true };
    struct element_tree tree;
    bool ok = read_tree(mirror, deadline, &query, &tree, &app->untold);

    if (ok) {
        add_tree(fake, app, NULL, &tree);
        complete_app(fake, app, deadline);
    }
    element_tree_free(&tree);
    return ok;
}

void fake_mirror_elements(struct fake *fake, struct fake_app *app)
{
    struct fake_mirror *mirror = fake->mirror;
    struct deadline deadline = deadline_of(TREE_MS);

    if (app->read || !app->pid)
        return;
    app->untold = (struct error){ 0 };
    if (app->started_here) {
        error_set(&app->untold, "no_tree",
                  "%s would be started by this dry run, so nothing is known of its interface",
                  app->name);
        return;
    }
    app->read = fake_mirror_open(mirror, &app->untold) && read_app(fake, app, &deadline);
    fake_mirror_close(mirror);
}
