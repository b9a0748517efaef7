/* Questions to the elements of applications, each with a time limit within the call's own.
 *
 * Unlike those of system/ax.h they are asked on the thread of the caller: an application that hangs
 * holds up its own caller and no other. Clients have asked from several threads for years
 * (Hammerspoon's getMenuItems, AltTab), since each question is a message to the other process and
 * waits for that process only; elements are counted and compared safely on any thread, as all of
 * Core Foundation's objects that do not change. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_ASK_H
#define PERIGEE_PLATFORM_MACOS_AX_ASK_H

#include <stdatomic.h>

#include "platform/macos/system/ax.h"

#define ASK_LIMIT 1.0 /* seconds for one answer; less if the call ends earlier */

struct ask {
    struct deadline *deadline;
    int pid;                  /* the process of the elements */
    uint64_t until;           /* deadline_now() at which the call is "late"; 0: the deadline's */
    const _Atomic bool *dead; /* set when the connection was given up; or NULL */
};

enum answer {
    ANSWER_GIVEN,
    ANSWER_NONE,    /* the element has no such attribute or action */
    ANSWER_GONE,    /* there is no such element any more */
    ANSWER_REFUSED, /* the application refused */
    ANSWER_FAILED,  /* and err: "app_hung", "app_not_found", "no_tree" (it does not talk to clients
                       yet), "permission_denied_access", "late", or why the call is over */
};

/* Reads one attribute; *value is owned. */
enum answer ask_one(const struct ask *ask, AXUIElementRef element, CFStringRef attribute,
                    CFTypeRef *value, struct error *err);

/* Reads several attributes by one question; *read is owned, and values are borrowed from it: the
 * value in place of a missing one is of a type that no attribute has. */
enum answer ask_many(const struct ask *ask, AXUIElementRef element, const CFStringRef *names,
                     CFTypeRef *values, size_t count, CFArrayRef *read, struct error *err);

/* Reads at most `max` items of an attribute that is a list; *list is owned. */
enum answer ask_list(const struct ask *ask, AXUIElementRef element, CFStringRef attribute,
                     CFIndex max, CFArrayRef *list, struct error *err);
/* Counts the items of such an attribute; -1: not reported. */
enum answer ask_count(const struct ask *ask, AXUIElementRef element, CFStringRef attribute,
                      CFIndex *count, struct error *err);

enum answer ask_settable(const struct ask *ask, AXUIElementRef element, CFStringRef attribute,
                         bool *settable, struct error *err);
enum answer ask_actions(const struct ask *ask, AXUIElementRef element, CFArrayRef *names,
                        struct error *err);
enum answer ask_range(const struct ask *ask, AXUIElementRef element, CFRange range, CFTypeRef *text,
                      struct error *err);
enum answer ask_at(const struct ask *ask, AXUIElementRef app, CGPoint at, AXUIElementRef *element,
                   struct error *err);

enum answer ask_set(const struct ask *ask, AXUIElementRef element, CFStringRef attribute,
                    CFTypeRef value, struct error *err);
enum answer ask_do(const struct ask *ask, AXUIElementRef element, CFStringRef action,
                   struct error *err);

/* The application's own element; owned. NULL: "app_not_found". */
AXUIElementRef ask_app(int pid, struct error *err) GIVES_REF;

/* Makes an observer of the application: it gets these notifications of the application's own
 * element, on the thread of the run loop. Those that the application does not know are left out.
 * Owned; NULL and err: it does not answer, or takes no observer ("no_tree"). */
AXObserverRef ask_observer(const struct ask *ask, CFRunLoopRef loop, AXObserverCallback told,
                           const CFStringRef *names, size_t count, struct error *err) GIVES_REF;
/* Has it get notifications of another element, too. False and err: no answer. */
bool ask_notify(const struct ask *ask, AXObserverRef observer, AXUIElementRef element,
                const CFStringRef *names, size_t count, struct error *err);

#endif
