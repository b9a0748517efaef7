/* perigee stop -- ends mouse and keyboard input in every running engine of this user. */
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
#include "process/peer.h"

enum { ENGINES_MAX = 1024, PATIENCE_S = 2 };

struct stopping {
    bool allow, status, json;
    const char *what; /* the line that is asked */
    struct asked {
        int fd, pid;
    } asked[ENGINES_MAX];
    int count, silent;
};

static const struct option options[] = {
    { "allow", .offset = offsetof(struct stopping, allow), .about = "allow input again" },
    { "status", .offset = offsetof(struct stopping, status),
      .about = "only print which processes are running and whether input is allowed" },
    { "json", .offset = offsetof(struct stopping, json),
      .about = "print one JSON list of objects: command, pid, state (allowed, stopped or silent), "
               "ended" },
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
    DIR *dir = control_folder_safe(folder) ? opendir(folder) : NULL;
    struct dirent *entry;

    while (dir && (entry = readdir(dir)) && stopping->count < ENGINES_MAX) {
        char *end, *path;
        long pid = strtol(entry->d_name, &end, 10);
        int fd;

        if (pid <= 0 || strcmp(end, ".sock") != 0)
            continue;
        path = mem_printf("%s/%s", folder, entry->d_name);
        fd = connect_to(path);
        free(path);
        if (fd == NOBODY)
            continue;
        if (fd >= 0)
            (void)!dprintf(fd, "%s\n", stopping->what);
        stopping->asked[stopping->count++] = (struct asked){ fd, (int)pid };
    }
    if (dir)
        closedir(dir);
}

static bool read_answer(int fd, char *line, size_t size)
{
    size_t len = 0;

    while (len + 1 < size) {
        ssize_t got = read(fd, line + len, size - 1 - len);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        len += (size_t)got;
        line[len] = '\0';
        if (line[len - 1] == '\n')
            return true;
    }
    return false;
}

/* {"command":...,"pid":...,"state":...,"ended":...} */
static void print_json(const struct asked *asked, const char *command, const char *state, int ended)
{
    struct buf out = { 0 };

    json_write_string(&out, command, strlen(command));
    printf("{\"command\":%s,\"pid\":%d,\"state\":\"%s\",\"ended\":%d}", buf_text(&out), asked->pid,
           state, ended);
    buf_free(&out);
}

static void tell(struct stopping *stopping, const struct asked *asked)
{
    char line[CONTROL_LINE], state[16], command[64] = "";
    int ended = 0;

    if (asked->fd < 0 || !read_answer(asked->fd, line, sizeof line) ||
        sscanf(line, "%15s %d %63[^\n]", state, &ended, command) != 3) {
        stopping->silent++;
        output_message("stop", "process %d did not answer within %d s; `kill %d` ends it",
                       asked->pid, PATIENCE_S, asked->pid);
        if (stopping->json)
            print_json(asked, command, "silent", ended);
        return;
    }
    if (stopping->json)
        print_json(asked, command, state, ended);
    else if (strcmp(stopping->what, "stop") != 0)
        printf("perigee %s (process %d): input is %s\n", command, asked->pid, state);
    else if (ended > 0)
        printf("perigee %s (process %d): input stopped, %d action%s ended\n", command, asked->pid,
               ended, ended == 1 ? "" : "s");
    else
        printf("perigee %s (process %d): input stopped, nothing was under way\n", command,
               asked->pid);
}

static int stop(struct stopping *stopping)
{
    char *folders[CONTROL_FOLDERS_MAX];
    size_t count = control_folders(folders);

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
    }
    if (stopping->json)
        puts(stopping->count ? "]" : "[]");
    else if (!stopping->count)
        puts("No perigee of this user is running.");
    else if (strcmp(stopping->what, "stop") == 0)
        puts("`perigee stop --allow` lets input through again.");
    return stopping->silent ? EXIT_FAILED : EXIT_OK;
}

static int run(int argc, char **argv)
{
    struct stopping *stopping = mem_zero(sizeof *stopping);
    struct common common = { .help = false };
    int status = EXIT_USAGE;

    if (options_read(&command_stop, argc, argv, &common, stopping, NULL)) {
        stopping->what = stopping->status ? "status" : stopping->allow ? "allow" : "stop";
        status = common.help ? command_help(&command_stop) : stop(stopping);
    }
    options_free(&common);
    free(stopping);
    return output_finish("stop", status);
}

const struct command command_stop = {
    .name = "stop",
    .summary = "end all mouse and keyboard input now",
    .usage = "stop [--allow | --status] [--json]",
    .description =
        "Ends mouse and keyboard input in every perigee of this user that is running (serve, run, "
        "call, repl, an agent's server): input under way fails with \"stopped\", held keys and "
        "buttons are released, and new input is refused until it is allowed again. Ctrl+Alt+Esc "
        "on the keyboard does the same to each process that has sent input; before its first "
        "action a process does not listen to the keyboard.",
    .options = options,
    .notes = "Exit status: 0 success, 1 a process did not answer, 2 usage error",
    .run = run,
};
