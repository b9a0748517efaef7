#include "platform/macos/ax/node.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json/line.h"
#include "platform/macos/ax/roles.h"

/* The attributes that one question reads; the children are left out: a table of 100,000 rows would
 * make and send them all. Attributes without a constant are WebKit's and Chromium's for pages
 * (WAI-ARIA, Core Accessibility API Mappings). */
enum attribute {
    ROLE,
    SUBROLE,
    TITLE,
    DESCRIPTION,
    HELP,
    PLACEHOLDER,
    TITLE_ELEMENT,
    VALUE,
    LEAST,
    MOST,
    STEP,
    ENABLED,
    FOCUSED,
    SELECTED,
    EXPANDED,
    DISCLOSING,
    MARK,
    INDEX,
    POSITION,
    SIZE,
    MODAL,
    IS_MAIN,
    MINIMIZED,
    DEFAULT_BUTTON,
    BUSY,
    REQUIRED,
    INVALID,
    POPUP,
    ATTRIBUTES
};

struct values {
    CFTypeRef of[ATTRIBUTES];
};

static enum answer ask_values(const struct ask *ask, AXUIElementRef element, struct values *values,
                              CFArrayRef *read, struct error *err)
{
    const CFStringRef names[ATTRIBUTES] = {
        [ROLE] = kAXRoleAttribute,
        [SUBROLE] = kAXSubroleAttribute,
        [TITLE] = kAXTitleAttribute,
        [DESCRIPTION] = kAXDescriptionAttribute,
        [HELP] = kAXHelpAttribute,
        [PLACEHOLDER] = kAXPlaceholderValueAttribute,
        [TITLE_ELEMENT] = kAXTitleUIElementAttribute,
        [VALUE] = kAXValueAttribute,
        [LEAST] = kAXMinValueAttribute,
        [MOST] = kAXMaxValueAttribute,
        [STEP] = kAXValueIncrementAttribute,
        [ENABLED] = kAXEnabledAttribute,
        [FOCUSED] = kAXFocusedAttribute,
        [SELECTED] = kAXSelectedAttribute,
        [EXPANDED] = kAXExpandedAttribute,
        [DISCLOSING] = kAXDisclosingAttribute,
        [MARK] = kAXMenuItemMarkCharAttribute,
        [INDEX] = kAXIndexAttribute,
        [POSITION] = kAXPositionAttribute,
        [SIZE] = kAXSizeAttribute,
        [MODAL] = kAXModalAttribute,
        [IS_MAIN] = kAXMainAttribute,
        [MINIMIZED] = kAXMinimizedAttribute,
        [DEFAULT_BUTTON] = kAXDefaultButtonAttribute,
        [BUSY] = kAXElementBusyAttribute,
        [REQUIRED] = CFSTR("AXRequired"),
        [INVALID] = CFSTR("AXInvalid"),
        [POPUP] = CFSTR("AXHasPopup"),
    };

    return ask_many(ask, element, names, values->of, ATTRIBUTES, read, err);
}

/* --- values ------------------------------------------------------------------------------- */

static bool is_cf_string(CFTypeRef value)
{
    return CFGetTypeID(value) == CFStringGetTypeID();
}

bool node_number(CFTypeRef value, double *number)
{
    CFTypeID type = CFGetTypeID(value);

    if (type == CFBooleanGetTypeID()) {
        *number = CFBooleanGetValue(value);
        return true;
    }
    return type == CFNumberGetTypeID() && CFNumberGetValue(value, kCFNumberDoubleType, number) &&
           isfinite(*number);
}

/* True if the value is true or 1; `absent` if it is missing. */
static bool flag_value(CFTypeRef value, bool absent)
{
    double number;

    return node_number(value, &number) ? number != 0 : absent;
}

static bool is_number_told(CFTypeRef value)
{
    double number;

    return node_number(value, &number);
}

char *node_clean(CFTypeRef text, size_t max, bool *cut)
{
    bool longer = false, more = false;
    char *raw = cf_text(text, max * 4, &longer), *clean = element_clean(raw, max, &more);

    if (cut)
        *cut = longer || more;
    free(raw);
    return clean;
}

/* Returns a name or a description as a label. */
static char *node_label(CFTypeRef text, size_t max, bool *cut)
{
    char *label = node_clean(text, max, cut);

    line_clean_string(label);
    return label;
}

static void copy_clean_word(CFTypeRef value, char *out, size_t size)
{
    char *text = node_clean(value, size - 1, NULL);

    snprintf(out, size, "%s", text);
    free(text);
}

/* --- actions ------------------------------------------------------------------------------ */

/* Shortens the name of an action. The names that applications make up are a description of several
 * lines, "Name:Delete\n...": such actions are not offered. */
static bool short_name(CFTypeRef name, char *out, size_t size)
{
    char *text = cf_text(name, 0, NULL);
    bool ours = strncmp(text, "AX", 2) == 0 && text[2] && strlen(text + 2) < size;

    if (ours) {
        snprintf(out, size, "%s", text + 2);
        out[0] = (char)tolower((unsigned char)out[0]);
    }
    free(text);
    return ours;
}

char *node_action_names(CFArrayRef names)
{
    struct buf out = { 0 };
    char name[64];

    for (CFIndex i = 0; names && i < CFArrayGetCount(names); i++) {
        if (short_name(CFArrayGetValueAtIndex(names, i), name, sizeof name))
            buf_addf(&out, "%s%s", out.len ? "\n" : "", name);
    }
    buf_adds(&out, "");
    return buf_take(&out);
}

CFStringRef node_action_of(CFArrayRef names, const char *wanted)
{
    char name[64];

    for (CFIndex i = 0; i < CFArrayGetCount(names); i++) {
        CFStringRef each = CFArrayGetValueAtIndex(names, i);

        if (short_name(each, name, sizeof name) &&
            (strcmp(name, wanted) == 0 ||
             (strncmp(wanted, "AX", 2) == 0 && strcmp(name + 1, wanted + 3) == 0 &&
              name[0] == tolower((unsigned char)wanted[2]))))
            return each;
    }
    return NULL;
}

/* An element that opens and closes without an action does so by an attribute, which is offered as
 * an action. */
static const char *opening_action(const struct values *values)
{
    CFTypeRef said = is_number_told(values->of[DISCLOSING]) ? values->of[DISCLOSING] : NULL;

    return said ? flag_value(said, false) ? "collapse" : "expand" : NULL;
}

static enum answer read_actions(const struct ask *ask, AXUIElementRef element,
                                const struct values *values, struct element_info *info,
                                struct error *err)
{
    const char *more = opening_action(values);
    CFArrayRef names;
    enum answer answer = ask_actions(ask, element, &names, err);

    if (answer == ANSWER_FAILED || answer == ANSWER_GONE)
        return answer;
    info->actions = node_action_names(names);
    cf_release(names);
    if (more) {
        char *all = mem_printf("%s%s%s", info->actions, *info->actions ? "\n" : "", more);

        free(info->actions);
        info->actions = all;
    }
    if (*info->actions)
        info->abilities |= ELEMENT_CAN_ACT;
    return ANSWER_GIVEN;
}

/* --- names ---------------------------------------------------------------------------------- */

/* The text of a label beside the element that the application names as its title. */
static char *title_of(const struct ask *ask, CFTypeRef title)
{
    CFTypeRef text = NULL;
    char *name;

    if (CFGetTypeID(title) != AXUIElementGetTypeID() ||
        ask_one(ask, title, kAXValueAttribute, &text, NULL) != ANSWER_GIVEN)
        return NULL;
    name = node_label(text, ELEMENT_NAME_MAX, NULL);
    cf_release(text);
    if (*name)
        return name;
    free(name);
    return NULL;
}

/* The element's own title; that of a pop-up button is the chosen option, and not its name. */
static CFTypeRef own_title(const struct values *values, enum element_role role)
{
    if (role == ELEMENT_COMBO && is_cf_string(values->of[VALUE]) &&
        CFEqual(values->of[TITLE], values->of[VALUE]))
        return NULL;
    if (role == ELEMENT_LABEL || role == ELEMENT_LIST_ITEM)
        return is_cf_string(values->of[VALUE]) ? values->of[VALUE] : values->of[TITLE];
    return values->of[TITLE];
}

static void read_node_names(const struct ask *ask, const struct values *values,
                            struct element_info *info)
{
    CFTypeRef more = values->of[DESCRIPTION];

    info->name = node_label(own_title(values, info->role), ELEMENT_NAME_MAX, &info->name_cut);
    if (!*info->name) {
        char *title = title_of(ask, values->of[TITLE_ELEMENT]);

        free(info->name);
        info->name = title;
    }
    if (!info->name) {
        info->name = node_label(more, ELEMENT_NAME_MAX, &info->name_cut);
        more = values->of[HELP];
    }
    if (!*info->name && is_cf_string(values->of[PLACEHOLDER])) {
        free(info->name);
        info->name = node_label(values->of[PLACEHOLDER], ELEMENT_NAME_MAX, &info->name_cut);
    }
    info->description = node_label(more, ELEMENT_NAME_MAX, NULL);
}

/* --- texts and numbers -------------------------------------------------------------------- */

static void read_numbers(const struct values *values, struct element_info *info)
{
    char text[32];

    if (!node_number(values->of[VALUE], &info->number))
        return;
    node_number(values->of[LEAST], &info->least);
    node_number(values->of[MOST], &info->most);
    node_number(values->of[STEP], &info->step);
    snprintf(text, sizeof text, "%.10g", info->number);
    info->value = mem_strdup(text);
}

/* True if the value is to be read. The text of a label is its name. A password is never read. */
static bool has_value(const struct element_info *info)
{
    return info->role != ELEMENT_PASSWORD && info->role != ELEMENT_LABEL &&
           info->role != ELEMENT_LIST_ITEM;
}

static void read_value(const struct values *values, struct element_info *info)
{
    if (info->abilities & ELEMENT_CAN_COUNT)
        read_numbers(values, info);
    else if (has_value(info))
        info->value = node_clean(values->of[VALUE], ELEMENT_VALUE_MAX, &info->value_cut);
}

/* Finds out whether the text of a field can be set, which needs a question. */
static enum answer read_field(const struct ask *ask, AXUIElementRef element,
                              struct element_info *info, struct error *err)
{
    bool text = info->role == ELEMENT_PASSWORD ||
                ((info->abilities & ELEMENT_CAN_READ) && info->role != ELEMENT_LABEL);
    bool settable;
    enum answer answer;

    if (!text)
        return ANSWER_GIVEN;
    answer = ask_settable(ask, element, kAXValueAttribute, &settable, err);
    if (answer == ANSWER_FAILED || answer == ANSWER_GONE)
        return answer;
    if (settable) {
        info->abilities |= ELEMENT_CAN_WRITE;
        info->states |= ELEMENT_EDITABLE;
    }
    return ANSWER_GIVEN;
}

/* --- states ----------------------------------------------------------------------------------- */

static unsigned check_states(const struct values *values, enum element_role role)
{
    double number = 0;

    if (role == ELEMENT_CHECK_ITEM)
        return ELEMENT_CHECKABLE | ELEMENT_CHECKED;
    if (role != ELEMENT_CHECK && role != ELEMENT_RADIO && role != ELEMENT_SWITCH &&
        role != ELEMENT_TOGGLE && role != ELEMENT_TAB)
        return 0;
    node_number(values->of[VALUE], &number);
    if (role == ELEMENT_TAB)
        return number != 0 ? ELEMENT_SELECTABLE | ELEMENT_SELECTED : ELEMENT_SELECTABLE;
    if (role == ELEMENT_TOGGLE)
        return number != 0 ? ELEMENT_PRESSED : 0;
    return ELEMENT_CHECKABLE | (number == 1 ? ELEMENT_CHECKED : number != 0 ? ELEMENT_MIXED : 0u);
}

/* The states of opening. A menu is open while the item that opens it is selected. */
static unsigned expand_states(const struct values *values, const struct element_info *info)
{
    CFTypeRef open =
        is_number_told(values->of[DISCLOSING]) ? values->of[DISCLOSING] : values->of[EXPANDED];
    unsigned states = 0;

    if (info->role == ELEMENT_COMBO || flag_value(values->of[POPUP], false))
        states |= ELEMENT_EXPANDABLE | ELEMENT_HAS_POPUP;
    if (strcmp(info->native, "AXMenuButton") == 0)
        states |= ELEMENT_HAS_POPUP;
    if (strcmp(info->native, "AXMenuBarItem") == 0) {
        states |= ELEMENT_EXPANDABLE | ELEMENT_HAS_POPUP;
        open = values->of[SELECTED];
    }
    if (strcmp(info->native, "AXDisclosureTriangle") == 0)
        open = values->of[VALUE];
    if (is_number_told(open))
        states |=
            flag_value(open, false) ? ELEMENT_EXPANDABLE | ELEMENT_EXPANDED : ELEMENT_EXPANDABLE;
    return states;
}

static unsigned selection_states(const struct values *values, enum element_role role)
{
    if (role == ELEMENT_TAB || role == ELEMENT_MENU || role == ELEMENT_MENU_ITEM ||
        role == ELEMENT_CHECK_ITEM || !is_number_told(values->of[SELECTED]))
        return 0;
    return flag_value(values->of[SELECTED], false) ? ELEMENT_SELECTABLE | ELEMENT_SELECTED
                                                   : ELEMENT_SELECTABLE;
}

/* True unless the value is "false": "true", "grammar", "spelling" (ARIA). */
static bool is_invalid(CFTypeRef value)
{
    char word[16];

    copy_clean_word(value, word, sizeof word);
    return word[0] && strcmp(word, "false") != 0;
}

static unsigned states_of(const struct values *values, const struct element_info *info)
{
    unsigned states = check_states(values, info->role) | expand_states(values, info) |
                      selection_states(values, info->role);

    if (flag_value(values->of[ENABLED], true))
        states |= ELEMENT_ENABLED;
    if (!flag_value(values->of[MINIMIZED], false))
        states |= ELEMENT_SHOWN;
    if ((info->abilities & ELEMENT_CAN_FOCUS) && is_number_told(values->of[FOCUSED]))
        states |= ELEMENT_FOCUSABLE;
    if (flag_value(values->of[FOCUSED], false))
        states |= ELEMENT_FOCUSED;
    if (info->role == ELEMENT_TEXT)
        states |= ELEMENT_MULTILINE;
    if (flag_value(values->of[MODAL], strcmp(info->native, "AXSheet") == 0))
        states |= ELEMENT_MODAL;
    if (flag_value(values->of[BUSY], false))
        states |= ELEMENT_BUSY;
    if (flag_value(values->of[REQUIRED], false))
        states |= ELEMENT_REQUIRED;
    if (is_invalid(values->of[INVALID]))
        states |= ELEMENT_INVALID;
    return states;
}

/* --- the whole -------------------------------------------------------------------------------- */

static void read_frame(const struct values *values, const struct node_wish *wish, struct node *node)
{
    struct element_info *info = &node->info;

    node->framed =
        CFGetTypeID(values->of[POSITION]) == AXValueGetTypeID() &&
        AXValueGetValue((AXValueRef)values->of[POSITION], kAXValueTypeCGPoint,
                        &node->frame.origin) &&
        CFGetTypeID(values->of[SIZE]) == AXValueGetTypeID() &&
        AXValueGetValue((AXValueRef)values->of[SIZE], kAXValueTypeCGSize, &node->frame.size);
    info->placed =
        wish->bounds && node->framed && node->frame.size.width > 0 && node->frame.size.height > 0;
    if (info->placed)
        info->bounds = rect_of_cg(node->frame);
}

/* The role. Items of menus with a mark are checked, those without a title that are off are
 * separators. */
static enum element_role role_of(const struct values *values, const char *role, const char *subrole,
                                 enum element_role inside)
{
    enum element_role found = ax_role_of(role, subrole, inside);
    char text[8];

    if (found != ELEMENT_MENU_ITEM)
        return found;
    copy_clean_word(values->of[MARK], text, sizeof text);
    if (text[0])
        return ELEMENT_CHECK_ITEM;
    copy_clean_word(values->of[TITLE], text, sizeof text);
    return text[0] || flag_value(values->of[ENABLED], true) ? found : ELEMENT_SEPARATOR;
}

static void describe_node(const struct ask *ask, const struct values *values,
                          const struct node_wish *wish, struct node *node)
{
    struct element_info *info = &node->info;
    char subrole[40];
    double index;

    copy_clean_word(values->of[ROLE], node->role, sizeof node->role);
    copy_clean_word(values->of[SUBROLE], subrole, sizeof subrole);
    info->pid = ask->pid;
    info->role = role_of(values, node->role, subrole, wish->inside);
    info->native = mem_strdup(node->role);
    info->abilities = ax_role_abilities(info->role, node->role);
    info->index =
        node_number(values->of[INDEX], &index) && index >= 0 && index < 1e9 ? (int)index : -1;
    info->children = -1;
    info->states = states_of(values, info);
    read_node_names(ask, values, info);
    if (wish->values)
        read_value(values, info);
    if (!info->value)
        info->value = mem_strdup("");
    read_frame(values, wish, node);
    node->selected = flag_value(values->of[SELECTED], false);
    node->is_main = flag_value(values->of[IS_MAIN], false);
    if (CFGetTypeID(values->of[DEFAULT_BUTTON]) == AXUIElementGetTypeID())
        node->default_button = CFRetain(values->of[DEFAULT_BUTTON]);
}

enum answer node_read(const struct ask *ask, AXUIElementRef element, const struct node_wish *wish,
                      struct node *out, struct error *err)
{
    struct values values;
    CFArrayRef read;
    enum answer answer = ask_values(ask, element, &values, &read, err);

    *out = (struct node){ 0 };
    if (answer != ANSWER_GIVEN)
        return answer;
    describe_node(ask, &values, wish, out);
    answer = read_field(ask, element, &out->info, err);
    if (answer == ANSWER_GIVEN && wish->actions)
        answer = read_actions(ask, element, &values, &out->info, err);
    cf_release(read);
    if (answer != ANSWER_GIVEN)
        node_free(out);
    return answer;
}

void node_free(struct node *node)
{
    element_info_free(&node->info);
    cf_release(node->default_button);
    *node = (struct node){ 0 };
}
