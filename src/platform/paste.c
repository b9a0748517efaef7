#include "platform/paste.h"

#include <string.h>

#include "json/utf8.h"

static bool is_key(char c)
{
    return c == '\n' || c == '\t' || c == '\r';
}

/* The length of a line end or tab, or 0. "\r\n" is one line end. */
static size_t key_length(const char *at, const char *end)
{
    return *at == '\r' && at + 1 < end && at[1] == '\n' ? 2 : 1;
}

bool paste_text(const struct paste_steps *steps, void *arg, struct str text, size_t *characters,
                struct error *err)
{
    const char *at = text.ptr, *end = text.ptr + text.len;

    while (at < end) {
        const char *from = at;

        if (is_key(*at)) {
            struct chord keys = { .key = *at == '\t' ? KEY_TAB : KEY_RETURN };

            at += key_length(at, end);
            if (!steps->press(arg, keys, err))
                return false;
            ++*characters;
            continue;
        }
        while (at < end && !is_key(*at))
            at++;
        if (!steps->piece(arg, (struct str){ from, (size_t)(at - from) }, err))
            return false;
        *characters += utf8_length(from, (size_t)(at - from));
    }
    return true;
}

void paste_timed_out(struct error *err)
{
    if (strcmp(err->code, "timeout") == 0)
        error_set(err, "paste_unknown",
                  "the time limit of this call passed after the frontmost application was told to "
                  "paste, so what was inserted is unknown. Take a screenshot before you try again");
}
