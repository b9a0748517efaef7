/* The guests of an engine: their sockets, their frames, and their ends. */
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/list.h"
#include "base/log.h"
#include "guest/ending.h"
#include "guest/fork_server.h"
#include "guest/guest.h"
#include "guest/jail/jail.h"

enum {
    FRAMES_A_TURN = 64,    /* frames of one guest, before others have their turn ... */
    TURN_US = 500,         /* ... and microseconds, at most: as many guests may be at work */
    UNSENT_FULL = 1 << 20, /* bytes that the guest has not read: its frames are not read */
    UNSENT_LOW = 1 << 18,  /* ... until so few are left */
    UNSENT_MAX = 64 << 20, /* ... beyond which it is ended; the last frame may exceed it */
    READ_BYTES = 64 * 1024,
    SERVERS_ASKED = 2, /* for one guest */
};

struct guest {
    struct link link;
    struct guests *guests; /* NULL: freed */
    uint32_t id;
    uv_pipe_t pipe;
    uv_idle_t more; /* active while whole frames wait in `in` */
    int open;       /* number of open handles */
    struct buf in;
    struct guest_events events;
    void *arg;
    size_t unsent;
    bool paused, full;
    bool deaf;     /* it did not read, and was killed: its frames are ignored */
    bool over;     /* no more bytes come */
    bool ended;    /* the server reported its end */
    int status;    /* as waitpid() returns it */
    int forbidden; /* number of the system call that ended it, or ENDING_NO_CALL */
    bool at_work;  /* it has a job; false for the spare one */
};

struct guests {
    uv_loop_t *loop;
    struct fork_server *server; /* NULL: the next guest starts one */
    struct link all;
    struct guest *spare;
    uv_timer_t lacks_spare;
    size_t at_work;
    uint32_t last_id;
    unsigned layers; /* enum jail_layer */
    bool told;       /* a server has reported the layers */
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

/* Removes the guest from the list; its memory is freed when its handles are closed. */
static void guest_drop(struct guest *guest)
{
    struct guests *guests = guest->guests;

    if (!guests)
        return;
    list_remove(&guest->link);
    if (guests->spare == guest)
        guests->spare = NULL;
    if (guest->at_work)
        guests->at_work--;
    guest->guests = NULL;
    uv_close((uv_handle_t *)&guest->pipe, on_guest_closed);
    uv_close((uv_handle_t *)&guest->more, on_guest_closed);
}

static void guest_kill(struct guest *guest)
{
    struct control_record record = { CONTROL_KILL, guest->id, 0 };
    struct fork_server *server = guest->guests->server;

    if (server && !guest->ended && !fork_server_tell(server, &record, -1))
        fork_server_kill(server);
}

/* True if foreign code may not run here, as a server has reported. */
static bool has_no_jail(const struct guests *guests)
{
    return guests->told && !jail_is_enough(guests->layers);
}

static void want_spare(struct guests *guests);

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
    want_spare(guests);
}

static bool guest_is_over(const struct guest *guest)
{
    return guest->over && guest->ended && !uv_is_active((const uv_handle_t *)&guest->more);
}

static void guest_look(struct guest *guest)
{
    struct error err;

    if (!guest_is_over(guest))
        return;
    if (has_no_jail(guest->guests))
        ending_no_jail(&err);
    else if (guest->deaf)
        ending_deaf(UNSENT_MAX, &err);
    else
        ending_explain(guest->status, guest->forbidden, &err);
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

/* Reads on, or takes the frames that are there already, or neither, as the flags say. */
static void guest_listen(struct guest *guest, bool waiting)
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
    ending_explain(SIGSYS, guest->forbidden, &err);
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
        guest_kill(guest);
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
        guest_kill(guest); /* it may have closed its socket and run on */
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
    guest_kill(guest);
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

/* --- the server ----------------------------------------------------------------------- */

static void note_end(struct guests *guests, const struct control_record *record)
{
    list_each (link, &guests->all) {
        struct guest *guest = container_of(link, struct guest, link);

        if (guest->id != record->id)
            continue;
        guest->ended = true;
        guest->status = record->status;
        return;
    }
}

static void on_record(void *arg, const struct control_record *record)
{
    struct guests *guests = arg;

    if (record->verb == CONTROL_END) {
        note_end(guests, record);
    } else if (record->verb == CONTROL_READY) {
        guests->layers = record->id;
        guests->told = true;
    }
}

/* Finds a guest that is over in both respects; its owner may free others when it is told. */
static struct guest *first_guest_over(const struct guests *guests)
{
    list_each (link, &guests->all) {
        struct guest *guest = container_of(link, struct guest, link);

        if (guest_is_over(guest))
            return guest;
    }
    return NULL;
}

static void on_noted(void *arg)
{
    struct guest *guest;

    while ((guest = first_guest_over(arg)))
        guest_look(guest);
}

/* A spare guest dies with its server, and a script that comes before that is read would get it. */
static void on_server_lost(void *arg)
{
    struct guests *guests = arg;

    guests->server = NULL;
    guests->spare = NULL;
    list_each (link, &guests->all)
        container_of(link, struct guest, link)->ended = true;
    on_noted(guests);
}

static const struct fork_server_events server_events = { on_record, on_noted, on_server_lost };

/* --- making guests ---------------------------------------------------------------------- */

static struct guest *guest_make(struct guests *guests, uint32_t id, int socket)
{
    struct guest *guest = mem_zero(sizeof *guest);

    guest->guests = guests;
    guest->id = id;
    guest->forbidden = ENDING_NO_CALL;
    guest->pipe.data = guest->more.data = guest;
    guest->open = 2;
    uv_pipe_init(guests->loop, &guest->pipe, 0);
    uv_idle_init(guests->loop, &guest->more);
    uv_pipe_open(&guest->pipe, socket);
    list_push(&guests->all, &guest->link);
    guest_listen(guest, false);
    return guest;
}

/* That a server has ended since the last script may show only when it is asked: another is started
 * then. */
static bool ask_server(struct guests *guests, const struct control_record *record, int socket,
                       struct error *err)
{
    for (int i = 0; i < SERVERS_ASKED; i++) {
        if (!guests->server)
            guests->server = fork_server_start(guests->loop, &server_events, guests, err);
        if (!guests->server)
            return false;
        if (fork_server_tell(guests->server, record, socket))
            return true;
        fork_server_lose(guests->server);
        if (has_no_jail(guests))
            return ending_no_jail(err), false;
    }
    return error_set(err, "guest_lost",
                     "the processes that make scripts' processes end at once. Run perigee doctor, "
                     "which starts one and tells what it lacks");
}

static struct guest *guest_fork(struct guests *guests, struct error *err)
{
    struct control_record record = { CONTROL_FORK, ++guests->last_id, 0 };
    uv_os_sock_t ends[2];
    bool asked;
    int rc = uv_socketpair(SOCK_STREAM, 0, ends, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);

    if (rc < 0) {
        error_errno(err, -rc, "a process for the script");
        return NULL;
    }
    asked = ask_server(guests, &record, ends[1], err);
    close(ends[1]);
    if (asked)
        return guest_make(guests, record.id, ends[0]);
    close(ends[0]);
    return NULL;
}

/* Makes a guest that waits, so that the next script need not wait for a fork. */
static void make_spare(uv_timer_t *timer)
{
    struct guests *guests = timer->data;
    struct error err;

    if (guests->spare || !guests->server)
        return;
    guests->spare = guest_fork(guests, &err);
    if (guests->spare)
        uv_unref((uv_handle_t *)&guests->spare->pipe); /* it does not keep the loop alive */
}

/* Makes a spare one, but not at once: the answer of the last script goes out first, and a fork does
 * not keep its reader from a processor. */
static void want_spare(struct guests *guests)
{
    uv_timer_start(&guests->lacks_spare, make_spare, 1, 0);
}

/* The spare guest, or NULL. One that waits says nothing: a socket with something to read is that of
 * a guest whose end the loop has yet to read. */
static struct guest *take_spare(struct guests *guests)
{
    struct guest *spare = guests->spare;
    struct pollfd socket = { .events = POLLIN };

    if (spare && guests->server && !fork_server_is_there(guests->server)) {
        fork_server_lose(guests->server); /* its guests end after it */
        return NULL;
    }
    if (!spare)
        return NULL;
    guests->spare = NULL;
    if (uv_fileno((uv_handle_t *)&spare->pipe, &socket.fd) != 0 || poll(&socket, 1, 0) == 0)
        return spare;
    guest_kill(spare);
    return NULL;
}

struct guest *guest_new(struct guests *guests, const struct guest_events *events, void *arg,
                        struct error *err)
{
    struct guest *guest;

    if (guests->at_work >= GUESTS_MAX) {
        error_set(err, "too_many_guests",
                  "%d scripts run already. Wait for one to end, or put their work into one script",
                  GUESTS_MAX);
        return NULL;
    }
    guest = take_spare(guests);
    if (guest)
        uv_ref((uv_handle_t *)&guest->pipe);
    else
        guest = guest_fork(guests, err);
    if (!guest)
        return NULL;
    guests->at_work++;
    guest->at_work = true;
    guest->events = *events;
    guest->arg = arg;
    return guest;
}

void guest_free(struct guest *guest)
{
    struct guests *guests;

    if (!guest || !guest->guests)
        return;
    guests = guest->guests;
    guest_kill(guest);
    guest_drop(guest);
    want_spare(guests);
}

bool guests_layers(const struct guests *guests, unsigned *layers)
{
    *layers = guests->layers;
    return guests->told;
}

struct guests *guests_new(uv_loop_t *loop)
{
    struct guests *guests = mem_zero(sizeof *guests);

    guests->loop = loop;
    list_init(&guests->all);
    uv_timer_init(loop, &guests->lacks_spare);
    uv_unref((uv_handle_t *)&guests->lacks_spare); /* it does not keep the loop alive */
    guests->lacks_spare.data = guests;
    return guests;
}

static void on_guests_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void drop_guests(struct guests *guests)
{
    list_each (link, &guests->all)
        guest_drop(container_of(link, struct guest, link));
}

void guests_free(struct guests *guests)
{
    if (!guests)
        return;
    drop_guests(guests);
    if (guests->server)
        fork_server_leave(guests->server);
    uv_close((uv_handle_t *)&guests->lacks_spare, on_guests_closed);
}

void guests_finish(struct guests *guests)
{
    drop_guests(guests);
    if (guests->server)
        fork_server_finish(guests->server);
    uv_close((uv_handle_t *)&guests->lacks_spare, on_guests_closed);
    uv_run(guests->loop, UV_RUN_DEFAULT);
}
