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

static void media_keys_have_the_names_of_other_systems(void **state)
{
    static const struct {
        const char *names[5], *printed;
        enum key key;
    } rows[] = {
        { { "volumeup", "Volume_Up", "SOUND_UP", "AudioVolumeUp", "XF86AudioRaiseVolume" },
          "volumeup",
          KEY_VOLUME_UP },
        { { "volumedown", "sound_down", "AudioVolumeDown", "XF86AudioLowerVolume" },
          "volumedown",
          KEY_VOLUME_DOWN },
        { { "mute", "volume_mute", "AudioVolumeMute", "XF86AudioMute" }, "mute", KEY_MUTE },
        { { "playpause", "play", "play_pause", "MediaPlayPause", "XF86AudioPlay" },
          "playpause",
          KEY_PLAY },
        { { "nexttrack", "next_track", "MediaTrackNext", "XF86AudioNext" },
          "nexttrack",
          KEY_NEXT_TRACK },
        { { "previoustrack", "prevtrack", "MediaTrackPrevious", "XF86AudioPrev" },
          "previoustrack",
          KEY_PREVIOUS_TRACK },
        { { "stop", "MediaStop", "XF86AudioStop" }, "stop", KEY_STOP },
        { { "brightnessup", "Brightness_Up", "XF86MonBrightnessUp" },
          "brightnessup",
          KEY_BRIGHTNESS_UP },
        { { "brightnessdown", "BrightnessDown", "XF86MonBrightnessDown" },
          "brightnessdown",
          KEY_BRIGHTNESS_DOWN },
    };

    (void)state;
    for (size_t i = 0; i < countof(rows); i++)
        for (size_t k = 0; k < 5 && rows[i].names[k]; k++)
            expect(rows[i].names[k], 0, rows[i].key, 0, rows[i].printed);
    expect("next", 0, KEY_PAGE_DOWN, 0, "pagedown");
    expect("Caps_Lock", 0, KEY_CAPS_LOCK, 0, "capslock");
    expect("kpenter", 0, KEY_KP_ENTER, 0, "kp_enter");
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
    static const char *const texts[] = { "",          "ctrl+",     "hyper+a", "a+b", "ctrl+shift+",
                                         "f0",        "xf86audio", "f25",     "f5x", "\xff",
                                         "ctrl+\x01", "ctrl a" };

    (void)state;
    for (size_t i = 0; i < countof(texts); i++)
        refuse(texts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chords_are_read_in_any_case),
        cmocka_unit_test(signs_and_other_scripts_are_keys),
        cmocka_unit_test(media_keys_have_the_names_of_other_systems),
        cmocka_unit_test(the_command_key_is_the_systems_own),
        cmocka_unit_test(what_is_no_key_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
