/* AXUIElement, with errors as sentences (developer.apple.com/documentation/applicationservices/
 * axuielement_h). */
#include "platform/macos/system/ax.h"

#include <pthread.h>
#include <stdlib.h>

#include "platform/macos/system/cf.h"
#include "platform/macos/system/permission.h"

static bool fail(AXError error, CFStringRef what, struct error *err)
{
    char *name = cf_text(what, 60, NULL);

    switch (error) {
    case kAXErrorAPIDisabled:
        permission_denied(PERMISSION_ACCESSIBILITY, err);
        break;
    case kAXErrorInvalidUIElement:
        error_set(err, "window_not_found", "the window no longer exists. List the windows again");
        break;
    case kAXErrorCannotComplete:
        error_set(err, "app_hung",
                  "the application did not respond within %.1f s (%s): it hangs, shows a modal "
                  "dialog or has just exited. Look at the screen before trying again",
                  AX_TIMEOUT, name);
        break;
    case kAXErrorAttributeUnsupported:
    case kAXErrorActionUnsupported:
    case kAXErrorNotImplemented:
    case kAXErrorNoValue:
        error_set(err, "not_supported", "the application does not provide %s for this", name);
        break;
    default:
        error_set(err, "ax_error", "accessibility error %d for %s", (int)error, name);
    }
    free(name);
    return false;
}

/* --- applications that do not answer ------------------------------------------------- */

enum { SILENT_MAX = 16, SILENCE_MS = 5000 };

/* Lists of all windows leave them out for a while. Two threads get here when one is stuck. */
static struct {
    int pid;
    uint64_t until;
} silent[SILENT_MAX];
static size_t next_silent;
static pthread_mutex_t silent_lock = PTHREAD_MUTEX_INITIALIZER;

static void note_silence(AXUIElementRef element)
{
    pid_t pid = 0;

    if (AXUIElementGetPid(element, &pid) != kAXErrorSuccess)
        return;
    pthread_mutex_lock(&silent_lock);
    silent[next_silent].pid = pid;
    silent[next_silent].until = deadline_now() + SILENCE_MS;
    next_silent = (next_silent + 1) % SILENT_MAX;
    pthread_mutex_unlock(&silent_lock);
}

bool ax_silent(int pid)
{
    uint64_t now = deadline_now();
    bool found = false;

    pthread_mutex_lock(&silent_lock);
    for (size_t i = 0; i < SILENT_MAX && !found; i++)
        found = silent[i].pid == pid && now < silent[i].until;
    pthread_mutex_unlock(&silent_lock);
    return found;
}

/* --- questions ---------------------------------------------------------------------- */

AXUIElementRef ax_app(int pid)
{
    AXUIElementRef app = pid > 0 ? AXUIElementCreateApplication(pid) : NULL;

    if (app)
        AXUIElementSetMessagingTimeout(app, (float)AX_TIMEOUT);
    return app;
}

CFTypeRef ax_copy(AXUIElementRef element, CFStringRef attribute, struct error *err)
{
    CFTypeRef value = NULL;
    AXError error = AXUIElementCopyAttributeValue(element, attribute, &value);

    if (error == kAXErrorCannotComplete)
        note_silence(element);
    if (error != kAXErrorSuccess || !value) {
        fail(error == kAXErrorSuccess ? kAXErrorNoValue : error, attribute, err);
        return NULL;
    }
    return value;
}

bool ax_set(AXUIElementRef element, CFStringRef attribute, CFTypeRef value, struct error *err)
{
    AXError error = AXUIElementSetAttributeValue(element, attribute, value);

    return error == kAXErrorSuccess || fail(error, attribute, err);
}

bool ax_perform(AXUIElementRef element, CFStringRef action, struct error *err)
{
    AXError error = AXUIElementPerformAction(element, action);

    return error == kAXErrorSuccess || fail(error, action, err);
}

bool ax_flag(AXUIElementRef element, CFStringRef attribute)
{
    CFTypeRef value = ax_copy(element, attribute, NULL);
    bool flag = value && CFGetTypeID(value) == CFBooleanGetTypeID() && CFBooleanGetValue(value);

    cf_release(value);
    return flag;
}

static bool get_value(AXUIElementRef element, CFStringRef attribute, AXValueType type, void *out)
{
    CFTypeRef value = ax_copy(element, attribute, NULL);
    bool ok = value && CFGetTypeID(value) == AXValueGetTypeID() &&
              AXValueGetValue((AXValueRef)value, type, out);

    cf_release(value);
    return ok;
}

static bool get_frame(AXUIElementRef element, CGRect *out)
{
    return get_value(element, kAXPositionAttribute, kAXValueTypeCGPoint, &out->origin) &&
           get_value(element, kAXSizeAttribute, kAXValueTypeCGSize, &out->size);
}

char *ax_text(AXUIElementRef element, CFStringRef attribute, size_t max, bool *cut)
{
    CFTypeRef value = ax_copy(element, attribute, NULL);
    char *text = cf_text(value, max, cut);

    cf_release(value);
    return text;
}

static bool set_value(AXUIElementRef element, CFStringRef attribute, AXValueType type,
                      const void *from, struct error *err)
{
    AXValueRef value = AXValueCreate(type, from);
    bool ok = ax_set(element, attribute, value, err);

    cf_release(value);
    return ok;
}

bool ax_move(AXUIElementRef window, CGPoint to, struct error *err)
{
    return set_value(window, kAXPositionAttribute, kAXValueTypeCGPoint, &to, err);
}

bool ax_resize(AXUIElementRef window, CGSize to, struct error *err)
{
    return set_value(window, kAXSizeAttribute, kAXValueTypeCGSize, &to, err);
}

bool ax_front(int pid, struct error *err)
{
    AXUIElementRef app = ax_app(pid);
    bool ok = app && ax_set(app, kAXFrontmostAttribute, kCFBooleanTrue, err);

    cf_release(app);
    return ok;
}

/* --- windows ---------------------------------------------------------------------- */

CFArrayRef ax_windows(AXUIElementRef app, struct error *err)
{
    CFTypeRef value = ax_copy(app, kAXWindowsAttribute, err);

    if (value && CFGetTypeID(value) != CFArrayGetTypeID()) {
        cf_release(value);
        error_set(err, "ax_error", "the application returned an invalid list of windows");
        return NULL;
    }
    return value;
}

bool ax_is(AXUIElementRef element, const struct window_info *window, bool title_too)
{
    const struct rect *frame = &window->frame;
    CGRect is;
    char *title;
    bool same;

    if (!get_frame(element, &is) || !near(is.origin.x, frame->x) || !near(is.origin.y, frame->y) ||
        !near(is.size.width, frame->width) || !near(is.size.height, frame->height))
        return false;
    if (!title_too)
        return true;
    title = ax_text(element, kAXTitleAttribute, WINDOW_TITLE_MAX, NULL);
    same = strcmp(title, window->title) == 0;
    free(title);
    return same;
}

static AXUIElementRef pick(CFArrayRef elements, const struct window_info *window, bool title_too)
{
    for (CFIndex i = 0; i < CFArrayGetCount(elements); i++) {
        AXUIElementRef element = CFArrayGetValueAtIndex(elements, i);

        if (ax_is(element, window, title_too))
            return (AXUIElementRef)CFRetain(element);
    }
    return NULL;
}

AXUIElementRef ax_window(const struct window_info *window, struct error *err)
{
    AXUIElementRef app = ax_app(window->ref.pid), found = NULL;
    CFArrayRef elements = app ? ax_windows(app, err) : NULL;

    if (elements) {
        found = pick(elements, window, true);
        if (!found) /* titles are missing without the permission for the screen */
            found = pick(elements, window, false);
        if (!found)
            error_set(err, "window_not_found",
                      "\"%.100s\" is listed by the window server but not by its application: it "
                      "is in another space, or is not a window for users",
                      window->title);
    } else if (!app) {
        error_set(err, "window_not_found",
                  "process %d of the window has exited. List the windows again", window->ref.pid);
    }
    cf_release(elements);
    cf_release(app);
    return found;
}

bool ax_focused(AXUIElementRef app, AXUIElementRef window)
{
    CFTypeRef focused = ax_copy(app, kAXFocusedWindowAttribute, NULL);
    bool same = focused && CFEqual(focused, window);

    cf_release(focused);
    return same;
}
