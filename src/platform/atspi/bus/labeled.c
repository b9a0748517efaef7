/* GTK 4.18 gives items of menus no name and leaves their labels out of the tree; only the relation
 * to the label leads to their names. Other toolkits name the elements that they draw a label in. */
#include "platform/atspi/bus/labeled.h"

#include <stdlib.h>

#include "platform/atspi/bus/extents.h"

enum { RELATION_LABELLED_BY = 2 };

/* True for elements that are pressed as a whole, whose label is their own. The label beside a field
 * names it for the eye, and is found there. */
static bool is_pressed(enum element_role role)
{
    switch (role) {
    case ELEMENT_BUTTON:
    case ELEMENT_TOGGLE:
    case ELEMENT_CHECK:
    case ELEMENT_RADIO:
    case ELEMENT_LINK:
    case ELEMENT_MENU_ITEM:
    case ELEMENT_CHECK_ITEM:
    case ELEMENT_RADIO_ITEM:
        return true;
    default:
        return false;
    }
}

size_t labeled_make_relations(const struct detailed *item, DBusMessage **calls)
{
    const struct element_info *info = item->info;

    if (!is_pressed(info->role) || !info->name || *info->name || !extents_within(item->bus))
        return 0;
    calls[0] = talk_call(item->bus, item->path, ATSPI_IFACE("Accessible"), "GetRelationSet");
    return 1;
}

/* The path of the first target of a relation; NULL: it has none. */
static char *first_target(DBusMessageIter *relation)
{
    struct talk_object object;
    DBusMessageIter each;

    dbus_message_iter_recurse(relation, &each);
    return talk_object(&each, &object) ? mem_strdup(object.path) : NULL;
}

void labeled_take_relations(struct detailed *item, DBusMessage **answers, size_t count)
{
    DBusMessageIter at, each, relation;
    dbus_uint32_t kind;

    (void)count;
    if (!answers[0] || !dbus_message_has_signature(answers[0], "a(ua(so))"))
        return;
    dbus_message_iter_init(answers[0], &at);
    dbus_message_iter_recurse(&at, &each);
    for (; !item->label && dbus_message_iter_get_arg_type(&each) == DBUS_TYPE_STRUCT;
         dbus_message_iter_next(&each)) {
        dbus_message_iter_recurse(&each, &relation);
        dbus_message_iter_get_basic(&relation, &kind);
        dbus_message_iter_next(&relation);
        if (kind == RELATION_LABELLED_BY)
            item->label = first_target(&relation);
    }
}

/* Reads the label's text: a label that is left out of the tree has no name either. */
size_t labeled_make_name(const struct detailed *item, DBusMessage **calls)
{
    dbus_int32_t from = 0, to = -1;

    if (!item->label)
        return 0;
    calls[0] = talk_get(item->bus, item->label, ATSPI_IFACE("Accessible"), "Name");
    calls[1] = talk_call(item->bus, item->label, ATSPI_IFACE("Text"), "GetText");
    dbus_message_append_args(calls[1], DBUS_TYPE_INT32, &from, DBUS_TYPE_INT32, &to,
                             DBUS_TYPE_INVALID);
    return 2;
}

void labeled_take_name(struct detailed *item, DBusMessage **answers, size_t count)
{
    const char *text = "";

    for (size_t i = 0; i < count && !*text; i++)
        talk_value(answers[i], DBUS_TYPE_STRING, &text);
    if (!*text)
        return;
    free(item->info->name);
    item->info->name = element_label(text, ELEMENT_NAME_MAX, &item->info->name_cut);
}
