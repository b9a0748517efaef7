/* Starting a child: checks, pipes and uv_spawn().
 *
 * The pipes are real pipes made here, not the socket pairs libuv would make:
 * opening /dev/stdin or /dev/stderr fails on a socket, and programs do that. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process/process_group.h"
#include "process/process_life.h"
#include "process/start_failure.h"

/* Sets this program's signals as children and their pipes need them. A launcher may have left
 * SIGCHLD blocked, and then libuv would never hear of an exit. */
void process_prepare_signals(void)
{
    static bool done;
    struct sigaction old;
    sigset_t set;

    if (done)
        return;
    done = true;
    if (sigaction(SIGPIPE, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        signal(SIGPIPE, SIG_IGN);
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* The child's side of one pipe goes to io, ours becomes a handle. */
static int open_pipe(struct process *p, struct process_pipe *pipe, bool child_reads,
                     uv_stdio_container_t *io)
{
    uv_file ends[2];
    int rc = uv_pipe(ends, child_reads ? 0 : UV_NONBLOCK_PIPE, child_reads ? UV_NONBLOCK_PIPE : 0);

    if (rc < 0)
        return rc;
    io->flags = UV_INHERIT_FD;
    io->data.fd = ends[child_reads ? 0 : 1];
    uv_pipe_init(p->timer.loop, &pipe->handle, 0);
    process_adopt(p, (uv_handle_t *)&pipe->handle);
    pipe->open = true;
    rc = uv_pipe_open(&pipe->handle, ends[child_reads ? 1 : 0]);
    if (rc < 0)
        close(ends[child_reads ? 1 : 0]);
    return rc;
}

static int open_output(struct process *p, int index, enum process_stream kind,
                       uv_stdio_container_t *io)
{
    if (kind == PROCESS_CAPTURE)
        return open_pipe(p, &p->out[index], false, &io[index + 1]);
    if (kind == PROCESS_INHERIT)
        io[index + 1] = (uv_stdio_container_t){ .flags = UV_INHERIT_FD, .data.fd = index + 1 };
    else if (kind == PROCESS_MERGE)
        io[index + 1] = io[1];
    return 0;
}

static int open_streams(struct process *p, const struct process_spec *spec,
                        uv_stdio_container_t *io)
{
    int rc = 0;

    if (spec->input.len > 0 || spec->keep_input_open)
        rc = open_pipe(p, &p->in, true, &io[0]);
    if (rc >= 0)
        rc = open_output(p, 0, spec->out, io);
    if (rc >= 0)
        rc = open_output(p, 1, spec->err, io);
    return rc;
}

/* Ours and theirs were made together; theirs is of no use here any more. */
static void close_child_ends(const struct process *p, const uv_stdio_container_t *io)
{
    if (p->in.open)
        close(io[0].data.fd);
    if (p->out[0].open)
        close(io[1].data.fd);
    if (p->out[1].open)
        close(io[2].data.fd);
}

static int spawn_child(struct process *p, const struct process_spec *spec)
{
    uv_stdio_container_t io[3] = { { .flags = UV_IGNORE },
                                   { .flags = UV_IGNORE },
                                   { .flags = UV_IGNORE } };
    uv_process_options_t options = {
        .exit_cb = process_on_exit,
        .file = spec->argv[0],
        .args = (char **)(uintptr_t)spec->argv,
        .env = (char **)(uintptr_t)spec->env,
        .cwd = spec->cwd,
        .flags = UV_PROCESS_DETACHED, /* setsid(): the head of a new group */
        .stdio_count = countof(io),
        .stdio = io,
    };
    int rc = open_streams(p, spec, io);

    if (rc >= 0) {
        rc = uv_spawn(p->timer.loop, &p->handle, &options);
        process_adopt(p, (uv_handle_t *)&p->handle);
        if (rc < 0)
            uv_close((uv_handle_t *)&p->handle, process_on_closed);
    }
    close_child_ends(p, io);
    return rc;
}

static bool check_cwd(const char *cwd, struct error *err)
{
    struct stat info;

    if (!cwd)
        return true;
    if (stat(cwd, &info) != 0)
        return error_errno(err, errno, "cannot start a program in directory \"%s\"", cwd);
    if (!S_ISDIR(info.st_mode))
        return error_errno(err, ENOTDIR, "cannot start a program in \"%s\"", cwd);
    if (access(cwd, X_OK) != 0)
        return error_errno(err, errno, "cannot start a program in directory \"%s\"", cwd);
    return true;
}

static bool check_spec(const struct process_spec *spec, struct error *err)
{
    if (!spec->argv || !spec->argv[0] || !*spec->argv[0])
        return error_set(err, "bad_argument", "cannot start a program without a name");
    if (spec->out == PROCESS_MERGE)
        return error_set(err, "bad_argument", "only the error stream can be merged");
    if (process_group_full())
        return error_set(
            err, "too_many_processes",
            "cannot start \"%.240s\": %d programs are running already. End one of them, or "
            "try again when one has ended",
            spec->argv[0], PROCESS_GROUP_MAX);
    return check_cwd(spec->cwd, err);
}

static struct process *process_new(uv_loop_t *loop, const struct process_spec *spec,
                                   const struct process_events *events, void *arg)
{
    struct process *p = mem_zero(sizeof *p);

    if (events)
        p->events = *events;
    p->arg = arg;
    p->started = uv_hrtime();
    p->grace_ms = spec->kill_grace_ms;
    p->max_output = spec->max_output;
    p->stop_on_overflow = spec->stop_on_overflow;
    p->whole_group = spec->whole_group;
    uv_timer_init(loop, &p->timer);
    process_adopt(p, (uv_handle_t *)&p->timer);
    return p;
}

/* Descriptors that our own starter left open must not reach our children, who could hold a pipe
 * open long after we are gone. Everything opened since is close-on-exec anyway. */
static void keep_descriptors(void)
{
    static bool done;
    DIR *open_files = done ? NULL : opendir("/dev/fd");
    struct dirent *entry;

    done = true;
    if (!open_files)
        return;
    while ((entry = readdir(open_files))) {
        int fd = atoi(entry->d_name); /* 0 for "." and ".." */
        int flags = fd > STDERR_FILENO ? fcntl(fd, F_GETFD) : -1;

        if (flags >= 0)
            fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
    }
    closedir(open_files);
}

struct process *process_start(uv_loop_t *loop, const struct process_spec *spec,
                              const struct process_events *events, void *arg, struct error *err)
{
    struct process *p;
    int rc;

    if (!check_spec(spec, err))
        return NULL;
    process_prepare_signals();
    keep_descriptors();
    process_group_begin(spec->keep_input_open);
    p = process_new(loop, spec, events, arg);
    rc = spawn_child(p, spec);
    if (rc < 0) {
        process_group_cancel();
        start_failure_explain(-rc, spec, err);
        p->freed = true;
        process_close_all_but_child(p);
        return NULL;
    }
    p->pid = p->handle.pid;
    process_group_add(p->pid, spec->keep_input_open);
    process_read_outputs(p);
    if (spec->input.len > 0)
        process_write(p, spec->input.ptr, spec->input.len, NULL);
    if (!spec->keep_input_open)
        process_close_input(p);
    process_limit_time(p, spec->timeout_ms);
    return p;
}
