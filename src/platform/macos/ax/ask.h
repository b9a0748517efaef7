/* Questions to the elements of applications, each with a time limit within the call's own.
 *
 * Unlike those of system/ax.h they are asked on the thread of who wants to know: an application
 * that hangs holds up its own caller and nobody else. Clients have asked from several threads for
 * years (Hammerspoon's getMenuItems, AltTab), since each question is a message to the other process
 * and waits for that one only; elements are counted and compared safely on any thread, as all of
 * Core Foundation's objects that do not change. */
#ifndef PERIGEE_PLATFORM_MACOS_AX_ASK_H
#define PERIGEE_PLATFORM_MACOS_AX_ASK_H

#include <stdatomic.h>

#include "platform/macos/system/ax.h"

#define ASK_LIMIT 1.0 /* seconds for one answer; less where the call ends earlier */

struct ask {
    struct deadline *deadline;
    int pid;                  /* whose elements they are */
    uint64_t until;           /* of deadline_now(), then "late"; 0: the deadline's */
    const _Atomic bool *dead; /* of the connection: nobody waits any more; or NULL */
};

enum answer {
    ANSWER_GIVEN,
    ANSWER_NONE,    /* the element has no such thing */
    ANSWER_GONE,    /* there is no such element any more */
    ANSWER_REFUSED, /* the application said no */
    ANSWER_FAILED,  /* and err: "app_hung", "app_not_found", "no_tree" (it talks to nobody yet),
                     * "permission_denied_access", "late", or why the call is over */
};

/* Owned. */
enum answer ask_one(const struct ask *ask, AXUIElementRef element, CFStringRef attribute,
                    CFTypeRef *value, struct error *err);

/* Several by one question; *read is owned, and values are borrowed of it: what stands for one that
 * is missing is of a type that no attribute has. */
enum answer ask_many(const struct ask *ask, AXUIElementRef element, const CFStringRef *names,
                     CFTypeRef *values, size_t count, CFArrayRef *read, struct error *err);

/* At most `max` of an attribute that is a list; owned. */
enum answer ask_list(const struct ask *ask, AXUIElementRef element, CFStringRef attribute,
                     CFIndex max, CFArrayRef *list, struct error *err);
/* How many there are; -1: not told. */
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
enum answer ask_notify(const struct ask *ask, AXObserverRef observer, AXUIElementRef element,
                       CFStringRef notification, struct error *err);

/* The application's own element; owned. NULL: "app_not_found". */
AXUIElementRef ask_app(int pid, struct error *err) GIVES_REF;

#endif
