/* Texts that words are an encoding of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "taint/decoded.h"

static void note_decoded(void *context, struct str decoded)
{
    buf_add(context, decoded.ptr, decoded.len);
    buf_addc(context, '|');
}

static void reads(const char *text, const char *want)
{
    struct buf out = { 0 };

    taint_decoded(str_from(text), note_decoded, &out);
    assert_string_equal(buf_text(&out), want);
    buf_free(&out);
}

static void decoded(void **state)
{
    (void)state;
    reads("plain words, 100 % and a + b", "");
    reads("rm%20-rf%2", "rm -rf%2|");
    reads("one+two", "one two|");
    reads("see cm0gLXJmIH4vdGhlc2lz here", "rm -rf ~/thesis|");
    reads("see cm0gLXJmIH4vdGhlc2lz== here", "rm -rf ~/thesis|");
    reads("726d202d7266207e2f746865736973", "rm -rf ~/thesis|");
    reads("understanding internationalization", ""); /* words, and not base64 of text */
}

/* Digits with signs between them; where others are beside them, it ends before these. */
static void decoded_of_parts(void **state)
{
    static const char *const spread[] = {
        "72 6d 20 2d 72 66 20 7e 2f 74 68 65 73 69 73",
        "see 72:6D:20:2D:72:66:20:7E:2F:74:68:65:73:69:73 here",
        "72, 6d, 20, 2d, 72, 66, 20, 7e, 2f, 74, 68, 65, 73, 69, 73",
        "726d 202d 7266 207e 2f74 6865 7369 73",
        "\\x72\\x6d\\x20\\x2d\\x72\\x66\\x20\\x7e\\x2f\\x74\\x68\\x65\\x73\\x69\\x73",
        "0x72 0x6d 0x20 0x2d 0x72 0x66 0x20 0x7e 0x2f 0x74 0x68 0x65 0x73 0x69 0x73",
        "see cm0gLXJm IH4vdGhl c2lz. No more",
        "see cm0gLXJm\nIH4vdGhl\r\nc2lz\n",
        "see c m 0 gLXJmIH4vdG hlc2lz == here",
    };

    (void)state;
    for (size_t i = 0; i < countof(spread); i++)
        reads(spread[i], "rm -rf ~/thesis|");
    reads("at 08:15:30, 12:45, 2026-11-29 and 10 20 30", "");
    reads("be a cafe, add a decade of facade", "");
    reads("All human beings are born free and equal in dignity and rights", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoded),
        cmocka_unit_test(decoded_of_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
