/* perigee --notify: the notifications of one engine in macOS's Notification Center, until stdin
 * ends; then those that were shown with "held" are removed. For lua/lib/notify/center.lua; lines.h
 * has what goes between them.
 *
 * Requests are done one after the other, each within a budget, because the set of categories is one
 * for all of them. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/helper_program.h"
#include "platform/macos/notify/lines.h"
#include "platform/macos/system/appkit_news.h"
#include "platform/macos/system/line_source.h"

#ifndef NOTIFY_BUDGET_S /* seconds for one request, with the user's answer to macOS's question */
#define NOTIFY_BUDGET_S 30
#endif
#ifndef NOTIFY_SHOWN_MOST /* most notifications that the user may act on */
#define NOTIFY_SHOWN_MOST 1000
#endif

enum { WAITING_MOST = 256, ENDING_S = 5 /* seconds for removing notifications at the end */ };

enum kind { SHOW, REMOVE, END };

/* One task of the queue. */
struct work {
    struct work *next;
    enum kind kind;
    struct notify_request *request; /* the request to be answered; NULL: END has none */
    char *id;
    const char *reason; /* END: the reason of the end */
    bool asked, urgent;
};

/* A notification that the user may act on. */
struct shown {
    struct shown *next;
    struct notify *notify;
    char *id;
    CFRunLoopTimerRef timer; /* for its end; or NULL */
    bool held;               /* it is removed when the engine ends */
};

struct notify {
    struct work *first; /* the task that is being done, and those that wait */
    size_t waiting;
    long step; /* the awaited step of the first task: answers to others are late */
    void (*next)(struct notify *notify, struct work *work, int result, const char *why);
    CFRunLoopTimerRef budget; /* for the first task */
    struct shown *shown;      /* the newest first */
    size_t shown_count;
    CFRunLoopTimerRef limit; /* for the end; NULL before stdin has ended */
    bool ending, over;
};

static void end_notify(struct notify *notify)
{
    if (!notify->over)
        appkit_news_stop();
    notify->over = true;
}

/* --- timers --------------------------------------------------------------------------------- */

static CFRunLoopTimerRef timer_start(double seconds, CFRunLoopTimerCallBack due,
                                     void *arg) GIVES_REF;
static CFRunLoopTimerRef timer_start(double seconds, CFRunLoopTimerCallBack due, void *arg)
{
    CFRunLoopTimerContext context = { .info = arg };
    CFRunLoopTimerRef timer =
        CFRunLoopTimerCreate(NULL, CFAbsoluteTimeGetCurrent() + seconds, 0, 0, 0, due, &context);

    if (timer)
        CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, kCFRunLoopDefaultMode);
    return timer;
}

static void timer_end(CFRunLoopTimerRef timer ENDS_REF)
{
    if (!timer)
        return;
    CFRunLoopTimerInvalidate(timer);
    CFRelease(timer);
}

/* --- work ----------------------------------------------------------------------------------- */

static void begin_work(struct notify *notify);

static void work_free(struct work *work)
{
    notify_request_free(work->request);
    free(work->id);
    free(work);
}

static void add_work(struct notify *notify, struct work *work)
{
    struct work **last = &notify->first;

    while (*last)
        last = &(*last)->next;
    *last = work;
    if (notify->waiting++ == 0)
        begin_work(notify);
}

/* Stops waiting for the first task: answers to it are late from now on. */
static void stop_waiting_for_work(struct notify *notify)
{
    notify->next = NULL;
    notify->step++;
    timer_end(notify->budget);
    notify->budget = NULL;
}

/* Ends the first task. */
static void finish_work(struct notify *notify)
{
    struct work *work = notify->first;

    notify->first = work->next;
    notify->waiting--;
    stop_waiting_for_work(notify);
    work_free(work);
    if (notify->first)
        begin_work(notify);
    else if (notify->ending)
        end_notify(notify);
}

/* Answers the first task's request; code NULL: it was done. */
static void answer_request(struct notify *notify, const char *code, const char *why)
{
    const struct work *work = notify->first;

    if (code)
        notify_say_failed(work->request, code, why);
    else if (work->kind == SHOW)
        notify_say_shown(work->request, work->urgent);
    else
        notify_say_removed(work->request);
    finish_work(notify);
}

/* Awaits a new step, whose result goes to next(). Returns the step. */
static long await_result(struct notify *notify,
                         void (*next)(struct notify *, struct work *, int, const char *))
{
    notify->next = next;
    return ++notify->step;
}

static void on_done(void *arg, long step, int result, const char *why)
{
    struct notify *notify = arg;

    if (notify->next && step == notify->step)
        notify->next(notify, notify->first, result, why);
}

/* --- shown notifications -------------------------------------------------------------------- */

static struct shown **find_shown(struct notify *notify, const char *id)
{
    struct shown **at = &notify->shown;

    while (*at && strcmp((*at)->id, id) != 0)
        at = &(*at)->next;
    return at;
}

static void forget_shown(struct notify *notify, struct shown **at)
{
    struct shown *shown = *at;

    *at = shown->next;
    notify->shown_count--;
    timer_end(shown->timer);
    free(shown->id);
    free(shown);
}

static void add_end(struct notify *notify, const char *id, const char *reason)
{
    struct work *work = mem_zero(sizeof *work);

    work->kind = END;
    work->id = mem_strdup(id);
    work->reason = reason;
    add_work(notify, work);
}

static void on_expired(CFRunLoopTimerRef timer, void *arg)
{
    struct shown *shown = arg;

    CFRunLoopTimerInvalidate(timer);
    add_end(shown->notify, shown->id, "expired");
}

/* Forgets the oldest notification when there are too many. Its end is reported as unknown, and no
 * later event of it is. */
static void forget_oldest_shown(struct notify *notify)
{
    struct shown **at = &notify->shown;

    while ((*at)->next)
        at = &(*at)->next;
    notify_say_event((*at)->id, "closed", "reason", "unknown");
    forget_shown(notify, at);
}

static void remember_shown(struct notify *notify, const struct work *work)
{
    struct shown *shown = *find_shown(notify, work->id);

    if (!shown) {
        if (notify->shown_count == NOTIFY_SHOWN_MOST)
            forget_oldest_shown(notify);
        shown = mem_zero(sizeof *shown);
        shown->next = notify->shown;
        shown->notify = notify;
        shown->id = mem_strdup(work->id);
        notify->shown = shown;
        notify->shown_count++;
    }
    shown->held = work->request->held;
    timer_end(shown->timer);
    shown->timer =
        work->request->timeout > 0 ? timer_start(work->request->timeout, on_expired, shown) : NULL;
}

/* --- showing -------------------------------------------------------------------------------- */

static void after_show(struct notify *notify, struct work *work, int taken, const char *why)
{
    if (taken)
        remember_shown(notify, work);
    if (taken && work->request->held && notify->ending)
        add_end(notify, work->id, "closed");
    answer_request(notify, taken ? NULL : "failed", why);
}

static void after_prepare(struct notify *notify, struct work *work, int known, const char *why)
{
    if (known)
        notes_show(await_result(notify, after_show), &work->request->note);
    else
        answer_request(notify, "failed", why ? why : "macOS does not keep the buttons");
}

static void after_look(struct notify *notify, struct work *work, int allowed, const char *why);

static void after_ask(struct notify *notify, struct work *work, int allowed, const char *why)
{
    (void)work;
    if (allowed)
        notes_look(await_result(notify, after_look));
    else
        answer_request(notify, "denied", why);
}

static void after_look(struct notify *notify, struct work *work, int allowed, const char *why)
{
    if (allowed == NOTES_UNASKED && !work->asked) {
        work->asked = true;
        notes_ask(await_result(notify, after_ask));
        return;
    }
    if (allowed != NOTES_ALLOWED && allowed != NOTES_URGENT) {
        answer_request(notify, "denied", why);
        return;
    }
    work->urgent = allowed == NOTES_URGENT;
    notes_prepare(await_result(notify, after_prepare), &work->request->note);
}

/* --- removing ------------------------------------------------------------------------------- */

static void after_remove(struct notify *notify, struct work *work, int gone, const char *why)
{
    struct shown **at = find_shown(notify, work->id);

    if (*at && work->kind == END)
        notify_say_event(work->id, "closed", "reason", gone ? work->reason : "unknown");
    if (*at && (gone || work->kind == END))
        forget_shown(notify, at);
    if (work->kind == END)
        finish_work(notify);
    else
        answer_request(notify, gone ? NULL : "failed", why);
}

/* Gives up the first task, which takes too long. A notification that macOS may yet show is
 * removed. */
static void on_budget(CFRunLoopTimerRef timer, void *arg)
{
    struct notify *notify = arg;
    struct work *work = notify->first;

    CFRunLoopTimerInvalidate(timer);
    if (notify->next == after_show && !*find_shown(notify, work->id))
        notes_remove(0, work->id);
    if (work->kind == END)
        after_remove(notify, work, 0, NULL);
    else
        answer_request(notify, notify->next == after_ask ? "unanswered" : "timeout", NULL);
}

static void begin_work(struct notify *notify)
{
    struct work *work = notify->first;

    notify->budget = timer_start(NOTIFY_BUDGET_S, on_budget, notify);
    if (work->kind == SHOW && !(work->request->replaces && !*find_shown(notify, work->id)))
        notes_look(await_result(notify, after_look));
    else if (work->kind != SHOW && *find_shown(notify, work->id))
        notes_remove(await_result(notify, after_remove), work->id);
    else if (work->request)
        answer_request(notify, "closed", NULL);
    else
        finish_work(notify);
}

/* --- requests ------------------------------------------------------------------------------- */

static void on_request_line(void *arg, char *line)
{
    struct notify *notify = arg;
    struct notify_request *request = notify_request_read(line);
    struct work *work;

    if (!request)
        return;
    if (!request->id || notify->waiting >= WAITING_MOST) {
        notify_say_failed(request, request->id ? "busy" : "failed", NULL);
        notify_request_free(request);
        return;
    }
    work = mem_zero(sizeof *work);
    work->kind = request->shows ? SHOW : REMOVE;
    work->request = request;
    work->id = mem_strdup(request->id);
    add_work(notify, work);
}

/* --- the end -------------------------------------------------------------------------------- */

static void on_limit(CFRunLoopTimerRef timer, void *arg)
{
    CFRunLoopTimerInvalidate(timer);
    end_notify(arg);
}

/* Drops the notifications that are still to be shown. One that macOS is about to take is waited
 * for, because it may be held. */
static void drop_shows(struct notify *notify)
{
    bool showing = notify->first && notify->next == after_show;
    bool stops = notify->first && notify->first->kind == SHOW && !showing;
    struct work **at = showing ? &notify->first->next : &notify->first;

    while (*at) {
        struct work *work = *at;

        if (work->kind == SHOW) {
            *at = work->next;
            notify->waiting--;
            work_free(work);
        } else {
            at = &work->next;
        }
    }
    if (stops)
        stop_waiting_for_work(notify);
    if (stops && notify->first)
        begin_work(notify);
}

static void on_requests_ended(void *arg)
{
    struct notify *notify = arg;

    notify->limit = timer_start(ENDING_S, on_limit, notify);
    drop_shows(notify);
    for (struct shown *each = notify->shown; each; each = each->next) {
        if (each->held)
            add_end(notify, each->id, "closed");
    }
    notify->ending = true;
    if (!notify->first)
        end_notify(notify);
}

/* --- actions of the user -------------------------------------------------------------------- */

/* Reports an action of the user, unless the notification belongs to another engine. */
static void on_did(void *arg, const char *id, enum note_did what, int button, const char *text)
{
    struct notify *notify = arg;
    struct shown **at = find_shown(notify, id);

    if (!*at)
        return;
    if (what == NOTE_DISMISSED) {
        notify_say_event(id, "closed", "reason", "dismissed");
        forget_shown(notify, at);
        return;
    }
    if (what == NOTE_BUTTON)
        notify_say_button(id, button);
    else if (what == NOTE_REPLIED)
        notify_say_event(id, "reply", "text", text ? text : "");
    else
        notify_say_event(id, "clicked", NULL, NULL);
    add_end(notify, id, "dismissed");
}

static void forget_all_shown(struct notify *notify)
{
    notify->over = true;
    while (notify->shown)
        forget_shown(notify, &notify->shown);
    timer_end(notify->budget);
    timer_end(notify->limit);
    while (notify->first) {
        struct work *work = notify->first;

        notify->first = work->next;
        work_free(work);
    }
}

static int serve_notify(void)
{
    struct notify notify = { 0 };
    struct notes_told told = { on_done, on_did, &notify };
    struct line_source *lines =
        line_source_new(STDIN_FILENO, on_request_line, on_requests_ended, &notify);

    signal(SIGPIPE, SIG_IGN);
    if (!lines)
        return 1;
    if (notes_begin(&told)) {
        notify_say_what("ready");
        appkit_news_run();
    } else {
        notify_say_what("no_bundle");
    }
    line_source_free(lines);
    forget_all_shown(&notify);
    return 0;
}

extern const struct helper_program perigee_notify;
const struct helper_program perigee_notify = { serve_notify };
