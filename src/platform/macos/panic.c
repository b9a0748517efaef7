/* Ctrl+Option+Escape, seen by an event tap that lets everything through
 * (developer.apple.com/documentation/coregraphics/cgevent/tapcreate(tap:place:options:
 * eventsofinterest:callback:userinfo:)).
 *
 * The tap needs a run loop of its own. The system switches a tap off that it finds slow, or when
 * the user's own events demand it; it is switched on again then.
 *
 * Input Monitoring allows a tap that listens, and Accessibility, which input needs anyway, allows a
 * tap that could also change events. A tap without either permission makes macOS ask the user, so
 * none is made. */
#include <Carbon/Carbon.h>
#include <pthread.h>
#include <stdlib.h>

#include "platform/macos/panic.h"
#include "platform/macos/system/cf.h"

struct panic {
    void (*hit)(void *arg);
    void *arg;
    CFMachPortRef tap;
    CFRunLoopSourceRef stop;
    CFRunLoopRef loop; /* the thread's, once it runs */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t started;
};

static CGEventRef on_key_event(CGEventTapProxy proxy, CGEventType type, CGEventRef event, void *arg)
{
    const CGEventFlags both = kCGEventFlagMaskControl | kCGEventFlagMaskAlternate;
    struct panic *panic = arg;

    (void)proxy;
    if (type == kCGEventTapDisabledByTimeout || type == kCGEventTapDisabledByUserInput)
        CGEventTapEnable(panic->tap, true);
    else if (type == kCGEventKeyDown &&
             CGEventGetIntegerValueField(event, kCGKeyboardEventKeycode) == kVK_Escape &&
             (CGEventGetFlags(event) & both) == both)
        panic->hit(panic->arg);
    return event;
}

static void stop_panic_loop(void *arg)
{
    (void)arg;
    CFRunLoopStop(CFRunLoopGetCurrent());
}

static void *run_panic_loop(void *arg)
{
    struct panic *panic = arg;
    CFRunLoopSourceRef source = CFMachPortCreateRunLoopSource(NULL, panic->tap, 0);

    CFRunLoopAddSource(CFRunLoopGetCurrent(), source, kCFRunLoopDefaultMode);
    CFRunLoopAddSource(CFRunLoopGetCurrent(), panic->stop, kCFRunLoopDefaultMode);
    CFRelease(source);
    pthread_mutex_lock(&panic->lock);
    panic->loop = CFRunLoopGetCurrent();
    pthread_cond_signal(&panic->started);
    pthread_mutex_unlock(&panic->lock);
    CFRunLoopRun();
    return NULL;
}

static void panic_free(struct panic *panic)
{
    if (panic->tap) {
        CFMachPortInvalidate(panic->tap);
        CFRelease(panic->tap);
    }
    cf_release(panic->stop);
    pthread_cond_destroy(&panic->started);
    pthread_mutex_destroy(&panic->lock);
    free(panic);
}

static CFMachPortRef new_tap(struct panic *panic) GIVES_REF;
static CFMachPortRef new_tap(struct panic *panic)
{
    bool listen = CGPreflightListenEventAccess();

    if (!listen && !AXIsProcessTrusted())
        return NULL;
    return CGEventTapCreate(kCGSessionEventTap, kCGHeadInsertEventTap,
                            listen ? kCGEventTapOptionListenOnly : kCGEventTapOptionDefault,
                            CGEventMaskBit(kCGEventKeyDown), on_key_event, panic);
}

struct panic *panic_listen(void (*hit)(void *arg), void *arg)
{
    CFRunLoopSourceContext context = { .perform = stop_panic_loop };
    struct panic *panic = mem_zero(sizeof *panic);

    panic->hit = hit;
    panic->arg = arg;
    pthread_mutex_init(&panic->lock, NULL);
    pthread_cond_init(&panic->started, NULL);
    panic->tap = new_tap(panic);
    panic->stop = CFRunLoopSourceCreate(NULL, 0, &context);
    if (!panic->tap || !panic->stop ||
        pthread_create(&panic->thread, NULL, run_panic_loop, panic) != 0) {
        panic_free(panic);
        return NULL;
    }
    pthread_mutex_lock(&panic->lock);
    while (!panic->loop)
        pthread_cond_wait(&panic->started, &panic->lock);
    pthread_mutex_unlock(&panic->lock);
    return panic;
}

/* Ends the loop by a signalled source, which is served even if the loop begins to run only
 * afterwards; CFRunLoopStop() alone would be lost then. */
void panic_end(struct panic *panic)
{
    if (!panic)
        return;
    CFRunLoopSourceSignal(panic->stop);
    CFRunLoopWakeUp(panic->loop);
    pthread_join(panic->thread, NULL);
    panic_free(panic);
}
