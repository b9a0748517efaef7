#include "platform/atspi/bus/roles.h"

/* The roles by AtspiRole. */
static const struct {
    const char *native;
    enum element_role role;
} roles[] = {
    { "invalid", ELEMENT_OTHER },
    { "accelerator label", ELEMENT_LABEL },
    { "alert", ELEMENT_ALERT },
    { "animation", ELEMENT_IMAGE },
    { "arrow", ELEMENT_BUTTON },
    { "calendar", ELEMENT_TABLE },
    { "canvas", ELEMENT_CANVAS },
    { "check box", ELEMENT_CHECK },
    { "check menu item", ELEMENT_CHECK_ITEM },
    { "color chooser", ELEMENT_DIALOG },
    { "column header", ELEMENT_HEADER },
    { "combo box", ELEMENT_COMBO },
    { "date editor", ELEMENT_ENTRY },
    { "desktop icon", ELEMENT_IMAGE },
    { "desktop frame", ELEMENT_WINDOW },
    { "dial", ELEMENT_SLIDER },
    { "dialog", ELEMENT_DIALOG },
    { "directory pane", ELEMENT_GROUP },
    { "drawing area", ELEMENT_CANVAS },
    { "file chooser", ELEMENT_DIALOG },
    { "filler", ELEMENT_GROUP },
    { "focus traversable", ELEMENT_GROUP },
    { "font chooser", ELEMENT_DIALOG },
    { "frame", ELEMENT_WINDOW },
    { "glass pane", ELEMENT_GROUP },
    { "html container", ELEMENT_DOCUMENT },
    { "icon", ELEMENT_IMAGE },
    { "image", ELEMENT_IMAGE },
    { "internal frame", ELEMENT_GROUP },
    { "label", ELEMENT_LABEL },
    { "layered pane", ELEMENT_GROUP },
    { "list", ELEMENT_LIST },
    { "list item", ELEMENT_LIST_ITEM },
    { "menu", ELEMENT_MENU },
    { "menu bar", ELEMENT_MENU_BAR },
    { "menu item", ELEMENT_MENU_ITEM },
    { "option pane", ELEMENT_DIALOG },
    { "page tab", ELEMENT_TAB },
    { "page tab list", ELEMENT_TAB_LIST },
    { "panel", ELEMENT_GROUP },
    { "password text", ELEMENT_PASSWORD },
    { "popup menu", ELEMENT_MENU },
    { "progress bar", ELEMENT_PROGRESS },
    { "push button", ELEMENT_BUTTON },
    { "radio button", ELEMENT_RADIO },
    { "radio menu item", ELEMENT_RADIO_ITEM },
    { "root pane", ELEMENT_GROUP },
    { "row header", ELEMENT_HEADER },
    { "scroll bar", ELEMENT_SCROLL_BAR },
    { "scroll pane", ELEMENT_SCROLL_AREA },
    { "separator", ELEMENT_SEPARATOR },
    { "slider", ELEMENT_SLIDER },
    { "spin button", ELEMENT_SPIN },
    { "split pane", ELEMENT_GROUP },
    { "status bar", ELEMENT_STATUS_BAR },
    { "table", ELEMENT_TABLE },
    { "table cell", ELEMENT_CELL },
    { "table column header", ELEMENT_HEADER },
    { "table row header", ELEMENT_HEADER },
    { "tearoff menu item", ELEMENT_MENU_ITEM },
    { "terminal", ELEMENT_TERMINAL },
    { "text", ELEMENT_TEXT },
    { "toggle button", ELEMENT_TOGGLE },
    { "tool bar", ELEMENT_TOOL_BAR },
    { "tool tip", ELEMENT_TOOLTIP },
    { "tree", ELEMENT_TREE },
    { "tree table", ELEMENT_TREE },
    { "unknown", ELEMENT_OTHER },
    { "viewport", ELEMENT_GROUP },
    { "window", ELEMENT_WINDOW },
    { "extended", ELEMENT_OTHER },
    { "header", ELEMENT_GROUP },
    { "footer", ELEMENT_GROUP },
    { "paragraph", ELEMENT_PARAGRAPH },
    { "ruler", ELEMENT_OTHER },
    { "application", ELEMENT_APPLICATION },
    { "autocomplete", ELEMENT_ENTRY },
    { "edit bar", ELEMENT_ENTRY },
    { "embedded", ELEMENT_GROUP },
    { "entry", ELEMENT_ENTRY },
    { "chart", ELEMENT_IMAGE },
    { "caption", ELEMENT_LABEL },
    { "document frame", ELEMENT_DOCUMENT },
    { "heading", ELEMENT_HEADING },
    { "page", ELEMENT_GROUP },
    { "section", ELEMENT_GROUP },
    { "redundant object", ELEMENT_GROUP },
    { "form", ELEMENT_FORM },
    { "link", ELEMENT_LINK },
    { "input method window", ELEMENT_WINDOW },
    { "table row", ELEMENT_ROW },
    { "tree item", ELEMENT_TREE_ITEM },
    { "document spreadsheet", ELEMENT_DOCUMENT },
    { "document presentation", ELEMENT_DOCUMENT },
    { "document text", ELEMENT_DOCUMENT },
    { "document web", ELEMENT_DOCUMENT },
    { "document email", ELEMENT_DOCUMENT },
    { "comment", ELEMENT_GROUP },
    { "list box", ELEMENT_LIST },
    { "grouping", ELEMENT_GROUP },
    { "image map", ELEMENT_IMAGE },
    { "notification", ELEMENT_NOTIFICATION },
    { "info bar", ELEMENT_NOTIFICATION },
    { "level bar", ELEMENT_PROGRESS },
    { "title bar", ELEMENT_GROUP },
    { "block quote", ELEMENT_GROUP },
    { "audio", ELEMENT_OTHER },
    { "video", ELEMENT_OTHER },
    { "definition", ELEMENT_GROUP },
    { "article", ELEMENT_GROUP },
    { "landmark", ELEMENT_GROUP },
    { "log", ELEMENT_GROUP },
    { "marquee", ELEMENT_GROUP },
    { "math", ELEMENT_OTHER },
    { "rating", ELEMENT_SLIDER },
    { "timer", ELEMENT_LABEL },
    { "static", ELEMENT_LABEL },
    { "math fraction", ELEMENT_OTHER },
    { "math root", ELEMENT_OTHER },
    { "subscript", ELEMENT_LABEL },
    { "superscript", ELEMENT_LABEL },
    { "description list", ELEMENT_LIST },
    { "description term", ELEMENT_LIST_ITEM },
    { "description value", ELEMENT_LIST_ITEM },
    { "footnote", ELEMENT_GROUP },
    { "content deletion", ELEMENT_GROUP },
    { "content insertion", ELEMENT_GROUP },
    { "mark", ELEMENT_GROUP },
    { "suggestion", ELEMENT_GROUP },
    { "push button menu", ELEMENT_BUTTON },
    { "switch", ELEMENT_SWITCH },
};

enum { ROLE_TEXT = 61 };

/* The role "text" is that of both kinds of text fields. */
enum element_role roles_of(uint32_t role, uint64_t states, const char **native)
{
    *native = role < countof(roles) ? roles[role].native : "unknown";
    if (role == ROLE_TEXT && HAS_STATE(states, STATE_EDITABLE) &&
        !HAS_STATE(states, STATE_MULTI_LINE))
        return ELEMENT_ENTRY;
    return role < countof(roles) ? roles[role].role : ELEMENT_OTHER;
}

unsigned roles_states(uint64_t states)
{
    static const struct {
        enum atspi_state theirs;
        enum element_state ours;
    } pairs[] = {
        { STATE_ACTIVE, ELEMENT_ACTIVE },
        { STATE_BUSY, ELEMENT_BUSY },
        { STATE_CHECKED, ELEMENT_CHECKED },
        { STATE_EDITABLE, ELEMENT_EDITABLE },
        { STATE_ENABLED, ELEMENT_ENABLED },
        { STATE_SENSITIVE, ELEMENT_ENABLED },
        { STATE_EXPANDABLE, ELEMENT_EXPANDABLE },
        { STATE_EXPANDED, ELEMENT_EXPANDED },
        { STATE_FOCUSABLE, ELEMENT_FOCUSABLE },
        { STATE_FOCUSED, ELEMENT_FOCUSED },
        { STATE_MODAL, ELEMENT_MODAL },
        { STATE_MULTI_LINE, ELEMENT_MULTILINE },
        { STATE_PRESSED, ELEMENT_PRESSED },
        { STATE_SELECTABLE, ELEMENT_SELECTABLE },
        { STATE_SELECTED, ELEMENT_SELECTED },
        { STATE_SHOWING, ELEMENT_SHOWN },
        { STATE_MANAGES_DESCENDANTS, ELEMENT_VIRTUAL },
        { STATE_INDETERMINATE, ELEMENT_MIXED },
        { STATE_REQUIRED, ELEMENT_REQUIRED },
        { STATE_INVALID_ENTRY, ELEMENT_INVALID },
        { STATE_IS_DEFAULT, ELEMENT_DEFAULT },
        { STATE_CHECKABLE, ELEMENT_CHECKABLE },
        { STATE_HAS_POPUP, ELEMENT_HAS_POPUP },
    };
    unsigned ours = 0;

    for (size_t i = 0; i < countof(pairs); i++)
        ours |= HAS_STATE(states, pairs[i].theirs) ? (unsigned)pairs[i].ours : 0;
    /* Chromium reports neither a read-only field nor a disabled one as enabled; only the first
     * takes the focus. */
    if (HAS_STATE(states, STATE_READ_ONLY) && HAS_STATE(states, STATE_FOCUSABLE))
        ours |= ELEMENT_ENABLED;
    return ours;
}

unsigned roles_ability(const char *interface)
{
    static const struct {
        const char *name;
        enum element_ability ability;
    } known[] = {
        { "Action", ELEMENT_CAN_ACT },         { "Text", ELEMENT_CAN_READ },
        { "EditableText", ELEMENT_CAN_WRITE }, { "Value", ELEMENT_CAN_COUNT },
        { "Selection", ELEMENT_CAN_SELECT },   { "Component", ELEMENT_CAN_FOCUS },
    };
    const char *dot = strrchr(interface, '.');

    for (size_t i = 0; dot && i < countof(known); i++) {
        if (strcmp(dot + 1, known[i].name) == 0)
            return known[i].ability;
    }
    return 0;
}
