/* Events that are posted, and their effects on the fake desktop.
 *
 * The fake is told in its own words: a button that goes up where it went down was a click, else a
 * drag; a key with modifiers down is a chord; a key with characters is text. */
#include <Carbon/Carbon.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "json/utf8.h"
#include "platform/deadline.h"
#include "platform/macos/system/appkit.h"
#include "platform/watch.h"
#include "sim.h"

static struct {
    bool down;
    CGPoint from, last;
    CGEventFlags flags;
    bool secure, cyrillic, listens;
} state;

void sim_cyrillic_layout(bool on)
{
    state.cyrillic = on;
}

void sim_secure_input(bool on)
{
    state.secure = on;
    state.down = false;
    state.flags = 0;
}

Boolean IsSecureEventInputEnabled(void)
{
    return state.secure;
}

CFTimeInterval CGEventSourceSecondsSinceLastEventType(CGEventSourceStateID id, CGEventType type)
{
    uint64_t ms = 0;

    if (id != kCGEventSourceStateCombinedSessionState || type != kCGAnyInputEventType)
        abort();
    perigee_fake.watch->idle(sim_desktop(), sim_deadline(), &ms, NULL);
    return (double)ms / 1000;
}

/* --- making --------------------------------------------------------------------------------- */

CGEventSourceRef CGEventSourceCreate(CGEventSourceStateID id)
{
    (void)id;
    return (CGEventSourceRef)sim_object(SIM_OTHER);
}

static int late;
static CGPoint was;

static CGPoint pointer(void)
{
    struct point at = { 0, 0 };

    if (late-- > 0)
        return was;
    late = 0;

    if (sim_desktop())
        perigee_fake.displays->cursor(sim_desktop(), sim_deadline(), &at, NULL);
    return CGPointMake(at.x, at.y);
}

void sim_late_pointer(int questions)
{
    late = 0;
    was = pointer();
    late = questions;
}

static struct sim_object *new_event(CGEventType type)
{
    struct sim_object *object = sim_object(SIM_EVENT);

    object->event.type = type;
    object->event.clicks = 1;
    return object;
}

CGEventRef CGEventCreate(CGEventSourceRef source)
{
    struct sim_object *object = new_event(0);

    (void)source;
    object->event.at = pointer();
    return (CGEventRef)object;
}

CGEventRef CGEventCreateKeyboardEvent(CGEventSourceRef source, CGKeyCode key, bool down)
{
    struct sim_object *object = new_event(kCGEventKeyDown);

    (void)source;
    object->event.key = key;
    object->event.down = down;
    return (CGEventRef)object;
}

CGEventRef CGEventCreateMouseEvent(CGEventSourceRef source, CGEventType type, CGPoint at,
                                   CGMouseButton button)
{
    struct sim_object *object = new_event(type);

    (void)source;
    object->event.at = at;
    object->event.button = button;
    return (CGEventRef)object;
}

CGEventRef CGEventCreateScrollWheelEvent2(CGEventSourceRef source, CGScrollEventUnit unit,
                                          uint32_t wheels, int32_t one, int32_t two, int32_t three)
{
    struct sim_object *object = new_event(22); /* kCGEventScrollWheel */

    (void)source;
    (void)three;
    if (wheels != 2)
        abort();
    object->event.down = unit == kCGScrollEventUnitPixel;
    object->event.lines[0] = one;
    object->event.lines[1] = two;
    object->event.at = pointer();
    return (CGEventRef)object;
}

void CGEventSetLocation(CGEventRef event, CGPoint at)
{
    sim_of(event)->event.at = at;
}

CGPoint CGEventGetLocation(CGEventRef event)
{
    return sim_of(event)->event.at;
}

CGEventFlags CGEventGetFlags(CGEventRef event)
{
    return sim_of(event)->event.flags;
}

void CGEventSetFlags(CGEventRef event, CGEventFlags flags)
{
    sim_of(event)->event.flags = flags;
}

int64_t CGEventGetIntegerValueField(CGEventRef event, CGEventField field)
{
    const struct sim_event *of = &sim_of(event)->event;

    return field == kCGKeyboardEventKeycode         ? (int64_t)of->key
           : field == kCGMouseEventButtonNumber     ? (int64_t)of->button
           : field == kCGScrollWheelEventDeltaAxis1 ? of->lines[0]
                                                    : 0;
}

void CGEventSetIntegerValueField(CGEventRef event, CGEventField field, int64_t value)
{
    if (field == kCGMouseEventClickState)
        sim_of(event)->event.clicks = value;
}

void CGEventKeyboardGetUnicodeString(CGEventRef event, UniCharCount max, UniCharCount *count,
                                     UniChar *text)
{
    const struct buf *from = &sim_of(event)->event.text;
    int size;

    *count = 0;
    for (size_t at = 0; at < from->len && *count < max; at += (size_t)size) {
        size = utf8_sequence(from->data + at, from->data + from->len);
        text[(*count)++] = (UniChar)utf8_decode(from->data + at, size);
    }
}

/* macOS keeps at most 20 units, so the caller must not pass more, or cut a pair. */
void CGEventKeyboardSetUnicodeString(CGEventRef event, UniCharCount count, const UniChar *text)
{
    struct buf *out = &sim_of(event)->event.text;
    char bytes[4];

    if (count > 20)
        abort();
    for (UniCharCount i = 0; i < count; i++) {
        uint32_t point = text[i];

        if (point >= 0xd800 && point < 0xdc00) {
            if (i + 1 >= count)
                abort();
            point = 0x10000 + ((point - 0xd800) << 10) + (text[++i] - 0xdc00u);
        }
        buf_add(out, bytes, utf8_encode(bytes, point));
    }
}

/* --- posting --------------------------------------------------------------------------------- */

static void tell(const struct input *input)
{
    struct input_outcome out;

    perigee_fake.input->send(sim_desktop(), sim_deadline(), input, &out, NULL);
}

static unsigned modifiers_of(CGEventFlags flags)
{
    return (flags & kCGEventFlagMaskShift ? MOD_SHIFT : 0u) |
           (flags & kCGEventFlagMaskControl ? MOD_CTRL : 0u) |
           (flags & kCGEventFlagMaskAlternate ? MOD_ALT : 0u) |
           (flags & kCGEventFlagMaskCommand ? MOD_META : 0u);
}

static unsigned modifier_of_key(unsigned key)
{
    switch (key) {
    case kVK_Shift:
        return MOD_SHIFT;
    case kVK_Control:
        return MOD_CTRL;
    case kVK_Option:
        return MOD_ALT;
    case kVK_Command:
        return MOD_META;
    default:
        return 0;
    }
}

/* The key's name; with Shift alone, the character it makes. */
void sim_name_key(unsigned key, struct chord *chord)
{
    bool shift = chord->modifiers == MOD_SHIFT;
    UniChar text[4] = { 0 };
    UniCharCount count = 0;
    UInt32 dead = 0;

    UCKeyTranslate(NULL, (UInt16)key, kUCKeyActionDown, shift ? (UInt32)shiftKey >> 8 : 0, 0, 0,
                   &dead, 4, &count, text);
    if (count && shift)
        chord->modifiers = 0;
    chord->key = count               ? KEY_CHARACTER
                 : key == kVK_F5     ? (enum key)(KEY_F1 + 4)
                 : key == kVK_Escape ? KEY_ESCAPE
                                     : KEY_HELP;
    chord->point = text[0];
}

static struct {
    CGEventFlags flags[2]; /* those of the last key that is not a modifier: up, down */
    int media[32];         /* presses, by number */
    uint64_t text_at, text_pause;
} posted;

CGEventFlags sim_flags(bool down)
{
    return posted.flags[down];
}

int sim_media_keys(int key)
{
    return posted.media[key];
}

bool appkit_media_key(int key, bool down)
{
    posted.media[key] += down;
    return true;
}

uint64_t sim_text_pause(void)
{
    return posted.text_pause;
}

/* Ends the test if an event begins within a character. Notes the shortest pause between events. */
static void check_text(const struct sim_event *event)
{
    const char *text = event->text.data, *end = text + event->text.len;
    uint32_t point = utf8_decode(text, utf8_sequence(text, end));
    uint64_t now = deadline_now();

    if (sim_continues(0, point)) {
        fprintf(stderr, "sim: an event begins within a character\n");
        abort();
    }
    if (posted.text_at && now - posted.text_at < posted.text_pause)
        posted.text_pause = now - posted.text_at;
    posted.text_at = now;
}

void sim_forget_text(void)
{
    posted.text_at = 0;
    posted.text_pause = UINT64_MAX;
}

static void post_key(const struct sim_event *event)
{
    unsigned modifier = modifier_of_key(event->key);
    struct input input = { .kind = event->down ? INPUT_KEY_DOWN : INPUT_KEY_UP,
                           .chord = { .modifiers = modifier, .key = KEY_NONE } };

    if (modifier) {
        tell(&input);
        return;
    }
    posted.flags[event->down] = event->flags;
    if (!event->down)
        return;
    if (event->text.len) {
        check_text(event);
        tell(&(struct input){ .kind = INPUT_TEXT, .text = buf_str(&event->text) });
        return;
    }
    input.kind = INPUT_KEYS;
    input.chord.modifiers = modifiers_of(event->flags);
    if (event->key == kVK_Return || event->key == kVK_Tab) {
        input.chord.key = event->key == kVK_Tab ? KEY_TAB : KEY_RETURN;
    } else {
        sim_name_key(event->key, &input.chord);
    }
    if (input.chord.modifiers == MOD_META && input.chord.key == KEY_CHARACTER)
        input.chord.modifiers = MOD_CTRL; /* the fake's editors know Ctrl in place of Command */
    tell(&input);
}

static enum input_button button_of(unsigned button)
{
    return button == kCGMouseButtonRight    ? BUTTON_RIGHT
           : button == kCGMouseButtonCenter ? BUTTON_MIDDLE
                                            : (enum input_button)button;
}

static void post_release(const struct sim_event *event, struct input *input)
{
    struct point path[2] = { { state.from.x, state.from.y }, { event->at.x, event->at.y } };

    input->kind = INPUT_RELEASE;
    tell(input);
    if (path[0].x == path[1].x && path[0].y == path[1].y) {
        input->kind = INPUT_CLICK;
        input->count = (int)event->clicks;
    } else {
        input->kind = INPUT_DRAG;
        input->path = path;
        input->path_count = 2;
    }
    if (state.down)
        tell(input);
    state.down = false;
}

static void post_mouse(const struct sim_event *event)
{
    struct input input = { .kind = INPUT_MOVE,
                           .at = { event->at.x, event->at.y },
                           .button = button_of(event->button) };

    switch (event->type) {
    case kCGEventLeftMouseDown:
    case kCGEventRightMouseDown:
    case kCGEventOtherMouseDown:
        state.down = true;
        state.from = event->at;
        input.kind = INPUT_PRESS;
        tell(&input);
        break;
    case kCGEventLeftMouseUp:
    case kCGEventRightMouseUp:
    case kCGEventOtherMouseUp:
        post_release(event, &input);
        break;
    case 22: /* at the event's place: the pointer's when the event was made */
        input.kind = INPUT_MOVE;
        tell(&input);
        input.kind = INPUT_SCROLL;
        input.here = true;
        input.lines = (struct point){ -event->lines[1], -event->lines[0] };
        input.pixels = event->down;
        tell(&input);
        break;
    default:
        tell(&input);
    }
}

void CGEventPost(CGEventTapLocation tap, CGEventRef event)
{
    (void)tap;
    if (!sim_desktop())
        return;
    if (sim_of(event)->event.type == kCGEventKeyDown)
        post_key(&sim_of(event)->event);
    else
        post_mouse(&sim_of(event)->event);
}

/* --- the keyboard: an ANSI one with the layout of the United States --------------------------- */

static const char plain[51] = "asdfhgzxcv\0bqweryt123465=97-80]ou[ip\rlj'k;\\,/nm.\t `";
static const char shifted[51] = "ASDFHGZXCV\0BQWERYT!@#$^%+(&_*)}OU{IP\rLJ\"K:|<?NM>\t ~";

/* The table of a layout without Latin letters begins with 0. */
static const char cyrillic[51];

const CFStringRef kTISPropertyUnicodeKeyLayoutData = NULL;

static TISInputSourceRef copy_source(const char *table)
{
    sim_main_only("Text Input Sources");
    return sim_fake() ? (TISInputSourceRef)sim_data(table, sizeof plain) : NULL;
}

TISInputSourceRef TISCopyCurrentKeyboardLayoutInputSource(void)
{
    return copy_source(state.cyrillic ? cyrillic : plain);
}

TISInputSourceRef TISCopyCurrentASCIICapableKeyboardLayoutInputSource(void)
{
    return copy_source(plain);
}

void *TISGetInputSourceProperty(TISInputSourceRef source, CFStringRef key)
{
    (void)key;
    sim_main_only("Text Input Sources");
    return source; /* borrowed, as the property is */
}

UInt8 LMGetKbdType(void)
{
    return 40;
}

OSStatus UCKeyTranslate(const UCKeyboardLayout *layout, UInt16 code, UInt16 action,
                        UInt32 modifiers, UInt32 keyboard, OptionBits options, UInt32 *dead,
                        UniCharCount max, UniCharCount *count, UniChar *text)
{
    bool shift = modifiers & (UInt32)(shiftKey >> 8);

    const char *table = (const char *)(const void *)layout;

    (void)action;
    (void)keyboard;
    (void)options;
    *dead = 0;
    *count = 0;
    if (table && table[0] == '\0') {
        text[0] = (UniChar)((shift ? 0x410 : 0x430) + code % 32);
        *count = 1;
        return noErr;
    }
    if (code < sizeof plain && plain[code] && max > 0) {
        text[0] = (UniChar)(unsigned char)(shift ? shifted[code] : plain[code]);
        *count = 1;
    }
    return noErr;
}

/* --- taps: the fake says when the user presses the panic key, a test what else -----------------
 */

static struct {
    CGEventTapCallBack callback; /* NULL: none */
    CGEventMask events;
    CFMachPortRef port;
    void *info;
} taps[4];

void sim_input(struct sim_event event)
{
    struct sim_object object = { .type = SIM_EVENT, .refs = -1, .event = event };

    for (size_t i = 0; i < countof(taps); i++)
        if (taps[i].callback && taps[i].events & CGEventMaskBit(event.type))
            taps[i].callback(NULL, event.type, (CGEventRef)&object, taps[i].info);
}

static void on_panic(void *arg)
{
    (void)arg;
    sim_input((struct sim_event){
        .type = kCGEventKeyDown,
        .key = kVK_Escape,
        .flags = kCGEventFlagMaskControl | kCGEventFlagMaskAlternate,
    });
}

bool CGPreflightListenEventAccess(void)
{
    return state.listens;
}

void sim_input_monitoring(bool allowed)
{
    state.listens = allowed;
}

CFMachPortRef CGEventTapCreate(CGEventTapLocation where, CGEventTapPlacement place,
                               CGEventTapOptions options, CGEventMask events,
                               CGEventTapCallBack callback, void *info)
{
    (void)where;
    (void)place;
    if (!(options == kCGEventTapOptionListenOnly ? CGPreflightListenEventAccess()
                                                 : AXIsProcessTrusted())) {
        fprintf(stderr, "sim: macOS would ask the user for Input Monitoring\n");
        abort();
    }
    if (!(events & CGEventMaskBit(kCGEventKeyDown)))
        return NULL;
    for (size_t i = 0; i < countof(taps); i++) {
        if (taps[i].callback)
            continue;
        taps[i].callback = callback;
        taps[i].events = events;
        taps[i].info = info;
        taps[i].port = (CFMachPortRef)sim_object(SIM_OTHER);
        perigee_fake.input->on_panic(sim_desktop(), on_panic, NULL);
        return taps[i].port;
    }
    return NULL;
}

void CGEventTapEnable(CFMachPortRef port, bool on)
{
    (void)port;
    (void)on;
}

void CFMachPortInvalidate(CFMachPortRef port)
{
    for (size_t i = 0; i < countof(taps); i++)
        if (taps[i].port == port)
            taps[i].callback = NULL;
}

CFRunLoopSourceRef CFMachPortCreateRunLoopSource(CFAllocatorRef allocator, CFMachPortRef port,
                                                 CFIndex order)
{
    (void)allocator;
    (void)port;
    (void)order;
    return (CFRunLoopSourceRef)sim_object(SIM_OTHER);
}
