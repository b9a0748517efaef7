/* Typing: the exact text, whatever the layout.
 *
 * Characters that the layout has are typed with its own keys, switching group where needed.
 * For the others spare keys are filled, as many at once as there are, in one request. An
 * application reads the map when it meets the first key after a change, so before the next
 * change it must have taken all keys so far: it is pinged and its answer awaited. */
#include <stdio.h>
#include <stdlib.h>

#include <X11/keysym.h>

#include "json/utf8.h"
#include "platform/x11/clipboard/receiver.h"
#include "platform/x11/input/input.h"
#include "platform/x11/input/judged.h"
#include "platform/x11/input/keymap.h"
#include "platform/x11/input/target.h"
#include "platform/x11/windows/focus.h"

enum {
    LOOK_EVERY = 32, /* characters between two checks for a stop, for what the user holds, and for
                        the focus */
    USER_MS = 5000,  /* for the user to let go of Ctrl */
    USER_LOOK_MS = 20,
    MAPS_MAX = 60, /* each costs a window manager up to 0.1 s: more of them make typing too slow */
    TYPED_SETTLE_MS = 15000,
    TYPED_BLIND_MS = 60, /* for an application that answers no ping to read the map */
};

struct typing {
    struct x11_desktop *desktop;
    struct deadline *deadline;
    struct keymap *map;
    uint32_t *points;
    size_t count;
    KeyCode enter, tab;
    unsigned locked;   /* modifiers that were locked (Caps Lock) and are for the time unlocked */
    unsigned group;    /* the group that is locked now */
    uint8_t modifiers; /* held now */
    int maps;
    uint64_t judged; /* until the first key: the window that it was judged for */
    struct target target;
    bool doubtful; /* an answer of the application does not prove that it has all of it */
};

/* \r\n and \r are one line end, \n. */
static void typing_decode(struct typing *typing, struct str text)
{
    const char *at = text.ptr, *end = text.ptr + text.len;

    typing->points = mem_alloc(sizeof *typing->points * (text.len + 1));
    while (at < end) {
        int size = utf8_sequence(at, end);
        uint32_t point = utf8_decode(at, size);

        at += size;
        if (point == '\r') {
            if (at < end && *at == '\n')
                continue;
            point = '\n';
        }
        typing->points[typing->count++] = point;
    }
}

static struct stroke stroke_of(const struct typing *typing, uint32_t point)
{
    struct stroke stroke = { .group = (uint8_t)typing->group };

    if (point == '\n')
        stroke.code = typing->enter;
    else if (point == '\t')
        stroke.code = typing->tab;
    else
        stroke = keymap_find(typing->map, point);
    return stroke;
}

/* --- one character ---------------------------------------------------------------- */

static void hold(struct typing *typing, uint8_t wanted)
{
    for (int bit = 0; bit < 8; bit++) {
        bool now = typing->modifiers >> bit & 1, then = wanted >> bit & 1;

        if (now != then)
            x11_key(typing->desktop, typing->map->modifier_code[bit], then);
    }
    typing->modifiers = wanted;
}

static void type_one(struct typing *typing, struct stroke stroke)
{
    if (stroke.group != typing->group) {
        hold(typing, 0);
        XkbLockGroup(typing->desktop->display, XkbUseCoreKbd, stroke.group);
        typing->group = stroke.group;
    }
    hold(typing, stroke.modifiers);
    x11_key(typing->desktop, stroke.code, true);
    x11_key(typing->desktop, stroke.code, false);
}

/* --- spare keys ------------------------------------------------------------------- */

static bool is_among(const uint32_t *points, int count, uint32_t point)
{
    for (int i = 0; i < count; i++) {
        if (points[i] == point)
            return true;
    }
    return false;
}

static bool is_on_spare(const struct keymap *map, uint32_t point)
{
    return is_among(map->spare_point, map->spare_count, point);
}

/* Gathers the characters from `at` on that no key of the layout has, until the spare keys are used
 * up; returns the place of the next character. */
static size_t typing_gather(const struct typing *typing, size_t at, uint32_t *wanted, int *count)
{
    *count = 0;
    for (; at < typing->count; at++) {
        uint32_t point = typing->points[at];
        bool spare = is_on_spare(typing->map, point);

        if ((!spare && stroke_of(typing, point).code) || is_among(wanted, *count, point))
            continue;
        if (*count == typing->map->spare_count)
            break;
        wanted[(*count)++] = point; /* even one that a spare key has already, and must keep */
    }
    return at;
}

static bool typing_settle(struct typing *typing, bool *settled, struct error *err)
{
    if (!x11_settle(typing->desktop, typing->deadline, 0, settled, err))
        return false;
    return *settled || x11_pause(typing->desktop, typing->deadline, TYPED_BLIND_MS, err);
}

/* An application that ignores pings never confirms its keys and could read them through the next
 * keymap: send one map's worth, or refuse. */
static bool may_change_maps(struct typing *typing, struct error *err)
{
    bool settled;

    if (!x11_settle(typing->desktop, typing->deadline, 0, &settled, err))
        return false;
    return settled ||
           error_set(err, "paste_instead",
                     "too many characters are missing from this keyboard layout to type. Paste "
                     "the text instead");
}

/* Counts how often the spare keys would have to be filled, without doing it. False: too often. */
static bool count_maps(struct typing *typing, struct error *err)
{
    uint32_t wanted[SPARES_MAX];
    size_t at = 0;
    int maps = 0, count;

    while (at < typing->count && maps <= MAPS_MAX) {
        at = typing_gather(typing, at, wanted, &count);
        maps += count > 0;
        if (count == 0 && at < typing->count)
            return error_set(err, "unknown_key",
                             "U+%04X is missing from this keyboard layout, which has no spare key "
                             "for it. Paste the text instead",
                             (unsigned)typing->points[at]);
    }
    if (maps > MAPS_MAX)
        return error_set(err, "paste_instead",
                         "typing this text would change the keyboard layout more than %d times. "
                         "Paste the text instead",
                         MAPS_MAX);
    return maps <= 1 || may_change_maps(typing, err);
}

/* --- all of it -------------------------------------------------------------------- */

/* Checks that the rest of the text goes where its beginning went. If the user presses Ctrl while we
 * type, the rest would become shortcuts, so waits for its release. The server is never ahead by
 * more than the text between two of these checks. */
static bool give_way(struct typing *typing, struct error *err)
{
    uint64_t until = deadline_now() + USER_MS;

    if (!target_look(typing->desktop, typing->deadline, &typing->target, err))
        return false;
    while (x11_shortcut_held(typing->desktop)) {
        hold(typing, 0);
        if (deadline_now() >= until)
            return error_set(err, "interrupted",
                             "the user is holding Ctrl, Alt or Super, which would turn the text "
                             "into keyboard shortcuts. Type the rest when it is released");
        if (!x11_pause(typing->desktop, typing->deadline, USER_LOOK_MS, err))
            return false;
    }
    return true;
}

/* Holds the server while the target has the keyboard. False: the target has lost it, or the input
 * has to end. */
static bool hold_target(struct typing *typing, struct error *err)
{
    struct x11_desktop *desktop = typing->desktop;
    uint64_t judged = typing->judged;

    typing->judged = 0;
    if (judged)
        return judged_hold_keys(desktop, judged, err);
    for (;;) {
        if (!judged_hold_keys(desktop, 0, err))
            return false;
        if (target_is_same(desktop, &typing->target))
            return true;
        judged_let_go(desktop);
        if (!target_look(desktop, typing->deadline, &typing->target, err))
            return false;
    }
}

/* Types the next characters, up to a line end, which may run the line: surely in the target,
 * because nobody else is served between the look at the focus and the last key. A window that
 * closes itself while it is typed in would leave the rest to the one behind it. */
static bool type_part(struct typing *typing, size_t *at, size_t end, struct input_outcome *out,
                      struct error *err)
{
    bool ended = false;

    if (!hold_target(typing, err))
        return false;
    do {
        ended = typing->points[*at] == '\n';
        type_one(typing, stroke_of(typing, typing->points[(*at)++]));
        out->characters++;
    } while (*at < end && !ended && out->characters % LOOK_EVERY);
    judged_let_go(typing->desktop);
    return true;
}

/* Types the next characters, up to where the spare keys have to change; *at moves past them. */
static bool type_some(struct typing *typing, size_t *at, struct input_outcome *out,
                      struct error *err)
{
    uint32_t wanted[SPARES_MAX];
    int count;
    size_t end = typing_gather(typing, *at, wanted, &count);
    bool missing = false, settled;

    for (int i = 0; i < count; i++)
        missing = missing || !keymap_find(typing->map, wanted[i]).code;
    if (missing) {
        hold(typing, 0);
        if (typing->maps++ > 0 && !typing_settle(typing, &settled, err))
            return false;
        keymap_fill(typing->desktop, typing->map, wanted, count);
    }
    while (*at < end) {
        if (!type_part(typing, at, end, out, err))
            return false;
        if (out->characters % LOOK_EVERY == 0 && *at < typing->count && !give_way(typing, err))
            return false;
    }
    return true;
}

/* Releases the modifiers that the user holds or has locked, which would change every character. */
static void clear_modifiers(struct typing *typing)
{
    Display *display = typing->desktop->display;
    XkbStateRec state = typing->map->state;
    char down[32];

    typing->locked = state.locked_mods & LockMask;
    if (typing->locked)
        XkbLockModifiers(display, XkbUseCoreKbd, typing->locked, 0);
    if (state.latched_mods)
        XkbLatchModifiers(display, XkbUseCoreKbd, state.latched_mods, 0);
    if (!state.base_mods)
        return;
    XQueryKeymap(display, down);
    for (unsigned code = 8; code < 256; code++) {
        if ((down[code / 8] >> (code % 8) & 1) && typing->map->xkb->map->modmap[code])
            x11_key(typing->desktop, (KeyCode)code, false);
    }
}

static void typing_finish(struct typing *typing)
{
    Display *display = typing->desktop->display;

    hold(typing, 0);
    if (typing->group != typing->map->group)
        XkbLockGroup(display, XkbUseCoreKbd, typing->map->group);
    if (typing->locked)
        XkbLockModifiers(display, XkbUseCoreKbd, typing->locked, typing->locked);
    free(typing->points);
}

/* The time left for the application to confirm. All is sent: an application that takes long over it
 * does not make the call fail. */
static uint64_t time_to_settle(const struct deadline *deadline)
{
    uint64_t left = deadline_left(deadline);

    if (left > TYPED_SETTLE_MS)
        return left - 200 < TYPED_SETTLE_MS ? left - 200 : TYPED_SETTLE_MS;
    return left > 400 ? left - 200 : left / 2 + 1;
}

/* True if the text is better pasted. Qt's editors ask of each half of a character above U+FFFF
 * whether it can be printed; LibreOffice puts such a character before what was typed before it;
 * Swing keeps its last 16 bits. */
static bool is_better_pasted(struct typing *typing, const struct input *input, bool by_method)
{
    bool is_long = input->may_paste && input->text.len >= INPUT_LONG, high = false;
    struct receiver receiver;

    typing->doubtful = by_method;
    if (by_method)
        return input->may_paste;

    for (size_t i = 0; i < typing->count && !high; i++)
        high = typing->points[i] > 0xffff;
    if (!high && !is_long)
        return false;
    x11_know_receiver(typing->desktop, &receiver);
    typing->doubtful = high && receiver.high_lost;
    return input->may_paste && (typing->doubtful || (is_long && !receiver.terminal));
}

static bool paste_instead(struct error *err)
{
    return error_set(err, "paste_instead", "this text is better pasted here");
}

bool x11_type(struct x11_desktop *desktop, struct deadline *deadline, const struct input *input,
              struct input_outcome *out, struct error *err)
{
    struct typing typing = { .desktop = desktop, .deadline = deadline, .judged = input->judged };
    Window focus = x11_server_focus(desktop);
    size_t at = 0;
    bool ok;

    if (!input_text_ok(input->text, err) ||
        !x11_await_receiver(desktop, deadline, &typing.target.window, err) ||
        !(typing.map = keymap_now(desktop, err)))
        return false;
    typing.target.focus = focus;
    typing.group = typing.map->group;
    typing.enter = keymap_symbol(typing.map, XK_Return);
    typing.tab = keymap_symbol(typing.map, XK_Tab);
    typing_decode(&typing, input->text);
    ok = is_better_pasted(&typing, input, *out->seen.method) ? paste_instead(err)
                                                             : count_maps(&typing, err);
    if (ok)
        clear_modifiers(&typing);
    while (ok && at < typing.count)
        ok = type_some(&typing, &at, out, err);
    if (typing.maps)
        snprintf(out->route, sizeof out->route, "xtest, %d keymap%s", typing.maps,
                 typing.maps == 1 ? "" : "s");
    typing_finish(&typing);
    ok = ok && x11_settle(desktop, deadline, time_to_settle(deadline), &out->settled, err);
    desktop->input->unread = typing.maps && !out->settled;
    out->settled = out->settled && !typing.doubtful && !typing.target.doubtful &&
                   !target_is_replaced(desktop, &typing.target, desktop->input->pinged);
    return ok;
}
