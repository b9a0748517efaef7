/* Text: characters as they are, whatever the layout has.
 *
 * CGEventKeyboardSetUnicodeString (developer.apple.com/documentation/coregraphics/cgevent/
 * keyboardsetunicodestring(stringlength:unicodestring:)) gives an event its characters; the
 * window server keeps 20 UTF-16 units of them. Return and Tab are sent as keys, because that is
 * what applications act on. Nothing tells when an event was taken, so after a chunk comes a short
 * pause: without it, slow applications are reported to lose some. */
#include <Carbon/Carbon.h>

#include "json/utf8.h"
#include "platform/macos/input.h"

enum { CHUNK = 20, PAUSE_MS = 4 };

struct chunk {
    UniChar units[CHUNK];
    size_t count, characters;
};

static size_t encode(uint32_t point, UniChar out[2])
{
    if (point < 0x10000) {
        out[0] = (UniChar)point;
        return 1;
    }
    point -= 0x10000;
    out[0] = (UniChar)(0xd800 + (point >> 10));
    out[1] = (UniChar)(0xdc00 + (point & 0x3ff));
    return 2;
}

static void post_units(struct macos_input *input, const struct chunk *chunk, bool down)
{
    CGEventRef event = CGEventCreateKeyboardEvent(input->source, 0, down);

    if (event) {
        CGEventSetFlags(event, 0);
        CGEventKeyboardSetUnicodeString(event, (UniCharCount)chunk->count, chunk->units);
    }
    input_post(input, event);
}

static bool flush(struct macos_input *input, struct deadline *deadline, struct chunk *chunk,
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

static bool press(struct macos_input *input, struct deadline *deadline, unsigned code,
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

/* \r\n is one line end. */
static const char *skip_line_end(const char *at, const char *end)
{
    return at[0] == '\r' && at + 1 < end && at[1] == '\n' ? at + 2 : at + 1;
}

bool macos_type(struct macos_desktop *desktop, struct deadline *deadline, const struct input *what,
                struct input_outcome *out, struct error *err)
{
    const char *at = what->text.ptr, *end = at + what->text.len;
    struct macos_input *input = desktop->input;
    struct chunk chunk = { .count = 0 };

    while (at < end) {
        UniChar units[2];
        size_t count;
        int size;

        if (*at == '\n' || *at == '\r' || *at == '\t') {
            if (!flush(input, deadline, &chunk, out, err) ||
                !press(input, deadline, key_of(*at), out, err))
                return false;
            at = skip_line_end(at, end);
            continue;
        }
        size = utf8_sequence(at, end);
        count = encode(utf8_decode(at, size), units);
        if (chunk.count + count > CHUNK && !flush(input, deadline, &chunk, out, err))
            return false;
        memcpy(chunk.units + chunk.count, units, count * sizeof *units);
        chunk.count += count;
        chunk.characters++;
        at += size;
    }
    return flush(input, deadline, &chunk, out, err);
}
