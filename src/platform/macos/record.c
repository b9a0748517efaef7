/* Input of everybody, by an event tap. While a field for passwords has the keyboard, the system
 * reports no keys to it. */
#include <errno.h>
#include <poll.h>
#include <uv.h>

#include "platform/macos/input.h"
#include "platform/macos/system/permission.h"
#include "platform/macos/tap.h"
#include "platform/macos/watch.h"

/* Keys and modifiers, the wheel, buttons: the bits of kCGEvent*. */
enum { KEYS = 7 << kCGEventKeyDown, WHEEL = 1 << kCGEventScrollWheel };
enum { BUTTONS = 15 << kCGEventLeftMouseDown | 3 << kCGEventOtherMouseDown };

static void on_input(void *arg, CGEventType type, CGEventRef event)
{
    const struct watch_told *told = arg; /* any thread may call it */
    CGPoint at = CGEventGetLocation(event);
    CGEventField field = 1 << type & KEYS    ? kCGKeyboardEventKeycode
                         : 1 << type & WHEEL ? kCGScrollWheelEventDeltaAxis1
                                             : kCGMouseEventButtonNumber;
    struct watch_event news = { .what = WATCH_INPUT_CAME,
                                .at = uv_hrtime(),
                                .input = { .type = type,
                                           .state = (unsigned)CGEventGetFlags(event),
                                           .code = (int)CGEventGetIntegerValueField(event, field),
                                           .at = { at.x, at.y } } };
    UniCharCount count = 0;
    UniChar text[4];

    if (field == kCGKeyboardEventKeycode) {
        news.input.plain = keys_character((unsigned)news.input.code);
        CGEventKeyboardGetUnicodeString(event, countof(text), &count, text);
        news.input.typed = count == 1 ? text[0] : 0;
    }
    told->event(told->arg, &news);
}

bool macos_record(struct desktop *handle, int wake_fd, const struct watch_told *told,
                  struct error *err)
{
    struct pollfd fd = { .fd = wake_fd, .events = POLLIN };
    struct tap *tap = tap_listen(KEYS | WHEEL | BUTTONS, on_input, (void *)(uintptr_t)told);

    (void)handle;
    if (!tap)
        return permission_denied(PERMISSION_ACCESSIBILITY, err);
    told->begun(told->arg);
    while (poll(&fd, 1, -1) < 0 && errno == EINTR)
        ;
    tap_end(tap);
    return true;
}
