/* The watchers of the desktop, of its elements and of input, and the streams that listen to them. A
 * watcher exists while a stream listens. */
#include "sys/events/hub.h"

#include <stdlib.h>

#include "sys/shared/desktop_service.h"

static struct link streams = { &streams, &streams };
enum { DESKTOP, ELEMENTS, INPUT, WATCHERS };
static struct desktop_watcher *watchers[WATCHERS]; /* NULL: nobody listens */
static unsigned last_hotkey;

void shared_event_unref(struct shared_event *event)
{
    if (!event || --event->refs > 0)
        return;
    watch_event_clear(&event->event);
    free(event);
}

/* --- incoming events ----------------------------------------------------------------------- */

static void stream_put(struct stream *stream, struct shared_event *event)
{
    if (stream->count == stream->capacity) { /* the newest event matters most */
        shared_event_unref(stream_take(stream));
        stream->dropped++;
    }
    event->refs++;
    stream->queue[(stream->first + stream->count) % stream->capacity] = event;
    stream->count++;
    stream->woken(stream);
}

static int watcher_of(const struct stream *stream)
{
    return (int)(stream->kinds / WATCH_ELEMENTS); /* it, and the one after it, come alone */
}

/* True if this watcher reports to the stream: the hooks' argument. */
static bool stream_hears(const struct stream *stream, const void *which)
{
    return &watchers[watcher_of(stream)] == which;
}

static bool wants_element(const struct stream *stream, const struct element_event *event)
{
    return (!stream->pid || stream->pid == event->pid) &&
           stream->element_kinds & (1u << event->kind);
}

static bool stream_wants(const struct stream *stream, const struct watch_event *event)
{
    unsigned kind = watch_kind_of(event->what);

    if (stream->state != STREAM_OPEN)
        return false;
    if (kind == WATCH_ELEMENTS)
        return stream->kinds & kind && wants_element(stream, &event->element);
    if (kind == WATCH_HOTKEYS)
        return stream->hotkey.number && stream->hotkey.number == event->hotkey;
    return !kind || (stream->kinds & kind);
}

static void on_watch_event(void *arg, struct watch_event *event)
{
    struct shared_event *shared = mem_zero(sizeof *shared);

    shared->refs = 1;
    shared->event = *event;
    *event = (struct watch_event){ .what = shared->event.what };
    list_each (link, &streams) {
        struct stream *stream = container_of(link, struct stream, link);

        if (stream_hears(stream, arg) && stream_wants(stream, &shared->event))
            stream_put(stream, shared);
    }
    shared_event_unref(shared);
}

static void on_dropped(void *arg, size_t count)
{
    list_each (link, &streams) {
        struct stream *stream = container_of(link, struct stream, link);

        if (stream_hears(stream, arg))
            stream->dropped += count;
    }
}

static void settle_stream(struct stream *stream, enum stream_state state, const struct error *why)
{
    stream->state = state;
    if (why)
        stream->why = *why;
    stream->woken(stream);
}

static void on_hotkey_refused(void *arg, unsigned hotkey, const struct error *why)
{
    (void)arg;
    list_each (link, &streams) {
        struct stream *stream = container_of(link, struct stream, link);

        if (stream->hotkey.number == hotkey && stream->state == STREAM_OPENING)
            settle_stream(stream, STREAM_REFUSED, why);
    }
}

static void on_watch_settled(void *arg, uint64_t number, const struct error *err)
{
    list_each (link, &streams) {
        struct stream *stream = container_of(link, struct stream, link);

        if (stream_hears(stream, arg) && stream->state == STREAM_OPENING &&
            stream->number <= number)
            settle_stream(stream, err ? STREAM_REFUSED : STREAM_OPEN, err);
    }
}

/* --- listeners ------------------------------------------------------------------------------ */

/* Gathers what all streams of one watcher want. The caller frees the list of hotkeys. */
static struct watch_wanted gather_wanted(int which)
{
    struct watch_wanted wanted = { 0 };
    struct watch_hotkey *hotkeys = NULL;

    list_each (link, &streams) {
        const struct stream *stream = container_of(link, struct stream, link);

        if (watcher_of(stream) != which)
            continue;
        wanted.kinds |= stream->kinds;
        if (!stream->hotkey.number || stream->state == STREAM_REFUSED)
            continue;
        hotkeys = mem_resize(hotkeys, (wanted.hotkey_count + 1) * sizeof *hotkeys);
        hotkeys[wanted.hotkey_count++] = stream->hotkey;
    }
    wanted.hotkeys = hotkeys ? hotkeys : mem_alloc(1);
    return wanted;
}

static uint64_t update_wanted(int which)
{
    struct watch_wanted wanted = gather_wanted(which);
    uint64_t number = desktop_watcher_want(watchers[which], &wanted);

    free((void *)(uintptr_t)wanted.hotkeys);
    return number;
}

static bool start_watcher(lua_State *L, int which, struct error *err)
{
    struct desktop_watcher_hooks hooks = { on_watch_event, on_watch_settled, on_hotkey_refused,
                                           on_dropped, &watchers[which] };

    if (!watchers[which])
        watchers[which] = desktop_watcher(L, which == ELEMENTS, &hooks, err);
    return watchers[which] != NULL;
}

bool hub_join(lua_State *L, struct stream *stream, struct error *err)
{
    int which = watcher_of(stream);

    if (which == INPUT && watchers[INPUT])
        return error_set(err, "busy", "another recording is under way in this engine");
    if (!start_watcher(L, which, err))
        return false;
    if (stream->kinds & WATCH_HOTKEYS)
        stream->hotkey.number = ++last_hotkey;
    stream->state = STREAM_OPENING;
    stream->queue = mem_alloc(stream->capacity * sizeof(struct shared_event *));
    list_push(&streams, &stream->link);
    stream->number = update_wanted(which);
    return true;
}

static bool has_streams(int which)
{
    list_each (link, &streams)
        if (watcher_of(container_of(link, struct stream, link)) == which)
            return true;
    return false;
}

static void end_watcher(int which)
{
    desktop_watcher_free(watchers[which]);
    watchers[which] = NULL;
}

void hub_leave(struct stream *stream)
{
    int which = watcher_of(stream);
    struct shared_event *event;

    if (stream->state == STREAM_CLOSED)
        return;
    list_remove(&stream->link);
    while ((event = stream_take(stream)))
        shared_event_unref(event);
    free(stream->queue);
    stream->queue = NULL;
    stream->state = STREAM_CLOSED;
    if (has_streams(which))
        update_wanted(which);
    else
        end_watcher(which);
}

struct shared_event *stream_take(struct stream *stream)
{
    struct shared_event *event;

    if (!stream->count)
        return NULL;
    event = stream->queue[stream->first];
    stream->first = (stream->first + 1) % stream->capacity;
    stream->count--;
    return event;
}

const struct stream *hub_bound(const struct chord *chord)
{
    list_each (link, &streams) {
        const struct stream *stream = container_of(link, struct stream, link);
        const struct chord *bound = &stream->hotkey.chord;

        if (stream->hotkey.number && stream->state != STREAM_REFUSED &&
            bound->modifiers == chord->modifiers && bound->key == chord->key &&
            bound->point == chord->point)
            return stream;
    }
    return NULL;
}

void hub_each_bound(void (*each)(void *arg, const struct stream *stream), void *arg)
{
    list_each (link, &streams) {
        const struct stream *stream = container_of(link, struct stream, link);

        if (stream->hotkey.number && stream->state != STREAM_REFUSED)
            each(arg, stream);
    }
}
