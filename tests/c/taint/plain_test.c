/* Words of ordinary sentences, and words that identify something. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/util.h"
#include "taint/plain.h"

static void sorts(const char *const *words, size_t count, bool slash, bool plain)
{
    for (size_t i = 0; i < count; i++)
        if (taint_plain(str_from(words[i]), slash) != plain)
            fail_msg("%s is %splain", words[i], plain ? "not " : "");
}

static void plain_words(void **state)
{
    static const char *const words[] = {
        "well-known",

        "covid-19",
        "python3",
        "python3.11",
        "windows-11",
        "ubuntu-24.04",
        "1080p-display",
        "3d-printer",
        "2nd-floor",
        "mid-2026",
        "created_at",
        "list_windows",
        "__init__",
        "--no-verify",
        "x86_64",

        "international",
        "unfortunately",
        "internationalization",
        "refrigerator",
        "\xd0\xbf\xd0\xbe\xd0\xb6\xd0\xb0\xd0\xbb\xd1\x83\xd0\xb9\xd1\x81\xd1\x82\xd0\xb0",
        "2026-11-29",
        "29.11.2026",
        "11/29/2026",
        "10:30:00",
        "1234.56",
        "3.11.2",
        "table.concat",
        "string.format",
        "Math.maxinteger",
        "tools.list_windows",
    };
    static const char *const slashed[] = { "his/her", "text/plain", "tcp/ip", "origin/main" };

    (void)state;
    sorts(words, countof(words), false, true);
    sorts(slashed, countof(slashed), true, true);
}

static void telling_words(void **state)
{
    static const char *const words[] = {
        "/etc/passwd",
        "state-of-the-art",
        "feed_nine_faded_geese",
        "he/she/they",
        "~/thesis",
        "./evil.sh",
        "notes.txt",
        "evil.desktop",
        "src/lib/evil",
        "ann@x.example",
        "evil.example",
        "10.0.0.1",
        "https://x.example",
        "localhost:8080",
        "c:\\users",
        "1234567",
        "555-1234",
        "order-1234-5678",
        "invoice2041",
        "hunter2hunter2",
        "550e8400-e29b-41d4",
        "2026-11-29t10:30",
        "1.2.3.4.5",
        "12345.67",
        "table.evil",
        "tools.evil",
        "string.format.example",
        "ld_preload=evil",
        "a1b2c3d",
        "dead01beef",
        "abcdefghijklmnopqrstuvwxyz",
        "\xe5\x88\xa0\xe9\x99\xa4\xe6\x89\x80\xe6\x9c\x89",
    };
    static const char *const paths[] = { "work/evil", "his/her" };

    (void)state;
    sorts(words, countof(words), true, false);
    sorts(paths, countof(paths), false, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(plain_words),
                                        cmocka_unit_test(telling_words) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
