/* osascript: how it is started, what its errors mean, and sys.osascript over it.
 * The program is a stand-in, a shell script, that PERIGEE_OSASCRIPT names. */
#include "io_help.h"
#include "lua_run.h"

#include "files/file.h"
#include "platform/osascript/osascript.h"

#define O "local osascript = require 'sys.osascript' "

static char *folder;
static struct osa_helper *helper;

static char *find_script(void *arg, const char *name)
{
    char *path = mem_printf("%s/%s", folder, name);

    (void)arg;
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* A program at folder/NAME. */
static char *make_program(const char *name, const char *text)
{
    char *path = mem_printf("%s/%s", folder, name);
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", text);
    fclose(file);
    assert_int_equal(chmod(path, 0700), 0);
    return path;
}

/* What osascript does from now on. */
static void stand_in(const char *text)
{
    char *path = make_program("osascript", text);

    setenv("PERIGEE_OSASCRIPT", path, 1);
    free(path);
}

static int setup(void **state)
{
    static const struct sys_scripts scripts = { find_script, NULL };
    struct lua *lua;

    lua_setup(state);
    lua = *state;
    folder = temp_make();
    free(make_program("s.applescript", ""));
    vm_set_service(lua->vm, &sys_scripts_key, (void *)(uintptr_t)&scripts);
    unsetenv("PERIGEE_OSA_HELPER");
    helper = osa_helper_new(&lua->loop);
    vm_set_service(lua->vm, &sys_helper_key, helper);
    return 0;
}

static int teardown(void **state)
{
    osa_helper_free(helper);
    lua_teardown(state);
    temp_remove(folder);
    free(folder);
    return 0;
}

/* --- running ------------------------------------------------------------------------- */

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
    struct lua *lua = *state;
    struct lifeline line;
    struct job job;

    lifeline_open(&line);
    setenv("LINE", line.path, 1);
    stand_in("exec 9>\"$LINE\"; sleep 600");
    job_start(lua, &job, 0, O "osascript.run { text = 'x' }");
    while (!lifeline_alive(&line)) {
        uv_run(&lua->loop, UV_RUN_NOWAIT);
        uv_sleep(1);
    }
    task_cancel(job.task);
    lifeline_await_end(&line);
    lifeline_close(&line);
    job_free(&job);
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

/* --- the helper ------------------------------------------------------------------------ */

#define READY  "echo '{\"perigee_osa\":1}'; n=0; while read -r line; do n=$((n + 1)); "
#define ANSWER "printf '{\"id\":%d,\"output\":\"%s\"}\\n' $n "
#define RUN    O "return osascript.run { text = 'x' }"
#define OWN    "printf 'by osascript: '; cat"

/* What the helper does from now on; each start of it adds a line to folder/starts. */
static void help(const char *text)
{
    char *whole =
        mem_printf("[ \"$1\" = --osa-helper ] || exit 2; echo >>\"$HERE/starts\"; %s", text);
    char *path = make_program("helper", whole);

    setenv("HERE", folder, 1);
    setenv("PERIGEE_OSA_HELPER", path, 1);
    free(path);
    free(whole);
}

static int starts(void)
{
    char *path = mem_printf("%s/starts", folder);
    FILE *file = fopen(path, "r");
    int count = 0;

    for (int c; file && (c = fgetc(file)) != EOF;)
        count += c == '\n';
    if (file)
        fclose(file);
    free(path);
    return count;
}

static void one_helper_runs_all_scripts(void **state)
{
    char *kept = mem_printf("%s/lines", folder);
    struct buf lines = { 0 };

    help(READY "printf '%s\\n' \"$line\" >>\"$HERE/lines\"; " ANSWER "\"done $n\"; done");
    stand_in(OWN);
    gives(*state,
          O "return osascript.run { text = 'say \"a\"', args = { 'b\\nc', '', 1 }, timeout = 2.5 }",
          "done 1");
    gives(*state, O "return osascript.run { file = 's.applescript' }", "done 2");
    gives(*state,
          O "return osascript.run { text = 'using terms from application id \"x\"', terms = 'y' }",
          "done 3");
    assert_int_equal(starts(), 1);
    assert_true(file_read_all(kept, 10000, &lines, NULL));
    assert_string_equal(
        buf_text(&lines),
        "{\"id\":1,\"text\":\"say \\\"a\\\"\",\"args\":[\"b\\nc\",\"\",\"1\"],"
        "\"timeout\":3}\n"
        "{\"id\":2,\"text\":\"#!/bin/sh\\n\\n\",\"args\":[],\"timeout\":10}\n"
        "{\"id\":3,\"text\":\"using terms from application id \\\"y\\\"\",\"args\":[],"
        "\"timeout\":10}\n");
    buf_free(&lines);
    free(kept);
}

static void its_errors_read_like_those_of_osascript(void **state)
{
    help(READY "printf '{\"id\":%d,\"error\":{\"number\":-1728,\"message\":\"No document 1.\","
               "\"range\":[12,5]}}\\n' $n; done");
    gives(*state, O "return osascript.run { file = 's.applescript' }",
          "nil|s.applescript:12:17: execution error: No document 1 (-1728). There is no such "
          "object, or the application has no such property|not_found|-1728");
    gives(*state, RUN,
          "nil|12:17: execution error: No document 1 (-1728). There is no such object, or the "
          "application has no such property|not_found|-1728");
}

static void a_script_that_does_not_compile(void **state)
{
    help(READY "printf '{\"id\":%d,\"error\":{\"number\":-2741,\"message\":\"Expected end.\","
               "\"range\":[1,2],\"compiling\":true}}\\n' $n; done");
    gives(*state, RUN,
          "nil|1:3: syntax error: Expected end (-2741). Correct the script at the position "
          "named|script_invalid|-2741");
}

/* The next script gets another helper. */
static void one_that_hangs_is_killed_with_its_script(void **state)
{
    help(READY "case $line in *hang*) sleep 600;; esac; " ANSWER "$n; done");
    gives(*state,
          O "local out, err, code = osascript.run { text = 'hang', timeout = 0.3 } "
            "return out, code, err:match '^the script did not finish within 0.3 s and was stopped'",
          "nil|timeout|the script did not finish within 0.3 s and was stopped");
    stand_in(OWN);
    gives(*state, O "return osascript.run { text = 'by osascript', args = { '\\xff' } }",
          "by osascript: by osascript"); /* JSON has only UTF-8 */
    assert_int_equal(starts(), 1);
}

static void one_that_dies_is_replaced(void **state)
{
    help("case $(wc -l <\"$HERE/starts\") in *1) " READY
         "kill -9 $$; done;; *) printf '{\"perigee_osa\":1}\\n'; read -r line; "
         "printf '{\"id\":2,\"output\":\"alive\"}\\n'; read -r line;; esac");
    gives(*state, RUN,
          "nil|the helper that runs scripts was ended by signal 9. What the script had done by "
          "then is unknown. Look at the application before trying again|helper_lost");
    gives(*state, RUN, "alive");
    assert_int_equal(starts(), 2);
}

static void what_is_no_answer_ends_it(void **state)
{
    static const char *const answers[] = {
        "echo hello",
        "echo '{\"id\":99,\"output\":\"\"}'",
        "echo '{\"id\":1}'",
        "echo '{\"id\":1,\"output\":1}'",
        "echo '{\"id\":1,\"error\":{\"number\":1}}'",
        "echo '{\"id\":1,\"error\":{\"message\":\"\",\"range\":[1]}}'",
        "echo '{\"id\":1,\"error\":{\"message\":\"\",\"range\":[-1,1]}}'",
        "printf '{\"id\":1,\"output\":\"\\377\"}\\n'",
        "printf '\\0\\n'",
    };
    struct lua *lua = *state;

    for (size_t i = 0; i < countof(answers); i++) {
        char *text = mem_printf("%s%s; done", READY, answers[i]);

        osa_helper_free(helper);
        helper = osa_helper_new(&lua->loop);
        vm_set_service(lua->vm, &sys_helper_key, helper);
        help(text);
        gives(lua, O "return select(2, osascript.run { text = 'x' })",
              "the helper that runs scripts sent an invalid answer. What the script had done by "
              "then is unknown. Look at the application before trying again|helper_lost");
        free(text);
    }
}

static void a_huge_answer_is_refused(void **state)
{
    help(READY "printf '{\"id\":%d,\"output\":\"' $n; head -c 17000000 /dev/zero | tr '\\0' x; "
               "echo '\"}'; done");
    gives(*state, O "return select(2, osascript.run { text = 'x', timeout = 60 })",
          "the script printed more than 16 MB|too_large");
    help(READY "head -c 40000000 /dev/zero | tr '\\0' x; done");
    osa_helper_free(helper);
    helper = osa_helper_new(&((struct lua *)*state)->loop);
    vm_set_service(((struct lua *)*state)->vm, &sys_helper_key, helper);
    gives(*state, O "return select(3, osascript.run { text = 'x', timeout = 60 })", "too_large");
}

static void one_that_never_greets_leaves_it_to_osascript(void **state)
{
    static const char *const helpers[] = { "exit 1", "echo hello; cat", "kill -9 $$" };
    struct lua *lua = *state;

    stand_in(OWN);
    for (size_t i = 0; i < countof(helpers); i++) {
        int before = starts();

        osa_helper_free(helper);
        helper = osa_helper_new(&lua->loop);
        vm_set_service(lua->vm, &sys_helper_key, helper);
        help(helpers[i]);
        gives(lua, RUN, "by osascript: x");
        gives(lua, RUN, "by osascript: x");
        assert_int_equal(starts(), before + 1); /* it is not asked again */
    }
    osa_helper_free(helper);
    helper = osa_helper_new(&lua->loop);
    vm_set_service(lua->vm, &sys_helper_key, helper);
    setenv("PERIGEE_OSA_HELPER", "/nowhere/perigee", 1);
    gives(lua, RUN, "by osascript: x");
}

static void three_losses_in_a_row_are_enough(void **state)
{
    help(READY "exit 3; done");
    stand_in(OWN);
    for (int i = 0; i < 3; i++)
        gives(*state, O "return select(3, osascript.run { text = 'x' })", "helper_lost");
    gives(*state, RUN, "by osascript: x");
    assert_int_equal(starts(), 3);
}

static void a_script_beside_another_does_not_wait_for_it(void **state)
{
    struct lua *lua = *state;
    struct job job;

    help(READY "sleep 600; done");
    stand_in(OWN);
    job_start(lua, &job, 0, RUN);
    gives(lua, RUN, "by osascript: x");
    task_cancel(job.task);
    lua_turn_until_gone(lua, &job.task);
    job_free(&job);
}

static void a_cancelled_call_takes_the_helper_along(void **state)
{
    struct lua *lua = *state;
    struct lifeline line;
    struct job job;

    lifeline_open(&line);
    setenv("LINE", line.path, 1);
    help(READY "exec 9>\"$LINE\"; sleep 600; done");
    job_start(lua, &job, 0, RUN);
    while (!lifeline_alive(&line)) {
        uv_run(&lua->loop, UV_RUN_NOWAIT);
        uv_sleep(1);
    }
    task_cancel(job.task);
    lifeline_await_end(&line);
    lifeline_close(&line);
    job_free(&job);
}

static void it_has_to_be_wanted(void **state)
{
    static const char *const values[] = { "", "0" };

    stand_in(OWN);
    for (size_t i = 0; i < countof(values); i++) {
        setenv("PERIGEE_OSA_HELPER", values[i], 1);
        gives(*state, RUN, "by osascript: x");
    }
}

/* --- the map of errors ---------------------------------------------------------------- */

static void each_number_has_its_code(void **state)
{
    static const struct {
        const char *said, *code;
        int number;
    } rows[] = {
        { "0:5: execution error: User canceled. (-128)", "cancelled", -128 },
        { "0:5: execution error: Keynote got an error: Application isn't running. (-600)",
          "app_not_running", -600 },
        { "execution error: Keynote got an error: Connection is invalid. (-609)", "app_not_running",
          -609 },
        { "execution error: Can't make \"x\" into type number. (-1700)", "bad_argument", -1700 },
        { "execution error: x (-1703)", "bad_argument", -1703 },
        { "execution error: doesn't understand the \"x\" message. (-1708)", "unsupported_command",
          -1708 },
        { "execution error: x (-1715)", "unsupported_command", -1715 },
        { "execution error: Keynote got an error: AppleEvent timed out. (-1712)", "timeout",
          -1712 },
        { "execution error: x (-1713)", "needs_user", -1713 },
        { "execution error: Can't get window 3. Invalid index. (-1719)", "not_found", -1719 },
        { "execution error: System Events got an error: osascript is not allowed assistive "
          "access. (-1719)",
          "permission_denied_access", -1719 },
        { "execution error: Can't get document 1. (-1728)", "not_found", -1728 },
        { "execution error: x (-1742)", "blocked", -1742 },
        { "execution error: Not authorized to send Apple events to Keynote. (-1743)",
          "permission_denied_automation", -1743 },
        { "execution error: x (-1744)", "permission_prompt_needed", -1744 },
        { "execution error: x (-1750)", "script_error", -1750 },
        { "execution error: x (-1753)", "script_error", -1753 },
        { "7:12: syntax error: Expected end of line but found identifier. (-2741)",
          "script_invalid", -2741 },
        { "7:12: syntax error: x (-2740)", "script_invalid", -2740 },
        { "execution error: The variable x is not defined. (-2753)", "script_invalid", -2753 },
        { "execution error: mine (-2700)", "script_error", -2700 },
        { "execution error: AppleEvent handler failed. (-10000)", "event_failed", -10000 },
        { "execution error: A privilege violation occurred. (-10004)", "blocked", -10004 },
        { "execution error: x (-10005)", "read_denied", -10005 },
        { "execution error: Can't set x to y. (-10006)", "read_only", -10006 },
        { "execution error: x (-10014)", "bad_argument", -10014 },
        { "execution error: osascript is not allowed to send keystrokes. (1002)",
          "permission_denied_access", 1002 },
        { "execution error: x (-25211)", "permission_denied_access", -25211 },
        { "execution error: x (-25202)", "ax_error", -25202 },
        { "execution error: No rectangle yet. (9001)", "script_error", 9001 },
        { "execution error: a (-1728) b (-600)\n", "app_not_running", -600 },
        { "execution error: f (x) failed (-1728) (see the log)", "not_found", -1728 },
        { "no number", "script_error", 0 },
        { "(--1) (1a) () ((2)", "script_error", 2 },
        { "(99999999999999999999)", "script_error", 0 },
        { "", "script_error", 0 },
    };
    struct error err;

    (void)state;
    for (size_t i = 0; i < countof(rows); i++) {
        assert_int_equal(osascript_explain(str_from(rows[i].said), &err), rows[i].number);
        assert_string_equal(err.code, rows[i].code);
    }
}

static void messages_lose_folders_and_gain_the_next_step(void **state)
{
    struct error err;
    char want[400];

    (void)state;
    osascript_explain(STR("/Users/x/perigee/open.applescript:7:25: execution error: Not authorized "
                          "to send Apple events to Keynote. (-1743)\n"),
                      &err);
    snprintf(
        want, sizeof want,
        "open.applescript:7:25: execution error: Not authorized to send Apple events to "
        "Keynote (-1743). Allow it in System Settings > Privacy & Security > Automation (open "
        "\"x-apple.systempreferences:com.apple.preference.security?Privacy_Automation\") for ");
    assert_memory_equal(err.text, want, strlen(want));
    snprintf(want, sizeof want,
             "osascript_test (process %d), which is responsible for this program. Then restart "
             "that program. Do not try again before that",
             (int)getpid());
    assert_non_null(strstr(err.text, want));
}

static void a_long_message_leaves_room_for_what_to_do(void **state)
{
    struct error err;
    struct buf said = { 0 };

    (void)state;
    for (int i = 0; i < 400; i++)
        buf_adds(&said, "x");
    buf_adds(&said, " (-1744)");
    assert_int_equal(osascript_explain(buf_str(&said), &err), -1744);
    assert_non_null(strstr(err.text, "Run it once while a user is at the screen"));
    assert_string_equal(err.text + strlen(err.text) - 10, "Automation");
    buf_free(&said);
}

static void a_message_of_any_length_fits(void **state)
{
    struct error err;
    struct buf said = { 0 };

    (void)state;
    for (int i = 0; i < 10000; i++)
        buf_adds(&said, "\xc3\xa9");
    buf_adds(&said, " (-1728)");
    assert_int_equal(osascript_explain(buf_str(&said), &err), -1728);
    assert_non_null(strstr(err.text, "\xc3\xa9 (-1728). There is no such object"));
    assert_int_equal(strspn(err.text, "\xc3\xa9"), 280);
    buf_drop(&said, 1);
    osascript_explain(buf_str(&said), &err);
    assert_int_equal(strspn(err.text, "\xc3\xa9"), 279);
    buf_free(&said);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_text_goes_to_stdin_and_values_are_arguments),
        CASE(a_file_is_found_in_the_scripts_folders),
        CASE(terms_go_into_the_script_and_nothing_else_does),
        cmocka_unit_test(terms_change_only_in_lines_of_code),
        CASE(only_the_last_newline_is_taken_off),
        CASE(an_error_has_text_code_and_number),
        CASE(a_failure_without_words_is_told),
        CASE(a_script_that_hangs_is_stopped),
        CASE(a_cancelled_call_takes_its_script_along),
        CASE(without_the_program_it_says_where_it_works),
        CASE(what_is_no_spec_raises),
        CASE(one_helper_runs_all_scripts),
        CASE(its_errors_read_like_those_of_osascript),
        CASE(a_script_that_does_not_compile),
        CASE(one_that_hangs_is_killed_with_its_script),
        CASE(one_that_dies_is_replaced),
        CASE(what_is_no_answer_ends_it),
        CASE(a_huge_answer_is_refused),
        CASE(one_that_never_greets_leaves_it_to_osascript),
        CASE(three_losses_in_a_row_are_enough),
        CASE(a_script_beside_another_does_not_wait_for_it),
        CASE(a_cancelled_call_takes_the_helper_along),
        CASE(it_has_to_be_wanted),
        cmocka_unit_test(each_number_has_its_code),
        cmocka_unit_test(messages_lose_folders_and_gain_the_next_step),
        cmocka_unit_test(a_long_message_leaves_room_for_what_to_do),
        cmocka_unit_test(a_message_of_any_length_fits),
    };

    return cmocka_run_group_tests_name("osascript", tests, NULL, NULL);
}
