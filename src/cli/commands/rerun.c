/* The process of the script tells which files it looked for, over a socket, so that the folders of
 * those are watched: editors save by renaming, which shows in the folder only. */
#include "cli/commands/rerun.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "base/buf.h"
#include "base/module.h"
#include "base/util.h"
#include "cli/command.h"
#include "cli/output.h"
#include "files/stamp.h"
#include "process/process.h"

#define REPORT_VARIABLE "PERIGEE_RUN_REPORT" /* the descriptor */

enum {
    REPORT_FD = 3,
    QUIET_MS = 30,     /* after the last event of a save */
    PATIENCE_MS = 3000 /* for the script's end, before the next signal */
};

/* Precedes each path on the socket. */
struct report {
    struct stamp stamp; /* from before the file was read; zeros: it was not there */
    size_t len;         /* length of the path */
};

/* --- the process of the script ------------------------------------------------------------ */

static void report_look(void *arg, const char *path)
{
    struct report report = { .len = strlen(path) };
    struct buf message = { 0 };

    (void)arg;
    stamp_look(path, &report.stamp);
    buf_add(&message, (const char *)&report, sizeof report);
    buf_add(&message, path, report.len);
    for (size_t sent = 0; sent < message.len;) {
        ssize_t n = write(REPORT_FD, message.data + sent, message.len - sent);

        if (n <= 0)
            break; /* nobody watches any more */
        sent += (size_t)n;
    }
    buf_free(&message);
}

/* Nothing is ever sent to the script: the socket ends with the process that watches it, which may
 * have been killed. */
static void *await_watcher_end(void *arg)
{
    char byte;
    ssize_t got;

    do
        got = read(REPORT_FD, &byte, 1);
    while (got > 0 || (got < 0 && errno == EINTR));
    kill(getpid(), SIGTERM); /* as if the watcher had asked it to end */
    return arg;
}

static void end_with_watcher(void)
{
    sigset_t all, before;
    pthread_t thread;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    if (pthread_create(&thread, NULL, await_watcher_end, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

rerun_looked *rerun_report(void)
{
    const char *told = getenv(REPORT_VARIABLE);
    bool is = told && atoi(told) == REPORT_FD && fcntl(REPORT_FD, F_SETFD, FD_CLOEXEC) == 0;

    unsetenv(REPORT_VARIABLE);
    if (is)
        end_with_watcher();
    return is ? report_look : NULL;
}

/* --- the supervisor ----------------------------------------------------------------------- */

struct part {
    char *path;
    struct stamp stamp;
};

struct folder {
    uv_fs_event_t event;
    char *path;
};

struct supervisor {
    uv_loop_t loop;
    uv_async_t signalled;
    uv_process_t process;
    uv_pipe_t socket;
    uv_timer_t quiet, patience;
    struct buf reports; /* bytes that are no whole report yet */
    const char *file;
    char **argv;
    struct part *parts;
    size_t part_count;
    struct folder **folders;
    size_t folder_count;
    bool runs;  /* the process is there, */
    int open;   /* ... and so many of its handles */
    bool again; /* it is to begin again, once it has ended */
    int asked;  /* how many signals it got to end */
    int failed; /* exit code: it cannot be started; 0: it can */
};

static struct {
    uv_async_t *wake;
    volatile sig_atomic_t number; /* that ended us; 0: none */
    volatile sig_atomic_t typed;  /* by the terminal, which told the script, too */
} came;

static void on_supervisor_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    came.number = number;
    came.typed = info->si_pid == 0;
    uv_async_send(came.wake);
}

/* --- files -------------------------------------------------------------------------------- */

static void on_part_folder_event(uv_fs_event_t *event, const char *name, int events, int status);

static void watch_part_folder(struct supervisor *all, const char *path)
{
    struct folder *folder;

    for (size_t i = 0; i < all->folder_count; i++)
        if (strcmp(all->folders[i]->path, path) == 0)
            return;
    folder = mem_zero(sizeof *folder);
    uv_fs_event_init(&all->loop, &folder->event);
    folder->event.data = all;
    folder->path = mem_strdup(path);
    all->folders = mem_resize(all->folders, (all->folder_count + 1) * sizeof(struct folder *));
    all->folders[all->folder_count++] = folder;
    if (uv_fs_event_start(&folder->event, on_part_folder_event, path, 0) != 0 &&
        access(path, F_OK) == 0)
        output_message("run", "cannot watch %s for changes", path);
}

static void add_watched_part(struct supervisor *all, const char *path, size_t len,
                             const struct stamp *stamp)
{
    struct part *part = NULL;
    char *name = mem_strndup(path, len), *slash = strrchr(name, '/');

    for (size_t i = 0; i < all->part_count; i++)
        if (strcmp(all->parts[i].path, name) == 0)
            part = &all->parts[i];
    if (!part) {
        all->parts = mem_resize(all->parts, (all->part_count + 1) * sizeof *all->parts);
        part = &all->parts[all->part_count++];
        part->path = mem_strdup(name);
    }
    part->stamp = *stamp;
    if (slash)
        *(slash == name ? slash + 1 : slash) = '\0';
    watch_part_folder(all, slash ? name : ".");
    free(name);
}

/* A file that is gone counts as it was: an editor may write it in the next moment. */
static bool parts_changed(struct supervisor *all)
{
    bool changed = false;

    for (size_t i = 0; i < all->part_count; i++) {
        struct stamp now;

        if (!stamp_look(all->parts[i].path, &now) || stamp_same(&now, &all->parts[i].stamp))
            continue;
        all->parts[i].stamp = now;
        changed = true;
    }
    return changed;
}

/* --- its life ----------------------------------------------------------------------------- */

static void end_or_go_on(struct supervisor *all);

static void on_child_handle_closed(uv_handle_t *handle)
{
    struct supervisor *all = handle->data;

    if (--all->open > 0)
        return;
    all->runs = false;
    end_or_go_on(all);
}

static void on_exit_of_script(uv_process_t *process, int64_t status, int number)
{
    struct supervisor *all = process->data;

    uv_timer_stop(&all->patience);
    uv_close((uv_handle_t *)&all->socket, on_child_handle_closed);
    uv_close((uv_handle_t *)process, on_child_handle_closed);
    if (all->again || came.number)
        return;
    if (number)
        output_message("run", "%s was ended by signal %d. It runs again when it is saved",
                       all->file, number);
    else
        output_message("run", "%s ended with exit status %d. It runs again when it is saved",
                       all->file, (int)status);
}

/* Asks the script to end; each time more firmly. */
static void ask_to_end(struct supervisor *all);

static void on_impatient(uv_timer_t *timer)
{
    ask_to_end(timer->data);
}

static void ask_to_end(struct supervisor *all)
{
    if (!all->runs)
        return;
    uv_process_kill(&all->process, all->asked++ < 2 ? SIGTERM : SIGKILL);
    uv_timer_start(&all->patience, on_impatient, PATIENCE_MS, 0);
}

static void on_buffer(uv_handle_t *handle, size_t size, uv_buf_t *buf)
{
    struct supervisor *all = handle->data;

    *buf = uv_buf_init(buf_reserve(&all->reports, size), (unsigned)size);
}

static void on_quiet(uv_timer_t *timer);

static void on_report(uv_stream_t *stream, ssize_t got, const uv_buf_t *buf)
{
    struct supervisor *all = stream->data;
    struct report report;

    (void)buf;
    if (got < 0) {
        uv_read_stop(stream);
        return;
    }
    all->reports.len += (size_t)got;
    while (all->reports.len >= sizeof report) {
        memcpy(&report, all->reports.data, sizeof report);
        if (all->reports.len < sizeof report + report.len)
            break;
        add_watched_part(all, all->reports.data + sizeof report, report.len, &report.stamp);
        buf_drop(&all->reports, sizeof report + report.len);
    }
    uv_timer_start(&all->quiet, on_quiet, QUIET_MS, 0); /* saved before its folder was watched */
}

static void supervisor_start(struct supervisor *all)
{
    uv_stdio_container_t stdio[] = { { .flags = UV_INHERIT_FD, .data.fd = 0 },
                                     { .flags = UV_INHERIT_FD, .data.fd = 1 },
                                     { .flags = UV_INHERIT_FD, .data.fd = 2 },
                                     { .flags =
                                           UV_CREATE_PIPE | UV_READABLE_PIPE | UV_WRITABLE_PIPE,
                                       .data.stream = (uv_stream_t *)&all->socket } };
    uv_process_options_t options = { .exit_cb = on_exit_of_script,
                                     .file = module_executable(),
                                     .args = all->argv,
                                     .stdio_count = countof(stdio),
                                     .stdio = stdio };
    int status;

    parts_changed(all); /* from here on */
    uv_pipe_init(&all->loop, &all->socket, 0);
    all->socket.data = all->process.data = all;
    all->reports.len = 0;
    all->asked = 0;
    all->again = false;
    status = uv_spawn(&all->loop, &all->process, &options);
    if (status != 0) {
        output_message("run", "cannot start %s: %s", module_executable(), uv_strerror(status));
        all->failed = EXIT_FAILED;
        uv_stop(&all->loop);
        return;
    }
    all->runs = true;
    all->open = 2;
    uv_read_start((uv_stream_t *)&all->socket, on_buffer, on_report);
}

static void end_or_go_on(struct supervisor *all)
{
    if (came.number)
        uv_stop(&all->loop);
    else if (all->again)
        supervisor_start(all);
}

static void on_quiet(uv_timer_t *timer)
{
    struct supervisor *all = timer->data;

    if (came.number || !parts_changed(all))
        return;
    all->again = true;
    if (all->runs)
        ask_to_end(all);
    else
        supervisor_start(all);
}

static void on_part_folder_event(uv_fs_event_t *event, const char *name, int events, int status)
{
    struct supervisor *all = event->data;

    (void)name;
    (void)events;
    (void)status;
    uv_timer_start(&all->quiet, on_quiet, QUIET_MS, 0);
}

/* The terminal tells the script, too: a second signal would not let it end in order. */
static void on_signalled(uv_async_t *async)
{
    struct supervisor *all = async->data;

    if (!all->runs)
        uv_stop(&all->loop);
    else if (!came.typed)
        ask_to_end(all);
}

static void catch_signals(struct supervisor *all)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action = { .sa_sigaction = on_supervisor_signal,
                                .sa_flags = SA_SIGINFO | SA_RESTART };

    came.wake = &all->signalled;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < countof(numbers); i++)
        sigaction(numbers[i], &action, NULL);
}

static void add_script(struct supervisor *all)
{
    char *real = realpath(all->file, NULL);
    struct stamp stamp = { 0 };

    stamp_look(all->file, &stamp);
    add_watched_part(all, all->file, strlen(all->file),
                     &stamp); /* its folder, where a link may change */
    if (real)
        add_watched_part(all, real, strlen(real), &stamp);
    free(real);
}

/* The program's name, and its words. */
static char **program_words(char **argv)
{
    size_t count = 0;
    char **words;

    while (argv[count])
        count++;
    words = mem_alloc((count + 2) * sizeof *words);
    words[0] = mem_strdup(module_executable());
    memcpy(words + 1, argv, (count + 1) * sizeof *words);
    return words;
}

int rerun(char **argv, const char *file)
{
    struct supervisor *all = mem_zero(sizeof *all); /* as long as the process: handles are in it */

    all->argv = program_words(argv);
    all->file = file;
    process_prepare_signals();
    setenv(REPORT_VARIABLE, "3", 1);
    uv_loop_init(&all->loop);
    uv_async_init(&all->loop, &all->signalled, on_signalled);
    uv_timer_init(&all->loop, &all->quiet);
    uv_timer_init(&all->loop, &all->patience);
    all->signalled.data = all->quiet.data = all->patience.data = all;
    catch_signals(all);
    add_script(all);
    supervisor_start(all);
    uv_run(&all->loop, UV_RUN_DEFAULT);
    return all->failed ? all->failed : 128 + came.number;
}
