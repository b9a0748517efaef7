/* See event_queue.h. The memory goes when nobody is inside any more: not the
 * loop in run_queue(), not the task that is being cancelled. */
#include "script/event_queue.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/log.h"
#include "json/document.h"
#include "json/number.h"
#include "script/bind.h"
#include "script/task.h"
#include "script/value.h"
#include "script/vm.h"

enum { EVENTS_MAX = 1000 };

struct event {
    struct link link;
    bool progress;
    double done, total; /* for progress */
    char *text;         /* NULL: none */
    size_t len;
    bool valued;
    char *json; /* the value, if `valued`; NULL: nil */
};

struct event_queue {
    struct vm *vm;
    int function; /* registry reference */
    char *name;
    struct task *parent;
    struct task *task; /* the task of the running call; NULL: none */
    struct link events;
    size_t count, lost;
    bool busy; /* in run_queue() */
    bool freed;
};

/* --- events ----------------------------------------------------------------------- */

static void event_free(struct event *event)
{
    free(event->text);
    free(event->json);
    free(event);
}

static struct event *take_event(struct event_queue *queue)
{
    struct link *link = list_pop(&queue->events);

    if (!link)
        return NULL;
    queue->count--;
    return container_of(link, struct event, link);
}

static void drop_events(struct event_queue *queue)
{
    struct event *event;

    while ((event = take_event(queue)))
        event_free(event);
}

/* --- calls ------------------------------------------------------------------------ */

static void release_queue(struct event_queue *queue)
{
    if (!queue->freed || queue->busy || queue->task)
        return;
    free(queue->name);
    free(queue);
}

/* NaN is nil, a whole number an integer. */
static void push_event_number(lua_State *L, double number)
{
    if (isnan(number))
        lua_pushnil(L);
    else if (floor(number) == number && fabs(number) <= EXACT_INTEGERS)
        lua_pushinteger(L, (lua_Integer)number);
    else
        lua_pushnumber(L, number);
}

struct starting {
    const struct event_queue *queue;
    const struct event *event;
};

/* (starting) -> the function, and the event as its arguments */
static int push_queued_event(lua_State *L)
{
    const struct starting *starting = lua_touserdata(L, 1);
    const struct event *event = starting->event;
    struct json_doc **doc = bind_document(L);
    int n = 2;

    lua_rawgeti(L, LUA_REGISTRYINDEX, starting->queue->function);
    if (event->progress) {
        push_event_number(L, event->done);
        push_event_number(L, event->total);
        n = 4;
    }
    if (event->text)
        lua_pushlstring(L, event->text, event->len);
    else
        lua_pushnil(L);
    if (event->valued) {
        if (event->json)
            *doc = json_parse(event->json, strlen(event->json), NULL, NULL);
        value_push_json(L, *doc ? json_root(*doc) : NULL);
        n++;
    }
    return n;
}

static void run_queue(struct event_queue *queue);

static void on_handler_ended(void *arg, struct task *task, enum task_end end, int nresults)
{
    struct event_queue *queue = arg;
    struct error err;

    (void)nresults;
    queue->task = NULL;
    if (end == TASK_FAILED) {
        task_error(task, &err, NULL);
        log_warn("%s: %s", queue->name, err.text);
    } else if (end != TASK_DONE) {
        drop_events(queue); /* its parent's time is up, or all ends */
    }
    if (queue->busy)
        return;
    if (queue->freed)
        release_queue(queue);
    else
        run_queue(queue);
}

static void start_event(struct event_queue *queue, struct event *event)
{
    lua_State *L = vm_lua(queue->vm);
    struct starting starting = { queue, event };
    int top = lua_gettop(L);
    struct error err;
    struct task_spec spec = {
        .name = queue->name, .parent = queue->parent, .ended = on_handler_ended, .arg = queue
    };

    if (vm_push(queue->vm, L, push_queued_event, &starting, LUA_MULTRET, &err))
        queue->task = task_new(L, lua_gettop(L) - top - 1, &spec, &err);
    event_free(event);
    if (queue->task)
        task_go(queue->task);
    else
        log_warn("%s: an event is lost: %s", queue->name, err.text);
}

/* Goes on as long as calls end at once; else on_handler_ended() comes back here. */
static void run_queue(struct event_queue *queue)
{
    struct event *event;

    queue->busy = true;
    while (!queue->freed && !queue->task && (event = take_event(queue)))
        start_event(queue, event);
    queue->busy = false;
    release_queue(queue);
}

/* --- the queue -------------------------------------------------------------------- */

struct event_queue *event_queue_new(lua_State *L, int index, const char *name, struct task *parent)
{
    struct event_queue *queue;
    int function;

    lua_pushvalue(L, index);
    function = luaL_ref(L, LUA_REGISTRYINDEX);
    queue = mem_zero(sizeof *queue);
    queue->vm = vm_of(L);
    queue->function = function;
    queue->name = mem_strdup(name);
    queue->parent = parent;
    list_init(&queue->events);
    return queue;
}

static void add_event(struct event_queue *queue, struct event *event)
{
    list_push(&queue->events, &event->link);
    if (++queue->count > EVENTS_MAX) {
        event_free(take_event(queue));
        if (queue->lost++ == 0)
            log_warn("%s: its function is too slow, so events are lost", queue->name);
    }
    if (!queue->task && !queue->busy)
        run_queue(queue);
}

void event_queue_text(struct event_queue *queue, const char *text, size_t len)
{
    struct event *event = mem_zero(sizeof *event);

    event->text = mem_strndup(text, len);
    event->len = len;
    add_event(queue, event);
}

void event_queue_json(struct event_queue *queue, const char *text, const char *json)
{
    struct event *event = mem_zero(sizeof *event);

    event->text = mem_strdup(text);
    event->len = strlen(text);
    event->valued = true;
    event->json = json ? mem_strdup(json) : NULL;
    add_event(queue, event);
}

void event_queue_progress(struct event_queue *queue, double done, double total, const char *message)
{
    struct event *event = mem_zero(sizeof *event);

    event->progress = true;
    event->done = done;
    event->total = total;
    if (message) {
        event->text = mem_strdup(message);
        event->len = strlen(message);
    }
    add_event(queue, event);
}

void event_queue_free(struct event_queue *queue)
{
    if (!queue || queue->freed)
        return;
    queue->freed = true;
    drop_events(queue);
    luaL_unref(vm_lua(queue->vm), LUA_REGISTRYINDEX, queue->function);
    if (queue->task)
        task_cancel(queue->task); /* on_handler_ended() releases */
    else
        release_queue(queue);
}
