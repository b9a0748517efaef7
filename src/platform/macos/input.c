/* Input: the keys and buttons that are held down, and one entry for all kinds of input.
 *
 * CGEvent (developer.apple.com/documentation/coregraphics/quartz_event_services). Posting has no
 * answer: `settled` stays false here, and a caller that needs to know looks at the application. */
#include <Carbon/Carbon.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/macos/connection.h"
#include "platform/macos/front.h"
#include "platform/macos/guard.h"
#include "platform/macos/input.h"
#include "platform/macos/system/appkit.h"
#include "platform/macos/system/cf.h"
#include "platform/macos/system/permission.h"
#include "platform/macos/system/process.h"
#include "platform/macos/tap.h"

/* Keys that are down, for all connections: a handler of fatal signals lets go of them. */
static _Atomic unsigned char held_keys[KEYCODES];
static _Atomic unsigned held_buttons;

void input_held(bool button, unsigned code, bool down)
{
    if (!button && code < KEYCODES)
        held_keys[code] = down;
    else if (button && code <= BUTTON_FORWARD)
        held_buttons = (held_buttons & ~(1u << code)) | (down ? 1u << code : 0);
}

static void note_held(bool button, unsigned code, bool down)
{
    input_held(button, code, down);
    guard_note(button, code, down);
}

void input_post(struct macos_input *input, CGEventRef event)
{
    if (!event)
        return;
    CGEventPost(kCGHIDEventTap, event);
    CFRelease(event);
    input->sent++;
}

/* The flags that the keyboard's own events have besides modifiers. None when a key goes up: the
 * flags of the last event stay with the system, and Fn would look held. */
static CGEventFlags flags_of(unsigned code, bool down)
{
    static const unsigned char functions[] = {
        kVK_F1,       kVK_F2,
        kVK_F3,       kVK_F4,
        kVK_F5,       kVK_F6,
        kVK_F7,       kVK_F8,
        kVK_F9,       kVK_F10,
        kVK_F11,      kVK_F12,
        kVK_F13,      kVK_F14,
        kVK_F15,      kVK_F16,
        kVK_F17,      kVK_F18,
        kVK_F19,      kVK_F20,
        kVK_Help,     kVK_Home,
        kVK_End,      kVK_PageUp,
        kVK_PageDown, kVK_ForwardDelete,
    };

    if (!down)
        return 0;
    if (code >= kVK_LeftArrow && code <= kVK_UpArrow)
        return kCGEventFlagMaskSecondaryFn | kCGEventFlagMaskNumericPad;
    if (code == kVK_ANSI_KeypadEnter || code == kVK_ANSI_KeypadClear)
        return kCGEventFlagMaskNumericPad;
    return memchr(functions, (int)code, sizeof functions) ? kCGEventFlagMaskSecondaryFn : 0;
}

void input_key(struct macos_input *input, unsigned code, bool down)
{
    CGEventRef event = CGEventCreateKeyboardEvent(input->source, (CGKeyCode)code, down);

    if (code < KEYCODES) {
        input->keys[code] = down;
        note_held(false, code, down);
    }
    if (event)
        CGEventSetFlags(event, input->flags | flags_of(code, down));
    input_post(input, event);
}

/* --- buttons and the pointer ----------------------------------------------------------- */

static CGMouseButton button_of(enum input_button button)
{
    switch (button) {
    case BUTTON_LEFT:
        return kCGMouseButtonLeft;
    case BUTTON_RIGHT:
        return kCGMouseButtonRight;
    case BUTTON_MIDDLE:
        return kCGMouseButtonCenter;
    default:
        return (CGMouseButton)button; /* back is 3, forward is 4, as in our enum */
    }
}

static CGEventType type_of(enum input_button button, bool down)
{
    if (button == BUTTON_LEFT)
        return down ? kCGEventLeftMouseDown : kCGEventLeftMouseUp;
    if (button == BUTTON_RIGHT)
        return down ? kCGEventRightMouseDown : kCGEventRightMouseUp;
    return down ? kCGEventOtherMouseDown : kCGEventOtherMouseUp;
}

void input_button(struct macos_input *input, enum input_button button, bool down, int64_t clicks)
{
    CGEventRef event = CGEventCreateMouseEvent(input->source, type_of(button, down), input->pointer,
                                               button_of(button));

    if (down)
        input->buttons |= 1u << button;
    else
        input->buttons &= ~(1u << button);
    note_held(true, button, down);
    if (event) {
        CGEventSetIntegerValueField(event, kCGMouseEventClickState, clicks);
        CGEventSetFlags(event, input->flags);
    }
    input_post(input, event);
}

/* Moves the pointer. A move while a button is down has the type of a drag, or applications see no
 * drag. */
void input_pointer(struct macos_input *input, CGPoint at)
{
    CGEventType type = kCGEventMouseMoved;
    enum input_button button = BUTTON_LEFT;
    CGEventRef event;

    if (input->buttons & 1u << BUTTON_LEFT) {
        type = kCGEventLeftMouseDragged;
    } else if (input->buttons & 1u << BUTTON_RIGHT) {
        type = kCGEventRightMouseDragged;
        button = BUTTON_RIGHT;
    } else if (input->buttons) {
        type = kCGEventOtherMouseDragged;
        button = BUTTON_MIDDLE;
    }
    event = CGEventCreateMouseEvent(input->source, type, at, button_of(button));
    if (event) {
        CGEventSetIntegerValueField(event, kCGMouseEventDeltaX, (int64_t)(at.x - input->pointer.x));
        CGEventSetIntegerValueField(event, kCGMouseEventDeltaY, (int64_t)(at.y - input->pointer.y));
        CGEventSetFlags(event, input->flags);
    }
    input->pointer = at;
    input_post(input, event);
}

CGPoint input_pointer_now(void)
{
    CGEventRef event = CGEventCreate(NULL);
    CGPoint at = event ? CGEventGetLocation(event) : CGPointMake(0, 0);

    cf_release(event);
    return at;
}

/* --- letting go -------------------------------------------------------------------------- */

struct held_keys {
    bool keys[KEYCODES];
    unsigned buttons;
};

/* Lets go of the keys and buttons that are down now and were not before. */
static void release_new_keys(struct macos_input *input, const struct held_keys *before)
{
    for (int button = BUTTON_LEFT; button <= BUTTON_FORWARD; button++) {
        if ((input->buttons & ~before->buttons) >> button & 1)
            input_button(input, (enum input_button)button, false, 1);
    }
    for (unsigned code = 0; code < KEYCODES; code++) {
        if (!input->keys[code] || before->keys[code])
            continue;
        input->keys[code] = false;
        input->flags = input_flags(input); /* without the modifiers that go up */
        input_key(input, code, false);
    }
}

static void release_all(struct desktop *handle)
{
    struct macos_desktop *desktop = macos_of(handle);
    if (desktop->input)
        release_new_keys(desktop->input, &(struct held_keys){ .buttons = 0 });
}

/* Lets go of keys in a signal handler, where no system function is safe in every case: if it hangs
 * or crashes, the process was about to end anyway, and a key that stays down outlives the
 * process. */
void input_release_in_signal(void)
{
    struct macos_input none = { .sent = 0 };

    for (unsigned code = 0; code < KEYCODES; code++) {
        if (held_keys[code])
            input_post(&none, CGEventCreateKeyboardEvent(NULL, (CGKeyCode)code, false));
    }
    for (int i = BUTTON_LEFT; i <= BUTTON_FORWARD; i++) {
        enum input_button button = (enum input_button)i;

        if (held_buttons >> i & 1)
            input_post(&none, CGEventCreateMouseEvent(NULL, type_of(button, false),
                                                      input_pointer_now(), button_of(button)));
    }
}

/* --- lifetime ----------------------------------------------------------------------------- */

static struct macos_input *input_get(struct macos_desktop *desktop)
{
    if (!desktop->input) {
        desktop->input = mem_zero(sizeof *desktop->input);
        desktop->input->source = CGEventSourceCreate(kCGEventSourceStateHIDSystemState);
        desktop->input->pointer = input_pointer_now();
    }
    return desktop->input;
}

void macos_input_free(struct macos_desktop *desktop)
{
    if (!desktop->input)
        return;
    if (!desktop->dead)
        release_new_keys(desktop->input, &(struct held_keys){ .buttons = 0 });
    tap_end(desktop->input->panic);
    cf_release(desktop->input->source);
    free(desktop->input);
    desktop->input = NULL;
}

static void on_key(void *arg, CGEventType type, CGEventRef event)
{
    const CGEventFlags both = kCGEventFlagMaskControl | kCGEventFlagMaskAlternate;
    const struct macos_input *input = arg;

    if (type == kCGEventKeyDown &&
        CGEventGetIntegerValueField(event, kCGKeyboardEventKeycode) == kVK_Escape &&
        (CGEventGetFlags(event) & both) == both)
        input->hit(input->hit_arg);
}

/* Listens for the panic key, unless it does already. It may have been refused before: the
 * permission comes late in a program's life, or never. */
static void listen_for_panic(struct macos_input *input)
{
    if (input->hit && !input->panic)
        input->panic = tap_listen(CGEventMaskBit(kCGEventKeyDown), on_key, input);
}

static void watch_for_panic(struct desktop *handle, void (*hit)(void *arg), void *arg)
{
    struct macos_desktop *desktop = macos_of(handle);
    struct macos_input *input = input_get(desktop);

    tap_end(input->panic);
    input->panic = NULL;
    input->hit = hit;
    input->hit_arg = arg;
    listen_for_panic(input);
}

/* False with "secure_input", which names the process that holds it: macOS hides and may drop keys
 * then. */
static bool keys_open(struct error *err)
{
    CFDictionaryRef session;
    long long pid;
    char *path;

    if (!IsSecureEventInputEnabled())
        return true;
    session = CGSessionCopyCurrentDictionary();
    pid = session ? cf_number(session, CFSTR("kCGSSessionSecureInputPID"), 0) : 0;
    cf_release(session);
    path = process_path((int)pid);
    error_set(err, "secure_input",
              "secure input is on, held by process %lld%s%.150s: a password field has the focus, "
              "or an application did not turn it off. Keys would not arrive. Leave the field, or "
              "quit that application",
              pid, *path ? ", " : "", path);
    free(path);
    return false;
}

/* --- the door ------------------------------------------------------------------------------- */

static bool text_may_go(const struct input *what, struct error *err)
{
    if (!input_text_ok(what->text, err) || !keys_open(err))
        return false;
    return front_pid() || error_set(err, "no_focus",
                                    "no application has keyboard focus, so the text would be "
                                    "lost. Activate an application first");
}

static bool dispatch_input(struct macos_desktop *desktop, struct deadline *deadline,
                           const struct input *what, struct input_outcome *out, struct error *err)
{
    switch (what->kind) {
    case INPUT_TEXT:
        return text_may_go(what, err) && macos_type(desktop, deadline, what, out, err);
    case INPUT_PASTE:
        return text_may_go(what, err) && macos_paste(desktop, deadline, what, out, err);
    case INPUT_KEYS:
    case INPUT_KEY_DOWN:
        return keys_open(err) && macos_chord(desktop, deadline, what, err);
    case INPUT_KEY_UP:
        return macos_chord(desktop, deadline, what, err);
    case INPUT_DROP:
        return error_set(err, "not_supported",
                         "files cannot be dropped on macOS, where a drag starts in a window of the "
                         "dragging program. Use open_application with files, or write_clipboard "
                         "with files and paste them");
    default:
        return macos_pointer(desktop, deadline, what, err);
    }
}

static bool send_input(struct desktop *handle, struct deadline *deadline, const struct input *what,
                       struct input_outcome *out, struct error *err)
{
    struct macos_desktop *desktop = macos_of(handle);
    struct macos_input *input;
    struct held_keys before;
    bool ok;

    *out = (struct input_outcome){ .route = "cgevent" };
    if (what->count < 0 || what->count > INPUT_COUNT_MAX)
        return error_set(err, "bad_count", "a count of %d is out of range. Use 1 to %d",
                         what->count, INPUT_COUNT_MAX);
    if (!macos_begin(desktop, deadline, err) || !permission_granted(PERMISSION_ACCESSIBILITY, err))
        return false;
    input = input_get(desktop);
    listen_for_panic(input);
    memcpy(before.keys, input->keys, sizeof before.keys);
    before.buttons = input->buttons;
    input->sent = 0;
    input->pointer = input_pointer_now();
    ok = dispatch_input(desktop, deadline, what, out, err);
    if (!ok)
        release_new_keys(input, &before);
    out->sent = input->sent;
    out->pointer = (struct point){ input->pointer.x, input->pointer.y };
    return ok;
}

const struct input_ops macos_input_ops = { send_input, release_all, input_release_in_signal,
                                           watch_for_panic, NULL };
