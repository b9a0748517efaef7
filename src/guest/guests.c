/* The guests of an engine: the server that makes them, and one in advance. */
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest/ending.h"
#include "guest/guest_state.h"
#include "guest/jail/jail.h"

enum {
    SERVERS_ASKED = 2,    /* for one guest */
    FILES_MAX = 20 << 20, /* bytes that a server hands over at once */
};

static const char *const lua_server[] = { "--guest-server", NULL };
const struct guest_kind guest_lua = { .language = "Lua", .server = lua_server, .spare = true };

bool guests_lack_jail(const struct guests *guests)
{
    return guests->told && !jail_is_enough(guests->layers);
}

/* --- the server ----------------------------------------------------------------------- */

static struct guest *find_guest(const struct guests *guests, uint32_t id)
{
    list_each (link, &guests->all) {
        struct guest *guest = container_of(link, struct guest, link);

        if (guest->id == id)
            return guest;
    }
    return NULL;
}

/* The server is ours, but its files hold what the guest wrote: their frames are checked as others
 * are. */
static void note_files(struct guest *guest, int count, int fd)
{
    struct buf frames = { 0 };
    struct frame frame;
    struct error err;
    struct stat st;
    size_t at = 0;
    ssize_t got;

    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size <= FILES_MAX &&
        (got = pread(fd, buf_reserve(&frames, (size_t)st.st_size), (size_t)st.st_size, 0)) > 0)
        frames.len = (size_t)got;
    while (frame_next(&frames, &at, FRAME_FROM_GUEST, &frame, &err) == FRAME_READ)
        guest->events.files(guest->arg, &frame, count);
    guest->events.files(guest->arg, NULL, count);
    buf_free(&frames);
}

static void on_record(void *arg, const struct control_record *record, int fd)
{
    struct guests *guests = arg;
    struct guest *guest = find_guest(guests, record->id);

    if (record->verb == CONTROL_READY) {
        guests->layers = record->id;
        guests->told = guests->ready = true;
    } else if (guest && record->verb == CONTROL_END) {
        guest->ended = true;
        guest->status = record->status;
    } else if (guest && record->verb == CONTROL_CHILD && guest->pidfd < 0) {
        guest->pidfd = fd;
        return;
    } else if (guest && record->verb == CONTROL_FILES && guest->at_work && guest->events.files) {
        note_files(guest, record->status, fd);
    }
    if (fd >= 0)
        close(fd);
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
    guest->pidfd = -1;
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
        if (!guests->server) {
            guests->ready = false;
            guests->server =
                fork_server_start(guests->loop, guests->kind->server, &server_events, guests, err);
        }
        if (!guests->server)
            return false;
        if (fork_server_tell(guests->server, record, socket))
            return true;
        fork_server_lose(guests->server);
        if (guests_lack_jail(guests))
            return ending_no_jail(err), false;
    }
    if (guests->kind->interpreter)
        return ending_no_interpreter(guests->kind->language, guests->kind->interpreter, err), false;
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

/* Not at once: the answer of the last script goes out first, and a fork does
 * not keep its reader from a processor. */
void guests_want_spare(struct guests *guests)
{
    if (guests->kind->spare)
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
    guest_end(spare);
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
    uv_timer_stop(&guests->idle);
    guest->at_work = true;
    guest->events = *events;
    guest->arg = arg;
    return guest;
}

bool guests_layers(const struct guests *guests, unsigned *layers)
{
    *layers = guests->layers;
    return guests->told;
}

static void on_idle(uv_timer_t *timer)
{
    struct guests *guests = timer->data;

    if (guests->server)
        fork_server_lose(guests->server);
}

void guests_rest(struct guests *guests)
{
    if (guests->kind->idle_ms)
        uv_timer_start(&guests->idle, on_idle, guests->kind->idle_ms, 0);
}

struct guests *guests_new(uv_loop_t *loop, const struct guest_kind *kind)
{
    struct guests *guests = mem_zero(sizeof *guests);

    guests->loop = loop;
    guests->kind = kind;
    list_init(&guests->all);
    uv_timer_init(loop, &guests->lacks_spare);
    uv_timer_init(loop, &guests->idle);
    uv_unref((uv_handle_t *)&guests->lacks_spare);
    uv_unref((uv_handle_t *)&guests->idle);
    guests->lacks_spare.data = guests->idle.data = guests;
    guests->open = 2;
    return guests;
}

static void on_guests_closed(uv_handle_t *handle)
{
    struct guests *guests = handle->data;

    if (--guests->open == 0)
        free(guests);
}

static void close_timers(struct guests *guests)
{
    uv_close((uv_handle_t *)&guests->lacks_spare, on_guests_closed);
    uv_close((uv_handle_t *)&guests->idle, on_guests_closed);
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
    close_timers(guests);
}

void guests_finish(struct guests *guests)
{
    drop_guests(guests);
    if (guests->server)
        fork_server_finish(guests->server);
    close_timers(guests);
    uv_run(guests->loop, UV_RUN_DEFAULT);
}
