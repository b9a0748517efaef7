/* The life of a child process.
 *
 * A child is done when it is dead *and* its output pipes are at their end. One
 * timer serves all phases, since only one clock runs at a time: the time limit,
 * then the grace after SIGTERM, then the wait for pipes a grandchild holds. */
#include "process/process.h"

#include <signal.h>
#include <stdlib.h>

#include "process/process_group.h"
#include "process/process_life.h"

enum {
    READ_SIZE = 65536,
    DRAIN_MS = 250,      /* the child is dead, the pipes are still open: then kill the group */
    LAST_DRAIN_MS = 100, /* the group is killed, too: then let go of the pipes */
};

struct queued {
    uv_write_t req;
    char data[];
};

/* --- lifetime ----------------------------------------------------------------- */

static void release_process(struct process *p)
{
    if (p->freed && p->handles == 0)
        free(p);
}

void process_on_closed(uv_handle_t *handle)
{
    struct process *p = handle->data;

    p->handles--;
    release_process(p);
}

void process_adopt(struct process *p, uv_handle_t *handle)
{
    handle->data = p;
    p->handles++;
}

static void close_pipe(struct process_pipe *pipe)
{
    if (!pipe->open)
        return;
    pipe->open = false;
    uv_close((uv_handle_t *)&pipe->handle, process_on_closed);
}

void process_close_all_but_child(struct process *p)
{
    close_pipe(&p->in);
    close_pipe(&p->out[0]);
    close_pipe(&p->out[1]);
    if (!uv_is_closing((uv_handle_t *)&p->timer))
        uv_close((uv_handle_t *)&p->timer, process_on_closed);
}

/* The group outlives its leader while it has members, and its id cannot be
 * given out again until then; an empty group is a harmless ESRCH. */
static void signal_group(const struct process *p, int signo)
{
    kill(-p->pid, signo);
}

static bool outputs_open(const struct process *p)
{
    return p->out[0].open || p->out[1].open;
}

static void finish_process(struct process *p)
{
    if (p->stopped || p->whole_group)
        signal_group(p, SIGKILL);
    process_group_remove(p->pid);
    process_close_all_but_child(p);
    p->state = PROCESS_DONE;
    p->result.elapsed_ms = (uv_hrtime() - p->started) / 1000000;
    if (p->events.exited && !p->freed)
        p->events.exited(p->arg, &p->result);
}

/* --- clocks ------------------------------------------------------------------- */

static void on_process_timer(uv_timer_t *timer);

static void wait_for_state(struct process *p, enum process_state state, uint64_t ms)
{
    p->state = state;
    uv_update_time(p->timer.loop);
    uv_timer_start(&p->timer, on_process_timer, ms, 0);
}

static void kill_rest(struct process *p)
{
    signal_group(p, SIGKILL);
    p->result.left_behind = true;
    wait_for_state(p, PROCESS_ABANDONED, LAST_DRAIN_MS);
}

static void on_process_timer(uv_timer_t *timer)
{
    struct process *p = timer->data;

    switch (p->state) {
    case PROCESS_RUNNING:
        p->result.timed_out = true;
        process_stop(p);
        break;
    case PROCESS_STOPPING:
        if (p->dead) {
            kill_rest(p);
            break;
        }
        signal_group(p, SIGKILL);
        p->state = PROCESS_KILLED;
        break;
    case PROCESS_DRAINING:
        kill_rest(p);
        break;
    case PROCESS_ABANDONED: /* the process that holds the pipes left the group */
        close_pipe(&p->out[0]);
        close_pipe(&p->out[1]);
        finish_process(p);
        break;
    case PROCESS_KILLED:
    case PROCESS_DONE:
        break;
    }
}

void process_limit_time(struct process *p, uint64_t ms)
{
    if (ms)
        wait_for_state(p, PROCESS_RUNNING, ms);
}

/* Dead and paused: the clock starts anew when reading goes on. */
static void park_process(struct process *p)
{
    p->state = PROCESS_RUNNING;
    uv_timer_stop(&p->timer);
}

/* After each step towards the end: is this it? */
static void settle_process(struct process *p)
{
    if (!p->dead || p->freed || p->state == PROCESS_DONE)
        return;
    if (!outputs_open(p))
        finish_process(p);
    else if (p->paused)
        park_process(p);
    else if (p->state == PROCESS_RUNNING || p->state == PROCESS_KILLED)
        wait_for_state(p, PROCESS_DRAINING, DRAIN_MS);
}

void process_on_exit(uv_process_t *handle, int64_t status, int signo)
{
    struct process *p = handle->data;

    p->dead = true;
    p->result.exit_code = signo ? -1 : (int)status;
    p->result.term_signal = signo;
    uv_close((uv_handle_t *)handle, process_on_closed);
    if (p->freed) {
        process_group_remove(p->pid);
        return;
    }
    if (process_unsent(p) > 0)
        p->result.input_cut = true;
    close_pipe(&p->in);
    settle_process(p);
}

/* --- output ------------------------------------------------------------------- */

/* One buffer for all: a read is delivered before the next one starts. */
static void on_alloc(uv_handle_t *handle, size_t hint, uv_buf_t *buf)
{
    static char space[READ_SIZE];

    (void)handle;
    (void)hint;
    *buf = uv_buf_init(space, sizeof space);
}

static void deliver_output(struct process *p, int index, const char *ptr, size_t len)
{
    uint64_t before = p->result.bytes[index];
    size_t room = len;

    p->result.bytes[index] += len;
    if (p->max_output && p->result.bytes[index] > p->max_output) {
        room = before < p->max_output ? (size_t)(p->max_output - before) : 0;
        p->result.truncated = true;
        if (p->stop_on_overflow)
            process_stop(p);
    }
    if (room && p->events.output)
        p->events.output(p->arg, index + 1, ptr, room);
}

static void on_output_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf)
{
    struct process *p = stream->data;
    int index = stream == (uv_stream_t *)&p->out[1].handle;

    if (count > 0)
        deliver_output(p, index, buf->base, (size_t)count);
    else if (count < 0) {
        close_pipe(&p->out[index]);
        if (p->events.closed && !p->freed)
            p->events.closed(p->arg, index + 1);
        settle_process(p);
    }
}

void process_read_outputs(struct process *p)
{
    for (size_t i = 0; i < countof(p->out); i++) {
        if (p->out[i].open)
            uv_read_start((uv_stream_t *)&p->out[i].handle, on_alloc, on_output_read);
    }
}

void process_pause(struct process *p)
{
    p->paused = true;
    for (size_t i = 0; i < countof(p->out); i++) {
        if (p->out[i].open)
            uv_read_stop((uv_stream_t *)&p->out[i].handle);
    }
    if (p->dead && p->state != PROCESS_DONE)
        park_process(p);
}

void process_resume(struct process *p)
{
    if (!p->paused)
        return;
    p->paused = false;
    process_read_outputs(p);
    settle_process(p);
}

/* --- input -------------------------------------------------------------------- */

static void on_written(uv_write_t *req, int status)
{
    struct process *p = req->handle->data;

    free(container_of(req, struct queued, req));
    if (!p->in.open)
        return;
    if (status < 0) { /* EPIPE: the child does not want more */
        p->result.input_cut = true;
        close_pipe(&p->in);
    } else if (process_unsent(p) > 0) {
        return;
    } else if (p->close_input) {
        close_pipe(&p->in);
    }
    if (p->events.drained && !p->freed)
        p->events.drained(p->arg);
}

static int queue_write(struct process *p, const char *ptr, size_t len)
{
    struct queued *write = mem_alloc(sizeof *write + len);
    uv_buf_t buf = uv_buf_init(write->data, (unsigned)len);
    int rc;

    memcpy(write->data, ptr, len);
    rc = uv_write(&write->req, (uv_stream_t *)&p->in.handle, &buf, 1, on_written);
    if (rc < 0)
        free(write);
    return rc;
}

bool process_write(struct process *p, const char *ptr, size_t len, struct error *err)
{
    enum { WRITE_PIECE = 1 << 30 }; /* uv_buf_init() takes an unsigned int */

    if (!p->in.open || p->close_input)
        return error_set(err, "input_closed", "the input of process %d is closed", p->pid);
    while (len > 0) {
        size_t piece = len < WRITE_PIECE ? len : WRITE_PIECE;
        int rc = queue_write(p, ptr, piece);

        if (rc < 0)
            return error_errno(err, -rc, "cannot write to process %d", p->pid);
        ptr += piece;
        len -= piece;
    }
    return true;
}

size_t process_unsent(const struct process *p)
{
    return p->in.open ? uv_stream_get_write_queue_size((const uv_stream_t *)&p->in.handle) : 0;
}

void process_close_input(struct process *p)
{
    p->close_input = true;
    if (process_unsent(p) == 0)
        close_pipe(&p->in);
}

/* --- ending ------------------------------------------------------------------- */

void process_kill(struct process *p, int signo)
{
    if (p->state != PROCESS_DONE)
        signal_group(p, signo);
}

void process_stop(struct process *p)
{
    if (p->state != PROCESS_RUNNING || p->dead)
        return;
    p->stopped = true;
    if (p->grace_ms) {
        signal_group(p, SIGTERM);
        wait_for_state(p, PROCESS_STOPPING, p->grace_ms);
        return;
    }
    uv_timer_stop(&p->timer);
    signal_group(p, SIGKILL);
    p->state = PROCESS_KILLED;
}

bool process_alive(const struct process *p)
{
    return !p->dead && !p->freed;
}

int process_pid(const struct process *p)
{
    return p->pid;
}

void process_free(struct process *p)
{
    if (!p)
        return;
    p->freed = true;
    if (p->state != PROCESS_DONE) {
        signal_group(p, SIGKILL);
        if (p->dead)
            process_group_remove(p->pid);
        process_close_all_but_child(p);
        p->state = PROCESS_DONE;
    }
    release_process(p); /* unless the child is still to be reaped, or handles to be closed */
}

void process_release(struct process *p)
{
    p->freed = true;
    if (p->state != PROCESS_DONE) {
        process_group_remove(p->pid);
        process_close_all_but_child(p);
        p->state = PROCESS_DONE;
        if (!p->dead)
            uv_close((uv_handle_t *)&p->handle, process_on_closed);
    }
    release_process(p);
}

void processes_kill_all(void)
{
    process_group_kill_all();
}
