/* The meaning of osascript's errors, and our messages about them. */
#include "io_help.h"

#include "platform/osascript/osascript.h"

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
    snprintf(
        want, sizeof want,
        "osascript_error_test (process %d), which is responsible for this program. Then restart "
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_number_has_its_code),
        cmocka_unit_test(messages_lose_folders_and_gain_the_next_step),
        cmocka_unit_test(a_long_message_leaves_room_for_what_to_do),
        cmocka_unit_test(a_message_of_any_length_fits),
    };

    return cmocka_run_group_tests_name("osascript_error", tests, NULL, NULL);
}
