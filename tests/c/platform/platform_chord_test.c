/* Names of keys and chords. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "platform/chord.h"

static void expect(const char *text, unsigned modifiers, enum key key, uint32_t point,
                   const char *printed)
{
    struct chord chord;
    struct error err = { "", "" };
    char out[64];

    if (!chord_parse(text, &chord, &err))
        fail_msg("%s: %s", text, err.text);
    assert_int_equal(chord.modifiers, modifiers);
    assert_int_equal(chord.key, key);
    assert_int_equal(chord.point, point);
    chord_print(&chord, out, sizeof out);
    assert_string_equal(out, printed);
}

static void refuse(const char *text)
{
    struct chord chord;
    struct error err = { "", "" };

    if (chord_parse(text, &chord, &err))
        fail_msg("\"%s\" was taken", text);
    assert_string_equal(err.code, "unknown_key");
}

static void chords_are_read_in_any_case(void **state)
{
    (void)state;
    expect("ctrl+shift+t", MOD_CTRL | MOD_SHIFT, KEY_CHARACTER, 't', "ctrl+shift+t");
    expect("Shift+CTRL+F5", MOD_CTRL | MOD_SHIFT, KEY_F1 + 4, 0, "ctrl+shift+f5");
    expect("option+Left", MOD_ALT, KEY_LEFT, 0, "alt+left");
    expect("super", MOD_META, KEY_NONE, 0, "meta");
    expect("Enter", 0, KEY_RETURN, 0, "return");
    expect("f24", 0, KEY_F24, 0, "f24");
    expect("page_up", 0, KEY_PAGE_UP, 0, "pageup");
}

static void signs_and_other_scripts_are_keys(void **state)
{
    (void)state;
    expect("+", 0, KEY_CHARACTER, '+', "+");
    expect("ctrl++", MOD_CTRL, KEY_CHARACTER, '+', "ctrl++");
    expect("ctrl+plus", MOD_CTRL, KEY_CHARACTER, '+', "ctrl++");
    expect("ctrl+-", MOD_CTRL, KEY_CHARACTER, '-', "ctrl+-");
    expect("space", 0, KEY_CHARACTER, ' ', "space");
    expect("ctrl+é", MOD_CTRL, KEY_CHARACTER, 0xe9, "ctrl+é");
    expect("я", 0, KEY_CHARACTER, 0x44f, "я");
}

static void the_command_key_is_the_systems_own(void **state)
{
    (void)state;
#ifdef __APPLE__
    expect("cmd+c", MOD_META, KEY_CHARACTER, 'c', "meta+c");
#else
    expect("cmd+c", MOD_CTRL, KEY_CHARACTER, 'c', "ctrl+c");
#endif
}

static void what_is_no_key_is_refused(void **state)
{
    static const char *const texts[] = { "",      "ctrl+", "hyper+a", "a+b",  "ctrl+shift+",
                                         "f0",    "f25",   "f5x",     "\xff", "ctrl+\x01",
                                         "ctrl a" };

    (void)state;
    for (size_t i = 0; i < countof(texts); i++)
        refuse(texts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chords_are_read_in_any_case),
        cmocka_unit_test(signs_and_other_scripts_are_keys),
        cmocka_unit_test(the_command_key_is_the_systems_own),
        cmocka_unit_test(what_is_no_key_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
