/* The processor time of looking for text grows with the length of the arguments and of what is
 * kept, however these are made: twice as much takes less than three times as long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "taint/orders.h"
#include "taint/record.h"

enum {
    LEAST = 1 << 12,     /* bytes of the shortest argument */
    MOST = 1 << 20,      /* and of the longest */
    TRIES = 3,           /* the quickest counts */
    ENOUGH_NS = 1000000, /* nanoseconds that can be compared */
    NS = 1000000000,
    RATIO = 3,
};

static uint64_t processor_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * NS + (uint64_t)now.tv_nsec;
}

/* Text of one part again and again; then maybe a sign, and another part again and again. */
struct shape {
    const char *part, *sign, *other;
};

static void repeat(struct buf *text, const char *part, size_t len)
{
    for (size_t end = text->len + len; *part && text->len < end;)
        buf_adds(text, part);
}

static void make_text(struct buf *text, const struct shape *shape, size_t len)
{
    text->len = 0;
    repeat(text, shape->part, shape->other ? len / 2 : len);
    if (!shape->other)
        return;
    buf_adds(text, shape->sign);
    repeat(text, shape->other, len / 2);
}

typedef void work_fn(struct str text);

static uint64_t time_of(work_fn *work, const struct shape *shape, size_t len)
{
    uint64_t best = UINT64_MAX;
    struct buf text = { 0 };

    make_text(&text, shape, len);
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = processor_ns(), took;

        work(buf_str(&text));
        took = processor_ns() - before;
        best = took < best ? took : best;
    }
    buf_free(&text);
    return best;
}

/* The ratio of the time of twice the length to that of a length which takes long enough to compare;
 * the least of several tries. */
static double growth(work_fn *work, const struct shape *shape)
{
    uint64_t once = 0, twice = time_of(work, shape, LEAST);
    size_t len = LEAST;
    double ratio;

    while (once < ENOUGH_NS && len < MOST) {
        len *= 2;
        once = twice;
        twice = time_of(work, shape, len);
    }
    ratio = (double)twice / (double)once;
    for (int i = 0; i < TRIES && ratio >= RATIO; i++) {
        double again = (double)time_of(work, shape, len) / (double)time_of(work, shape, len / 2);

        ratio = again < ratio ? again : ratio;
    }
    return ratio;
}

/* True if the time grows too fast with text of this shape. */
static bool is_bad(const char *what, work_fn *work, const struct shape *shape)
{
    double ratio = growth(work, shape);

    if (ratio < RATIO)
        return false;
    print_error("%s \"%s%s%s\": twice the length takes %.1f times as long\n", what, shape->part,
                shape->other ? shape->sign : "", shape->other ? shape->other : "", ratio);
    return true;
}

/* --- one argument ----------------------------------------------------------------------------- */

static void look_for(struct str text)
{
    static struct taint_record record;
    struct taint_record *records[] = { &record };
    struct probes probes = { 0 };
    struct buf hosts = { 0 };

    probes_clear(&probes, NULL, STR("/home/ann"));
    probes_add(&probes, text);
    probes_list_hosts(&hosts, text);
    probes_end(&probes);
    taint_record_find(&record, &probes, ~0u, &(struct taint_home){ NULL, records, 1 });
    probes_free(&probes);
    buf_free(&hosts);
}

/* Keeps it as the result of a call. */
static void keep(struct str text)
{
    struct taint_record record = { 0 };
    struct taint_result *result = taint_record_begin(&record, 1, NULL);
    struct probes probes = { 0 };

    taint_record_add(result, text);
    taint_record_end(&record, result);
    probes_clear(&probes, NULL, STR(""));
    probes_add(&probes, text);
    probes_add_hosts(&probes, text);
    probes_end_kept(&probes);
    probes_free(&probes);
    taint_record_free(&record);
}

/* clang-format off */

/* Signs that part, join, quote or encode, between and around short words. */
static const char *const parts[] = {
    "a:", "a=", "a/", "a@", "a.", "a\\", "a-", "a+", "a%", "a,", "a b:", "a:/", "a://", "a:b@",
    "a:1:", "a:b=", "a+b:", "a.b:", "a-b:", "a:b/", "//", "/./", "/../", "a/../", "\\\\", "\\:",
    "\\x41", "\\101", "\\u0041", "%41", "%25", "%2525", "%3A", "a%3a", "=", "==", "@", "@@", ":",
    "::", "-", "--", "~", "~/", "$", "$HOME", "${HOME}", "$a", "$(", "$()", "${", "`", "'", "\"",
    "''", "\"'", "'\"'", "a'b\"", "<", "<a", "<a>", "</", "<!--", "&", "&#", "&#65;", "&amp;",
    "*", "[.]", "[", "](", "{", "}", "(dot)", " dot ", "a dot b ", ",-", "- ", "- 0x", ",-0x",
    "\\ ", "41 ", "41:", "41-", "0x41,", "4 ", "A ", "QQ ", "QUJD", "QUJD ", "QUJD-", "\\x", "0x",
    "e0 80 80 ", "f4 ", "sh -c '", "sh -c \"", "sh -c \\\"", "\\\\\\\"", "a;", "a|b ", "a&&b ",
    "a b ", "-a ", "--a=b:c ", "a\n", "file:", "file:/", "http:", "view-source:", "http://a:",
    "image-", "displays/", "tools.a_b:", "-I/", "-d@", "-@/", "xn--", "a.b.c.d.", "1.", "1:",
    "[1]", "1-", "::1", "[::1]:", "\xc2\xb7", "a\xc2\xb7", "\xc3\xa4:", "\xe2\x80\x8b",
    "a\xe2\x80\x8b:", "\xef\xbc\x9a", "a\xef\xbc\x9a", "a_", "a#", "a?",
};

/* Schemes around something else. */
static const struct shape joined[] = {
    { "a:", "", "//" }, { "a:", "@b/", "c" }, { "a:", "@b/", "../" }, { "a:", "@", "b." },
    { "a:", "+@", "b." }, { "a+b:", "@", "c." }, { "a.b+c:", "@", "c" }, { "a+b:c:", "@d@", "e" },
    { "a:", ":8", "0" }, { "a.b:", "1/", "c/" }, { "--a=b:", "=", "c:d" }, { "@", "a:", "b:" },
    { "a:", "http://b@", "c/" }, { "\\:a", ":", "b:" }, { "a:", "file:", "/" }, { "a:", "=", "a:" },
};

/* clang-format on */

static size_t count_bad(const char *what, work_fn *work)
{
    size_t bad = 0;

    for (size_t i = 0; i < countof(parts); i++)
        bad += is_bad(what, work, &(struct shape){ parts[i], NULL, NULL });
    for (size_t i = 0; i < countof(joined); i++)
        bad += is_bad(what, work, &joined[i]);
    return bad;
}

static void of_an_argument(void **state)
{
    (void)state;
    assert_int_equal(count_bad("looking for", look_for), 0);
}

static void of_a_result(void **state)
{
    (void)state;
    assert_int_equal(count_bad("keeping", keep), 0);
}

/* --- several arguments ------------------------------------------------------------------------ */

enum { PIECES = 60, PIECE_BYTES = 100000, ROWS_MAX = 2 * PIECES * PIECE_BYTES };

static bool take_row(void *context, struct str row)
{
    size_t *bytes = context;

    *bytes += row.len;
    return *bytes <= ROWS_MAX;
}

/* The rows of many long arguments, each of which is beside each other one, are not much longer than
 * the arguments together. */
static void of_many_arguments(void **state)
{
    static const char *const words[] = { "a", "a ", "a:", "ab cd " };

    (void)state;
    for (size_t i = 0; i < countof(words); i++) {
        struct orders orders = { 0 };
        struct buf text = { 0 };
        size_t bytes = 0;

        make_text(&text, &(struct shape){ words[i], NULL, NULL }, PIECE_BYTES);
        for (int k = 0; k < PIECES; k++)
            orders_add(&orders, buf_str(&text));
        orders_rows(&orders, take_row, &bytes);
        assert_in_range(bytes, 1, ROWS_MAX);
        orders_free(&orders);
        buf_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(of_an_argument),
                                        cmocka_unit_test(of_a_result),
                                        cmocka_unit_test(of_many_arguments) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
