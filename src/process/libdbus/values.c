#include "process/libdbus/values.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "json/digits.h"
#include "json/document.h"
#include "json/writer.h"

/* --- to a message ------------------------------------------------------------------------ */

static bool append_value(DBusMessageIter *to, DBusSignatureIter *type, const cJSON *value,
                         struct error *err);

/* libdbus ends the process where a container is closed that is not complete. */
static bool end_container(DBusMessageIter *to, DBusMessageIter *inside, bool ok)
{
    if (ok)
        dbus_message_iter_close_container(to, inside);
    else
        dbus_message_iter_abandon_container(to, inside);
    return ok;
}

static bool argument_misfit(int type, struct error *err)
{
    return error_set(err, "bad_call", "an argument does not fit its type '%c'", type);
}

static bool append_string(DBusMessageIter *to, int type, const cJSON *value, struct error *err)
{
    const char *text = cJSON_GetStringValue(value);

    if (!text || json_string(value).len != strlen(text) || !dbus_validate_utf8(text, NULL) ||
        (type == DBUS_TYPE_OBJECT_PATH && !dbus_validate_path(text, NULL)) ||
        (type == DBUS_TYPE_SIGNATURE && !dbus_signature_validate(text, NULL)))
        return argument_misfit(type, err);
    dbus_message_iter_append_basic(to, type, &text);
    return true;
}

/* The bounds of a type of whole numbers; JSON's are exact to 2^53. */
static bool number_fits_type(int type, double number)
{
    static const struct {
        int type;
        double least, most;
    } bounds[] = {
        { DBUS_TYPE_BYTE, 0, UINT8_MAX },    { DBUS_TYPE_INT16, INT16_MIN, INT16_MAX },
        { DBUS_TYPE_UINT16, 0, UINT16_MAX }, { DBUS_TYPE_INT32, INT32_MIN, INT32_MAX },
        { DBUS_TYPE_UINT32, 0, UINT32_MAX }, { DBUS_TYPE_INT64, -0x1p53, 0x1p53 },
        { DBUS_TYPE_UINT64, 0, 0x1p53 },
    };

    for (size_t i = 0; i < countof(bounds); i++) {
        if (bounds[i].type == type)
            return number >= bounds[i].least && number <= bounds[i].most && floor(number) == number;
    }
    return false;
}

/* A whole number of 64 bits that a double may not hold: as a string of digits, or as a number that
 * kept its text. */
static bool take_long_number(int type, const cJSON *value, DBusBasicValue *out)
{
    const char *text = cJSON_IsString(value) ? cJSON_GetStringValue(value) : digits_of(value);
    size_t sign = text && *text == '-';
    char *end;

    if ((type != DBUS_TYPE_INT64 && type != DBUS_TYPE_UINT64) || !text || !text[sign] ||
        text[sign + strspn(text + sign, "0123456789")] || (sign && type == DBUS_TYPE_UINT64))
        return false;
    errno = 0;
    if (type == DBUS_TYPE_INT64)
        out->i64 = strtoll(text, &end, 10);
    else
        out->u64 = strtoull(text, &end, 10);
    return errno == 0;
}

static bool append_number(DBusMessageIter *to, int type, const cJSON *value, struct error *err)
{
    DBusBasicValue basic = { 0 };
    double number = cJSON_GetNumberValue(value);

    if (type == DBUS_TYPE_DOUBLE && cJSON_IsNumber(value))
        basic.dbl = number;
    else if (take_long_number(type, value, &basic))
        ; /* it is in `basic` */
    else if (!cJSON_IsNumber(value) || !number_fits_type(type, number))
        return argument_misfit(type, err);
    else if (type == DBUS_TYPE_BYTE)
        basic.byt = (unsigned char)number;
    else if (type == DBUS_TYPE_INT16 || type == DBUS_TYPE_UINT16)
        basic.u16 = (dbus_uint16_t)(int)number;
    else if (type == DBUS_TYPE_INT32 || type == DBUS_TYPE_UINT32)
        basic.u32 = (dbus_uint32_t)(int64_t)number;
    else
        basic.u64 = (dbus_uint64_t)(int64_t)number;
    dbus_message_iter_append_basic(to, type, &basic);
    return true;
}

static bool append_basic(DBusMessageIter *to, int type, const cJSON *value, struct error *err)
{
    dbus_bool_t flag = cJSON_IsTrue(value);

    if (type == DBUS_TYPE_STRING || type == DBUS_TYPE_OBJECT_PATH || type == DBUS_TYPE_SIGNATURE)
        return append_string(to, type, value, err);
    if (type != DBUS_TYPE_BOOLEAN)
        return append_number(to, type, value, err);
    if (!cJSON_IsBool(value))
        return argument_misfit(type, err);
    dbus_message_iter_append_basic(to, type, &flag);
    return true;
}

/* [signature, value]; the signature is of one type. */
static bool append_variant(DBusMessageIter *to, const cJSON *value, struct error *err)
{
    const char *signature =
        cJSON_IsArray(value) ? cJSON_GetStringValue(cJSON_GetArrayItem(value, 0)) : NULL;
    DBusMessageIter inside;
    DBusSignatureIter type;
    bool ok;

    if (!signature || !dbus_signature_validate_single(signature, NULL) ||
        cJSON_GetArraySize(value) != 2)
        return argument_misfit(DBUS_TYPE_VARIANT, err);
    dbus_signature_iter_init(&type, signature);
    dbus_message_iter_open_container(to, DBUS_TYPE_VARIANT, signature, &inside);
    ok = append_value(&inside, &type, cJSON_GetArrayItem(value, 1), err);
    return end_container(to, &inside, ok);
}

/* A member of an object, whose key is a string, or a pair of key and value. */
static bool append_entry(DBusMessageIter *to, DBusSignatureIter *entry, const cJSON *member,
                         struct error *err)
{
    DBusSignatureIter type;
    DBusMessageIter inside;
    const char *key = member->string;
    const cJSON *value = key ? member : cJSON_GetArrayItem(member, 1);
    bool ok;

    dbus_signature_iter_recurse(entry, &type);
    if (key ? dbus_signature_iter_get_current_type(&type) != DBUS_TYPE_STRING ||
                  !dbus_validate_utf8(key, NULL)
            : !cJSON_IsArray(member) || cJSON_GetArraySize(member) != 2)
        return argument_misfit(DBUS_TYPE_DICT_ENTRY, err);
    dbus_message_iter_open_container(to, DBUS_TYPE_DICT_ENTRY, NULL, &inside);
    ok = true;
    if (key)
        dbus_message_iter_append_basic(&inside, DBUS_TYPE_STRING, &key);
    else
        ok = append_value(&inside, &type, cJSON_GetArrayItem(member, 0), err);
    dbus_signature_iter_next(&type);
    ok = ok && append_value(&inside, &type, value, err);
    return end_container(to, &inside, ok);
}

static bool append_array(DBusMessageIter *to, DBusSignatureIter *array, const cJSON *value,
                         struct error *err)
{
    DBusSignatureIter element;
    DBusMessageIter inside;
    const cJSON *item;
    char *signature;
    bool ok = true, entries;

    dbus_signature_iter_recurse(array, &element);
    entries = dbus_signature_iter_get_current_type(&element) == DBUS_TYPE_DICT_ENTRY;
    /* An empty table of Lua may stand for either. */
    if (!cJSON_IsArray(value) && !(cJSON_IsObject(value) && (entries || !value->child)))
        return argument_misfit(DBUS_TYPE_ARRAY, err);
    signature = dbus_signature_iter_get_signature(&element);
    dbus_message_iter_open_container(to, DBUS_TYPE_ARRAY, signature, &inside);
    dbus_free(signature);
    cJSON_ArrayForEach (item, value) {
        ok = ok && (entries ? append_entry(&inside, &element, item, err)
                            : append_value(&inside, &element, item, err));
    }
    return end_container(to, &inside, ok);
}

/* Each of the types from `type` on has one of the values. */
static bool append_each(DBusMessageIter *to, DBusSignatureIter *type, const cJSON *values,
                        struct error *err)
{
    const cJSON *value = cJSON_IsArray(values) ? values->child : NULL;

    do {
        if (!value)
            return error_set(err, "bad_call", "there are fewer arguments than types");
        if (!append_value(to, type, value, err))
            return false;
        value = value->next;
    } while (dbus_signature_iter_next(type));
    return !value || error_set(err, "bad_call", "there are more arguments than types");
}

static bool append_struct(DBusMessageIter *to, DBusSignatureIter *type, const cJSON *value,
                          struct error *err)
{
    DBusSignatureIter fields;
    DBusMessageIter inside;
    bool ok;

    dbus_signature_iter_recurse(type, &fields);
    dbus_message_iter_open_container(to, DBUS_TYPE_STRUCT, NULL, &inside);
    ok = append_each(&inside, &fields, value, err);
    return end_container(to, &inside, ok);
}

static bool append_value(DBusMessageIter *to, DBusSignatureIter *type, const cJSON *value,
                         struct error *err)
{
    switch (dbus_signature_iter_get_current_type(type)) {
    case DBUS_TYPE_VARIANT:
        return append_variant(to, value, err);
    case DBUS_TYPE_ARRAY:
        return append_array(to, type, value, err);
    case DBUS_TYPE_STRUCT:
        return append_struct(to, type, value, err);
    default:
        return append_basic(to, dbus_signature_iter_get_current_type(type), value, err);
    }
}

bool bus_values_append(DBusMessage *message, const char *signature, const cJSON *args,
                       struct error *err)
{
    DBusMessageIter to;
    DBusSignatureIter type;

    if (!signature || !*signature)
        return !args || !args->child ||
               error_set(err, "bad_call", "arguments need their signature");
    if (!dbus_signature_validate(signature, NULL))
        return error_set(err, "bad_call", "'%.60s' is not a signature", signature);
    dbus_message_iter_init_append(message, &to);
    dbus_signature_iter_init(&type, signature);
    return append_each(&to, &type, args, err);
}

/* --- from a message ------------------------------------------------------------------------ */

static void write_bus_value(struct buf *out, DBusMessageIter *from);

/* So many, at most. */
static void write_values(struct buf *out, DBusMessageIter *from, int most)
{
    buf_addc(out, '[');
    for (int i = 0; i < most && dbus_message_iter_get_arg_type(from) != DBUS_TYPE_INVALID; i++) {
        if (i)
            buf_addc(out, ',');
        write_bus_value(out, from);
        dbus_message_iter_next(from);
    }
    buf_addc(out, ']');
}

static void write_each(struct buf *out, DBusMessageIter *from)
{
    write_values(out, from, INT_MAX);
}

static void write_string_value(struct buf *out, const char *text)
{
    json_write_string(out, text, strlen(text));
}

static bool has_string_keys(DBusMessageIter *entries)
{
    DBusMessageIter entry;

    if (dbus_message_iter_get_arg_type(entries) != DBUS_TYPE_DICT_ENTRY)
        return false;
    dbus_message_iter_recurse(entries, &entry);
    return dbus_message_iter_get_arg_type(&entry) == DBUS_TYPE_STRING;
}

static void write_dict(struct buf *out, DBusMessageIter *entries)
{
    bool first = true;

    buf_addc(out, '{');
    for (; dbus_message_iter_get_arg_type(entries) != DBUS_TYPE_INVALID;
         dbus_message_iter_next(entries)) {
        DBusMessageIter entry;

        if (!first)
            buf_addc(out, ',');
        first = false;
        dbus_message_iter_recurse(entries, &entry);
        write_bus_value(out, &entry);
        buf_addc(out, ':');
        dbus_message_iter_next(&entry);
        write_bus_value(out, &entry);
    }
    buf_addc(out, '}');
}

static void write_basic(struct buf *out, int type, const DBusBasicValue *value)
{
    switch (type) {
    case DBUS_TYPE_STRING:
    case DBUS_TYPE_OBJECT_PATH:
    case DBUS_TYPE_SIGNATURE:
        write_string_value(out, value->str);
        return;
    case DBUS_TYPE_BOOLEAN:
        buf_adds(out, value->bool_val ? "true" : "false");
        return;
    case DBUS_TYPE_DOUBLE:
        json_write_number(out, value->dbl);
        return;
    case DBUS_TYPE_BYTE:
        json_write_integer(out, value->byt);
        return;
    case DBUS_TYPE_INT16:
        json_write_integer(out, value->i16);
        return;
    case DBUS_TYPE_UINT16:
        json_write_integer(out, value->u16);
        return;
    case DBUS_TYPE_INT32:
        json_write_integer(out, value->i32);
        return;
    case DBUS_TYPE_UINT32:
        json_write_integer(out, value->u32);
        return;
    case DBUS_TYPE_UINT64:
        if (value->u64 > INT64_MAX) { /* no integer of Lua */
            buf_addf(out, "\"%llu\"", (unsigned long long)value->u64);
            return;
        }
        json_write_integer(out, value->i64);
        return;
    case DBUS_TYPE_INT64:
        json_write_integer(out, value->i64);
        return;
    default: /* a file's descriptor is not passed on */
        buf_lit(out, "null");
    }
}

static void write_bus_value(struct buf *out, DBusMessageIter *from)
{
    int type = dbus_message_iter_get_arg_type(from);
    DBusMessageIter inside;
    DBusBasicValue value;

    if (dbus_type_is_container(type)) {
        dbus_message_iter_recurse(from, &inside);
        if (type == DBUS_TYPE_VARIANT)
            write_bus_value(out, &inside);
        else if (type == DBUS_TYPE_ARRAY && has_string_keys(&inside))
            write_dict(out, &inside);
        else
            write_each(out, &inside);
        return;
    }
    if (type == DBUS_TYPE_UNIX_FD) { /* to take it would mean to own it */
        buf_lit(out, "null");
        return;
    }
    dbus_message_iter_get_basic(from, &value);
    write_basic(out, type, &value);
}

void bus_values_write_some(struct buf *out, DBusMessage *message, int most)
{
    DBusMessageIter from;

    if (dbus_message_iter_init(message, &from))
        write_values(out, &from, most);
    else
        buf_lit(out, "[]");
}

void bus_values_write(struct buf *out, DBusMessage *message)
{
    bus_values_write_some(out, message, INT_MAX);
}
