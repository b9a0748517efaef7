/* sys.osascript with the helper that runs its scripts, a stand-in that PERIGEE_OSA_HELPER names. */
#include "osascript_run.h"

#include "files/file.h"

#define READY  "echo '{\"perigee_osa\":1}'; n=0; while read -r line; do n=$((n + 1)); "
#define ANSWER "printf '{\"id\":%d,\"output\":\"%s\"}\\n' $n "
#define RUN    O "return osascript.run { text = 'x' }"
#define OWN    "printf 'by osascript: '; cat"

/* Sets the program that stands in for the helper from now on; each start of it adds a line to
 * folder/starts. */
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
        assert_int_equal(starts(), before + 1); /* the helper is not asked again */
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
    help(READY "exec 9>\"$LINE\"; sleep 600; done");
    cancelling_ends(*state, RUN);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        OSA_CASE(one_helper_runs_all_scripts),
        OSA_CASE(its_errors_read_like_those_of_osascript),
        OSA_CASE(a_script_that_does_not_compile),
        OSA_CASE(one_that_hangs_is_killed_with_its_script),
        OSA_CASE(one_that_dies_is_replaced),
        OSA_CASE(what_is_no_answer_ends_it),
        OSA_CASE(a_huge_answer_is_refused),
        OSA_CASE(one_that_never_greets_leaves_it_to_osascript),
        OSA_CASE(three_losses_in_a_row_are_enough),
        OSA_CASE(a_script_beside_another_does_not_wait_for_it),
        OSA_CASE(a_cancelled_call_takes_the_helper_along),
        OSA_CASE(it_has_to_be_wanted),
    };

    return cmocka_run_group_tests_name("osascript_helper", tests, NULL, NULL);
}
