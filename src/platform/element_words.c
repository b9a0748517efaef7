/* The names of roles and states: one vocabulary for all systems. */
#include <stdlib.h>

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
static const char *const states[] = {
    "enabled",   "shown",      "focusable", "focused", "active",   "editable",
    "multiline", "checkable",  "checked",   "mixed",   "pressed",  "selectable",
    "selected",  "expandable", "expanded",  "modal",   "required", "invalid",
    "busy",      "default",    "has_popup", "virtual",
};

const char *element_role_name(enum element_role role)
{
    return roles[role];
}

enum element_role element_role_of(const char *name)
{
    int role = 0;

    while (role < ELEMENT_ROLES && strcmp(roles[role], name) != 0)
        role++;
    return role;
}

const char *element_state_name(unsigned bit_number)
{
    return bit_number < countof(states) ? states[bit_number] : NULL;
}

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

void element_events_free(struct element_events *events)
{
    free(events->items);
    *events = (struct element_events){ 0 };
}
