/* The client on real pipes to a server that misbehaves, tests/lib/mcp_server_double.py. */
#ifndef PERIGEE_TESTS_CLIENT_STDIO_RUN_H
#define PERIGEE_TESTS_CLIENT_STDIO_RUN_H

#include "client_run.h"

#include "mcp/client/wire/stdio_wire.h"

#define DOUBLE "tests/lib/mcp_server_double.py"

static struct mcp_client *mcp;
static char *folder, *journal;
static bool have_double;

static inline struct client_options quick(enum client_era era)
{
    enum { LONG = HANG_SECONDS * 1000 };

    return (struct client_options){ .name = "test",
                                    .version = "1",
                                    .era = era,
                                    .probe_ms = LONG,
                                    .connect_ms = LONG,
                                    .timeout_ms = LONG };
}

static inline void start_with(struct client_options options, struct mcp_server_spec spec,
                              const char *const *flags)
{
    const char *argv[32] = { "python3", "-IS", DOUBLE, "--journal", journal };
    struct error err;
    size_t n = 5;

    if (!have_double)
        skip();
    while (*flags)
        argv[n++] = *flags++;
    argv[n] = NULL;
    spec.argv = argv;
    mcp = mcp_client_start(&loop, &spec, &options, &session_events, NULL, &err);
    if (!mcp)
        fail_msg("%s: %s", err.code, err.text);
    s.client = mcp_client_session(mcp);
}

#define FLAGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static inline void until_ready(void)
{
    while (!s.ready && !s.closed)
        uv_run(&loop, UV_RUN_ONCE);
    if (s.closed)
        fail_msg("%s: %s", s.why.code, s.why.text);
}

static inline void connect_to(enum client_era era, const char *const *flags)
{
    start_with(quick(era), (struct mcp_server_spec){ 0 }, flags);
    until_ready();
}

static inline struct client_call *call(struct got *got, const char *tool, const char *arguments)
{
    struct error err;
    struct client_call *made =
        client_call_tool(s.client, tool, arguments, NULL, &with_progress, got, &err);

    if (!made)
        fail_msg("%s: %s", err.code, err.text);
    return made;
}

static inline void call_and_wait(struct got *got, const char *tool, const char *arguments)
{
    call(got, tool, arguments);
    turn_until(&got->done);
}

static inline void said(const struct got *got, const char *text)
{
    if (!got->result)
        fail_msg("%s: %s", got->error.code, got->error.text);
    if (!strstr(got->result, text))
        fail_msg("not in the result: %s\n%.500s", text, got->result);
}

static inline void free_mcp(void)
{
    mcp_client_free(mcp);
    mcp = NULL;
    s.client = NULL;
}

/* Lines of the journal, separated by "; ". Valid until the next call. */
static const char *happened(void)
{
    static char text[4096];
    FILE *file = fopen(journal, "r");
    size_t len = file ? fread(text, 1, sizeof text - 1, file) : 0;

    if (file)
        fclose(file);
    while (len > 0 && text[len - 1] == '\n')
        len--;
    text[len] = '\0';
    for (size_t i = 0; i < len; i++)
        text[i] = text[i] == '\n' ? ';' : text[i];
    return text;
}

/* Without python3 each case is skipped. */
static inline void find_double(void)
{
    have_double = access(DOUBLE, R_OK) == 0 && system("python3 -c pass >/dev/null 2>&1") == 0;
    if (!have_double)
        fprintf(stderr, "skipped: python3 or %s (run from the project's folder)\n", DOUBLE);
}

static inline int stdio_setup(void **state)
{
    folder = temp_make();
    journal = mem_printf("%s/journal", folder);
    return session_setup(state);
}

static inline int stdio_teardown(void **state)
{
    int rc;

    mcp_client_free(mcp);
    mcp = NULL;
    s.client = NULL;
    rc = session_teardown(state);
    temp_remove(folder); /* the server writes there to the last */
    free(folder);
    free(journal);
    return rc;
}

#undef CASE
#define CASE(name) cmocka_unit_test_setup_teardown(name, stdio_setup, stdio_teardown)

#endif
