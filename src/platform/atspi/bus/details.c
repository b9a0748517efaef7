#include "platform/atspi/bus/details.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json/utf8.h"
#include "platform/atspi/bus/chosen.h"
#include "platform/atspi/bus/extents.h"
#include "platform/atspi/bus/labeled.h"

enum { CHARACTERS = ELEMENT_VALUE_MAX / 4, ACTIONS_MAX = 16 };

/* --- elements with a number or a text ------------------------------------------------------- */

static bool has_number(const struct element_info *info)
{
    return (info->abilities & ELEMENT_CAN_COUNT) && info->role != ELEMENT_SCROLL_BAR &&
           info->role != ELEMENT_SCROLL_AREA;
}

/* True for the place of a cell in a sheet, which is its name: "AB12". */
static bool is_address(const char *name)
{
    size_t letters = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    size_t digits = strspn(name + letters, "0123456789");

    return letters && letters <= 3 && digits && !name[letters + digits];
}

/* True if the text of the element is read: the text of an element that is named by it is its name,
 * and passwords are not read. */
static bool has_text(const struct element_info *info)
{
    switch (info->role) {
    case ELEMENT_PASSWORD:
        return false;
    case ELEMENT_ENTRY:
    case ELEMENT_TEXT:
    case ELEMENT_SPIN:
    case ELEMENT_COMBO:
    case ELEMENT_TERMINAL:
    case ELEMENT_DOCUMENT:
        return (info->abilities & ELEMENT_CAN_READ) != 0;
    case ELEMENT_CELL:
        return (info->abilities & ELEMENT_CAN_READ) && (!*info->name || is_address(info->name));
    default:
        return (info->abilities & ELEMENT_CAN_READ) && !*info->name;
    }
}

/* --- a batch -------------------------------------------------------------------------------- */

struct batch {
    struct atspi *atspi;
    struct deadline *deadline;
    struct detailed *items;
    size_t count;
    unsigned which;
};

/* A step makes an item's calls, at most MOST, and reads the answers. */
enum { MOST = 4 };
struct step {
    unsigned which; /* bits of enum detail */
    size_t (*make)(const struct detailed *item, DBusMessage **calls);
    void (*take)(struct detailed *item, DBusMessage **answers, size_t count);
};

/* Steps that do not need each other's answers: all of their calls are on their way at once. */
enum { TOGETHER = 6 };
struct stage {
    struct step steps[TOGETHER]; /* ends before one without functions */
};

struct sent {
    DBusMessage **calls, **answers;
    unsigned char *made; /* the number of calls for each item and step */
    size_t total;
};

static const struct step *step_of(const struct stage *stage, size_t number, unsigned which)
{
    const struct step *step = &stage->steps[number];

    return step->make && (step->which & which) ? step : NULL;
}

static void make_calls(const struct batch *batch, const struct stage *stage, struct sent *sent)
{
    for (size_t i = 0; i < batch->count; i++) {
        for (size_t n = 0; n < TOGETHER; n++) {
            const struct step *step = step_of(stage, n, batch->which);
            size_t made = step ? step->make(&batch->items[i], sent->calls + sent->total) : 0;

            sent->made[i * TOGETHER + n] = (unsigned char)made;
            sent->total += made;
        }
    }
}

static void take_answers(const struct batch *batch, const struct stage *stage,
                         const struct sent *sent)
{
    DBusMessage **answers = sent->answers;

    for (size_t i = 0; i < batch->count; i++) {
        for (size_t n = 0; n < TOGETHER; n++) {
            size_t made = sent->made[i * TOGETHER + n];

            if (made)
                stage->steps[n].take(&batch->items[i], answers, made);
            answers += made;
        }
    }
}

static bool batch_run(const struct batch *batch, const struct stage *stage, struct error *err)
{
    size_t most = batch->count * TOGETHER * MOST + 1;
    struct sent sent = { .calls = mem_zero(most * sizeof *sent.calls),
                         .answers = mem_zero(most * sizeof *sent.answers),
                         .made = mem_zero(batch->count * TOGETHER + 1) };
    bool ok = true;

    make_calls(batch, stage, &sent);
    if (sent.total)
        ok = talk_ask(batch->atspi, batch->deadline, sent.calls, sent.total, sent.answers, err);
    take_answers(batch, stage, &sent);
    talk_unref(sent.answers, sent.total);
    free(sent.calls);
    free(sent.answers);
    free(sent.made);
    return ok;
}

/* --- bounds ----------------------------------------------------------------------------- */

static size_t make_extents(const struct detailed *item, DBusMessage **calls)
{
    if (item->located || !(item->info->abilities & ELEMENT_CAN_FOCUS))
        return 0;
    calls[0] = extents_call(item->bus, item->path);
    return 1;
}

static void take_extents(struct detailed *item, DBusMessage **answers, size_t count)
{
    (void)count;
    item->info->placed = extents_read(answers[0], &item->info->bounds);
}

/* --- values and texts --------------------------------------------------------------------- */

/* Buttons of LibreOffice have a number, too; its limits are of no use. */
static bool has_limits(const struct element_info *info)
{
    switch (info->role) {
    case ELEMENT_BUTTON:
    case ELEMENT_TOGGLE:
    case ELEMENT_CHECK:
    case ELEMENT_RADIO:
    case ELEMENT_SWITCH:
    case ELEMENT_MENU:
    case ELEMENT_MENU_ITEM:
    case ELEMENT_CHECK_ITEM:
    case ELEMENT_RADIO_ITEM:
    case ELEMENT_SEPARATOR:
        return false;
    default:
        return true;
    }
}

static size_t ask_number(const struct detailed *item, bool limits, DBusMessage **calls)
{
    static const char *const names[] = { "CurrentValue", "MinimumValue", "MaximumValue",
                                         "MinimumIncrement" };
    size_t count = limits ? countof(names) : 1;

    for (size_t i = 0; i < count; i++)
        calls[i] = talk_get(item->bus, item->path, ATSPI_IFACE("Value"), names[i]);
    return count;
}

static size_t make_value(const struct detailed *item, DBusMessage **calls)
{
    return has_number(item->info) ? ask_number(item, has_limits(item->info), calls) : 0;
}

/* Trees have too many scroll bars to ask each of them: a single one tells its number. */
static size_t make_scrolled(const struct detailed *item, DBusMessage **calls)
{
    bool counts = (item->info->abilities & ELEMENT_CAN_COUNT) != 0;

    return counts && item->info->role == ELEMENT_SCROLL_BAR ? ask_number(item, true, calls) : 0;
}

static void take_value(struct detailed *item, DBusMessage **answers, size_t count)
{
    struct element_info *info = item->info;
    double *const numbers[] = { &info->number, &info->least, &info->most, &info->step };
    char text[32];

    for (size_t i = 0; i < count; i++)
        if (!talk_value(answers[i], DBUS_TYPE_DOUBLE, numbers[i]) || !isfinite(*numbers[i]))
            *numbers[i] = 0;
    if (!answers[0])
        return;
    snprintf(text, sizeof text, "%.10g", info->number);
    free(info->value);
    info->value = mem_strdup(text);
}

static size_t make_length(const struct detailed *item, DBusMessage **calls)
{
    if (!has_text(item->info))
        return 0;
    calls[0] = talk_get(item->bus, item->path, ATSPI_IFACE("Text"), "CharacterCount");
    return 1;
}

static void take_length(struct detailed *item, DBusMessage **answers, size_t count)
{
    dbus_int32_t length;

    (void)count;
    if (!talk_value(answers[0], DBUS_TYPE_INT32, &length))
        return;
    item->length = length > 0 ? length : 0;
    if (item->info->role == ELEMENT_CELL && !item->length)
        *item->info->value = 0; /* an empty cell has the number 0, which it does not show */
}

/* Reads at most the length of the text: past the end LibreOffice returns nothing at all. */
static size_t make_text(const struct detailed *item, DBusMessage **calls)
{
    dbus_int32_t from = 0, to = item->length < CHARACTERS ? item->length : CHARACTERS;

    if (!to)
        return 0;
    calls[0] = talk_call(item->bus, item->path, ATSPI_IFACE("Text"), "GetText");
    dbus_message_append_args(calls[0], DBUS_TYPE_INT32, &from, DBUS_TYPE_INT32, &to,
                             DBUS_TYPE_INVALID);
    return 1;
}

static void take_text(struct detailed *item, DBusMessage **answers, size_t count)
{
    const char *text;

    (void)count;
    if (!talk_value(answers[0], DBUS_TYPE_STRING, &text))
        return;
    free(item->info->value);
    item->info->value = element_clean(text, ELEMENT_VALUE_MAX, &item->info->value_cut);
    item->info->value_cut = item->info->value_cut || item->length > CHARACTERS;
}

/* Chromium says of the parts of a page's date only in an attribute whether a 0 is empty or "00",
 * and which number is beyond the limits. */
static size_t make_shown(const struct detailed *item, DBusMessage **calls)
{
    const struct element_info *info = item->info;

    if (info->role != ELEMENT_SPIN || !has_number(info) || !has_text(info) || item->length ||
        (info->states & ELEMENT_EDITABLE))
        return 0;
    calls[0] = talk_call(item->bus, item->path, ATSPI_IFACE("Accessible"), "GetAttributes");
    return 1;
}

static void take_shown(struct detailed *item, DBusMessage **answers, size_t count)
{
    DBusMessageIter at, all, pair;
    const char *name, *text;

    (void)count;
    if (!answers[0] || !dbus_message_has_signature(answers[0], "a{ss}"))
        return;
    dbus_message_iter_init(answers[0], &at);
    for (dbus_message_iter_recurse(&at, &all); dbus_message_iter_get_arg_type(&all);
         dbus_message_iter_next(&all)) {
        dbus_message_iter_recurse(&all, &pair);
        dbus_message_iter_get_basic(&pair, &name);
        dbus_message_iter_next(&pair);
        dbus_message_iter_get_basic(&pair, &text);
        if (strcmp(name, "valuetext") != 0 || !*text)
            continue;
        free(item->info->value);
        item->info->value = element_clean(text, ELEMENT_VALUE_MAX, &item->info->value_cut);
    }
}

/* --- descriptions --------------------------------------------------------------------------- */

/* An element without a name may have only a description. The cache had it already. */
static size_t make_description(const struct detailed *item, DBusMessage **calls)
{
    if (*item->info->name || *item->info->description || !(item->info->abilities & ELEMENT_CAN_ACT))
        return 0;
    calls[0] = talk_get(item->bus, item->path, ATSPI_IFACE("Accessible"), "Description");
    return 1;
}

static void take_description(struct detailed *item, DBusMessage **answers, size_t count)
{
    const char *text;

    (void)count;
    if (!talk_value(answers[0], DBUS_TYPE_STRING, &text) || !*text)
        return;
    free(item->info->description);
    item->info->description = element_label(text, ELEMENT_NAME_MAX, NULL);
}

/* --- actions ---------------------------------------------------------------------------------- */

static size_t make_count(const struct detailed *item, DBusMessage **calls)
{
    if (!(item->info->abilities & ELEMENT_CAN_ACT))
        return 0;
    calls[0] = talk_get(item->bus, item->path, ATSPI_IFACE("Action"), "NActions");
    return 1;
}

static void take_count(struct detailed *item, DBusMessage **answers, size_t count)
{
    dbus_int32_t number;

    (void)count;
    if (talk_value(answers[0], DBUS_TYPE_INT32, &number) && number > 0)
        item->actions = number < ACTIONS_MAX ? number : ACTIONS_MAX;
}

/* Asks for each name, because GetActions() returns them in the user's language, or empty. */
static size_t make_name(const struct detailed *item, DBusMessage **calls)
{
    size_t made = 0;

    for (dbus_int32_t i = item->named; i < item->actions && made < MOST; i++) {
        calls[made] = talk_call(item->bus, item->path, ATSPI_IFACE("Action"), "GetName");
        dbus_message_append_args(calls[made++], DBUS_TYPE_INT32, &i, DBUS_TYPE_INVALID);
    }
    return made;
}

static void take_name(struct detailed *item, DBusMessage **answers, size_t count)
{
    struct buf names = { 0 };

    buf_adds(&names, item->info->actions ? item->info->actions : "");
    for (size_t i = 0; i < count; i++) {
        const char *name = "";
        char *clean;

        talk_value(answers[i], DBUS_TYPE_STRING, &name);
        clean = element_clean(name, 64, NULL);
        buf_addf(&names, "%s%s", item->named++ ? "\n" : "", clean);
        free(clean);
    }
    free(item->info->actions);
    item->info->actions = buf_take(&names);
}

bool details_read(struct atspi *atspi, struct deadline *deadline, struct detailed *items,
                  size_t count, unsigned which, struct error *err)
{
    static const struct stage stages[] = {
        { { { DETAIL_BOUNDS, make_extents, take_extents },
            { DETAIL_VALUES, make_value, take_value },
            { DETAIL_VALUES, make_description, take_description },
            { DETAIL_VALUES, make_length, take_length },
            { DETAIL_ACTIONS, make_count, take_count },
            { DETAIL_NAMES, labeled_make_relations, labeled_take_relations } } },
        { { { DETAIL_ACTIONS, make_scrolled, take_value },
            { DETAIL_VALUES, make_text, take_text },
            { DETAIL_VALUES, make_shown, take_shown },
            { DETAIL_ACTIONS, make_name, take_name },
            { DETAIL_NAMES, labeled_make_name, labeled_take_name } } },
        { { { DETAIL_VALUES, chosen_make_list, chosen_take_list },
            { DETAIL_ACTIONS, make_name, take_name } } },
        { { { DETAIL_VALUES, chosen_make_option, chosen_take_option },
            { DETAIL_ACTIONS, make_name, take_name } } },
        { { { DETAIL_VALUES, chosen_make_name, chosen_take_name },
            { DETAIL_ACTIONS, make_name, take_name } } },
    };
    struct batch batch = { atspi, deadline, items, count, which | DETAIL_NAMES };
    bool ok = true;

    for (size_t i = 0; ok && i < countof(stages); i++)
        ok = batch_run(&batch, &stages[i], err);
    for (size_t i = 0; i < count; i++) {
        free(items[i].option);
        free(items[i].label);
        items[i].option = items[i].label = NULL;
    }
    return ok;
}
