/* AXUIElement, with errors as sentences (developer.apple.com/documentation/applicationservices/
 * axuielement_h). */
#include "platform/macos/system/ax.h"

#include <pthread.h>
#include <stdlib.h>

#include "platform/macos/system/cf.h"
#include "platform/macos/system/permission.h"

static bool fail_ax(AXError error, CFStringRef what, struct error *err)
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

/* Applications that did not answer: lists of all windows leave them out for a while. Two threads
 * get here when one is stuck. */
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
        fail_ax(error == kAXErrorSuccess ? kAXErrorNoValue : error, attribute, err);
        return NULL;
    }
    return value;
}

bool ax_set(AXUIElementRef element, CFStringRef attribute, CFTypeRef value, struct error *err)
{
    AXError error = AXUIElementSetAttributeValue(element, attribute, value);

    return error == kAXErrorSuccess || fail_ax(error, attribute, err);
}

bool ax_perform(AXUIElementRef element, CFStringRef action, struct error *err)
{
    AXError error = AXUIElementPerformAction(element, action);

    return error == kAXErrorSuccess || fail_ax(error, action, err);
}

CFArrayRef ax_copy_all(AXUIElementRef element, const CFStringRef *names, CFTypeRef *values,
                       size_t count, struct error *err)
{
    CFArrayRef attributes = CFArrayCreate(NULL, (const void **)(uintptr_t)names, (CFIndex)count,
                                          &kCFTypeArrayCallBacks);
    CFArrayRef read = NULL;
    AXError error = AXUIElementCopyMultipleAttributeValues(element, attributes, 0, &read);

    cf_release(attributes);
    if (error == kAXErrorCannotComplete)
        note_silence(element);
    if (error == kAXErrorSuccess && read && CFArrayGetCount(read) == (CFIndex)count) {
        for (size_t i = 0; i < count; i++)
            values[i] = CFArrayGetValueAtIndex(read, (CFIndex)i);
        return read;
    }
    cf_release(read);
    fail_ax(error == kAXErrorSuccess ? kAXErrorNoValue : error, names[0], err);
    return NULL;
}

char *ax_text(AXUIElementRef element, CFStringRef attribute, size_t max, bool *cut)
{
    CFTypeRef value = ax_copy(element, attribute, NULL);
    char *text = cf_text(value, max, cut);

    cf_release(value);
    return text;
}

static bool set_ax_value(AXUIElementRef element, CFStringRef attribute, AXValueType type,
                         const void *from, struct error *err)
{
    AXValueRef value = AXValueCreate(type, from);
    bool ok = ax_set(element, attribute, value, err);

    cf_release(value);
    return ok;
}

bool ax_move(AXUIElementRef window, CGPoint to, struct error *err)
{
    return set_ax_value(window, kAXPositionAttribute, kAXValueTypeCGPoint, &to, err);
}

bool ax_resize(AXUIElementRef window, CGSize to, struct error *err)
{
    return set_ax_value(window, kAXSizeAttribute, kAXValueTypeCGSize, &to, err);
}

bool ax_front(int pid, struct error *err)
{
    AXUIElementRef app = ax_app(pid);
    bool ok = app && ax_set(app, kAXFrontmostAttribute, kCFBooleanTrue, err);

    cf_release(app);
    return ok;
}
