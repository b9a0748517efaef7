/* AXObserver (developer.apple.com/documentation/applicationservices/axuielement_h): one for each
 * application, which is asked for its notifications on the thread of the caller. Only the
 * notifications come on the thread of the run loop, which asks nothing, so an application that
 * hangs does not hold up those of others. */
#include "platform/macos/ax/listen.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "platform/element_log.h"
#include "platform/macos/ax/ids.h"
#include "platform/macos/system/appkit.h"
#include "platform/macos/system/process.h"

enum { OBSERVED_MAX = 256, SLICE_MS = 50, AGAIN_MS = 5000, HEAR_MS = 2000 };

/* --- the record of events ------------------------------------------------------------------- */

/* Its lock is for the thread's variables as well. */
static struct element_log recorded = { .lock = PTHREAD_MUTEX_INITIALIZER };

void listen_hear(bool *hears, bool on)
{
    element_log_hear(&recorded, hears, on);
}

/* --- notifications --------------------------------------------------------------------------- */

/* From AXNotificationConstants.h. Moving and resizing are left out: they say no more than a look
 * does, many times a second. */
static const struct told {
    const char *name;
    enum element_event_kind kind;
    const char *detail;
} notifications[] = {
    { "AXWindowCreated", ELEMENT_EVENT_WINDOW, "create" },
    { "AXSheetCreated", ELEMENT_EVENT_WINDOW, "create" },
    { "AXFocusedWindowChanged", ELEMENT_EVENT_WINDOW, "activate" },
    { "AXWindowMiniaturized", ELEMENT_EVENT_WINDOW, "minimize" },
    { "AXWindowDeminiaturized", ELEMENT_EVENT_WINDOW, "restore" },
    { "AXUIElementDestroyed", ELEMENT_EVENT_CHILDREN, "remove" },
    { "AXCreated", ELEMENT_EVENT_CHILDREN, "add" },
    { "AXLayoutChanged", ELEMENT_EVENT_CHILDREN, "change" },
    { "AXRowCountChanged", ELEMENT_EVENT_CHILDREN, "change" },
    { "AXFocusedUIElementChanged", ELEMENT_EVENT_FOCUS, "focused on" },
    { "AXValueChanged", ELEMENT_EVENT_VALUE, "" },
    { "AXSelectedTextChanged", ELEMENT_EVENT_VALUE, "selection" },
    { "AXSelectedChildrenChanged", ELEMENT_EVENT_VALUE, "selection" },
    { "AXSelectedRowsChanged", ELEMENT_EVENT_VALUE, "selection" },
    { "AXTitleChanged", ELEMENT_EVENT_NAME, "" },
    { "AXMenuOpened", ELEMENT_EVENT_STATE, "expanded on" },
    { "AXMenuClosed", ELEMENT_EVENT_STATE, "expanded off" },
    { "AXRowExpanded", ELEMENT_EVENT_STATE, "expanded on" },
    { "AXRowCollapsed", ELEMENT_EVENT_STATE, "expanded off" },
    { "AXElementBusyChanged", ELEMENT_EVENT_STATE, "busy" },
};

static const struct told *find_told(CFStringRef notification)
{
    char *name = cf_text(notification, 64, NULL);
    const struct told *found = NULL;

    for (size_t i = 0; i < countof(notifications) && !found; i++)
        found = strcmp(notifications[i].name, name) == 0 ? &notifications[i] : NULL;
    free(name);
    return found;
}

/* The value of a check box is its state in our words, and the value of a tab is its selection. */
static const char *state_of(enum element_role role)
{
    switch (role) {
    case ELEMENT_CHECK:
    case ELEMENT_RADIO:
    case ELEMENT_SWITCH:
        return "checked";
    case ELEMENT_TOGGLE:
        return "pressed";
    case ELEMENT_TAB:
        return "selected";
    default:
        return NULL;
    }
}

static void on_element_notification(AXObserverRef observer, AXUIElementRef element,
                                    CFStringRef notification, void *arg)
{
    const struct told *told = find_told(notification);
    struct element_event event = { .at = deadline_now() };
    enum element_role role;
    pid_t pid = 0;

    (void)observer;
    (void)arg;
    if (!told || AXUIElementGetPid(element, &pid) != kAXErrorSuccess)
        return;
    event.pid = pid;
    event.id = ax_ids_find(element, &role);
    if (!event.id && atomic_load(&recorded.hearers))
        event.id = ax_ids_of(element, &(struct ax_known){ .pid = pid });
    event.kind = told->kind;
    snprintf(event.detail, sizeof event.detail, "%s", told->detail);
    if (event.kind == ELEMENT_EVENT_VALUE && !*told->detail && state_of(role)) {
        event.kind = ELEMENT_EVENT_STATE;
        snprintf(event.detail, sizeof event.detail, "%s", state_of(role));
    }
    element_log_add(&recorded, &event);
}

/* --- the thread ------------------------------------------------------------------------------ */

static CFRunLoopRef loop; /* NULL: the thread does not run */
static CFRunLoopSourceRef stop;
static pthread_t thread;
static pthread_cond_t began = PTHREAD_COND_INITIALIZER; /* the thread runs */

static void stop_listen_loop(void *arg)
{
    (void)arg;
    CFRunLoopStop(CFRunLoopGetCurrent());
}

/* Runs the loop. The source that ends it also keeps it from ending while there is no observer. */
static void *run_listen_loop(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&recorded.lock);
    CFRunLoopAddSource(CFRunLoopGetCurrent(), stop, kCFRunLoopDefaultMode);
    loop = CFRunLoopGetCurrent();
    pthread_cond_broadcast(&began);
    pthread_mutex_unlock(&recorded.lock);
    CFRunLoopRun();
    return NULL;
}

/* Called with the lock held. */
static bool begin_listening(struct error *err)
{
    CFRunLoopSourceContext context = { .perform = stop_listen_loop };

    if (!stop) {
        stop = CFRunLoopSourceCreate(NULL, 0, &context);
        if (!stop || pthread_create(&thread, NULL, run_listen_loop, NULL) != 0) {
            cf_release(stop);
            stop = NULL;
            return error_set(err, "no_accessibility",
                             "no thread can be had to listen to applications");
        }
    }
    while (!loop)
        pthread_cond_wait(&began, &recorded.lock);
    return true;
}

/* --- observed applications -------------------------------------------------------------------- */

static struct observed {
    int pid;
    uint64_t started, again; /* again: deadline_now() of the next try; 0: it is observed */
    bool busy;               /* it is being asked */
    AXObserverRef observer;  /* owned; NULL: it was refused, or is not there yet */
} observed[OBSERVED_MAX];
static size_t observed_count;
static pthread_mutex_t observing =
    PTHREAD_MUTEX_INITIALIZER; /* for these; never held while an application is asked */

static void note_gone(int pid)
{
    element_log_add(&recorded, &(struct element_event){
                                   .kind = ELEMENT_EVENT_GONE, .pid = pid, .at = deadline_now() });
}

/* Releases the observer, which takes its source out of the loop (AXUIElement.h). */
static void drop_observer(size_t at)
{
    cf_release(observed[at].observer);
    observed[at] = observed[--observed_count];
}

static void drop_ended(void)
{
    pthread_mutex_lock(&observing);
    for (size_t i = observed_count; i-- > 0;) {
        int pid = observed[i].pid;

        if (process_started(pid) == observed[i].started)
            continue;
        drop_observer(i);
        note_gone(pid);
    }
    pthread_mutex_unlock(&observing);
}

/* Makes an observer for all notifications; owned; NULL and err. */
static AXObserverRef make_observer(const struct ask *ask, struct error *err) GIVES_REF;
static AXObserverRef make_observer(const struct ask *ask, struct error *err)
{
    CFStringRef names[countof(notifications)];
    AXObserverRef observer;

    for (size_t i = 0; i < countof(names); i++)
        names[i] = cf_string(notifications[i].name);
    observer = ask_observer(ask, loop, on_element_notification, names, countof(names), err);
    for (size_t i = 0; i < countof(names); i++)
        cf_release(names[i]);
    return observer;
}

static struct observed *find_observed(int pid)
{
    for (size_t i = 0; i < observed_count; i++) {
        if (observed[i].pid == pid)
            return &observed[i];
    }
    return NULL;
}

/* True if this caller is to ask the application now. */
static bool take_turn(int pid)
{
    struct observed *one;
    bool mine;

    pthread_mutex_lock(&observing);
    one = find_observed(pid);
    if (!one) {
        if (observed_count == OBSERVED_MAX)
            drop_observer(0); /* the application that was asked first */
        one = &observed[observed_count++];
        *one = (struct observed){ .pid = pid, .again = 1, .started = process_started(pid) };
    }
    mine = !one->busy && one->again && deadline_now() >= one->again;
    one->busy = one->busy || mine;
    pthread_mutex_unlock(&observing);
    return mine;
}

/* Listens to an application. One that did not answer is asked again after a while. */
static bool listen_to_app(struct ask *ask, int pid, struct error *err)
{
    AXObserverRef observer;
    struct observed *one;

    if (!take_turn(pid))
        return true;
    ask->pid = pid;
    observer = make_observer(ask, err);
    pthread_mutex_lock(&observing);
    one = find_observed(pid);
    if (one && one->busy) {
        one->busy = false;
        one->again = observer ? 0 : deadline_now() + AGAIN_MS;
        one->observer = observer;
    } else {
        cf_release(observer); /* the process has ended meanwhile */
    }
    pthread_mutex_unlock(&observing);
    return observer != NULL;
}

/* Listens to all applications, except one that hangs. */
static bool listen_to_apps(struct ask *ask, struct error *err)
{
    struct appkit_apps apps;
    bool ok = true;

    appkit_list(&apps);
    for (size_t i = 0; i < apps.count && ok; i++) {
        struct error why;

        if (apps.items[i].regular && !listen_to_app(ask, apps.items[i].pid, &why))
            ok = deadline_ok(ask->deadline, err);
    }
    appkit_apps_free(&apps);
    return ok;
}

static bool listen_now(struct ask *ask, int pid, struct error *err)
{
    bool ok;

    pthread_mutex_lock(&recorded.lock);
    ok = begin_listening(err);
    pthread_mutex_unlock(&recorded.lock);
    drop_ended();
    return ok && (pid ? listen_to_app(ask, pid, err) : listen_to_apps(ask, err));
}

void listen_end(void)
{
    pthread_mutex_lock(&observing);
    while (observed_count)
        drop_observer(observed_count - 1);
    if (loop) {
        CFRunLoopSourceSignal(stop);
        CFRunLoopWakeUp(loop);
        pthread_join(thread, NULL);
        CFRelease(stop);
        loop = NULL;
        stop = NULL;
    }
    pthread_mutex_unlock(&observing);
}

/* --- asking ---------------------------------------------------------------------------------- */

/* Waits for an event. None reports that an application came or ended, so these are looked for now
 * and then, less often for a caller that waits for long: one whose wait a descriptor ends. Called
 * with the lock held. */
static bool wait_on(struct ask *ask, int pid, uint64_t until, struct error *err)
{
    bool hears = ask->deadline->wake_ends;
    uint64_t next = deadline_now() + (hears ? HEAR_MS : SLICE_MS);
    struct error why;

    if (!element_log_wait(&recorded, ask->deadline, until < next ? until : next, err))
        return false;
    if (deadline_now() < next)
        return true;
    pthread_mutex_unlock(&recorded.lock);
    if (hears)
        listen_now(ask, pid, &why);
    else
        drop_ended();
    pthread_mutex_lock(&recorded.lock);
    return true;
}

bool listen_events(struct ask *ask, int pid, uint64_t since, uint64_t until,
                   struct element_events *out, struct error *err)
{
    bool ok = true;

    *out = (struct element_events){ 0 };
    if (!listen_now(ask, pid, err))
        return false;
    pthread_mutex_lock(&recorded.lock);
    since = since ? since : element_log_next(&recorded);
    for (;;) {
        element_log_copy(&recorded, pid, since, out);
        ok = ok || out->count;
        if (!ok || out->count || deadline_now() >= until)
            break;
        ok = wait_on(ask, pid, until, err);
    }
    pthread_mutex_unlock(&recorded.lock);
    return ok;
}
