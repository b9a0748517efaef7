/* Elements in windows, for accessibility: the fake's, as AppKit would report them.
 *
 * The menu bar is the application's, and shows that of its window in front; a menu is in what opens
 * it, and the list of a pop-up button is a menu that is there while it is open. */
#include <stdio.h>
#include <stdlib.h>

#include "json/utf8.h"
#include "sim.h"

static bool is(CFStringRef attribute, const char *name)
{
    return str_same(buf_str(&sim_of(attribute)->bytes), str_from(name));
}

/* --- faults ------------------------------------------------------------------------------------
 */

static struct {
    int pid;
    AXError error;
} failing;

void sim_fail(int pid, AXError error)
{
    failing.pid = pid;
    failing.error = error;
}

static struct {
    int pid, looks;
    bool agrees, woken;
} electron;

void sim_electron(int pid, int looks, bool agrees)
{
    electron.pid = pid;
    electron.looks = looks;
    electron.agrees = agrees;
    electron.woken = false;
}

bool sim_wake(int pid)
{
    electron.woken = electron.woken || electron.pid == pid;
    return electron.pid == pid && electron.agrees;
}

/* True while the window of this Electron application has no elements yet. */
static bool sleeps(int pid)
{
    return electron.pid == pid && pid && (!electron.woken || electron.looks-- > 0);
}

/* --- the fake's ------------------------------------------------------------------------------ */

static bool read_tree(struct element_query query, struct element_tree *out)
{
    query.bounds = query.values = query.actions = query.hidden = true;
    *out = (struct element_tree){ 0 };
    return sim_desktop() &&
           perigee_fake.elements->tree(sim_desktop(), sim_deadline(), &query, out, NULL);
}

bool sim_get(uint64_t id, struct element_info *out)
{
    struct element_tree tree;
    bool found;

    if (!perigee_fake.elements->get(sim_desktop(), sim_deadline(), &id, 1, &tree, NULL))
        return false;
    *out = tree.items[0];
    tree.items[0] = (struct element_info){ 0 };
    found = !out->gone;
    element_tree_free(&tree);
    return found;
}

static uint64_t top_of(int pid, uint64_t window)
{
    struct element_tree tree;
    uint64_t id = 0;

    if (read_tree((struct element_query){ .pid = pid, .window = window, .nodes = 1 }, &tree) &&
        tree.count)
        id = tree.items[0].id;
    element_tree_free(&tree);
    return id;
}

enum element_role sim_role_of(uint64_t id)
{
    struct element_info info;
    enum element_role role = ELEMENT_OTHER;

    if (id && sim_get(id, &info)) {
        role = info.role;
        element_info_free(&info);
    }
    return role;
}

/* --- what they are called -------------------------------------------------------------------- */

static const struct {
    const char *role, *subrole;
} names[ELEMENT_ROLES] = {
    [ELEMENT_WINDOW] = { "AXWindow", "AXStandardWindow" },
    [ELEMENT_DIALOG] = { "AXWindow", "AXDialog" },
    [ELEMENT_BUTTON] = { "AXButton", NULL },
    [ELEMENT_CHECK] = { "AXCheckBox", NULL },
    [ELEMENT_RADIO] = { "AXRadioButton", NULL },
    [ELEMENT_ENTRY] = { "AXTextField", NULL },
    [ELEMENT_TEXT] = { "AXTextArea", NULL },
    [ELEMENT_PASSWORD] = { "AXTextField", "AXSecureTextField" },
    [ELEMENT_LABEL] = { "AXStaticText", NULL },
    [ELEMENT_LINK] = { "AXLink", NULL },
    [ELEMENT_COMBO] = { "AXPopUpButton", NULL },
    [ELEMENT_SPIN] = { "AXIncrementor", NULL },
    [ELEMENT_SLIDER] = { "AXSlider", NULL },
    [ELEMENT_PROGRESS] = { "AXProgressIndicator", NULL },
    [ELEMENT_MENU_BAR] = { "AXMenuBar", NULL },
    [ELEMENT_MENU] = { "AXMenuItem", NULL },
    [ELEMENT_MENU_ITEM] = { "AXMenuItem", NULL },
    [ELEMENT_CHECK_ITEM] = { "AXMenuItem", NULL },
    [ELEMENT_TAB] = { "AXRadioButton", "AXTabButton" },
    [ELEMENT_TAB_LIST] = { "AXTabGroup", NULL },
    [ELEMENT_LIST] = { "AXList", "AXContentList" },
    [ELEMENT_LIST_ITEM] = { "AXStaticText", NULL },
    [ELEMENT_TREE] = { "AXOutline", NULL },
    [ELEMENT_TREE_ITEM] = { "AXRow", "AXOutlineRow" },
    [ELEMENT_TOOL_BAR] = { "AXToolbar", NULL },
    [ELEMENT_STATUS_BAR] = { "AXGroup", "AXApplicationStatus" },
    [ELEMENT_GROUP] = { "AXGroup", NULL },
    [ELEMENT_SCROLL_AREA] = { "AXScrollArea", NULL },
    [ELEMENT_SEPARATOR] = { "AXSplitter", NULL },
};

/* The role in macOS's terms, which depends on the parent. */
static const char *native_of(const struct element_info *info, enum element_role parent)
{
    if (info->role == ELEMENT_MENU && parent == ELEMENT_MENU_BAR)
        return "AXMenuBarItem";
    if ((info->role == ELEMENT_LIST_ITEM && parent == ELEMENT_COMBO) ||
        (info->role == ELEMENT_SEPARATOR && parent == ELEMENT_MENU))
        return "AXMenuItem";
    return names[info->role].role ? names[info->role].role : "AXUnknown";
}

static bool opens_menu(enum element_role role)
{
    return role == ELEMENT_MENU || role == ELEMENT_COMBO;
}

/* --- parents and children ----------------------------------------------------------------- */

/* Reads the element with its children; the caller frees. */
static bool read_below(uint64_t id, struct element_tree *out)
{
    return read_tree((struct element_query){ .root = id, .depth = 1, .children = 100000 }, out);
}

static void append(CFArrayRef list, const struct element_info *info)
{
    sim_append(list, sim_element(info->pid, info->window, info->id, false));
}

static CFTypeRef children_of(uint64_t id, bool with_bar)
{
    struct element_tree tree;
    CFArrayRef list = sim_array();

    if (read_below(id, &tree)) {
        for (size_t i = 1; i < tree.count; i++) {
            if (with_bar || tree.items[i].role != ELEMENT_MENU_BAR)
                append(list, &tree.items[i]);
        }
    }
    element_tree_free(&tree);
    return list;
}

/* The rows of an outline that are shown, one below the other. */
static CFTypeRef rows_of(uint64_t id)
{
    struct element_tree tree;
    CFArrayRef list = sim_array();

    if (read_tree((struct element_query){ .root = id }, &tree)) {
        for (size_t i = 1; i < tree.count; i++) {
            if (tree.items[i].states & ELEMENT_SHOWN)
                append(list, &tree.items[i]);
        }
    }
    element_tree_free(&tree);
    return list;
}

static CFTypeRef default_button(int pid, uint64_t window)
{
    struct element_tree tree;
    CFTypeRef found = NULL;

    if (read_tree((struct element_query){ .pid = pid, .window = window }, &tree)) {
        for (size_t i = 0; i < tree.count && !found; i++) {
            if (tree.items[i].states & ELEMENT_DEFAULT)
                found = sim_element(pid, window, tree.items[i].id, false);
        }
    }
    element_tree_free(&tree);
    return found;
}

/* The menu bar of the window in front; NULL if it has none. Owned by the caller. */
static CFTypeRef menu_bar(int pid)
{
    struct element_tree tree;
    CFTypeRef found = NULL;

    if (read_tree((struct element_query){ .pid = pid, .depth = 1 }, &tree)) {
        for (size_t i = 0; i < tree.count && !found; i++) {
            if (tree.items[i].role == ELEMENT_MENU_BAR)
                found = sim_element(pid, tree.items[i].window, tree.items[i].id, false);
        }
    }
    element_tree_free(&tree);
    return found;
}

static CFTypeRef parent_of(const struct sim_object *element, const struct element_info *info)
{
    enum element_role role = sim_role_of(info->parent);

    if (element->menu)
        return sim_element(info->pid, info->window, info->parent ? info->id : 0, false);
    if (info->role == ELEMENT_MENU_BAR)
        return sim_element(info->pid, 0, 0, false);
    if (role == ELEMENT_WINDOW || role == ELEMENT_DIALOG)
        return sim_element(info->pid, info->window, 0, false);
    return sim_element(info->pid, info->window, info->parent, opens_menu(role));
}

static CFTypeRef inside(const struct sim_object *element, const struct element_info *info)
{
    CFArrayRef list;

    if (!element->menu && info->role == ELEMENT_TREE)
        return rows_of(info->id);
    if (element->menu || (!opens_menu(info->role) && info->role != ELEMENT_TREE_ITEM))
        return children_of(info->id, false);
    list = sim_array();
    if (info->role != ELEMENT_COMBO || (info->states & ELEMENT_EXPANDED))
        sim_append(list, sim_element(info->pid, info->window, info->id, true));
    return list;
}

/* --- texts ------------------------------------------------------------------------------------ */

CFIndex sim_units_of(const char *text, int characters)
{
    const char *at = text, *end = at + strlen(at);
    CFIndex units = 0;

    while (at < end && characters-- > 0) {
        int size = utf8_sequence(at, end);

        units += size == 4 ? 2 : 1;
        at += size < 0 ? -size : size;
    }
    return units;
}

bool sim_read_text(uint64_t id, struct element_text *out)
{
    return perigee_fake.elements->text(sim_desktop(), sim_deadline(), id, 0, -1, out, NULL);
}

static CFTypeRef of_text(uint64_t id, CFStringRef attribute)
{
    struct element_text text;
    CFTypeRef value = NULL;
    CFRange range;

    if (!sim_read_text(id, &text))
        return NULL;
    range.location = sim_units_of(text.text, text.selected_from >= 0 ? text.selected_from
                                             : text.caret >= 0       ? text.caret
                                                                     : 0);
    range.length = sim_units_of(text.text, text.selected_to) - range.location;
    if (text.selected_from < 0)
        range.length = 0;
    if (is(attribute, "AXNumberOfCharacters"))
        value = sim_number(sim_units_of(text.text, text.length));
    else if (is(attribute, "AXSelectedTextRange"))
        value = AXValueCreate(kAXValueTypeCFRange, &range);
    element_text_free(&text);
    return value;
}

/* --- attributes --------------------------------------------------------------------------------
 */

static CFTypeRef flag(bool on)
{
    return CFRetain(on ? kCFBooleanTrue : kCFBooleanFalse);
}

bool sim_is_text(enum element_role role)
{
    return role == ELEMENT_ENTRY || role == ELEMENT_TEXT || role == ELEMENT_PASSWORD;
}

static CFTypeRef value_of(const struct element_info *info, bool item)
{
    switch (info->role) {
    case ELEMENT_CHECK:
    case ELEMENT_RADIO:
        return sim_number((info->states & ELEMENT_CHECKED) != 0);
    case ELEMENT_TAB:
        return sim_number((info->states & ELEMENT_SELECTED) != 0);
    case ELEMENT_LABEL:
        return sim_string(info->name);
    case ELEMENT_LIST_ITEM:
        return item ? NULL : sim_string(info->name);
    case ELEMENT_SPIN:
    case ELEMENT_SLIDER:
    case ELEMENT_PROGRESS:
        return sim_real(info->number);
    default:
        return sim_is_text(info->role) || info->role == ELEMENT_COMBO ? sim_string(info->value)
                                                                      : NULL;
    }
}

static bool has_title(const struct element_info *info, bool item)
{
    return item || info->role == ELEMENT_BUTTON || info->role == ELEMENT_CHECK ||
           info->role == ELEMENT_RADIO || info->role == ELEMENT_LINK || info->role == ELEMENT_TAB ||
           info->role == ELEMENT_MENU;
}

static CFTypeRef of_state(const struct element_info *info, CFStringRef attribute, bool item)
{
    unsigned states = info->states;

    if (is(attribute, "AXEnabled"))
        return flag((states & ELEMENT_ENABLED) && info->role != ELEMENT_SEPARATOR);
    if (is(attribute, "AXFocused"))
        return states & ELEMENT_FOCUSABLE ? flag(states & ELEMENT_FOCUSED) : NULL;
    if (is(attribute, "AXSelected"))
        return info->role == ELEMENT_MENU ? flag(states & ELEMENT_EXPANDED)
               : states & ELEMENT_SELECTABLE && info->role != ELEMENT_TAB
                   ? flag(states & ELEMENT_SELECTED)
                   : NULL;
    if (is(attribute, "AXExpanded"))
        return info->role == ELEMENT_COMBO ? flag(states & ELEMENT_EXPANDED) : NULL;
    if (is(attribute, "AXDisclosing"))
        return info->role == ELEMENT_TREE_ITEM && (states & ELEMENT_EXPANDABLE)
                   ? flag(states & ELEMENT_EXPANDED)
                   : NULL;
    if (is(attribute, "AXMenuItemMarkChar"))
        return item && (states & ELEMENT_CHECKED) ? sim_string("✓") : NULL;
    return NULL;
}

static CFTypeRef of_menu(const struct sim_object *element, const struct element_info *info,
                         CFStringRef attribute)
{
    if (info->role == ELEMENT_TREE_ITEM)
        return is(attribute, "AXRole")    ? sim_string("AXStaticText")
               : is(attribute, "AXValue") ? sim_string(info->name)
                                          : NULL;
    if (is(attribute, "AXRole"))
        return sim_string(info->parent ? "AXMenu" : "AXWebArea");
    if (is(attribute, "AXChildren"))
        return sleeps(info->pid) ? sim_array() : inside(element, info);
    return is(attribute, "AXParent") ? parent_of(element, info) : NULL;
}

static CFTypeRef of_place(const struct element_info *info, CFStringRef attribute)
{
    const struct rect *b = &info->bounds;

    if (is(attribute, "AXPosition"))
        return info->placed ? AXValueCreate(kAXValueTypeCGPoint, &(CGPoint){ b->x, b->y }) : NULL;
    return info->placed ? AXValueCreate(kAXValueTypeCGSize, &(CGSize){ b->width, b->height })
                        : NULL;
}

static CFTypeRef of_words(const struct element_info *info, CFStringRef attribute)
{
    enum element_role parent = sim_role_of(info->parent);
    bool item = strcmp(native_of(info, parent), "AXMenuItem") == 0;

    if (is(attribute, "AXRole"))
        return sim_string(native_of(info, parent));
    if (is(attribute, "AXSubrole"))
        return !item && names[info->role].subrole ? sim_string(names[info->role].subrole) : NULL;
    if (is(attribute, "AXTitle"))
        return has_title(info, item) ? sim_string(info->name) : NULL;
    if (is(attribute, "AXDescription"))
        return !has_title(info, item) && info->role != ELEMENT_LABEL &&
                       info->role != ELEMENT_LIST_ITEM && info->role != ELEMENT_TREE_ITEM &&
                       info->name[0]
                   ? sim_string(info->name)
                   : NULL;
    if (is(attribute, "AXValue"))
        return value_of(info, item);
    return of_state(info, attribute, item);
}

static CFTypeRef of_number(const struct element_info *info, CFStringRef attribute)
{
    bool counts = (info->abilities & ELEMENT_CAN_COUNT) != 0;

    if (is(attribute, "AXMinValue"))
        return counts ? sim_real(info->least) : NULL;
    if (is(attribute, "AXMaxValue"))
        return counts ? sim_real(info->most) : NULL;
    if (is(attribute, "AXValueIncrement"))
        return counts ? sim_real(info->step) : NULL;
    return NULL;
}

static CFTypeRef of_list(const struct sim_object *element, const struct element_info *info,
                         CFStringRef attribute)
{
    bool rows = info->role == ELEMENT_TREE, some = info->role == ELEMENT_LIST;

    if (is(attribute, "AXChildren") || (rows && is(attribute, "AXRows")) ||
        (rows && is(attribute, "AXVisibleRows")) || (some && is(attribute, "AXVisibleChildren")))
        return inside(element, info);
    if (is(attribute, "AXIndex"))
        return info->role == ELEMENT_LIST_ITEM ? sim_number(info->index) : NULL;
    return is(attribute, "AXParent") ? parent_of(element, info) : NULL;
}

static CFTypeRef of_node(const struct sim_object *element, const struct element_info *info,
                         CFStringRef attribute)
{
    CFTypeRef value;

    if (element->menu)
        return of_menu(element, info, attribute);
    if (is(attribute, "AXPosition") || is(attribute, "AXSize"))
        return of_place(info, attribute);
    value = of_words(info, attribute);
    if (!value)
        value = of_number(info, attribute);
    if (!value)
        value = of_list(element, info, attribute);
    if (!value && (sim_is_text(info->role) || info->role == ELEMENT_LABEL))
        value = of_text(info->id, attribute);
    return value;
}

/* The only child of a window of Electron: its page. */
static CFTypeRef page_of(const struct sim_object *element, uint64_t top)
{
    CFArrayRef list = sim_array();

    sim_append(list, sim_element(element->pid, element->window, top, true));
    return list;
}

static CFTypeRef of_window(const struct sim_object *element, CFStringRef attribute)
{
    uint64_t top;

    if (is(attribute, "AXDefaultButton"))
        return default_button(element->pid, element->window);
    if (is(attribute, "AXParent"))
        return sim_element(element->pid, 0, 0, false);
    if (!is(attribute, "AXChildren") && !is(attribute, "AXRole") && !is(attribute, "AXSubrole"))
        return NULL;
    top = top_of(element->pid, element->window);
    if (is(attribute, "AXChildren"))
        return electron.pid == element->pid ? page_of(element, top) : children_of(top, false);
    if (is(attribute, "AXSubrole"))
        return sim_string(sim_role_of(top) == ELEMENT_DIALOG ? "AXDialog" : "AXStandardWindow");
    return sim_string("AXWindow");
}

static CFTypeRef of_app(const struct sim_object *element, CFStringRef attribute)
{
    if (is(attribute, "AXRole"))
        return sim_string("AXApplication");
    if (is(attribute, "AXMenuBar"))
        return menu_bar(element->pid);
    return is(attribute, "AXFrontmost") ? flag(sim_focused() == element->pid) : NULL;
}

CFTypeRef sim_value(const struct sim_object *element, CFStringRef attribute, AXError *error)
{
    struct element_info info;
    CFTypeRef value;

    *error = kAXErrorSuccess;
    if (!element->window && !element->node)
        return of_app(element, attribute);
    if (failing.error && failing.pid == element->pid) {
        *error = failing.error;
        return NULL;
    }
    if (!element->node)
        return of_window(element, attribute);
    if (!sim_get(element->node, &info)) {
        *error = kAXErrorInvalidUIElement;
        return NULL;
    }
    value = of_node(element, &info, attribute);
    element_info_free(&info);
    return value;
}
