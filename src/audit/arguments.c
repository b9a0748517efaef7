/* Names decide what is hidden, so they are compared without case and separators: apiKey, API_KEY
 * and api-key are one. Too much hidden is a loss, too little a leak: parts of names count for
 * secrets. */
#include "audit/arguments.h"

#include <ctype.h>

#include "audit/described.h"
#include "base/log.h"
#include "json/document.h"
#include "json/utf8.h"
#include "json/writer.h"

enum { DEPTH_MAX = 6, NAME_MAX_BYTES = 64, LOOKED_AT = 8192 };

struct walk {
    struct buf *out;
    size_t end; /* the length that `out` may reach */
    unsigned depth;
};

/* In a name, wherever. */
static const char *const secrets[] = { "password",      "passwd", "passphrase", "passcode",
                                       "secret",        "token",  "apikey",     "privatekey",
                                       "authorization", "cookie", "credential", "accesskey",
                                       "signature" };
/* A whole name. */
static const char *const secret_names[] = { "pass", "pwd", "pin", "otp", "auth", "bearer" };
static const char *const text_names[] = { "text", "value",     "values", "body", "content",
                                          "html", "contents",  "type",   "data", "blob",
                                          "rtf",  "clipboard", "typed" };

static void plain_name(char out[NAME_MAX_BYTES + 1], struct str name)
{
    size_t n = 0;

    for (size_t i = 0; i < name.len && n < NAME_MAX_BYTES; i++)
        if (isalnum((unsigned char)name.ptr[i]))
            out[n++] = (char)tolower((unsigned char)name.ptr[i]);
    out[n] = '\0';
}

static bool is_among_names(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

bool audit_is_secret(struct str name)
{
    char plain[NAME_MAX_BYTES + 1];

    plain_name(plain, name);
    for (size_t i = 0; i < countof(secrets); i++)
        if (strstr(plain, secrets[i]))
            return true;
    return is_among_names(plain, secret_names, countof(secret_names));
}

static bool is_hidden_argument(struct str name, const struct described *described)
{
    char plain[NAME_MAX_BYTES + 1];

    if (described_is_secret(described) || audit_is_secret(name))
        return true;
    plain_name(plain, name);
    return is_among_names(plain, text_names, countof(text_names)) &&
           !described_is_listed(described);
}

/* --- values ------------------------------------------------------------------------ */

static void write_byte_count(struct buf *out, const cJSON *value)
{
    struct buf text = { 0 };
    size_t len = json_string(value).len;

    if (!cJSON_IsString(value)) {
        json_write(&text, value);
        len = text.len;
        buf_free(&text);
    }
    buf_addf(out, "{\"bytes\":%zu}", len);
}

/* In quotes, at most `most` bytes of it; secrets are hidden before it is cut. */
static void write_cut_text(struct buf *out, struct str text, size_t most)
{
    struct buf shown = { 0 };

    log_hide_secrets(&shown, text.ptr, text.len < LOOKED_AT ? text.len : LOOKED_AT);
    if (shown.len > most)
        shown.len = utf8_cut(shown.data, shown.len, most);
    json_write_string(out, shown.len ? shown.data : "", shown.len);
    buf_free(&shown);
}

void audit_string(struct buf *out, const char *text, size_t len)
{
    if (len <= AUDIT_TEXT_MAX) {
        write_cut_text(out, (struct str){ text, len }, AUDIT_TEXT_MAX);
        return;
    }
    buf_lit(out, "{\"text\":");
    write_cut_text(out, (struct str){ text, len }, AUDIT_TEXT_MAX);
    buf_addf(out, ",\"bytes\":%zu}", len);
}

/* A number, true, false or null. A number that is a secret, or has one in it, becomes a string. */
static void write_plain(struct buf *out, const cJSON *value)
{
    struct buf text = { 0 }, shown = { 0 };

    json_write(&text, value);
    log_hide_secrets(&shown, text.data, text.len);
    if (shown.len == text.len && memcmp(shown.data, text.data, text.len) == 0)
        buf_add(out, text.data, text.len);
    else
        json_write_string(out, shown.data, shown.len);
    buf_free(&text);
    buf_free(&shown);
}

static void write_argument(struct walk *walk, const cJSON *value,
                           const struct described *described);

static void write_argument_member(struct walk *walk, const cJSON *member,
                                  const struct described *described)
{
    struct str name = json_name(member);
    struct described inner;

    described_inner(&inner, described, &name);
    write_cut_text(walk->out, name, NAME_MAX_BYTES);
    buf_addc(walk->out, ':');
    if (is_hidden_argument(name, &inner))
        write_byte_count(walk->out, member);
    else
        write_argument(walk, member, &inner);
}

/* Members or items as long as there is room, then how many more there are. */
static void write_container(struct walk *walk, const cJSON *value,
                            const struct described *described)
{
    bool object = cJSON_IsObject(value);
    const cJSON *item = value->child;
    struct described inner;
    size_t left = 0;

    if (!object)
        described_inner(&inner, described, NULL);

    buf_addc(walk->out, object ? '{' : '[');
    for (; item && walk->out->len < walk->end; item = item->next) {
        if (item != value->child)
            buf_addc(walk->out, ',');
        if (object)
            write_argument_member(walk, item, described);
        else
            write_argument(walk, item, &inner);
    }
    for (; item; item = item->next)
        left++;
    if (left)
        buf_addf(walk->out, object ? "%s\"left_out\":%zu" : "%s{\"left_out\":%zu}",
                 left < (size_t)cJSON_GetArraySize(value) ? "," : "", left);
    buf_addc(walk->out, object ? '}' : ']');
}

static void write_argument(struct walk *walk, const cJSON *value, const struct described *described)
{
    if (described_is_secret(described)) {
        write_byte_count(walk->out, value);
    } else if (cJSON_IsString(value)) {
        struct str text = json_string(value);

        audit_string(walk->out, text.ptr, text.len);
    } else if (!cJSON_IsObject(value) && !cJSON_IsArray(value)) {
        write_plain(walk->out, value);
    } else if (walk->depth == DEPTH_MAX) {
        buf_addf(walk->out, "{\"left_out\":%d}", cJSON_GetArraySize(value));
    } else {
        walk->depth++;
        write_container(walk, value, described);
        walk->depth--;
    }
}

void audit_value(struct buf *out, const cJSON *value)
{
    bool object = cJSON_IsObject(value);

    if (cJSON_IsString(value)) {
        write_cut_text(out, json_string(value), LOOKED_AT);
        return;
    }
    if (!object && !cJSON_IsArray(value)) {
        write_plain(out, value);
        return;
    }
    buf_addc(out, object ? '{' : '[');
    for (const cJSON *item = value->child; item; item = item->next) {
        if (item != value->child)
            buf_addc(out, ',');
        if (object) {
            write_cut_text(out, json_name(item), NAME_MAX_BYTES);
            buf_addc(out, ':');
        }
        audit_value(out, item);
    }
    buf_addc(out, object ? '}' : ']');
}

/* --- afterwards -------------------------------------------------------------------- */

/* Text that was cut already has its length. */
static void hide_text(cJSON *value)
{
    cJSON *cut = cJSON_GetObjectItemCaseSensitive(value, "text");
    cJSON *length = cJSON_GetObjectItemCaseSensitive(value, "bytes");

    if (cJSON_IsString(value)) {
        double bytes = (double)strlen(value->valuestring);

        value->type = (value->type & cJSON_StringIsConst) | cJSON_Object;
        cJSON_free(value->valuestring);
        value->valuestring = NULL;
        cJSON_AddNumberToObject(value, "bytes", bytes);
    } else if (cJSON_IsObject(value) && cJSON_IsString(cut) && cJSON_IsNumber(length) &&
               cJSON_GetArraySize(value) == 2) {
        cJSON_Delete(cJSON_DetachItemViaPointer(value, cut));
    } else {
        for (cJSON *each = value->child; each; each = each->next)
            hide_text(each);
    }
}

/* They cannot be read: no argument is better than one that is not hidden. */
static void leave_arguments_out(struct buf *members)
{
    static const char name[] = ",\"args\":"; /* in no text: those have their quotes escaped */
    const char *at = strstr(buf_text(members), name);

    if (!at)
        return;
    members->len = (size_t)(at - members->data) + strlen(name);
    buf_lit(members, "{\"left_out\":true}");
}

void audit_hide_texts(struct buf *members)
{
    struct buf whole = { 0 };
    cJSON *line, *args;

    buf_addc(&whole, '{');
    buf_add(&whole, members->data, members->len);
    buf_addc(&whole, '}');
    line = cJSON_ParseWithLength(whole.data, whole.len);
    args = cJSON_GetObjectItemCaseSensitive(line, "args");
    if (args) {
        hide_text(args);
        whole.len = 0;
        json_write(&whole, line);
        members->len = 0;
        buf_add(members, whole.data + 1, whole.len - 2);
    } else if (!line) {
        leave_arguments_out(members);
    }
    cJSON_Delete(line);
    buf_free(&whole);
}

void audit_arguments(const cJSON *args, const cJSON *input_schema, struct buf *out)
{
    /* room for one more member: a name and a text, each byte escaped at worst, and the ends */
    struct walk walk = { .out = out, .end = out->len + AUDIT_ARGUMENTS_MAX - 1000 };

    struct described described;

    described_whole(&described, input_schema);
    if (args)
        write_argument(&walk, args, &described);
    else
        buf_lit(out, "{}");
}
