/* AX counts UTF-16 units, so all of a text is read for a place in it. */
#include "platform/macos/ax/field.h"

#include <stdlib.h>

#include "platform/macos/ax/ids.h"
#include "platform/macos/ax/node.h"
#include "platform/macos/ax/units.h"
#include "platform/units.h"

/* --- its text --------------------------------------------------------------------------------- */

static char *part_of(const char *text, int from, int to)
{
    size_t first = units_byte(text, from);

    return mem_strndup(text + first, units_byte(text + first, to - from));
}

static void set_range(const struct units *units, const struct element_field_query *query,
                      struct element_field *out)
{
    CFRange selected = units->selected;
    bool told = selected.location >= 0;

    out->from = told ? units_character(units->text, selected.location) : 0;
    out->to = told ? units_character(units->text, selected.location + selected.length) : 0;
    out->caret = told ? out->to : -1;
    if (query->again) {
        out->from = query->from < out->length ? query->from : out->length;
        out->to = out->length - query->rest;
    }
    if (out->to < out->from)
        out->to = out->from;
}

static void take_text(const struct units *units, const struct element_field_query *query,
                      struct element_field *out)
{
    int first, last;

    out->length = units->characters;
    set_range(units, query, out);
    first = out->from > query->before ? out->from - query->before : 0;
    last = out->length - out->to > query->behind ? out->to + query->behind : out->length;
    out->before = part_of(units->text, first, out->from);
    out->behind = part_of(units->text, out->to, last);
    if (query->again)
        out->text = part_of(units->text, out->from, out->to);
}

/* A text that was cut is not compared with anything. */
static enum answer read_text(const struct ask *ask, AXUIElementRef element,
                             const struct element_field_query *query, struct element_field *out,
                             struct error *err)
{
    struct units units;
    enum answer answer = units_read(ask, element, &units, err);

    if (answer != ANSWER_GIVEN)
        return answer;
    out->readable = units_at(units.text, INT32_MAX) < UNITS_MAX &&
                    (query->again || units.selected.location >= 0);
    if (out->readable)
        take_text(&units, query, out);
    units_free(&units);
    return ANSWER_GIVEN;
}

/* --- its facts -------------------------------------------------------------------------------- */

/* True for a field that takes typed text. A terminal and an editor in a page may take it as well,
 * and say that their value cannot be set: nothing is claimed about those. */
static bool is_field(const struct element_info *info)
{
    return (info->states & ELEMENT_EDITABLE) &&
           (info->role == ELEMENT_ENTRY || info->role == ELEMENT_TEXT ||
            info->role == ELEMENT_PASSWORD || info->role == ELEMENT_COMBO);
}

/* Takes an element that has the keyboard, or (`known`) one that had it. */
static enum answer read_element(const struct ask *ask, AXUIElementRef element, bool known,
                                const struct element_field_query *query, struct element_field *out,
                                struct error *err)
{
    struct node_wish wish = { .bounds = false };
    struct node node;
    enum answer answer = node_read(ask, element, &wish, &node, err);
    bool focused, password;

    if (answer != ANSWER_GIVEN)
        return answer;
    focused = !known || (node.info.states & ELEMENT_FOCUSED);
    password = node.info.role == ELEMENT_PASSWORD;
    if (is_field(&node.info) && (focused || query->again)) {
        out->finding = FIELD_FOUND;
        out->id = ax_ids_of(element, &(struct ax_known){ .pid = ask->pid, .role = node.info.role });
        out->focused = focused;
        out->multiline = (node.info.states & ELEMENT_MULTILINE) != 0;
    }
    node_free(&node);
    if (out->finding != FIELD_FOUND || password)
        return ANSWER_GIVEN;
    return read_text(ask, element, query, out, err);
}

/* --- the operation ---------------------------------------------------------------------------- */

/* An application that tells nothing of its interface has no field; a field without a text, or one
 * that is gone, is no failure. */
static bool finish(enum answer answer, struct element_field *out, struct error *err)
{
    if (answer != ANSWER_FAILED)
        return true;
    if (strcmp(err->code, "no_tree") != 0)
        return false;
    out->finding = FIELD_ABSENT;
    return true;
}

static enum answer read_known(struct ask *ask, const struct element_field_query *query,
                              struct element_field *out, struct error *err)
{
    struct ax_known known;
    enum answer answer = ANSWER_NONE;

    if (!ax_ids_look(query->id, &known))
        return ANSWER_NONE;
    if (known.pid == ask->pid || query->again) {
        ask->pid = out->pid = known.pid;
        answer = read_element(ask, known.element, true, query, out, err);
    }
    ax_known_free(&known);
    return answer;
}

bool field_read(struct ask *ask, const struct element_field_query *query, struct element_field *out,
                struct error *err)
{
    AXUIElementRef app;
    CFTypeRef focused;
    enum answer answer;

    out->pid = ask->pid;
    if (query->id)
        return finish(read_known(ask, query, out, err), out, err);
    app = ask_app(ask->pid, err);
    if (!app)
        return false;
    answer = ask_one(ask, app, kAXFocusedUIElementAttribute, &focused, err);
    if (answer == ANSWER_GIVEN && !query->present && CFGetTypeID(focused) == AXUIElementGetTypeID())
        answer = read_element(ask, (AXUIElementRef)focused, false, query, out, err);
    cf_release(focused);
    cf_release(app);
    return finish(answer, out, err);
}
