/* osascript: its start, and sys.osascript over it. */
#include "osascript_run.h"

static void a_text_goes_to_stdin_and_values_are_arguments(void **state)
{
    stand_in("printf '%s|' \"$@\"; cat; echo");
    gives(*state,
          O "return osascript.run { text = 'return 1', args = { 'a b', '-x', \"it's\", '', 12, "
            "'\\xc2\\xa6\\n' } }",
          "-|a b|-x|it's||12|\xc2\xa6\n|return 1");
}

static void a_file_is_found_in_the_scripts_folders(void **state)
{
    struct job job;
    char *wanted = mem_printf("%s/s.applescript|x|", folder);

    stand_in("printf '%s|' \"$@\"; cat");
    job_run(*state, &job, 0, O "return osascript.run { file = 's.applescript', args = { 'x' } }");
    assert_string_equal(buf_text(&job.text), wanted);
    job_free(&job);
    free(wanted);
    gives(*state, O "return select(2, osascript.run { file = 'keynote/none.applescript' })",
          "there is no scripts/keynote/none.applescript in any of the roots|not_found");
}

static void terms_go_into_the_script_and_nothing_else_does(void **state)
{
    char *script = mem_printf("%s/t.applescript", folder);
    FILE *file = fopen(script, "w");

    assert_non_null(file);
    fputs("\tusing terms from application id \"com.a\"\ntell application id \"com.a\"\n", file);
    fclose(file);
    free(script);
    stand_in("printf '%s|' \"$@\"; cat");
    gives(*state,
          O
          "return osascript.run { file = 't.applescript', terms = 'com.b-2', args = { 'com.a' } }",
          "-|com.a|\tusing terms from application id \"com.b-2\"\ntell application id \"com.a\"");
    gives(*state,
          O "return osascript.run { text = 'using terms from application id \"x\"', terms = 'y' }",
          "-|using terms from application id \"y\"");
    fails(*state, O "osascript.run { text = 'x', terms = 'a\"b' }", "runtime",
          "field 'terms': bundle id expected");
    fails(*state, O "osascript.run { text = 'x', terms = '' }", "runtime", "field 'terms'");
    fails(*state, O "osascript.run { text = 'x', terms = ('a'):rep(256) }", "runtime", "'terms'");
}

static void terms_change_only_in_lines_of_code(void **state)
{
#define LINE(id) "using terms from application id \"" id "\""
    static const char *const rows[][2] = {
        { LINE("a.b"), LINE("new") },
        { "x\n \t" LINE("a") " -- why\r" LINE("") "\ny",
          "x\n \t" LINE("new") " -- why\r" LINE("new") "\ny" },
        { "-- " LINE("a"), NULL },
        { "#\n# " LINE("a"), NULL },
        { "(* (* *)\n" LINE("a") "\n*)\n" LINE("a"), "(* (* *)\n" LINE("a") "\n*)\n" LINE("new") },
        { "set x to \"\\\"\n" LINE("a") "\n\"", NULL },
        { "set x to \"--\"\n" LINE("a"), "set x to \"--\"\n" LINE("new") },
        { "set x to 1 -- \"\n" LINE("a"), "set x to 1 -- \"\n" LINE("new") },
        { "-- (*\n" LINE("a"), "-- (*\n" LINE("new") },
        { "say " LINE("a"), NULL },
        { "using terms from application \"a\"", NULL },
        { "using terms from application id \"a\n\"", NULL },
        { "using terms from application id \"a\\\"b\"", NULL },
        { "using terms from application id \"a", NULL },
        { "\"\\", NULL },
        { "", NULL },
    };
#undef LINE

    (void)state;
    for (size_t i = 0; i < countof(rows); i++) {
        struct buf out = { 0 };

        osascript_set_terms(str_from(rows[i][0]), "new", &out);
        assert_string_equal(buf_text(&out), rows[i][1] ? rows[i][1] : rows[i][0]);
        buf_free(&out);
    }
}

static void only_the_last_newline_is_taken_off(void **state)
{
    stand_in("printf 'a\\n\\n'");
    gives(*state, O "return osascript.run { text = 'x' } == 'a\\n'", "true");
    stand_in("true");
    gives(*state, O "return osascript.run { text = 'x' }", "");
}

static void an_error_has_text_code_and_number(void **state)
{
    stand_in("echo '0:10: execution error: Keynote got an error: Can\xe2\x80\x99t get document 1. "
             "(-1728)' >&2; exit 1");
    gives(*state, O "return osascript.run { text = 'x' }",
          "nil|0:10: execution error: Keynote got an error: Can\xe2\x80\x99t get document 1 "
          "(-1728). There is no such object, or the application has no such property|not_found|"
          "-1728");
}

static void a_failure_without_words_is_told(void **state)
{
    stand_in("exit 1");
    gives(*state, O "return osascript.run { text = 'x' }",
          "nil|osascript failed without a message|script_error");
    stand_in("kill -9 $$");
    gives(*state, O "return osascript.run { text = 'x' }",
          "nil|osascript was ended by signal 9|script_error");
}

static void a_script_that_hangs_is_stopped(void **state)
{
    stand_in("sleep 600");
    gives(*state,
          O "local out, err, code = osascript.run { text = 'x', timeout = 0.1 } "
            "return out, code, err:match '^osascript did not finish within 0.1 s and was stopped'",
          "nil|timeout|osascript did not finish within 0.1 s and was stopped");
}

static void a_cancelled_call_takes_its_script_along(void **state)
{
    stand_in("exec 9>\"$LINE\"; sleep 600");
    cancelling_ends(*state, O "osascript.run { text = 'x' }");
}

static void without_the_program_it_says_where_it_works(void **state)
{
    setenv("PERIGEE_OSASCRIPT", "/nowhere/osascript", 1);
    gives(*state, O "return osascript.run { text = 'x' }",
          "nil|the program \"/nowhere/osascript\" was not found: AppleScript works on macOS only|"
          "no_osascript");
}

static void what_is_no_spec_raises(void **state)
{
    fails(*state, O "osascript.run {}", "runtime", "pass either file or text");
    fails(*state, O "osascript.run { file = 'a', text = 'b' }", "runtime", "pass either");
    fails(*state, O "osascript.run { text = 'a', args = 'b' }", "runtime",
          "field 'args': list of strings expected");
    fails(*state, O "osascript.run { text = 'a', args = { {} } }", "runtime",
          "args[1]: string expected, got table");
    fails(*state, O "osascript.run { text = 'a', args = { 'x\\0' } }", "runtime",
          "args[1] has a NUL byte");
    fails(*state, O "osascript.run { text = 'a', timeout = 601 }", "runtime", "field 'timeout'");
    fails(*state, O "osascript.run { code = 'a' }", "runtime", "field 'code'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        OSA_CASE(a_text_goes_to_stdin_and_values_are_arguments),
        OSA_CASE(a_file_is_found_in_the_scripts_folders),
        OSA_CASE(terms_go_into_the_script_and_nothing_else_does),
        cmocka_unit_test(terms_change_only_in_lines_of_code),
        OSA_CASE(only_the_last_newline_is_taken_off),
        OSA_CASE(an_error_has_text_code_and_number),
        OSA_CASE(a_failure_without_words_is_told),
        OSA_CASE(a_script_that_hangs_is_stopped),
        OSA_CASE(a_cancelled_call_takes_its_script_along),
        OSA_CASE(without_the_program_it_says_where_it_works),
        OSA_CASE(what_is_no_spec_raises),
    };

    return cmocka_run_group_tests_name("osascript", tests, NULL, NULL);
}
