/* Observers of applications: events of the fake's elements, as AX reports them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim.h"

enum { OBSERVERS = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for all here, and held for news */
static struct sim_object *observers[OBSERVERS];
static size_t count;
static _Thread_local bool telling;

/* Changes of windows that observers have not been told yet. */
static struct did {
    struct sim_object *observer; /* borrowed */
    int pid;
    uint64_t window;
    char name[32];
} did[256];
static size_t did_count;

/* The number of the fake's next event; 0: from now on. The lock is held. */
static uint64_t now(void)
{
    struct element_events events;
    uint64_t next;

    if (!sim_desktop() ||
        !perigee_fake.elements->events(sim_desktop(), sim_deadline(), 0, 0, 0, &events, NULL))
        return 0;
    next = events.next;
    element_events_free(&events);
    return next;
}

void sim_hold_news(bool hold)
{
    if (hold) {
        pthread_mutex_lock(&lock);
        return;
    }
    for (size_t i = 0; i < count; i++)
        observers[i]->number = (long long)now();
    pthread_mutex_unlock(&lock);
}

AXError AXObserverCreate(pid_t pid, AXObserverCallback callback, AXObserverRef *out)
{
    struct sim_object *observer = sim_object(SIM_OBSERVER);

    observer->pid = pid;
    observer->callback = callback;
    observer->source = sim_object(SIM_SOURCE);
    pthread_mutex_lock(&lock);
    if (count == OBSERVERS)
        abort();
    observer->number = (long long)now();
    observers[count++] = observer;
    pthread_mutex_unlock(&lock);
    *out = (AXObserverRef)observer;
    return kAXErrorSuccess;
}

CFRunLoopSourceRef AXObserverGetRunLoopSource(AXObserverRef observer)
{
    return (CFRunLoopSourceRef)(uintptr_t)sim_of(observer)->source;
}

void sim_observer_end(struct sim_object *observer)
{
    if (!telling)
        pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        if (observers[i] == observer)
            observers[i] = observers[--count];
    }
    for (size_t i = did_count; i > 0; i--) {
        if (did[i - 1].observer == observer)
            did[i - 1] = did[--did_count];
    }
    if (!telling)
        pthread_mutex_unlock(&lock);
    CFRelease(observer->source);
}

/* An observer's pairs have elements as keys and the names that it is registered for as values. No
 * application here supports AXSheetCreated. */
AXError AXObserverAddNotification(AXObserverRef observer, AXUIElementRef element,
                                  CFStringRef notification, void *refcon)
{
    AXError error = sim_ask(sim_of(element));

    (void)refcon;
    if (error != kAXErrorSuccess)
        return error;
    if (CFEqual(notification, CFSTR("AXSheetCreated")))
        return kAXErrorNotificationUnsupported;
    pthread_mutex_lock(&lock);
    sim_put((CFDictionaryRef)(void *)observer, (CFStringRef)(const void *)element,
            CFRetain(notification));
    pthread_mutex_unlock(&lock);
    return kAXErrorSuccess;
}

/* --- news ------------------------------------------------------------------------------------ */

struct news {
    const char *name;
    bool menu, parent; /* the element is the menu that it opens, or its parent */
};

static struct news of_state(const struct element_event *event, const struct element_info *info)
{
    bool on = strstr(event->detail, " on") != NULL;

    if (strncmp(event->detail, "expanded", 8) == 0 && info->role == ELEMENT_TREE_ITEM)
        return (struct news){ on ? "AXRowExpanded" : "AXRowCollapsed", false, false };
    if (strncmp(event->detail, "expanded", 8) == 0)
        return (struct news){ on ? "AXMenuOpened" : "AXMenuClosed", true, false };
    if (strncmp(event->detail, "selected", 8) == 0 && info->role != ELEMENT_TAB)
        return (struct news){ "AXSelectedChildrenChanged", false, true };
    return (struct news){ "AXValueChanged", false, false };
}

static struct news news_of(const struct element_event *event, const struct element_info *info)
{
    switch (event->kind) {
    case ELEMENT_EVENT_WINDOW:
        return (struct news){ strcmp(event->detail, "create") == 0 ? "AXWindowCreated"
                                                                   : "AXUIElementDestroyed",
                              false, false };
    case ELEMENT_EVENT_CHILDREN:
        return (struct news){ "AXLayoutChanged", false, false };
    case ELEMENT_EVENT_NAME: /* the text of a label is its value */
        return (struct news){ info->role == ELEMENT_LABEL ? "AXValueChanged" : "AXTitleChanged",
                              false, false };
    case ELEMENT_EVENT_FOCUS:
        return (struct news){ "AXFocusedUIElementChanged", false, false };
    case ELEMENT_EVENT_STATE:
        return of_state(event, info);
    default:
        return (struct news){ "AXValueChanged", false, false };
    }
}

static bool wants(const struct sim_object *observer, CFStringRef name)
{
    for (size_t i = 0; i < observer->count; i++) {
        if (CFEqual(observer->pairs[i].value, name))
            return true;
    }
    return false;
}

static void tell(struct sim_object *observer, const struct element_event *event)
{
    struct element_tree tree;
    struct news news;
    AXUIElementRef element;
    CFStringRef name;

    if (!perigee_fake.elements->get(sim_desktop(), sim_deadline(), &event->id, 1, &tree, NULL))
        return;
    news = news_of(event, &tree.items[0]);
    name = sim_string(news.name);
    element = sim_element(event->pid, tree.items[0].window,
                          news.parent                                  ? tree.items[0].parent
                          : tree.items[0].parent || tree.items[0].gone ? event->id
                                                                       : 0,
                          news.menu);
    if (observer->pid == event->pid && wants(observer, name))
        observer->callback((AXObserverRef)observer, element, name, NULL);
    CFRelease(element);
    CFRelease(name);
    element_tree_free(&tree);
}

static void tell_elements(struct sim_object *observer)
{
    struct element_events events;

    if (!sim_desktop() ||
        !perigee_fake.elements->events(sim_desktop(), sim_deadline(), 0, (uint64_t)observer->number,
                                       0, &events, NULL))
        return;
    for (size_t i = 0; i < events.count; i++)
        tell(observer, &events.items[i]);
    observer->number = (long long)events.next;
    element_events_free(&events);
}

/* --- of windows ------------------------------------------------------------------------------ */

/* These are told of the application's element, the others of the window's own. */
static bool is_of_application(const char *name)
{
    return strcmp(name, "AXWindowCreated") == 0 || strcmp(name, "AXWindowMoved") == 0 ||
           strcmp(name, "AXWindowResized") == 0 || strcmp(name, "AXFocusedWindowChanged") == 0;
}

static bool wants_of(const struct sim_object *observer, uint64_t window, const char *name)
{
    for (size_t i = 0; i < observer->count; i++) {
        const struct sim_pair *pair = &observer->pairs[i];
        const struct buf *of = &sim_of(pair->value)->bytes;

        if (pair->key && sim_of(pair->key)->window == window && of->len == strlen(name) &&
            memcmp(of->data, name, of->len) == 0)
            return true;
    }
    return false;
}

void sim_window_did(int pid, uint64_t window, const char *name)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        struct did *one = &did[did_count];

        if (observers[i]->pid != pid ||
            !wants_of(observers[i], is_of_application(name) ? 0 : window, name))
            continue;
        if (did_count == countof(did))
            abort();
        *one = (struct did){ .observer = observers[i], .pid = pid, .window = window };
        snprintf(one->name, sizeof one->name, "%s", name);
        did_count++;
    }
    pthread_mutex_unlock(&lock);
}

/* With the lock held. */
static bool tell_windows(const struct sim_loop *loop)
{
    bool any = false;

    for (size_t i = 0; i < did_count;) {
        struct did one = did[i];
        AXUIElementRef element;
        CFStringRef name;

        if (sim_of(one.observer->source)->loop != loop) {
            i++;
            continue;
        }
        did_count--;
        memmove(&did[i], &did[i + 1], (did_count - i) * sizeof *did);
        element = sim_element(one.pid, one.window, 0, false);
        name = sim_string(one.name);
        one.observer->callback((AXObserverRef)one.observer, element, name, NULL);
        CFRelease(name);
        CFRelease(element);
        any = true;
    }
    return any;
}

bool sim_tell_news(struct sim_loop *loop)
{
    bool any;

    pthread_mutex_lock(&lock);
    telling = true;
    any = tell_windows(loop);
    for (size_t i = 0; i < count; i++) {
        if (sim_of(observers[i]->source)->loop == loop)
            tell_elements(observers[i]);
    }
    telling = false;
    pthread_mutex_unlock(&lock);
    return any;
}
