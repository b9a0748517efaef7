/* libdbus ends the process for a name that is none, so each is checked before it is used. */
#include "process/libdbus/messages.h"

#include "json/document.h"
#include "json/writer.h"
#include "process/libdbus/values.h"

/* --- from JSON ---------------------------------------------------------------------------------
 */

static const char *member_text(const cJSON *what, const char *name)
{
    return cJSON_GetStringValue(json_get(what, name));
}

static const char *shown_part(const char *text)
{
    return text ? text : "?";
}

/* Takes the message. NULL where the arguments do not fit. */
static DBusMessage *with_args(DBusMessage *message, const cJSON *what, struct error *err)
{
    if (bus_values_append(message, member_text(what, "signature"), json_get(what, "args"), err))
        return message;
    dbus_message_unref(message);
    return NULL;
}

DBusMessage *message_of_call(const cJSON *call, struct error *err)
{
    const char *to = member_text(call, "to"), *path = member_text(call, "path");
    const char *interface = member_text(call, "interface"), *member = member_text(call, "member");
    DBusMessage *message;

    if (!to || !dbus_validate_bus_name(to, NULL) || !path || !dbus_validate_path(path, NULL) ||
        !interface || !dbus_validate_interface(interface, NULL) || !member ||
        !dbus_validate_member(member, NULL)) {
        error_set(err, "bad_call", "not a call of D-Bus: %.60s %.100s %.80s.%.60s", shown_part(to),
                  shown_part(path), shown_part(interface), shown_part(member));
        return NULL;
    }
    message = dbus_message_new_method_call(to, path, interface, member);
    dbus_message_set_auto_start(message, cJSON_IsTrue(json_get(call, "start")));
    return with_args(message, call, err);
}

static DBusMessage *message_of_signal(const cJSON *what, struct error *err)
{
    const char *path = member_text(what, "path"), *interface = member_text(what, "interface");
    const char *member = member_text(what, "member"), *to = member_text(what, "to");
    DBusMessage *message;

    if (!path || !dbus_validate_path(path, NULL) || !interface ||
        !dbus_validate_interface(interface, NULL) || !member ||
        !dbus_validate_member(member, NULL) || (to && !dbus_validate_bus_name(to, NULL))) {
        error_set(err, "bad_call", "not a signal of D-Bus: %.100s %.80s.%.60s", shown_part(path),
                  shown_part(interface), shown_part(member));
        return NULL;
    }
    message = dbus_message_new_signal(path, interface, member);
    if (to)
        dbus_message_set_destination(message, to);
    return with_args(message, what, err);
}

/* The error of an answer that is one. */
static bool set_error(DBusMessage *message, const cJSON *what, struct error *err)
{
    const char *error = member_text(what, "error"), *text = member_text(what, "text");
    DBusMessageIter to;

    if (!dbus_validate_error_name(error, NULL))
        return error_set(err, "bad_call", "'%.100s' is not the name of an error", error);
    if (!text || !dbus_validate_utf8(text, NULL))
        return error_set(err, "bad_call", "the field text of an error is not a string in UTF-8");
    dbus_message_set_error_name(message, error);
    dbus_message_iter_init_append(message, &to);
    dbus_message_iter_append_basic(&to, DBUS_TYPE_STRING, &text);
    return true;
}

static DBusMessage *message_of_answer(const cJSON *what, struct error *err)
{
    const char *to = member_text(what, "to"), *error = member_text(what, "error");
    DBusMessage *message;
    int64_t serial;

    if (!to || !dbus_validate_bus_name(to, NULL) ||
        !json_integer(json_get(what, "reply_to"), &serial) || serial < 1 || serial > UINT32_MAX) {
        error_set(err, "bad_call", "not an answer of D-Bus: to %.60s", shown_part(to));
        return NULL;
    }
    message = dbus_message_new(error ? DBUS_MESSAGE_TYPE_ERROR : DBUS_MESSAGE_TYPE_METHOD_RETURN);
    dbus_message_set_destination(message, to);
    dbus_message_set_reply_serial(message, (dbus_uint32_t)serial);
    dbus_message_set_no_reply(message, TRUE);
    if (!error)
        return with_args(message, what, err);
    if (set_error(message, what, err))
        return message;
    dbus_message_unref(message);
    return NULL;
}

DBusMessage *message_of(const cJSON *what, struct error *err)
{
    const char *kind = member_text(what, "kind");

    if (kind && strcmp(kind, "call") == 0)
        return message_of_call(what, err);
    if (kind && strcmp(kind, "signal") == 0)
        return message_of_signal(what, err);
    if (kind && strcmp(kind, "answer") == 0)
        return message_of_answer(what, err);
    error_set(err, "bad_call", "'%.20s' is not a kind of message: call, signal or answer",
              shown_part(kind));
    return NULL;
}

/* --- to JSON -----------------------------------------------------------------------------------
 */

static const char *message_kind(DBusMessage *message)
{
    switch (dbus_message_get_type(message)) {
    case DBUS_MESSAGE_TYPE_METHOD_CALL:
        return "call";
    case DBUS_MESSAGE_TYPE_SIGNAL:
        return "signal";
    default:
        return "answer";
    }
}

static void write_text_member(struct buf *out, const char *name, const char *text)
{
    if (!text)
        return;
    buf_addf(out, ",\"%s\":", name);
    json_write_string(out, text, strlen(text));
}

/* An error's text is its first value. */
static void write_error(struct buf *out, DBusMessage *message)
{
    DBusError why = DBUS_ERROR_INIT;

    if (!dbus_set_error_from_message(&why, message))
        return;
    write_text_member(out, "error", why.name);
    write_text_member(out, "text", why.message ? why.message : "");
    dbus_error_free(&why);
}

void message_write(struct buf *out, DBusMessage *message, int most)
{
    buf_addf(out, "{\"kind\":\"%s\"", message_kind(message));
    write_text_member(out, "sender", dbus_message_get_sender(message));
    write_text_member(out, "path", dbus_message_get_path(message));
    write_text_member(out, "interface", dbus_message_get_interface(message));
    write_text_member(out, "member", dbus_message_get_member(message));
    write_text_member(out, "signature", dbus_message_get_signature(message));
    if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL) {
        buf_addf(out, ",\"serial\":%u,\"answered\":%s", dbus_message_get_serial(message),
                 dbus_message_get_no_reply(message) ? "false" : "true");
    }
    write_error(out, message);
    buf_lit(out, ",\"values\":");
    bus_values_write_some(out, message, most);
    buf_addc(out, '}');
}
