/* A message that is free of surprises: nothing in it can begin another header, recipient or part.
 */
#include "mail/message.h"

#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

#include "base/module.h"
#include "json/utf8.h"

const struct mime_codec *mime_codec_get(struct error *err)
{
    struct error why;
    const struct mime_codec *codec = module_symbol("gmime", "perigee_mime", &why);

    if (codec)
        return codec;
    if (strcmp(why.code, "module_missing") == 0)
        error_set(err, "not_built",
                  "this build cannot write or read mail. Install GMime (Debian: libgmime-3.0-dev, "
                  "Homebrew: gmime; `vendor/install build`), then run make again");
    else
        error_set(err, why.code, "%s", why.text);
    return NULL;
}

/* --- growing and freeing --------------------------------------------------------------------- */

struct mail_address *mail_addresses_add(struct mail_addresses *list)
{
    list->items = mem_resize(list->items, (list->count + 1) * sizeof *list->items);
    list->items[list->count] = (struct mail_address){ 0 };
    return &list->items[list->count++];
}

struct mail_file *mail_message_add_file(struct mail_message *message)
{
    message->files = mem_resize(message->files, (message->file_count + 1) * sizeof *message->files);
    message->files[message->file_count] = (struct mail_file){ 0 };
    return &message->files[message->file_count++];
}

static void free_addresses(struct mail_addresses *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        free(list->items[i].address);
    }
    free(list->items);
}

void mail_message_free(struct mail_message *message)
{
    free_addresses(&message->from);
    free_addresses(&message->to);
    free_addresses(&message->cc);
    free_addresses(&message->bcc);
    free_addresses(&message->reply_to);
    free(message->subject);
    free(message->id);
    free(message->in_reply_to);
    mem_strings_free(message->references);
    buf_free(&message->text);
    buf_free(&message->html);
    for (size_t i = 0; i < message->file_count; i++) {
        free(message->files[i].name);
        free(message->files[i].type);
        buf_free(&message->files[i].bytes);
    }
    free(message->files);
    *message = (struct mail_message){ 0 };
}

/* --- checking -------------------------------------------------------------------------------- */

/* Control characters, C1 and the separators of lines and paragraphs: some programs begin a new line
 * with each of them. */
static const char *find_control(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at < 0x20 || *at == 0x7F)
            return "a control character, such as a line break";
        if (*at == 0xC2 && at[1] >= 0x80 && at[1] <= 0x9F)
            return "a control character";
        if (*at == 0xE2 && at[1] == 0x80 && (at[2] == 0xA8 || at[2] == 0xA9))
            return "a line separator";
    }
    return NULL;
}

static bool check_line(const char *field, const char *text, size_t most, struct error *err)
{
    const char *control;
    size_t len;

    if (!text)
        return true;
    len = strlen(text);
    if (len > most)
        return error_set(err, "bad_header", "%s has %zu bytes (limit: %zu). Shorten it", field, len,
                         most);
    if (!utf8_valid(text, len, NULL))
        return error_set(err, "bad_header", "%s is not UTF-8. Pass text", field);
    control = find_control(text);
    return !control ||
           error_set(err, "bad_header", "%s contains %s. Pass one line of text", field, control);
}

/* dot-atom @ dot-atom, or @ [address]: quoted local parts and comments are for no one. */
static bool is_mail_address(const char *text)
{
    const char *at = strrchr(text, '@');
    size_t local = at ? (size_t)(at - text) : 0;

    if (!at || local == 0 || local > 64 || !at[1] || strlen(text) > MAIL_ADDRESS_MAX)
        return false;
    for (const char *c = text; c < at; c++)
        if (!isalnum((unsigned char)*c) && !strchr(".!#$%&'*+-/=?^_`{|}~", *c))
            return false;
    if (text[0] == '.' || at[-1] == '.' || strstr(text, ".."))
        return false;
    if (at[1] == '[')
        return at[2] && strspn(at + 2, "0123456789abcdefABCDEFIPv:.") == strlen(at + 2) - 1 &&
               at[strlen(at) - 1] == ']';
    for (const char *c = at + 1; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '.')
            return false;
    return at[1] != '.' && at[1] != '-' && at[strlen(at) - 1] != '.' && at[strlen(at) - 1] != '-';
}

static bool check_addresses(const char *field, const struct mail_addresses *list, struct error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct mail_address *one = &list->items[i];

        if (!check_line(field, one->name, MAIL_NAME_MAX, err) ||
            !check_line(field, one->address, MAIL_ADDRESS_MAX, err))
            return false;
        if (!is_mail_address(one->address))
            return error_set(err, "bad_address",
                             "%s: \"%s\" is not an email address. Pass one like ada@example.com",
                             field, one->address);
    }
    return true;
}

/* Inside < and >. */
static bool check_message_id(const char *field, const char *id, struct error *err)
{
    const char *at;

    if (!id)
        return true;
    if (!check_line(field, id, MAIL_ID_MAX, err))
        return false;
    at = strchr(id, '@');
    for (const char *c = id; *c; c++)
        if (*c <= ' ' || *c >= 0x7F || strchr("<>()\"\\,;", *c))
            at = NULL;
    return (at && at != id && at[1]) ||
           error_set(err, "bad_header", "%s: \"%s\" is not a message ID. Pass one like 1@host",
                     field, id);
}

/* Parts of these kinds are not written as base64 (RFC 2046), and would be read as what they hold.
 */
static bool check_type(const char *type, struct error *err)
{
    const char *slash = strchr(type, '/');

    if (strncasecmp(type, "multipart/", 10) == 0 || strncasecmp(type, "message/", 8) == 0)
        return error_set(
            err, "bad_header",
            "an attachment cannot be of the type \"%s\". Pass application/octet-stream", type);

    for (const char *c = type; *c && slash; c++)
        if (!isalnum((unsigned char)*c) && !strchr("!#$&-^_.+/", *c))
            slash = NULL;
    if (slash && slash != type && slash[1] && !strchr(slash + 1, '/') && strlen(type) <= 127)
        return true;
    return error_set(err, "bad_header",
                     "\"%s\" is not a media type. Pass one like image/png, or leave it out", type);
}

static bool check_attachments(const struct mail_message *message, size_t *all, struct error *err)
{
    if (message->file_count > MAIL_ATTACHMENTS_MAX)
        return error_set(err, "too_many", "the message has %zu attachments (limit: %d)",
                         message->file_count, MAIL_ATTACHMENTS_MAX);
    for (size_t i = 0; i < message->file_count; i++) {
        const struct mail_file *file = &message->files[i];

        if (!check_line("the name of an attachment", file->name, MAIL_NAME_MAX, err) ||
            !check_type(file->type, err))
            return false;
        *all += file->bytes.len;
    }
    return true;
}

static bool check_body_text(const char *field, const struct buf *text, struct error *err)
{
    size_t at;

    if (text->len == 0)
        return true;
    if (!utf8_valid(text->data, text->len, &at))
        return error_set(err, "bad_text", "%s is not UTF-8 at byte %zu. Pass text", field, at + 1);
    if (memchr(text->data, '\0', text->len))
        return error_set(err, "bad_text", "%s contains a NUL. Pass text", field);
    return true;
}

static bool check_headers(const struct mail_message *message, struct error *err)
{
    size_t count = message->to.count + message->cc.count + message->bcc.count;
    size_t references = 0;

    if (message->from.count > 1)
        return error_set(err, "bad_header", "from has %zu addresses (limit: 1)",
                         message->from.count);
    if (count == 0)
        return error_set(err, "no_recipient", "the message has no recipient. Pass to, cc or bcc");
    if (count + message->reply_to.count > MAIL_ADDRESSES_MAX)
        return error_set(err, "too_many", "the message has %zu recipients (limit: %d)", count,
                         MAIL_ADDRESSES_MAX);
    for (char **id = message->references; id && *id; id++, references++)
        if (!check_message_id("references", *id, err))
            return false;
    if (references > MAIL_REFERENCES_MAX)
        return error_set(err, "too_many", "the message has %zu references (limit: %d)", references,
                         MAIL_REFERENCES_MAX);
    return check_addresses("from", &message->from, err) &&
           check_addresses("to", &message->to, err) && check_addresses("cc", &message->cc, err) &&
           check_addresses("bcc", &message->bcc, err) &&
           check_addresses("reply_to", &message->reply_to, err) &&
           check_line("subject", message->subject, MAIL_SUBJECT_MAX, err) &&
           check_message_id("message_id", message->id, err) &&
           check_message_id("in_reply_to", message->in_reply_to, err);
}

bool mail_message_check(const struct mail_message *message, struct error *err)
{
    size_t all = message->text.len + message->html.len;

    if (!check_headers(message, err) || !check_body_text("text", &message->text, err) ||
        !check_body_text("html", &message->html, err) || !check_attachments(message, &all, err))
        return false;
    return all <= MAIL_BYTES_MAX ||
           error_set(err, "too_large", "the message would have %zu bytes (limit: %d)", all,
                     MAIL_BYTES_MAX);
}
