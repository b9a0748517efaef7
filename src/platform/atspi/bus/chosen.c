/* Chromium hides the list of a closed box from readers of what is shown, and Firefox lists the
 * chosen option below the box. Neither gives the box a value. While the list is open, its selection
 * follows the keys and the pointer, and is not chosen yet. */
#include "platform/atspi/bus/chosen.h"

#include <stdlib.h>

#define EMBEDDED "\xef\xbf\xbc" /* stands for the list in the text of the box */

static bool is_untold(const struct detailed *item)
{
    const struct element_info *info = item->info;
    const unsigned box = ELEMENT_EXPANDABLE | ELEMENT_HAS_POPUP;

    return info->role == ELEMENT_COMBO && info->children == 1 &&
           (!*info->value || strcmp(info->value, EMBEDDED) == 0) &&
           (info->states & (box | ELEMENT_EDITABLE | ELEMENT_EXPANDED)) == box &&
           !(info->abilities & (ELEMENT_CAN_SELECT | ELEMENT_CAN_WRITE));
}

static DBusMessage *first_of(const char *bus, const char *path, const char *interface,
                             const char *member)
{
    DBusMessage *call = talk_call(bus, path, interface, member);
    dbus_int32_t first = 0;

    dbus_message_append_args(call, DBUS_TYPE_INT32, &first, DBUS_TYPE_INVALID);
    return call;
}

/* Takes the path of an object, and forgets the path from before. */
static void take_object(struct detailed *item, DBusMessage *answer)
{
    free(item->option);
    item->option = talk_path(answer);
}

size_t chosen_make_list(const struct detailed *item, DBusMessage **calls)
{
    if (!is_untold(item))
        return 0;
    calls[0] = first_of(item->bus, item->path, ATSPI_IFACE("Accessible"), "GetChildAtIndex");
    return 1;
}

void chosen_take_list(struct detailed *item, DBusMessage **answers, size_t count)
{
    (void)count;
    take_object(item, answers[0]);
}

size_t chosen_make_option(const struct detailed *item, DBusMessage **calls)
{
    if (!item->option)
        return 0;
    calls[0] = first_of(item->bus, item->option, ATSPI_IFACE("Selection"), "GetSelectedChild");
    return 1;
}

void chosen_take_option(struct detailed *item, DBusMessage **answers, size_t count)
{
    (void)count;
    take_object(item, answers[0]);
}

size_t chosen_make_name(const struct detailed *item, DBusMessage **calls)
{
    if (!item->option)
        return 0;
    calls[0] = talk_get(item->bus, item->option, ATSPI_IFACE("Accessible"), "Name");
    return 1;
}

void chosen_take_name(struct detailed *item, DBusMessage **answers, size_t count)
{
    const char *name;

    (void)count;
    if (!talk_value(answers[0], DBUS_TYPE_STRING, &name))
        return;
    free(item->info->value);
    item->info->value = element_clean(name, ELEMENT_VALUE_MAX, &item->info->value_cut);
}
