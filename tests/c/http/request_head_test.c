/* Heads of requests, right and wrong, in one piece and cut anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/buf.h"
#include "http/request_head.h"

static const struct request_limits limits = { 512, 4096 };

/* The status of the head's fault; 0: it is whole; -1: it is a part of one. */
static int judged(struct str head)
{
    struct request_fault fault = { 0 };

    switch (request_head_judge(head, &limits, &fault)) {
    case REQUEST_HEAD_PART:
        return -1;
    case REQUEST_HEAD_WHOLE:
        return 0;
    default:
        assert_non_null(fault.text);
        return fault.status;
    }
}

#define HOST "Host: a\r\n"
#define GET  "GET / HTTP/1.1\r\n" HOST

static void right_heads_are_parts_until_they_are_whole(void **state)
{
    static const struct str heads[] = {
        STR(GET "\r\n"),
        STR("\r\n" GET "\r\n"),
        STR("GET /a?b=%41&c HTTP/1.0\r\n\r\n"),
        STR("OPTIONS * HTTP/1.1\r\n" HOST "\r\n"),
        STR("POST / HTTP/1.1\r\nHOST:a\r\nX:\r\nY: \t b, \"c\" \t\r\nContent-Length: 007\r\n\r\n"),
        STR(GET "transfer-encoding: CHUNKED\r\n\r\n"),
        STR(GET "X: caf\xc3\xa9\r\n\r\n"),
        STR(GET "Content-Length: 0000000000000000000000000000000000009\r\n\r\n"),
    };

    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        for (size_t len = 0; len < heads[i].len; len++)
            assert_int_equal(judged((struct str){ heads[i].ptr, len }), -1);
        assert_int_equal(judged(heads[i]), 0);
    }
}

static void what_follows_a_head_is_not_judged(void **state)
{
    (void)state;
    assert_int_equal(judged(STR(GET "\r\n\0\n\n")), 0);
}

static void wrong_heads_are_refused_with_the_line_that_is(void **state)
{
    static const struct {
        struct str head;
        int status;
    } heads[] = {
        { STR("garbage\r\n"), 400 },
        { STR("\r\n\r\n"), 400 },
        { STR("GET /\r\n"), 400 },
        { STR("GET / HTTP/1.1 \r\n"), 400 },
        { STR("GET / http/1.1\r\n"), 400 },
        { STR("GET / HTTP/1.10\r\n"), 400 },
        { STR("GET  / HTTP/1.1\r\n"), 400 },
        { STR(" GET / HTTP/1.1\r\n"), 400 },
        { STR("GET\t/ HTTP/1.1\r\n"), 400 },
        { STR("GET /a b HTTP/1.1\r\n"), 400 },
        { STR("GET /\0 HTTP/1.1\r\n"), 400 },
        { STR("GET /\xc3\xa9 HTTP/1.1\r\n"), 400 },
        { STR("G{T / HTTP/1.1\r\n"), 400 },
        { STR("G\0T / HTTP/1.1\r\n"), 400 },
        { STR("GET / HTTP/1.1\n"), 400 },
        { STR("PRI * HTTP/2.0\r\n"), 505 },
        { STR("GET / HTTP/0.9\r\n"), 505 },
        { STR("GET / HTTP/1.1\r\n\r\n"), 400 },
        { STR(GET "\n"), 400 },
        { STR(GET "X: a\n"), 400 },
        { STR(GET "X: a\r\r\n"), 400 },
        { STR(GET "X: a\rY: b\r\n"), 400 },
        { STR(GET "X: a\0b\r\n"), 400 },
        { STR(GET "X: a\x01\r\n"), 400 },
        { STR(GET " folded: a\r\n"), 400 },
        { STR(GET "\tfolded\r\n"), 400 },
        { STR(GET "X : a\r\n"), 400 },
        { STR(GET ": a\r\n"), 400 },
        { STR(GET "no colon\r\n"), 400 },
        { STR(GET "Host: a\r\n"), 400 },
        { STR(GET "Origin: a\r\norigin: a\r\n"), 400 },
        { STR(GET "Authorization: a\r\nAuthorization: a\r\n"), 400 },
        { STR(GET "Content-Length: 1\r\nContent-Length: 1\r\n"), 400 },
        { STR(GET "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400 },
        { STR(GET "Transfer-Encoding: gzip, chunked\r\n"), 400 },
        { STR(GET "Content-Length:\r\n"), 400 },
        { STR(GET "Content-Length: -1\r\n"), 400 },
        { STR(GET "Content-Length: 1, 1\r\n"), 400 },
        { STR(GET "Content-Length: 0x1\r\n"), 400 },
        { STR(GET "Content-Length: 9999999999999999999\r\n"), 413 },
        { STR(GET "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"), 400 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        assert_int_equal(judged((struct str){ heads[i].head.ptr, heads[i].head.len - 1 }), -1);
        assert_int_equal(judged(heads[i].head), heads[i].status);
    }
}

/* `before`, then as many x as the limit has room for and `more`. */
static int filled(const char *before, size_t more, const char *after)
{
    struct buf head = { 0 };
    int status;

    buf_adds(&head, before);
    while (head.len + strlen(after) < limits.bytes + more)
        buf_addc(&head, 'x');
    buf_adds(&head, after);
    status = judged(buf_str(&head));
    buf_free(&head);
    return status;
}

static void long_heads(void **state)
{
    (void)state;
    assert_int_equal(filled("GET /", 0, ""), -1);
    assert_int_equal(filled("GET /", 1, ""), 414);
    assert_int_equal(filled("GET /", 1, " HTTP/1.1\r\n"), 414);
    assert_int_equal(filled(GET "X: ", 0, "\r\n\r\n"), 0);
    assert_int_equal(filled(GET "X: ", 1, "\r\n\r\n"), 431);
    assert_int_equal(filled(GET "X: ", 1, ""), 431);
}

/* libmicrohttpd answers with a page of its own if it has no memory for the headers. */
static void many_headers(void **state)
{
    struct buf head = { 0 };

    (void)state;
    buf_lit(&head, GET);
    for (int i = 0; i < 80; i++)
        buf_lit(&head, "a:\r\n");
    buf_lit(&head, "\r\n");
    assert_int_equal(judged(buf_str(&head)), 431);
    buf_free(&head);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_heads_are_parts_until_they_are_whole),
        cmocka_unit_test(what_follows_a_head_is_not_judged),
        cmocka_unit_test(wrong_heads_are_refused_with_the_line_that_is),
        cmocka_unit_test(long_heads),
        cmocka_unit_test(many_headers),
    };

    return cmocka_run_group_tests_name("request_head", tests, NULL, NULL);
}
