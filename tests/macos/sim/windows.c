/* The window server's list, and the accessibility of windows. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim.h"

#define CONSTANT(name)                                                                             \
    static char name##_text[] = #name;                                                             \
    static struct sim_object name##_object = {                                                     \
        .type = SIM_STRING, .refs = -1, .bytes = { .data = name##_text, .len = sizeof #name - 1 }  \
    };                                                                                             \
    const CFStringRef name = (CFStringRef)(const void *)&name##_object
CONSTANT(kCGWindowNumber);
CONSTANT(kCGWindowLayer);
CONSTANT(kCGWindowBounds);
CONSTANT(kCGWindowOwnerPID);
CONSTANT(kCGWindowOwnerName);
CONSTANT(kCGWindowName);
CONSTANT(kCGWindowIsOnscreen);

static uint64_t elsewhere;

void sim_elsewhere(uint64_t window)
{
    elsewhere = window;
}

/* --- the list ----------------------------------------------------------------------------- */

static bool list_windows(struct window_list *out)
{
    *out = (struct window_list){ 0 };
    return sim_desktop() &&
           perigee_fake.windows->list(sim_desktop(), sim_deadline(), NULL, out, NULL);
}

static CFDictionaryRef rect_dictionary(const struct rect *rect)
{
    CFDictionaryRef dictionary = sim_dictionary();

    sim_put(dictionary, CFSTR("X"), sim_number((long long)rect->x));
    sim_put(dictionary, CFSTR("Y"), sim_number((long long)rect->y));
    sim_put(dictionary, CFSTR("Width"), sim_number((long long)rect->width));
    sim_put(dictionary, CFSTR("Height"), sim_number((long long)rect->height));
    return dictionary;
}

static double member(CFDictionaryRef dictionary, CFStringRef key)
{
    return (double)sim_of(CFDictionaryGetValue(dictionary, key))->number;
}

bool CGRectMakeWithDictionaryRepresentation(CFDictionaryRef dictionary, CGRect *rect)
{
    *rect = CGRectMake(member(dictionary, CFSTR("X")), member(dictionary, CFSTR("Y")),
                       member(dictionary, CFSTR("Width")), member(dictionary, CFSTR("Height")));
    return true;
}

static CFDictionaryRef describe(const struct window_info *info)
{
    CFDictionaryRef entry = sim_dictionary();

    sim_put(entry, kCGWindowNumber, sim_number((long long)info->ref.id));
    sim_put(entry, kCGWindowLayer, sim_number(0));
    sim_put(entry, kCGWindowBounds, rect_dictionary(&info->frame));
    sim_put(entry, kCGWindowOwnerPID, sim_number(info->ref.pid));
    sim_put(entry, kCGWindowOwnerName, sim_string(info->app));
    if (!sim_denied(PERMISSION_SCREEN))
        sim_put(entry, kCGWindowName, sim_string(info->title));
    if (info->on_screen)
        sim_put(entry, kCGWindowIsOnscreen, CFRetain(kCFBooleanTrue));
    return entry;
}

CFArrayRef CGWindowListCopyWindowInfo(CGWindowListOption option, CGWindowID relative)
{
    struct window_list list;
    CFArrayRef entries;

    (void)relative;
    if (!list_windows(&list))
        return NULL;
    entries = sim_array();
    for (size_t i = 0; i < list.count; i++) {
        if (list.items[i].ref.id == elsewhere)
            list.items[i].on_screen = false;
        if (list.items[i].on_screen || !(option & kCGWindowListOptionOnScreenOnly))
            sim_append(entries, describe(&list.items[i]));
    }
    window_list_free(&list);
    return entries;
}

/* --- accessibility -------------------------------------------------------------------------- */

static struct {
    pthread_t thread;            /* the thread that asked first */
    _Atomic bool known, limited; /* limited: every question of this process has a time limit */
    _Atomic int unanswered, questions;
    bool no_activation, no_text, no_numbers;
    bool refuses; /* activateWithOptions: answers NO, and does nothing */
    int reopened; /* how often an application was opened again */
} ax;

static _Thread_local bool in_question; /* within one question for several attributes */

void sim_hide_text(bool hide)
{
    ax.no_text = hide;
}

static AXUIElementRef element(int pid, uint64_t window, bool close_button)
{
    struct sim_object *object = sim_object(SIM_ELEMENT);

    object->pid = pid;
    object->window = window;
    object->close_button = close_button;
    return (AXUIElementRef)(void *)object;
}

AXUIElementRef sim_element(int pid, uint64_t window, uint64_t node, bool menu)
{
    AXUIElementRef made = element(pid, window, false);

    sim_of(made)->node = node;
    sim_of(made)->menu = menu;
    return made;
}

int sim_unanswered(void)
{
    return ax.unanswered;
}

void sim_refuse_activation(bool refuse)
{
    ax.no_activation = refuse;
}

AXUIElementRef AXUIElementCreateApplication(pid_t pid)
{
    return element(pid, 0, false);
}

AXUIElementRef AXUIElementCreateSystemWide(void)
{
    return element(0, 0, false);
}

AXError AXUIElementGetPid(AXUIElementRef ref, pid_t *pid)
{
    *pid = sim_of(ref)->pid;
    return kAXErrorSuccess;
}

/* An element's own limit is not a limit of those that it leads to. */
AXError AXUIElementSetMessagingTimeout(AXUIElementRef ref, float seconds)
{
    if (sim_of(ref)->type != SIM_ELEMENT || seconds <= 0)
        return kAXErrorIllegalArgument;
    if (sim_of(ref)->pid == 0)
        ax.limited = true;
    sim_of(ref)->limit = seconds;
    return kAXErrorSuccess;
}

/* One thread asks windows, with the limit of the process; others give each element its own. */
static void check_thread(const struct sim_object *object)
{
    if (!ax.known && ax.limited && !object->limit)
        ax.thread = pthread_self();
    ax.known = ax.known || (ax.limited && !object->limit);
    if (object->limit || (ax.limited && pthread_equal(ax.thread, pthread_self())))
        return;
    fprintf(stderr, "sim: a question of accessibility %s\n",
            ax.limited ? "on another thread" : "without a time limit");
    abort();
}

static struct {
    int pid;
    unsigned ms;
} slow;

void sim_slow(int pid, unsigned ms)
{
    slow.pid = pid;
    slow.ms = ms;
}

/* True if there is an answer within the element's time limit; takes that time. If only the process
 * has a limit (1.5 s), it does not wait. */
static bool answers(const struct sim_object *object)
{
    unsigned limit = (unsigned)(object->limit * 1000), ms = 0;

    if (slow.ms && slow.pid == object->pid)
        ms = slow.ms;
    if (sim_hangs(object->pid))
        ms = object->limit < 1.4f ? limit + 1 : 0;
    if (ms)
        usleep((ms < limit ? ms : limit) * 1000);
    return !sim_hangs(object->pid) && ms <= limit && (!object->pid || sim_runs(object->pid));
}

AXError sim_ask(const struct sim_object *object)
{
    check_thread(object);
    if (sim_denied(PERMISSION_ACCESSIBILITY))
        return kAXErrorAPIDisabled;
    ax.questions += !in_question;
    if (in_question || answers(object))
        return kAXErrorSuccess;
    ax.unanswered++;
    return kAXErrorCannotComplete;
}

CFTypeID AXUIElementGetTypeID(void)
{
    return SIM_ELEMENT;
}

CFTypeID AXValueGetTypeID(void)
{
    return SIM_VALUE;
}

AXValueRef AXValueCreate(AXValueType type, const void *value)
{
    struct sim_object *object = sim_object(SIM_VALUE);

    object->number = type;
    memcpy(object->values, value, sizeof object->values);
    return (AXValueRef)(void *)object;
}

Boolean AXValueGetValue(AXValueRef value, AXValueType type, void *out)
{
    if (sim_of(value)->number != type)
        return false;
    memcpy(out, sim_of(value)->values, sizeof sim_of(value)->values);
    return true;
}

static bool is(CFStringRef attribute, CFStringRef name)
{
    return CFEqual(attribute, name);
}

static CFTypeRef windows_of(int pid)
{
    struct window_list list;
    CFArrayRef found = sim_array();

    if (list_windows(&list)) {
        for (size_t i = 0; i < list.count; i++) {
            if (list.items[i].ref.pid == pid && list.items[i].ref.id != elsewhere)
                sim_append(found, element(pid, list.items[i].ref.id, false));
        }
    }
    window_list_free(&list);
    return found;
}

static CFTypeRef focused_of(int pid)
{
    CFTypeRef found = NULL;
    struct window_list list;

    if (list_windows(&list)) {
        for (size_t i = 0; i < list.count; i++) {
            if (list.items[i].ref.pid == pid && list.items[i].focused)
                found = element(pid, list.items[i].ref.id, false);
        }
    }
    window_list_free(&list);
    return found;
}

/* The field with the keyboard, or the window around it. */
static CFTypeRef focused_element(int pid)
{
    struct element_field_query query = { 0 };
    struct element_field field;
    CFTypeRef found = NULL;

    if (perigee_fake.elements->field(sim_desktop(), sim_deadline(), &query, &field, NULL) &&
        field.finding == FIELD_FOUND && field.pid == pid)
        found = sim_element(pid, field.window, field.id, false);
    element_field_free(&field);
    return found ? found : focused_of(pid);
}

int sim_focused(void)
{
    struct window_list list;
    int pid = 0;

    if (list_windows(&list)) {
        for (size_t i = 0; i < list.count; i++)
            pid = list.items[i].focused ? list.items[i].ref.pid : pid;
    }
    window_list_free(&list);
    return pid;
}

static CFTypeRef application_in_front(void)
{
    int pid = sim_focused();

    return pid ? element(pid, 0, false) : NULL;
}

static CFTypeRef flag(bool on)
{
    return CFRetain(on ? kCFBooleanTrue : kCFBooleanFalse);
}

/* The cursor is at the end. */
static CFTypeRef text_length(uint64_t window)
{
    char *text = fake_text(sim_fake(), window);
    CFTypeRef length = sim_number(text ? (long long)strlen(text) : 0);

    free(text);
    return length;
}

static CFTypeRef of_window(const struct window_info *info, CFStringRef attribute)
{
    const struct rect *frame = &info->frame;

    if (is(attribute, kAXPositionAttribute))
        return AXValueCreate(kAXValueTypeCGPoint, &(CGPoint){ frame->x, frame->y });
    if (is(attribute, kAXSizeAttribute))
        return AXValueCreate(kAXValueTypeCGSize, &(CGSize){ frame->width, frame->height });
    if (is(attribute, kAXTitleAttribute))
        return sim_string(info->title);
    if (is(attribute, kAXMinimizedAttribute))
        return flag(info->state & WINDOW_MINIMIZED);
    if (is(attribute, CFSTR("AXFullScreen")))
        return flag(info->state & WINDOW_FULLSCREEN);
    if (is(attribute, kAXModalAttribute))
        return flag(info->kind == WINDOW_DIALOG);
    if (is(attribute, kAXCloseButtonAttribute))
        return element(info->ref.pid, info->ref.id, true);
    if (is(attribute, kAXValueAttribute)) {
        char *text = ax.no_text ? NULL : fake_text(sim_fake(), info->ref.id);
        CFTypeRef value = text ? sim_string(text) : NULL;

        free(text);
        return value;
    }
    if (is(attribute, kAXNumberOfCharactersAttribute) ||
        is(attribute, kAXSelectedTextRangeAttribute))
        return ax.no_text ? NULL : text_length(info->ref.id);
    return NULL;
}

AXError AXUIElementCopyAttributeValue(AXUIElementRef ref, CFStringRef attribute, CFTypeRef *value)
{
    const struct sim_object *object = sim_of(ref);
    struct window_ref window = { .id = object->window };
    struct window_info info;
    AXError error = sim_ask(object);

    *value = NULL;
    if (error != kAXErrorSuccess)
        return error;
    *value = sim_value(object, attribute, &error);
    if (*value || object->node || error != kAXErrorSuccess)
        return *value || error != kAXErrorSuccess ? error : kAXErrorAttributeUnsupported;
    if (!object->window) {
        *value = is(attribute, kAXFocusedApplicationAttribute) ? application_in_front()
                 : is(attribute, kAXWindowsAttribute)          ? windows_of(object->pid)
                 : is(attribute, kAXFocusedWindowAttribute)    ? focused_of(object->pid)
                 : is(attribute, kAXFocusedUIElementAttribute) ? focused_element(object->pid)
                                                               : NULL;
        return *value ? kAXErrorSuccess : kAXErrorNoValue;
    }
    if (!perigee_fake.windows->get(sim_desktop(), sim_deadline(), &window, &info, NULL))
        return kAXErrorInvalidUIElement;
    *value = of_window(&info, attribute);
    window_info_free(&info);
    return *value ? kAXErrorSuccess : kAXErrorAttributeUnsupported;
}

/* The value in place of an attribute that is missing. */
static CFTypeRef no_value(AXError error)
{
    return AXValueCreate(kAXValueTypeAXError,
                         &(struct { AXError error, rest[7]; }){ error, { 0 } });
}

AXError AXUIElementCopyMultipleAttributeValues(AXUIElementRef ref, CFArrayRef attributes,
                                               AXCopyMultipleAttributeOptions options,
                                               CFArrayRef *values)
{
    AXError error = sim_ask(sim_of(ref));

    (void)options;
    *values = NULL;
    if (error != kAXErrorSuccess)
        return error;
    in_question = true;
    *values = sim_array();
    for (CFIndex i = 0; i < CFArrayGetCount(attributes) && error == kAXErrorSuccess; i++) {
        CFTypeRef value;
        AXError one =
            AXUIElementCopyAttributeValue(ref, CFArrayGetValueAtIndex(attributes, i), &value);

        if (one == kAXErrorInvalidUIElement)
            error = one;
        sim_append(*values, value ? value : no_value(one));
    }
    in_question = false;
    return error;
}

/* The window server's number of a window's element: undocumented there, and not everywhere. */
AXError _AXUIElementGetWindow(AXUIElementRef ref, CGWindowID *number);
AXError _AXUIElementGetWindow(AXUIElementRef ref, CGWindowID *number)
{
    *number = ax.no_numbers || sim_of(ref)->node ? 0 : (CGWindowID)sim_of(ref)->window;
    return *number ? kAXErrorSuccess : kAXErrorIllegalArgument;
}

void sim_hide_numbers(bool hide)
{
    ax.no_numbers = hide;
}

int sim_questions(void)
{
    return ax.questions;
}

static AXError act(const struct sim_object *object, enum window_verb verb, struct rect to)
{
    struct window_change change = { .verb = verb, .to = to };
    struct window_ref window = { .id = object->window };
    struct window_outcome out;

    return perigee_fake.windows->act(sim_desktop(), sim_deadline(), &window, &change, &out, NULL)
               ? kAXErrorSuccess
               : kAXErrorInvalidUIElement;
}

/* The window that AXRaise raised; its application's activation brings it to the front. */
static uint64_t raised;

static bool activate(int pid)
{
    struct window_list list;
    uint64_t first = 0;
    bool ok;

    if (!list_windows(&list))
        return false;
    for (size_t i = 0; i < list.count; i++) {
        if (list.items[i].ref.pid == pid && (!first || list.items[i].ref.id == raised))
            first = list.items[i].ref.id;
    }
    window_list_free(&list);
    ok = first && act(&(struct sim_object){ .window = first }, WINDOW_FOCUS, (struct rect){ 0 }) ==
                      kAXErrorSuccess;
    raised = 0;
    return ok;
}

AXError AXUIElementSetAttributeValue(AXUIElementRef ref, CFStringRef attribute, CFTypeRef value)
{
    const struct sim_object *object = sim_of(ref), *to = sim_of(value);
    AXError error = sim_ask(object);

    if (error != kAXErrorSuccess)
        return error;
    if (object->node || is(attribute, CFSTR("AXManualAccessibility")))
        return sim_set(object, attribute, to);
    if (is(attribute, kAXFrontmostAttribute) && ax.refuses)
        return kAXErrorFailure;
    if (is(attribute, kAXFrontmostAttribute))
        return activate(object->pid) ? kAXErrorSuccess : kAXErrorFailure;
    if (is(attribute, kAXPositionAttribute))
        return act(object, WINDOW_MOVE, (struct rect){ to->values[0], to->values[1], 0, 0 });
    if (is(attribute, kAXSizeAttribute))
        return act(object, WINDOW_RESIZE, (struct rect){ 0, 0, to->values[0], to->values[1] });
    if (is(attribute, kAXMinimizedAttribute))
        return act(object, to->number ? WINDOW_MINIMIZE : WINDOW_RESTORE, (struct rect){ 0 });
    if (is(attribute, CFSTR("AXFullScreen")))
        return act(object, to->number ? WINDOW_SET_FULLSCREEN : WINDOW_RESTORE, (struct rect){ 0 });
    return is(attribute, kAXMainAttribute) ? kAXErrorSuccess : kAXErrorAttributeUnsupported;
}

AXError AXUIElementPerformAction(AXUIElementRef ref, CFStringRef action)
{
    const struct sim_object *object = sim_of(ref);
    AXError error = sim_ask(object);

    if (error != kAXErrorSuccess)
        return error;
    if (object->node)
        return sim_do(object, action);
    if (is(action, kAXRaiseAction)) {
        raised = object->window;
        return kAXErrorSuccess;
    }
    return is(action, kAXPressAction) && object->close_button
               ? act(object, WINDOW_CLOSE, (struct rect){ 0 })
               : kAXErrorActionUnsupported;
}

bool sim_activate(int pid)
{
    return !ax.refuses && (ax.no_activation || activate(pid));
}

bool sim_reopen(int pid)
{
    ax.reopened++;
    return ax.no_activation || activate(pid);
}

void sim_refuse_all_but_reopening(bool refuse)
{
    ax.refuses = refuse;
    ax.reopened = 0;
}

int sim_reopened(void)
{
    return ax.reopened;
}
