/* Observers of applications: what happens in the fake's elements, as AX tells it. */
#include <pthread.h>
#include <stdlib.h>

#include "sim.h"

enum { OBSERVERS = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all here, and while news are told */
static struct sim_object *observers[OBSERVERS];
static size_t count;
static uint64_t since; /* events of the fake; 0: from now on */
static _Thread_local bool telling;

/* With the lock held. */
static void begin_now(void)
{
    struct element_events events;

    since = 0;
    if (!sim_desktop() ||
        !perigee_fake.elements->events(sim_desktop(), sim_deadline(), 0, 0, 0, &events, NULL))
        return;
    since = events.next;
    element_events_free(&events);
}

void sim_hold_news(bool hold)
{
    if (hold) {
        pthread_mutex_lock(&lock);
        return;
    }
    begin_now();
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
    if (count == 0)
        begin_now();
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
    if (!telling)
        pthread_mutex_unlock(&lock);
    CFRelease(observer->source);
}

/* The names that it is registered for are its pairs' values. Nobody here knows AXSheetCreated. */
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
    sim_append((CFArrayRef)(void *)observer, CFRetain(notification));
    pthread_mutex_unlock(&lock);
    return kAXErrorSuccess;
}

/* --- news ------------------------------------------------------------------------------------ */

struct news {
    const char *name;
    bool menu, parent; /* of the menu that it opens, or of what it is in */
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

static void tell(const struct sim_loop *loop, const struct element_event *event)
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
    for (size_t i = 0; i < count; i++) {
        struct sim_object *each = observers[i];

        if (each->pid == event->pid && sim_of(each->source)->loop == loop && wants(each, name))
            each->callback((AXObserverRef)each, element, name, NULL);
    }
    CFRelease(element);
    CFRelease(name);
    element_tree_free(&tree);
}

static bool serves(const struct sim_loop *loop)
{
    for (size_t i = 0; i < count; i++) {
        if (sim_of(observers[i]->source)->loop == loop)
            return true;
    }
    return false;
}

void sim_tell_news(struct sim_loop *loop)
{
    struct element_events events;

    pthread_mutex_lock(&lock);
    telling = true;
    if (serves(loop) && sim_desktop() &&
        perigee_fake.elements->events(sim_desktop(), sim_deadline(), 0, since, 0, &events, NULL)) {
        for (size_t i = 0; i < events.count; i++)
            tell(loop, &events.items[i]);
        since = events.next;
        element_events_free(&events);
    }
    telling = false;
    pthread_mutex_unlock(&lock);
}
