/* Names of keys, with the ones people write on every system. */
#include "platform/chord.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

#include "json/utf8.h"

#ifdef __APPLE__
#define MOD_COMMAND MOD_META
#else
#define MOD_COMMAND MOD_CTRL
#endif

static const struct modifier_name {
    const char *name;
    enum modifier modifier;
} modifiers[] = {
    { "ctrl", MOD_CTRL },
    { "alt", MOD_ALT },
    { "shift", MOD_SHIFT },
    { "meta", MOD_META },
    { "fn", MOD_FN },
    { "control", MOD_CTRL },
    { "option", MOD_ALT },
    { "opt", MOD_ALT },
    { "super", MOD_META },
    { "win", MOD_META },
    { "windows", MOD_META },
    { "cmd", MOD_COMMAND },
    { "command", MOD_COMMAND },
    { "cmdorctrl", MOD_COMMAND },
    { "commandorcontrol", MOD_COMMAND },
    { "function", MOD_FN },
};

static const struct key_name {
    const char *name;
    enum key key;
} keys[] = {
    { "return", KEY_RETURN },
    { "enter", KEY_RETURN },
    { "tab", KEY_TAB },
    { "escape", KEY_ESCAPE },
    { "esc", KEY_ESCAPE },
    { "backspace", KEY_BACKSPACE },
    { "delete", KEY_DELETE },
    { "del", KEY_DELETE },
    { "forwarddelete", KEY_DELETE },
    { "insert", KEY_INSERT },
    { "ins", KEY_INSERT },
    { "left", KEY_LEFT },
    { "right", KEY_RIGHT },
    { "up", KEY_UP },
    { "down", KEY_DOWN },
    { "arrowleft", KEY_LEFT },
    { "arrowright", KEY_RIGHT },
    { "arrowup", KEY_UP },
    { "arrowdown", KEY_DOWN },
    { "home", KEY_HOME },
    { "end", KEY_END },
    { "pageup", KEY_PAGE_UP },
    { "pgup", KEY_PAGE_UP },
    { "prior", KEY_PAGE_UP },
    { "pagedown", KEY_PAGE_DOWN },
    { "pgdn", KEY_PAGE_DOWN },
    { "next", KEY_PAGE_DOWN },
    { "menu", KEY_MENU },
    { "print", KEY_PRINT },
    { "printscreen", KEY_PRINT },
    { "pause", KEY_PAUSE },
    { "capslock", KEY_CAPS_LOCK },
    { "numlock", KEY_NUM_LOCK },
    { "scrolllock", KEY_SCROLL_LOCK },
    { "help", KEY_HELP },
    { "volumeup", KEY_VOLUME_UP },
    { "volumedown", KEY_VOLUME_DOWN },
    { "mute", KEY_MUTE },
    { "playpause", KEY_PLAY },
    { "nexttrack", KEY_NEXT_TRACK },
    { "previoustrack", KEY_PREVIOUS_TRACK },
    { "stop", KEY_STOP },
    { "brightnessup", KEY_BRIGHTNESS_UP },
    { "brightnessdown", KEY_BRIGHTNESS_DOWN },
    { "kp_enter", KEY_KP_ENTER },
    /* Other names of media keys: those of Hammerspoon, of web pages and of X. */
    { "play", KEY_PLAY },
    { "soundup", KEY_VOLUME_UP },
    { "sounddown", KEY_VOLUME_DOWN },
    { "volumemute", KEY_MUTE },
    { "prevtrack", KEY_PREVIOUS_TRACK },
    { "mediaplaypause", KEY_PLAY },
    { "mediatracknext", KEY_NEXT_TRACK },
    { "mediatrackprevious", KEY_PREVIOUS_TRACK },
    { "mediastop", KEY_STOP },
    { "audiovolumeup", KEY_VOLUME_UP },
    { "audiovolumedown", KEY_VOLUME_DOWN },
    { "audiovolumemute", KEY_MUTE },
    { "xf86audioplay", KEY_PLAY },
    { "xf86audionext", KEY_NEXT_TRACK },
    { "xf86audioprev", KEY_PREVIOUS_TRACK },
    { "xf86audiostop", KEY_STOP },
    { "xf86audioraisevolume", KEY_VOLUME_UP },
    { "xf86audiolowervolume", KEY_VOLUME_DOWN },
    { "xf86audiomute", KEY_MUTE },
    { "xf86monbrightnessup", KEY_BRIGHTNESS_UP },
    { "xf86monbrightnessdown", KEY_BRIGHTNESS_DOWN },
};

static const struct sign_name {
    const char *name;
    uint32_t point;
} signs[] = {
    { "space", ' ' },     { "plus", '+' },   { "minus", '-' },       { "comma", ',' },
    { "period", '.' },    { "dot", '.' },    { "slash", '/' },       { "backslash", '\\' },
    { "semicolon", ';' }, { "quote", '\'' }, { "grave", '`' },       { "backtick", '`' },
    { "equal", '=' },     { "equals", '=' }, { "bracketleft", '[' }, { "bracketright", ']' },
};

static unsigned find_modifier(const char *word)
{
    for (size_t i = 0; i < countof(modifiers); i++) {
        if (strcasecmp(modifiers[i].name, word) == 0)
            return modifiers[i].modifier;
    }
    return 0;
}

static bool find_function_key(const char *word, struct chord *chord)
{
    int number = 0, used = 0;

    if ((word[0] != 'f' && word[0] != 'F') || !isdigit((unsigned char)word[1]) ||
        sscanf(word + 1, "%2d%n", &number, &used) != 1 || word[1 + used])
        return false;
    if (number < 1 || number > 24)
        return false;
    chord->key = (enum key)(KEY_F1 + number - 1);
    return true;
}

static const char *skip_underscore(const char *at)
{
    return *at == '_' ? at + 1 : at;
}

/* True if the names are the same, whatever their case and underscores. */
static bool same_name(const char *name, const char *word)
{
    name = skip_underscore(name);
    word = skip_underscore(word);
    while (*name && *word) {
        if (*name != tolower((unsigned char)*word))
            return false;
        name = skip_underscore(name + 1);
        word = skip_underscore(word + 1);
    }
    return !*name && !*word;
}

static bool find_key(const char *word, struct chord *chord)
{
    size_t len = strlen(word);
    int size = utf8_sequence(word, word + len);

    if (size > 0 && (size_t)size == len) {
        chord->key = KEY_CHARACTER;
        chord->point = utf8_decode(word, size);
        return chord->point > ' ' && chord->point != 127;
    }
    for (size_t i = 0; i < countof(keys); i++) {
        if (same_name(keys[i].name, word)) {
            chord->key = keys[i].key;
            return true;
        }
    }
    for (size_t i = 0; i < countof(signs); i++) {
        if (strcasecmp(signs[i].name, word) == 0) {
            chord->key = KEY_CHARACTER;
            chord->point = signs[i].point;
            return true;
        }
    }
    return find_function_key(word, chord);
}

/* The next part of the text: up to a '+' that is not itself a key. */
static const char *next_word(const char *text, char *word, size_t size)
{
    size_t len = strcspn(text, "+");

    if (len == 0 && *text == '+') /* the key "+" */
        len = 1;
    if (len >= size)
        len = size - 1;
    memcpy(word, text, len);
    word[len] = '\0';
    return text + len;
}

static bool unknown(const char *word, const char *text, struct error *err)
{
    return error_set(
        err, "unknown_key",
        "\"%.40s\" in \"%.80s\" is not a key. Use a character, or names such as ctrl, shift, alt, "
        "meta, cmd, enter, tab, escape, backspace, delete, left, home, pageup, f1 to f24, space, "
        "plus, volumeup, playpause, nexttrack",
        word, text);
}

bool chord_parse(const char *text, struct chord *chord, struct error *err)
{
    const char *at = text;
    char word[64];

    *chord = (struct chord){ .key = KEY_NONE };
    while (*at) {
        unsigned modifier;

        at = next_word(at, word, sizeof word);
        modifier = find_modifier(word);
        if (modifier)
            chord->modifiers |= modifier;
        else if (chord->key != KEY_NONE || !find_key(word, chord))
            return unknown(word, text, err);
        if (*at == '+' && !*++at)
            return unknown("", text, err);
        else if (*at && at[-1] != '+')
            return unknown(at, text, err);
    }
    if (chord->key == KEY_NONE && !chord->modifiers)
        return unknown("", text, err);
    return true;
}

static const char *key_name(const struct chord *chord, char buffer[8])
{
    if (chord->key == KEY_CHARACTER) {
        if (chord->point == ' ')
            return "space";
        buffer[utf8_encode(buffer, chord->point)] = '\0';
        return buffer;
    }
    if (chord->key >= KEY_F1) {
        snprintf(buffer, 8, "f%d", chord->key - KEY_F1 + 1);
        return buffer;
    }
    for (size_t i = 0; i < countof(keys); i++) {
        if (keys[i].key == chord->key)
            return keys[i].name;
    }
    return "";
}

void chord_print(const struct chord *chord, char *out, size_t size)
{
    char buffer[8], text[64] = "";
    size_t used = 0;

    for (size_t i = 0; i < 5; i++) { /* the first five have each modifier once */
        if (chord->modifiers & modifiers[i].modifier)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? "+" : "",
                                     modifiers[i].name);
    }
    if (chord->key != KEY_NONE)
        snprintf(text + used, sizeof text - used, "%s%s", used ? "+" : "", key_name(chord, buffer));
    snprintf(out, size, "%s", text);
}
