#include "platform/atspi/paragraphs.h"

#include <stdlib.h>

#include "platform/atspi/bus/texts.h"

struct reading {
    struct atspi *atspi;
    struct deadline *deadline;
    const char *bus;
    struct error *err;
};

/* Asks for the object's parent, NULL if it has none, and its place there. */
static bool read_place(const struct reading *reading, const char *path, char **parent,
                       dbus_int32_t *index)
{
    const char *accessible = ATSPI_IFACE("Accessible");
    DBusMessage *calls[2] = { talk_get(reading->bus, path, accessible, "Parent"),
                              talk_call(reading->bus, path, accessible, "GetIndexInParent") };
    DBusMessage *answers[2] = { NULL };
    bool ok = talk_ask(reading->atspi, reading->deadline, calls, 2, answers, reading->err);

    *parent = talk_path(answers[0]);
    *index = -1;
    talk_value(answers[1], DBUS_TYPE_INT32, index);
    talk_unref(answers, 2);
    return ok;
}

/* Asks for `count` children, from this one on. */
static bool read_children(const struct reading *reading, const char *parent, dbus_int32_t first,
                          int count, DBusMessage **answers)
{
    DBusMessage **calls = mem_zero(((size_t)count + 1) * sizeof(DBusMessage *));
    bool ok;

    for (dbus_int32_t i = 0; i < count; i++) {
        dbus_int32_t place = first + i;

        calls[i] = talk_call(reading->bus, parent, ATSPI_IFACE("Accessible"), "GetChildAtIndex");
        dbus_message_append_args(calls[i], DBUS_TYPE_INT32, &place, DBUS_TYPE_INVALID);
    }
    ok = talk_ask(reading->atspi, reading->deadline, calls, (size_t)count, answers, reading->err);
    free(calls);
    return ok;
}

/* Asks for the texts of the children, up to the first that is none; *known of them are. */
static bool read_texts(const struct reading *reading, DBusMessage **children, int count, int *known,
                       DBusMessage **answers)
{
    DBusMessage **calls = mem_zero(((size_t)count + 1) * sizeof(DBusMessage *));
    char *path;
    bool ok;

    for (*known = 0; *known < count && (path = talk_path(children[*known])); ++*known) {
        calls[*known] = texts_ask(reading->bus, path, 0, -1);
        free(path);
    }
    ok = talk_ask(reading->atspi, reading->deadline, calls, (size_t)*known, answers, reading->err);
    free(calls);
    return ok;
}

/* Appends them, each with a line end. False: one has not reported its text. */
static bool join(DBusMessage **texts, int count, struct buf *out)
{
    for (int i = 0; i < count; i++) {
        const char *text;

        if (!talk_value(texts[i], DBUS_TYPE_STRING, &text))
            return false;
        buf_add(out, text, strlen(text));
        buf_addc(out, '\n');
    }
    return true;
}

bool paragraphs_above(struct atspi *atspi, struct deadline *deadline, const char *bus,
                      const char *path, int count, struct buf *out, bool *told, struct error *err)
{
    const struct reading reading = { atspi, deadline, bus, err };
    DBusMessage **children = mem_zero(((size_t)count + 1) * sizeof(DBusMessage *));
    DBusMessage **texts = mem_zero(((size_t)count + 1) * sizeof(DBusMessage *));
    char *parent;
    dbus_int32_t index;
    int known = 0;
    bool ok = read_place(&reading, path, &parent, &index);
    bool there = ok && parent && index >= count;

    ok = ok && (!there || (read_children(&reading, parent, index - count, count, children) &&
                           read_texts(&reading, children, count, &known, texts)));
    *told = ok && there && known == count && join(texts, count, out);
    free(parent);
    talk_unref(children, (size_t)count);
    talk_unref(texts, (size_t)count);
    free(children);
    free(texts);
    return ok;
}
