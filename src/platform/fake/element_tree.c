/* The fake's elements as a tree: making, finding, their present state. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json/utf8.h"
#include "platform/fake/elements.h"
#include "platform/fake/mirror.h"

/* The facts that are common to toolkits; the roles are GTK's. Elements of other roles have no
 * abilities. */
static const struct role_facts {
    const char *native, *actions;
    unsigned states, abilities;
} facts[ELEMENT_ROLES] = {
    [ELEMENT_WINDOW] = { "frame", "", 0, 0 },
    [ELEMENT_DIALOG] = { "dialog", "", ELEMENT_MODAL, 0 },
    [ELEMENT_ALERT] = { "alert", "", ELEMENT_MODAL, 0 },
    [ELEMENT_BUTTON] = { "push button", "click", ELEMENT_FOCUSABLE,
                         ELEMENT_CAN_ACT | ELEMENT_CAN_FOCUS },
    [ELEMENT_CHECK] = { "check box", "click", ELEMENT_FOCUSABLE | ELEMENT_CHECKABLE,
                        ELEMENT_CAN_ACT | ELEMENT_CAN_FOCUS },
    [ELEMENT_RADIO] = { "radio button", "click", ELEMENT_FOCUSABLE | ELEMENT_CHECKABLE,
                        ELEMENT_CAN_ACT | ELEMENT_CAN_FOCUS },
    [ELEMENT_ENTRY] = { "text", "activate", ELEMENT_FOCUSABLE | ELEMENT_EDITABLE,
                        ELEMENT_CAN_ACT | ELEMENT_CAN_READ | ELEMENT_CAN_WRITE |
                            ELEMENT_CAN_FOCUS },
    /* As in GTK 4, the first action is not the useful one. */
    [ELEMENT_TEXT] = { "text", "text.clear\nactivate",
                       ELEMENT_FOCUSABLE | ELEMENT_EDITABLE | ELEMENT_MULTILINE,
                       ELEMENT_CAN_ACT | ELEMENT_CAN_READ | ELEMENT_CAN_WRITE | ELEMENT_CAN_FOCUS },
    [ELEMENT_PASSWORD] = { "password text", "activate", ELEMENT_FOCUSABLE | ELEMENT_EDITABLE,
                           ELEMENT_CAN_ACT | ELEMENT_CAN_WRITE | ELEMENT_CAN_FOCUS },
    [ELEMENT_LABEL] = { "label", "", 0, ELEMENT_CAN_READ },
    [ELEMENT_LINK] = { "link", "jump", ELEMENT_FOCUSABLE, ELEMENT_CAN_ACT | ELEMENT_CAN_FOCUS },
    [ELEMENT_COMBO] = { "combo box", "press",
                        ELEMENT_FOCUSABLE | ELEMENT_EXPANDABLE | ELEMENT_HAS_POPUP,
                        ELEMENT_CAN_ACT | ELEMENT_CAN_SELECT | ELEMENT_CAN_FOCUS },
    [ELEMENT_SPIN] = { "spin button", "activate", ELEMENT_FOCUSABLE | ELEMENT_EDITABLE,
                       ELEMENT_CAN_ACT | ELEMENT_CAN_READ | ELEMENT_CAN_WRITE | ELEMENT_CAN_COUNT |
                           ELEMENT_CAN_FOCUS },
    [ELEMENT_SLIDER] = { "slider", "", ELEMENT_FOCUSABLE, ELEMENT_CAN_COUNT | ELEMENT_CAN_FOCUS },
    [ELEMENT_PROGRESS] = { "progress bar", "", 0, ELEMENT_CAN_COUNT },
    [ELEMENT_MENU_BAR] = { "menu bar", "", 0, ELEMENT_CAN_SELECT },
    [ELEMENT_MENU] = { "menu", "click", ELEMENT_EXPANDABLE | ELEMENT_HAS_POPUP, ELEMENT_CAN_ACT },
    [ELEMENT_MENU_ITEM] = { "menu item", "click", 0, ELEMENT_CAN_ACT },
    [ELEMENT_CHECK_ITEM] = { "check menu item", "click", ELEMENT_CHECKABLE, ELEMENT_CAN_ACT },
    [ELEMENT_TAB] = { "page tab", "", ELEMENT_SELECTABLE, 0 }, /* no action, as in GTK 3 */
    [ELEMENT_TAB_LIST] = { "page tab list", "", 0, ELEMENT_CAN_SELECT },
    [ELEMENT_LIST] = { "list", "", ELEMENT_FOCUSABLE, ELEMENT_CAN_SELECT | ELEMENT_CAN_FOCUS },
    [ELEMENT_LIST_ITEM] = { "list item", "", ELEMENT_SELECTABLE, 0 },
    [ELEMENT_TREE] = { "tree", "", ELEMENT_FOCUSABLE, ELEMENT_CAN_SELECT | ELEMENT_CAN_FOCUS },
    [ELEMENT_TREE_ITEM] = { "tree item", "expand or contract",
                            ELEMENT_SELECTABLE | ELEMENT_EXPANDABLE, ELEMENT_CAN_ACT },
    [ELEMENT_TOOL_BAR] = { "tool bar", "", 0, 0 },
    [ELEMENT_STATUS_BAR] = { "status bar", "", 0, 0 },
    [ELEMENT_GROUP] = { "filler", "", 0, 0 },
    [ELEMENT_SCROLL_AREA] = { "scroll pane", "", 0, 0 },
    [ELEMENT_SEPARATOR] = { "separator", "", 0, 0 },
};

const char *fake_native_role(enum element_role role)
{
    return facts[role].native ? facts[role].native : element_role_name(role);
}

/* The actions of an element. The options of a combo box have one, other list items none. */
const char *fake_actions(const struct fake_element *element)
{
    if (element->actions)
        return element->actions;
    if (element->reaction == REACT_CHOOSE_OPTION)
        return "click";
    return facts[element->role].actions ? facts[element->role].actions : "";
}

/* --- making and ending ------------------------------------------------------------- */

struct fake_element *fake_new_element(struct fake *fake, struct fake_window *window,
                                      struct fake_element *parent, enum element_role role,
                                      const char *name)
{
    struct fake_element *element = mem_zero(sizeof *element);

    list_init(&element->link);
    list_init(&element->children);
    element->id = ++fake->last_element;
    element->window = window;
    element->parent = parent;
    element->role = role;
    element->name = mem_strdup(name);
    element->states = facts[role].states | ELEMENT_ENABLED | ELEMENT_SHOWN;
    element->abilities = facts[role].abilities;
    element->selected_from = element->selected_to = -1;
    if (parent)
        list_push(&parent->children, &element->link);
    return element;
}

/* The first element to free: children come before their parents, so that each has none left when it
 * goes. */
static struct fake_element *first_leaf(struct fake_element *element)
{
    while (!list_empty(&element->children))
        element = container_of(element->children.next, struct fake_element, link);
    return element;
}

void fake_drop_element(struct fake_element *element)
{
    struct fake_element *leaf;
    bool last;

    if (!element)
        return;
    do {
        leaf = first_leaf(element);
        last = leaf == element;
        list_remove(&leaf->link);
        if (leaf->window->keys == leaf)
            leaf->window->keys = NULL;
        free(leaf->name);
        free(leaf->native);
        free(leaf->description);
        free(leaf->actions);
        buf_free(&leaf->text);
        free(leaf);
    } while (!last);
}

struct fake_element *fake_top(struct fake *fake, struct fake_window *window)
{
    struct fake_app *app = fake->mirror ? fake_find_app(fake, window->ref.pid, 0) : NULL;

    if (app)
        fake_mirror_elements(fake, app);
    else if (!window->top && !fake->mirror)
        window->top = fake_build_scene(fake, window);
    return window->top;
}

/* --- finding ----------------------------------------------------------------------- */

struct fake_element *fake_next_element(struct fake_element *top, struct fake_element *at)
{
    if (!list_empty(&at->children))
        return container_of(at->children.next, struct fake_element, link);
    while (at != top && at->link.next == &at->parent->children)
        at = at->parent;
    return at == top ? NULL : container_of(at->link.next, struct fake_element, link);
}

struct fake_element *fake_find_element(struct fake *fake, uint64_t id)
{
    list_each (link, &fake->windows) {
        struct fake_element *top = container_of(link, struct fake_window, link)->top;

        for (struct fake_element *at = top; at; at = fake_next_element(top, at)) {
            if (at->id == id)
                return at;
        }
    }
    return NULL;
}

/* True for open menus and lists of options, which lie over their siblings. */
static bool pops_up(const struct fake_element *element)
{
    return element->role == ELEMENT_MENU_ITEM || element->role == ELEMENT_CHECK_ITEM ||
           element->reaction == REACT_CHOOSE_OPTION;
}

struct fake_element *fake_element_at(struct fake *fake, struct fake_window *window, struct point at)
{
    struct fake_element *top = fake_top(fake, window), *found = NULL;

    for (struct fake_element *each = top; each; each = fake_next_element(top, each)) {
        struct rect bounds = fake_element_bounds(each);

        if (!each->unplaced && rect_has(&bounds, at) && fake_element_shown(fake, each) &&
            !(found && pops_up(found)))
            found = each;
    }
    return found;
}

/* --- their present state ------------------------------------------------------------ */

struct rect fake_element_bounds(const struct fake_element *element)
{
    const struct rect *frame = &element->window->frame;
    struct rect bounds = element->place;

    if (!element->parent)
        return *frame;
    bounds.x += frame->x + element->window->inset.x;
    bounds.y += frame->y + element->window->inset.y;
    return bounds;
}

bool fake_element_shown(struct fake *fake, const struct fake_element *element)
{
    (void)fake;
    if (element->window->state & (WINDOW_MINIMIZED | WINDOW_HIDDEN))
        return false;
    for (; element; element = element->parent) {
        if (!(element->states & ELEMENT_SHOWN))
            return false;
    }
    return true;
}

unsigned fake_element_states(struct fake *fake, const struct fake_element *element)
{
    unsigned states = element->states & ~(unsigned)ELEMENT_SHOWN;
    bool active = fake->focus == element->window->ref.id;

    if (fake_element_shown(fake, element))
        states |= ELEMENT_SHOWN;
    if (active && !element->parent)
        states |= ELEMENT_ACTIVE;
    if (active && element->window->keys == element)
        states |= ELEMENT_FOCUSED;
    return states;
}

struct str fake_element_text(struct fake_element *element)
{
    struct buf *text = element->shared ? &element->window->text : &element->text;

    if (element->abilities & ELEMENT_CAN_COUNT) {
        element->text.len = 0;
        buf_addf(&element->text, "%g", element->number);
    }
    return (struct str){ text->data ? text->data : "", text->len };
}

static void set_number(struct fake_element *element, double number)
{
    element->number = fmin(fmax(number, element->least), element->most);
}

void fake_set_element_text(struct fake_element *element, struct str text)
{
    struct buf *own = element->shared ? &element->window->text : &element->text;
    char digits[32];

    if (element->abilities & ELEMENT_CAN_COUNT) {
        snprintf(digits, sizeof digits, "%.*s", (int)text.len, text.ptr);
        set_number(element, strtod(digits, NULL));
        return;
    }
    own->len = 0;
    buf_add(own, text.ptr, text.len);
    element->window->selected = false;
    element->caret = (int)utf8_length(text.ptr, text.len);
    element->selected_from = element->selected_to = -1;
}
