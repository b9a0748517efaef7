/* Joins a client and a child process that carries its messages, and starts the child again when the
 * client asks for a fresh connection.
 *
 * The new child starts when the old one is gone, not before: servers hold files,
 * ports and locks. */
#include "mcp/client/wire/stdio_wire.h"

#include <signal.h>
#include <stdlib.h>

#include "base/buf.h"
#include "json/utf8.h"
#include "mcp/client/wire.h"
#include "mcp/client/wire/message_child.h"
#include "mcp/line_reader.h"
#include "process/environment.h"

enum {
    RESTART_CLOSE_MS = 500, /* it has done nothing yet but answer a probe, or not */
    LAST_LINES_SHOWN = 300, /* bytes of stderr in an error */
};

struct mcp_client {
    uv_loop_t *loop;
    struct client *client;
    struct message_child *child; /* NULL: none now */
    char **argv, **env;          /* owned; env is the complete list */
    char *cwd;
    uint64_t close_ms, term_ms;
    size_t max_line;
    bool restarting; /* start again when the child has ended */
    bool closing;
};

static size_t strings_count(const char *const *list)
{
    size_t count = 0;

    while (list && list[count])
        count++;
    return count;
}

/* --- how it ended ------------------------------------------------------------- */

/* The last lines of stderr as one line of clean text. */
static void add_last_lines(struct buf *out, const char *last_lines)
{
    size_t len = strlen(last_lines);
    size_t start = out->len;
    const char *from = last_lines;

    if (len > LAST_LINES_SHOWN) {
        const char *newline = strchr(last_lines + len - LAST_LINES_SHOWN, '\n');

        from = newline && newline[1] ? newline + 1 : last_lines + len - LAST_LINES_SHOWN;
    }
    utf8_clean(out, from, strlen(from));
    while (out->len > start && out->data[out->len - 1] == '\n')
        out->len--;
    for (size_t i = start; i < out->len; i++) {
        unsigned char c = (unsigned char)out->data[i];

        if (c < 0x20 || c == 0x7F)
            out->data[i] = c == '\n' ? '|' : ' ';
    }
}

static void explain_end(const struct mcp_client *mcp, const struct message_child_end *end,
                        struct error *err)
{
    struct buf text = { 0 };

    if (mcp->closing)
        buf_lit(&text, "the connection to the server was closed");
    else if (end->mute)
        buf_addf(&text, "the server \"%s\" closed its standard output and was stopped",
                 mcp->argv[0]);
    else if (end->term_signal)
        buf_addf(&text, "the server \"%s\" was killed by signal %d (%s)", mcp->argv[0],
                 end->term_signal, strsignal(end->term_signal));
    else
        buf_addf(&text, "the server \"%s\" exited with status %d", mcp->argv[0], end->exit_code);
    if (!mcp->closing && end->last_lines[0]) {
        buf_lit(&text, "; its last output: ");
        add_last_lines(&text, end->last_lines);
    }
    error_set(err, "closed", "%s", buf_text(&text));
    buf_free(&text);
}

/* --- the child's events ------------------------------------------------------- */

static void on_server_line(void *arg, const char *line, size_t len)
{
    struct mcp_client *mcp = arg;

    if (!mcp->restarting)
        client_receive(mcp->client, line, len);
}

static void on_server_line_oversized(void *arg, const struct oversized_line *line)
{
    struct mcp_client *mcp = arg;

    if (!mcp->restarting)
        client_receive_oversized(mcp->client, line->head, line->tail, line->len);
}

static void on_error_line(void *arg, const char *line, size_t len)
{
    struct mcp_client *mcp = arg;

    client_receive_stderr(mcp->client, line, len);
}

static bool start_child(struct mcp_client *mcp, struct error *err);

static void start_server_again(struct mcp_client *mcp)
{
    struct error err;

    mcp->restarting = false;
    if (start_child(mcp, &err))
        client_started(mcp->client);
    else
        client_ended(mcp->client, &err);
}

static void on_child_ended(void *arg, const struct message_child_end *end)
{
    struct mcp_client *mcp = arg;
    struct error why;

    explain_end(mcp, end, &why);
    message_child_free(mcp->child);
    mcp->child = NULL;
    if (mcp->restarting && !mcp->closing)
        start_server_again(mcp);
    else
        client_ended(mcp->client, &why);
}

static bool start_child(struct mcp_client *mcp, struct error *err)
{
    static const struct message_child_events events = { on_server_line, on_server_line_oversized,
                                                        on_error_line, on_child_ended };

    mcp->child = message_child_start(mcp->loop,
                                     &(struct message_child_spec){
                                         .argv = (const char *const *)mcp->argv,
                                         .cwd = mcp->cwd,
                                         .env = (const char *const *)mcp->env,
                                         .max_line = mcp->max_line,
                                         .term_ms = mcp->term_ms,
                                     },
                                     &events, mcp, err);
    return mcp->child;
}

/* --- the client's wire -------------------------------------------------------- */

static bool stdio_wire_send(void *arg, const char *line, size_t len, struct error *err)
{
    struct mcp_client *mcp = arg;

    if (!mcp->child)
        return error_set(err, "closed", "the server is not running. Connect again");
    return message_child_send(mcp->child, line, len, err);
}

static void stdio_wire_restart(void *arg)
{
    struct mcp_client *mcp = arg;

    if (!mcp->child) {
        start_server_again(mcp);
        return;
    }
    mcp->restarting = true;
    message_child_stop(mcp->child, RESTART_CLOSE_MS);
}

static void stdio_wire_close(void *arg)
{
    struct mcp_client *mcp = arg;

    mcp->closing = true;
    if (mcp->child)
        message_child_stop(mcp->child, mcp->close_ms);
}

/* --- making one --------------------------------------------------------------- */

static struct mcp_client *mcp_new(uv_loop_t *loop, const struct mcp_server_spec *spec,
                                  const struct client_options *options,
                                  const struct client_events *events, void *arg)
{
    struct mcp_client *mcp = mem_zero(sizeof *mcp);
    struct client_wire wire = { .arg = mcp,
                                .send = stdio_wire_send,
                                .restart = stdio_wire_restart,
                                .close = stdio_wire_close };

    mcp->loop = loop;
    mcp->argv = mem_strings_copy(spec->argv, strings_count(spec->argv));
    mcp->env = environment_passed(spec->argv[0], spec->env);
    mcp->cwd = spec->cwd ? mem_strdup(spec->cwd) : NULL;
    mcp->close_ms = spec->close_ms ? spec->close_ms : WIRE_CLOSE_MS;
    mcp->term_ms = spec->term_ms;
    mcp->max_line = options ? options->max_message : 0;
    mcp->client = client_new(loop, &wire, options, events, arg);
    return mcp;
}

struct mcp_client *mcp_client_start(uv_loop_t *loop, const struct mcp_server_spec *spec,
                                    const struct client_options *options,
                                    const struct client_events *events, void *arg,
                                    struct error *err)
{
    struct mcp_client *mcp = mcp_new(loop, spec, options, events, arg);

    if (!start_child(mcp, err)) {
        mcp_client_free(mcp);
        return NULL;
    }
    client_started(mcp->client);
    return mcp;
}

struct client *mcp_client_session(const struct mcp_client *mcp)
{
    return mcp->client;
}

int mcp_client_pid(const struct mcp_client *mcp)
{
    return mcp->child ? message_child_pid(mcp->child) : -1;
}

void mcp_client_free(struct mcp_client *mcp)
{
    if (!mcp)
        return;
    message_child_free(mcp->child);
    client_free(mcp->client);
    mem_strings_free(mcp->argv);
    mem_strings_free(mcp->env);
    free(mcp->cwd);
    free(mcp);
}
