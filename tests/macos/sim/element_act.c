/* Actions on elements in windows, for accessibility, and its other questions about them. */
#include <stdlib.h>
#include <unistd.h>

#include "sim.h"

static bool is(CFStringRef attribute, const char *name)
{
    return str_same(buf_str(&sim_of(attribute)->bytes), str_from(name));
}

static int characters_of(const char *text, CFIndex units)
{
    int characters = 0;

    while (sim_units_of(text, characters) < units)
        characters++;
    return characters;
}

/* --- lists, by parts ----------------------------------------------------------------------------
 */

AXError AXUIElementCopyAttributeValues(AXUIElementRef ref, CFStringRef attribute, CFIndex index,
                                       CFIndex max, CFArrayRef *values)
{
    CFTypeRef all;
    AXError error = AXUIElementCopyAttributeValue(ref, attribute, &all);

    *values = NULL;
    if (error != kAXErrorSuccess)
        return error;
    if (sim_of(all)->type != SIM_ARRAY) {
        CFRelease(all);
        return kAXErrorIllegalArgument;
    }
    *values = sim_array();
    for (CFIndex i = index; i < CFArrayGetCount(all) && i < index + max; i++)
        sim_append(*values, CFRetain(CFArrayGetValueAtIndex(all, i)));
    CFRelease(all);
    return kAXErrorSuccess;
}

/* A long list has more rows than it has made elements. */
AXError AXUIElementGetAttributeValueCount(AXUIElementRef ref, CFStringRef attribute, CFIndex *count)
{
    struct element_info info;
    CFTypeRef all;
    AXError error = AXUIElementCopyAttributeValue(ref, attribute, &all);

    if (error != kAXErrorSuccess)
        return error;
    *count = sim_of(all)->type == SIM_ARRAY ? CFArrayGetCount(all) : 0;
    CFRelease(all);
    if (is(attribute, "AXChildren") && sim_of(ref)->node && sim_get(sim_of(ref)->node, &info)) {
        if (info.role == ELEMENT_LIST)
            *count = info.children;
        element_info_free(&info);
    }
    return error;
}

/* --- what can be done ----------------------------------------------------------------------------
 */

static const char *actions_of(const struct element_info *info, enum element_role parent)
{
    switch (info->role) {
    case ELEMENT_ENTRY:
    case ELEMENT_PASSWORD:
        return "AXConfirm AXShowMenu";
    case ELEMENT_TEXT: /* an action of the application's own, in AppKit's form */
        return "Name:Delete\nTarget:0x0\nSelector:(null) AXShowMenu";
    case ELEMENT_SPIN:
    case ELEMENT_SLIDER:
        return "AXIncrement AXDecrement";
    case ELEMENT_COMBO:
    case ELEMENT_MENU:
    case ELEMENT_MENU_ITEM:
    case ELEMENT_CHECK_ITEM:
        return info->role == ELEMENT_COMBO ? "AXPress AXShowMenu" : "AXCancel AXPress AXPick";
    case ELEMENT_LIST_ITEM:
        return parent == ELEMENT_COMBO ? "AXPress AXCancel" : "AXShowMenu";
    case ELEMENT_BUTTON:
    case ELEMENT_CHECK:
    case ELEMENT_RADIO:
    case ELEMENT_LINK:
    case ELEMENT_TAB:
        return "AXPress";
    case ELEMENT_TREE_ITEM:
        return "AXShowMenu";
    default:
        return "";
    }
}

AXError AXUIElementCopyActionNames(AXUIElementRef ref, CFArrayRef *list)
{
    const struct sim_object *element = sim_of(ref);
    AXError error = sim_ask(element);
    struct element_info info;
    const char *at;

    *list = NULL;
    if (error != kAXErrorSuccess)
        return error;
    *list = sim_array();
    if (!element->node || element->menu)
        return kAXErrorSuccess;
    if (!sim_get(element->node, &info)) {
        CFRelease(*list);
        *list = NULL;
        return kAXErrorInvalidUIElement;
    }
    for (at = actions_of(&info, sim_role_of(info.parent)); *at; at += *at == ' ') {
        char *name = mem_strndup(at, strcspn(at, " "));

        sim_append(*list, sim_string(name));
        at += strlen(name);
        free(name);
    }
    element_info_free(&info);
    return kAXErrorSuccess;
}

static AXError change(uint64_t id, struct element_change to)
{
    struct element_outcome out;
    struct error err;

    if (perigee_fake.elements->act(sim_desktop(), sim_deadline(), id, &to, &out, &err))
        return kAXErrorSuccess;
    return strcmp(err.code, "element_gone") == 0 ? kAXErrorInvalidUIElement : kAXErrorFailure;
}

/* Performs the element's first action of the fake ("click", "press", "jump"), or selects it. */
static AXError press(const struct element_info *info)
{
    char *name = mem_strndup(info->actions, strcspn(info->actions, "\n"));
    AXError error;

    if (*name)
        error = change(info->id, (struct element_change){ .verb = ELEMENT_DO, .name = name });
    else
        error = change(info->id, (struct element_change){ .verb = ELEMENT_SELECT });
    free(name);
    return error;
}

static AXError step(const struct element_info *info, double by)
{
    return change(info->id, (struct element_change){ .verb = ELEMENT_SET_NUMBER,
                                                     .number = info->number + by * info->step });
}

/* AppKit answers when the menu is closed again, which is too late for the caller. */
static AXError open_menu(const struct sim_object *element, const struct element_info *info)
{
    bool opens = !(info->states & ELEMENT_EXPANDED) && (info->states & ELEMENT_ENABLED);
    AXError error = press(info);

    if (!opens || error != kAXErrorSuccess)
        return error;
    usleep((useconds_t)(element->limit * 1e6));
    return kAXErrorCannotComplete;
}

/* A menu in a menu opens when the pointer is over it, not when it is pressed. */
static AXError press_it(const struct sim_object *element, const struct element_info *info)
{
    enum element_role parent = sim_role_of(info->parent);

    if (!strstr(actions_of(info, parent), "AXPress"))
        return kAXErrorActionUnsupported;
    if (info->role == ELEMENT_MENU && parent != ELEMENT_MENU_BAR)
        return kAXErrorSuccess;
    if (info->role == ELEMENT_MENU || info->role == ELEMENT_COMBO)
        return open_menu(element, info);
    return press(info);
}

static AXError do_to(const struct sim_object *element, const struct element_info *info,
                     CFStringRef action)
{
    if (is(action, "AXScrollToVisible"))
        return change(info->id, (struct element_change){ .verb = ELEMENT_SHOW });
    if (is(action, "AXIncrement") && (info->abilities & ELEMENT_CAN_COUNT))
        return step(info, 1);
    if (is(action, "AXDecrement") && (info->abilities & ELEMENT_CAN_COUNT))
        return step(info, -1);
    if (is(action, "AXConfirm") && sim_is_text(info->role))
        return kAXErrorSuccess;
    if (is(action, "AXShowMenu") && info->role == ELEMENT_COMBO)
        return open_menu(element, info);
    if (is(action, "AXPress"))
        return press_it(element, info);
    return kAXErrorActionUnsupported;
}

AXError sim_do(const struct sim_object *element, CFStringRef action)
{
    struct element_info info;
    AXError error;

    if (element->menu || !sim_get(element->node, &info))
        return element->menu ? kAXErrorActionUnsupported : kAXErrorInvalidUIElement;
    error = do_to(element, &info, action);
    element_info_free(&info);
    return error;
}

/* --- what can be set -----------------------------------------------------------------------------
 */

static bool settable(const struct element_info *info, CFStringRef attribute)
{
    if (is(attribute, "AXValue"))
        return (info->abilities & (ELEMENT_CAN_WRITE | ELEMENT_CAN_COUNT)) != 0 &&
               info->role != ELEMENT_PROGRESS;
    if (is(attribute, "AXFocused"))
        return (info->states & ELEMENT_FOCUSABLE) != 0;
    if (is(attribute, "AXSelectedTextRange"))
        return sim_is_text(info->role);
    if (is(attribute, "AXDisclosing"))
        return (info->states & ELEMENT_EXPANDABLE) != 0;
    return is(attribute, "AXSelectedChildren") && info->role == ELEMENT_LIST;
}

AXError AXUIElementIsAttributeSettable(AXUIElementRef ref, CFStringRef attribute, Boolean *can)
{
    const struct sim_object *element = sim_of(ref);
    AXError error = sim_ask(element);
    struct element_info info;

    *can = false;
    if (error != kAXErrorSuccess)
        return error;
    if (!element->node || element->menu)
        return kAXErrorAttributeUnsupported;
    if (!sim_get(element->node, &info))
        return kAXErrorInvalidUIElement;
    *can = settable(&info, attribute);
    element_info_free(&info);
    return kAXErrorSuccess;
}

static AXError put_caret(uint64_t id, const struct sim_object *to)
{
    struct element_change caret = { .verb = ELEMENT_CARET, .to = -1 };
    struct element_text text;
    CFRange range;

    if (!AXValueGetValue((AXValueRef)(const void *)to, kAXValueTypeCFRange, &range) ||
        !sim_read_text(id, &text))
        return kAXErrorIllegalArgument;
    caret.from = characters_of(text.text, range.location);
    if (range.length)
        caret.to = characters_of(text.text, range.location + range.length);
    element_text_free(&text);
    return change(id, caret);
}

static AXError set_value(const struct element_info *info, const struct sim_object *to)
{
    if (to->type == SIM_STRING)
        return change(info->id, (struct element_change){ .verb = ELEMENT_SET_TEXT,
                                                         .text = buf_str(&to->bytes) });
    return change(info->id,
                  (struct element_change){ .verb = ELEMENT_SET_NUMBER, .number = to->values[0] });
}

static AXError set_in(const struct element_info *info, CFStringRef attribute,
                      const struct sim_object *to)
{
    bool open = (info->states & ELEMENT_EXPANDED) != 0;

    if (!settable(info, attribute))
        return kAXErrorAttributeUnsupported;
    if (is(attribute, "AXValue"))
        return set_value(info, to);
    if (is(attribute, "AXFocused"))
        return change(info->id, (struct element_change){ .verb = ELEMENT_FOCUS });
    if (is(attribute, "AXSelectedTextRange"))
        return put_caret(info->id, to);
    if (is(attribute, "AXSelectedChildren"))
        return to->count == 1 ? change(sim_of(to->pairs[0].value)->node,
                                       (struct element_change){ .verb = ELEMENT_SELECT })
                              : kAXErrorIllegalArgument;
    return open == (to->number != 0) ? kAXErrorSuccess : press(info);
}

AXError sim_set(const struct sim_object *element, CFStringRef attribute,
                const struct sim_object *to)
{
    struct element_info info;
    AXError error;

    if (is(attribute, "AXManualAccessibility"))
        return sim_wake(element->pid) ? kAXErrorSuccess : kAXErrorAttributeUnsupported;
    if (!element->node || element->menu)
        return kAXErrorAttributeUnsupported;
    if (!sim_get(element->node, &info))
        return kAXErrorInvalidUIElement;
    error = set_in(&info, attribute, to);
    element_info_free(&info);
    return error;
}

/* --- the rest
 * -------------------------------------------------------------------------------------- */

AXError AXUIElementCopyParameterizedAttributeValue(AXUIElementRef ref, CFStringRef attribute,
                                                   CFTypeRef parameter, CFTypeRef *result)
{
    AXError error = sim_ask(sim_of(ref));
    struct element_text text;
    CFRange range;
    size_t from, to;
    char *part;

    *result = NULL;
    if (error != kAXErrorSuccess)
        return error;
    if (!is(attribute, "AXStringForRange") ||
        !AXValueGetValue(parameter, kAXValueTypeCFRange, &range) ||
        !sim_read_text(sim_of(ref)->node, &text))
        return kAXErrorParameterizedAttributeUnsupported;
    for (from = 0; text.text[from] && (CFIndex)from < range.location;)
        from++; /* ASCII only */
    to = from + (size_t)range.length < strlen(text.text) ? from + (size_t)range.length
                                                         : strlen(text.text);
    part = mem_strndup(text.text + from, to - from);
    *result = sim_string(part);
    free(part);
    element_text_free(&text);
    return kAXErrorSuccess;
}

AXError AXUIElementCopyElementAtPosition(AXUIElementRef app, float x, float y,
                                         AXUIElementRef *found)
{
    const struct sim_object *element = sim_of(app);
    AXError error = sim_ask(element);
    struct element_info info;
    uint64_t id = 0;

    *found = NULL;
    if (error != kAXErrorSuccess)
        return error;
    if (!perigee_fake.elements->at(sim_desktop(), sim_deadline(), element->pid,
                                   (struct point){ x, y }, &id, NULL) ||
        !id || !sim_get(id, &info))
        return kAXErrorNoValue;
    *found = sim_element(info.pid, info.window, info.parent ? id : 0, false);
    element_info_free(&info);
    return kAXErrorSuccess;
}
