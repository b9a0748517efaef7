/* Roles and subroles of AXRoleConstants.h and NSAccessibilityConstants.h
 * (developer.apple.com/documentation/appkit/nsaccessibility/role and /subrole), and those that
 * WebKit and Chromium add for pages. */
#include "platform/macos/ax/roles.h"

#include <string.h>

struct word {
    const char *native;
    enum element_role role;
};

/* Subroles, which say more than the role does. */
static const struct word subroles[] = {
    { "AXDialog", ELEMENT_DIALOG },
    { "AXSystemDialog", ELEMENT_DIALOG },
    { "AXSecureTextField", ELEMENT_PASSWORD },
    { "AXTabButton", ELEMENT_TAB },
    { "AXSwitch", ELEMENT_SWITCH },
    { "AXToggle", ELEMENT_TOGGLE },
    { "AXSortButton", ELEMENT_HEADER },
    { "AXOutlineRow", ELEMENT_TREE_ITEM },
    { "AXRatingIndicator", ELEMENT_SLIDER },
    { "AXContentSeparator", ELEMENT_SEPARATOR },
    { "AXApplicationAlert", ELEMENT_ALERT },
    { "AXApplicationAlertDialog", ELEMENT_ALERT },
    { "AXApplicationDialog", ELEMENT_DIALOG },
    { "AXApplicationStatus", ELEMENT_STATUS_BAR },
    { "AXDocument", ELEMENT_DOCUMENT },
    { "AXUserInterfaceTooltip", ELEMENT_TOOLTIP },
    { "AXNotificationCenterBanner", ELEMENT_NOTIFICATION },
    { "AXNotificationCenterAlert", ELEMENT_NOTIFICATION },
    { "AXLandmarkForm", ELEMENT_FORM },
};

static const struct word roles[] = {
    { "AXApplication", ELEMENT_APPLICATION },
    { "AXWindow", ELEMENT_WINDOW },
    { "AXSheet", ELEMENT_DIALOG },
    { "AXDrawer", ELEMENT_GROUP },
    { "AXPopover", ELEMENT_GROUP },
    { "AXButton", ELEMENT_BUTTON },
    { "AXMenuButton", ELEMENT_BUTTON },
    { "AXColorWell", ELEMENT_BUTTON },
    { "AXDockItem", ELEMENT_BUTTON },
    { "AXDisclosureTriangle", ELEMENT_TOGGLE },
    { "AXPopUpButton", ELEMENT_COMBO },
    { "AXComboBox", ELEMENT_COMBO },
    { "AXCheckBox", ELEMENT_CHECK },
    { "AXRadioButton", ELEMENT_RADIO },
    { "AXTextField", ELEMENT_ENTRY },
    { "AXDateField", ELEMENT_ENTRY },
    { "AXTimeField", ELEMENT_ENTRY },
    { "AXDateTimeArea", ELEMENT_ENTRY },
    { "AXTextArea", ELEMENT_TEXT },
    { "AXStaticText", ELEMENT_LABEL },
    { "AXHeading", ELEMENT_HEADING },
    { "AXLink", ELEMENT_LINK },
    { "AXImage", ELEMENT_IMAGE },
    { "AXIncrementor", ELEMENT_SPIN },
    { "AXSlider", ELEMENT_SLIDER },
    { "AXLevelIndicator", ELEMENT_PROGRESS },
    { "AXProgressIndicator", ELEMENT_PROGRESS },
    { "AXBusyIndicator", ELEMENT_PROGRESS },
    { "AXRelevanceIndicator", ELEMENT_PROGRESS },
    { "AXScrollBar", ELEMENT_SCROLL_BAR },
    { "AXMenuBar", ELEMENT_MENU_BAR },
    { "AXMenuBarItem", ELEMENT_MENU },
    { "AXMenu", ELEMENT_MENU },
    { "AXMenuItem", ELEMENT_MENU_ITEM },
    { "AXTabGroup", ELEMENT_TAB_LIST },
    { "AXRadioGroup", ELEMENT_GROUP },
    { "AXList", ELEMENT_LIST },
    { "AXTable", ELEMENT_TABLE },
    { "AXGrid", ELEMENT_TABLE },
    { "AXRow", ELEMENT_ROW },
    { "AXCell", ELEMENT_CELL },
    { "AXOutline", ELEMENT_TREE },
    { "AXBrowser", ELEMENT_GROUP },
    { "AXToolbar", ELEMENT_TOOL_BAR },
    { "AXHelpTag", ELEMENT_TOOLTIP },
    { "AXGroup", ELEMENT_GROUP },
    { "AXSplitGroup", ELEMENT_GROUP },
    { "AXLayoutItem", ELEMENT_GROUP },
    { "AXPage", ELEMENT_GROUP },
    { "AXLayoutArea", ELEMENT_CANVAS },
    { "AXScrollArea", ELEMENT_SCROLL_AREA },
    { "AXSplitter", ELEMENT_SEPARATOR },
    { "AXWebArea", ELEMENT_DOCUMENT },
};

static const struct word *find_word(const struct word *words, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i].native, name) == 0)
            return &words[i];
    }
    return NULL;
}

/* True for the direct children of a list: they are text, groups or cells, as the application
 * likes. */
static bool is_list_item(enum element_role role)
{
    return role == ELEMENT_LABEL || role == ELEMENT_GROUP || role == ELEMENT_CELL ||
           role == ELEMENT_ROW;
}

enum element_role ax_role_of(const char *role, const char *subrole, enum element_role inside)
{
    const struct word *word = find_word(subroles, countof(subroles), subrole);
    enum element_role found = ELEMENT_OTHER;

    if (!word)
        word = find_word(roles, countof(roles), role);
    if (word)
        found = word->role;
    if (inside == ELEMENT_LIST && is_list_item(found))
        return ELEMENT_LIST_ITEM;
    return inside == ELEMENT_TAB_LIST && found == ELEMENT_RADIO ? ELEMENT_TAB : found;
}

bool ax_role_is_leaf(const char *role)
{
    static const char *const leaves[] = { "AXStaticText", "AXImage",      "AXCheckBox",
                                          "AXSlider",     "AXTextField",  "AXProgressIndicator",
                                          "AXScrollBar",  "AXSplitter",   "AXLevelIndicator",
                                          "AXTextArea",   "AXIncrementor" };

    for (size_t i = 0; i < countof(leaves); i++) {
        if (strcmp(leaves[i], role) == 0)
            return true;
    }
    return false;
}

unsigned ax_role_abilities(enum element_role role, const char *native)
{
    switch (role) {
    case ELEMENT_BUTTON:
    case ELEMENT_TOGGLE:
    case ELEMENT_CHECK:
    case ELEMENT_RADIO:
    case ELEMENT_SWITCH:
    case ELEMENT_LINK:
    case ELEMENT_TAB:
        return ELEMENT_CAN_ACT | ELEMENT_CAN_FOCUS;
    case ELEMENT_COMBO: /* a pop-up button has no text of its own to be edited */
        return ELEMENT_CAN_ACT | ELEMENT_CAN_FOCUS |
               (strcmp(native, "AXComboBox") == 0 ? ELEMENT_CAN_READ : 0u);
    case ELEMENT_ENTRY:
    case ELEMENT_TEXT:
        return ELEMENT_CAN_ACT | ELEMENT_CAN_READ | ELEMENT_CAN_FOCUS;
    case ELEMENT_PASSWORD:
        return ELEMENT_CAN_ACT | ELEMENT_CAN_FOCUS;
    case ELEMENT_LABEL:
        return ELEMENT_CAN_READ;
    case ELEMENT_SPIN:
    case ELEMENT_SLIDER:
        return ELEMENT_CAN_ACT | ELEMENT_CAN_COUNT | ELEMENT_CAN_FOCUS;
    case ELEMENT_PROGRESS:
        return ELEMENT_CAN_COUNT;
    case ELEMENT_MENU:
    case ELEMENT_MENU_ITEM:
    case ELEMENT_CHECK_ITEM:
        return ELEMENT_CAN_ACT;
    case ELEMENT_LIST:
    case ELEMENT_TABLE:
    case ELEMENT_TREE:
        return ELEMENT_CAN_SELECT | ELEMENT_CAN_FOCUS;
    case ELEMENT_TAB_LIST:
        return ELEMENT_CAN_SELECT;
    default:
        return 0;
    }
}
