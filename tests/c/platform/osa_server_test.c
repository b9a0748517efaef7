/* The helper's side of its protocol, over a double of OSAKit: a script is its text, and a run
 * returns the text and the arguments. */
#include "io_help.h"

#include "json/document.h"
#include "platform/osascript/osa_server.h"

struct counts {
    int compiled, ended, ran;
};

static struct counts counts;

static void *compile(struct str text, struct osa_failure *failure)
{
    if (text.len > 3 && memcmp(text.ptr, "bad", 3) == 0) {
        *failure = (struct osa_failure){ -2741, mem_strdup("Expected \"end\"."), 4, 2 };
        return NULL;
    }
    counts.compiled++;
    return mem_strndup(text.ptr, text.len);
}

static bool run(void *script, char *const *args, struct buf *output, struct osa_failure *failure)
{
    counts.ran++;
    if (strcmp(script, "fail") == 0) {
        *failure = (struct osa_failure){ .number = -1728 };
        return false;
    }
    buf_adds(output, script);
    for (; *args; args++)
        buf_addf(output, "|%s", *args);
    return true;
}

static void end(void *script)
{
    counts.ended++;
    free(script);
}

static int setup(void **state)
{
    static const struct osa_engine engine = { compile, run, end };

    counts = (struct counts){ 0 };
    *state = osa_server_new(&engine);
    return 0;
}

static int teardown(void **state)
{
    osa_server_free(*state);
    assert_int_equal(counts.compiled, counts.ended);
    return 0;
}

static void answers(struct osa_server *server, const char *line, const char *want)
{
    struct buf out = { 0 };

    assert_true(osa_server_line(server, line, strlen(line), &out));
    assert_string_equal(buf_text(&out), want);
    buf_free(&out);
}

static void a_script_gets_its_arguments_and_gives_its_text(void **state)
{
    struct buf out = { 0 };

    osa_server_greet(&out);
    assert_string_equal(buf_text(&out), "{\"perigee_osa\":1}\n");
    buf_free(&out);
    answers(
        *state,
        "{\"id\":7,\"text\":\"a \\\"b\\\"\\n\",\"args\":[\"x\",\"\",\"\xc3\xa9\"],\"timeout\":9}",
        "{\"id\":7,\"output\":\"a \\\"b\\\"\\n|x||\xc3\xa9\"}\n");
}

static void failures_say_number_place_and_when(void **state)
{
    answers(*state, "{\"id\":1,\"text\":\"bad x\",\"args\":[]}",
            "{\"id\":1,\"error\":{\"number\":-2741,\"message\":\"Expected \\\"end\\\".\","
            "\"range\":[4,2],\"compiling\":true}}\n");
    answers(*state, "{\"id\":2,\"text\":\"fail\",\"args\":[]}",
            "{\"id\":2,\"error\":{\"number\":-1728,\"message\":\"\",\"range\":[0,0],"
            "\"compiling\":false}}\n");
}

static void a_text_is_compiled_once(void **state)
{
    for (int i = 0; i < 5; i++) {
        answers(*state, "{\"id\":1,\"text\":\"one\",\"args\":[]}",
                "{\"id\":1,\"output\":\"one\"}\n");
        answers(*state, "{\"id\":1,\"text\":\"two\",\"args\":[]}",
                "{\"id\":1,\"output\":\"two\"}\n");
    }
    assert_int_equal(counts.compiled, 2);
    assert_int_equal(counts.ran, 10);
}

static void run_number(struct osa_server *server, int number)
{
    struct buf out = { 0 };
    char line[80];

    snprintf(line, sizeof line, "{\"id\":1,\"text\":\"n%d\",\"args\":[]}", number);
    assert_true(osa_server_line(server, line, strlen(line), &out));
    buf_free(&out);
}

static void the_one_not_used_longest_makes_room(void **state)
{
    for (int i = 0; i < OSA_SCRIPTS_MAX; i++)
        run_number(*state, i);
    run_number(*state, 0);
    run_number(*state, OSA_SCRIPTS_MAX); /* in the place of 1 */
    assert_int_equal(counts.ended, 1);
    run_number(*state, 0);
    assert_int_equal(counts.compiled, OSA_SCRIPTS_MAX + 1);
    run_number(*state, 1);
    assert_int_equal(counts.compiled, OSA_SCRIPTS_MAX + 2);
}

static void a_long_text_is_not_kept(void **state)
{
    struct buf line = { 0 }, out = { 0 };

    buf_adds(&line, "{\"id\":1,\"text\":\"");
    for (int i = 0; i <= OSA_TEXT_MAX; i++)
        buf_addc(&line, 'x');
    buf_adds(&line, "\",\"args\":[]}");
    assert_true(osa_server_line(*state, line.data, line.len, &out));
    assert_int_equal(counts.ended, 1);
    buf_free(&line);
    buf_free(&out);
}

static void what_is_no_request_is_told(void **state)
{
    static const char *const lines[] = {
        "",
        "[]",
        "hello",
        "{\"id\":1}",
        "{\"id\":1,\"text\":5,\"args\":[]}",
        "{\"id\":1,\"text\":\"x\"}",
        "{\"id\":1,\"text\":\"x\",\"args\":{}}",
        "{\"text\":\"x\",\"args\":[]}",
        "{\"id\":\"1\",\"text\":\"x\",\"args\":[]}",
        "{\"id\":1,\"text\":\"\xff\",\"args\":[]}",
    };
    struct buf out = { 0 };

    for (size_t i = 0; i < countof(lines); i++)
        assert_false(osa_server_line(*state, lines[i], strlen(lines[i]), &out));
    assert_int_equal(out.len, 0);
    assert_int_equal(counts.ran, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_script_gets_its_arguments_and_gives_its_text),
        CASE(failures_say_number_place_and_when),
        CASE(a_text_is_compiled_once),
        CASE(the_one_not_used_longest_makes_room),
        CASE(a_long_text_is_not_kept),
        CASE(what_is_no_request_is_told),
    };

    return cmocka_run_group_tests_name("osa_server", tests, NULL, NULL);
}
