#include "platform/atspi/details.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "json/utf8.h"

enum { CHARACTERS = ELEMENT_VALUE_MAX / 4, ACTIONS_MAX = 16, COORDS_SCREEN = 0 };

/* --- which ---------------------------------------------------------------------------------- */

static bool has_number(const struct element_info *info)
{
    return (info->abilities & ELEMENT_CAN_COUNT) && info->role != ELEMENT_SCROLL_BAR &&
           info->role != ELEMENT_SCROLL_AREA;
}

/* Texts of what is named by it are its name, and passwords are nobody's. */
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
};

/* Makes an item's calls, at most MOST, and reads what came. */
enum { MOST = 4 };
struct step {
    size_t (*make)(const struct detailed *item, DBusMessage **calls);
    void (*take)(struct detailed *item, DBusMessage **answers, size_t count);
};

static bool run(struct batch *batch, const struct step *step, struct error *err)
{
    DBusMessage **calls = mem_zero((batch->count * MOST + 1) * sizeof *calls);
    DBusMessage **answers = mem_zero((batch->count * MOST + 1) * sizeof *answers);
    size_t *made = mem_zero((batch->count + 1) * sizeof *made), total = 0, at = 0;
    bool ok = true;

    for (size_t i = 0; i < batch->count; i++) {
        made[i] = step->make(&batch->items[i], calls + total);
        total += made[i];
    }
    if (total)
        ok = talk_ask(batch->atspi, batch->deadline, calls, total, answers, err);
    for (size_t i = 0; i < batch->count; i++) {
        if (made[i])
            step->take(&batch->items[i], answers + at, made[i]);
        at += made[i];
    }
    talk_unref(answers, total);
    free(calls);
    free(answers);
    free(made);
    return ok;
}

/* --- where ------------------------------------------------------------------------------ */

static size_t make_extents(const struct detailed *item, DBusMessage **calls)
{
    dbus_uint32_t coords = COORDS_SCREEN;

    if (!(item->info->abilities & ELEMENT_CAN_FOCUS))
        return 0;
    calls[0] = talk_call(item->bus, item->path, ATSPI_IFACE("Component"), "GetExtents");
    dbus_message_append_args(calls[0], DBUS_TYPE_UINT32, &coords, DBUS_TYPE_INVALID);
    return 1;
}

/* ((iiii)). What is hidden is told to be at the end of the world, or to have no size. */
static void take_extents(struct detailed *item, DBusMessage **answers, size_t count)
{
    DBusMessageIter at, inside;
    dbus_int32_t numbers[4];

    (void)count;
    if (!answers[0] || !dbus_message_has_signature(answers[0], "(iiii)"))
        return;
    dbus_message_iter_init(answers[0], &at);
    dbus_message_iter_recurse(&at, &inside);
    for (int i = 0; i < 4; i++) {
        dbus_message_iter_get_basic(&inside, &numbers[i]);
        dbus_message_iter_next(&inside);
    }
    if (numbers[0] < -1000000 || numbers[1] < -1000000 || numbers[2] <= 0 || numbers[3] <= 0)
        return;
    item->info->placed = true;
    item->info->bounds = (struct rect){ numbers[0], numbers[1], numbers[2], numbers[3] };
}

/* --- what --------------------------------------------------------------------------------- */

static size_t make_value(const struct detailed *item, DBusMessage **calls)
{
    static const char *const names[] = { "CurrentValue", "MinimumValue", "MaximumValue",
                                         "MinimumIncrement" };

    if (has_number(item->info)) {
        for (size_t i = 0; i < countof(names); i++)
            calls[i] = talk_get(item->bus, item->path, ATSPI_IFACE("Value"), names[i]);
        return countof(names);
    }
    return 0;
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
    if (talk_value(answers[0], DBUS_TYPE_INT32, &length) && length > 0)
        item->length = length;
}

/* Past the end LibreOffice gives nothing at all. */
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

/* --- what else it says --------------------------------------------------------------------------
 */

/* Of what has no name the description may be all that there is. The cache had it already. */
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
    item->info->description = element_clean(text, ELEMENT_NAME_MAX, NULL);
}

/* --- what it can do --------------------------------------------------------------------------- */

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

/* GetActions() has them in the user's language, or empty. */
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
    static const struct {
        unsigned which;
        struct step step;
    } steps[] = {
        { DETAIL_BOUNDS, { make_extents, take_extents } },
        { DETAIL_VALUES, { make_value, take_value } },
        { DETAIL_VALUES, { make_description, take_description } },
        { DETAIL_VALUES, { make_length, take_length } },
        { DETAIL_VALUES, { make_text, take_text } },
        { DETAIL_ACTIONS, { make_count, take_count } },
        { DETAIL_ACTIONS, { make_name, take_name } },
        { DETAIL_ACTIONS, { make_name, take_name } },
        { DETAIL_ACTIONS, { make_name, take_name } },
        { DETAIL_ACTIONS, { make_name, take_name } },
    };
    struct batch batch = { atspi, deadline, items, count };

    for (size_t i = 0; i < countof(steps); i++) {
        if ((steps[i].which & which) && !run(&batch, &steps[i].step, err))
            return false;
    }
    return true;
}
