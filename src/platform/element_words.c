/* The names of roles and states: one vocabulary for all systems. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "platform/element.h"

static const char *const roles[ELEMENT_ROLES] = {
    [ELEMENT_OTHER] = "element",
    [ELEMENT_APPLICATION] = "application",
    [ELEMENT_WINDOW] = "window",
    [ELEMENT_DIALOG] = "dialog",
    [ELEMENT_ALERT] = "alert",
    [ELEMENT_BUTTON] = "button",
    [ELEMENT_TOGGLE] = "toggle",
    [ELEMENT_CHECK] = "checkbox",
    [ELEMENT_RADIO] = "radio",
    [ELEMENT_SWITCH] = "switch",
    [ELEMENT_ENTRY] = "entry",
    [ELEMENT_TEXT] = "text",
    [ELEMENT_PASSWORD] = "password",
    [ELEMENT_LABEL] = "label",
    [ELEMENT_HEADING] = "heading",
    [ELEMENT_PARAGRAPH] = "paragraph",
    [ELEMENT_LINK] = "link",
    [ELEMENT_IMAGE] = "image",
    [ELEMENT_COMBO] = "combobox",
    [ELEMENT_SPIN] = "spin",
    [ELEMENT_SLIDER] = "slider",
    [ELEMENT_PROGRESS] = "progress",
    [ELEMENT_SCROLL_BAR] = "scrollbar",
    [ELEMENT_MENU_BAR] = "menubar",
    [ELEMENT_MENU] = "menu",
    [ELEMENT_MENU_ITEM] = "menuitem",
    [ELEMENT_CHECK_ITEM] = "checkitem",
    [ELEMENT_RADIO_ITEM] = "radioitem",
    [ELEMENT_TAB] = "tab",
    [ELEMENT_TAB_LIST] = "tablist",
    [ELEMENT_LIST] = "list",
    [ELEMENT_LIST_ITEM] = "listitem",
    [ELEMENT_TABLE] = "table",
    [ELEMENT_ROW] = "row",
    [ELEMENT_CELL] = "cell",
    [ELEMENT_HEADER] = "header",
    [ELEMENT_TREE] = "tree",
    [ELEMENT_TREE_ITEM] = "treeitem",
    [ELEMENT_TOOL_BAR] = "toolbar",
    [ELEMENT_STATUS_BAR] = "statusbar",
    [ELEMENT_TOOLTIP] = "tooltip",
    [ELEMENT_NOTIFICATION] = "notification",
    [ELEMENT_GROUP] = "group",
    [ELEMENT_SCROLL_AREA] = "scrollarea",
    [ELEMENT_SEPARATOR] = "separator",
    [ELEMENT_DOCUMENT] = "document",
    [ELEMENT_FORM] = "form",
    [ELEMENT_CANVAS] = "canvas",
    [ELEMENT_TERMINAL] = "terminal",
};

/* By the number of the bit. */
static const char *const state_names[] = {
    "enabled",   "shown",      "focusable", "focused", "active",   "editable",
    "multiline", "checkable",  "checked",   "mixed",   "pressed",  "selectable",
    "selected",  "expandable", "expanded",  "modal",   "required", "invalid",
    "busy",      "default",    "has_popup", "virtual",
};

const char *element_role_name(enum element_role role)
{
    return roles[role];
}

const char *element_state_name(unsigned bit_number)
{
    return bit_number < countof(state_names) ? state_names[bit_number] : NULL;
}

/* --- opening and closing --------------------------------------------------------------------- */

enum suits {
    FOR_ALL,     /* it does nothing else */
    FOR_OPENERS, /* "press" is what a button is for */
    FOR_MENUS,   /* elsewhere it shows a context menu */
    FOR_TOGGLES, /* in text fields it is the Return key */
};

/* From the best on; those of GTK and Qt both open and close. */
static const struct opener {
    const char *name;
    enum suits suits;
} openers[] = {
    { "expand or contract", FOR_ALL }, { "toggleexpand", FOR_ALL },    { "expand", FOR_ALL },
    { "collapse", FOR_ALL },           { "showmenu", FOR_MENUS },      { "press", FOR_OPENERS },
    { "click", FOR_OPENERS },          { "togglepopup", FOR_OPENERS }, { "toggle", FOR_TOGGLES },
    { "activate", FOR_TOGGLES },
};

static bool suits(enum suits suits, enum element_role role, unsigned states)
{
    bool menu = role == ELEMENT_MENU || role == ELEMENT_COMBO || (states & ELEMENT_HAS_POPUP) != 0;
    bool opens = menu || (states & (ELEMENT_EXPANDABLE | ELEMENT_EXPANDED)) != 0;

    switch (suits) {
    case FOR_OPENERS:
        return opens;
    case FOR_MENUS:
        return menu;
    case FOR_TOGGLES:
        return opens && role == ELEMENT_TOGGLE;
    default:
        return true;
    }
}

int element_opener(const char *action, bool open, enum element_role role, unsigned states)
{
    if (strcasecmp(action, open ? "collapse" : "expand") == 0)
        return 0;
    for (size_t i = 0; i < countof(openers); i++) {
        if (strcasecmp(openers[i].name, action) == 0)
            return suits(openers[i].suits, role, states) ? (int)i + 1 : 0;
    }
    return 0;
}

char *element_best_opener(const char *actions, bool open, enum element_role role, unsigned states)
{
    char *best = NULL;
    int best_rank = 0;

    for (const char *at = actions ? actions : ""; *at;) {
        size_t len = strcspn(at, "\n");
        char *name = mem_strndup(at, len);
        int rank = element_opener(name, open, role, states);

        if (rank && (!best || rank < best_rank)) {
            free(best);
            best = mem_strdup(name);
            best_rank = rank;
        }
        free(name);
        at += len + (at[len] == '\n');
    }
    return best;
}

/* --- freeing ------------------------------------------------------------------------------- */

void element_info_free(struct element_info *info)
{
    free(info->name);
    free(info->value);
    free(info->description);
    free(info->native);
    free(info->actions);
    *info = (struct element_info){ 0 };
}

void element_tree_free(struct element_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        element_info_free(&tree->items[i]);
    free(tree->items);
    *tree = (struct element_tree){ 0 };
}

void element_text_free(struct element_text *text)
{
    free(text->text);
    *text = (struct element_text){ 0 };
}

void element_field_free(struct element_field *field)
{
    free(field->before);
    free(field->behind);
    free(field->text);
    *field = (struct element_field){ 0 };
}

void element_events_free(struct element_events *events)
{
    free(events->items);
    *events = (struct element_events){ 0 };
}
