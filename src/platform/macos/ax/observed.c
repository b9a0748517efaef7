/* AXObserver (developer.apple.com/documentation/applicationservices/axuielement_h). Some
 * notifications are registered for the application's element, and come from all its windows; the
 * others for each window (AXNotificationConstants.h). */
#include "platform/macos/ax/observed.h"

#include <stdlib.h>
#include <unistd.h>

#include "platform/macos/ax/ask.h"
#include "platform/macos/ax/askers.h"
#include "platform/macos/system/process.h"

enum {
    WINDOWS_MAX = 1024, /* for one application */
    INQUIRY_MS = 5000,  /* for all questions to one application */
    AGAIN_FIRST_MS = 100,
    AGAIN_MAX_MS = 8000,
    TRIES_MAX = 12,
};

struct observed {
    struct link link;
    int pid;
    AXObserverRef observer;  /* owned; NULL: not yet */
    bool known;              /* the application has answered */
    struct ax_windows said;  /* its last answer */
    uint64_t asked, covered; /* numbers: the last one, and that of the running inquiry */
    uint64_t answered;
    bool busy;
    unsigned tries;  /* tries in a row without an answer */
    uint64_t again;  /* deadline_now() of the next try; 0: none */
    uint32_t *heard; /* numbers of windows that are registered; owned */
    size_t heard_count;
};

struct observing {
    struct observed_hooks hooks;
    struct askers *askers;
    CFRunLoopRef loop;         /* the thread's; borrowed */
    CFRunLoopSourceRef answer; /* signalled when an inquiry is over */
    struct link apps;
    struct looking *next; /* the answer that observing_next() gave */
};

/* The thread's own: observers that are still being made may call after observing_free(). */
static _Thread_local struct observing *here;

/* --- asking, on another thread -------------------------------------------------------------- */

struct looking {
    struct inquiry inquiry;
    int pid;
    CFRunLoopRef loop;      /* where observers call; owned: the thread may end before this does */
    AXObserverRef observer; /* owned; NULL: to be made */
    uint32_t *heard;        /* owned; windows that need not be registered */
    size_t heard_count;
    bool ok;
    struct ax_windows said;
};

static void looking_free(struct inquiry *inquiry)
{
    struct looking *looking = container_of(inquiry, struct looking, inquiry);

    cf_release(looking->observer);
    CFRelease(looking->loop);
    ax_windows_free(&looking->said);
    free(looking->heard);
    free(looking);
}

static void on_observed_notification(AXObserverRef observer, AXUIElementRef element,
                                     CFStringRef notification, void *arg)
{
    pid_t pid = 0;

    (void)observer;
    (void)arg;
    if (here && AXUIElementGetPid(element, &pid) == kAXErrorSuccess)
        here->hooks.happened(here->hooks.arg, pid,
                             !CFEqual(notification, kAXWindowMovedNotification));
}

static bool listen_to_app(const struct ask *ask, struct looking *looking)
{
    const CFStringRef names[] = {
        kAXWindowCreatedNotification,       kAXFocusedWindowChangedNotification,
        kAXMainWindowChangedNotification,   kAXWindowMovedNotification,
        kAXWindowResizedNotification,       kAXWindowMiniaturizedNotification,
        kAXWindowDeminiaturizedNotification
    };

    if (!looking->observer)
        looking->observer =
            ask_observer(ask, looking->loop, on_observed_notification, names, countof(names), NULL);
    return looking->observer != NULL;
}

static bool is_heard(const uint32_t *heard, size_t count, uint32_t number)
{
    for (size_t i = 0; i < count; i++)
        if (heard[i] == number)
            return true;
    return false;
}

static bool listen_to_window(const struct ask *ask, const struct looking *looking,
                             const struct ax_window *window)
{
    const CFStringRef names[] = { kAXUIElementDestroyedNotification, kAXTitleChangedNotification,
                                  kAXWindowMiniaturizedNotification,
                                  kAXWindowDeminiaturizedNotification };

    return (window->number && is_heard(looking->heard, looking->heard_count, window->number)) ||
           ask_notify(ask, looking->observer, window->element, names, countof(names), NULL);
}

static bool read_observed_window(const struct ask *ask, struct looking *looking,
                                 AXUIElementRef element)
{
    CFStringRef names[AX_WINDOW_ATTRIBUTES];
    CFTypeRef values[AX_WINDOW_ATTRIBUTES];
    CFArrayRef read = NULL;
    struct error why;
    enum answer answer;
    struct ax_window *window;

    ax_window_attributes(names);
    answer = ask_many(ask, element, names, values, AX_WINDOW_ATTRIBUTES, &read, &why);
    if (answer == ANSWER_GIVEN) {
        window = &looking->said.items[looking->said.count++];
        ax_window_fill(window, element, values);
        cf_release(read);
        if (!listen_to_window(ask, looking, window))
            return false;
    }
    return answer != ANSWER_FAILED; /* a window that is gone meanwhile is left out */
}

static bool read_windows(const struct ask *ask, struct looking *looking, AXUIElementRef app)
{
    const CFStringRef names[] = { kAXWindowsAttribute, kAXFocusedWindowAttribute };
    CFTypeRef values[2];
    CFArrayRef read = NULL, list;
    struct error why;
    bool ok = true;
    CFIndex count;

    if (ask_many(ask, app, names, values, 2, &read, &why) != ANSWER_GIVEN)
        return false;
    list = CFGetTypeID(values[0]) == CFArrayGetTypeID() ? values[0] : NULL;
    count = list ? CFArrayGetCount(list) : 0;
    count = count > WINDOWS_MAX ? WINDOWS_MAX : count;
    looking->said.items = mem_zero(sizeof *looking->said.items * ((size_t)count + 1));
    for (CFIndex i = 0; i < count && ok; i++) {
        AXUIElementRef element = CFArrayGetValueAtIndex(list, i);
        size_t before = looking->said.count;

        ok = read_observed_window(ask, looking, element);
        if (looking->said.count > before)
            looking->said.items[before].focused =
                CFGetTypeID(values[1]) == AXUIElementGetTypeID() && CFEqual(values[1], element);
    }
    cf_release(read);
    return ok;
}

static void look_in_app(struct inquiry *inquiry)
{
    struct looking *looking = container_of(inquiry, struct looking, inquiry);
    struct deadline deadline = deadline_of(INQUIRY_MS);
    struct ask ask = { .deadline = &deadline, .pid = looking->pid };
    AXUIElementRef app = ask_app(looking->pid, NULL);

    looking->ok = app && listen_to_app(&ask, looking) && read_windows(&ask, looking, app);
    cf_release(app);
}

/* --- requests ------------------------------------------------------------------------------- */

static struct observed *find_observed(const struct observing *observing, int pid)
{
    list_each (link, &observing->apps) {
        struct observed *app = container_of(link, struct observed, link);

        if (app->pid == pid)
            return app;
    }
    return NULL;
}

static void begin_looking(struct observing *observing, struct observed *app)
{
    struct looking *looking = mem_zero(sizeof *looking);

    looking->inquiry.ask = look_in_app;
    looking->inquiry.free = looking_free;
    looking->pid = app->pid;
    looking->loop = (CFRunLoopRef)(uintptr_t)CFRetain(observing->loop);
    if (app->observer)
        looking->observer = (AXObserverRef)(uintptr_t)CFRetain(app->observer);
    looking->heard = mem_alloc((app->heard_count + 1) * sizeof *looking->heard);
    if (app->heard_count)
        memcpy(looking->heard, app->heard, app->heard_count * sizeof *looking->heard);
    looking->heard_count = app->heard_count;
    app->busy = true;
    app->covered = app->asked;
    app->again = 0;
    askers_put(observing->askers, &looking->inquiry);
}

/* Asks nothing of this process, which does not answer itself. */
uint64_t observing_ask(struct observing *observing, int pid)
{
    struct observed *app = find_observed(observing, pid);

    if (pid <= 0 || pid == getpid())
        return 0;
    if (!app) {
        app = mem_zero(sizeof *app);
        app->pid = pid;
        list_push(&observing->apps, &app->link);
    }
    app->asked++;
    app->tries = 0;
    if (!app->busy)
        begin_looking(observing, app);
    return app->asked;
}

bool observing_answered(const struct observing *observing, int pid, uint64_t number)
{
    const struct observed *app = find_observed(observing, pid);

    return !app || app->answered >= number;
}

uint64_t observing_due(const struct observing *observing)
{
    uint64_t due = 0;

    list_each (link, &observing->apps) {
        const struct observed *app = container_of(link, struct observed, link);

        if (app->again && (!due || app->again < due))
            due = app->again;
    }
    return due;
}

void observing_retry(struct observing *observing)
{
    uint64_t now = deadline_now();

    list_each (link, &observing->apps) {
        struct observed *app = container_of(link, struct observed, link);

        if (app->again && app->again <= now && !app->busy)
            begin_looking(observing, app);
    }
}

/* --- answers -------------------------------------------------------------------------------- */

static void try_later(struct observed *app)
{
    uint64_t ms = (uint64_t)AGAIN_FIRST_MS << app->tries;

    if (app->tries++ < TRIES_MAX)
        app->again = deadline_now() + (ms < AGAIN_MAX_MS ? ms : AGAIN_MAX_MS);
}

int observing_next(struct observing *observing, bool *first)
{
    struct inquiry *inquiry;

    while (!observing->next && (inquiry = askers_take(observing->askers))) {
        observing->next = container_of(inquiry, struct looking, inquiry);
        if (!find_observed(observing,
                           observing->next->pid)) { /* the application has ended meanwhile */
            looking_free(inquiry);
            observing->next = NULL;
        }
    }
    if (!observing->next)
        return 0;
    *first = !find_observed(observing, observing->next->pid)->known;
    return observing->next->pid;
}

static void remember_heard(struct observed *app)
{
    app->heard = mem_resize(app->heard, (app->said.count + 1) * sizeof *app->heard);
    app->heard_count = 0;
    for (size_t i = 0; i < app->said.count; i++)
        if (app->said.items[i].number)
            app->heard[app->heard_count++] = app->said.items[i].number;
}

void observing_take(struct observing *observing)
{
    struct looking *looking = observing->next;
    struct observed *app = find_observed(observing, looking->pid);

    observing->next = NULL;
    app->busy = false;
    app->answered = app->covered;
    if (!app->observer) {
        app->observer = looking->observer;
        looking->observer = NULL;
    }
    if (looking->ok) {
        struct ax_windows before = app->said;

        app->said = looking->said;
        looking->said = before;
        app->known = true;
        app->tries = 0;
        remember_heard(app);
    } else {
        try_later(app);
    }
    looking_free(&looking->inquiry);
    if (app->asked > app->covered)
        begin_looking(observing, app);
}

const struct ax_windows *observing_windows(const struct observing *observing, int pid)
{
    const struct observed *app = find_observed(observing, pid);

    return app && app->known ? &app->said : NULL;
}

/* --- the whole ------------------------------------------------------------------------------ */

static void drop_observed(struct observed *app)
{
    list_remove(&app->link);
    cf_release(app->observer);
    ax_windows_free(&app->said);
    free(app->heard);
    free(app);
}

void observing_end(struct observing *observing, int pid)
{
    struct observed *app = find_observed(observing, pid);

    if (app)
        drop_observed(app);
}

static void on_asked(void *arg)
{
    struct observing *observing = arg;

    CFRunLoopSourceSignal(observing->answer);
    CFRunLoopWakeUp(observing->loop);
}

static void on_look_answered(void *arg)
{
    struct observing *observing = arg;

    observing->hooks.answered(observing->hooks.arg);
}

struct observing *observing_new(const struct observed_hooks *hooks)
{
    struct observing *observing = mem_zero(sizeof *observing);
    CFRunLoopSourceContext context = { .info = observing, .perform = on_look_answered };

    observing->hooks = *hooks;
    observing->loop = CFRunLoopGetCurrent();
    list_init(&observing->apps);
    observing->answer = CFRunLoopSourceCreate(NULL, 0, &context);
    if (!observing->answer) {
        free(observing);
        return NULL;
    }
    CFRunLoopAddSource(observing->loop, observing->answer, kCFRunLoopDefaultMode);
    observing->askers = askers_new(on_asked, observing);
    here = observing;
    return observing;
}

void observing_free(struct observing *observing)
{
    if (!observing)
        return;
    here = NULL;
    askers_free(observing->askers);
    if (observing->next)
        looking_free(&observing->next->inquiry);
    list_each (link, &observing->apps)
        drop_observed(container_of(link, struct observed, link));
    CFRunLoopSourceInvalidate(observing->answer);
    CFRelease(observing->answer);
    free(observing);
}
