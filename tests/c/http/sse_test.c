/* Server-sent events against the rules of the HTML standard. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/buf.h"
#include "http/sse.h"

/* All events of a stream, one per line: [type|data|id], LF in data as "/". */
static void take_events(struct sse *sse, struct buf *out)
{
    struct sse_event event;

    while (sse_next(sse, &event) == SSE_EVENT) {
        buf_addf(out, "[%.*s|", (int)event.type.len, event.type.ptr);
        for (size_t i = 0; i < event.data.len; i++)
            buf_addc(out, event.data.ptr[i] == '\n' ? '/' : event.data.ptr[i]);
        buf_addf(out, "|%.*s]", (int)event.id.len, event.id.ptr);
    }
}

static char *parse_in_pieces(struct str stream, size_t piece)
{
    struct buf out = { 0 };
    struct sse sse;

    sse_init(&sse, 1000);
    take_events(&sse, &out);
    for (size_t at = 0; at < stream.len; at += piece) {
        size_t len = stream.len - at < piece ? stream.len - at : piece;

        sse_feed(&sse, stream.ptr + at, len);
        take_events(&sse, &out);
    }
    sse_free(&sse);
    return buf_take(&out);
}

/* Whatever the pieces, the events are the same. */
static void parses_bytes(struct str stream, const char *want)
{
    for (size_t piece = 1; piece <= stream.len; piece++) {
        char *got = parse_in_pieces(stream, piece);

        assert_string_equal(got, want);
        free(got);
    }
}

#define PARSES(literal, want) parses_bytes(STR(literal), want)

static void an_event_ends_with_a_blank_line(void **state)
{
    (void)state;
    PARSES("data: one\n\n", "[message|one|]");
    PARSES("data: one\n\ndata: two\n\n", "[message|one|][message|two|]");
    PARSES("data: incomplete\n", "");
    PARSES("data: incomplete", "");
    PARSES("\n\n\n", "");
}

static void lines_end_in_any_of_three_ways(void **state)
{
    (void)state;
    PARSES("data: a\r\ndata: b\r\n\r\n", "[message|a/b|]");
    PARSES("data: a\rdata: b\r\r", "[message|a/b|]");
    PARSES("data: a\ndata: b\r\ndata: c\r\n\n", "[message|a/b/c|]");
    PARSES("data: a\r\n\rdata: b\n\r\n", "[message|a|][message|b|]");
}

static void a_lone_cr_does_not_wait_for_the_next_byte(void **state)
{
    struct buf out = { 0 };
    struct sse sse;

    (void)state;
    sse_init(&sse, 100);
    sse_feed(&sse, "data: now\r\r", 11);
    take_events(&sse, &out);
    assert_string_equal(buf_text(&out), "[message|now|]");
    sse_feed(&sse, "\ndata: then\n\n", 13);
    take_events(&sse, &out);
    assert_string_equal(buf_text(&out), "[message|now|][message|then|]");
    buf_free(&out);
    sse_free(&sse);
}

static void a_mark_is_skipped_once_and_only_at_the_start(void **state)
{
    (void)state;
    PARSES("\xEF\xBB\xBF"
           "data: x\n\n",
           "[message|x|]");
    PARSES("\xEF\xBB\xBF\xEF\xBB\xBF"
           "data: x\n\ndata: y\n\n",
           "[message|y|]");
    PARSES("\n\xEF\xBB\xBF"
           "data: x\n\n",
           "");
    PARSES("\xEF\xBB\n\ndata: x\n\n", "[message|x|]");
}

static void comments_and_unknown_fields_are_ignored(void **state)
{
    (void)state;
    PARSES(": comment\ndata: x\n:\n\n", "[message|x|]");
    PARSES(":\n\n: keep alive\n\n", "");
    PARSES("color: red\ndata: x\nDATA: y\n data: z\n\n", "[message|x|]");
}

static void one_space_after_the_colon_is_dropped(void **state)
{
    (void)state;
    PARSES("data:x\n\n", "[message|x|]");
    PARSES("data:  x\n\n", "[message| x|]");
    PARSES("data: a: b\n\n", "[message|a: b|]");
    PARSES("data:\tx\n\n", "[message|\tx|]");
}

static void empty_data_is_still_an_event(void **state)
{
    (void)state;
    PARSES("data\n\n", "[message||]");
    PARSES("data:\n\n", "[message||]");
    PARSES("data\ndata\n\n", "[message|/|]");
    PARSES("event: x\n\n", "");
    PARSES("id: 3\n\ndata: y\n\n", "[message|y|3]");
}

static void the_type_holds_for_one_event(void **state)
{
    (void)state;
    PARSES("event: add\ndata: 1\n\ndata: 2\n\n", "[add|1|][message|2|]");
    PARSES("event: a\nevent: b\ndata: 1\n\n", "[b|1|]");
    PARSES("event: lost\n\ndata: 1\n\n", "[message|1|]");
    PARSES("event:\ndata: 1\n\n", "[message|1|]");
}

static void the_id_holds_until_the_next(void **state)
{
    (void)state;
    PARSES("id: 1\ndata: a\n\ndata: b\n\n", "[message|a|1][message|b|1]");
    PARSES("id: 1\ndata: a\n\nid\ndata: b\n\n", "[message|a|1][message|b|]");
    PARSES("id: 1\ndata: a\n\nid: 2\0"
           "3\ndata: b\n\n",
           "[message|a|1][message|b|1]");
}

static void the_first_example_of_the_standard(void **state)
{
    (void)state;
    PARSES(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third "
           "event\n",
           "[message|first event|1][message|second event|]");
}

static int64_t retry_after(struct str stream)
{
    struct sse sse;
    struct sse_event event;
    int64_t ms;

    sse_init(&sse, 100);
    sse_feed(&sse, stream.ptr, stream.len);
    while (sse_next(&sse, &event) == SSE_EVENT)
        ;
    ms = sse.retry_ms;
    sse_free(&sse);
    return ms;
}

static void the_retry_time_is_digits_only(void **state)
{
    (void)state;
    assert_int_equal(retry_after(STR("retry: 1500\n")), 1500);
    assert_int_equal(retry_after(STR("retry: 10\nretry: 15x\nretry: -1\nretry:\n")), 10);
    assert_int_equal(retry_after(STR("retry: 99999999999999999999999999\n")), -1);
    assert_int_equal(retry_after(STR("data: x\n\n")), -1);
}

static enum sse_step outcome(size_t max, struct str stream)
{
    struct sse sse;
    struct sse_event event;
    enum sse_step step;

    sse_init(&sse, max);
    sse_feed(&sse, stream.ptr, stream.len);
    step = sse_next(&sse, &event);
    if (step == SSE_TOO_LARGE) { /* and stays so */
        sse_feed(&sse, "\n\ndata: x\n\n", 11);
        assert_int_equal(sse_next(&sse, &event), SSE_TOO_LARGE);
    }
    sse_free(&sse);
    return step;
}

static void an_event_may_not_grow_without_end(void **state)
{
    (void)state;
    assert_int_equal(outcome(10, STR("data: 1234\n\n")), SSE_EVENT);
    assert_int_equal(outcome(10, STR("data: 12345\n\n")), SSE_TOO_LARGE);
    assert_int_equal(outcome(10, STR("data: 12345")), SSE_TOO_LARGE); /* no end of line yet */
    assert_int_equal(outcome(10, STR(": 12345678")), SSE_MORE);
    assert_int_equal(outcome(10, STR("data:1234\ndata:5678\n")), SSE_MORE);
    assert_int_equal(outcome(10, STR("data:12345\ndata:67890\n")), SSE_TOO_LARGE);
}

static void many_small_events_need_little_memory(void **state)
{
    struct sse sse;
    struct sse_event event;
    unsigned count = 0;

    (void)state;
    sse_init(&sse, 1000);
    for (unsigned i = 0; i < 100000; i++) {
        sse_feed(&sse, "data: some text\n\n", 17);
        while (sse_next(&sse, &event) == SSE_EVENT)
            count++;
    }
    assert_int_equal(count, 100000);
    assert_true(sse.input.cap < 1000);
    sse_free(&sse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_ends_with_a_blank_line),
        cmocka_unit_test(lines_end_in_any_of_three_ways),
        cmocka_unit_test(a_lone_cr_does_not_wait_for_the_next_byte),
        cmocka_unit_test(a_mark_is_skipped_once_and_only_at_the_start),
        cmocka_unit_test(comments_and_unknown_fields_are_ignored),
        cmocka_unit_test(one_space_after_the_colon_is_dropped),
        cmocka_unit_test(empty_data_is_still_an_event),
        cmocka_unit_test(the_type_holds_for_one_event),
        cmocka_unit_test(the_id_holds_until_the_next),
        cmocka_unit_test(the_first_example_of_the_standard),
        cmocka_unit_test(the_retry_time_is_digits_only),
        cmocka_unit_test(an_event_may_not_grow_without_end),
        cmocka_unit_test(many_small_events_need_little_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
