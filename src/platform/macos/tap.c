/* An event tap that lets everything through
 * (developer.apple.com/documentation/coregraphics/cgevent/tapcreate(tap:place:options:
 * eventsofinterest:callback:userinfo:)).
 *
 * The tap needs a run loop of its own. The system switches a tap off that it finds slow, or when
 * the user's own events demand it; it is switched on again then.
 *
 * Input Monitoring allows a tap that listens, and Accessibility, which input needs anyway, allows a
 * tap that could also change events. A tap without either permission makes macOS ask the user, so
 * none is made. */
#include "platform/macos/tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <uv.h>

struct tap {
    void (*told)(void *arg, CGEventType type, CGEventRef event);
    void *arg;
    CFMachPortRef port;
    CFRunLoopSourceRef stop;
    CFRunLoopRef loop; /* the thread's, once it has started */
    pthread_t thread;
    uv_sem_t started;
};

static CGEventRef on_tap_event(CGEventTapProxy proxy, CGEventType type, CGEventRef event, void *arg)
{
    struct tap *tap = arg;

    (void)proxy;
    if (type == kCGEventTapDisabledByTimeout || type == kCGEventTapDisabledByUserInput)
        CGEventTapEnable(tap->port, true);
    else
        tap->told(tap->arg, type, event);
    return event;
}

static void stop_tap_loop(void *arg)
{
    (void)arg;
    CFRunLoopStop(CFRunLoopGetCurrent());
}

static void *run_tap_loop(void *arg)
{
    struct tap *tap = arg;
    CFRunLoopSourceRef source = CFMachPortCreateRunLoopSource(NULL, tap->port, 0);

    CFRunLoopAddSource(CFRunLoopGetCurrent(), source, kCFRunLoopDefaultMode);
    CFRunLoopAddSource(CFRunLoopGetCurrent(), tap->stop, kCFRunLoopDefaultMode);
    CFRelease(source);
    tap->loop = CFRunLoopGetCurrent();
    uv_sem_post(&tap->started);
    CFRunLoopRun();
    return NULL;
}

static void tap_free(struct tap *tap)
{
    if (tap->port) {
        CFMachPortInvalidate(tap->port);
        CFRelease(tap->port);
    }
    cf_release(tap->stop);
    uv_sem_destroy(&tap->started);
    free(tap);
}

static CFMachPortRef new_port(CGEventMask events, struct tap *tap) GIVES_REF;
static CFMachPortRef new_port(CGEventMask events, struct tap *tap)
{
    bool listen = CGPreflightListenEventAccess();

    if (!listen && !AXIsProcessTrusted())
        return NULL;
    return CGEventTapCreate(kCGSessionEventTap, kCGHeadInsertEventTap,
                            listen ? kCGEventTapOptionListenOnly : kCGEventTapOptionDefault, events,
                            on_tap_event, tap);
}

struct tap *tap_listen(CGEventMask events,
                       void (*told)(void *arg, CGEventType type, CGEventRef event), void *arg)
{
    CFRunLoopSourceContext context = { .perform = stop_tap_loop };
    struct tap *tap = mem_zero(sizeof *tap);

    tap->told = told;
    tap->arg = arg;
    uv_sem_init(&tap->started, 0);
    tap->port = new_port(events, tap);
    tap->stop = CFRunLoopSourceCreate(NULL, 0, &context);
    if (!tap->port || !tap->stop || pthread_create(&tap->thread, NULL, run_tap_loop, tap) != 0) {
        tap_free(tap);
        return NULL;
    }
    uv_sem_wait(&tap->started);
    return tap;
}

/* Ends the loop by a signalled source, which is served even if the loop begins to run only
 * afterwards; CFRunLoopStop() alone would be lost then. */
void tap_end(struct tap *tap)
{
    if (!tap)
        return;
    CFRunLoopSourceSignal(tap->stop);
    CFRunLoopWakeUp(tap->loop);
    pthread_join(tap->thread, NULL);
    tap_free(tap);
}
