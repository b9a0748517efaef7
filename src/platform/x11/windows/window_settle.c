/* Waits until a window is still, so that the report about it is true when it is read.
 *
 * The application has a say in the size: one that draws its own frame takes the shadow off when it
 * is maximized, and puts it on again afterwards (_GTK_FRAME_EXTENTS); another asks for whole
 * characters or for its smallest size. It does so when it comes to the manager's message, which may
 * be long after the frame is still. So it is pinged after each change, and once more when nothing
 * has changed for a while; then the manager is asked to show that it has handled the application's
 * requests. An answer says that the message was read, but GTK computes a size only with its next
 * frame: the wait does not end while one of the application's threads is at work. */
#include "platform/x11/windows/window_settle.h"

#include "platform/freedesktop/proc.h"
#include "platform/x11/windows/manager.h"
#include "platform/x11/windows/window_facts.h"
#include "platform/x11/wire/client.h"
#include "platform/x11/wire/connection.h"
#include "platform/x11/wire/property.h"

enum {
    STILL_MS = 40,        /* a window without a change for so long is still */
    STATE_FIRST_MS = 300, /* a manager may set the state, and only then the size */
    RESTLESS_MS = 400,    /* a window that does not come to rest is reported as it is */
    WORK_MS = 400,        /* processor time of an application that may be at work until then */
    PROMPT_MS = 10,   /* a later answer comes from an application or manager that had work to do */
    LOOK_AGAIN_MS = 5 /* time between two looks at an application that is at work */
};

struct calm {
    bool has_say; /* the application has a say in the change */
    bool pings;   /* the application answers pings */
    bool asked;   /* an answer is awaited */
    bool last;    /* the answer is the last before the end */
    uint64_t asked_at, since, give_up;
    uint64_t cpu; /* the application's processor time when this began, ms */
};

static Window window_of(const struct act *act)
{
    return (Window)act->before.ref.id;
}

static bool same_look(const struct window_info *a, const struct window_info *b)
{
    return rect_same(a->frame, b->frame) && rect_same(a->content, b->content) &&
           a->state == b->state && a->focused == b->focused && a->on_screen == b->on_screen;
}

static bool changes_state(const struct act *act)
{
    enum window_verb verb = act->change->verb;

    return (verb == WINDOW_MAXIMIZE || verb == WINDOW_SET_FULLSCREEN || verb == WINDOW_RESTORE) &&
           !(act->before.state & WINDOW_MINIMIZED);
}

static bool changes_size(const struct act *act)
{
    return changes_state(act) || act->change->verb == WINDOW_RESIZE ||
           act->change->verb == WINDOW_PLACE;
}

static bool same_shadow(const struct window_info *a, const struct window_info *b)
{
    return a->content.x - a->whole.x == b->content.x - b->whole.x &&
           a->content.y - a->whole.y == b->content.y - b->whole.y &&
           a->whole.width - a->content.width == b->whole.width - b->content.width &&
           a->whole.height - a->content.height == b->whole.height - b->content.height;
}

/* True if the application draws a shadow, which it takes off a window that fills the screen. */
static bool has_shadow(const struct act *act)
{
    return !rect_same(act->now.whole, act->now.content);
}

/* True until the frame changes with the new state, which mostly comes first. */
static bool awaits_frame(const struct act *act)
{
    if (!changes_state(act) || act->before.state == act->now.state)
        return false;
    return rect_same(act->before.frame, act->now.frame) ||
           ((act->now.state & (WINDOW_MAXIMIZED | WINDOW_FULLSCREEN)) && has_shadow(act));
}

/* With another shadow in a window of the same size, the frame has another size, until the manager
 * gives the window its own. It may have handled all messages before: mutter does this with its next
 * frame. */
void x11_act_see_shadow(struct act *act, const struct window_info *last)
{
    struct x11_desktop *desktop = act->desktop;

    if (!last->ref.id || !changes_size(act))
        return;
    if (!same_shadow(last, &act->now))
        act->owed = x11_supports(desktop, A(_GTK_FRAME_EXTENTS));
    else if (!rect_same(last->whole, act->now.whole))
        act->owed = false;
}

static void calm_ask(const struct act *act, struct calm *calm)
{
    if (!calm->pings)
        return;
    x11_ping(act->desktop, window_of(act));
    calm->asked = true;
    calm->asked_at = deadline_now();
}

/* Begins the while without a change again. */
static void calm_begin(const struct act *act, struct calm *calm)
{
    calm->since = deadline_now();
    calm->last = false;
    calm_ask(act, calm);
}

/* Begins the while again after a late answer: the manager still has to handle the requests of an
 * application that was at work. */
static void take_answer(const struct act *act, struct calm *calm)
{
    uint64_t now = deadline_now();

    if (!calm->asked || !x11_ponged(act->desktop))
        return;
    calm->asked = false;
    if (now - calm->asked_at <= PROMPT_MS)
        return;
    calm->since = now;
    calm->give_up = now + RESTLESS_MS;
    calm->last = false;
}

/* True if the application is at work for this window. One that has had the processor for long is at
 * work on something else; on a busy machine it may have had little of it. */
static bool is_at_work(const struct act *act, const struct calm *calm)
{
    int pid = act->before.ref.pid;

    return calm->has_say && proc_at_work(pid) && proc_cpu_ms(pid) - calm->cpu < WORK_MS;
}

/* True if the process is stopped and takes no pings. An application without pings has read all
 * messages when it sleeps. */
static bool is_stopped(const struct act *act, const struct calm *calm)
{
    return calm->has_say && !calm->pings && proc_state(act->before.ref.pid) == 'T';
}

static bool look_for_change(struct act *act, struct calm *calm, struct error *err)
{
    const struct window_info last = act->now; /* its texts end with the look */
    bool owed = act->owed;

    if (!x11_act_look(act, err))
        return false;
    if (!act->gone && !same_look(&last, &act->now))
        calm_begin(act, calm);
    if (act->owed && !owed)
        calm->give_up = calm->since + RESTLESS_MS;
    return true;
}

static bool wait_for_change(struct act *act, struct calm *calm, uint64_t until, struct error *err)
{
    return x11_wait(act->desktop, act->deadline, until, err) && look_for_change(act, calm, err);
}

/* Sees the manager handle the requests that the application made before it answered. An application
 * may have waited for a late manager, to draw. */
static bool see_the_end(struct act *act, struct calm *calm, bool *over, struct error *err)
{
    uint64_t asked_at = deadline_now();
    bool handled;

    if (!x11_manager_barrier(act->desktop, act->deadline, &handled, err))
        return false;
    if (handled && deadline_now() - asked_at > PROMPT_MS)
        calm_begin(act, calm);
    if (!look_for_change(act, calm, err))
        return false;
    *over = calm->last;
    return true;
}

/* Ends a while without a change, which may have been the last. */
static bool end_calm(struct act *act, struct calm *calm, uint64_t until, bool *over,
                     struct error *err)
{
    uint64_t now = deadline_now(), soon = now + LOOK_AGAIN_MS;

    if (is_at_work(act, calm)) { /* the size that it makes may not be the last */
        calm->since = now;
        calm->give_up = now + RESTLESS_MS;
        calm->last = false;
        return wait_for_change(act, calm, soon < until ? soon : until, err);
    }
    if (now < calm->give_up && is_stopped(act, calm))
        return wait_for_change(act, calm, soon < until ? soon : until, err);
    act->owed = false; /* not every manager pays */
    *over = !calm->has_say || now >= calm->give_up;
    if (*over)
        return true;
    if (calm->last)
        return see_the_end(act, calm, over, err);
    calm->last = true;
    calm_ask(act, calm);
    return true;
}

/* --- all of it ------------------------------------------------------------------------ */

bool x11_act_settle(struct act *act, uint64_t until, struct error *err)
{
    struct calm calm = { .give_up = deadline_now() + RESTLESS_MS };
    bool over = false;

    calm.has_say = !act->gone && changes_size(act);
    calm.cpu = calm.has_say ? proc_cpu_ms(act->before.ref.pid) : 0;
    calm.pings = calm.has_say && x11_answers(act->desktop, window_of(act));
    calm_begin(act, &calm);
    while (!act->gone && !over) {
        uint64_t end = calm.since + (awaits_frame(act) || act->owed ? STATE_FIRST_MS : STILL_MS);

        take_answer(act, &calm);
        end = end < calm.give_up ? end : calm.give_up;
        end = calm.asked || end > until ? until : end;
        if (deadline_now() >= until) {
            act->busy = is_at_work(act, &calm);
            act->silent = calm.asked || act->busy;
            return true;
        }
        if (deadline_now() < end ? !wait_for_change(act, &calm, end, err)
                                 : !end_calm(act, &calm, until, &over, err))
            return false;
    }
    act->silent = !act->gone && is_stopped(act, &calm);
    return true;
}
