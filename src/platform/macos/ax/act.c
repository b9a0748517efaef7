#include "platform/macos/ax/act.h"

#include <stdio.h>
#include <stdlib.h>

#include "json/utf8.h"
#include "platform/macos/ax/ids.h"
#include "platform/macos/ax/node.h"
#include "platform/macos/ax/roles.h"
#include "platform/macos/ax/units.h"
#include "platform/units.h"

struct deed {
    struct ask *ask;
    struct ax_known of;
    const struct element_change *change;
    struct element_outcome *out;
};

static bool find_known(uint64_t id, struct ax_known *out, struct error *err)
{
    return ax_ids_look(id, out) ||
           error_set(err, "element_gone", "the element is not known any more. Look again");
}

/* Ends an action with its answer; `what` for the route and for errors: "action press",
 * "AXValue". */
static bool finish_deed(struct deed *deed, enum answer answer, const char *what, struct error *err)
{
    switch (answer) {
    case ANSWER_GIVEN:
    case ANSWER_REFUSED:
        deed->out->agreed = answer == ANSWER_GIVEN;
        snprintf(deed->out->route, sizeof deed->out->route, "ax %s", what);
        return true;
    case ANSWER_NONE:
        return error_set(err, "not_supported", "the element has no %s", what);
    case ANSWER_GONE:
        return error_set(err, "element_gone", "the element no longer exists. Look again");
    default:
        return false;
    }
}

static bool is_answer(enum answer answer)
{
    return answer == ANSWER_GIVEN || answer == ANSWER_REFUSED;
}

/* --- actions -------------------------------------------------------------------------------- */

/* Opens or closes a row of an outline, by an attribute. */
static bool open_or_close_row(struct deed *deed, bool open, struct error *err)
{
    enum answer answer = ask_set(deed->ask, deed->of.element, kAXDisclosingAttribute,
                                 open ? kCFBooleanTrue : kCFBooleanFalse, err);

    return finish_deed(deed, answer, open ? "action expand" : "action collapse", err);
}

enum { MENU_MS = 300 };

/* AppKit answers the action that opened a menu only when the menu is closed again, and every other
 * question meanwhile: waiting longer brings nothing (asmagill/hs._asm.axuielement#13,
 * pyatom#131). */
static void expect_menu(struct deed *deed, CFStringRef action)
{
    if (deed->of.role == ELEMENT_MENU || deed->of.role == ELEMENT_COMBO ||
        CFEqual(action, CFSTR("AXShowMenu")))
        deed->ask->until = deadline_now() + MENU_MS;
}

static bool do_action(struct deed *deed, struct error *err)
{
    CFArrayRef names;
    CFStringRef action;
    enum answer answer = ask_actions(deed->ask, deed->of.element, &names, err);
    char what[64];

    snprintf(what, sizeof what, "action %.40s", deed->change->name);
    if (answer == ANSWER_FAILED || answer == ANSWER_GONE)
        return finish_deed(deed, answer, what, err);
    action = names ? node_action_of(names, deed->change->name) : NULL;
    if (action)
        expect_menu(deed, action);
    answer = action ? ask_do(deed->ask, deed->of.element, action, err) : ANSWER_NONE;
    cf_release(names);
    if (action)
        return finish_deed(deed, answer, what, err);
    if (strcmp(deed->change->name, "expand") == 0 || strcmp(deed->change->name, "collapse") == 0)
        return open_or_close_row(deed, deed->change->name[0] == 'e', err);
    return error_set(err, "not_supported", "the element has no action \"%.64s\"",
                     deed->change->name);
}

/* --- values --------------------------------------------------------------------------------- */

/* Sets an attribute. One that cannot be set is reported as missing, not as refused. */
static enum answer set_if_settable(struct deed *deed, CFStringRef attribute, CFTypeRef value,
                                   struct error *err)
{
    bool settable;
    enum answer answer = ask_settable(deed->ask, deed->of.element, attribute, &settable, err);

    if (answer != ANSWER_GIVEN)
        return answer;
    return settable ? ask_set(deed->ask, deed->of.element, attribute, value, err) : ANSWER_NONE;
}

static bool set_element_text(struct deed *deed, struct error *err)
{
    struct str text = deed->change->text;
    CFStringRef value;
    bool ok;

    if (!utf8_valid(text.ptr, text.len, NULL) || memchr(text.ptr, 0, text.len))
        return error_set(err, "bad_text", "the text is not valid UTF-8, or has a NUL in it");
    value = CFStringCreateWithBytes(NULL, (const UInt8 *)text.ptr, (CFIndex)text.len,
                                    kCFStringEncodingUTF8, false);
    if (!value)
        return error_set(err, "bad_text", "macOS cannot read the text");
    ok = finish_deed(deed, set_if_settable(deed, kAXValueAttribute, value, err), "AXValue", err);
    CFRelease(value);
    return ok;
}

static bool set_element_number(struct deed *deed, struct error *err)
{
    CFTypeRef now;
    CFNumberRef value;
    double number;
    enum answer answer = ask_one(deed->ask, deed->of.element, kAXValueAttribute, &now, err);
    bool numeric = answer == ANSWER_GIVEN && node_number(now, &number) &&
                   CFGetTypeID(now) == CFNumberGetTypeID();
    bool ok;

    cf_release(now);
    if (answer == ANSWER_FAILED || answer == ANSWER_GONE)
        return finish_deed(deed, answer, "AXValue", err);
    if (!numeric || !(ax_role_abilities(deed->of.role, "") & ELEMENT_CAN_COUNT))
        return error_set(err, "not_supported", "the element has no number to set");
    value = CFNumberCreate(NULL, kCFNumberDoubleType, &deed->change->number);
    ok = finish_deed(deed, set_if_settable(deed, kAXValueAttribute, value, err), "AXValue", err);
    cf_release(value);
    return ok;
}

/* --- opening and closing -------------------------------------------------------------------- */

static bool do_by_name(struct deed *deed, const char *name, struct error *err)
{
    const struct element_change *given = deed->change;
    struct element_change named = { .verb = ELEMENT_DO, .name = name };
    bool ok;

    deed->change = &named;
    ok = do_action(deed, err);
    deed->change = given;
    return ok;
}

/* Opens or closes by the attribute for it, if that can be set; else by an action, which may be a
 * toggle. */
static bool expand_node(struct deed *deed, const struct element_info *info, bool open,
                        struct error *err)
{
    enum answer answer =
        set_if_settable(deed, kAXExpandedAttribute, open ? kCFBooleanTrue : kCFBooleanFalse, err);
    char *action;
    bool ok;

    if (answer != ANSWER_NONE)
        return finish_deed(deed, answer, "AXExpanded", err);
    action = element_best_opener(info->actions, open, info->role, info->states);
    if (!action)
        return error_set(err, "not_supported", "the element has no action that %s it",
                         open ? "opens" : "closes");
    ok = do_by_name(deed, action, err);
    free(action);
    return ok;
}

static bool is_node_open(const struct deed *deed, const struct node *node)
{
    return (node->info.states & ELEMENT_EXPANDED) != 0 ||
           (deed->of.role == ELEMENT_MENU && node->selected);
}

static bool expand_element(struct deed *deed, struct error *err)
{
    bool open = deed->change->verb == ELEMENT_EXPAND, ok = true;
    struct node node;
    enum answer answer =
        node_read(deed->ask, deed->of.element, &(struct node_wish){ .actions = true }, &node, err);

    if (answer != ANSWER_GIVEN)
        return finish_deed(deed, answer == ANSWER_REFUSED ? ANSWER_NONE : answer, "attributes",
                           err);
    node.info.role = deed->of.role;
    if (is_node_open(deed, &node) == open) {
        deed->out->agreed = true;
        snprintf(deed->out->route, sizeof deed->out->route, "nothing to do");
    } else {
        ok = expand_node(deed, &node.info, open, err);
    }
    node_free(&node);
    return ok;
}

/* --- the rest ------------------------------------------------------------------------------- */

static bool focus_element(struct deed *deed, struct error *err)
{
    return finish_deed(deed, set_if_settable(deed, kAXFocusedAttribute, kCFBooleanTrue, err),
                       "AXFocused", err);
}

static bool show_element(struct deed *deed, struct error *err)
{
    CFStringRef action = CFSTR("AXScrollToVisible");

    return finish_deed(deed, ask_do(deed->ask, deed->of.element, action, err), "AXScrollToVisible",
                       err);
}

/* Selects the element as the choice of its parent, if it cannot be selected itself. */
static enum answer choose_in_parent(struct deed *deed, struct error *err)
{
    const void *one = deed->of.element;
    bool row = deed->of.role == ELEMENT_ROW || deed->of.role == ELEMENT_TREE_ITEM;
    struct ax_known parent;
    CFArrayRef chosen;
    enum answer answer;

    if (!ax_ids_look(deed->of.parent, &parent))
        return ANSWER_NONE;
    chosen = CFArrayCreate(NULL, &one, 1, &kCFTypeArrayCallBacks);
    answer = ask_set(deed->ask, parent.element,
                     row ? kAXSelectedRowsAttribute : kAXSelectedChildrenAttribute, chosen, err);
    cf_release(chosen);
    ax_known_free(&parent);
    return answer;
}

/* Selects the element: a tab by a press; another by the parent's choice first, because AXSelected
 * of a row may leave others selected. */
static bool select_element(struct deed *deed, struct error *err)
{
    enum answer answer;

    if (deed->of.role == ELEMENT_TAB || deed->of.role == ELEMENT_RADIO)
        return finish_deed(deed, ask_do(deed->ask, deed->of.element, kAXPressAction, err),
                           "action press", err);
    answer = choose_in_parent(deed, err);
    if (answer == ANSWER_FAILED || is_answer(answer))
        return finish_deed(deed, answer, "AXSelectedChildren", err);
    return finish_deed(deed, set_if_settable(deed, kAXSelectedAttribute, kCFBooleanTrue, err),
                       "AXSelected", err);
}

/* Puts the caret. AX counts ranges in UTF-16 units. */
static bool put_caret(struct deed *deed, struct error *err)
{
    int from = deed->change->from, to = deed->change->to;
    struct units units;
    CFRange range;
    AXValueRef value;
    enum answer answer = units_read(deed->ask, deed->of.element, &units, err);
    bool ok;

    if (answer != ANSWER_GIVEN)
        return finish_deed(deed, answer, "text", err);
    range.location = units_at(units.text, from);
    range.length = to < 0 ? 0 : units_at(units.text, to) - range.location;
    units_free(&units);
    if (range.length < 0)
        range.length = 0;
    value = AXValueCreate(kAXValueTypeCFRange, &range);
    if (!value)
        return error_set(err, "not_supported", "macOS takes no such range");
    ok = finish_deed(
        deed, ask_set(deed->ask, deed->of.element, kAXSelectedTextRangeAttribute, value, err),
        "AXSelectedTextRange", err);
    CFRelease(value);
    return ok;
}

static bool do_deed(struct deed *deed, struct error *err)
{
    switch (deed->change->verb) {
    case ELEMENT_DO:
        return do_action(deed, err);
    case ELEMENT_SET_TEXT:
        return set_element_text(deed, err);
    case ELEMENT_SET_NUMBER:
        return set_element_number(deed, err);
    case ELEMENT_FOCUS:
        return focus_element(deed, err);
    case ELEMENT_SELECT:
        return select_element(deed, err);
    case ELEMENT_EXPAND:
    case ELEMENT_COLLAPSE:
        return expand_element(deed, err);
    case ELEMENT_SHOW:
        return show_element(deed, err);
    case ELEMENT_CARET:
        return put_caret(deed, err);
    }
    return error_set(err, "not_supported", "there is no such change");
}

bool act_do(struct ask *ask, uint64_t id, const struct element_change *change,
            struct element_outcome *out, struct error *err)
{
    struct deed deed = { .ask = ask, .change = change, .out = out };
    bool ok;

    *out = (struct element_outcome){ .agreed = false };
    if (!find_known(id, &deed.of, err))
        return false;
    ask->pid = deed.of.pid;
    ok = do_deed(&deed, err);
    ax_known_free(&deed.of);
    return ok;
}

/* --- a text --------------------------------------------------------------------------------- */

/* Returns UTF-8 of these characters of the text. */
static char *part_of(const struct units *units, int from, int to, bool *cut)
{
    const char *first = units->text + units_byte(units->text, from);
    const char *last = units->text + units_byte(units->text, to);
    char *raw = mem_strndup(first, (size_t)(last - first)),
         *clean = element_clean(raw, ELEMENT_TEXT_MAX, cut);

    free(raw);
    return clean;
}

bool act_text(struct ask *ask, uint64_t id, int from, int to, struct element_text *out,
              struct error *err)
{
    struct deed deed = { .ask = ask, .out = &(struct element_outcome){ 0 } };
    struct units units;
    enum answer answer;
    bool cut;

    *out = (struct element_text){ .caret = -1, .selected_from = -1, .selected_to = -1 };
    if (!find_known(id, &deed.of, err))
        return false;
    ask->pid = deed.of.pid;
    answer = deed.of.role == ELEMENT_PASSWORD ? ANSWER_NONE
                                              : units_read(ask, deed.of.element, &units, err);
    ax_known_free(&deed.of);
    if (answer != ANSWER_GIVEN)
        return finish_deed(&deed, answer == ANSWER_REFUSED ? ANSWER_NONE : answer,
                           "text that can be read", err) &&
               false;
    out->length = units.characters;
    out->to = to < 0 || to > out->length ? out->length : to;
    out->from = from < 0 ? 0 : from > out->to ? out->to : from;
    out->text = part_of(&units, out->from, out->to, &cut);
    if (cut)
        out->to = out->from + (int)utf8_length(out->text, strlen(out->text));
    if (units.selected.location >= 0) {
        int begin = units_character(units.text, units.selected.location);
        int end = units_character(units.text, units.selected.location + units.selected.length);

        out->caret = end;
        if (end > begin) {
            out->selected_from = begin;
            out->selected_to = end;
        }
    }
    units_free(&units);
    return true;
}
