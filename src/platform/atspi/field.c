/* A field is read by one round of questions, if what they are about was foreseen; otherwise by a
 * second one. All of its texts are as the application has them: they are compared with what was
 * typed. */
#include "platform/atspi/field.h"

#include <stdlib.h>

#include "json/utf8.h"
#include "platform/atspi/bus/ids.h"
#include "platform/atspi/bus/presence.h"
#include "platform/atspi/bus/roles.h"
#include "platform/atspi/bus/texts.h"
#include "platform/atspi/focus.h"
#include "platform/atspi/paragraphs.h"
#include "platform/units.h"

struct look {
    struct atspi *atspi;
    struct deadline *deadline;
    const struct element_field_query *query;
    struct element_field *out;
    const char *bus, *path;
    /* In the application's units: */
    dbus_int32_t length, caret, from, to;
    int guess_from, guess_to; /* the range that was foreseen; from > to: none */
    char *guess;              /* the text there; all of the text if it counts UTF-16 units. Owned */
};

/* The text around a range. */
struct around {
    int first, last;
};

static struct around around_of(const struct element_field_query *query, int from, int to,
                               int length)
{
    return (struct around){ from > query->before ? from - query->before : 0,
                            length - to > query->behind ? to + query->behind : length };
}

static bool counts_units(const struct look *look)
{
    return look->atspi->utf16 && texts_knows_unit(look->atspi, look->bus);
}

/* --- the facts -------------------------------------------------------------------------------- */

enum { STATES, ROLE, CARET, LENGTH, SELECTIONS, SELECTION, UNIT, GUESS, FACTS };

/* Asks these questions at once; those that are NULL have no answer. */
static bool ask_all(struct look *look, DBusMessage *calls[FACTS], DBusMessage *answers[FACTS],
                    struct error *err)
{
    DBusMessage *asked[FACTS], *told[FACTS] = { NULL };
    size_t count = 0;
    bool ok;

    for (int i = 0; i < FACTS; i++) {
        if (calls[i])
            asked[count++] = calls[i];
    }
    ok = talk_ask(look->atspi, look->deadline, asked, count, told, err);
    count = 0;
    for (int i = 0; i < FACTS; i++)
        answers[i] = calls[i] ? told[count++] : NULL;
    return ok;
}

/* Asks for the text that is probably wanted; NULL: nobody knows. Beyond the end LibreOffice reports
 * nothing. */
static DBusMessage *ask_guess(struct look *look)
{
    const struct element_field_query *query = look->query;
    int to = query->again ? query->length - query->rest : query->from;
    struct around around = around_of(query, query->from, to, query->length);

    look->guess_from = 1;
    look->guess_to = 0;
    if (!query->id || query->from < 0 || to < query->from || to > query->length ||
        query->length > ELEMENT_TEXT_MAX || !texts_knows_unit(look->atspi, look->bus) ||
        (around.first == around.last && !counts_units(look)))
        return NULL;
    look->guess_from = around.first;
    look->guess_to = around.last;
    return counts_units(look) ? texts_ask(look->bus, look->path, 0, -1)
                              : texts_ask(look->bus, look->path, around.first, around.last);
}

static DBusMessage *ask_selection(const struct look *look)
{
    DBusMessage *call = talk_call(look->bus, look->path, ATSPI_IFACE("Text"), "GetSelection");
    dbus_int32_t first = 0;

    dbus_message_append_args(call, DBUS_TYPE_INT32, &first, DBUS_TYPE_INVALID);
    return call;
}

/* Takes the selection, which a known field is only asked for if it has one: after typed text there
 * is none. */
static bool take_selection(struct look *look, DBusMessage *count, DBusMessage *range,
                           struct error *err)
{
    dbus_int32_t selections = 0, one, other;
    DBusMessage *call, *answer = NULL;
    bool ok = true;

    look->from = look->to = look->caret;
    talk_value(count, DBUS_TYPE_INT32, &selections);
    if (selections <= 0)
        return true;
    if (look->query->id) {
        call = ask_selection(look);
        ok = talk_ask(look->atspi, look->deadline, &call, 1, &answer, err);
        range = answer;
    }
    if (range && dbus_message_get_args(range, NULL, DBUS_TYPE_INT32, &one, DBUS_TYPE_INT32, &other,
                                       DBUS_TYPE_INVALID)) {
        look->from = one < other ? one : other;
        look->to = one < other ? other : one;
    }
    talk_unref(&answer, 1);
    return ok;
}

/* Takes the answers about an object. False as talk_ask(). It is no field if it is gone, or has lost
 * the keyboard and is not asked about in spite of that. */
static bool take_facts(struct look *look, DBusMessage **answers, struct error *err)
{
    struct element_field *out = look->out;
    enum element_role role;
    dbus_uint32_t number = 0;
    uint64_t states = 0;

    if (!talk_states(answers[STATES], &states) || (!look->query->again && !focus_is_field(states)))
        return true;
    look->length = look->caret = -1;
    talk_value(answers[ROLE], DBUS_TYPE_UINT32, &number);
    talk_value(answers[CARET], DBUS_TYPE_INT32, &look->caret);
    talk_value(answers[LENGTH], DBUS_TYPE_INT32, &look->length);
    role = roles_of(number, states, &(const char *){ NULL });
    out->finding = FIELD_FOUND;
    out->focused = HAS_STATE(states, STATE_FOCUSED);
    out->multiline = HAS_STATE(states, STATE_MULTI_LINE);
    out->paragraph = role == ELEMENT_PARAGRAPH;
    out->readable = role != ELEMENT_PASSWORD && role != ELEMENT_TERMINAL && look->length >= 0 &&
                    (look->caret >= 0 || look->query->again);
    look->guess = texts_take(answers[GUESS]);
    return take_selection(look, answers[SELECTIONS], answers[SELECTION], err);
}

/* Asks for all but the text, and for that too if it can be foreseen. False: as talk_ask(). */
static bool read_facts(struct look *look, struct error *err)
{
    const char *text = ATSPI_IFACE("Text"), *accessible = ATSPI_IFACE("Accessible");
    const struct element_field_query *query = look->query;
    DBusMessage *calls[FACTS] = {
        [STATES] = talk_call(look->bus, look->path, accessible, "GetState"),
        [ROLE] = talk_call(look->bus, look->path, accessible, "GetRole"),
        [CARET] = talk_get(look->bus, look->path, text, "CaretOffset"),
        [LENGTH] = talk_get(look->bus, look->path, text, "CharacterCount"),
        [SELECTIONS] =
            query->again ? NULL : talk_call(look->bus, look->path, text, "GetNSelections"),
        [SELECTION] = query->id ? NULL : ask_selection(look),
        [UNIT] = texts_ask_unit(look->atspi, look->bus),
        [GUESS] = ask_guess(look),
    };
    DBusMessage *answers[FACTS];
    bool ok = ask_all(look, calls, answers, err);

    if (calls[UNIT])
        texts_take_unit(look->atspi, look->bus, answers[UNIT]);
    ok = ok && take_facts(look, answers, err);
    talk_unref(answers, FACTS);
    return ok;
}

/* --- the text --------------------------------------------------------------------------------- */

/* The characters from..to of a text. */
static char *part_of(const char *text, int from, int to)
{
    size_t first = units_byte(text, from);

    return mem_strndup(text + first, units_byte(text + first, to - from));
}

/* The range that is wanted, of a text of this many characters. */
static void set_range(const struct element_field_query *query, struct element_field *out)
{
    if (query->again) {
        out->from = query->from < out->length ? query->from : out->length;
        out->to = out->length - query->rest;
    }
    if (out->to < out->from)
        out->to = out->from;
    if (out->to - out->from > ELEMENT_TEXT_MAX)
        out->to = out->from + ELEMENT_TEXT_MAX;
}

/* Cuts the texts out of one that begins with this character. */
static void cut_texts(struct look *look, const char *text, int first)
{
    struct element_field *out = look->out;
    struct around around = around_of(look->query, out->from, out->to, out->length);

    out->before = part_of(text, around.first - first, out->from - first);
    out->behind = part_of(text, out->to - first, around.last - first);
    if (look->query->again)
        out->text = part_of(text, out->from - first, out->to - first);
}

/* Reads all of the text of an application that counts UTF-16 units, and counts it in characters. */
static bool read_units(struct look *look, struct error *err)
{
    struct element_field *out = look->out;

    out->readable = look->length <= ELEMENT_TEXT_MAX;
    if (!look->guess && out->readable) {
        look->guess = texts_read_units(look->atspi, look->deadline, look->bus, look->path, err);
        if (!look->guess && *err->code)
            return false;
    }
    if (!look->guess || !out->readable)
        return true;
    out->length = units_character(look->guess, look->length);
    out->caret = look->caret < 0 ? -1 : units_character(look->guess, look->caret);
    out->from = units_character(look->guess, look->from);
    out->to = units_character(look->guess, look->to);
    set_range(look->query, out);
    cut_texts(look, look->guess, 0);
    return true;
}

/* Reads the parts that are not empty, all at once. */
static bool read_parts(struct look *look, const struct around parts[3], char *texts[3],
                       struct error *err)
{
    DBusMessage *calls[3], *answers[3] = { NULL };
    size_t count = 0;
    bool ok;

    for (int i = 0; i < 3; i++) {
        texts[i] = NULL;
        if (parts[i].first < parts[i].last)
            calls[count++] = texts_ask(look->bus, look->path, parts[i].first, parts[i].last);
    }
    ok = talk_ask(look->atspi, look->deadline, calls, count, answers, err);
    count = 0;
    for (int i = 0; ok && i < 3; i++)
        texts[i] = parts[i].first < parts[i].last ? texts_take(answers[count++]) : mem_strdup("");
    talk_unref(answers, countof(answers));
    return ok;
}

static bool read_characters(struct look *look, struct error *err)
{
    struct element_field *out = look->out;
    struct around around;
    char *texts[3];

    out->length = look->length;
    out->caret = look->caret;
    out->from = look->from;
    out->to = look->to;
    set_range(look->query, out);
    around = around_of(look->query, out->from, out->to, out->length);
    if (look->guess && around.first == look->guess_from && around.last == look->guess_to &&
        utf8_length(look->guess, strlen(look->guess)) == (size_t)(around.last - around.first)) {
        cut_texts(look, look->guess, around.first);
        return true;
    }
    if (!read_parts(look,
                    (struct around[3]){ { around.first, out->from },
                                        { out->from, look->query->again ? out->to : out->from },
                                        { out->to, around.last } },
                    texts, err))
        return false;
    out->before = texts[0];
    out->behind = texts[2];
    if (look->query->again)
        out->text = texts[1];
    else
        free(texts[1]);
    return true;
}

/* --- paragraphs ------------------------------------------------------------------------------- */

/* The last characters of a text. */
static char *tail_of(const char *text, int most)
{
    int length = (int)utf8_length(text, strlen(text));

    return part_of(text, length > most ? length - most : 0, length);
}

/* Puts the paragraphs above before the text of this one. */
static bool add_above(struct look *look, struct error *err)
{
    struct element_field *out = look->out;
    struct buf all = { 0 };
    bool told = false;
    bool ok = paragraphs_above(look->atspi, look->deadline, look->bus, look->path,
                               look->query->above, &all, &told, err);

    if (told)
        buf_add(&all, out->before, strlen(out->before));
    free(out->before);
    out->before = told ? tail_of(buf_text(&all), look->query->before) : NULL;
    buf_free(&all);
    return ok;
}

/* --- the operation ---------------------------------------------------------------------------- */

static bool read_object(struct look *look, int pid, struct error *err)
{
    struct element_field *out = look->out;
    bool ok = read_facts(look, err);

    if (ok && out->finding == FIELD_FOUND) {
        out->id = ids_of(look->bus, look->path, pid, 0, 0);
        if (out->readable)
            ok = counts_units(look) ? read_units(look, err) : read_characters(look, err);
        if (ok && out->paragraph && out->before && look->query->above && !look->query->id)
            ok = add_above(look, err);
    }
    free(look->guess);
    return ok;
}

static bool find_and_read(struct look *look, int pid, struct error *err)
{
    struct focus focus;
    bool ok;

    if (!focus_find(look->atspi, look->deadline, look->bus, &focus, err))
        return false;
    look->out->finding = focus.finding == FIELD_FOUND ? FIELD_UNKNOWN : focus.finding;
    look->bus = focus.bus;
    look->path = focus.path;
    ok = focus.finding != FIELD_FOUND || read_object(look, pid, err);
    focus_free(&focus);
    return ok;
}

bool field_read(struct atspi *atspi, struct deadline *deadline, int pid,
                const struct element_field_query *query, struct element_field *out,
                struct error *err)
{
    struct look look = { atspi, deadline, query, out, .length = -1 };
    struct known_object object;
    bool absent, ok;

    atspi->until = 0;
    if (query->id) {
        if (!ids_look(query->id, &object))
            return true;
        look.bus = object.bus;
        look.path = object.path;
        out->pid = object.pid;
        ok = read_object(&look, object.pid, err);
        known_object_free(&object);
        return ok;
    }
    look.bus = presence_app(atspi, deadline, pid, &absent, err);
    if (!look.bus) {
        out->finding = absent ? FIELD_ABSENT : FIELD_UNKNOWN;
        return absent;
    }
    return query->present || find_and_read(&look, pid, err);
}
