/* Input: the keys and buttons that are held down, the panic key, and one entry for all.
 *
 * Every key and button that goes down is noted before it is sent, here and for emergencies. A call
 * that fails lets go of what it pressed. Raw events report Ctrl+Alt+Esc whichever window has the
 * keyboard at that moment, even while a menu holds it. */
#include <X11/keysym.h>
#include <stdio.h>
#include <stdlib.h>
#include <xcb/xtest.h>

#include "platform/paste.h"
#include "platform/x11/clipboard/clipboard.h"
#include "platform/x11/input/click_popup.h"
#include "platform/x11/input/input.h"
#include "platform/x11/input/keymap.h"
#include "platform/x11/input/raw_keys.h"
#include "platform/x11/windows/focus.h"
#include "platform/x11/windows/popup.h"
#include "platform/x11/wire/client.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/displays.h"
#include "platform/x11/wire/property.h"
#include "process/bus.h"

static bool bit_get(const uint8_t bits[32], unsigned at)
{
    return bits[at / 8] >> (at % 8) & 1;
}

static void bit_put(uint8_t bits[32], unsigned at, bool on)
{
    if (on)
        bits[at / 8] |= (uint8_t)(1u << (at % 8));
    else
        bits[at / 8] &= (uint8_t) ~(1u << (at % 8));
}

enum {
    RIGHT = 3,
};

/* --- sending ---------------------------------------------------------------------- */

/* Input goes through XCB, as do the questions about grabs before and after it: all of a click goes
 * to the server in two pieces. */
static void fake(struct x11_desktop *desktop, uint8_t type, unsigned detail, int x, int y)
{
    xcb_test_fake_input(desktop->xcb, type, (uint8_t)detail, XCB_CURRENT_TIME,
                        (xcb_window_t)desktop->root, (int16_t)x, (int16_t)y, 0);
    desktop->input->sent++;
}

void x11_motion(struct x11_desktop *desktop, struct point root)
{
    fake(desktop, XCB_MOTION_NOTIFY, 0, (int)root.x, (int)root.y);
}

void x11_key(struct x11_desktop *desktop, KeyCode code, bool down)
{
    bit_put(desktop->input->keys, code, down);
    desktop->input->keys_sent = true;
    if (down)
        emergency_note(false, code, true);
    fake(desktop, down ? XCB_KEY_PRESS : XCB_KEY_RELEASE, code, 0, 0);
    if (!down)
        emergency_note(false, code, false);
}

void x11_button(struct x11_desktop *desktop, unsigned button, bool down)
{
    bit_put(desktop->input->buttons, button, down);
    if (down)
        emergency_note(true, button, true);
    if (down && button <= RIGHT) {
        desktop->input->popup_due = deadline_now() + CLICK_POPUP_MS;
        desktop->input->click_unproven = true;
    }
    if (down && button == RIGHT)
        desktop->input->menu_due = desktop->input->popup_due;
    fake(desktop, down ? XCB_BUTTON_PRESS : XCB_BUTTON_RELEASE, button, 0, 0);
    if (!down)
        emergency_note(true, button, false);
}

bool x11_pause(struct x11_desktop *desktop, struct deadline *deadline, uint64_t ms,
               struct error *err)
{
    uint64_t until = deadline_now() + ms;

    while (deadline_now() < until) {
        if (!x11_wait(desktop, deadline, until, err))
            return false;
    }
    return x11_step(desktop, deadline, err);
}

bool x11_step(struct x11_desktop *desktop, struct deadline *deadline, struct error *err)
{
    XFlush(desktop->display);
    return x11_pump(desktop, err) && deadline_ok(deadline, err);
}

/* Lets go of the keys and buttons that are held now and were not in `keys` and `buttons`. */
static void release_new(struct x11_desktop *desktop, const uint8_t keys[32],
                        const uint8_t buttons[32])
{
    if (desktop->dead)
        return;
    for (unsigned code = 0; code < 256; code++) {
        if (bit_get(desktop->input->buttons, code) && !(buttons && bit_get(buttons, code)))
            x11_button(desktop, code, false);
        if (bit_get(desktop->input->keys, code) && !(keys && bit_get(keys, code)))
            x11_key(desktop, (KeyCode)code, false);
    }
    XSync(desktop->display, False);
}

static void release_all(struct desktop *handle)
{
    struct x11_desktop *desktop = x11_of(handle);

    if (desktop->input)
        release_new(desktop, NULL, NULL);
}

/* --- the panic key ---------------------------------------------------------------- */

/* Raw events come early, but an end may be missed (and those of our own keys come late), so the
 * server is asked for the state. */
bool x11_shortcut_held(struct x11_desktop *desktop)
{
    struct x11_input *input = desktop->input;
    uint8_t others[32], down[32];
    bool seen = false, held = false;

    for (int i = 0; i < 32; i++) {
        others[i] = input->shortcuts[i] & (uint8_t)~input->keys[i];
        seen = seen || (input->seen[i] & others[i]);
    }
    if (!seen)
        return false;
    XQueryKeymap(desktop->display, (char *)down);
    for (int i = 0; i < 32; i++) {
        held = held || (down[i] & others[i]);
        input->seen[i] &= (uint8_t)(down[i] | ~others[i]);
    }
    return held;
}

static bool either(const uint8_t bits[32], const KeyCode codes[2])
{
    return (codes[0] && bit_get(bits, codes[0])) || (codes[1] && bit_get(bits, codes[1]));
}

/* True if the key makes a shortcut with the modifiers that are down, or is Insert. */
static bool may_paste(const struct x11_input *input, unsigned code)
{
    bool shortcut = code == input->insert;

    for (int i = 0; i < 32; i++)
        shortcut = shortcut || (input->seen[i] & input->shortcuts[i]);
    return shortcut;
}

static void on_raw_key(struct x11_desktop *desktop, unsigned code, bool down)
{
    struct x11_input *input = desktop->input;

    bit_put(input->seen, code & 255, down);
    if (down && !bit_get(input->keys, code & 255) && may_paste(input, code))
        x11_clipboard_end_late(desktop); /* the user may paste something else */
    if (down && code == input->escape && either(input->seen, input->controls) &&
        either(input->seen, input->alts) && input->panic)
        input->panic(input->panic_arg);
}

void x11_input_event(struct x11_desktop *desktop, XEvent *event)
{
    struct raw_key key;

    effects_event(desktop, &desktop->input->effects, event);
    keymap_event(desktop, event);
    if (event->type == ClientMessage)
        x11_drop_event(desktop, &event->xclient);
    else if (event->type == MappingNotify)
        XRefreshKeyboardMapping(&event->xmapping);
    else if (raw_keys_take(desktop, event, &key))
        on_raw_key(desktop, key.code, key.down);
}

/* --- lifetime --------------------------------------------------------------------- */

static void find_shortcut_keys(struct x11_desktop *desktop)
{
    static const KeySym symbols[] = { XK_Control_L, XK_Control_R, XK_Alt_L,  XK_Alt_R,
                                      XK_Super_L,   XK_Super_R,   XK_Meta_L, XK_Meta_R };

    for (size_t i = 0; i < countof(symbols); i++) {
        KeyCode code = XKeysymToKeycode(desktop->display, symbols[i]);

        if (code)
            bit_put(desktop->input->shortcuts, code, true);
    }
}

static void make_input(struct x11_desktop *desktop)
{
    Display *display = desktop->display;
    struct x11_input *input = mem_zero(sizeof *input);

    desktop->input = input;
    input->escape = XKeysymToKeycode(display, XK_Escape);
    input->insert = XKeysymToKeycode(display, XK_Insert);
    input->controls[0] = XKeysymToKeycode(display, XK_Control_L);
    input->controls[1] = XKeysymToKeycode(display, XK_Control_R);
    input->alts[0] = XKeysymToKeycode(display, XK_Alt_L);
    input->alts[1] = XKeysymToKeycode(display, XK_Alt_R);
    find_shortcut_keys(desktop);
    raw_keys_select(desktop);
    keymap_select(desktop);
    emergency_open();
}

void x11_input_free(struct x11_desktop *desktop)
{
    if (!desktop->input)
        return;
    if (!desktop->dead) {
        release_new(desktop, NULL, NULL);
        keymap_restore(desktop);
    }
    effects_free(&desktop->input->effects);
    keymap_free(desktop->input->map);
    free(desktop->input);
    desktop->input = NULL;
}

static bool begin_input(struct x11_desktop *desktop, struct deadline *deadline, struct error *err)
{
    const xcb_query_extension_reply_t *there;

    if (!x11_begin(desktop, deadline, err))
        return false;
    if (desktop->input)
        return true;
    there = xcb_get_extension_data(desktop->xcb, &xcb_test_id);
    if (!there || !there->present)
        return xcb_connection_has_error(desktop->xcb)
                   ? x11_lost(desktop, err)
                   : error_set(err, "not_supported",
                               "this X server has no XTEST extension, which input needs");
    make_input(desktop);
    xcb_test_grab_control(desktop->xcb, 1); /* also works while another client grabs the server */
    return true;
}

static void on_panic(struct desktop *handle, void (*hit)(void *arg), void *arg)
{
    struct x11_desktop *desktop = x11_of(handle);

    if (!desktop->input)
        make_input(desktop);
    desktop->input->panic = hit;
    desktop->input->panic_arg = arg;
    XFlush(desktop->display);
}

/* --- the holder of pointer or keyboard ---------------------------------------------- */

enum {
    RELEASE_MS = 300, /* for the holder of the pointer or the keyboard to react to input */
    MOMENT_MS = 40,   /* a window manager holds the pointer while it looks at a click */
    CLICK_MS = 300,   /* ... keys would overtake the click, so they wait longer, for a busy machine.
                         An open menu also holds the keyboard: keys do not wait so long for its end */
};

static bool is_text(enum input_kind kind)
{
    return kind == INPUT_TEXT || kind == INPUT_PASTE;
}

static bool is_keyboard(enum input_kind kind)
{
    return is_text(kind) || kind == INPUT_KEYS || kind == INPUT_KEY_DOWN || kind == INPUT_KEY_UP;
}

static bool holds_button(const struct x11_input *input)
{
    for (int i = 0; i < 32; i++) {
        if (input->buttons[i])
            return true;
    }
    return false;
}

/* Names an open popup: a menu takes keys as no text, and answers pings all the same. Some hold
 * nothing (Firefox), some hold the pointer alone (Chromium), and some come while the keys are on
 * their way. */
static bool note_popup(struct x11_desktop *desktop, struct input_outcome *out)
{
    Window popup = popup_of_receiver(desktop, &desktop->input->effects.known);

    if (popup) {
        desktop->input->menu_due = 0;
        popup_name(desktop, popup, out->open);
    } else if (deadline_now() < desktop->input->menu_due) {
        snprintf(out->open, sizeof out->open, "a menu that the right click opens");
    }
    return popup != None;
}

/* Concludes whether text arrived. A popup that is open now is named before an earlier one. */
static bool conclude_text(struct x11_desktop *desktop, struct deadline *deadline,
                          struct input_outcome *out, struct error *err)
{
    if (!click_popup_look(desktop, deadline, out, err))
        return false;
    out->still_open = note_popup(desktop, out);
    if (*out->seen.holder) {
        out->still_open = true;
        snprintf(out->open, sizeof out->open, "%s", out->seen.holder);
    }
    out->settled = out->settled && !*out->open;
    return true;
}

/* Finds out which application gets the keys, before they are sent. A window manager may still be
 * looking at the last click. */
static bool look_who_gets_it(struct x11_desktop *desktop, struct deadline *deadline,
                             const struct input *what, struct grabs *before,
                             struct input_outcome *out, struct error *err)
{
    struct x11_input *input = desktop->input;
    bool moment = input->clicked && before->pointer && !holds_button(input);
    bool held;

    input->clicked = 0;
    if (moment &&
        !grab_await_end(desktop, deadline, before->keyboard ? MOMENT_MS : CLICK_MS, before, err))
        return false;
    input->diverted = before->keyboard;
    held = is_text(what->kind) && before->pointer && !holds_button(input);
    if (!input->diverted && !held)
        return true;
    grab_find_holder(desktop, &input->holder);
    if (input->diverted)
        snprintf(out->seen.got_it, sizeof out->seen.got_it, "%s", input->holder.name);
    if (is_text(what->kind))
        snprintf(out->open, sizeof out->open, "%s", input->holder.name);
    return true;
}

/* Finds out what still holds the keyboard or the pointer afterwards: a popup takes a moment to
 * close, and input sent before is lost on it. */
static bool look_who_holds(struct x11_desktop *desktop, struct deadline *deadline,
                           struct grabs before, struct grabs after, struct input_outcome *out,
                           struct error *err)
{
    bool held = before.keyboard || before.pointer;
    struct grab_holder holder;

    if ((!after.keyboard && !after.pointer) || holds_button(desktop->input)) {
        out->seen.released = held && !after.keyboard && !after.pointer;
        return true;
    }
    if (!grab_await_end(desktop, deadline, held ? RELEASE_MS : MOMENT_MS, &after, err))
        return false;
    out->seen.released = held && !after.keyboard && !after.pointer;
    if (!after.keyboard && !after.pointer)
        return true;
    grab_find_holder(desktop, &holder);
    snprintf(out->seen.holder, sizeof out->seen.holder, "%s", holder.name);
    return true;
}

/* --- the door --------------------------------------------------------------------- */

static bool dispatch_input(struct x11_desktop *desktop, struct deadline *deadline,
                           const struct input *input, struct input_outcome *out, struct error *err)
{
    switch (input->kind) {
    case INPUT_TEXT:
        return x11_type(desktop, deadline, input, out, err);
    case INPUT_PASTE:
        return x11_paste(desktop, deadline, input, out, err);
    case INPUT_KEYS:
    case INPUT_KEY_DOWN:
    case INPUT_KEY_UP:
        return x11_chord(desktop, deadline, input, out, err);
    default:
        return x11_pointer(desktop, deadline, input, out, err);
    }
}

static bool send_keys(struct x11_desktop *desktop, struct deadline *deadline,
                      const struct input *input, struct input_outcome *out, struct error *err)
{
    struct grabs before = grab_answer(desktop, grab_ask(desktop)), after;
    struct grab_question asked;
    bool ok;

    if (!look_who_gets_it(desktop, deadline, input, &before, out, err) ||
        !dispatch_input(desktop, deadline, input, out, err))
        return false;
    asked = grab_ask(desktop);
    ok = x11_await_pointer(desktop, deadline, &out->pointer, err);
    after = grab_answer(desktop, asked);
    return ok && look_who_holds(desktop, deadline, before, after, out, err);
}

/* True if a window manager still looks at the last click: it is not waited for again. */
static bool still_looked_at(uint64_t clicked, struct grabs held)
{
    return clicked && deadline_now() < clicked + MOMENT_MS && held.pointer && !held.keyboard;
}

/* Asks about grabs before the input, and reads the answer behind it: one wait for all. If no client
 * held anything and no window has changed yet, the question is not asked again: then the holder of
 * the pointer is the window manager, for a moment, and keys that follow wait for that. */
static bool send_pointer(struct x11_desktop *desktop, struct deadline *deadline,
                         const struct input *what, struct input_outcome *out, struct error *err)
{
    struct x11_input *input = desktop->input;
    struct grab_question asked = grab_ask(desktop);
    uint64_t before_this = input->clicked, now = deadline_now();
    struct grabs before, after;

    if (!dispatch_input(desktop, deadline, what, out, err) ||
        !x11_await_pointer(desktop, deadline, &out->pointer, err)) {
        grab_drop(desktop, asked);
        return false;
    }
    before = grab_answer(desktop, asked);
    if (!x11_pump(desktop, err))
        return false;
    if (still_looked_at(before_this, before)) {
        before.pointer = false;
        now = before_this; /* a menu that holds the pointer is noticed after the same moment */
    }
    input->clicked = !before.keyboard && !before.pointer && input->effects.current ? now : 0;
    if (input->clicked)
        return true;
    after = grab_answer(desktop, grab_ask(desktop));
    return look_who_holds(desktop, deadline, before, after, out, err);
}

/* True if an input method could turn the input into something else. */
static bool is_for_method(const struct input *input)
{
    if (input->kind == INPUT_KEYS)
        return input->chord.key == KEY_CHARACTER && !input->chord.modifiers;
    return input->kind == INPUT_TEXT || (input->kind == INPUT_PASTE && input->typed);
}

/* Typed text and plain keys take nothing from the clipboard. A click may, in a menu. */
static bool may_read_clipboard(const struct input *input)
{
    switch (input->kind) {
    case INPUT_TEXT:
    case INPUT_KEY_UP:
    case INPUT_MOVE:
    case INPUT_SCROLL:
    case INPUT_DROP:
        return false;
    case INPUT_KEYS:
    case INPUT_KEY_DOWN:
        return input->chord.modifiers || input->chord.key == KEY_INSERT;
    default:
        return true;
    }
}

/* Waits until the last paste was inserted, if this input may paste something else. */
static bool end_paste_before(struct x11_desktop *desktop, struct deadline *deadline,
                             const struct input *input, struct error *err)
{
    if (!may_read_clipboard(input))
        return true;
    if (!x11_clipboard_await_calm(desktop, deadline, err))
        return false;
    x11_clipboard_end_late(desktop);
    return true;
}

static bool send_input(struct desktop *handle, struct deadline *deadline, const struct input *input,
                       struct input_outcome *out, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);
    uint8_t keys[32], buttons[32];
    bool ok;

    *out = (struct input_outcome){ .route = "xtest" };
    if (input->count < 0 || input->count > INPUT_COUNT_MAX)
        return error_set(err, "bad_count", "a count of %d is out of range. Use 1 to %d",
                         input->count, INPUT_COUNT_MAX);
    if (!begin_input(desktop, deadline, err) || !desktop->input ||
        !end_paste_before(desktop, deadline, input, err))
        return false;
    memcpy(keys, desktop->input->keys, sizeof keys);
    memcpy(buttons, desktop->input->buttons, sizeof buttons);
    desktop->input->sent = 0;
    desktop->input->aimed = desktop->input->diverted = false;
    if (is_for_method(input))
        bus_input_method(out->seen.method, sizeof out->seen.method);
    effects_begin(desktop, &desktop->input->effects, &out->seen.late);
    if (deadline_now() >= desktop->input->popup_due)
        desktop->input->popup_due = 0;
    if (is_text(input->kind))
        note_popup(desktop, out);
    ok =
        (is_keyboard(input->kind) ? send_keys : send_pointer)(desktop, deadline, input, out, err) &&
        effects_end(desktop, deadline, &desktop->input->effects, out, err);
    if (out->seen.released) /* the menu has come and gone */
        desktop->input->menu_due = 0;
    ok = ok && (!is_text(input->kind) || conclude_text(desktop, deadline, out, err));
    out->sent = desktop->input->sent;
    if (!ok) {
        if (input->kind == INPUT_PASTE && out->characters)
            paste_timed_out(err);
        release_new(desktop, keys, buttons);
        return false;
    }
    return desktop->dead ? x11_lost(desktop, err) : true;
}

static bool settle_input(struct desktop *handle, struct deadline *deadline, uint64_t ms,
                         bool *settled, struct error *err)
{
    struct x11_desktop *desktop = x11_of(handle);

    *settled = false;
    if (!begin_input(desktop, deadline, err) || !desktop->input)
        return false;
    desktop->input->diverted = false;
    return x11_settle(desktop, deadline, ms, settled, err);
}

const struct input_ops x11_input_ops = { send_input, release_all, emergency_release, on_panic,
                                         settle_input };
