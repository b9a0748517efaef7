#include "platform/atspi/act.h"

#include <stdio.h>
#include <stdlib.h>

#include "json/utf8.h"
#include "platform/atspi/bus/details.h"
#include "platform/atspi/bus/ids.h"
#include "platform/atspi/bus/roles.h"
#include "platform/atspi/bus/texts.h"
#include "platform/atspi/walk/walk.h"
#include "platform/units.h"

enum { ACTIONS_MAX = 32, SCROLL_ANYWHERE = 6 /* AtspiScrollType */ };

struct deed {
    struct atspi *atspi;
    struct deadline *deadline;
    struct known_object object;
    const struct element_change *change;
    struct element_outcome *out;
    enum element_role role; /* the role of the element that is to open or close */
    unsigned states;
};

static DBusMessage *call_of(const struct deed *deed, const char *interface, const char *member)
{
    return talk_call(deed->object.bus, deed->object.path, interface, member);
}

/* Sends the call. The answer says whether the application agreed: a boolean, or nothing (it
 * did). */
static bool send(struct deed *deed, DBusMessage *call, const char *route, struct error *err)
{
    DBusMessage *answer = talk_ask_one(deed->atspi, deed->deadline, call, err);
    dbus_bool_t agreed = TRUE;

    if (!answer)
        return false;
    talk_value(answer, DBUS_TYPE_BOOLEAN, &agreed);
    deed->out->agreed = agreed;
    snprintf(deed->out->route, sizeof deed->out->route, "at-spi %s", route);
    dbus_message_unref(answer);
    return true;
}

/* --- actions -------------------------------------------------------------------------------- */

static int count_actions(struct deed *deed, struct error *err)
{
    DBusMessage *answer = talk_ask_one(
        deed->atspi, deed->deadline,
        talk_get(deed->object.bus, deed->object.path, ATSPI_IFACE("Action"), "NActions"), err);
    dbus_int32_t count = 0;

    if (!answer)
        return -1;
    talk_value(answer, DBUS_TYPE_INT32, &count);
    dbus_message_unref(answer);
    return count < ACTIONS_MAX ? count : ACTIONS_MAX;
}

/* Rates an action by its name; 1 is the best, 0 is none that would do. */
typedef int rate_action(const struct deed *deed, const char *name);

/* Finds the best action by its name, right before it is done: the order may be another one each
 * time (GTK 4). `which` gets the name, for the route. */
static int find_action(struct deed *deed, rate_action *rate, char which[64], struct error *err)
{
    DBusMessage *calls[ACTIONS_MAX], *answers[ACTIONS_MAX] = { NULL };
    int count = count_actions(deed, err), found = -1, best = 0;
    bool ok;

    for (dbus_int32_t i = 0; i < count; i++) {
        calls[i] = call_of(deed, ATSPI_IFACE("Action"), "GetName");
        dbus_message_append_args(calls[i], DBUS_TYPE_INT32, &i, DBUS_TYPE_INVALID);
    }
    ok = count >= 0 && talk_ask(deed->atspi, deed->deadline, calls, (size_t)count, answers, err);
    for (int i = 0; ok && i < count; i++) {
        const char *name;
        int rank = talk_value(answers[i], DBUS_TYPE_STRING, &name) ? rate(deed, name) : 0;

        if (!rank || (best && rank >= best))
            continue;
        best = rank;
        found = i;
        snprintf(which, 64, "action %.40s", name);
    }
    talk_unref(answers, count > 0 ? (size_t)count : 0);
    if (ok && found < 0)
        error_set(err, "not_supported", "the element has no such action");
    return found;
}

static bool send_action(struct deed *deed, rate_action *rate, struct error *err)
{
    char route[64];
    dbus_int32_t index = find_action(deed, rate, route, err);
    DBusMessage *call;

    if (index < 0)
        return false;
    call = call_of(deed, ATSPI_IFACE("Action"), "DoAction");
    dbus_message_append_args(call, DBUS_TYPE_INT32, &index, DBUS_TYPE_INVALID);
    return send(deed, call, route, err);
}

static int is_wanted(const struct deed *deed, const char *name)
{
    return strcmp(name, deed->change->name) == 0;
}

static bool do_action(struct deed *deed, struct error *err)
{
    if (send_action(deed, is_wanted, err))
        return true;
    if (strcmp(err->code, "not_supported") == 0)
        error_set(err, "not_supported", "the element has no action \"%.64s\"", deed->change->name);
    return false;
}

/* --- opening and closing -------------------------------------------------------------------- */

static bool read_about_opening(struct deed *deed, struct error *err)
{
    struct node node = { .bus = deed->object.bus, .path = deed->object.path };
    DBusMessage *calls[NODE_CALLS], *answers[NODE_CALLS] = { NULL };
    bool ok;

    walk_calls_for(&node, calls);
    ok = talk_ask(deed->atspi, deed->deadline, calls, NODE_CALLS, answers, err);
    walk_take_answers(&node, answers);
    talk_unref(answers, NODE_CALLS);
    deed->role = roles_of(node.role, node.states, &(const char *){ NULL });
    deed->states = roles_states(node.states);
    free(node.name);
    if (ok && node.dead)
        return error_set(err, "element_gone", "the element no longer exists. Look again");
    return ok;
}

static int opens_or_closes(const struct deed *deed, const char *name)
{
    return element_opener(name, deed->change->verb == ELEMENT_EXPAND, deed->role, deed->states);
}

/* True if the element is open. GTK only says of an open menu that it is selected. */
static bool is_open(const struct deed *deed)
{
    return (deed->states & ELEMENT_EXPANDED) != 0 ||
           (deed->role == ELEMENT_MENU && (deed->states & ELEMENT_SELECTED) != 0);
}

/* Most actions are toggles, so the present state is asked for right before. */
static bool open_or_close(struct deed *deed, struct error *err)
{
    bool open = deed->change->verb == ELEMENT_EXPAND;

    if (!read_about_opening(deed, err))
        return false;
    if (is_open(deed) == open) {
        deed->out->agreed = true;
        snprintf(deed->out->route, sizeof deed->out->route, "nothing to do");
        return true;
    }
    if (send_action(deed, opens_or_closes, err))
        return true;
    if (strcmp(err->code, "not_supported") == 0)
        error_set(err, "not_supported", "the element has no action that %s it",
                  open ? "opens" : "closes");
    return false;
}

/* --- values ------------------------------------------------------------------------------- */

static bool set_text(struct deed *deed, struct error *err)
{
    DBusMessage *call = call_of(deed, ATSPI_IFACE("EditableText"), "SetTextContents");
    char *text = mem_strndup(deed->change->text.ptr, deed->change->text.len);

    if (strlen(text) != deed->change->text.len || !utf8_valid(text, deed->change->text.len, NULL)) {
        free(text);
        dbus_message_unref(call);
        return error_set(err, "bad_text", "the text is not valid UTF-8, or has a NUL in it");
    }
    dbus_message_append_args(call, DBUS_TYPE_STRING, &text, DBUS_TYPE_INVALID);
    free(text);
    return send(deed, call, "EditableText", err);
}

/* True if the object has a number. GTK answers to a property that an object has not, and does
 * nothing. */
static bool has_number(struct deed *deed, struct error *err)
{
    DBusMessage *answer = talk_ask_one(
        deed->atspi, deed->deadline,
        talk_get(deed->object.bus, deed->object.path, ATSPI_IFACE("Value"), "CurrentValue"), err);
    double number;
    bool has = talk_value(answer, DBUS_TYPE_DOUBLE, &number);

    if (answer)
        dbus_message_unref(answer);
    if (!has && (answer || strcmp(err->code, "element_refused") == 0))
        error_set(err, "not_supported", "the element has no number to set");
    return has;
}

static bool set_number(struct deed *deed, struct error *err)
{
    DBusMessage *call = call_of(deed, DBUS_INTERFACE_PROPERTIES, "Set");
    const char *interface = ATSPI_IFACE("Value"), *name = "CurrentValue";
    DBusMessageIter at, variant;
    double number = deed->change->number;

    if (!has_number(deed, err)) {
        dbus_message_unref(call);
        return false;
    }
    dbus_message_iter_init_append(call, &at);
    dbus_message_iter_append_basic(&at, DBUS_TYPE_STRING, &interface);
    dbus_message_iter_append_basic(&at, DBUS_TYPE_STRING, &name);
    dbus_message_iter_open_container(&at, DBUS_TYPE_VARIANT, "d", &variant);
    dbus_message_iter_append_basic(&variant, DBUS_TYPE_DOUBLE, &number);
    dbus_message_iter_close_container(&at, &variant);
    return send(deed, call, "Value", err);
}

/* --- the rest ------------------------------------------------------------------------------ */

static bool deed_focus(struct deed *deed, struct error *err)
{
    return send(deed, call_of(deed, ATSPI_IFACE("Component"), "GrabFocus"), "focus", err);
}

static bool deed_show(struct deed *deed, struct error *err)
{
    DBusMessage *call = call_of(deed, ATSPI_IFACE("Component"), "ScrollTo");
    dbus_uint32_t where = SCROLL_ANYWHERE;

    dbus_message_append_args(call, DBUS_TYPE_UINT32, &where, DBUS_TYPE_INVALID);
    return send(deed, call, "ScrollTo", err);
}

static int index_of(struct deed *deed, struct error *err)
{
    DBusMessage *answer =
        talk_ask_one(deed->atspi, deed->deadline,
                     call_of(deed, ATSPI_IFACE("Accessible"), "GetIndexInParent"), err);
    dbus_int32_t index = -1;

    if (!answer)
        return -1;
    if (!talk_value(answer, DBUS_TYPE_INT32, &index) || index < 0)
        error_set(err, "not_supported", "the element does not tell its place among the others");
    dbus_message_unref(answer);
    return index;
}

static bool select_it(struct deed *deed, struct error *err)
{
    dbus_int32_t index = index_of(deed, err);
    struct known_object parent;
    DBusMessage *call;

    if (index < 0)
        return false;
    if (!ids_look(deed->object.parent, &parent))
        return error_set(err, "not_supported", "what the element is in is not known. Look again");
    call = talk_call(parent.bus, parent.path, ATSPI_IFACE("Selection"), "SelectChild");
    known_object_free(&parent);
    dbus_message_append_args(call, DBUS_TYPE_INT32, &index, DBUS_TYPE_INVALID);
    return send(deed, call, "SelectChild", err);
}

/* Puts the caret. SetSelection changes only a selection that exists. */
static bool put_caret(struct deed *deed, struct error *err)
{
    dbus_int32_t from = deed->change->from, to = deed->change->to;
    char *units =
        texts_read_units(deed->atspi, deed->deadline, deed->object.bus, deed->object.path, err);
    DBusMessage *call;

    if (!units && *err->code)
        return false;
    if (units) {
        from = (dbus_int32_t)units_at(units, from);
        to = to < 0 ? to : (dbus_int32_t)units_at(units, to);
        free(units);
    }
    call = call_of(deed, ATSPI_IFACE("Text"), to < 0 ? "SetCaretOffset" : "AddSelection");
    dbus_message_append_args(call, DBUS_TYPE_INT32, &from,
                             to < 0 ? DBUS_TYPE_INVALID : DBUS_TYPE_INT32, &to, DBUS_TYPE_INVALID);
    return send(deed, call, to < 0 ? "SetCaretOffset" : "AddSelection", err);
}

static bool deed_dispatch(struct deed *deed, struct error *err)
{
    switch (deed->change->verb) {
    case ELEMENT_DO:
        return do_action(deed, err);
    case ELEMENT_SET_TEXT:
        return set_text(deed, err);
    case ELEMENT_SET_NUMBER:
        return set_number(deed, err);
    case ELEMENT_FOCUS:
        return deed_focus(deed, err);
    case ELEMENT_SELECT:
        return select_it(deed, err);
    case ELEMENT_EXPAND:
    case ELEMENT_COLLAPSE:
        return open_or_close(deed, err);
    case ELEMENT_SHOW:
        return deed_show(deed, err);
    case ELEMENT_CARET:
        return put_caret(deed, err);
    }
    return error_set(err, "not_supported", "there is no such change");
}

static bool known(uint64_t id, struct known_object *object, struct error *err)
{
    return ids_look(id, object) ||
           error_set(err, "element_gone", "the element is not known any more. Look again");
}

bool act_do(struct atspi *atspi, struct deadline *deadline, uint64_t id,
            const struct element_change *change, struct element_outcome *out, struct error *err)
{
    struct deed deed = { .atspi = atspi, .deadline = deadline, .change = change, .out = out };
    bool ok;

    *out = (struct element_outcome){ .agreed = false };
    atspi->until = 0;
    if (!talk_begin(atspi, deadline, err) || !known(id, &deed.object, err))
        return false;
    ok = deed_dispatch(&deed, err);
    known_object_free(&deed.object);
    return ok;
}

/* --- text ----------------------------------------------------------------------------------- */

static int number_of(DBusMessage *answer, int otherwise)
{
    dbus_int32_t number;

    return talk_value(answer, DBUS_TYPE_INT32, &number) ? number : otherwise;
}

static void read_selection(DBusMessage *answer, struct element_text *out)
{
    dbus_int32_t from, to;

    out->selected_from = out->selected_to = -1;
    if (answer &&
        dbus_message_get_args(answer, NULL, DBUS_TYPE_INT32, &from, DBUS_TYPE_INT32, &to,
                              DBUS_TYPE_INVALID) &&
        from < to) {
        out->selected_from = from;
        out->selected_to = to;
    }
}

static bool read_about(struct atspi *atspi, struct deadline *deadline,
                       const struct known_object *object, struct element_text *out,
                       struct error *err)
{
    const char *text = ATSPI_IFACE("Text");
    DBusMessage *calls[3] = { talk_get(object->bus, object->path, text, "CharacterCount"),
                              talk_get(object->bus, object->path, text, "CaretOffset"),
                              talk_call(object->bus, object->path, text, "GetSelection") };
    DBusMessage *answers[3] = { NULL };
    dbus_int32_t first = 0;
    bool ok;

    dbus_message_append_args(calls[2], DBUS_TYPE_INT32, &first, DBUS_TYPE_INVALID);
    ok = talk_ask(atspi, deadline, calls, 3, answers, err);
    out->length = number_of(answers[0], -1);
    out->caret = number_of(answers[1], -1);
    read_selection(answers[2], out);
    talk_unref(answers, 3);
    if (ok && out->length < 0)
        return error_set(err, "not_supported", "the element has no text that can be read");
    return ok;
}

/* Counts in characters what was counted in UTF-16 units. */
static void count_characters(const char *all, struct element_text *out)
{
    int *const places[] = { &out->length, &out->caret, &out->selected_from, &out->selected_to };

    for (size_t i = 0; i < countof(places); i++)
        *places[i] = *places[i] < 0 ? -1 : units_character(all, *places[i]);
}

static void set_range(int from, int to, struct element_text *out)
{
    out->to = to < 0 || to > out->length ? out->length : to;
    out->from = from < 0 ? 0 : from > out->to ? out->to : from;
}

/* Takes the range out of all of the text. */
static void cut_range(const char *all, struct element_text *out)
{
    size_t first = units_byte(all, out->from);
    char *part = mem_strndup(all + first, units_byte(all + first, out->to - out->from));

    out->text = element_clean(part, ELEMENT_TEXT_MAX, NULL);
    free(part);
}

static bool read_range(struct atspi *atspi, struct deadline *deadline,
                       const struct known_object *object, struct element_text *out,
                       struct error *err)
{
    DBusMessage *call = texts_ask(object->bus, object->path, out->from, out->to);
    DBusMessage *answer = talk_ask_one(atspi, deadline, call, err);
    const char *text;

    if (answer && talk_value(answer, DBUS_TYPE_STRING, &text))
        out->text = element_clean(text, ELEMENT_TEXT_MAX, NULL);
    if (answer)
        dbus_message_unref(answer);
    return out->text ||
           (answer && error_set(err, "element_refused", "the application gave no text"));
}

static bool read_text(struct atspi *atspi, struct deadline *deadline,
                      const struct known_object *object, int from, int to, struct element_text *out,
                      struct error *err)
{
    char *units;

    if (!read_about(atspi, deadline, object, out, err))
        return false;
    units = texts_read_units(atspi, deadline, object->bus, object->path, err);
    if (!units) {
        set_range(from, to, out);
        return !*err->code && read_range(atspi, deadline, object, out, err);
    }
    count_characters(units, out);
    set_range(from, to, out);
    cut_range(units, out);
    free(units);
    return true;
}

bool act_text(struct atspi *atspi, struct deadline *deadline, uint64_t id, int from, int to,
              struct element_text *out, struct error *err)
{
    struct known_object object;
    bool ok;

    *out = (struct element_text){ 0 };
    atspi->until = 0;
    if (!talk_begin(atspi, deadline, err) || !known(id, &object, err))
        return false;
    ok = read_text(atspi, deadline, &object, from, to, out, err);
    known_object_free(&object);
    return ok;
}
