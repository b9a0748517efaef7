/* perigee stop -- ends what acts on this desktop: by a file that every process looks for, and by a
 * word to those that run, so that what is under way ends at once. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/commands/native.h"
#include "cli/output.h"
#include "engine/control.h"
#include "json/writer.h"
#include "platform/backends.h"
#include "platform/worker/stop_mark.h"
#include "process/engine_sockets.h"
#include "process/session_display.h"

enum { ENGINES_MAX = 1024, PATIENCE_S = 5 }; /* all have been asked before one is waited for */

struct stopping {
    bool allow, status, all, json;
    const char *what; /* stop, allow or status */
    char *place;      /* the desktop that is meant; "-": each one */
    char *line;       /* the request */
    struct asked {
        int fd, pid;
        char *path; /* its socket's path; owned */
    } asked[ENGINES_MAX];
    int count, silent, elsewhere;
    struct stop_mark marks[STOP_MARKS_MAX]; /* the stops that are in effect at the end */
    size_t marked;
    bool unmarked; /* the stop could not be made a state, or not be taken back */
};

static const struct option options[] = {
    { "allow", .offset = offsetof(struct stopping, allow), .about = "allow input again" },
    { "status", .offset = offsetof(struct stopping, status),
      .about = "only print which displays are stopped, which processes are running and whether "
               "input is allowed" },
    { "all", .offset = offsetof(struct stopping, all),
      .about = "on all displays of this user, also those that are not there yet" },
    { "json", .offset = offsetof(struct stopping, json),
      .about = "print one JSON list of objects. For each process: command, pid, desktop, reached, "
               "state (allowed, stopped or silent), ended. For each display that is stopped: "
               "desktop (\"-\": all), by, since, and a pid that is null" },
    { 0 },
};

/* Asks all before it waits for the first: one that hangs must not keep the others going. */
static bool stopping_ask(void *arg, int pid, const char *path)
{
    struct stopping *stopping = arg;
    int fd = engine_socket_connect(path, PATIENCE_S);

    if (fd == ENGINE_GONE)
        return true;
    if (fd >= 0)
        (void)!dprintf(fd, "%s\n", stopping->line);
    stopping->asked[stopping->count++] = (struct asked){ fd, pid, mem_strdup(path) };
    return stopping->count < ENGINES_MAX;
}

/* False: errno is 0 if the engine hung up. */
static bool read_stop_answer(int fd, char *line, size_t size)
{
    size_t len = 0;

    errno = 0;
    while (len + 1 < size) {
        ssize_t got = read(fd, line + len, size - 1 - len);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = got < 0 ? errno : 0;
            return false;
        }
        len += (size_t)got;
        line[len] = '\0';
        if (line[len - 1] == '\n')
            return true;
    }
    return false;
}

struct engine_state {
    int pid, ended;
    char state[16], place[304], command[64];
    bool reached;
};

/* {"command":...,"pid":...,"desktop":...,"reached":...,"state":...,"ended":...} */
static void print_engine_json(const struct engine_state *engine)
{
    struct buf out = { 0 };

    buf_lit(&out, "{\"command\":");
    json_write_string(&out, engine->command, strlen(engine->command));
    buf_addf(&out, ",\"pid\":%d,\"desktop\":", engine->pid);
    json_write_string(&out, engine->place, strlen(engine->place));
    printf("%s,\"reached\":%s,\"state\":\"%s\",\"ended\":%d}", buf_text(&out),
           engine->reached ? "true" : "false", engine->state, engine->ended);
    buf_free(&out);
}

static void print_line(const struct stopping *stopping, const struct engine_state *engine)
{
    bool named = strcmp(engine->place, "-") != 0 && strcmp(engine->place, stopping->place) != 0;

    printf("perigee %s (process %d%s%s): input ", engine->command, engine->pid, named ? ", " : "",
           named ? engine->place : "");
    if (strcmp(stopping->what, "stop") != 0)
        printf("is %s\n", engine->state);
    else if (engine->ended > 0)
        printf("stopped, %d action%s ended\n", engine->ended, engine->ended == 1 ? "" : "s");
    else
        puts("stopped, nothing was under way");
}

/* An engine of an older version does not know of desktops: it hangs up, and its answer has none. */
static bool ask_engine_again(const struct stopping *stopping, const struct asked *asked, char *line,
                             size_t size)
{
    int fd = engine_socket_connect(asked->path, PATIENCE_S);
    bool answered;

    if (fd < 0)
        return false;
    answered = dprintf(fd, "%s\n", stopping->what) > 0 && read_stop_answer(fd, line, size);
    close(fd);
    return answered;
}

static bool read_state(const struct stopping *stopping, const struct asked *asked,
                       struct engine_state *engine)
{
    char line[CONTROL_LINE];

    *engine = (struct engine_state){ .pid = asked->pid, .state = "silent", .place = "-" };
    if (asked->fd < 0)
        return false;
    if (read_stop_answer(asked->fd, line, sizeof line))
        return sscanf(line, "%15s %d %303s %63[^\n]", engine->state, &engine->ended, engine->place,
                      engine->command) == 4;
    return errno == 0 && ask_engine_again(stopping, asked, line, sizeof line) &&
           sscanf(line, "%15s %d %63[^\n]", engine->state, &engine->ended, engine->command) == 3;
}

static void stopping_show(struct stopping *stopping, const struct asked *asked)
{
    struct engine_state engine;

    if (!read_state(stopping, asked, &engine)) {
        stopping->silent++;
        output_message("stop", "process %d did not answer within %d s; `kill %d` ends it",
                       asked->pid, PATIENCE_S, asked->pid);
        if (stopping->json)
            print_engine_json(&engine);
        return;
    }
    engine.reached = control_same_place(stopping->place, engine.place);
    stopping->elsewhere += !engine.reached;
    if (stopping->json)
        print_engine_json(&engine);
    else if (engine.reached)
        print_line(stopping, &engine);
}

/* "x11:3", "all displays" */
static const char *shown_place(const char *place)
{
    return strcmp(place, PLACE_ALL) == 0 ? "all displays" : place;
}

static void print_marks(const struct stopping *stopping)
{
    for (size_t i = 0; i < stopping->marked; i++) {
        const struct stop_mark *mark = &stopping->marks[i];
        char when[STOP_WHEN];

        stop_mark_when(mark, when);
        printf("%s: stopped with %s, %s\n", shown_place(mark->place), mark->by, when);
    }
}

static void print_marks_json(const struct stopping *stopping)
{
    for (size_t i = 0; i < stopping->marked; i++) {
        const struct stop_mark *mark = &stopping->marks[i];
        struct buf out = { 0 };

        buf_addf(&out,
                 "%s{\"command\":null,\"pid\":null,\"desktop\":", i || stopping->count ? "," : "");
        json_write_string(&out, mark->place, strlen(mark->place));
        buf_addf(&out, ",\"reached\":%s,\"state\":\"stopped\",\"ended\":0,\"by\":",
                 control_same_place(stopping->place, mark->place) ? "true" : "false");
        json_write_string(&out, mark->by, strlen(mark->by));
        printf("%s,\"since\":%lld}", buf_text(&out), (long long)mark->since);
        buf_free(&out);
    }
}

static void print_summary(const struct stopping *stopping)
{
    int reached = stopping->count - stopping->elsewhere;
    const char *all = strcmp(stopping->place, PLACE_ALL) == 0 ? " --all" : "";

    if (!stopping->count)
        puts("No perigee of this user is running.");
    else if (!reached)
        printf("No perigee of this user acts on this desktop (%s).\n", stopping->place);
    if (strcmp(stopping->what, "stop") == 0 && !stopping->unmarked)
        printf("Input is refused on %s, also in processes that are started later, until `perigee "
               "stop --allow%s`.\n",
               *all ? shown_place(stopping->place) : "this desktop", all);
    if (strcmp(stopping->what, "allow") == 0 && !stopping->unmarked)
        printf("Input is allowed on %s.\n", *all ? shown_place(stopping->place) : "this desktop");
    if (strcmp(stopping->what, "status") == 0)
        print_marks(stopping);
    if (stopping->elsewhere)
        printf("%d more act%s on other desktops: add --all to reach %s.\n", stopping->elsewhere,
               stopping->elsewhere == 1 ? "s" : "", stopping->elsewhere == 1 ? "it" : "them");
}

/* "`perigee stop` (process 4711, /dev/pts/3)" */
static void describe_caller(char *out, size_t size)
{
    const char *terminal = isatty(STDIN_FILENO) ? ttyname(STDIN_FILENO) : NULL;

    snprintf(out, size, "`perigee stop` (process %d%s%.40s)", (int)getpid(), terminal ? ", " : "",
             terminal ? terminal : "");
}

/* The state of the desktop comes first: who is asked about it afterwards looks at it. */
static void stopping_mark(struct stopping *stopping)
{
    bool stops = strcmp(stopping->what, "stop") == 0, ok = true;
    struct place_files files;
    struct error err;
    char by[100];

    place_files_init(&files, stopping->place);
    describe_caller(by, sizeof by);
    if (stops)
        ok = stop_mark_set(&files, by, &err);
    else if (strcmp(stopping->what, "allow") == 0)
        ok = stop_mark_clear(&files, &err);
    stopping->unmarked = !ok;
    stopping->marked = stop_mark_list(&files, stopping->marks);
    place_files_finish(&files);
    if (!ok && stops)
        output_message("stop",
                       "only running processes are stopped, those that are started later are not: "
                       "%s. Mend that, and run `perigee stop` again",
                       err.text);
    else if (!ok)
        output_message("stop", "%s", err.text);
}

static int stopping_run(struct stopping *stopping)
{
    stopping_mark(stopping);
    engine_sockets_each("sock", stopping_ask, stopping);
    for (int i = 0; i < stopping->count; i++) {
        if (stopping->json)
            putchar(i ? ',' : '[');
        stopping_show(stopping, &stopping->asked[i]);
        if (stopping->asked[i].fd >= 0)
            close(stopping->asked[i].fd);
        free(stopping->asked[i].path);
    }
    if (stopping->json) {
        if (!stopping->count)
            putchar('[');
        print_marks_json(stopping);
        puts("]");
    } else {
        print_summary(stopping);
    }
    return stopping->silent || stopping->unmarked ? EXIT_FAILED : EXIT_OK;
}

/* Decides about the request and its desktop; `--status` is for all. */
static void stopping_settle(struct stopping *stopping)
{
    bool all = stopping->all || stopping->status;

    stopping->what = stopping->status ? "status" : stopping->allow ? "allow" : "stop";
    session_display_adopt();
    stopping->place = all ? mem_strdup("-") : platform_place();
    stopping->line =
        all ? mem_strdup(stopping->what) : mem_printf("%s %s", stopping->what, stopping->place);
}

static int run_stop(int argc, char **argv)
{
    struct stopping *stopping = mem_zero(sizeof *stopping);
    struct common common = { .help = false };
    int status = EXIT_USAGE;

    if (options_read(&command_stop, argc, argv, &common, stopping, NULL)) {
        stopping_settle(stopping);
        status = common.help ? command_help(&command_stop) : stopping_run(stopping);
    }
    options_free(&common);
    free(stopping->place);
    free(stopping->line);
    free(stopping);
    return output_finish("stop", status);
}

const struct command command_stop = {
    .name = "stop",
    .summary = "end all that Perigee does on the desktop now",
    .usage = "stop [--allow | --status] [--all] [--json]",
    .description =
        "Stops every perigee of this user on this display (serve, run, call, repl, an agent's "
        "server), whatever its environment, and also one that is started later: input, actions on "
        "elements, windows and applications, and clipboard writes fail with \"stopped\" until "
        "they are allowed again. What is under way ends at once, and held keys and buttons are "
        "released. Looking goes on. The stop ends with --allow, when the system restarts, and "
        "when another X server takes the display. Ctrl+Alt+Esc on the keyboard does the same "
        "where a process listens, which it does from its first action on. Started where there is "
        "no display, and with --all, the command is for all displays.",
    .options = options,
    .notes = "Exit status: 0 success, 1 a process did not answer, or the stop could not be stored "
             "or removed, 2 usage error",
    .run = run_stop,
};
