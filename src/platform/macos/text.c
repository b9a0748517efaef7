/* Text: characters as they are, whatever the layout has.
 *
 * CGEventKeyboardSetUnicodeString (developer.apple.com/documentation/coregraphics/cgevent/
 * keyboardsetunicodestring(stringlength:unicodestring:)) gives an event its characters; the
 * window server keeps 20 UTF-16 units of them. An event has whole characters as users see them,
 * because an application that gets half of one shows two. Return and Tab are sent as keys, because
 * applications act on those. No event says that one was taken: a pause follows each, because at 4
 * ms slow applications are reported to lose some. If the field with the caret shows its text to
 * accessibility, the text is looked for there in the end. */
#include <Carbon/Carbon.h>
#include <stdlib.h>

#include "platform/macos/elements.h"
#include "platform/macos/input.h"

enum {
    CHUNK = 20,
    PAUSE_MS = 20,
    READ_BACK_MS = 1000, /* for the text to show */
    READ_BACK_LOOK_MS = 20,
};

struct chunk {
    UniChar units[CHUNK];
    size_t count, characters;
};

static void post_units(struct macos_input *input, const struct chunk *chunk, bool down)
{
    CGEventRef event = CGEventCreateKeyboardEvent(input->source, 0, down);

    if (event) {
        CGEventSetFlags(event, 0);
        CGEventKeyboardSetUnicodeString(event, (UniCharCount)chunk->count, chunk->units);
    }
    input_post(input, event);
}

static bool flush_chunk(struct macos_input *input, struct deadline *deadline, struct chunk *chunk,
                        struct input_outcome *out, struct error *err)
{
    if (chunk->count) {
        post_units(input, chunk, true);
        post_units(input, chunk, false);
        out->characters += chunk->characters;
        *chunk = (struct chunk){ .count = 0 };
    }
    return deadline_wait(deadline, -1, deadline_now() + PAUSE_MS, err);
}

static bool press_text_key(struct macos_input *input, struct deadline *deadline, unsigned code,
                           struct input_outcome *out, struct error *err)
{
    input_key(input, code, true);
    input_key(input, code, false);
    out->characters++;
    return deadline_wait(deadline, -1, deadline_now() + PAUSE_MS, err);
}

static unsigned key_of(char c)
{
    return c == '\t' ? kVK_Tab : kVK_Return;
}

/* Skips a line end; \r\n is one. */
static const char *skip_line_end(const char *at, const char *end)
{
    return at[0] == '\r' && at + 1 < end && at[1] == '\n' ? at + 2 : at + 1;
}

static size_t code_points(const UniChar *units, size_t count)
{
    size_t points = 0;

    for (size_t i = 0; i < count; i++)
        points += units[i] < 0xdc00 || units[i] > 0xdfff;
    return points;
}

/* Adds one character as users see it; one that is longer than an event goes in pieces. */
static bool add_character(struct macos_input *input, struct deadline *deadline, CFStringRef text,
                          CFRange range, struct chunk *chunk, struct input_outcome *out,
                          struct error *err)
{
    while (range.length > 0) {
        CFIndex part = range.length < CHUNK ? range.length : CHUNK;

        if (chunk->count + (size_t)part > CHUNK && !flush_chunk(input, deadline, chunk, out, err))
            return false;
        CFStringGetCharacters(text, (CFRange){ range.location, part }, chunk->units + chunk->count);
        if (part < range.length && (chunk->units[part - 1] & 0xfc00) == 0xd800)
            part--; /* not between the halves of a pair */
        chunk->characters += code_points(chunk->units + chunk->count, (size_t)part);
        chunk->count += (size_t)part;
        range.location += part;
        range.length -= part;
    }
    return true;
}

/* Types text without line ends and tabs. */
static bool type_piece(struct macos_input *input, struct deadline *deadline, struct str piece,
                       struct input_outcome *out, struct error *err)
{
    CFStringRef text = CFStringCreateWithBytes(NULL, (const UInt8 *)piece.ptr, (CFIndex)piece.len,
                                               kCFStringEncodingUTF8, false);
    CFIndex length = text ? CFStringGetLength(text) : 0, at = 0;
    struct chunk chunk = { .count = 0 };
    bool ok = text != NULL;

    while (ok && at < length) {
        CFRange range = CFStringGetRangeOfComposedCharactersAtIndex(text, at);

        at = range.location + range.length;
        ok = add_character(input, deadline, text, range, &chunk, out, err);
    }
    cf_release(text);
    return (ok && flush_chunk(input, deadline, &chunk, out, err)) ||
           (text ? false : error_set(err, "bad_text", "macOS cannot read the text"));
}

static bool type_text(struct macos_input *input, struct deadline *deadline, struct str text,
                      struct input_outcome *out, struct error *err)
{
    const char *at = text.ptr, *end = at + text.len;

    while (at < end) {
        const char *from = at;

        while (at < end && *at != '\n' && *at != '\r' && *at != '\t')
            at++;
        if (at > from &&
            !type_piece(input, deadline, (struct str){ from, (size_t)(at - from) }, out, err))
            return false;
        if (at == end)
            break;
        if (!press_text_key(input, deadline, key_of(*at), out, err))
            return false;
        at = skip_line_end(at, end);
    }
    return true;
}

/* --- proof that it is there ----------------------------------------------------------------- */

static char *as_shown(struct str text)
{
    struct buf out = { 0 };

    for (const char *at = text.ptr, *end = at + text.len; at < end;) {
        if (*at == '\r') {
            buf_addc(&out, '\n');
            at = skip_line_end(at, end);
        } else {
            buf_addc(&out, *at++);
        }
    }
    return buf_take(&out);
}

/* Waits until the text is in the place of what was selected in the field. False only for an error
 * that ends the call. */
static bool read_typed_back(struct macos_desktop *desktop, struct deadline *deadline,
                            const struct element_field *before, struct str typed,
                            struct input_outcome *out, struct error *err)
{
    struct element_field_query query = {
        .id = before->id, .again = true, .from = before->from, .rest = before->length - before->to
    };
    uint64_t until = deadline_now() + READ_BACK_MS;
    char *text = as_shown(typed);
    bool ok = true;

    while (ok && !out->settled && deadline_now() < until) {
        struct element_field now;
        struct error silent;

        macos_field((struct desktop *)desktop, deadline, &query, &now, &silent);
        out->settled = now.text && strcmp(now.text, text) == 0;
        element_field_free(&now);
        if (!out->settled)
            ok = deadline_wait(deadline, -1, deadline_now() + READ_BACK_LOOK_MS, err);
    }
    free(text);
    return ok;
}

bool macos_type(struct macos_desktop *desktop, struct deadline *deadline, const struct input *what,
                struct input_outcome *out, struct error *err)
{
    struct element_field_query query = { .id = 0 };
    struct element_field before;
    struct error silent;
    bool ok;

    macos_field((struct desktop *)desktop, deadline, &query, &before, &silent);
    ok = type_text(desktop->input, deadline, what->text, out, err) &&
         (!before.readable || read_typed_back(desktop, deadline, &before, what->text, out, err));
    element_field_free(&before);
    return ok;
}
