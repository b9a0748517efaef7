/* A message that somebody sent, into its parts. Nothing of it is trusted: depth, number of parts
 * and bytes are limited, what is not UTF-8 becomes so, and what is cut off is marked. */
#include <stdlib.h>

#include "json/utf8.h"
#include "mail/gmime/gmime.h"

enum {
    DEPTH_MAX = 20,
    PARTS_MAX = 1000,
    VALUE_MAX = 200000 /* bytes of a header */,
    BODY_MAX = 16 << 20
};

struct walk {
    const struct mail_read_options *options;
    struct mail_message *message;
    int parts;
};

/* --- text --------------------------------------------------------------------------------------
 */

/* UTF-8 on one line, or NULL. */
static char *clean_text(const char *text)
{
    struct buf out = { 0 };
    size_t len = text ? strlen(text) : 0;

    if (!text)
        return NULL;
    if (len > VALUE_MAX)
        len = VALUE_MAX;
    utf8_clean(&out, text, len);
    for (size_t i = 0; i < out.len; i++)
        if ((unsigned char)out.data[i] < ' ' || out.data[i] == 0x7F)
            out.data[i] = ' ';
    return buf_take(&out);
}

/* As it can be decoded; NULL: there is none. The caller frees it. */
static char *raw_header(GMimeObject *object, const char *name)
{
    GMimeHeader *header =
        g_mime_header_list_get_header(g_mime_object_get_header_list(object), name);
    const char *raw = header ? g_mime_header_get_raw_value(header) : NULL;
    char *cut = raw ? mem_strndup(raw, strnlen(raw, VALUE_MAX)) : NULL;
    char *mended = cut ? words_mended(cut) : NULL;

    free(cut);
    return mended;
}

static char *decoded_header(GMimeObject *object, const char *name)
{
    char *raw = raw_header(object, name), *decoded, *text;

    if (!raw)
        return NULL;
    decoded = g_mime_utils_header_decode_text(NULL, raw + strspn(raw, " \t"));
    text = clean_text(decoded);
    g_free(decoded);
    free(raw);
    return text;
}

/* The text between the first < and >. */
static char *first_id(GMimeObject *object, const char *name)
{
    char *value = decoded_header(object, name);
    char *open = value ? strchr(value, '<') : NULL, *close = open ? strchr(open, '>') : NULL;
    char *id = close && close > open + 1 ? mem_strndup(open + 1, (size_t)(close - open - 1)) : NULL;

    free(value);
    return id;
}

static char **all_ids(GMimeObject *object, const char *name)
{
    char *value = decoded_header(object, name), **ids = NULL;
    size_t count = 0;

    for (char *at = value; at && count < MAIL_REFERENCES_MAX;) {
        char *open = strchr(at, '<'), *close = open ? strchr(open, '>') : NULL;

        if (!close)
            break;
        ids = mem_resize(ids, (count + 2) * sizeof *ids);
        ids[count++] = mem_strndup(open + 1, (size_t)(close - open - 1));
        ids[count] = NULL;
        at = close + 1;
    }
    free(value);
    return ids;
}

/* --- addresses ---------------------------------------------------------------------------------
 */

static void take_address_list(struct mail_addresses *to, InternetAddressList *list, int depth)
{
    int count = list ? internet_address_list_length(list) : 0;

    for (int i = 0; i < count && to->count < MAIL_ADDRESSES_MAX; i++) {
        InternetAddress *one = internet_address_list_get_address(list, i);
        const char *name = internet_address_get_name(one);

        if (INTERNET_ADDRESS_IS_MAILBOX(one)) {
            const char *address = internet_address_mailbox_get_addr((InternetAddressMailbox *)one);
            struct mail_address *added = mail_addresses_add(to);

            added->name = name && *name ? clean_text(name) : NULL;
            added->address = clean_text(address ? address : "");
        } else if (INTERNET_ADDRESS_IS_GROUP(one) && depth < DEPTH_MAX) {
            take_address_list(to, internet_address_group_get_members((InternetAddressGroup *)one),
                              depth + 1);
        }
    }
}

static void take_header_addresses(struct mail_addresses *to, GMimeObject *object, const char *name)
{
    char *raw = raw_header(object, name);
    InternetAddressList *list = raw ? internet_address_list_parse(NULL, raw) : NULL;

    take_address_list(to, list, 0);
    if (list)
        g_object_unref(list);
    free(raw);
}

/* --- names of files ----------------------------------------------------------------------------
 */

/* The parameter, or NULL. One that is written as NAME* (RFC 2231) has the characters that the
 * other, for older readers, cannot have. Borrows. */
static const char *named_value(GMimeParamList *list, const char *name)
{
    int count = list ? g_mime_param_list_length(list) : 0;
    const char *found = NULL;

    for (int i = 0; i < count; i++) {
        GMimeParam *param = g_mime_param_list_get_parameter_at(list, i);

        if (g_ascii_strcasecmp(g_mime_param_get_name(param), name) != 0)
            continue;
        if (g_mime_param_get_encoding_method(param) == GMIME_PARAM_ENCODING_METHOD_RFC2231)
            return g_mime_param_get_value(param);
        if (!found)
            found = g_mime_param_get_value(param);
    }
    return found;
}

/* Bytes that are not UTF-8 are in the charset that they look like. */
static char *guessed_text(const char *text)
{
    char *guess = text && !utf8_valid(text, strlen(text), NULL)
                      ? g_mime_utils_decode_8bit(NULL, text, strlen(text))
                      : NULL;
    char *clean = clean_text(guess ? guess : text);

    g_free(guess);
    return clean;
}

/* The name of the part's file, in its disposition or else its type; NULL: it has none. */
static char *file_name(GMimeObject *part)
{
    char *raw = raw_header(part, "Content-Disposition");
    GMimeContentDisposition *disposition = raw ? g_mime_content_disposition_parse(NULL, raw) : NULL;
    GMimeContentType *type = NULL;
    char *name = guessed_text(
        disposition
            ? named_value(g_mime_content_disposition_get_parameters(disposition), "filename")
            : NULL);

    free(raw);
    raw = name ? NULL : raw_header(part, "Content-Type");
    type = raw ? g_mime_content_type_parse(NULL, raw) : NULL;
    if (type)
        name = guessed_text(named_value(g_mime_content_type_get_parameters(type), "name"));
    free(raw);
    if (disposition)
        g_object_unref(disposition);
    if (type)
        g_object_unref(type);
    return name;
}

/* --- contents ----------------------------------------------------------------------------------
 */

/* The decoded bytes; with a charset as UTF-8. Gives a stream. */
static GMimeStream *decoded_stream(GMimePart *part, const char *charset)
{
    GMimeDataWrapper *content = g_mime_part_get_content(part);
    GMimeStream *bytes = g_mime_stream_mem_new();
    GMimeStream *into = g_object_ref(bytes);
    GMimeFilter *filter = charset ? g_mime_filter_charset_new(charset, "UTF-8") : NULL;

    if (filter) {
        g_object_unref(into);
        into = g_mime_stream_filter_new(bytes);
        g_mime_stream_filter_add((GMimeStreamFilter *)into, filter);
        g_object_unref(filter);
    }
    if (content)
        g_mime_data_wrapper_write_to_stream(content, into);
    g_mime_stream_flush(into);
    g_object_unref(into);
    return bytes;
}

static bool is_utf8(const char *charset)
{
    return !charset || g_ascii_strcasecmp(charset, "utf-8") == 0 ||
           g_ascii_strcasecmp(charset, "us-ascii") == 0 || g_ascii_strcasecmp(charset, "utf8") == 0;
}

/* Base64 is what the writer had, byte for byte; every other encoding has lines, which end in CRLF
 * on their way. */
static void take_part_text(struct walk *walk, GMimePart *part, struct buf *text)
{
    const char *charset = g_mime_object_get_content_type_parameter((GMimeObject *)part, "charset");
    bool exact = g_mime_part_get_content_encoding(part) == GMIME_CONTENT_ENCODING_BASE64;
    GMimeStream *stream = decoded_stream(part, is_utf8(charset) ? NULL : charset);
    GByteArray *bytes = g_mime_stream_mem_get_byte_array((GMimeStreamMem *)stream);
    size_t len = bytes->len;
    struct buf lines = { 0 };

    if (len > BODY_MAX) {
        len = BODY_MAX;
        walk->message->cut = true;
    }
    for (size_t i = 0; i < len; i++)
        if (exact || bytes->data[i] != '\r' || i + 1 == len || bytes->data[i + 1] != '\n')
            buf_addc(&lines, (char)bytes->data[i]);
    utf8_clean(text, lines.data ? lines.data : "", lines.len);
    buf_free(&lines);
    g_object_unref(stream);
}

static char *mime_type_of(GMimeObject *object)
{
    char *type = g_mime_content_type_get_mime_type(g_mime_object_get_content_type(object));
    char *copy = clean_text(type);

    g_free(type);
    return copy;
}

/* NULL: there are too many. */
static struct mail_file *next_file(struct walk *walk)
{
    if (walk->message->file_count >= MAIL_ATTACHMENTS_MAX) {
        walk->message->cut = true;
        return NULL;
    }
    return mail_message_add_file(walk->message);
}

/* Takes the stream, of memory. */
static void take_stream_bytes(struct walk *walk, struct mail_file *file, GMimeStream *stream)
{
    GByteArray *bytes = g_mime_stream_mem_get_byte_array((GMimeStreamMem *)stream);

    file->size = bytes->len;
    if (walk->options->with_bytes)
        buf_add(&file->bytes, bytes->data, bytes->len);
    g_object_unref(stream);
}

static void take_attachment(struct walk *walk, GMimePart *part)
{
    struct mail_file *file = next_file(walk);

    if (!file)
        return;
    file->name = file_name((GMimeObject *)part);
    file->type = mime_type_of((GMimeObject *)part);
    take_stream_bytes(walk, file, decoded_stream(part, NULL));
}

/* A message within the message is an attachment: its bytes are those of the file that it is. */
static void take_inner_message(struct walk *walk, GMimeMessagePart *part)
{
    GMimeMessage *inner = g_mime_message_part_get_message(part);
    struct mail_file *file = next_file(walk);
    GMimeStream *stream;

    if (!file)
        return;
    file->name = file_name((GMimeObject *)part);
    file->type = mem_strdup("message/rfc822");
    if (!inner)
        return;
    stream = g_mime_stream_mem_new();
    g_mime_object_write_to_stream((GMimeObject *)inner, NULL, stream);
    take_stream_bytes(walk, file, stream);
}

static bool has_parameter(GMimePart *part, const char *name, const char *value)
{
    const char *given = g_mime_object_get_content_type_parameter((GMimeObject *)part, name);

    return given && g_ascii_strcasecmp(given, value) == 0;
}

static bool is_blank(const struct buf *text)
{
    for (size_t i = 0; i < text->len; i++)
        if (!g_ascii_isspace(text->data[i]))
            return false;
    return true;
}

/* The first part of each kind that is not an attachment is read; another after a blank one. */
static void take_part(struct walk *walk, GMimePart *part)
{
    GMimeContentType *type = g_mime_object_get_content_type((GMimeObject *)part);
    struct mail_message *message = walk->message;

    if (!g_mime_part_is_attachment(part) && !g_mime_part_get_filename(part)) {
        if (is_blank(&message->text) && g_mime_content_type_is_type(type, "text", "plain")) {
            message->has_text = true;
            message->flowed = has_parameter(part, "format", "flowed");
            message->delsp = message->flowed && has_parameter(part, "delsp", "yes");
            message->text.len = 0;
            take_part_text(walk, part, &message->text);
            return;
        }
        if (!message->has_html && g_mime_content_type_is_type(type, "text", "html")) {
            message->has_html = true;
            take_part_text(walk, part, &message->html);
            return;
        }
    }
    take_attachment(walk, part);
}

static void take_mime_object(struct walk *walk, GMimeObject *object, int depth)
{
    if (!object)
        return;
    if (depth > DEPTH_MAX || ++walk->parts > PARTS_MAX) {
        walk->message->cut = true;
    } else if (GMIME_IS_MULTIPART(object)) {
        int count = g_mime_multipart_get_count((GMimeMultipart *)object);

        for (int i = 0; i < count && walk->parts <= PARTS_MAX; i++)
            take_mime_object(walk, g_mime_multipart_get_part((GMimeMultipart *)object, i),
                             depth + 1);
    } else if (GMIME_IS_MESSAGE_PART(object)) {
        take_inner_message(walk, (GMimeMessagePart *)object);
    } else if (GMIME_IS_PART(object)) {
        take_part(walk, (GMimePart *)object);
    }
}

/* --- the whole ---------------------------------------------------------------------------------
 */

static void take_headers(GMimeMessage *from, struct mail_message *message)
{
    GMimeObject *object = (GMimeObject *)from;
    GDateTime *date = g_mime_message_get_date(from);

    take_header_addresses(&message->from, object, "From");
    take_header_addresses(&message->reply_to, object, "Reply-To");
    take_header_addresses(&message->to, object, "To");
    take_header_addresses(&message->cc, object, "Cc");
    take_header_addresses(&message->bcc, object, "Bcc");
    message->subject = decoded_header(object, "Subject");
    message->id = clean_text(g_mime_message_get_message_id(from));
    message->in_reply_to = first_id(object, "In-Reply-To");
    message->references = all_ids(object, "References");
    if (date) {
        message->date = g_date_time_to_unix(date);
        message->has_date = true;
    }
}

bool gmime_read(struct str bytes, const struct mail_read_options *options,
                struct mail_message *message, struct error *err)
{
    struct walk walk = { .options = options, .message = message };
    GMimeStream *stream;
    GMimeParser *parser;
    GMimeMessage *from;

    if (bytes.len > MAIL_BYTES_MAX)
        return error_set(err, "too_large", "the message has %zu bytes (limit: %d)", bytes.len,
                         MAIL_BYTES_MAX);
    gmime_ready();
    stream = g_mime_stream_mem_new_with_buffer(bytes.len ? bytes.ptr : "", bytes.len);
    parser = g_mime_parser_new_with_stream(stream);
    g_object_unref(stream);
    from = g_mime_parser_construct_message(parser, NULL);
    g_object_unref(parser);
    if (!from)
        return error_set(err, "not_a_message", "these bytes are not a mail message");
    take_headers(from, message);
    take_mime_object(&walk, g_mime_message_get_mime_part(from), 0);
    g_object_unref(from);
    return true;
}
