/* A child as a stream of lines: framing, limits, and its orderly end. */
#include "io_help.h"

#include <signal.h>

#include "base/buf.h"
#include "mcp/client/wire/message_child.h"
#include "mcp/line_reader.h"

static struct heard {
    struct message_child *child;
    struct buf lines, errors; /* each line in <> */
    unsigned count;
    size_t bytes; /* number of bytes in all lines, when they are too many to keep */
    bool only_count;
    struct buf oversized; /* "head|tail|len;" */
    bool ended;
    struct message_child_end end;
    char last_lines[2048];
    bool free_at_line, free_at_error, free_at_oversized;
} h;

static void free_child(void)
{
    message_child_free(h.child);
    h.child = NULL;
}

static void on_line(void *arg, const char *line, size_t len)
{
    (void)arg;
    h.count++;
    h.bytes += len;
    if (!h.only_count) {
        buf_addc(&h.lines, '<');
        buf_add(&h.lines, line, len);
        buf_addc(&h.lines, '>');
    }
    if (h.free_at_line)
        free_child();
}

static void on_oversized(void *arg, const struct oversized_line *line)
{
    (void)arg;
    buf_add(&h.oversized, line->head.ptr, line->head.len);
    buf_addc(&h.oversized, '|');
    buf_add(&h.oversized, line->tail.ptr, line->tail.len);
    buf_addf(&h.oversized, "|%llu;", (unsigned long long)line->len);
    if (h.free_at_oversized)
        free_child();
}

static void on_error_line(void *arg, const char *line, size_t len)
{
    (void)arg;
    buf_addc(&h.errors, '<');
    buf_add(&h.errors, line, len);
    buf_addc(&h.errors, '>');
    if (h.free_at_error)
        free_child();
}

static void on_ended(void *arg, const struct message_child_end *end)
{
    (void)arg;
    assert_false(h.ended);
    h.ended = true;
    h.end = *end;
    snprintf(h.last_lines, sizeof h.last_lines, "%s", end->last_lines);
}

static void start(const char *const *argv, struct message_child_spec spec)
{
    static const struct message_child_events events = { on_line, on_oversized, on_error_line,
                                                        on_ended };
    struct error err;

    spec.argv = argv;
    h.child = message_child_start(&loop, &spec, &events, NULL, &err);
    if (!h.child)
        fail_msg("%s: %s", err.code, err.text);
}

#define START(spec, ...) start((const char *const[]){ __VA_ARGS__, NULL }, spec)
#define NONE             ((struct message_child_spec){ 0 })

static void send_line(const char *line)
{
    struct error err;

    if (!message_child_send(h.child, line, strlen(line), &err))
        fail_msg("%s: %s", err.code, err.text);
}

static void heard(const char *lines)
{
    assert_string_equal(buf_text(&h.lines), lines);
}

/* --- lines ------------------------------------------------------------------------ */

static void lines_are_found_whatever_their_ends(void **state)
{
    (void)state;
    START(NONE, "printf", "one\\ntwo\\r\\n\\n\\r\\n three \\r\\rx\\nlast");
    run_until(&h.ended);
    heard("<one><two>< three \r\rx><last>");
    assert_int_equal(h.end.exit_code, 0);
}

static void lines_that_come_in_pieces_are_put_together(void **state)
{
    (void)state;
    START(NONE, "sh", "-c", "printf a; sleep 0.02; printf 'b\\r'; sleep 0.02; printf '\\nc\\n'");
    run_until(&h.ended);
    heard("<ab><c>");
}

static void many_lines_in_one_read_are_many_lines(void **state)
{
    (void)state;
    h.only_count = true;
    START(NONE, "sh", "-c", "seq 1 200000");
    run_until(&h.ended);
    assert_int_equal(h.count, 200000);
    assert_int_equal(h.bytes, 1088895);
}

static void what_is_sent_is_read_as_lines(void **state)
{
    char *big = mem_alloc(3000001);

    (void)state;
    memset(big, 'x', 3000000);
    big[3000000] = '\0';
    h.only_count = true;
    START(NONE, "cat");
    send_line("hello");
    send_line(big);
    send_line("bye");
    free(big);
    while (h.count < 3)
        uv_run(&loop, UV_RUN_ONCE);
    assert_int_equal(h.bytes, 3000008);
    message_child_stop(h.child, 60000);
    run_until(&h.ended);
    assert_int_equal(h.end.exit_code, 0);
}

/* --- limits ----------------------------------------------------------------------- */

static void a_line_over_the_limit_is_skipped_with_its_ends(void **state)
{
    struct message_child_spec spec = { .max_line = 10 };

    (void)state;
    START(spec, "printf", "0123456789\\n0123456789a\\nshort\\n0123456789abcdef\\r\\nend");
    run_until(&h.ended);
    heard("<0123456789><short><end>");
    assert_string_equal(buf_text(&h.oversized),
                        "0123456789a|0123456789a|11;0123456789abcdef\r|0123456789abcdef|17;");
}

static void an_endless_line_costs_no_memory(void **state)
{
    struct message_child_spec spec = { .max_line = 100000 };
    const char *text;

    (void)state;
    START(spec, "sh", "-c",
          "printf HEAD; head -c 30000000 /dev/zero | tr '\\0' x; echo TAIL; echo ok");
    run_until(&h.ended);
    heard("<ok>");
    text = buf_text(&h.oversized);
    assert_int_equal(strncmp(text, "HEADxxx", 7), 0);
    assert_non_null(strstr(text, "xxxTAIL|30000008;"));
    assert_int_equal(h.oversized.len, 512 + 1 + 512 + strlen("|30000008;"));
}

static void an_oversized_line_may_be_cut_by_the_end(void **state)
{
    struct message_child_spec spec = { .max_line = 4 };

    (void)state;
    START(spec, "printf", "abcdefgh");
    run_until(&h.ended);
    heard("");
    assert_string_equal(buf_text(&h.oversized), "abcdefgh|abcdefgh|8;");
}

static void a_child_that_does_not_read_is_busy_at_the_limit(void **state)
{
    struct message_child_spec spec = { .max_unsent = 300000 };
    char *piece = mem_alloc(100000);
    struct error err;
    unsigned sent = 0;

    (void)state;
    memset(piece, 'x', 100000);
    START(spec, "sleep", "1000");
    while (message_child_send(h.child, piece, 100000, &err))
        sent++;
    free(piece);
    assert_string_equal(err.code, "busy");
    assert_in_range(sent, 2, 8); /* bytes that the pipe took, and the limit */
}

/* --- stderr ----------------------------------------------------------------------- */

static void stderr_comes_in_lines_and_the_last_are_kept(void **state)
{
    (void)state;
    START(NONE, "sh", "-c", "printf 'a\\r\\n\\nb\\nc' >&2; exit 5");
    run_until(&h.ended);
    assert_string_equal(buf_text(&h.errors), "<a><b><c>");
    assert_string_equal(h.last_lines, "a\nb\nc\n");
    assert_int_equal(h.end.exit_code, 5);
    assert_int_equal(h.end.term_signal, 0);
}

static void last_words_are_few_and_whole_lines(void **state)
{
    (void)state;
    START(NONE, "sh", "-c", "seq -f 'line %g' 1 5000 >&2");
    run_until(&h.ended);
    assert_in_range(strlen(h.last_lines), 900, 1024);
    assert_int_equal(strncmp(h.last_lines, "line ", 5), 0);
    assert_non_null(strstr(h.last_lines, "line 4999\nline 5000\n"));
}

static void a_long_line_of_stderr_comes_in_pieces(void **state)
{
    (void)state;
    START(NONE, "sh", "-c", "head -c 10000 /dev/zero | tr '\\0' x >&2; echo >&2; echo z >&2");
    run_until(&h.ended);
    assert_int_equal(h.errors.len, 10000 + 3 * 2 + 3);
    assert_string_equal(buf_text(&h.errors) + h.errors.len - 3, "<z>");
    assert_in_range(strlen(h.last_lines), 1, 1024);
}

/* --- ends ------------------------------------------------------------------------- */

static void a_signal_is_told(void **state)
{
    (void)state;
    START(NONE, "sh", "-c", "kill -9 $$");
    run_until(&h.ended);
    assert_int_equal(h.end.exit_code, -1);
    assert_int_equal(h.end.term_signal, 9);
}

static void nothing_is_sent_after_stop(void **state)
{
    struct error err;

    (void)state;
    START(NONE, "cat");
    send_line("before");
    message_child_stop(h.child, 60000);
    assert_false(message_child_send(h.child, "x", 1, &err));
    assert_string_equal(err.code, "closed");
    message_child_stop(h.child, 60000);
    run_until(&h.ended);
    heard("<before>");
    message_child_stop(h.child, 1);
    assert_false(message_child_send(h.child, "x", 1, &err));
}

static void a_shorter_wait_counts(void **state)
{
    (void)state;
    START(NONE, "sleep", "1000");
    message_child_stop(h.child, HANG_SECONDS * 1000);
    message_child_stop(h.child, 1);
    run_until(&h.ended);
    assert_int_equal(h.end.term_signal, SIGTERM);
}

static void a_child_that_ignores_sigterm_is_killed_with_what_it_started(void **state)
{
    struct message_child_spec spec = { .term_ms = 20 };
    struct lifeline line;
    char *script;

    (void)state;
    lifeline_open(&line);
    script = mem_printf(
        "exec 3>%s; trap '' TERM; sleep 1000 & echo up; while :; do sleep 1000; done", line.path);
    START(spec, "sh", "-c", script);
    free(script);
    while (h.count == 0)
        uv_run(&loop, UV_RUN_ONCE);
    message_child_stop(h.child, 1);
    run_until(&h.ended);
    assert_int_equal(h.end.term_signal, SIGKILL);
    lifeline_await_end(&line);
    lifeline_close(&line);
}

static void a_child_that_closes_its_input_is_stopped_in_time(void **state)
{
    (void)state;
    START(NONE, "sh", "-c", "exec 0<&-; echo closed; exec sleep 1000");
    while (h.count == 0)
        uv_run(&loop, UV_RUN_ONCE);
    message_child_send(h.child, "anyone?", 7, NULL);
    run_until(&h.ended);
    assert_int_equal(h.end.term_signal, SIGTERM);
}

/* Such a child was awaited until each call's time limit was over. */
static void a_child_that_closes_its_output_is_stopped_in_time(void **state)
{
    (void)state;
    START(NONE, "sh", "-c", "echo last; exec 1>&-; exec sleep 1000");
    run_until(&h.ended);
    heard("<last>");
    assert_int_equal(h.end.term_signal, SIGTERM);
    assert_true(h.end.mute);
}

static void it_may_be_freed_at_a_line(void **state)
{
    (void)state;
    h.free_at_line = true;
    START(NONE, "printf", "a\\nb\\nc\\n");
    while (h.child)
        uv_run(&loop, UV_RUN_ONCE);
    uv_run(&loop, UV_RUN_DEFAULT);
    heard("<a>");
    assert_false(h.ended);
}

static void it_may_be_freed_at_an_unfinished_last_line(void **state)
{
    (void)state;
    h.free_at_line = true;
    START(NONE, "printf", "a");
    while (h.child)
        uv_run(&loop, UV_RUN_ONCE);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_false(h.ended);
}

static void it_may_be_freed_at_a_line_of_stderr_and_at_an_oversized_one(void **state)
{
    struct message_child_spec spec = { .max_line = 3 };

    (void)state;
    h.free_at_error = true;
    START(NONE, "sh", "-c", "printf 'a\\nb' >&2");
    while (h.child)
        uv_run(&loop, UV_RUN_ONCE);
    h.free_at_oversized = true;
    START(spec, "printf", "abcdef\\nb\\n");
    while (h.child)
        uv_run(&loop, UV_RUN_ONCE);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_string_equal(buf_text(&h.errors), "<a>");
    heard("");
    assert_false(h.ended);
}

static void freeing_kills(void **state)
{
    int pid;

    (void)state;
    START(NONE, "sleep", "1000");
    pid = message_child_pid(h.child);
    assert_int_equal(kill(pid, 0), 0);
    free_child();
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(kill(pid, 0), -1);
    assert_false(h.ended);
}

static void what_cannot_be_started_is_an_error(void **state)
{
    static const struct message_child_events events = { on_line, on_oversized, on_error_line,
                                                        on_ended };
    const char *argv[] = { "/nonexistent/server", NULL };
    struct error err;

    (void)state;
    assert_null(message_child_start(&loop, &(struct message_child_spec){ .argv = argv }, &events,
                                    NULL, &err));
    assert_string_equal(err.code, "not_found");
    message_child_free(NULL);
}

static int setup(void **state)
{
    h = (struct heard){ 0 };
    return loop_setup(state);
}

static int teardown(void **state)
{
    free_child();
    buf_free(&h.lines);
    buf_free(&h.errors);
    buf_free(&h.oversized);
    return loop_teardown(state);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(lines_are_found_whatever_their_ends),
        CASE(lines_that_come_in_pieces_are_put_together),
        CASE(many_lines_in_one_read_are_many_lines),
        CASE(what_is_sent_is_read_as_lines),
        CASE(a_line_over_the_limit_is_skipped_with_its_ends),
        CASE(an_endless_line_costs_no_memory),
        CASE(an_oversized_line_may_be_cut_by_the_end),
        CASE(a_child_that_does_not_read_is_busy_at_the_limit),
        CASE(stderr_comes_in_lines_and_the_last_are_kept),
        CASE(last_words_are_few_and_whole_lines),
        CASE(a_long_line_of_stderr_comes_in_pieces),
        CASE(a_signal_is_told),
        CASE(nothing_is_sent_after_stop),
        CASE(a_shorter_wait_counts),
        CASE(a_child_that_ignores_sigterm_is_killed_with_what_it_started),
        CASE(a_child_that_closes_its_input_is_stopped_in_time),
        CASE(a_child_that_closes_its_output_is_stopped_in_time),
        CASE(it_may_be_freed_at_a_line),
        CASE(it_may_be_freed_at_an_unfinished_last_line),
        CASE(it_may_be_freed_at_a_line_of_stderr_and_at_an_oversized_one),
        CASE(freeing_kills),
        CASE(what_cannot_be_started_is_an_error),
    };

    return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
