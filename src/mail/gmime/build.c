/* A message out of its parts.
 *
 * Everything comes back as it was: where the library's own choice of an encoding would change a
 * byte (a line's end, blanks of a subject, a missing last line break), another one is taken. */
#include "mail/gmime/gmime.h"

#include <pthread.h>
#include <stdlib.h>

enum { LONG_LINE = 900 /* bytes: SMTP allows 998 */ };

static pthread_once_t once = PTHREAD_ONCE_INIT;

void gmime_ready(void)
{
    pthread_once(&once, g_mime_init);
}

/* --- headers -----------------------------------------------------------------------------------
 */

/* A header whose value is written as it is given, folded or not. */
static void set_raw(GMimeObject *object, const char *name, const char *value)
{
    GMimeHeaderList *list = g_mime_object_get_header_list(object);
    char *raw = mem_printf(" %s\n", value);

    g_mime_header_list_set(list, name, "x", "UTF-8");
    g_mime_header_set_raw_value(g_mime_header_list_get_header(list, name), raw);
    free(raw);
}

/* Adds addresses with their names, always in a form that every reader takes. */
static void add_addresses(GMimeMessage *message, GMimeAddressType type,
                          const struct mail_addresses *from)
{
    InternetAddressList *list = g_mime_message_get_addresses(message, type);

    for (size_t i = 0; i < from->count; i++) {
        const struct mail_address *one = &from->items[i];
        InternetAddress *mailbox = internet_address_mailbox_new(one->name, one->address);

        internet_address_set_charset(mailbox, "UTF-8");
        internet_address_list_add(list, mailbox);
        g_object_unref(mailbox);
    }
}

static void add_references(GMimeObject *object, char **ids)
{
    struct buf line = { 0 };

    for (char **id = ids; id && *id; id++)
        buf_addf(&line, "%s<%s>", id == ids ? "" : "\n ", *id);
    if (line.len)
        set_raw(object, "References", buf_text(&line));
    buf_free(&line);
}

static void add_mail_headers(GMimeMessage *made, const struct mail_message *message)
{
    GMimeObject *object = (GMimeObject *)made;
    GDateTime *date = g_date_time_new_from_unix_utc(message->date);
    char *subject = words_encoded(message->subject ? message->subject : "");

    add_addresses(made, GMIME_ADDRESS_TYPE_FROM, &message->from);
    add_addresses(made, GMIME_ADDRESS_TYPE_REPLY_TO, &message->reply_to);
    add_addresses(made, GMIME_ADDRESS_TYPE_TO, &message->to);
    add_addresses(made, GMIME_ADDRESS_TYPE_CC, &message->cc);
    add_addresses(made, GMIME_ADDRESS_TYPE_BCC, &message->bcc);
    set_raw(object, "Subject", subject);
    free(subject);
    if (message->has_date && date)
        g_mime_message_set_date(made, date);
    if (date)
        g_date_time_unref(date);
    if (message->id)
        g_mime_message_set_message_id(made, message->id);
    if (message->in_reply_to) {
        char *id = mem_printf("<%s>", message->in_reply_to);

        set_raw(object, "In-Reply-To", id);
        free(id);
    }
    add_references(object, message->references);
}

/* --- parts -------------------------------------------------------------------------------------
 */

static void set_content(GMimePart *part, const char *data, size_t len, GMimeContentEncoding stored)
{
    GMimeStream *stream = g_mime_stream_mem_new_with_buffer(data ? data : "", len);
    GMimeDataWrapper *content = g_mime_data_wrapper_new_with_stream(stream, stored);

    g_mime_part_set_content(part, content);
    g_object_unref(content);
    g_object_unref(stream);
}

struct seen {
    size_t line, longest, beyond; /* bytes; beyond ASCII */
    bool cr, odd;                 /* odd: control characters, blanks before a line's end */
    bool ends;                    /* in a line break */
};

static struct seen look_at_text(const struct buf *text, bool flowed)
{
    struct seen seen = { .ends = text->len > 0 && text->data[text->len - 1] == '\n' };

    for (size_t i = 0; i < text->len; i++) {
        unsigned char c = (unsigned char)text->data[i];

        seen.line = c == '\n' ? 0 : seen.line + 1;
        seen.longest = seen.line > seen.longest ? seen.line : seen.longest;
        seen.cr |= c == '\r';
        seen.beyond += c >= 0x80;
        seen.odd |= (c < ' ' && c != '\n' && c != '\t') || c == 0x7F;
        if (c == '\n' && i && (text->data[i - 1] == ' ' || text->data[i - 1] == '\t'))
            seen.odd |= !flowed;
    }
    return seen;
}

/* Quoted-printable, whose last line break is soft where the text has none. */
static void set_quoted(GMimePart *part, const struct buf *text, bool ends)
{
    GMimeEncoding coder;
    struct buf quoted = { 0 };
    size_t room;

    g_mime_encoding_init_encode(&coder, GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE);
    room = g_mime_encoding_outlen(&coder, text->len);
    buf_reserve(&quoted, room + 2);
    quoted.len =
        g_mime_encoding_flush(&coder, text->data ? text->data : "", text->len, quoted.data);
    if (!ends) {
        while (quoted.len && quoted.data[quoted.len - 1] == '\n')
            quoted.len--;
        if (quoted.len && quoted.data[quoted.len - 1] == '=')
            quoted.len--;
        buf_adds(&quoted, "=\n");
    }
    set_content(part, quoted.data, quoted.len, GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE);
    g_mime_part_set_content_encoding(part, GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE);
    buf_free(&quoted);
}

/* Lines of a text part end in CRLF on their way, and that is LF again when it is read. A text that
 * has a CR of its own goes as base64, which nobody converts. */
static GMimeObject *text_part(const char *kind, const struct buf *text, bool flowed)
{
    GMimePart *part = g_mime_part_new_with_type("text", kind);
    struct seen seen = look_at_text(text, flowed);
    bool plain = seen.ends && !seen.cr && !seen.odd && !seen.beyond && seen.longest <= LONG_LINE;

    g_mime_object_set_content_type_parameter((GMimeObject *)part, "charset", "utf-8");
    if (flowed)
        g_mime_object_set_content_type_parameter((GMimeObject *)part, "format", "flowed");
    if (seen.cr || seen.beyond * 4 > text->len || text->len == 0) {
        set_content(part, text->data, text->len, GMIME_CONTENT_ENCODING_DEFAULT);
        g_mime_part_set_content_encoding(part, GMIME_CONTENT_ENCODING_BASE64);
    } else if (plain) {
        set_content(part, text->data, text->len, GMIME_CONTENT_ENCODING_DEFAULT);
        g_mime_part_set_content_encoding(part, GMIME_CONTENT_ENCODING_7BIT);
    } else {
        set_quoted(part, text, seen.ends);
    }
    return (GMimeObject *)part;
}

static GMimeObject *file_part(const struct mail_file *file)
{
    GMimeContentType *type = g_mime_content_type_parse(NULL, file->type);
    GMimePart *part = g_mime_part_new();

    g_mime_object_set_content_type((GMimeObject *)part, type);
    g_object_unref(type);
    g_mime_object_set_disposition((GMimeObject *)part, GMIME_DISPOSITION_ATTACHMENT);
    if (file->name)
        g_mime_part_set_filename(part, file->name);
    set_content(part, file->bytes.data, file->bytes.len, GMIME_CONTENT_ENCODING_DEFAULT);
    g_mime_part_set_content_encoding(part, GMIME_CONTENT_ENCODING_BASE64);
    return (GMimeObject *)part;
}

static void add_mime_part(GMimeMultipart *multipart, GMimeObject *part)
{
    g_mime_multipart_add(multipart, part);
    g_object_unref(part);
}

static GMimeObject *make_body(const struct mail_message *message)
{
    GMimeMultipart *both;

    if (!message->has_html)
        return text_part("plain", &message->text, message->flowed);
    if (!message->has_text)
        return text_part("html", &message->html, false);
    both = g_mime_multipart_new_with_subtype("alternative");
    add_mime_part(both, text_part("plain", &message->text, message->flowed));
    add_mime_part(both, text_part("html", &message->html, false));
    return (GMimeObject *)both;
}

static GMimeObject *make_content(const struct mail_message *message)
{
    GMimeMultipart *mixed;

    if (message->file_count == 0)
        return make_body(message);
    mixed = g_mime_multipart_new_with_subtype("mixed");
    add_mime_part(mixed, make_body(message));
    for (size_t i = 0; i < message->file_count; i++)
        add_mime_part(mixed, file_part(&message->files[i]));
    return (GMimeObject *)mixed;
}

/* --- the whole ---------------------------------------------------------------------------------
 */

bool gmime_build(const struct mail_message *message, struct buf *out, struct error *err)
{
    GMimeFormatOptions *options;
    GMimeMessage *made;
    GMimeObject *part;
    GMimeStream *stream;
    GByteArray *bytes;
    bool ok;

    gmime_ready();
    options = g_mime_format_options_new();
    g_mime_format_options_set_newline_format(options, GMIME_NEWLINE_FORMAT_DOS);
    made = g_mime_message_new(TRUE);
    part = make_content(message);
    add_mail_headers(made, message);
    g_mime_message_set_mime_part(made, part);
    g_object_unref(part);
    stream = g_mime_stream_mem_new();
    ok = g_mime_object_write_to_stream((GMimeObject *)made, options, stream) >= 0;
    bytes = g_mime_stream_mem_get_byte_array((GMimeStreamMem *)stream);
    if (ok)
        buf_add(out, bytes->data, bytes->len);
    g_object_unref(stream);
    g_object_unref(made);
    g_mime_format_options_free(options);
    return ok || error_set(err, "mime_failed", "the message could not be written as MIME");
}

const struct mime_codec perigee_mime = { gmime_build, gmime_read };
