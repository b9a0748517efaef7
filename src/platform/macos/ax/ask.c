/* AXUIElement.h, function by function. AXError.h explains its errors
 * (developer.apple.com/documentation/applicationservices/axuielement_h, axerror). */
#include "platform/macos/ax/ask.h"

#include <stdlib.h>

#include "platform/macos/system/permission.h"
#include "platform/macos/system/process.h"

enum { SHORTEST_MS = 10 };

/* The seconds that this question may take. AXUIElement.h: a limit is set for one reference. */
static double limit_of(const struct ask *ask)
{
    uint64_t left = deadline_left(ask->deadline), now = deadline_now();

    if (ask->until && (ask->until <= now || ask->until - now < left))
        left = ask->until > now ? ask->until - now : 0;
    if (left > ASK_LIMIT * 1000)
        return ASK_LIMIT;
    return (double)(left < SHORTEST_MS ? SHORTEST_MS : left) / 1000;
}

struct question {
    uint64_t began;
    double limit;
};

static bool begin_question(const struct ask *ask, AXUIElementRef element, struct question *question,
                           struct error *err)
{
    *question = (struct question){ deadline_now(), limit_of(ask) };
    if (ask->dead && atomic_load(ask->dead))
        return error_set(err, "display_lost", "the call was given up. Try again");
    if (!deadline_ok(ask->deadline, err))
        return false;
    if (ask->until && question->began >= ask->until)
        return error_set(err, "late", "the time for this part of the call is over");
    AXUIElementSetMessagingTimeout(element, (float)question->limit);
    return true;
}

/* An application that hangs costs the time limit; one that has ended, or does not talk to clients
 * yet, causes the same error at once. */
static enum answer fail_unanswered(const struct ask *ask, const struct question *question,
                                   struct error *err)
{
    if (!process_started(ask->pid))
        error_set(err, "app_not_found", "process %d has exited. List the applications again",
                  ask->pid);
    else if ((double)(deadline_now() - question->began) >= question->limit * 800)
        error_set(err, "app_hung",
                  "process %d did not answer within %.1f s: it hangs, or is busy. Look at the "
                  "screen before trying again",
                  ask->pid, question->limit);
    else
        error_set(err, "no_tree",
                  "process %d does not talk to accessibility: it is still starting, or has no "
                  "interface. Wait until its window shows, or take a screenshot and click by pixel",
                  ask->pid);
    return ANSWER_FAILED;
}

static enum answer answer_of(const struct ask *ask, const struct question *question, AXError error,
                             struct error *err)
{
    switch (error) {
    case kAXErrorSuccess:
        return ANSWER_GIVEN;
    case kAXErrorInvalidUIElement:
        return ANSWER_GONE;
    case kAXErrorCannotComplete:
        return fail_unanswered(ask, question, err);
    case kAXErrorAPIDisabled:
        permission_denied(PERMISSION_ACCESSIBILITY, err);
        return ANSWER_FAILED;
    case kAXErrorFailure:
    case kAXErrorIllegalArgument:
        return ANSWER_REFUSED;
    default:
        return ANSWER_NONE;
    }
}

/* An answer without a value is none. */
static enum answer checked_answer(enum answer answer, const void *value)
{
    return answer == ANSWER_GIVEN && !value ? ANSWER_NONE : answer;
}

enum answer ask_one(const struct ask *ask, AXUIElementRef element, CFStringRef attribute,
                    CFTypeRef *value, struct error *err)
{
    struct question question;
    enum answer answer;

    *value = NULL;
    if (!begin_question(ask, element, &question, err))
        return ANSWER_FAILED;
    answer =
        answer_of(ask, &question, AXUIElementCopyAttributeValue(element, attribute, value), err);
    return checked_answer(answer, *value);
}

enum answer ask_many(const struct ask *ask, AXUIElementRef element, const CFStringRef *names,
                     CFTypeRef *values, size_t count, CFArrayRef *read, struct error *err)
{
    CFArrayRef attributes;
    struct question question;
    enum answer answer;

    *read = NULL;
    if (!begin_question(ask, element, &question, err))
        return ANSWER_FAILED;
    attributes = CFArrayCreate(NULL, (const void **)(uintptr_t)names, (CFIndex)count,
                               &kCFTypeArrayCallBacks);
    answer = answer_of(ask, &question,
                       AXUIElementCopyMultipleAttributeValues(element, attributes, 0, read), err);
    cf_release(attributes);
    if (answer == ANSWER_GIVEN && *read && CFArrayGetCount(*read) == (CFIndex)count) {
        for (size_t i = 0; i < count; i++)
            values[i] = CFArrayGetValueAtIndex(*read, (CFIndex)i);
        return ANSWER_GIVEN;
    }
    cf_release(*read);
    *read = NULL;
    return answer == ANSWER_GIVEN ? ANSWER_NONE : answer;
}

/* Some applications answer IllegalArgument for a list without an item. */
enum answer ask_list(const struct ask *ask, AXUIElementRef element, CFStringRef attribute,
                     CFIndex max, CFArrayRef *list, struct error *err)
{
    struct question question;
    enum answer answer;

    *list = NULL;
    if (!begin_question(ask, element, &question, err))
        return ANSWER_FAILED;
    answer = answer_of(ask, &question,
                       AXUIElementCopyAttributeValues(element, attribute, 0, max, list), err);
    return checked_answer(answer == ANSWER_REFUSED ? ANSWER_NONE : answer, *list);
}

enum answer ask_count(const struct ask *ask, AXUIElementRef element, CFStringRef attribute,
                      CFIndex *count, struct error *err)
{
    struct question question;
    enum answer answer;

    *count = -1;
    if (!begin_question(ask, element, &question, err))
        return ANSWER_FAILED;
    answer = answer_of(ask, &question, AXUIElementGetAttributeValueCount(element, attribute, count),
                       err);
    if (answer != ANSWER_GIVEN)
        *count = -1;
    return answer;
}

enum answer ask_settable(const struct ask *ask, AXUIElementRef element, CFStringRef attribute,
                         bool *settable, struct error *err)
{
    struct question question;
    Boolean can = false;
    enum answer answer;

    *settable = false;
    if (!begin_question(ask, element, &question, err))
        return ANSWER_FAILED;
    answer =
        answer_of(ask, &question, AXUIElementIsAttributeSettable(element, attribute, &can), err);
    *settable = answer == ANSWER_GIVEN && can;
    return answer;
}

enum answer ask_actions(const struct ask *ask, AXUIElementRef element, CFArrayRef *names,
                        struct error *err)
{
    struct question question;
    enum answer answer;

    *names = NULL;
    if (!begin_question(ask, element, &question, err))
        return ANSWER_FAILED;
    answer = answer_of(ask, &question, AXUIElementCopyActionNames(element, names), err);
    return checked_answer(answer, *names);
}

enum answer ask_range(const struct ask *ask, AXUIElementRef element, CFRange range, CFTypeRef *text,
                      struct error *err)
{
    struct question question;
    AXValueRef parameter;
    enum answer answer;

    *text = NULL;
    if (!begin_question(ask, element, &question, err))
        return ANSWER_FAILED;
    parameter = AXValueCreate(kAXValueTypeCFRange, &range);
    if (!parameter)
        return ANSWER_NONE;
    answer = answer_of(ask, &question,
                       AXUIElementCopyParameterizedAttributeValue(
                           element, kAXStringForRangeParameterizedAttribute, parameter, text),
                       err);
    CFRelease(parameter);
    return checked_answer(answer, *text);
}

enum answer ask_at(const struct ask *ask, AXUIElementRef app, CGPoint at, AXUIElementRef *element,
                   struct error *err)
{
    struct question question;
    enum answer answer;

    *element = NULL;
    if (!begin_question(ask, app, &question, err))
        return ANSWER_FAILED;
    answer =
        answer_of(ask, &question,
                  AXUIElementCopyElementAtPosition(app, (float)at.x, (float)at.y, element), err);
    return checked_answer(answer, *element);
}

enum answer ask_set(const struct ask *ask, AXUIElementRef element, CFStringRef attribute,
                    CFTypeRef value, struct error *err)
{
    struct question question;

    if (!begin_question(ask, element, &question, err))
        return ANSWER_FAILED;
    return answer_of(ask, &question, AXUIElementSetAttributeValue(element, attribute, value), err);
}

enum answer ask_do(const struct ask *ask, AXUIElementRef element, CFStringRef action,
                   struct error *err)
{
    struct question question;

    if (!begin_question(ask, element, &question, err))
        return ANSWER_FAILED;
    return answer_of(ask, &question, AXUIElementPerformAction(element, action), err);
}

AXUIElementRef ask_app(int pid, struct error *err)
{
    AXUIElementRef app = pid > 0 && process_started(pid) ? AXUIElementCreateApplication(pid) : NULL;

    if (!app)
        error_set(err, "app_not_found",
                  "process %d has exited or is not an application. List the applications again",
                  pid);
    return app;
}

/* --- observers -------------------------------------------------------------------------------- */

static enum answer ask_for_one(const struct ask *ask, AXObserverRef observer,
                               AXUIElementRef element, CFStringRef name, struct error *err)
{
    struct question question;
    AXError error;

    if (!begin_question(ask, element, &question, err))
        return ANSWER_FAILED;
    error = AXObserverAddNotification(observer, element, name, NULL);
    return answer_of(ask, &question,
                     error == kAXErrorNotificationAlreadyRegistered ? kAXErrorSuccess : error, err);
}

bool ask_notify(const struct ask *ask, AXObserverRef observer, AXUIElementRef element,
                const CFStringRef *names, size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (ask_for_one(ask, observer, element, names[i], err) == ANSWER_FAILED)
            return false;
    return true;
}

AXObserverRef ask_observer(const struct ask *ask, CFRunLoopRef loop, AXObserverCallback told,
                           const CFStringRef *names, size_t count, struct error *err)
{
    AXObserverRef observer = NULL;
    AXUIElementRef app;

    if (AXObserverCreate(ask->pid, told, &observer) != kAXErrorSuccess || !observer) {
        error_set(err, "no_tree", "process %d takes no observer", ask->pid);
        return NULL;
    }
    CFRunLoopAddSource(loop, AXObserverGetRunLoopSource(observer), kCFRunLoopDefaultMode);
    CFRunLoopWakeUp(loop);
    app = ask_app(ask->pid, err);
    if (!app || !ask_notify(ask, observer, app, names, count, err)) {
        CFRelease(observer); /* this takes its source out of the loop */
        observer = NULL;
    }
    cf_release(app);
    return observer;
}
