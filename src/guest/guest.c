/* A guest from the engine's side: its socket, its frames, and its end. */
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "base/log.h"
#include "guest/ending.h"
#include "guest/guest_state.h"

enum {
    FRAMES_A_TURN = 64,    /* frames of one guest, before others have their turn ... */
    TURN_US = 500,         /* ... and microseconds, at most: as many guests may be at work */
    UNSENT_FULL = 1 << 20, /* bytes that the guest has not read: its frames are not read */
    UNSENT_LOW = 1 << 18,  /* ... until so few are left */
    UNSENT_MAX = 64 << 20, /* ... beyond which it is ended; the last frame may exceed it */
    READ_BYTES = 64 * 1024,
};

struct send {
    uv_write_t request;
    struct guest *guest;
    struct buf bytes;
};

/* --- the end of one ----------------------------------------------------------------- */

static void on_guest_closed(uv_handle_t *handle)
{
    struct guest *guest = handle->data;

    if (--guest->open > 0)
        return;
    buf_free(&guest->in);
    free(guest);
}

void guest_drop(struct guest *guest)
{
    struct guests *guests = guest->guests;

    if (!guests)
        return;
    list_remove(&guest->link);
    if (guests->spare == guest)
        guests->spare = NULL;
    if (guest->at_work && --guests->at_work == 0)
        guests_rest(guests);
    guest->guests = NULL;
    if (guest->pidfd >= 0)
        close(guest->pidfd);
    uv_close((uv_handle_t *)&guest->pipe, on_guest_closed);
    uv_close((uv_handle_t *)&guest->more, on_guest_closed);
}

void guest_end(struct guest *guest)
{
    struct control_record record = { CONTROL_KILL, guest->id, 0 };
    struct fork_server *server = guest->guests->server;

    if (!server || guest->ended)
        return;
#ifdef SYS_pidfd_send_signal
    if (guest->pidfd >= 0 && syscall(SYS_pidfd_send_signal, guest->pidfd, SIGKILL, NULL, 0) == 0)
        return; /* at once, even if the server is busy */
#endif
    if (!fork_server_tell(server, &record, -1))
        fork_server_kill(server);
}

/* Ends a guest that is over in both respects: no bytes come, and its status is known. */
static void guest_finish(struct guest *guest, const struct error *why)
{
    struct guest_events events = guest->events;
    struct guests *guests = guest->guests;
    void *arg = guest->arg;
    bool at_work = guest->at_work;

    guest_drop(guest);
    if (!at_work)
        return;
    events.ended(arg, why);
    guests_want_spare(guests);
}

bool guest_is_over(const struct guest *guest)
{
    return guest->over && guest->ended && !uv_is_active((const uv_handle_t *)&guest->more);
}

void guest_look(struct guest *guest)
{
    const struct guest_kind *kind;
    struct error err;

    if (!guest->guests || !guest_is_over(guest))
        return;
    kind = guest->guests->kind;
    if (guests_lack_jail(guest->guests))
        ending_no_jail(&err);
    else if (kind->interpreter && !guest->guests->ready)
        ending_no_interpreter(kind->language, kind->interpreter, &err);
    else if (guest->deaf)
        ending_deaf(UNSENT_MAX, &err);
    else
        ending_explain(guest->status, guest->forbidden, kind->language, &err);
    guest_finish(guest, &err);
}

/* --- frames from it ------------------------------------------------------------------- */

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *room);

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    struct guest *guest = handle->data;

    (void)wanted;
    *room = uv_buf_init(buf_reserve(&guest->in, READ_BYTES), READ_BYTES);
}

static void on_more(uv_idle_t *idle);

void guest_listen(struct guest *guest, bool waiting)
{
    if ((guest->paused || guest->full) && !guest->deaf) {
        uv_read_stop((uv_stream_t *)&guest->pipe);
        uv_idle_stop(&guest->more);
    } else if (waiting) {
        uv_read_stop((uv_stream_t *)&guest->pipe);
        uv_idle_start(&guest->more, on_more);
    } else {
        uv_idle_stop(&guest->more);
        if (!guest->over)
            uv_read_start((uv_stream_t *)&guest->pipe, on_room, on_read);
        guest_look(guest);
    }
}

/* Notes a forbidden call, even of a guest that waits for a script, whose end is not reported to
 * anyone. */
static void note_forbidden(struct guest *guest, uint32_t number)
{
    struct error err;

    if (guest->forbidden != ENDING_NO_CALL)
        return;
    guest->forbidden = (int)(number & INT_MAX);
    ending_explain(SIGSYS, guest->forbidden, guest->guests->kind->language, &err);
    log_error("%s", err.text);
}

static void hear_frame(struct guest *guest, struct frame *frame)
{
    if (frame->kind == FRAME_FORBIDDEN)
        note_forbidden(guest, frame->id);
    else if (guest->at_work)
        guest->events.frame(guest->arg, frame);
}

static void guest_take(struct guest *guest)
{
    if (guest->deaf) {
        guest->in.len = 0;
        guest_listen(guest, false);
        return;
    }
    uint64_t until = uv_hrtime() + (uint64_t)TURN_US * 1000;
    enum frame_read read = FRAME_READ;
    struct frame frame;
    struct error err;
    size_t at = 0;

    for (int i = 0; i < FRAMES_A_TURN && !guest->paused && !guest->full; i++) {
        read = frame_next(&guest->in, &at, FRAME_FROM_GUEST, &frame, &err);
        if (read != FRAME_READ)
            break;
        hear_frame(guest, &frame);
        if (!guest->guests)
            return; /* the owner has freed it */
        if (uv_hrtime() > until)
            break;
    }
    if (read == FRAME_BAD) {
        guest_end(guest);
        guest_finish(guest, &err);
        return;
    }
    buf_drop(&guest->in, at);
    guest_listen(guest, read == FRAME_READ);
}

static void on_more(uv_idle_t *idle)
{
    guest_take(idle->data);
}

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *room)
{
    struct guest *guest = stream->data;

    (void)room;
    if (got > 0) {
        guest->in.len += (size_t)got;
        guest_take(guest);
    } else if (got < 0) {
        uv_read_stop(stream);
        guest->over = true;
        guest_end(guest); /* it may have closed its socket and run on */
        guest_look(guest);
    }
}

/* --- frames to it --------------------------------------------------------------------- */

static void on_sent(uv_write_t *request, int status)
{
    struct send *send = container_of(request, struct send, request);
    struct guest *guest = send->guest;

    (void)status; /* its end is noticed by reading */
    guest->unsent -= send->bytes.len;
    if (guest->guests && guest->full && guest->unsent < UNSENT_LOW) {
        guest->full = false;
        guest_listen(guest, true);
    }
    buf_free(&send->bytes);
    free(send);
}

/* Kills the guest. Its end is reported as any other, later: the caller may be working with it. */
static void give_guest_up(struct guest *guest)
{
    guest->deaf = true;
    guest_end(guest);
    uv_idle_start(&guest->more, on_more);
}

void guest_send(struct guest *guest, struct buf *frames)
{
    struct send *send;
    uv_buf_t bytes;

    if (guest->unsent > UNSENT_MAX && !guest->deaf)
        give_guest_up(guest);
    if (guest->deaf) {
        buf_free(frames);
        return;
    }
    send = mem_zero(sizeof *send);
    send->guest = guest;
    send->bytes = *frames;
    *frames = (struct buf){ 0 };
    bytes = uv_buf_init(send->bytes.data, (unsigned)send->bytes.len);
    guest->unsent += send->bytes.len;
    if (uv_write(&send->request, (uv_stream_t *)&guest->pipe, &bytes, 1, on_sent) < 0) {
        guest->unsent -= send->bytes.len;
        buf_free(&send->bytes);
        free(send);
    } else if (!guest->full && guest->unsent > UNSENT_FULL) {
        guest->full = true;
        guest_listen(guest, false);
    }
}

void guest_pause(struct guest *guest, bool paused)
{
    if (guest->paused == paused)
        return;
    guest->paused = paused;
    guest_listen(guest, true);
}

/* --- at its owner's wish ----------------------------------------------------------------- */

bool guest_ask_files(struct guest *guest)
{
    const struct control_record record = { CONTROL_FILES, guest->id, 0 };
    struct fork_server *server = guest->guests->server;

    return server && !guest->ended && fork_server_tell(server, &record, -1);
}

void guest_free(struct guest *guest)
{
    struct guests *guests;

    if (!guest || !guest->guests)
        return;
    guests = guest->guests;
    guest_end(guest);
    guest_drop(guest);
    guests_want_spare(guests);
}
