/* An anchored task has no parent, since its owner does not wait for it: it is found by its owner,
 * and its owner by it. */
#include "script/anchor.h"

#include <stdlib.h>

#include "base/log.h"
#include "script/task.h"
#include "script/vm.h"

struct anchors {
    struct link link; /* in `all` */
    struct task *owner;
    struct link tasks; /* struct anchored */
    struct link held;  /* struct anchor_hold */
    struct op *linger; /* the owner waits for their end; or NULL */
    bool linger_held;  /* ... and for the end of what is held */
};

static struct link all = { &all, &all };

struct anchors *anchors_begin(struct task *owner)
{
    struct anchors *anchors = mem_zero(sizeof *anchors);

    anchors->owner = owner;
    list_init(&anchors->tasks);
    list_init(&anchors->held);
    list_push(&all, &anchors->link);
    return anchors;
}

static bool is_empty(const struct anchors *anchors, bool held)
{
    return list_empty(&anchors->tasks) && (!held || list_empty(&anchors->held));
}

static void wake_if_empty(struct anchors *anchors)
{
    struct op *op = anchors->linger;

    if (!op || !is_empty(anchors, anchors->linger_held))
        return;
    anchors->linger = NULL;
    task_wake(op, 0);
}

static void on_anchored_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct anchored *anchored = arg;
    struct anchors *anchors = anchored->anchors;
    char *traceback = NULL;
    struct error err;

    (void)nresults;
    if (end == TASK_FAILED) {
        task_error(task, &err, &traceback);
        log_warn("%s: %s", task_name(task), traceback ? traceback : err.text);
        free(traceback);
        anchored->failed = true;
    }
    anchored->task = NULL;
    anchored->anchors = NULL;
    list_remove(&anchored->link);
    if (anchors)
        wake_if_empty(anchors);
    anchored->ended(anchored);
}

static void end_anchored_tasks(struct anchors *anchors)
{
    struct link *link;

    while ((link = list_pop(&anchors->tasks))) {
        struct anchored *anchored = container_of(link, struct anchored, link);

        anchored->anchors = NULL;
        task_cancel(anchored->task);
    }
    while ((link = list_pop(&anchors->held))) {
        struct anchor_hold *hold = container_of(link, struct anchor_hold, link);

        hold->anchors = NULL;
        hold->end(hold);
    }
}

void anchors_end(struct anchors *anchors)
{
    if (!anchors)
        return;
    list_remove(&anchors->link); /* from here on it anchors nothing more */
    end_anchored_tasks(anchors);
    free(anchors);
}

static struct anchors *of_owner(const struct task *task)
{
    list_each (link, &all) {
        struct anchors *anchors = container_of(link, struct anchors, link);

        if (anchors->owner == task)
            return anchors;
    }
    return NULL;
}

/* The anchors of the service or script that the running task belongs to; NULL: it ends with its
 * call. */
static struct anchors *anchors_here(lua_State *L)
{
    const struct task *task = task_current(L);
    const struct anchored *anchored;

    while (task && task_parent(task))
        task = task_parent(task);
    anchored = task ? task_arg(task, on_anchored_ended) : NULL;
    return anchored ? anchored->anchors : of_owner(task);
}

void anchors_release(lua_State *L)
{
    struct anchors *anchors = of_owner(task_current(L));

    if (anchors)
        end_anchored_tasks(anchors);
}

const char *anchors_owner(lua_State *L)
{
    const struct anchors *anchors = anchors_here(L);

    return anchors ? task_name(anchors->owner) : NULL;
}

size_t anchors_count(const char *owner)
{
    size_t count = 0;

    list_each (link, &all) {
        const struct anchors *anchors = container_of(link, struct anchors, link);

        if (strcmp(task_name(anchors->owner), owner) == 0)
            list_each (each, &anchors->tasks)
                count++;
    }
    return count;
}

bool anchor(lua_State *L, const char *name, struct anchored *anchored, struct error *err)
{
    struct anchors *anchors = anchors_here(L);
    struct task_spec spec = {
        .name = name, .context = task_context(L), .ended = on_anchored_ended, .arg = anchored
    };

    if (!anchors)
        return error_set(err, "not_lasting",
                         "%s: this would end with the call at once. Use it in a service or in a "
                         "script (perigee run), or take the events in a loop",
                         name);
    *anchored = (struct anchored){ .ended = anchored->ended, .anchors = anchors };
    list_init(&anchored->link);
    anchored->task = task_new(L, 0, &spec, err);
    if (!anchored->task)
        return false;
    if (task_confined(task_current(L)))
        task_confine(anchored->task);
    list_push(&anchors->tasks, &anchored->link);
    task_go_later(anchored->task);
    return true;
}

void anchor_hold(lua_State *L, struct anchor_hold *hold)
{
    hold->anchors = anchors_here(L);
    if (hold->anchors)
        list_push(&hold->anchors->held, &hold->link);
}

void anchor_let_go(struct anchor_hold *hold)
{
    struct anchors *anchors = hold->anchors;

    hold->anchors = NULL;
    list_remove(&hold->link);
    if (anchors)
        wake_if_empty(anchors);
}

/* --- waiting for their end ------------------------------------------------------------------- */

struct lingering {
    struct op op;
    struct anchors *anchors;
};

static void linger_cancel(struct op *op)
{
    container_of(op, struct lingering, op)->anchors->linger = NULL;
}

static int after_linger(lua_State *L, int status, lua_KContext count)
{
    (void)status;
    lua_settop(L, (int)count);
    return (int)count;
}

int anchors_linger(lua_State *L, bool held)
{
    struct task *task = task_here(L);
    struct anchors *anchors = of_owner(task);
    int count = lua_gettop(L);
    struct lingering *linger;

    if (!anchors || is_empty(anchors, held))
        return count;
    anchors->linger_held = held;
    linger = lua_newuserdatauv(L, sizeof *linger, 0);
    *linger = (struct lingering){ { task, linger_cancel, "what it anchored", NULL }, anchors };
    anchors->linger = &linger->op;
    return task_park_then(L, &linger->op, count, after_linger);
}
