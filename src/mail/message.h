/* Mail messages as MIME (RFC 5322, RFC 2045 to 2049): built from parts, and read. What does the
 * work is the module `gmime` (GMime 3), which not every build has. mime_codec_get() is for the main
 * thread, the codec's functions are for any. */
#ifndef PERIGEE_MAIL_MESSAGE_H
#define PERIGEE_MAIL_MESSAGE_H

#include "base/buf.h"
#include "base/error.h"

enum {
    MAIL_ADDRESSES_MAX = 500,   /* all kinds together: as many as Gmail takes */
    MAIL_ADDRESS_MAX = 254,     /* bytes (RFC 5321) */
    MAIL_NAME_MAX = 200,        /* bytes of the name beside an address, or of a file's */
    MAIL_SUBJECT_MAX = 2000,    /* bytes */
    MAIL_ID_MAX = 900,          /* bytes of a message ID: a line of a message has at most 998 */
    MAIL_REFERENCES_MAX = 100,  /* message IDs of a thread */
    MAIL_ATTACHMENTS_MAX = 100, /* files of a message */
    MAIL_BYTES_MAX = 64 << 20,  /* a message, and its parts together */
};

struct mail_address {
    char *name, *address; /* both owned; name may be NULL, address is like ada@example.com */
};

struct mail_addresses {
    struct mail_address *items; /* owned */
    size_t count;
};

struct mail_file {
    char *name; /* owned; NULL: it has none */
    char *type; /* owned: "image/png" */
    struct buf bytes;
    size_t size; /* read: bytes of the content, even if they were left out */
};

/* Owns all of it; mail_message_free(). */
struct mail_message {
    struct mail_addresses from, to, cc, bcc, reply_to;
    char *subject;
    char *id, *in_reply_to; /* without < and >; NULL: none */
    char **references;      /* ends in NULL, or is NULL; the oldest first */
    int64_t date;           /* seconds since 1970 */
    bool has_date;
    struct buf text, html; /* UTF-8; lines end in LF, or as the writer had them */
    bool has_text, has_html;
    bool flowed;             /* the text is format=flowed (RFC 3676) */
    bool delsp;              /* read: ... with DelSp=yes: a blank that joins two lines is none */
    struct mail_file *files; /* attachments */
    size_t file_count;
    bool cut; /* read: it had more parts, or deeper ones, than are looked at */
};

struct mail_read_options {
    bool with_bytes; /* also the bytes of attachments */
};

/* The operations of the module. */
struct mime_codec {
    /* Appends the message, with CRLF. It was checked by mail_message_check(). False:
     * "mime_failed". */
    bool (*build)(const struct mail_message *message, struct buf *out, struct error *err);

    /* Fills a zeroed message. False: "not_a_message", "too_large". Anything may be in the bytes:
     * they are from outside. */
    bool (*read)(struct str bytes, const struct mail_read_options *options,
                 struct mail_message *message, struct error *err);
};

/* NULL: "not_built" (this build lacks GMime), "module_broken". */
const struct mime_codec *mime_codec_get(struct error *err);

/* Whether it can be sent as it is: a sender, a recipient, valid UTF-8 without control characters in
 * everything that becomes a header, within the limits above. False: "bad_header" with the field's
 * name, "bad_address", "no_recipient", "too_many", "too_large", "bad_text". */
bool mail_message_check(const struct mail_message *message, struct error *err);

/* The address that was added, zeroed. Borrowed until the next one. */
struct mail_address *mail_addresses_add(struct mail_addresses *list);
struct mail_file *mail_message_add_file(struct mail_message *message);

/* Frees what it has, not the struct. */
void mail_message_free(struct mail_message *message);

#endif
