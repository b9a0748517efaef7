/* Encoded words (RFC 2047) as they are written and as they are found. */
#include <stdlib.h>

#include "base/base64.h"
#include "mail/gmime/gmime.h"

enum { WORD_BYTES = 42 /* text in an encoded word, which has 75 characters at most */ };

/* --- writing -----------------------------------------------------------------------------------
 */

/* A line of visible ASCII with single blanks, which folding and unfolding keep. */
static bool is_plain_line(const char *text)
{
    size_t word = 0;

    if (*text == ' ' || strstr(text, "  ") || strstr(text, "=?"))
        return false;
    for (const char *c = text; *c; c++) {
        if (*c < ' ' || *c > '~')
            return false;
        word = *c == ' ' ? 0 : word + 1;
        if (word > 60) /* longer than a folded line */
            return false;
    }
    return !*text || text[strlen(text) - 1] != ' ';
}

/* Lines are folded between words. */
static void add_plain(struct buf *line, const char *text)
{
    size_t column = sizeof "Subject:";

    for (const char *c = text; *c; c++, column++) {
        size_t word = *c == ' ' ? strcspn(c + 1, " ") : 0;

        if (*c == ' ' && column + word > 76) {
            buf_addc(line, '\n');
            column = 0;
        }
        buf_addc(line, *c);
    }
}

char *words_encoded(const char *text)
{
    struct buf line = { 0 };
    size_t len = is_plain_line(text) ? 0 : strlen(text);

    if (len == 0)
        add_plain(&line, text);
    for (size_t at = 0; at < len;) {
        size_t size = len - at < WORD_BYTES ? len - at : WORD_BYTES;
        char word[(WORD_BYTES + 2) / 3 * 4];

        while (at + size < len && ((unsigned char)text[at + size] & 0xC0) == 0x80)
            size--; /* no word ends inside a character */
        base64_encode(word, text + at, size);
        buf_adds(&line, at ? "\n =?UTF-8?B?" : "=?UTF-8?B?");
        buf_add(&line, word, base64_length(size));
        buf_adds(&line, "?=");
        at += size;
    }
    buf_text(&line);
    return buf_take(&line);
}

/* --- reading -----------------------------------------------------------------------------------
 */

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* The end of the encoded word that begins here, and where its payload does; NULL: there is none. */
static const char *word_end(const char *at, const char **kind, const char **payload)
{
    const char *charset_end, *end;

    if (at[0] != '=' || at[1] != '?')
        return NULL;
    charset_end = strpbrk(at + 2, "? \t\r\n");
    if (!charset_end || charset_end[0] != '?' || !charset_end[1] || charset_end[2] != '?')
        return NULL;
    *kind = charset_end + 1;
    *payload = charset_end + 3;
    end = strpbrk(*payload, "? \t\r\n");
    return end && end[0] == '?' && end[1] == '=' ? end + 2 : NULL;
}

/* The word as quoted-printable. False: its base64 is damaged, nothing was added. */
static bool add_quoted(struct buf *out, const char *at, const char *kind, const char *payload,
                       const char *end)
{
    struct buf bytes = { 0 };
    bool ok = base64_decode(&bytes, (struct str){ payload, (size_t)(end - 2 - payload) });

    if (ok) {
        buf_add(out, at, (size_t)(kind - at));
        buf_adds(out, "Q?");
        for (size_t i = 0; i < bytes.len; i++)
            buf_addf(out, "=%02X", (unsigned char)bytes.data[i]);
        buf_adds(out, "?=");
    }
    buf_free(&bytes);
    return ok;
}

char *words_mended(const char *raw)
{
    struct buf out = { 0 };
    bool follows = false; /* only blanks are between here and the encoded word before it */

    for (const char *at = raw; *at;) {
        const char *kind, *payload, *end = word_end(at, &kind, &payload);
        const char *next = end ? skip_blanks(end) : NULL;
        bool beside = end && (follows || (next[0] == '=' && next[1] == '?'));

        if (beside && (*kind | 0x20) == 'b' && add_quoted(&out, at, kind, payload, end)) {
            at = end;
        } else if (end) {
            buf_add(&out, at, (size_t)(end - at));
            at = end;
        } else if (*at == '\r' || *at == '\n') {
            at++; /* unfolded: the blank after it stays */
            continue;
        } else {
            buf_addc(&out, *at++);
        }
        follows = end || (follows && (at[-1] == ' ' || at[-1] == '\t'));
    }
    buf_text(&out);
    return buf_take(&out);
}
