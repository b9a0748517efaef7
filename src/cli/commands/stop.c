/* perigee stop -- ends mouse and keyboard input in the running engines of this user and desktop. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/commands/native.h"
#include "cli/output.h"
#include "engine/control.h"
#include "json/writer.h"
#include "platform/backends.h"
#include "process/peer.h"
#include "process/runtime_folders.h"
#include "process/session_display.h"

enum { ENGINES_MAX = 1024, PATIENCE_S = 2 };

struct stopping {
    bool allow, status, all, json;
    const char *what; /* stop, allow or status */
    char *place;      /* the desktop that is meant; "-": each one */
    char *line;       /* what is asked */
    struct asked {
        int fd, pid;
        char *path; /* of its socket; owned */
    } asked[ENGINES_MAX];
    int count, silent, elsewhere;
};

static const struct option options[] = {
    { "allow", .offset = offsetof(struct stopping, allow), .about = "allow input again" },
    { "status", .offset = offsetof(struct stopping, status),
      .about = "only print which processes are running and whether input is allowed" },
    { "all", .offset = offsetof(struct stopping, all),
      .about = "also in processes that act on other displays" },
    { "json", .offset = offsetof(struct stopping, json),
      .about = "print one JSON list of objects: command, pid, desktop, reached, state (allowed, "
               "stopped or silent), ended" },
    { 0 },
};

enum { NOBODY = -1, NO_ANSWER = -2 };

static int connect_to(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    struct timeval patience = { .tv_sec = PATIENCE_S };
    int fd, rc;

    if (strlen(path) >= sizeof address.sun_path)
        return NOBODY;
    memcpy(address.sun_path, path, strlen(path) + 1);
    fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0)
        return NO_ANSWER;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0 && peer_is_ours(fd))
        return fd;
    rc = errno == EAGAIN || errno == ETIMEDOUT ? NO_ANSWER : NOBODY;
    if (errno == ECONNREFUSED)
        unlink(path); /* it was killed and could not */
    close(fd);
    return rc;
}

/* Asks all before it waits for the first: one that hangs must not keep the others going. */
static void ask_folder(struct stopping *stopping, const char *folder)
{
    DIR *dir = runtime_folder_safe(folder) ? opendir(folder) : NULL;
    struct dirent *entry;

    while (dir && (entry = readdir(dir)) && stopping->count < ENGINES_MAX) {
        char *end, *path;
        long pid = strtol(entry->d_name, &end, 10);
        int fd;

        if (pid <= 0 || strcmp(end, ".sock") != 0)
            continue;
        path = mem_printf("%s/%s", folder, entry->d_name);
        fd = connect_to(path);
        if (fd == NOBODY) {
            free(path);
            continue;
        }
        if (fd >= 0)
            (void)!dprintf(fd, "%s\n", stopping->line);
        stopping->asked[stopping->count++] = (struct asked){ fd, (int)pid, path };
    }
    if (dir)
        closedir(dir);
}

/* False: errno is 0 if the engine hung up. */
static bool read_answer(int fd, char *line, size_t size)
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
static void print_json(const struct engine_state *engine)
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
static bool ask_again(const struct stopping *stopping, const struct asked *asked, char *line,
                      size_t size)
{
    int fd = connect_to(asked->path);
    bool answered;

    if (fd < 0)
        return false;
    answered = dprintf(fd, "%s\n", stopping->what) > 0 && read_answer(fd, line, size);
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
    if (read_answer(asked->fd, line, sizeof line))
        return sscanf(line, "%15s %d %303s %63[^\n]", engine->state, &engine->ended, engine->place,
                      engine->command) == 4;
    return errno == 0 && ask_again(stopping, asked, line, sizeof line) &&
           sscanf(line, "%15s %d %63[^\n]", engine->state, &engine->ended, engine->command) == 3;
}

static void tell(struct stopping *stopping, const struct asked *asked)
{
    struct engine_state engine;

    if (!read_state(stopping, asked, &engine)) {
        stopping->silent++;
        output_message("stop", "process %d did not answer within %d s; `kill %d` ends it",
                       asked->pid, PATIENCE_S, asked->pid);
        if (stopping->json)
            print_json(&engine);
        return;
    }
    engine.reached = control_same_place(stopping->place, engine.place);
    stopping->elsewhere += !engine.reached;
    if (stopping->json)
        print_json(&engine);
    else if (engine.reached)
        print_line(stopping, &engine);
}

static void sum_up(const struct stopping *stopping)
{
    int reached = stopping->count - stopping->elsewhere;

    if (!stopping->count)
        puts("No perigee of this user is running.");
    else if (!reached)
        printf("No perigee of this user acts on this desktop (%s).\n", stopping->place);
    else if (strcmp(stopping->what, "stop") == 0)
        puts("`perigee stop --allow` lets input through again.");
    if (stopping->elsewhere)
        printf("%d more act%s on other desktops: add --all to reach %s.\n", stopping->elsewhere,
               stopping->elsewhere == 1 ? "s" : "", stopping->elsewhere == 1 ? "it" : "them");
}

static int stop(struct stopping *stopping)
{
    char *folders[RUNTIME_FOLDERS_MAX];
    size_t count = runtime_folders(folders);

    for (size_t i = 0; i < count; i++) {
        ask_folder(stopping, folders[i]);
        free(folders[i]);
    }
    for (int i = 0; i < stopping->count; i++) {
        if (stopping->json)
            putchar(i ? ',' : '[');
        tell(stopping, &stopping->asked[i]);
        if (stopping->asked[i].fd >= 0)
            close(stopping->asked[i].fd);
        free(stopping->asked[i].path);
    }
    if (stopping->json)
        puts(stopping->count ? "]" : "[]");
    else
        sum_up(stopping);
    return stopping->silent ? EXIT_FAILED : EXIT_OK;
}

/* What is asked, and of whom: `--status` of all. */
static void settle(struct stopping *stopping)
{
    bool all = stopping->all || stopping->status;

    stopping->what = stopping->status ? "status" : stopping->allow ? "allow" : "stop";
    session_display_adopt();
    stopping->place = all ? mem_strdup("-") : platform_place();
    stopping->line =
        all ? mem_strdup(stopping->what) : mem_printf("%s %s", stopping->what, stopping->place);
}

static int run(int argc, char **argv)
{
    struct stopping *stopping = mem_zero(sizeof *stopping);
    struct common common = { .help = false };
    int status = EXIT_USAGE;

    if (options_read(&command_stop, argc, argv, &common, stopping, NULL)) {
        settle(stopping);
        status = common.help ? command_help(&command_stop) : stop(stopping);
    }
    options_free(&common);
    free(stopping->place);
    free(stopping->line);
    free(stopping);
    return output_finish("stop", status);
}

const struct command command_stop = {
    .name = "stop",
    .summary = "end all mouse and keyboard input now",
    .usage = "stop [--allow | --status] [--all] [--json]",
    .description =
        "Ends mouse and keyboard input in every perigee of this user that is running on this "
        "display (serve, run, call, repl, an agent's server): input under way fails with "
        "\"stopped\", held keys and buttons are released, and new input is refused until it is "
        "allowed again. Ctrl+Alt+Esc on the keyboard does the same to each process that has sent "
        "input; before its first action a process does not listen to the keyboard. Started where "
        "there is no display, and with --all, it reaches the processes of all displays.",
    .options = options,
    .notes = "Exit status: 0 success, 1 a process did not answer, 2 usage error",
    .run = run,
};
